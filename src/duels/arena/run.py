"""Playing the matches of a plan that are not played yet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from duels.arena.budget import Budget
from duels.arena.folder import Folder, FolderError
from duels.arena.line import Played
from duels.arena.play import Pairing, play_match
from duels.arena.progress import Progress
from duels.arena.under_way import UnderWay, readable, used_in
from duels.arena.usage import Usages, total
from duels.jobs import run_jobs
from duels.players.llm import Exchange

TRANSCRIPTS = "transcripts.jsonl"


def run_pairings(
    folder: Folder[Played],
    pairings: Iterable[Pairing],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    at_once: int | None = None,
    budget: Budget | None = None,
    note: Callable[[str], None],
) -> list[Played]:
    """Play what is not played yet; all lines in the order of the pairings.

    A budget is for what models cost, and stops the run when it is spent.
    """
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
    spoilt = _paid(folder, done.keys() - lines.keys())
    under_way = UnderWay(folder)
    left, begun = [], {}
    for key, pairing in planned.items():
        if key not in lines and pairing.has_models:
            begun[key] = under_way.answers(pairing.id)
            earlier = (*spoilt.get(key, ()), *begun[key])
            path = str(under_way.path(pairing.id))
            left.append(replace(pairing, earlier=earlier, under_way=path))
        elif key not in lines:
            left.append(pairing)
    if left and folder.is_closed:
        raise FolderError(
            f"{folder.path} is of an older prompt, and {len(left)} of its matches are missing. "
            "Choose another folder."
        )
    if budget:
        at_once = at_once or 1
        for line in done.values():
            _spend(budget, [line.model, line.before])
        for exchanges in begun.values():
            _spend(budget, [used_in(exchanges)])
    with Progress("matches", len(planned), len(lines)) as progress:
        played = run_jobs(
            play_match,
            left,
            jobs=jobs,
            cluster=cluster,
            at_once=at_once,
            go_on=budget.allows if budget else lambda under_way: True,
        )
        for pairing, (line, exchanges) in played:
            before, was_spoilt = begun.get(pairing.key, []), done.get(pairing.key)
            lines[pairing.key] = _keep(folder, line, before, exchanges, was_spoilt)
            under_way.forget(pairing.id)
            if budget:
                _spend(budget, [line.model])
            progress.step()
    ordered = [lines[key] for key in planned if key in lines]
    if len(ordered) < len(planned):
        note(f"The budget is spent: {len(ordered)} of {len(planned)} matches are there.")
    elif left:
        folder.in_order(line.data() for line in ordered)
    return ordered


def _spend(budget: Budget, usages: Iterable[Usages]) -> None:
    """Count what a match has cost."""
    for used in total(usages).values():
        budget.count(used)


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


def _paid(folder: Folder[Played], keys: Collection[str]) -> dict[str, tuple[Exchange, ...]]:
    """What models have answered in matches that are played again: nobody pays for that twice."""
    found: dict[str, tuple[Exchange, ...]] = {}
    for exchange in readable(folder.lines(TRANSCRIPTS) if keys else ()):
        key = str(exchange.get("key"))
        if key in keys:
            found[key] = (*found.get(key, ()), exchange)
    return found


def _keep(
    folder: Folder[Played],
    line: Played,
    before: list[Exchange],
    exchanges: list[Exchange],
    spoilt: Played | None,
) -> Played:
    """Write down a match; what was said to models and by them goes into a file of its own.

    What was paid for the same match before it was interrupted or spoilt is not forgotten.
    """
    if before or exchanges:
        folder.add([*before, *exchanges], TRANSCRIPTS)
    paid = [used_in(before), *([spoilt.before, spoilt.model] if spoilt else [])]
    line = replace(line, before=total(paid))
    folder.add([line.data()])
    return line
