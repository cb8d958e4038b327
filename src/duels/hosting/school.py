"""What can be asked about a class: by its teacher, by its pupils, and at its door."""

from __future__ import annotations

import csv
import io
import secrets
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec

from duels.coach.mistakes import mistakes
from duels.coach.review import review
from duels.hosting import classes
from duels.hosting.asking import Answer, Asked, answer
from duels.hosting.class_requests import (
    ChangePupil,
    Come,
    NewPlan,
    Pairing,
    Pause,
    Round,
    Ruling,
)
from duels.hosting.classes import Plan, Pupil, SchoolClass, asks_for, taught_by
from duels.hosting.keys import hash_secret
from duels.hosting.making import web_game
from duels.hosting.play import Desk
from duels.hosting.problems import Problem
from duels.hosting.state import game_state, position_state, state_of
from duels.hosting.teaching import Change, Classes, NoClass, Seen, winners_of
from duels.match import Match

MOST_TURNS = 6
"""Turning points that a class looks at together."""
CSV = "text/csv; charset=utf-8"
P = ParamSpec("P")
Handler = Callable[Concatenate[Desk, Asked, P], Coroutine[Any, Any, Answer]]


def _guarded(handle: Handler[P]) -> Handler[P]:
    """Whoever asks with a wrong code is counted, whatever is asked: no way to guess is free."""

    @wraps(handle)
    async def guarded(desk: Desk, asked: Asked, /, *args: P.args, **named: P.kwargs) -> Answer:
        try:
            return await handle(desk, asked, *args, **named)
        except Problem as problem:
            if isinstance(problem, NoClass) or problem.status in (401, 403):
                await _count(desk, asked.client, int(isinstance(problem, NoClass)))
            raise

    return guarded


async def create(desk: Desk, asked: Asked) -> Answer:
    """Start a class: its code is for the board, its secret for the teacher alone."""
    token = secrets.token_urlsafe(24)
    now = desk.matches.clock.now()
    it = SchoolClass(classes.new_code(), hash_secret(token), now)
    await _all(desk).create(it, asked.client)
    return answer({"code": it.code, "token": token, "state": _teachers(Seen(it, {}), now)}, 201)


@_guarded
async def look(desk: Desk, asked: Asked) -> Answer:
    """A class as its teacher, one of its pupils, or somebody at its door sees it."""
    seen = await _knock(desk, asked, asked.secret)
    return answer(_seen(seen, asked.secret, desk.matches.clock.now()))


@_guarded
async def join(desk: Desk, asked: Asked, sent: Come) -> Answer:
    """Come into a class with a secret that the device has made; sent again it is the same pupil."""

    await _knock(desk, asked, sent.token)

    def come(it: SchoolClass) -> SchoolClass:
        return classes.pair_latecomers(classes.join(it, sent.name, sent.token))

    seen = await _all(desk).change(_code(asked), come)
    return answer(_seen(seen, sent.token, desk.matches.clock.now()))


@_guarded
async def plan(desk: Desk, asked: Asked, sent: NewPlan) -> Answer:
    """What is played from the next round on."""
    playing = web_game(sent.game, sent.options)
    chosen = Plan(playing.id, playing.options, sent.coach, sent.time_limit)
    return await _taught(desk, asked, lambda it: replace(it, plan=chosen))


@_guarded
async def start_round(desk: Desk, asked: Asked, sent: Round) -> Answer:
    """Begin a round: everybody is paired at once. Begun twice it is begun once."""
    seen = await _all(desk).start_round(_code(asked), sent.round, _teacher(asked))
    return answer(_teachers(seen, desk.matches.clock.now()))


@_guarded
async def pause(desk: Desk, asked: Asked, sent: Pause) -> Answer:
    """All boards stand still with their clocks, or go on."""
    seen = await _all(desk).pause(_code(asked), sent.paused, _teacher(asked))
    return answer(_teachers(seen, desk.matches.clock.now()))


@_guarded
async def change_pupil(desk: Desk, asked: Asked, sent: ChangePupil) -> Answer:
    """Rename a pupil, remove one, or let their other device in."""

    def change(it: SchoolClass) -> SchoolClass:
        if sent.remove:
            return classes.remove(it, sent.pupil)
        if sent.let_in is not None:
            return classes.let_in(it, sent.pupil, sent.let_in)
        return classes.rename(it, sent.pupil, sent.name or "")

    return await _taught(desk, asked, change)


@_guarded
async def pair(desk: Desk, asked: Asked, sent: Pairing) -> Answer:
    """Pair two who wait by hand, or one and the computer."""
    one, two = sent.pupils
    return await _taught(desk, asked, lambda it: classes.pair(it, one, two))


@_guarded
async def rule(desk: Desk, asked: Asked, sent: Ruling) -> Answer:
    """End a game, and say who has won it."""
    seen = await _all(desk).rule(_code(asked), sent.match, sent.winner, _teacher(asked))
    return answer(_teachers(seen, desk.matches.clock.now()))


@_guarded
async def end(desk: Desk, asked: Asked) -> Answer:
    """End the lesson: the class, its pupils and their games are removed."""
    await _all(desk).end(_code(asked), _teacher(asked))
    return answer({"ended": True})


@_guarded
async def results(desk: Desk, asked: Asked) -> Answer:
    """The standings with the share of wins kept, and what the class can learn from its games."""
    seen = await _all(desk).get(_code(asked))
    taught_by(seen.school, asked.secret)
    judged = await _judge(desk, asked, seen)
    return answer({"standings": _standings(seen, judged["kept"]), "turns": judged["turns"]})


