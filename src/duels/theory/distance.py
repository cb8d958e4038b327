"""How many moves a won game still takes, if the winner hurries and the loser resists."""

from __future__ import annotations

from duels.core.game import Position
from duels.core.states import StateGame, StatePosition
from duels.theory.reasons import Enough
from duels.theory.theory import theory_of

MOST_STATES = 200_000
"""Positions that are visited before the search gives up."""
HOPELESS = 4
"""Where each look further has cost so many times the one before, the next one will too."""


class Distance:
    """A search that remembers what it has learned."""

    def __init__(self, most: int = MOST_STATES) -> None:
        self.most = most
        self.left = 0
        self._within: dict[Position, int] = {}
        """Moves in which a position is known to be decided."""
        self._beyond: dict[Position, int] = {}
        """Moves in which it is known not to be."""

    def plies(self, position: Position) -> int | None:
        """The moves of both until a won position is won; None if that takes too long a look."""
        self.left = self.most
        last, ahead, further = 1, 1, 2 if _last_mover_wins(position) else 1
        try:
            while True:
                before = self.left
                if self._wins(position, ahead):
                    return ahead
                used = before - self.left
                if used > last * HOPELESS and used * used > last * self.left:
                    return None  # the next look would not come to its end
                last, ahead = max(1, used), ahead + further
        except Enough:
            return None

    def _wins(self, position: Position, moves: int) -> bool:
        """Whether the player to move can end the game as the winner in so many moves of both."""
        known = self._known(position, moves)
        if known is not None:
            return known
        theory = theory_of(position)
        found = bool(theory.wins_at_once(position)) or (
            moves > 1
            and any(
                self._loses(position.play(move), moves - 1)
                for move in theory.winning_moves(position)
            )
        )
        return self._learn(position, moves, found)

    def _loses(self, position: Position, moves: int) -> bool:
        """Whether every move of a lost position leads to the end in so many moves of both."""
        if position.outcome:
            return True
        known = self._known(position, moves)
        if known is not None:
            return known
        after = map(position.play, position.legal_moves)
        found = all(here.outcome or (moves > 1 and self._wins(here, moves - 1)) for here in after)
        return self._learn(position, moves, found)

    def _known(self, position: Position, moves: int) -> bool | None:
        if self._within.get(position, moves + 1) <= moves:
            return True
        if self._beyond.get(position, 0) >= moves:
            return False
        self.left -= 1
        if self.left < 0:
            raise Enough
        return None

    def _learn(self, position: Position, moves: int, found: bool) -> bool:
        (self._within if found else self._beyond)[position] = moves
        return found


def _last_mover_wins(position: Position) -> bool:
    """Whether that is so at every end: then all wins take an odd number of moves."""
    kind = type(position.game)
    return (
        type(position) is StatePosition
        and issubclass(kind, StateGame)
        and kind.last_mover_wins is StateGame.last_mover_wins
    )
