"""What the documents show is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import duels

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted({*DOCS.rglob("*.md")} - {*DOCS.glob("rules/*")})]
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
LINK = re.compile(r"\]\(([^)#:]+)\)")
LOADED = re.compile(r"""(<(script|img|link)\b[^>]*(src|href)=|url\(|@import )["']?(https?:)?//""")
"""What a page asks another host for."""


def named(page):
    return str(page.relative_to(ROOT))


def python(*words):
    """Run Python, and say what went wrong."""
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", [page for page in PAGES if page != FOR_A_SERVER], ids=named)
def test_python_examples_do_what_they_say(page):
    failed, _ = doctest.testfile(str(page), module_relative=False)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_console_examples_print_what_they_show(page, run, tmp_path):
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


@pytest.mark.parametrize("page", [*sorted(ROOT.glob("*.md")), *PAGES[1:]], ids=named)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_how_to_add_a_game_is_the_file_itself():
    page = (DOCS / "how-to" / "add-a-game.md").read_text("utf-8")
    assert f"```python\n{(EXAMPLES / 'square_duel.py').read_text('utf-8')}```" in page


def test_generated_pages_and_pictures_are_up_to_date():
    python(DOCS / "generate.py", "--check")


def test_the_site_is_built_without_a_warning_and_asks_nobody(tmp_path):
    python("-m", "sphinx", "-W", "--keep-going", "-q", "-d", tmp_path / "trees", DOCS, tmp_path)
    page = (tmp_path / "reference" / "api.html").read_text("utf-8")
    assert [name for name in duels.__all__ if f">{name}<" not in page] == []
    assert "kayles" in (tmp_path / "searchindex.js").read_text("utf-8").lower()
    for file in (*tmp_path.rglob("*.html"), *tmp_path.rglob("*.css")):
        assert not LOADED.search(file.read_text("utf-8")), file


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
    assert len(commands) >= 10
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
