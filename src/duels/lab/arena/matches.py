"""The matches of a plan: played and graded, each saved as it ends, and resumed after a stop."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic

import msgspec

from duels.core.errors import TooLarge
from duels.core.game import Move
from duels.lab.arena.results import ForfeitedTurn, Grade, MatchResult
from duels.lab.arena.tournament import Pairing
from duels.lab.arena.usage import Budget, UnderWay, Usages, readable, total, used_in, write_down
from duels.lab.jobs import JobProgress, run_jobs
from duels.lab.results_folder import TRANSCRIPTS, ResultsFolder
from duels.match.match import Match
from duels.match.players import Player
from duels.match.players.llm import Exchange, follow
from duels.match.players.specs import Forfeit, open_player
from duels.match.records import record_data
from duels.theory import winning_moves


@dataclass(frozen=True)
class Run:
    """The matches of a plan in an open folder: those that are done, and those left to play."""

    folder: ResultsFolder[MatchResult]
    planned: Mapping[str, Pairing]
    """By key, in the order of the results."""
    done: Mapping[str, MatchResult]
    """By key, also matches that a server error ended."""
    begun: Mapping[str, list[Exchange]]
    """By key, the answers of models in unfinished matches."""
    left: Sequence[Pairing]


def resume(
    folder: ResultsFolder[MatchResult],
    pairings: Iterable[Pairing],
    *,
    budget: Budget | None = None,
    note: Callable[[str], None],
) -> Run:
    """Open the folder and count what was spent; matches with a server error are played again."""
    planned = {pairing.key: pairing for pairing in pairings}
    done = {
        key: result
        for key, result in folder.open().items()
        if key in planned and result.names == planned[key].names
    }
    missing = [pairing for key, pairing in planned.items() if not _is_rated(done.get(key))]
    there = len(planned) - len(missing)
    folder.note_resumed(f"{there} of {len(planned)} matches", there, len(missing), note)
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
        for result in done.values():
            _spend(budget, [result.model, result.before])
        for exchanges in begun.values():
            _spend(budget, [used_in(exchanges)])
    return Run(folder, planned, done, begun, left)


def _is_rated(result: MatchResult | None) -> bool:
    return result is not None and result.is_rated


def play_left(
    run: Run,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    at_once: int | None = None,
    budget: Budget | None = None,
    note: Callable[[str], None],
) -> list[MatchResult]:
    """Play what is left; return all results in the order of the plan.

    The run stops when the budget for models is spent.
    """
    results = {key: result for key, result in run.done.items() if result.is_rated}
    under_way = UnderWay(run.folder)
    with JobProgress("matches", len(run.planned), len(results)) as progress:
        played = run_jobs(
            play_match,
            run.left,
            jobs=jobs,
            cluster=cluster,
            at_once=at_once or (1 if budget else None),
            may_start=budget.allows if budget else lambda running: True,
        )
        for pairing, (result, exchanges) in played:
            results[pairing.key] = _save(run, result, exchanges)
            under_way.forget(pairing.id)
            if budget:
                _spend(budget, [result.model])
            progress.step()
    ordered = [results[key] for key in run.planned if key in results]
    if len(ordered) < len(run.planned):
        note(f"The budget is spent: {len(ordered)} of {len(run.planned)} matches are there.")
    elif run.left:
        run.folder.write_in_order(result.data() for result in ordered)
    return ordered


def _spend(budget: Budget, usages: Iterable[Usages]) -> None:
    """Charge the budget with the usage of a match."""
    for used in total(usages).values():
        budget.count(used)


def never_served(results: Sequence[MatchResult]) -> dict[str, str]:
    """Return the players whose server failed in every match, with the last error."""
    errors: dict[str, str] = {}
    served: set[str] = set()
    for result in results:
        if result.forfeit and not result.is_rated:
            errors[result.names[result.forfeit.player - 1]] = result.forfeit.detail
        else:
            served.update(result.names)
    return {name: detail for name, detail in errors.items() if name not in served}


def _paid(
    folder: ResultsFolder[MatchResult], keys: Collection[str]
) -> dict[str, tuple[Exchange, ...]]:
    """Return the answers of models in matches that are played again: they are not paid twice."""
    found: dict[str, tuple[Exchange, ...]] = {}
    for exchange in readable(folder.lines(TRANSCRIPTS) if keys else ()):
        key = str(exchange.get("key"))
        if key in keys:
            found[key] = (*found.get(key, ()), exchange)
    return found


def _save(run: Run, result: MatchResult, exchanges: list[Exchange]) -> MatchResult:
    """Save a result, and the exchanges with models in a file of their own.

    The usage of earlier attempts at the same match is added to the result.
    """
    before, earlier = run.begun.get(result.key, []), run.done.get(result.key)
    if before or exchanges:
        run.folder.add([*before, *exchanges], TRANSCRIPTS)
    paid = [used_in(before), *([earlier.before, earlier.model] if earlier else [])]
    result = msgspec.structs.replace(result, before=total(paid))
    run.folder.add([result.data()])
    return result


# One match


def play_match(pairing: Pairing) -> tuple[MatchResult, list[Exchange]]:
    """Play and grade a match; return its result and the exchanges with models."""
    match = pairing.new_match()
    with ExitStack() as stack:
        chance, limit, settings = match.seed, pairing.time_limit, pairing.settings
        players = [
            stack.enter_context(open_player(seat.computer, chance, limit, settings))
            for seat in pairing.seats
        ]
        said: dict[int, list[Exchange]] = {1: [], 2: []}

        def keep(number: int, exchange: Exchange) -> None:
            said[number].append({"key": pairing.key, "id": match.id, "player": number} | exchange)
            if pairing.under_way:
                write_down(pairing.under_way, said[number][-1])

        for number, player in enumerate(players, start=1):
            earlier = [one for one in pairing.earlier if one["player"] == number]
            follow(player, earlier, partial(keep, number))
        match, grading, forfeit = _play(match, players, pairing.label)
    exchanges = [*said[1], *said[2]]
    used = dict(used_in(exchanges))
    record = record_data(match)
    result = MatchResult(pairing.label, pairing.round, record, tuple(grading), forfeit, model=used)
    return result, exchanges


def _play(
    match: Match, players: Sequence[Player], label: str
) -> tuple[Match, list[Grade], ForfeitedTurn | None]:
    """Play a match to its end; a player who gives no legal move forfeits."""
    grading: list[Grade] = []
    while not match.outcome:
        here = match.position
        winning = _winning(match, label)
        began = monotonic()
        try:
            move = players[here.to_move - 1].choose(here)
        except Forfeit as lost:
            counts = (here.legal_count, len(winning))
            forfeit = ForfeitedTurn(here.to_move, lost.reason, lost.detail, *counts)
            return match.forfeit(lost), grading, forfeit
        match = match.play(move, monotonic() - began)
        kept = not winning or match.moves[-1] in winning
        grading.append(Grade(here.legal_count, len(winning), kept))
    return match, grading, None


def _winning(match: Match, label: str) -> tuple[Move, ...]:
    try:
        return winning_moves(match.position)
    except TooLarge as error:
        raise TooLarge(f"{label} cannot be graded. {error}") from None
