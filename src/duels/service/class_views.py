"""A class as its teacher, one of its pupils, or somebody at its door sees it."""

from __future__ import annotations

from typing import Any

from duels.service.class_boards import game_of
from duels.service.classes import Board, Pupil, SchoolClass, stream_key
from duels.service.joining import device_id, device_words
from duels.service.keys import hash_secret
from duels.service.problems import Problem
from duels.service.state import game_state, state_of
from duels.service.teaching import Seen, winners_of


def view(seen: Seen, secret: str | None, now: int) -> dict[str, Any]:
    """A class as somebody with this secret sees it."""
    it = seen.school
    if it.is_teacher(secret):
        return teachers_view(seen, now)
    if pupil := it.pupil_of(secret):
        return _shared(it, "pupil", hash_secret(secret or "")) | _pupils(seen, pupil)
    if asked := it.asked_by(secret):
        key = hash_secret(secret or "")
        return _shared(it, "asking", key) | {"name": asked.name, "device": device_words(key)}
    return _shared(it, "door", "")


def teachers_view(seen: Seen, now: int) -> dict[str, Any]:
    it = seen.school
    waiting = {pupil.id for pupil in it.waiting}
    return _shared(it, "teacher", it.teacher) | {
        "pupils": [
            {
                "id": pupil.id,
                "name": pupil.name,
                "points": points(seen, pupil),
                "is_waiting": pupil.id in waiting,
                "asking": [
                    {"device": device_id(key), "words": device_words(key)} for key in pupil.asking
                ],
            }
            for pupil in it.here
        ],
        "boards": [
            {"match": board.match_id, "pupils": board.pupils, "state": state_of(hosted, 0, now)}
            for board in it.now_playing
            if (hosted := seen.boards.get(board.match_id))
        ],
        "unread": [
            {"match": board.match_id, "names": _names(it, board), "why": why}
            for board in it.now_playing
            if (why := seen.unread.get(board.match_id))
        ],
    }


def points(seen: Seen, pupil: Pupil) -> int:
    return list(winners_of(seen).values()).count(pupil.id)


def _shared(it: SchoolClass, role: str, hashed: str) -> dict[str, Any]:
    """What everybody sees; who belongs to the class also the key of their event streams."""
    plan, why = None, None
    if it.plan:
        try:
            game = game_state(game_of(it.plan))
            plan = {**game, "coach": it.plan.coach, "time_limit": it.plan.time_limit}
        except Problem as problem:
            why = problem.detail
    return {
        "code": it.code,
        "version": it.version,
        "role": role,
        "key": stream_key(hashed) if hashed else None,
        "round": it.round,
        "is_paused": it.is_paused,
        "plan": plan,
        "why": why,
    }


def _pupils(seen: Seen, pupil: Pupil) -> dict[str, Any]:
    it = seen.school
    own = [board.match_id for board in it.now_playing if pupil.id in board.pupils]
    match = own[0] if own else ""
    return {
        "name": pupil.name,
        "points": points(seen, pupil),
        "match": match if match in seen.boards else None,
        "why": seen.unread.get(match),
        "here": [one.name for one in it.here],
    }


def _names(it: SchoolClass, board: Board) -> list[str]:
    return [it.pupil(pupil).name if pupil else "the computer" for pupil in board.pupils]
