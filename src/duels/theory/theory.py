"""What a theory of a family of games answers, with defaults for what it need not do better."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from duels.core.game import Move, Position
from duels.core.parts import load
from duels.theory.resistance import Resistance, resist

if TYPE_CHECKING:
    from duels.theory.verdict import Proof, Verdict

P = TypeVar("P", bound=Position)
Progress = Callable[[float], None]

FEW = 5
"""Examples in a sentence."""


class Theory(Generic[P]):
    """The truth about the positions of a family of games. `theory_of` finds that of a position."""

    def winning_moves(self, position: P, progress: Progress | None = None) -> tuple[Move, ...]:
        """The winning moves; none in a lost position and when the game is over."""
        raise NotImplementedError

    def prove(self, position: P, winning: tuple[Move, ...]) -> Proof:
        """The proof that exactly these moves win, for the game's checker."""
        raise NotImplementedError

    def why_won(self, verdict: Verdict[P]) -> str:
        """Why the player to move wins, and how."""
        raise NotImplementedError

    def why_lost(self, verdict: Verdict[P]) -> str:
        """Why the player to move loses against best play."""
        raise NotImplementedError

    def explanation(self, verdict: Verdict[P]) -> list[str]:
        """All that a person needs to win every game from here without asking again, in lines."""
        return []

    def best_move(self, verdict: Verdict[P]) -> Move:
        """The winning move that the reason and the explanation begin with."""
        return verdict.winning_moves[0]

    def wins_at_once(self, position: P) -> tuple[Move, ...]:
        """The moves after which the game is over and won."""
        return tuple(move for move in position.legal_moves if self._ends(position, move))

    def _ends(self, position: P, move: Move) -> bool:
        outcome = position.play(move).outcome
        return outcome is not None and outcome.winner == position.to_move

    def weight(self, position: P) -> int:
        """How many visits of a position one verdict is worth."""
        return 1

    def is_slow(self, position: P) -> bool:
        """Whether a verdict may take longer than a second."""
        return False

    def advice(self, position: P) -> str:
        """What would make it faster, if anything."""
        return ""

    def hardest(self, position: P) -> Resistance:
        """What is hardest to answer in a lost position."""
        return resist(self, position)

    def reason(self, verdict: Verdict[P]) -> str:
        """Why the position is won or lost, and what to do about it."""
        if verdict.wins:
            return self.why_won(verdict)
        return f"{self.why_lost(verdict)} {self.what_to_try(verdict)}"

    def what_to_try(self, verdict: Verdict[P]) -> str:
        """What is left to do in a lost position."""
        position = verdict.position
        hardest = self.hardest(position)
        move = position.game.format(hardest.move)
        return f"Try {move}."


def theory_of(position: Position) -> Theory[Any]:
    """The theory of a position's game."""
    theory: Theory[Any] = load(position.game.parts.theory)
    return theory
