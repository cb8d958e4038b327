"""A match written down, and read back as the same match.

Two forms hold the same things: text with tags and numbered moves for people, and JSON lines for
machines. `read_records` tells them apart by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from duels.core.errors import RecordError
from duels.match import Match
from duels.record import jsonl, text

LARGEST = 64 * 2**20
"""Bytes of a record file that we are willing to read."""


def write_record(match: Match, path: Path) -> str:
    """A match in the form that the file's name asks for: JSON lines for .json and .jsonl."""
    wants_json = path.suffix.lower() in {".json", ".jsonl"}
    return jsonl.write(match) if wants_json else text.write(match)


def read_records(path: Path) -> Iterator[Match | RecordError]:
    """Every record of a file in its order; a damaged one as the error that says where and why."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}.") from None
    if len(content) > LARGEST:
        raise RecordError(f"{path} is larger than {LARGEST // 2**20} MB; that is no record.")
    lines = content.decode("utf-8-sig", errors="replace").splitlines()
    first = next((line for line in lines if line.strip()), "")
    return jsonl.read(lines) if first.lstrip().startswith("{") else text.read(lines)
