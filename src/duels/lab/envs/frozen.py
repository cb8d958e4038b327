"""Games and positions inside of environments.

A position is copied for nothing, pickled as plain data, and shown in words.
"""

from __future__ import annotations

from typing import Any

from duels.core.game import Game, Move, Position
from duels.core.look import MARKS
from duels.games import GAMES, find_game
from duels.games import game as registered_game

DEFAULT_GAME = next(iter(GAMES))
"""What is played if nobody says what: the first game of the menu."""


def environment_game(game: str | Game, **options: Any) -> Game:
    """A game as it is, or by its id; what a person would have to choose has an example here."""
    if isinstance(game, Game) and not options:
        return game
    kind = find_game(game).usual() if isinstance(game, str) else game
    return registered_game(kind.id, **{**kind.options, **options})


class Frozen:
    """Holds a position. Positions never change, so a copy is the thing itself."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def __copy__(self) -> Frozen:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Frozen:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.position.game
        return _replayed, (game.id, dict(game.options), self.position.moves)


class HasPosition:
    """What the environments have in common that hold one position."""

    _held: Frozen

    @property
    def position(self) -> Position:
        """The game as it stands."""
        return self._held.position

    @property
    def game(self) -> Game:
        """The rule book with its options."""
        return self.position.game


def _replayed(game_id: str, options: dict[str, Any], moves: tuple[Move, ...]) -> Frozen:
    return Frozen(registered_game(game_id, **options).position(*moves))


def as_text(position: Position) -> str:
    """The position in four short lines, for logs and `render_mode="ansi"`."""
    game = position.game
    options = " ".join(f"{name}={value}" for name, value in game.options.items())
    played = [f"{MARKS[1 + ply % 2]}{game.format(move)}" for ply, move in enumerate(position.moves)]
    return "\n".join(
        [
            f"{game.title} ({options})",
            f"Moves: {' '.join(played) or 'none'}",
            position.words,
            _standing(position),
        ]
    )


def _standing(position: Position) -> str:
    """Who is to move, or who has won."""
    if outcome := position.outcome:
        return f"Player {outcome.winner} {MARKS[outcome.winner]} has won ({outcome.reason})."
    return f"Player {position.to_move} {MARKS[position.to_move]} is to move."
