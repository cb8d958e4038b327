"""A match written down, and read back as the same match.

Two forms hold the same things: text with tags and numbered moves for people, and JSON lines for
machines. `read_records` tells them apart by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from duels.core.errors import RecordError
from duels.core.files import read_small
from duels.match.match import Match
from duels.match.records import jsonl, text

LARGEST = 64 * 2**20
"""Bytes of a record file that we are willing to read."""


def write_record(match: Match, path: Path) -> str:
    """A match in the form that the file's name asks for: JSON lines for .json and .jsonl."""
    wants_json = path.suffix.lower() in {".json", ".jsonl"}
    return jsonl.write(match) if wants_json else text.write(match)


def read_records(path: Path) -> Iterator[Match | RecordError]:
    """Every record of a file in its order; a damaged one as the error that says where and why."""
    try:
        return read_lines(read_small(path, LARGEST))
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}.") from None


def read_lines(content: bytes) -> Iterator[Match | RecordError]:
    """The same from what a file holds."""
    lines = content.decode("utf-8-sig", errors="replace").splitlines()
    return jsonl.read(lines) if is_json(lines) else text.read(lines)


def is_json(lines: list[str]) -> bool:
    """Whether these are JSON lines: a tag makes it text, even where a comment begins a line."""
    tagged = any(text.TAG_BEGINS.match(line) for line in lines)
    return not tagged and any(line.lstrip().startswith("{") for line in lines)


def earlier_records(path: Path, match: Match) -> list[Match] | None:
    """What a record file holds of the match's duel beside the match; None if it is another's."""
    if not path.exists():
        return []
    try:
        found = [record for record in read_records(path) if isinstance(record, Match)]
    except RecordError:
        return None
    ids = [record.id for record in found]
    if not found or len(ids) > len({*ids}) or any(r.duel_id != match.duel_id for r in found):
        return None
    return [record for record in found if record.id != match.id]
