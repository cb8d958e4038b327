"""A hosted match as plain data and back: the columns of a table, or one document in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from types import NoneType
from typing import Any

from duels.core.errors import DAMAGED
from duels.core.game import Game, Outcome
from duels.games import UnknownGame, game
from duels.match.match import Match, Seat
from duels.service.hosted import Help, Hosted, Takeback, is_id
from duels.service.keys import Key
from duels.service.problems import Problem

FIXED = ("mode", "public", "show_moves", "coach", "school")
CHANGING = ("version", "updated", "turn_started", "rematch_offer", "rematch", "paused")
"""What a hosted match and a row of its table call by the same name."""
KINDS = (
    ({str}, "id game options mode computer1 computer2 player1 player2 seat_keys helped"),
    ({int}, "created seed given score1 score2 version updated ply"),
    ({bool}, "public show_moves coach joined1 joined2 is_over"),
    ({str, NoneType}, "school reason rematch"),
    ({int, NoneType}, "turn_started winner takeback_by takeback_ply rematch_offer paused"),
    ({int, float, NoneType}, "time_limit"),
)
"""Of what a document is made, beside its moves."""

Row = Mapping[str, Any]
Played = Iterable[tuple[str, float]]


def fixed(hosted: Hosted) -> dict[str, Any]:
    """The columns that stay as they are."""
    match = hosted.match
    return {
        "id": match.id,
        "created": round(datetime.fromisoformat(match.date).timestamp() * 1000),
        "game": match.game.id,
        "options": json.dumps(dict(match.game.options)),
        **{name: getattr(hosted, name) for name in FIXED},
        "computer1": match.computer(1),
        "computer2": match.computer(2),
        "time_limit": match.time_limit,
        "seed": match.seed,
        "given": match.given,
        "score1": hosted.score[0],
        "score2": hosted.score[1],
    }


def changing(hosted: Hosted) -> dict[str, Any]:
    """The columns that change."""
    match = hosted.match
    return {
        **{name: getattr(hosted, name) for name in CHANGING},
        "player1": match.name(1),
        "player2": match.name(2),
        "seat_keys": json.dumps(hosted.keys),
        "joined1": hosted.joined[0],
        "joined2": hosted.joined[1],
        "ply": hosted.ply,
        "is_over": match.outcome is not None,
        "winner": match.ended.winner if match.ended else None,
        "reason": match.ended.reason if match.ended else None,
        "takeback_by": hosted.takeback.by if hosted.takeback else None,
        "takeback_ply": hosted.takeback.ply if hosted.takeback else None,
        "helped": json.dumps(hosted.helped),
    }


def played(match: Match, known: int = 0) -> list[tuple[str, float]]:
    """The moves after those that are known, each with its seconds."""
    moves = zip(match.moves[known:], match.seconds[known:], strict=True)
    return [(match.game.format(move), seconds) for move, seconds in moves]


def rebuild(row: Row, moves: Played) -> Hosted:
    """Play the moves again."""
    moves = list(moves)
    date = datetime.fromtimestamp(row["created"] / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    match = Match(
        id=row["id"],
        date=date,
        seats=(Seat(row["player1"], row["computer1"]), Seat(row["player2"], row["computer2"])),
        position=_game(row["game"], row["options"]).position(*(move for move, _ in moves)),
        seconds=tuple(seconds for _, seconds in moves),
        time_limit=row["time_limit"],
        seed=row["seed"],
        given=row["given"],
        ended=Outcome(row["winner"], row["reason"]) if row["winner"] else None,
    )
    return Hosted(
        match=match,
        keys=tuple(Key(*key) for key in json.loads(row["seat_keys"])),
        joined=(row["joined1"], row["joined2"]),
        helped=tuple(Help(*one) for one in json.loads(row["helped"])),
        takeback=Takeback(row["takeback_by"], row["takeback_ply"]) if row["takeback_by"] else None,
        score=(row["score1"], row["score2"]),
        **{name: row[name] for name in (*FIXED, *CHANGING)},
    )


def document(hosted: Hosted) -> dict[str, Any]:
    """All of it in one piece."""
    moves = [list(one) for one in played(hosted.match)]
    return fixed(hosted) | changing(hosted) | {"moves": moves}


def from_document(data: Any) -> Hosted:
    """Back from one piece, which somebody else may have written; ValueError if it is damaged."""
    try:
        is_whole = all(
            type(data[name]) in kinds for kinds, names in KINDS for name in names.split()
        )
        hosted = rebuild(data, data["moves"])
        is_whole = is_whole and is_id(hosted.match.id) and document(hosted) == data
    except (*DAMAGED, OSError) as error:
        raise ValueError("This is not a match of Number Duels.") from error
    if not is_whole:
        raise ValueError("This match is damaged.")
    return hosted


@lru_cache(maxsize=64)
def _game(game_id: str, options: str) -> Game:
    """Matches with the same options share what a game works out about its board."""
    try:
        return game(game_id, **json.loads(options))
    except UnknownGame:
        detail = f"This match is kept, but its game, {game_id}, is not here."
        raise Problem(409, detail) from None