@_guarded
async def results_file(desk: Desk, asked: Asked) -> Answer:
    """The standings as a table for a spreadsheet."""
    seen = await _all(desk).get(_code(asked))
    taught_by(seen.school, asked.secret)
    judged = await _judge(desk, asked, seen)
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["name", "points", "games", "wins to keep", "wins kept"])
    for one in _standings(seen, judged["kept"]):
        table.writerow([_cell(one["name"]), one["points"], one["games"], one["wins"], one["kept"]])
    headers = {"Content-Disposition": f'attachment; filename="class-{seen.school.code}.csv"'}
    return Answer(text.getvalue().encode("utf-8-sig"), 200, CSV, headers)


async def _judge(desk: Desk, asked: Asked, seen: Seen) -> dict[str, Any]:
    played = [hosted.match for hosted in seen.boards.values() if hosted.match.outcome]
    return await desk.study.run(asked, _judged, played)


def _cell(text: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t" else text


def _judged(matches: list[Match]) -> dict[str, Any]:
    """By match and player: how many wins there were to keep, and how many were kept."""
    reviews = {match.id: review(match) for match in matches}
    kept = {name: [one.chances(1), one.chances(2)] for name, one in reviews.items()}
    turns = [
        {
            **position_state(puzzle.position, None),
            "source": puzzle.source,
            "difficulty": puzzle.difficulty,
        }
        for puzzle in mistakes(matches)[:MOST_TURNS]
    ]
    return {"kept": kept, "turns": turns}


def _standings(seen: Seen, kept: dict[str, list[Any]]) -> list[dict[str, Any]]:
    rows = []
    for pupil in seen.school.pupils:
        boards = [board for board in seen.school.boards if pupil.id in board.pupils]
        chances = [
            kept[board.match_id][board.pupils.index(pupil.id)]
            for board in boards
            if board.match_id in kept
        ]
        rows.append(
            {
                "pupil": pupil.id,
                "name": pupil.name,
                "points": _points(seen, pupil),
                "games": len(boards),
                "wins": sum(wins for wins, _ in chances),
                "kept": sum(kept for _, kept in chances),
            }
        )
    return sorted(rows, key=lambda row: -row["points"])


def _points(seen: Seen, pupil: Pupil) -> int:
    return list(winners_of(seen).values()).count(pupil.id)


def _seen(seen: Seen, secret: str | None, now: int) -> dict[str, Any]:
    """A class as somebody with this secret sees it."""
    it = seen.school
    if it.is_teacher(secret):
        return _teachers(seen, now)
    shared = {
        "code": it.code,
        "version": it.version,
        "round": it.round,
        "is_paused": it.is_paused,
        "plan": _plan(it),
    }
    if pupil := it.pupil_of(secret):
        board = next((one for one in reversed(it.boards) if pupil.id in one.pupils), None)
        is_current = board and board.round == it.round
        return shared | {
            "role": "pupil",
            "name": pupil.name,
            "points": _points(seen, pupil),
            "match": board.match_id if board and is_current else None,
            "here": [one.name for one in it.here],
        }
    asking = asks_for(it, secret)
    return shared | {"role": "asking" if asking else "door", "name": asking and asking.name}


def _teachers(seen: Seen, now: int) -> dict[str, Any]:
    it = seen.school
    waiting = {pupil.id for pupil in it.waiting}
    return {
        "code": it.code,
        "version": it.version,
        "role": "teacher",
        "wall": it.wall_key,
        "round": it.round,
        "is_paused": it.is_paused,
        "plan": _plan(it),
        "pupils": [
            {
                "id": pupil.id,
                "name": pupil.name,
                "points": _points(seen, pupil),
                "is_waiting": pupil.id in waiting,
                "asks": len(pupil.asking),
            }
            for pupil in it.here
        ],
        "boards": [
            {"match": board.match_id, "pupils": board.pupils, "state": state_of(hosted, 0, now)}
            for board in it.now_playing
            if (hosted := seen.boards.get(board.match_id))
        ],
    }


def _plan(it: SchoolClass) -> dict[str, Any] | None:
    if it.plan is None:
        return None
    playing = web_game(it.plan.game, it.plan.options)
    return {**game_state(playing), "coach": it.plan.coach, "time_limit": it.plan.time_limit}


async def _knock(desk: Desk, asked: Asked, secret: str | None) -> Seen:
    """A class; whoever belongs to it comes in, others may try so many codes."""
    seen = await _all(desk).get_for(_code(asked), secret)
    it = seen.school
    if not (it.is_teacher(secret) or it.pupil_of(secret) or asks_for(it, secret)):
        await _count(desk, asked.client, 0)
    return seen


async def listen(desk: Desk, code: str, client: str) -> SchoolClass:
    """A class whose news somebody wants to hear; a browser sends no secret with that."""
    try:
        school = (await _all(desk).get_for(code.strip().lower(), None)).school
    except NoClass:
        await _count(desk, client, 1)
        raise
    await _count(desk, client, 0)
    return school


async def _count(desk: Desk, client: str, cost: int) -> None:
    """A wrong code costs 1; a right one is refused after too many."""
    now = desk.matches.clock.now()
    await desk.matches.store.write(lambda at: at.count_guess(client, cost, now))


async def _taught(desk: Desk, asked: Asked, change: Change) -> Answer:
    """A change that only the teacher makes."""
    allowed = _teacher(asked)
    seen = await _all(desk).change(_code(asked), lambda it: change(allowed(it)))
    return answer(_teachers(seen, desk.matches.clock.now()))


def _teacher(asked: Asked) -> Change:
    return partial(taught_by, secret=asked.secret)


def _code(asked: Asked) -> str:
    """The code as somebody types it."""
    return asked.names["code"].strip().lower()


def _all(desk: Desk) -> Classes:
    return Classes(desk.matches)
