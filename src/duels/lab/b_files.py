"""Sequences of the atlas as b-files, the format of the OEIS: an index and a value in each line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from duels.core.words import counted

if TYPE_CHECKING:
    from duels.lab.atlas import Atlas, Row

COLUMNS = {
    "outer": "numbers that some maximum matching of 1..n misses: |D(n)| of Gallai and Edmonds",
    "pairs": "pairs of a maximum matching of 1..n",
    "smallest": "the smallest number that wins as the first move on 1..n, or 0 if none does",
    "grundy": "the Grundy value of a line of n numbers",
}
"""The columns of the atlas that become b-files, and what they are at size n."""
FIRST = "the smallest board 1..m on which n wins as the first move"


def b_files(atlas: Atlas, rows: Sequence[Row]) -> dict[str, str]:
    """Return the b-files of a game by column; none if its rows have no columns of their own."""
    found = {
        name: _b_file(atlas, words, ((row.size, row.more[name]) for row in rows))
        for name, words in COLUMNS.items()
        if all(name in row.more for row in rows)
    }
    if "smallest" in found and (firsts := first_boards(rows)):
        found["first"] = _b_file(atlas, FIRST, enumerate(firsts, start=1))
    return found


def first_boards(rows: Iterable[Row]) -> list[int]:
    """By number from 1 on: the first size at which it wins. The list ends where that is unknown."""
    first: dict[int, int] = {}
    for row in rows:
        if row.winning_openings is None:  # too many to list
            break
        for opening in row.winning_openings:
            first.setdefault(int(opening), row.size)
    known: list[int] = []
    while len(known) + 1 in first:
        known.append(first[len(known) + 1])
    return known


def _b_file(atlas: Atlas, words: str, values: Iterable[tuple[int, int]]) -> str:
    lines = [f"{n} {value}" for n, value in values]
    game = atlas.largest
    flags = "".join(f" --{name} {value}" for name, value in atlas.options.items())
    prove = f"duels solve {game.id} --{game.size_option()} n{flags} --proof FILE"
    head = [
        f"# {game.title}{f' ({flags.strip()})' if flags else ''}: {words}.",
        f"# {counted(len(lines), 'value')}, computed by an exact solver (duels atlas).",
        f"# The board 1..n is proved by a certificate: {prove}; duels check FILE verifies it.",
    ]
    return "\n".join([*head, *lines]) + "\n"
