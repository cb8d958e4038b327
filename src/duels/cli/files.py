"""Files that somebody asks a command to write."""

from __future__ import annotations

from pathlib import Path

import click

from duels.core.errors import OptionError
from duels.core.files import remove_stale_drafts, replace_file

STANDARD = Path("-")
"""Standard output, or input, where a file could be."""


def write_file(path: Path, text: str) -> None:
    """Write a file that somebody asked for; a sentence if that cannot be done."""
    if path == STANDARD:
        click.echo(text, nl=not text.endswith("\n"))
        return
    try:
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            path.write_text(text, encoding="utf-8")
        else:
            whole = path.resolve()  # a link stays a link
            remove_stale_drafts(whole.parent)
            replace_file(whole, text)
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror}.") from None
