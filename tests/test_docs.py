"""What the documents show is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted({*DOCS.rglob("*.md")} - {*DOCS.glob("rules/*")})]
EXAMPLES = ROOT / "docs" / "examples"
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_do_what_they_say(page):
    failed, _ = doctest.testfile(str(page), module_relative=False)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_examples_print_what_they_show(page, run, tmp_path):
    for file in EXAMPLES.glob("square_duel.*"):  # as if they were the reader's own
        (tmp_path / file.name).write_text(file.read_text())
    for block in CONSOLE.findall(page.read_text()):
        for example in block.split("$ ")[1:]:
            command, _, expected = example.partition("\n")
            done = run(*shlex.split(command)[1:], cwd=tmp_path)
            assert done.stdout == expected, command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), target


def test_how_to_add_a_game_is_the_file_itself():
    page = (DOCS / "how-to" / "add-a-game.md").read_text()
    assert f"```python\n{(EXAMPLES / 'square_duel.py').read_text()}```" in page


def test_generated_pages_and_pictures_are_up_to_date():
    check = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_readme_names_every_command_at_the_prompt_and_every_game():
    import duels
    from duels.terminal.session import COMMANDS

    readme = (ROOT / "README.md").read_text()
    assert all(f"`{name}`" in readme for name in (*duels.GAMES, *COMMANDS))
