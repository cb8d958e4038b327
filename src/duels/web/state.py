"""What everybody may know about a match: the data of every answer and of every event."""

from __future__ import annotations

import json
import time
from typing import Any

from duels.core.game import Game, Move, Position
from duels.games import GAMES
from duels.games.divisor_duel import DivisorPosition
from duels.match import Match
from duels.players.levels import level_of
from duels.terminal.dialogues import DIALOGUES
from duels.terminal.talk import Style
from duels.web.hosted import Hosted, takeback_text

_DIALOGUES = {game_id: DIALOGUES[game_id](Style(colour=False)) for game_id in GAMES}


def now_ms() -> int:
    """The server's clock, in epoch milliseconds."""
    return time.time_ns() // 1_000_000


def state_of(hosted: Hosted, watching: int, now: int) -> dict[str, Any]:
    """The state of a match as plain data; a pair is a list of two."""
    match = hosted.match
    request = hosted.takeback
    is_over = match.outcome is not None
    return {
        "id": match.id,
        "version": hosted.version,
        "title": match.game.title,
        "mode": hosted.mode,
        "public": hosted.public,
        "players": players_state(match.players),
        "joined": list(hosted.joined),
        "seconds": list(match.seconds),
        **position_state(match.position, is_over=is_over),
        "outcome": match.outcome._asdict() if match.outcome else None,
        "status": status(match),
        "prompt": prompt(match),
        "clock": clock_state(hosted, now),
        "takeback": request and request._asdict() | {"text": takeback_text(hosted, request)},
        "rematch": hosted.rematch,
        "watching": watching,
        "show_moves": hosted.show_moves,
    }


def players_state(players: tuple[str, str]) -> list[dict[str, str]]:
    """Who plays; whoever has the name of a level is the computer."""
    return [{"name": name, "kind": "computer" if level_of(name) else "person"} for name in players]


def position_state(position: Position, *, is_over: bool) -> dict[str, Any]:
    """What a board shows."""
    game = position.game
    legal = () if is_over else position.legal_moves
    divisor = None
    if isinstance(position, DivisorPosition):
        divisor = {"number": str(position.number or ""), "remainder": position.remainder}
    return {
        "game": game.id,
        "options": dict(game.options),
        "moves": list(position.moves),
        "moves_text": texts(game, position.moves),
        "ply": len(position.moves),
        "to_move": None if is_over else position.to_move,
        "legal_moves": list(legal),
        "legal_text": texts(game, legal),
        "last": position.moves[-1] if position.moves else None,
        "divisor": divisor,
    }


def texts(game: Game, moves: tuple[Move, ...]) -> list[str]:
    """Moves as they are written."""
    return [game.format(move) for move in moves]


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


def status(match: Match) -> str:
    """Where the match stands, in one line; its end in the words of the terminal."""
    if not match.outcome:
        return f"{match.mover} to move."
    dialogue = _DIALOGUES[match.game.id]
    said = dialogue.ending(match)
    if match.outcome.reason == "divisible":
        said = [dialogue.played(match)[-1], *said]
    turn = dialogue.turn(match)
    return " ".join(line for line in said if line.endswith((".", "!")) and line not in turn)


def prompt(match: Match) -> str:
    """What the player to move is asked for, in the words of the terminal."""
    if match.outcome:
        return ""
    dialogue = _DIALOGUES[match.game.id]
    asked = dialogue.turn(match)[-1]
    if not asked.startswith("Select "):
        asked = dialogue.prompt(match).rstrip(": ") + "."
    return asked


def encode(state: dict[str, Any]) -> bytes:
    return json.dumps(state, separators=(",", ":")).encode()
