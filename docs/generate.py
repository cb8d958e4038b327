"""Writes what is made from the program: pages, parts of pages, sessions and pictures."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import click

import api_page
import duels
import house
import moving_picture
from duels.cli import COMMANDS, EXIT_CODES, main
from duels.theory.pictures import verdict_svg
from schemas import schemas
from sessions import pages_with_blocks, replayed

DOCS = Path(__file__).parent
PICTURES = {
    "sequence-duel-20": ("sequence-duel", (), {}),
    "number-duel": ("number-duel", ("28", "14", "41"), {}),
    "number-line-duel": ("number-line-duel", (), {}),
    "divisor-duel": ("divisor-duel", ("4",), {"divisor": 13}),
}


REASONS = (
    ("number-chain-duel", "", {}),
    ("number-chain-duel", "4", {}),
    ("number-chain-duel", "4 2", {}),
    ("number-chain-duel", "8", {"numbers": 16}),
    ("sequence-duel", "", {}),
    ("sequence-duel", "19", {}),
    ("sequence-duel", "6", {}),
    ("sequence-duel", "6 3", {}),
    ("sequence-duel", "", {"numbers": 10}),
    ("sequence-duel", "", {"numbers": 40, "opening": "even"}),
    ("number-duel", "", {}),
    ("number-duel", "28 14 41", {}),
    ("number-duel", "", {"numbers": 12}),
    ("number-duel", "12 30", {"numbers": 30, "criteria": "factor,digit-sum"}),
    ("number-line-duel", "", {}),
    ("number-line-duel", "5-6", {}),
    ("number-line-duel", "5-6 8", {}),
    ("number-line-duel", "14", {"numbers": 15}),
    ("number-line-duel", "3 9", {"numbers": 20}),
    ("number-line-duel", "2 4", {"numbers": 5}),
    ("number-line-duel", "10 44 60", {"numbers": 90}),
    ("divisor-duel", "", {"divisor": 10}),
    ("divisor-duel", "3", {"divisor": 10}),
    ("divisor-duel", "5", {"divisor": 15}),
    ("divisor-duel", "", {"divisor": 12}),
    ("divisor-duel", "", {"divisor": 13}),
    ("divisor-duel", "4", {"divisor": 13}),
    ("divisor-duel", "1", {"divisor": 13}),
    ("divisor-duel", "1 2 3 4 6", {"divisor": 11}),
    ("divisor-duel", "8 9 1 3", {"divisor": 17}),
)
"""Positions whose reasons are worth reading aloud."""


def cli_page() -> str:
    """The help of every command, as `--help` says it at 80 columns."""
    root = main.make_context("duels", [], resilient_parsing=True, terminal_width=80)
    parts = [
        "# The command line",
        "",
        "Every command and option, as `--help` prints it. `scripts/docs` generates this page.",
        "",
        "| exit code | meaning |",
        "|---|---|",
        *(f"| {code} | {words} |" for code, words in EXIT_CODES.items()),
        "",
        *_block(root.get_help()),
    ]
    for name in COMMANDS:
        command = main.get_command(root, name)
        assert command
        context = click.Context(command, info_name=name, parent=root)
        parts += [f"## duels {name}", "", *_block(context.get_help())]
        if isinstance(command, click.Group):
            for below, one in command.commands.items():
                more = click.Context(one, info_name=below, parent=context)
                parts += [f"## duels {name} {below}", "", *_block(more.get_help())]
    return "\n".join(parts)


def _block(text: str) -> list[str]:
    return ["```text", *(line.rstrip() for line in text.splitlines()), "```", ""]


def reasons_page() -> str:
    """Thirty reasons, as the coach says them."""
    parts = [
        "# What the coach says",
        "",
        "Hear the coach before you play: `scripts/docs` printed these thirty reasons.",
        "Each makes a claim, says why it holds, and works out one line of play.",
        "`duels solve` prints it, followed by a table if you need one to win.",
        "",
    ]
    for game_id, moves, options in REASONS:
        here = duels.game(game_id, **options).position(*moves.split())
        game, verdict = here.game, duels.solve(here)
        after = f"after {moves.replace(' ', ', ')}" if moves else "at the start"
        parts += [f"**{game.title}**, {game.options_in_words()}, {after}:", ""]
        parts += [f"> {verdict.reason}", ""]
    return "\n".join(parts)


def folders_table(_: str) -> str:
    """Each package in the one line that its docstring begins with, from the top down."""
    rows = ["| package | contents |", "|---|---|"]
    for name in sorted(house.folders(), key=lambda name: (-house.floor(name), name)):
        module = import_module(f"duels.{name}")
        rows.append(f"| `{name}` | {(module.__doc__ or '').splitlines()[0]} |")
    return "\n".join(rows)


def rule_books(_: str) -> str:
    """The rules of every game, with headings one level lower, without the marks of sections."""
    books = "\n\n".join(kind.rules_text().strip() for kind in duels.GAMES.values())
    books = re.sub(r"^<!-- \w+ -->\n| <!-- \w+ -->", "", books, flags=re.MULTILINE)
    return re.sub("^(?=#)", "#", books, flags=re.MULTILINE)


FILLED = {
    "architecture.md": ("packages", folders_table),
    "reference/rules.md": ("rules", rule_books),
    "reference/api.md": ("api", lambda names: api_page.entries(names.split())),
}
"""Pages with parts that are made: the name of the part, and what makes it."""


def filled(page: str) -> str:
    """The page with its parts made anew, between `<!-- NAME: ARGUMENT -->` and `<!-- end -->`."""
    name, make = FILLED[page]
    part = re.compile(rf"(<!-- {name}:? ?(.*?) ?-->\n).*?(<!-- end -->)", re.DOTALL)
    text = (DOCS / page).read_text("utf-8")
    return part.sub(lambda found: f"{found[1]}\n{make(found[2]).strip()}\n\n{found[3]}", text)


def pictures() -> dict[str, str]:
    """The pictures of the theory page, the house, and a game at the terminal, by file name."""
    drawn = {
        name: verdict_svg(duels.solve(duels.game(game_id, **options).position(*moves)))
        for name, (game_id, moves, options) in PICTURES.items()
    }
    drawn |= {"house": house.house_svg(), "game": moving_picture.moving_svg()}
    return {f"{name}.svg": svg for name, svg in drawn.items()}


def made() -> dict[Path, str]:
    """Everything that is made, by the file it goes to."""
    pages = {
        "reference/cli.md": cli_page(),
        "explanation/reasons.md": reasons_page(),
        **{page: filled(page) for page in FILLED},
    }
    pages |= {f"reference/schemas/{name}": text for name, text in schemas().items()}
    return {DOCS / name: text for name, text in pages.items()} | {
        DOCS / "pictures" / name: svg for name, svg in pictures().items()
    }


if __name__ == "__main__":
    files = made()
    if sys.argv[1:] == ["--check"]:
        old = [path.name for path, text in files.items() if path.read_text("utf-8") != text]
        sys.exit(f"Not up to date: {', '.join(old)}. Run scripts/docs." if old else 0)
    files |= {page: replayed(page.read_text("utf-8")) for page in pages_with_blocks(DOCS)}
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
