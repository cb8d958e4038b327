"""Every string that a user can read, without the habits that make English read as translated.

String literals of the package (not docstrings or log lines), the help of commands, lessons, rules,
templates and the texts in JavaScript are collected.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src/duels"
PACKAGES = sorted({path.relative_to(SOURCE).parts[0] for path in SOURCE.rglob("*.py")})

TICS = {
    "a pronoun without a person": r"\bwho(m|so)?ever\b|\b(some|no|any)body\b|\bthose who\b"
    r"|\bone's\b",
    "asked, told, said": r"\btold\b|\b(was|is|were|are|be) asked\b|\b(not|unless|what is) said\b"
    r"|\bwhat (was|is) (sent|said|known|asked)\b|\bthe teacher's word\b|\bthe truth\b",
    "kept for saved": r"\b(is|are|be|was|were|not) kept\b|\bkept here\b|\bquit keeps\b|\bto keep\b",
    "go on for continue": r"\bgo(es|ne|ing)? on (with|where|then|there|without|all)\b"
    r"|\b(game|games) go(es)? on\b|\bhas had enough\b",
    "stand, beside": r"\bstands? (there|beside|among|before|above|here|in|next)\b|\bbeside\b"
    r"|\bas it (is|stands)\b|\bof this name\b",
    "is no, is none": r"(?<!there )\b(is|are|was) (no|none)\b(?! (longer|more|better|good))",
    "divides by": r"\bdivides\b.{0,12}\bby\b|\bnot divide by\b|\bevenly often\b"
    r"|\b(number|one) that divides\b",
    "counts": r"\bcounts? \d|\b(both|each) count\b|\bcounts? the same\b",
    "a rule without a verb": r"\bout of time loses\b|\bwho cannot, loses\b|\bhas not[.,]",
    "a number without agreement": r"\b1 (seconds|moves|games|minutes|tries|hints|players|turns)\b",
    "a dash between partners": r"\b\d+-\d+, \d+-\d+",
    "it turned": r"\bit turned (on|at|again)\b",
}
ALLOWED = (
    "5-6, 8, 9-10, 1-2, 3, 4, 7",  # typed moves, in the rules of the number line
    "1-0, 0-1 or *",  # results, as in records of chess
)
"""Texts that are right although they match."""

LOGGED = {"debug", "info", "warning", "error", "exception", "log", "compile", "getLogger"}
COMMANDS = {"command", "group", "position_command", "game_command"}


def python_texts(path: Path) -> list[str]:
    """The string literals of a module that may be read by a user."""
    tree = ast.parse(path.read_text())
    left_out = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in LOGGED:
            left_out |= {id(part) for arg in node.args for part in ast.walk(arg)}
        elif isinstance(node, ast.JoinedStr):
            left_out |= {id(part) for part in node.values}
            texts += [] if id(node) in left_out else [_joined(node)]
        elif isinstance(node, ast.FunctionDef) and _is_command(node):
            texts.append(ast.get_docstring(node) or "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts += [] if id(node) in left_out else [node.value]
    return [text for text in texts if " " in text.strip()]


def _name(node: ast.expr) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def _is_command(node: ast.FunctionDef) -> bool:
    calls = (part.func if isinstance(part, ast.Call) else part for part in node.decorator_list)
    return any(_name(call) in COMMANDS for call in calls)


def _joined(node: ast.JoinedStr) -> str:
    parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return "".join(map(str, parts))


def lesson_texts(path: Path) -> list[str]:
    steps = tomllib.loads(path.read_text()).get("step", [])
    each = [value for step in steps for name, value in step.items() if name != "facts"]
    texts = [
        text for value in each for text in (value.values() if isinstance(value, dict) else [value])
    ]
    return [text for text in texts if isinstance(text, str)]


def template_texts(path: Path) -> list[str]:
    """Each line of a template without its tags and comments."""
    text = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", path.read_text(), flags=re.S)
    return re.sub(r"<[^>]*>", " ", text).splitlines()


def script_texts(path: Path) -> list[str]:
    """The texts in quotes; a comment is a line that begins as one."""
    lines = [line for line in path.read_text().splitlines() if not re.match(r"\s*(//|/?\*)", line)]
    code = "\n".join(re.sub(r"\s// .*", "", line) for line in lines)
    found = re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', code)
    return [text for pair in found for text in pair if " " in text.strip()]


READERS = {
    ".py": python_texts,
    ".toml": lesson_texts,
    ".md": lambda path: path.read_text().splitlines(),
    ".html": template_texts,
    ".js": script_texts,
}


@cache
def texts() -> list[tuple[str, Path, str]]:
    """Each text with its package and its file."""
    return [
        (path.relative_to(SOURCE).parts[0], path, text)
        for path in sorted(SOURCE.rglob("*"))
        if path.suffix in READERS and "vendor" not in path.parts
        for text in READERS[path.suffix](path)
    ]


def tics_of(text: str) -> list[str]:
    plain = " ".join(text.split())
    for allowed in ALLOWED:
        plain = plain.replace(allowed, "")
    return [name for name, pattern in TICS.items() if re.search(pattern, plain, re.IGNORECASE)]


def test_texts_of_every_kind_are_collected():
    kinds = Counter(path.suffix for _, path, _ in texts())
    assert min(kinds[ending] for ending in READERS) > 50


@pytest.mark.parametrize("package", PACKAGES)
def test_no_text_reads_as_if_translated(package):
    found = [
        f"{path.relative_to(SOURCE)}: {text.strip()!r} ({', '.join(tics)})"
        for here, path, text in texts()
        if here == package and (tics := tics_of(text))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "Whoever cannot move loses.",
        "Nobody gave a win away.",
        "36 divides by 12.",
        "That number divides evenly by 12, and so on.",
        "The game is kept. Go on with: duels resume",
        "An answer that is no legal move.",
        "Each letter does what stands beside it.",
        "The run counts 1.",
        "Time limit: 1 seconds a turn.",
        "Pairs: 1-7, 2-6",
    ],
)
def test_a_habit_would_be_noticed(text):
    assert tics_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "There is no lesson for this game.",
        "12 divides 36.",
        "No one is waiting.",
        "The win is no longer there.",
    ],
)
def test_plain_english_passes(text):
    assert not tics_of(text)


COMMAND_LINE = r"(?<![\w-])--[a-z][a-z-]+|\bduels (play|learn|puzzle|review|serve|solve|site)\b"
SHOWN_ON_PAGES = ("pages", "service", "coach", "games")
"""The packages whose texts pages show."""


@pytest.mark.parametrize("package", SHOWN_ON_PAGES)
def test_no_text_of_a_page_has_words_of_the_command_line(package):
    found = [
        f"{path.relative_to(SOURCE)}: {text.strip()!r}"
        for here, path, text in texts()
        if here == package and re.search(COMMAND_LINE, text)
    ]
    assert found == []
