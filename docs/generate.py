"""Writes what is made from the program: docs/cli.md and the pictures of docs/theory.md."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import duels
from duels.cli import COMMANDS, main
from duels.pictures import verdict_svg

DOCS = Path(__file__).parent
PICTURES = {
    "sequence-duel-20": ("sequence-duel", (), {}),
    "number-duel": ("number-duel", ("28", "14", "41"), {}),
    "number-line-duel": ("number-line-duel", (), {}),
    "divisor-duel": ("divisor-duel", ("4",), {"divisor": 13}),
}


def cli_page() -> str:
    """The help of every command, as `--help` says it at 80 columns."""
    root = main.make_context("duels", [], resilient_parsing=True, terminal_width=80)
    parts = [
        "# The command line",
        "",
        "Made from the program by `scripts/docs`; a test checks that it is true.",
        "",
        *_block(root.get_help()),
    ]
    for name in COMMANDS:
        command = main.get_command(root, name)
        assert command
        context = click.Context(command, info_name=name, parent=root)
        parts += [f"## duels {name}", "", *_block(context.get_help())]
    return "\n".join(parts)


def _block(text: str) -> list[str]:
    return ["```text", *(line.rstrip() for line in text.splitlines()), "```", ""]


def pictures() -> dict[str, str]:
    """The pictures of the theory page, by file name."""
    return {
        f"{name}.svg": verdict_svg(duels.solve(duels.game(game_id, **options).position(*moves)))
        for name, (game_id, moves, options) in PICTURES.items()
    }


def made() -> dict[Path, str]:
    """Everything that is made, by the file it goes to."""
    drawn = {DOCS / "pictures" / name: svg for name, svg in pictures().items()}
    return {**drawn, DOCS / "cli.md": cli_page()}


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        old = [path.name for path, text in made().items() if path.read_text() != text]
        sys.exit(f"Not up to date: {', '.join(old)}. Run scripts/docs." if old else 0)
    import terminal_picture

    (DOCS / "pictures" / "terminal.svg").write_text(terminal_picture.terminal_svg())
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")
