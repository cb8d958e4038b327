"""Resuming the matches of a plan, and playing those that are left."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from duels.lab.arena.budget import Budget
from duels.lab.arena.folder import TRANSCRIPTS, Folder, FolderError
from duels.lab.arena.line import Played
from duels.lab.arena.play import Pairing, play_match
from duels.lab.arena.progress import Progress
from duels.lab.arena.under_way import UnderWay, readable, used_in
from duels.lab.arena.usage import Usages, total
from duels.lab.jobs import run_jobs
from duels.match.players.llm import Exchange


@dataclass(frozen=True)
class Run:
    """The matches of a plan in an opened folder: what is there, and what is left to play."""

    folder: Folder[Played]
    planned: Mapping[str, Pairing]
    """By key, in the order of the results; so are the others."""
    done: Mapping[str, Played]
    """Those that a server has spoilt are among them."""
    begun: Mapping[str, list[Exchange]]
    """What models have answered in matches that have not come to their end."""
    left: Sequence[Pairing]


def resume(
    folder: Folder[Played],
    pairings: Iterable[Pairing],
    *,
    budget: Budget | None = None,
    note: Callable[[str], None],
) -> Run:
    """Open the folder, and count what was spent; what a server has spoilt is left to play again."""
    planned = {pairing.key: pairing for pairing in pairings}
    done = {
        key: line
        for key, line in folder.open().items()
        if key in planned and line.names == planned[key].names
    }
    missing = [pairing for key, pairing in planned.items() if not _is_rated(done.get(key))]
    there = len(planned) - len(missing)
    if there or folder.damaged:
        skipped = f"; {folder.damaged} damaged lines are played again" if folder.damaged else ""
        note(f"{there} of {len(planned)} matches are there already{skipped}.")
    if missing and folder.is_closed:
        raise FolderError(
            f"{folder.path} is of an older prompt, and {len(missing)} of its matches are missing. "
            "Choose another folder."
        )
    paid = _paid(folder, {pairing.key for pairing in missing} & done.keys())
    under_way = UnderWay(folder)
    left, begun = [], {}
    for pairing in missing:
        if pairing.has_models:
            answers = begun[pairing.key] = under_way.answers(pairing.id)
            earlier = (*paid.get(pairing.key, ()), *answers)
            path = str(under_way.path(pairing.id))
            pairing = replace(pairing, earlier=earlier, under_way=path)
        left.append(pairing)
    if budget:
        for line in done.values():
            _spend(budget, [line.model, line.before])
        for exchanges in begun.values():
            _spend(budget, [used_in(exchanges)])
    return Run(folder, planned, done, begun, left)


def _is_rated(line: Played | None) -> bool:
    return line is not None and line.is_rated


def play_left(
    run: Run,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    at_once: int | None = None,
    budget: Budget | None = None,
    note: Callable[[str], None],
) -> list[Played]:
    """Play what is left; all lines in the order of the plan.

    A budget is for what models cost, and stops the run when it is spent.
    """
    lines = {key: line for key, line in run.done.items() if line.is_rated}
    under_way = UnderWay(run.folder)
    with Progress("matches", len(run.planned), len(lines)) as progress:
        played = run_jobs(
            play_match,
            run.left,
            jobs=jobs,
            cluster=cluster,
            at_once=at_once or (1 if budget else None),
            go_on=budget.allows if budget else lambda under_way: True,
        )
        for pairing, (line, exchanges) in played:
            lines[pairing.key] = _keep(run, line, exchanges)
            under_way.forget(pairing.id)
            if budget:
                _spend(budget, [line.model])
            progress.step()
    ordered = [lines[key] for key in run.planned if key in lines]
    if len(ordered) < len(run.planned):
        note(f"The budget is spent: {len(ordered)} of {len(run.planned)} matches are there.")
    elif run.left:
        run.folder.in_order(line.data() for line in ordered)
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


def _keep(run: Run, line: Played, exchanges: list[Exchange]) -> Played:
    """Write down a match; what was said to models and by them goes into a file of its own.

    What was paid for the same match before it was interrupted or spoilt is not forgotten.
    """
    before, spoilt = run.begun.get(line.key, []), run.done.get(line.key)
    if before or exchanges:
        run.folder.add([*before, *exchanges], TRANSCRIPTS)
    paid = [used_in(before), *([spoilt.before, spoilt.model] if spoilt else [])]
    line = replace(line, before=total(paid))
    run.folder.add([line.data()])
    return line
