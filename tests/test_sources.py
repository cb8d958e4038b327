"""What is known about a game is attached to it: no other code asks which game it has."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import duels

SOURCE = Path(duels.__file__).parent
OWN = [*(SOURCE / "games").glob("*.py"), *(SOURCE / "games").glob("*/*.py")]
OWN += [SOURCE / "terminal" / name for name in ("grid.py", "keypad.py")]
"""The folders of the families, and what draws their boards at the terminal."""
CLASSES = [kind.__name__ for kind in duels.GAMES.values()]
NAMES = re.compile(
    "|".join(rf"\b{name}\b" for name in [*duels.GAMES, *CLASSES])
    + r"|\b(Chain|Line|Divisor)(Game|Position)\b"
)
SOURCES = [
    path for ending in ("py", "js") for path in SOURCE.rglob(f"*.{ending}") if path not in OWN
]
OPTIONS = sorted({name for kind in duels.GAMES.values() for name in kind.fields})
ASKED_FOR = re.compile(
    rf"""options(\.get\(|\[)["']({"|".join(OPTIONS)})["']|options\.({"|".join(OPTIONS)})\b"""
)


def lines_with(pattern):
    for path in SOURCES:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if pattern.search(line):
                yield f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"


def test_only_its_own_files_know_a_game_by_name():
    assert [*lines_with(NAMES)] == []


def test_no_module_asks_for_an_option_by_name():
    assert [*lines_with(ASKED_FOR)] == []


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_declared_in_one_file(name):
    """The size of a board of numbers is declared by `board_numbers`; games only set its bounds."""
    here = rf"^\s+(cls\.)?{name}(: \w+)? = (whole|choice)\(|^def board_{name}\("
    declared = re.compile(here, re.MULTILINE)
    files = [path.name for path in SOURCE.rglob("*.py") if declared.search(path.read_text("utf-8"))]
    assert len(files) == 1


def test_no_position_of_any_kind_hides_a_game():
    assert [*lines_with(re.compile(r"position: Any\b"))] == []


ROOT = Path(__file__).parent.parent
BENCHMARKS = sorted(ROOT.glob("benchmarks/*.py"))


@pytest.mark.long
@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_every_import_of_a_benchmark_exists(path):
    """Benchmarks run too rarely for anyone to notice that a file they import has moved."""
    command = [sys.executable, "-c", f"import {path.stem}"]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True)
    missing = re.search(r"No module named '(\w+)", done.stderr)
    if missing and not [*ROOT.glob(f"tests/**/{missing[1]}.py")]:
        pytest.skip(f"{missing[1]} is not installed")
    assert done.returncode == 0, done.stderr
