"""The boards of a class: the game that is played, who sits there, and what opens the seats."""

from __future__ import annotations

from dataclasses import replace

from duels.core.errors import DuelsError
from duels.core.game import Game
from duels.match.match import Seat, new_match, read_seats
from duels.match.players.specs import name_of
from duels.service.classes import Board, Plan, SchoolClass, pair_latecomers
from duels.service.hosted import Hosted
from duels.service.keys import Key
from duels.service.making import web_game
from duels.service.problems import Problem

ODD_ONE = "casual"
"""The computer who plays somebody who would be left."""


def game_of(plan: Plan) -> Game:
    """What a class plays; a Problem if that is not on this server any more."""
    try:
        return web_game(plan.game, plan.options)
    except DuelsError:
        detail = f"The game {plan.game} is not on this server any more: choose another one."
        raise Problem(409, detail) from None


def late_pair(it: SchoolClass) -> SchoolClass:
    """Two who wait while a round goes on play each other, if its game is still here."""
    if it.plan is None:
        return it
    try:
        game_of(it.plan)
    except Problem:
        return it
    return pair_latecomers(it)


def begun(it: SchoolClass, board: Board, now: int) -> Hosted:
    """The match of a board; the pupils' devices open its seats."""
    plan = it.plan or Plan("", {})
    match = new_match(game_of(plan), seats(it, board), time_limit=plan.time_limit)
    return Hosted(
        match=replace(match, id=board.match_id),
        mode="computer" if "" in board.pupils else "friend",
        keys=keys_of(it, board),
        updated=now,
        turn_started=now,
        school=it.code,
        coach=plan.coach,
        paused=0 if it.is_paused else None,
    )


def keys_of(it: SchoolClass, board: Board) -> tuple[Key, ...]:
    return tuple(
        Key(player, key)
        for player, pupil in enumerate(board.pupils, start=1)
        if pupil
        for key in it.pupil(pupil).keys
    )


def seats(it: SchoolClass, board: Board) -> tuple[Seat, Seat]:
    """Who sits at a board."""
    one, two = (_seat(it, pupil) for pupil in board.pupils)
    return read_seats((one, two))


def _seat(it: SchoolClass, pupil_id: str) -> Seat | str:
    return it.pupil(pupil_id).name if pupil_id else Seat(name_of(ODD_ONE), ODD_ONE)
