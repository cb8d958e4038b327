"""Divisor Duel with a divisor of 87 or more: a theorem says who wins, without search.

With Player 2 to move, Player 2 wins, and at most one digit lets Player 1 finish. With Player 1 to
move, Player 1 wins only by finishing at once. The proof is in docs/explanation/theory.md (T2) and,
for Coq, in proofs/DivisorTheorems.v.
"""

from __future__ import annotations

from duels.core.game import Move
from duels.games.digits.rules import DivisorPosition
from duels.games.digits.theory import (
    DivisorTheory,
    DivisorVerdict,
    digits_left,
    divisor_of,
    written,
)
from duels.theory.theory import Progress
from duels.theory.verdict import Proof


class LargeDivisorTheory(DivisorTheory):
    """Look one move ahead: avoid the digit that lets them finish."""

    def winning_moves(
        self, position: DivisorPosition, progress: Progress | None = None
    ) -> tuple[Move, ...]:
        if position.to_move == 1:
            return self.wins_at_once(position)
        replies = self._replies(position)
        return tuple(digit for digit in digits_left(position) if digit not in replies)

    def prove(self, position: DivisorPosition, winning: tuple[Move, ...]) -> Proof:
        """Return the digits that finish now and, for Player 2, those that let Player 1 finish."""
        replies = self._replies(position) if position.to_move == 2 else {}
        after = {str(digit): found for digit, found in replies.items()}
        return {"kind": "finishes", "now": [*self.wins_at_once(position)], "after": after}

    def best_move(self, verdict: DivisorVerdict) -> int:
        """Return a digit that finishes, one after which neither player can, or any that wins."""
        position, winning = verdict.position, verdict.winning_moves
        simplest = self.wins_at_once(position) or (
            move for move in winning if self.moves_left(position.play(move))
        )
        found = next(iter(simplest), winning[0])
        assert isinstance(found, int)
        return found

    def _replies(self, position: DivisorPosition) -> dict[int, list[int]]:
        """Return the digits that let the opponent finish, each with the digits that would do so."""
        divisor, digits = divisor_of(position), digits_left(position)
        now = self.wins_at_once(position)
        found: dict[int, list[int]] = {}
        for digit in digits:
            number = 10 * position.state + digit
            replies = [d for d in digits if d != digit and (10 * number + d) % divisor == 0]
            if replies and digit not in now:
                found[digit] = replies
        return found

    # Words

    def how_to_play_on(self, before: DivisorPosition, after: DivisorPosition) -> str:
        avoid = "No digit lets them finish now. Later at most one digit does: avoid that one."
        for digit, (reply, *_) in self._replies(before).items():
            which = f"Now it is {digit}: {self.allows(before, digit, reply)}."
            avoid = f"At most one digit lets them finish: avoid that one. {which}"
        return f"{avoid} {self._at_the_end(after, 'they')}"

    def why_lost(self, verdict: DivisorVerdict) -> str:
        avoid = "Whatever you add, at most one digit lets you finish then, and they can avoid it."
        return f"{avoid} {self._at_the_end(verdict.position, 'you')}"

    def _at_the_end(self, position: DivisorPosition, who: str) -> str:
        never = f"If neither of you makes a number divisible by {written(position)}"
        return f"{never}, {who} add the last digit and lose."

    def explanation(self, verdict: DivisorVerdict) -> list[str]:
        """Return the one rule that wins, where it is needed."""
        position = verdict.position
        if not verdict.wins or self.wins_at_once(position):
            return []
        if self.moves_left(position.play(self.best_move(verdict))):
            return []
        finish = f"they can make a number divisible by {written(position)}"
        return [f"Each time, avoid the digit after which {finish}. Add any other digit."]


LARGE = LargeDivisorTheory()
