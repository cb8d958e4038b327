"""The files of pages: kept for good, all of them named, and nothing but what they may do."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from urllib.parse import urljoin

import pytest
from page_reading import Read, import_map

from duels.pages import shell

HASH = "[0-9a-f]{12}"


def test_no_module_builds_an_address_of_its_own():
    """`address` and `link` of urls.js do; they and `linkButton` take a path with a slash.

    The name of SVG looks like an address, but nothing is fetched from it.
    """
    own = re.compile(
        r"""(?<!address\()(?<!link\()(?<!linkButton\()["'`]/[\w$]|https?:(?!//www\.w3\.org/2000/svg")"""
        r"|location\.(origin|host|pathname)|document\.(baseURI|URL)"
    )
    for path in (shell.STATIC / "js").rglob("*.js"):
        code = re.sub(r"^\s*(//|/?\*).*", "", path.read_text("utf-8"), flags=re.MULTILINE)
        if path.name != "urls.js":
            assert own.findall(code) == [], path.name
    for path in shell.STATIC.rglob("*.css"):
        assert "url(" not in path.read_text("utf-8"), path.name


def test_no_module_decides_anything_by_words():
    """Data has kinds: no text with a space in it is compared, searched for or cut out."""
    by_words = re.compile(
        r"(?:\.(?:startsWith|endsWith|includes|indexOf|replace|replaceAll|split|match)\(|[!=]==? )"
        r"""["'`/][^"'`/]*[A-Za-z,] [^"'`/]*["'`/]"""
    )
    assert by_words.search('line.startsWith("Who was winning")')
    assert by_words.search('words.split(", like ")')
    for path in (shell.STATIC / "js").rglob("*.js"):
        assert by_words.findall(path.read_text("utf-8")) == [], path.name


def test_no_module_glues_a_sentence_from_fragments():
    """A sentence is one template with named values: no text begins or ends in its middle."""
    fragment = re.compile(r",? [a-z].*|.*[a-z],? ", re.DOTALL)
    for glued in ('[name, " to move"]', 'el("p", "Open ", link)', "[`${name}`, ` is here`]"):
        assert [text for text in texts_in(glued) if fragment.fullmatch(text)]
    for path in (shell.STATIC / "js").rglob("*.js"):
        found = [text for text in texts_in(path.read_text("utf-8")) if fragment.fullmatch(text)]
        assert found in ([], ["Bearer "]), path.name


def texts_in(source):
    """The texts in quotes, without comments; what is filled in is a star."""
    code = re.sub(r"^\s*(//|/?\*).*|\s// .*", "", source, flags=re.MULTILINE)
    code = re.sub(r"\$\{[^{}]*\}", "*", code)
    found = re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', code)
    return [quoted or template for quoted, template in found]


@pytest.mark.parametrize("path", ["/", "/learn/number-duel"])
def test_files_have_addresses_that_can_be_cached_forever(http, path):
    read = Read(http.get(path))
    assert len(read.all("link", "href", rel="stylesheet")) == 1
    loaded = read.all("link", "href") + read.all("script", "src")
    manifests = read.all("link", "href", rel="manifest")
    for address in {*loaded} - {*manifests}:
        assert re.search(rf"\.{HASH}\.\w+$", address)
        file = http.get(urljoin(path, address))
        assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
        older = re.sub(HASH, "0" * 12, address)
        plain = re.sub(rf"\.{HASH}", "", address)
        for other in (older, plain):  # an old page, a browser without import maps
            same = http.get(urljoin(path, other))
            assert (same.content, same.headers["cache-control"]) == (file.content, "no-cache")


@pytest.mark.parametrize("path", ["/", "/analysis", "/learn", "/learn/number-duel"])
def test_a_page_allows_its_import_map_and_no_other_script_inside_it(http, path):
    first = http.get(path)
    again = http.get(path, headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    digest = base64.b64encode(hashlib.sha256(import_map(first).encode()).digest()).decode()
    for page in (first, again):  # a browser takes over the headers of a 304
        policy = page.headers["content-security-policy"]
        assert f"script-src 'self' 'sha256-{digest}';" in policy
        assert "unsafe" not in policy
        assert page.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "kind", [kind for kind in shell.SHEETS if kind not in ("missing", "print")]
)
def test_all_modules_of_a_page_are_named_in_it(http, kind):
    """So that they load at once: what a module imports is in the map and among the preloads."""
    named = shell.modules(kind)
    mapped = json.loads(shell.import_map(kind, "./"))["imports"]
    assert named[0] == f"js/{kind}-page.js"
    for name in named:
        source = (shell.STATIC / name).read_text("utf-8")
        at_once = re.findall(r'\bfrom "([^"]+\.js)"', source)
        later = re.findall(r'\bimport\("([^"]+\.js)"\)', source)
        assert len(at_once) + len(later) == len(re.findall(r'"\.[^"]*\.js"', source))
        assert {shell.imported(name, path) for path in at_once} <= set(named)
        assert {f"./static/{shell.imported(name, path)}" for path in later} <= mapped.keys()
        assert mapped[f"./static/{name}"] == f"./{shell.address(name)}"
    assert len(set(named)) == len(named) > 4


def test_the_service_worker_of_a_server_stores_nothing(http):
    """So it cannot show a page or a response that is out of date."""
    found = http.get("/sw.js")
    assert found.headers["content-type"].startswith("text/javascript")
    assert found.headers["cache-control"] == "no-cache"
    assert "caches" not in found.text
