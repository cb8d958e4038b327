"""What everybody may know about a match: the data of every answer and of every event."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from duels.coach.hints import Hint
from duels.core.game import Game, Move, Outcome, Position
from duels.match.dialogue import dialogue_of
from duels.match.match import Seat
from duels.service import takebacks
from duels.service.boards import board_of
from duels.service.hosted import PAUSED, Hosted


def state_of(hosted: Hosted, watching: int, now: int) -> dict[str, Any]:
    """The state of a match as plain data."""
    match = hosted.match
    request = hosted.takeback
    return {
        "id": match.id,
        "version": hosted.version,
        "mode": hosted.mode,
        "public": hosted.public,
        "players": players_state(match.seats),
        "joined": list(hosted.joined),
        "seconds": list(match.seconds),
        "given": match.given,
        **position_state(match.position, match.outcome),
        **_said(hosted),
        "seen_by": [_said(hosted, 1), _said(hosted, 2)],
        "clock": clock_state(hosted, now),
        "takeback": request and request._asdict() | {"text": takebacks.in_words(hosted, request)},
        "rematch_offer": hosted.rematch_offer,
        "rematch": hosted.rematch,
        "school": hosted.school,
        "is_paused": hosted.paused is not None,
        "score": list(hosted.standing),
        "watching": watching,
        "show_moves": hosted.show_moves,
        "coach": hosted.coach,
        "hints": list(hosted.hints) if match.outcome else None,
    }


def _said(hosted: Hosted, you: int = 0) -> dict[str, str]:
    """The line over the board, to player 1, 2, or whoever watches; at the end also why."""
    match, mover = hosted.match, hosted.to_move
    words = dialogue_of(match.game)
    waits = mover != you and not (match.outcome or hosted.joined[mover - 1])
    status = f"Waiting for {match.mover}." if waits else words.status(match, you)
    return {
        "status": status if hosted.paused is None else PAUSED,
        "why": words.why(match, you),
    }


def players_state(seats: Iterable[Seat]) -> list[dict[str, str | None]]:
    """Who plays: the names, and for a computer which one it is."""
    return [
        {
            "name": seat.name,
            "kind": "computer" if seat.computer else "person",
            "computer": seat.computer or None,
        }
        for seat in seats
    ]


def position_state(position: Position, outcome: Outcome | None) -> dict[str, Any]:
    """What a page shows of a position; its outcome may be that of a match."""
    game = position.game
    return {
        **game_state(game),
        "moves": texts(game, position.moves),
        "ply": len(position.moves),
        "to_move": None if outcome else position.to_move,
        "legal": texts(game, () if outcome else position.legal_moves),
        "board": board_of(position),
        "outcome": outcome._asdict() if outcome else None,
    }


def game_state(game: Game) -> dict[str, Any]:
    """A game with its options, and the words that pages need to talk about its moves."""
    return {
        "game": game.id,
        "title": game.title,
        "options": game.options,
        "options_words": game.options_in_words(),
        "verb": game.verb._asdict(),
        "move_words": game.move_words,
        "pair_words": game.pair_words,
    }


def texts(game: Game, moves: Iterable[Move]) -> list[str]:
    """Moves as they are written."""
    return [game.format(move) for move in moves]


def hint_state(stages: Sequence[Hint], wanted: int) -> dict[str, Any]:
    """One stage of help, and what the next one answers."""
    reached = min(wanted, len(stages))
    following = stages[reached].question if reached < len(stages) else ""
    shown = stages[reached - 1]._asdict()
    return {"stage": reached, "stages": len(stages), **shown, "next": following}


def clock_state(hosted: Hosted, now: int) -> dict[str, Any] | None:
    """The clock of the turn; it has not started before both players are there."""
    if hosted.match.time_limit is None:
        return None
    return {
        "limit": hosted.match.time_limit,
        "turn_started": hosted.turn_started,
        "deadline": hosted.deadline,
        "now": now,
    }


def encode(state: dict[str, Any]) -> bytes:
    return json.dumps(state, separators=(",", ":")).encode()
