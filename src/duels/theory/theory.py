"""What a theory of a family of games answers, with defaults for what it need not do better."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from duels.core.game import Move, Position
from duels.core.parts import load

if TYPE_CHECKING:
    from duels.theory.verdict import Proof, Verdict

P = TypeVar("P", bound=Position)
Progress = Callable[[float], None]

WORK = 2_000_000_000
"""The effort that may go into finding the move that is hardest to answer: about a second."""
FEW = 5
"""Examples in a sentence."""


class Trap(NamedTuple):
    """A move, how many answers it leaves, and how many of these win; the hardest of all or not."""

    move: Move
    answers: int
    good: int
    of_all: bool = True

    @property
    def share(self) -> float:
        """The share of the answers that win; a move that ends a lost game leaves no hope."""
        return self.good / self.answers if self.answers else 1.0


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

    def effort(self, position: P) -> int:
        """About how many steps one verdict takes."""
        return 1

    def is_slow(self, position: P) -> bool:
        """Whether a verdict may take longer than a second."""
        return False

    def advice(self, position: P) -> str:
        """What would make it faster, if anything."""
        return ""

    def hardest(self, position: P) -> Trap:
        """The move after which the smallest share of answers wins; the first of several such.

        On a large board only some moves are tried, and the trap says so.
        """
        legal = position.legal_moves
        most = max(4, WORK // self.effort(position))
        tried = legal[:: -(-len(legal) // most)]
        hardest = min((self._trap(position, move) for move in tried), key=lambda trap: trap.share)
        return hardest._replace(of_all=len(tried) == len(legal))

    def _trap(self, position: P, move: Move) -> Trap:
        after: Any = position.play(move)
        return Trap(move, after.legal_count, len(self.winning_moves(after)))

    def reason(self, verdict: Verdict[P]) -> str:
        """Why the position is won or lost, and what to do about it."""
        position = verdict.position
        if verdict.wins:
            return self.why_won(verdict)
        trap = self.hardest(position)
        move = position.game.format(trap.move)
        only = "only " if 2 * trap.good <= trap.answers else ""
        share = f"{only}{trap.good} of {trap.answers} answers win{'s' if trap.good == 1 else ''}"
        if position.legal_count == 1:
            if trap.good == trap.answers:
                share = "every answer to it wins" if trap.answers else "it ends the game"
            return f"You cannot force a win: {move} is your only move, and {share}."
        if trap.good == trap.answers and trap.of_all:
            return f"{self.why_lost(verdict)} No move is better than another."
        hardest = "the hardest" if trap.of_all else "a hard one"
        return f"{self.why_lost(verdict)} {move} is {hardest} to answer: {share}."


def theory_of(position: Position) -> Theory[Any]:
    """The theory of a position's game."""
    theory: Theory[Any] = load(position.game.parts.theory)
    return theory
