"""What the documents show is what happens."""

from __future__ import annotations

import doctest
import itertools
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

import duels

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
PUBLISHED = [*sorted(ROOT.glob("*.md")), *PAGES[1:]]
"""Every page that a reader may open on a code host."""
FOR_A_SERVER = DOCS / "tutorials" / "class.md"
"""The one page whose examples want a server: tests/web/test_web_tutorial.py runs it."""
FOR_LATER = [DOCS / "tutorials" / "exam.md", DOCS / "explanation" / "hard-exam.md"]
"""The pages whose commands take long."""
PLAYED = [
    page for page in PAGES if re.search("^<!-- (typed|run)", page.read_text("utf-8"), re.MULTILINE)
]
EXAMPLES = DOCS / "examples"
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
LOADED = re.compile(r"""(<(script|img|link)\b[^>]*(src|href)=|url\(|@import )["']?(https?:)?//""")
"""What a page asks another host for."""


def named(page):
    return str(page.relative_to(ROOT))


def python(*words):
    """Run Python, and say what went wrong."""
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", [page for page in PAGES if page != FOR_A_SERVER], ids=named)
def test_python_examples_run_as_shown(page):
    failed, _ = doctest.testfile(str(page), module_relative=False)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_console_examples_print_the_output_shown(page, run, tmp_path):
    for file in EXAMPLES.glob("square_duel.*"):  # as if they were the reader's own
        (tmp_path / file.name).write_bytes(file.read_bytes())
    for block in CONSOLE.findall(page.read_text("utf-8")):
        for example in block.split("$ ")[1:]:
            command, _, expected = example.partition("\n")
            done = run(*shlex.split(command)[1:], cwd=tmp_path)
            assert done.stdout == expected, command


@pytest.mark.parametrize("page", [page for page in PLAYED if page not in FOR_LATER], ids=named)
def test_sessions_go_as_they_are_shown(page):
    python(DOCS / "sessions.py", page)


@pytest.mark.long
@pytest.mark.parametrize("page", FOR_LATER, ids=named)
def test_the_exam_ends_in_the_table_that_is_shown(page):
    python(DOCS / "sessions.py", page)


def linked(page):
    """Every address in a page as a code host shows it: of links, of pictures, in HTML."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(page.read_text("utf-8"))
    parts = [*tokens, *(part for token in tokens for part in token.children or ())]
    for part in parts:
        yield from (str(part.attrs[name]) for name in ("href", "src") if name in part.attrs)
        if part.type.startswith("html"):
            yield from re.findall(r'(?:href|src)="([^"]+)"', part.content)


def anchors(page):
    """The anchors that a code host gives to the headings of a page."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(page.read_text("utf-8"))
    found = set()
    for opening, inline in itertools.pairwise(tokens):
        if opening.type == "heading_open":
            text = "".join(part.content for part in inline.children)
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            count = itertools.count(1)
            name = slug
            while name in found:
                name = f"{slug}-{next(count)}"
            found.add(name)
    return found


@pytest.mark.parametrize("page", PUBLISHED, ids=named)
def test_links_lead_somewhere_on_a_code_host(page):
    for address in linked(page):
        if re.match("[a-z]+:", address):
            continue
        path, _, anchor = unquote(address).partition("#")
        target = page.parent / path if path else page
        assert target.exists(), address
        assert not target.is_symlink(), f"a code host shows the path of a link: {address}"
        assert not anchor or anchor in anchors(target), address


@pytest.mark.parametrize("page", PUBLISHED, ids=named)
def test_a_page_is_plain_markdown(page):
    directive = re.compile(r"^(:::|`{3,}\{|\.\. \w+::)", re.MULTILINE)
    assert not directive.findall(page.read_text("utf-8"))
    assert not page.is_symlink()


def test_the_front_page_links_every_page_of_the_navigation():
    parts = tomllib.loads((DOCS / "navigation.toml").read_text("utf-8"))["part"]
    wanted = {ROOT / page for part in parts for page in part["pages"]}
    assert {*DOCS.rglob("*.md")} - {*EXAMPLES.iterdir(), DOCS / "index.md"} <= wanted
    links = {(DOCS / address).resolve() for address in linked(DOCS / "index.md")}
    assert wanted <= links


def test_how_to_add_a_game_is_the_file_itself():
    page = (DOCS / "how-to" / "add-a-game.md").read_text("utf-8")
    assert f"```python\n{(EXAMPLES / 'square_duel.py').read_text('utf-8')}```" in page


def test_generated_pages_and_pictures_are_up_to_date():
    python(DOCS / "generate.py", "--check")


def test_the_site_is_built_without_warnings_or_network(tmp_path):
    python("-m", "sphinx", "-Wq", "--keep-going", "-c", DOCS, "-d", tmp_path / "t", ROOT, tmp_path)
    page = (tmp_path / "docs" / "reference" / "api.html").read_text("utf-8")
    assert [name for name in duels.__all__ if f"{name}</span>" not in page] == []
    assert "docs/index.html" in (tmp_path / "index.html").read_text("utf-8")
    assert "kayles" in (tmp_path / "searchindex.js").read_text("utf-8").lower()
    for file in (*tmp_path.rglob("*.html"), *tmp_path.rglob("*.css")):
        assert not LOADED.search(file.read_text("utf-8")), file


def test_the_notes_of_a_release_are_its_part_of_the_changelog():
    def notes(version):
        words = [ROOT / "scripts" / "release_notes", version, "https://host.example/v1"]
        return subprocess.run(words, capture_output=True, text=True)

    done = notes(duels.__version__)
    assert done.returncode == 0, done.stderr
    assert "The first release" in done.stdout
    assert "](https://host.example/v1/docs/" in done.stdout
    assert "](docs/" not in done.stdout
    assert "## [" not in done.stdout
    assert notes("0.0.0").returncode == 1


def test_every_command_at_the_prompt_and_every_game_is_named():
    from duels.terminal.transcript import COMMANDS

    page = (DOCS / "how-to" / "play.md").read_text("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    assert all(f"`{name}`" in page for name in COMMANDS)
    assert all(kind.title in readme for kind in duels.GAMES.values())


@pytest.fixture
def understands(call, run, monkeypatch):
    """Whether `duels` takes these words; a game that they add stays out of this process."""
    monkeypatch.chdir(ROOT)

    def ask(*words):
        start = run if "--with" in words else call
        return start(*words, "--help").returncode == 0

    return ask


def test_the_commands_of_the_readme_are_understood(understands):
    rows = (ROOT / "README.md").read_text("utf-8").splitlines()
    table = [row.split(" | ")[1] for row in rows if row.startswith("| ")]
    commands = [part for cell in table for part in re.findall(r"duels ([^`|\\]*)", cell)]
    assert len(commands) >= 8
    for command in commands:
        assert understands(*shlex.split(command)), command


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_commands_of_a_page_are_understood(page, understands):
    for line in "".join(SHELL.findall(page.read_text("utf-8"))).splitlines():
        for part in line.split("&&"):
            words = shlex.split(part, comments=True)
            if words[:1] == ["duels"]:
                assert understands(*words[1:]), part


def test_the_files_that_the_architecture_names_are_there():
    page = (DOCS / "architecture.md").read_text("utf-8")
    names = re.findall(r"`((?:\w+/)*[\w-]+\.(?:py|js))`", page)
    assert len(names) > 20
    assert [name for name in names if not [*(ROOT / "src").rglob(name), *ROOT.glob(name)]] == []
