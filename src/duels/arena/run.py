"""Playing the matches of a plan that are not played yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from duels.arena.folder import Folder
from duels.arena.line import Played, total
from duels.arena.play import Exchange, Pairing, play_match
from duels.arena.progress import Progress
from duels.jobs import run_jobs

TRANSCRIPTS = "transcripts.jsonl"


def run_pairings(
    folder: Folder[Played],
    pairings: Iterable[Pairing],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    note: Callable[[str], None],
) -> list[Played]:
    """Play what is not played yet; all lines in the order of the pairings."""
    planned = {pairing.key: pairing for pairing in pairings}
    done = {
        key: line
        for key, line in folder.open().items()
        if key in planned and line.names == planned[key].names
    }
    # A match that a server has spoilt is played again.
    lines = {key: line for key, line in done.items() if line.is_rated}
    if lines or folder.damaged:
        skipped = f"; {folder.damaged} damaged lines are played again" if folder.damaged else ""
        note(f"{len(lines)} of {len(planned)} matches are there already{skipped}.")
    left = [pairing for key, pairing in planned.items() if key not in lines]
    with Progress("matches", len(planned), len(lines)) as progress:
        for pairing, (line, exchanges) in run_jobs(play_match, left, jobs=jobs, cluster=cluster):
            lines[pairing.key] = _keep(folder, line, exchanges, done.get(pairing.key))
            progress.step()
    ordered = [lines[key] for key in planned]
    if left:
        folder.in_order(line.data() for line in ordered)
    return ordered


def never_served(lines: Sequence[Played]) -> dict[str, str]:
    """The players whose server has failed in every match that they have played, and how."""
    troubles: dict[str, str] = {}
    others: set[str] = set()
    for line in lines:
        if line.forfeit and not line.is_rated:
            troubles[line.names[line.forfeit.player - 1]] = line.forfeit.detail
        else:
            others.update(line.names)
    return {name: detail for name, detail in troubles.items() if name not in others}


def _keep(
    folder: Folder[Played], line: Played, exchanges: list[Exchange], spoilt: Played | None
) -> Played:
    """Write down a match; what was said to models and by them goes into a file of its own.

    What was paid for the same match before a server spoilt it is not forgotten.
    """
    if exchanges:
        folder.add(exchanges, TRANSCRIPTS)
    if spoilt:
        line = replace(line, before=total([spoilt.before, spoilt.model]))
    folder.add([line.data()])
    return line
