"""Writes the pages that are made from the program: docs/cli.md."""

from __future__ import annotations

from pathlib import Path

import click

from duels.cli import COMMANDS, main

DOCS = Path(__file__).parent


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


if __name__ == "__main__":
    (DOCS / "cli.md").write_text(cli_page(), encoding="utf-8")
