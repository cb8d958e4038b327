"""A game from three functions: the first state, the allowed moves, and the state after a move.

    class SquareDuel(StateGame[int]):
        id, title, summary = "square-duel", "Square Duel", "Take a square number of stones."
        stones: int = whole("the stones at the start", default=30, highest=1000, is_size=True)

        def first(self): return self.stones
        def allowed(self, state): return tuple(r * r for r in range(1, isqrt(state) + 1))
        def after(self, state, move): return state - move

Everything else has a default: see docs/how-to/add-a-game.md.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from duels.core.errors import IllegalMove
from duels.core.game import Game, Move, Outcome, numbers_of, other
from duels.core.parts import load
from duels.core.words import listed

S = TypeVar("S")
"""The type of a state: frozen and hashable, ideally a number or a tuple of numbers."""

FEW = 12
"""The most moves that a sentence lists."""


class StatePosition(NamedTuple, Generic[S]):
    """One frozen moment of a `StateGame`."""

    game: StateGame[S]
    state: S
    legal: Collection[Move]
    moves: tuple[Move, ...] = ()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, StatePosition)
            and self[:2] == other[:2]
            and self.to_move == other.to_move
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.state, self.to_move))

    def __repr__(self) -> str:
        return f"<{self.game.id} after {self.moves}>"

    def _repr_svg_(self) -> str | None:
        """The picture that a Jupyter notebook shows."""
        svg: str | None = load("duels.theory.pictures:position_svg")(self)
        return svg

    @property
    def to_move(self) -> int:
        return 1 + len(self.moves) % 2

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        return tuple(self.legal)

    @property
    def legal_count(self) -> int:
        return len(self.legal)

    @property
    def outcome(self) -> Outcome | None:
        if self.legal:
            return None
        winner = self.to_move
        if self.game.last_mover_wins(self.state):
            winner = other(winner)
        return Outcome(winner, self.game.ending(self.state))

    @property
    def words(self) -> str:
        return self.game.words(self.state)

    def play(self, move: Move) -> StatePosition[S]:
        game = self.game
        move = game.read(move)
        if move not in self.legal:
            over = "The game is over."
            raise IllegalMove(game.refusal(self.state, move) if self.legal else over)
        state = game.after(self.state, move)
        return StatePosition(game, state, game.allowed(state), (*self.moves, move))


class StateGame(Game, Generic[S]):
    """The base class; the first three functions are required."""

    def first(self) -> S:
        """Return the state before the first move."""
        raise NotImplementedError

    def allowed(self, state: S) -> Collection[Move]:
        """Return the legal moves of a state in increasing order; none if the game is over."""
        raise NotImplementedError

    def after(self, state: S, move: Any) -> S:
        """Return the state after a legal move."""
        raise NotImplementedError

    def last_mover_wins(self, state: S) -> bool:
        """Say whether the player who moved into a state without moves has won."""
        return True

    def ending(self, state: S) -> str:
        """Return why the game is over in a state without moves: one of `endings`."""
        return "no-moves"

    def refusal(self, state: S, move: Any) -> str:
        """Return a sentence that names the rule against a move."""
        allowed = [self.format(one) for one in self.allowed(state)]
        shown = listed(allowed, "or") if len(allowed) <= FEW else f"{', '.join(allowed[:FEW])} …"
        return f"{self.format(move)} is not allowed here: {self.verb.do} {shown}."

    def words(self, state: S) -> str:
        """Return the state in a few words."""
        return ", ".join(map(str, state)) if isinstance(state, tuple) else str(state)

    def start(self) -> StatePosition[S]:
        state = self.first()
        return StatePosition(self, state, self.allowed(state))

    def all_moves(self) -> Sequence[Move]:
        """Search all states for moves; TooLarge if there are more than `MOST_STATES`."""
        from duels.core.rules import rules_of

        rules = rules_of(self.start())
        found = {move for state in rules.reachable() for move in rules.allowed(state)}
        return sorted(found, key=numbers_of)
