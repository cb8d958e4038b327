"""Writes what is made from the program: docs/cli.md and the pictures of docs/theory.md."""

from __future__ import annotations

from pathlib import Path

import click

import duels
from duels.cli import COMMANDS, main
from duels.games import position
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
    root = click.Context(main, info_name="duels", terminal_width=80, max_content_width=80)
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
        f"{name}.svg": verdict_svg(duels.solve(position(game_id, moves, **options)))
        for name, (game_id, moves, options) in PICTURES.items()
    }


if __name__ == "__main__":
    import terminal_picture

    drawn = {**pictures(), "terminal.svg": terminal_picture.terminal_svg()}
    for name, svg in drawn.items():
        (DOCS / "pictures" / name).write_text(svg, encoding="utf-8")
    (DOCS / "cli.md").write_text(cli_page(), encoding="utf-8")
