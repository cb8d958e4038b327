"""Files that a command writes for the user."""

from __future__ import annotations

from pathlib import Path

import click

from duels.core.errors import OptionError
from duels.core.files import remove_stale_drafts, replace_file

STANDARD = Path("-")
"""Standard output, or input, in place of a file."""


def write_file(path: Path, text: str) -> None:
    """Write a file; OptionError with a sentence if that fails."""
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
