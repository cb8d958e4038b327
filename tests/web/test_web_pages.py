"""Pages and their files: below any root, kept for good, readable without a script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from servers import create, serving

import duels
from duels.pages import shell
from duels.pages.learn import rules_page
from duels.pages.print_sheets import puzzle_sheet
from duels.pages.shell import page_html
from duels.pages.templates import Host
from duels.server.config import Config, from_environment

HASH = "[0-9a-f]{12}"
PAGES = ["/", "/analysis", "/learn", "/learn/sequence-duel", "/m/ID", "/m/ID/replay"]
PAGES += ["/class"]
SHEETS = [
    "/class/privacy",
    "/print",
    "/print/lines",
    "/print/board/24",
    "/print/rules/number-duel",
    "/print/plan/sequence-duel",
    "/print/puzzles/number-line-duel/2",
]
MISSING = [
    "/nothing",
    "/learn/nothing",
    "/print/board/25",
    "/print/puzzles/number-duel/0",
    "/m/a%2Fb",
    "/a/b/c",
]


class Read(HTMLParser):
    """The tags of a page, and the words that are read without a script."""

    def __init__(self, page):
        super().__init__()
        self.tags = []
        self.words = ""
        self.hidden = False
        self.feed(page.text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.hidden = tag in ("script", "title")

    def handle_endtag(self, tag):
        self.hidden = False

    def handle_data(self, data):
        self.words += "" if self.hidden else data

    def all(self, tag, name, **having):
        return [
            one[name]
            for kind, one in self.tags
            if kind in tag.split() and name in one and having.items() <= one.items()
        ]

    def meta(self, name):
        return {
            one.get("name") or one.get("property"): one["content"]
            for kind, one in self.tags
            if kind == "meta" and "content" in one
        }.get(name)


@pytest.fixture(scope="module")
def below(tmp_path_factory):
    """A server that was told to be below /duels; a proxy may take that off, or not."""
    file = tmp_path_factory.mktemp("web") / "web.sqlite3"
    with serving(Config(database=str(file), root_path="/duels/")) as client:
        yield client


def look_at(http, path):
    return http.get(path, headers={"accept": "text/html"})


def import_map(page):
    return re.search(r'<script type="importmap">(.*?)</script>', page.text)[1]


@pytest.mark.parametrize("prefix", ["/duels", ""], ids=["left on", "taken off"])
def test_every_address_of_a_page_is_relative_and_leads_somewhere(below, prefix):
    known = create(below, "number-duel", "here")["id"]
    met = set()
    for path in PAGES + SHEETS + MISSING:
        here = prefix + path.replace("ID", known)
        page = look_at(below, here)
        assert page.status_code == (404 if path in MISSING else 200), path
        read = Read(page)
        found = read.all("a link script img", "href") + read.all("a link script img", "src")
        found += [read.all("html", "data-root")[0], read.meta("og:image")]
        found += [*json.loads(import_map(page))["imports"].values()] if path in PAGES else []
        assert len(found) > 6
        for address in found:
            assert address.startswith(("./", "../", "#")), (path, address)
            if not address.startswith("#"):
                met.add(urljoin(here, address).partition("#")[0])
    assert all(address.startswith(f"{prefix}/") for address in met)
    assert {prefix + path for path in ("/", "/learn", "/analysis")} <= met
    assert {address: below.get(address).status_code for address in met} == dict.fromkeys(met, 200)


def test_no_module_builds_an_address_of_its_own():
    """`address` and `link` of root.js do; they and `linkButton` take a path with a slash."""
    own = re.compile(
        r"""(?<!address\()(?<!link\()(?<!linkButton\()["'`]/[\w$]|https?:"""
        r"|location\.(origin|host|pathname)|document\.(baseURI|URL)"
    )
    for path in (shell.STATIC / "js").glob("*.js"):
        code = re.sub(r"^\s*(//|/?\*).*", "", path.read_text("utf-8"), flags=re.MULTILINE)
        if path.name != "root.js":
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
    for path in (shell.STATIC / "js").glob("*.js"):
        assert by_words.findall(path.read_text("utf-8")) == [], path.name


def test_a_root_path_without_its_slash_leads_to_the_first_page(below):
    moved = below.get("/duels")
    assert (moved.status_code, moved.headers["location"]) == (308, "/duels/")


def test_a_slash_too_many_leads_to_the_page_without_it(below):
    for path, there in (
        ("/duels/analysis/?game=number-duel", "/duels/analysis?game=number-duel"),
        ("/x/", "/x"),
    ):
        moved = look_at(below, path)
        assert moved.status_code == 308
        assert urljoin(path, moved.headers["location"]) == there


def test_a_page_that_is_not_there_stays_small(http):
    assert len(look_at(http, "/x" * 1000).content) < 4000


def test_the_contract_says_where_the_server_is(below, http):
    assert below.get("/duels/openapi.json").json()["servers"] == [{"url": "/duels"}]
    assert "servers" not in http.get("/openapi.json").json()


def test_a_public_address_has_the_root_path(tmp_path):
    config = Config(str(tmp_path / "a.sqlite3"), public_url="http://a.example", root_path="/x/y")
    with serving(config) as http:
        page = http.get("/x/y/learn/number-duel", headers={"host": "a.example"})
        assert page.headers["link"] == '<http://a.example/x/y/learn/number-duel>; rel="canonical"'
        read = Read(page)
        assert read.meta("public-url") == "http://a.example/x/y"
        assert read.meta("og:image").startswith("http://a.example/x/y/static/cards/number-duel.")


@pytest.mark.parametrize("text", ["duels", "/a b", "//a", "/a//b", "/../a", "/a/.", "/ä", "/a?b"])
def test_a_root_path_is_a_path(text):
    with pytest.raises(duels.OptionError, match="The root path is a path like /duels"):
        from_environment({"DUELS_ROOT_PATH": text})


@pytest.mark.parametrize(("text", "read"), [("/", ""), ("/duels/", "/duels"), ("/a/b-1.x", None)])
def test_a_root_path_has_no_slash_at_its_end(text, read):
    assert Config(root_path=text).root_path == (text if read is None else read)


@pytest.mark.parametrize("path", ["/", "/learn/number-duel"])
def test_files_have_addresses_that_are_kept_for_good(http, path):
    read = Read(http.get(path))
    assert len(read.all("link", "href", rel="stylesheet")) == 1
    loaded = read.all("link", "href") + read.all("script", "src")
    for address in loaded:
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
        at_once = re.findall(r'\bfrom "\./([\w-]+\.js)"', source)
        later = re.findall(r'\bimport\("\./([\w-]+\.js)"\)', source)
        assert len(at_once) + len(later) == len(re.findall(r'"\./([\w-]+\.js)"', source))
        assert {f"js/{module}" for module in at_once} <= set(named)
        assert {f"./static/js/{module}" for module in later} <= mapped.keys()
        assert mapped[f"./static/{name}"] == f"./{shell.address(name)}"
    assert len(set(named)) == len(named) > 5


def test_every_page_says_what_it_is(http):
    known = create(http, "number-duel", "here")["id"]
    seen = [Read(look_at(http, path.replace("ID", known))) for path in PAGES + SHEETS]
    for read in seen:
        assert 40 <= len(read.meta("description")) <= 200
        assert read.meta("og:description") == read.meta("description")
        assert read.meta("og:title").endswith(("Number Duels", "for two"))
    assert len({read.meta("og:title") for read in seen[:5] + seen[6:]}) == 13


@pytest.mark.parametrize("game", duels.GAMES)
def test_rules_are_read_without_a_script_and_have_a_picture(http, game):
    path = f"/learn/{game}"
    read = Read(http.get(path))
    text = duels.GAMES[game].rules_text()
    for line in re.findall(r"\*\*R\d+\*\* ([\w ]+)", text.partition("## Corrections")[0]):
        assert line in read.words
    assert "How to win" in read.words
    assert "Corrections" not in read.words
    assert "#" not in read.words
    assert "*" not in read.words
    picture = http.get(urljoin(path, read.meta("og:image")))
    assert f"/cards/{game}." in read.meta("og:image")
    assert picture.headers["content-type"] == "image/png"
    assert struct.unpack(">II", picture.content[16:24]) == (1200, 630)


def test_learn_links_to_every_game_without_a_script(http):
    read = Read(http.get("/learn"))
    for game, kind in duels.GAMES.items():
        assert f"./learn/{game}" in read.all("a", "href")
        assert kind.title in read.words
        assert kind.summary in read.words


def test_the_page_of_a_class_says_nothing_about_which_there_are(http):
    made = http.post("/api/classes", json={}).json()["code"]
    there = [look_at(http, f"/class/{code}") for code in (made, "zzzzz")]
    assert [page.status_code for page in there] == [200, 200]
    assert there[0].content == there[1].content


@pytest.mark.parametrize("size", [24, 40, 50, 100])
def test_a_blank_board_has_every_number(http, size):
    words = Read(http.get(f"/print/board/{size}")).words.split()
    assert set(map(str, range(1, size + 1))) <= set(words)
    assert str(size + 1) not in words


def test_the_rules_on_paper_do_not_say_how_it_is_won(http):
    for game in duels.GAMES:
        words = Read(http.get(f"/print/rules/{game}")).words
        assert "R1" in words
        assert "How to win" not in words
        assert "How to win" in Read(http.get(f"/print/plan/{game}")).words


@pytest.mark.parametrize("game", duels.GAMES)
def test_a_sheet_of_puzzles_has_the_right_answers_and_is_the_same_every_time(game):
    sheet = puzzle_sheet(game, 1)
    assert sheet == puzzle_sheet(game, 1) != puzzle_sheet(game, 2)
    assert len(sheet) == 6
    for puzzle in sheet:
        assert puzzle.reason
        assert re.search(rf"\b{puzzle.answer}\b", puzzle.choices)


def test_a_sheet_that_cannot_be_made_is_a_page_with_the_reason(tmp_path):
    with serving(Config(database=str(tmp_path / "web.sqlite3"), max_solver_seconds=0.001)) as http:
        http.get("/print/puzzles/number-duel/1")
        page = look_at(http, "/print/puzzles/number-duel/2")
    assert page.status_code == 429
    assert "try again later" in Read(page).words


def test_a_game_with_hardly_any_rules_has_a_page_and_the_picture_of_all():
    class Some(duels.GAMES["number-duel"]):
        id, title = "some-duel", "Some <Duel>"

        @classmethod
        def rules_text(cls):
            return "Take some.\n\n- **a** `<b>` & *c*\nd\n"

    host = Host("../")
    page = rules_page(Some, host)
    assert "<p>Take some.</p>" in page.content
    assert "<li><strong>a</strong> <code>&lt;b&gt;</code> &amp; <em>c</em>\nd</li>" in page.content
    assert "<h1>Some &lt;Duel&gt;</h1>" in page.content
    assert "How to win" not in page.content
    assert b'content="../static/card.' in page_html(page, host).file.content


def test_rules_cannot_bring_html_scripts_or_pictures_of_their_own():
    class Hostile(duels.GAMES["number-duel"]):
        id, title = "hostile-duel", "<script>alert(1)</script>"

        @classmethod
        def rules_text(cls):
            return (
                "Take <b>some</b>.\n\n<script>alert(2)</script>\n\n"
                "![x](https://other.example/x.png)\n\n[a](javascript:alert(3)) "
                "<img src=x onerror=alert(4)>\n\n<!-- strategy -->\n## How to win\n\n<i>so</i>\n"
            )

    host = Host("../")
    content = page_html(rules_page(Hostile, host), host).file.content.decode()
    main = content.partition("<main")[2]
    for tag in ("<script", "<img", "<b>", "<i>so", 'href="javascript'):
        assert tag not in main
    assert "<title>&lt;script&gt;" in content
    assert "&lt;script&gt;alert(2)" in main


def test_a_list_or_nothing_before_the_rules_is_a_page_too():
    class Some(duels.GAMES["number-duel"]):
        id, title = "some-duel", "Some Duel"
        text = ""

        @classmethod
        def rules_text(cls):
            return cls.text

    assert f'<div class="lead"><p>{Some.summary}</p></div>' in rules_page(Some, Host("./")).content
    Some.text = "# Some\n\n- one\n- two\n\nmore\n"
    page = rules_page(Some, Host("./"))
    assert page.content.count("<li>") == page.content.count("</li>") == 2
    assert "<p>more</p>" in page.content


def test_a_server_below_a_path_says_so(start_server, tmp_path):
    server = start_server(None, "--root-path", "/duels")
    assert urlsplit(server.url).path == "/duels"
    page = server.http.get("/learn/number-duel")
    assert str(page.url).startswith(f"{server.url}/learn")
    made = create(server.http, "number-duel", "here")
    with server.http.stream("GET", f"/api/matches/{made['id']}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
    assert Path(server.log_file).read_text().count('"path": "/learn/number-duel"') == 1
