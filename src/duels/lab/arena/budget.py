"""What a run may spend: it stops before the next question could cost more than is left."""

from __future__ import annotations

from duels.core.errors import DuelsError
from duels.lab.arena.usage import Usage
from duels.match.players.llm import UNANSWERED


class Budget:
    """An amount of money or of tokens, and what was spent of it, earlier runs included.

    What a question will cost nobody knows; it is taken for the mean of those before it. So the
    first is asked alone, and what is under way is counted in.
    """

    def __init__(self, amount: float, *, in_tokens: bool = False) -> None:
        self.amount = amount
        self.in_tokens = in_tokens
        self.spent = 0.0
        self.counted = 0
        self.is_spent = False

    def count(self, used: Usage) -> None:
        """What one question has come to; one without an answer is taken for the mean."""
        if used.tokens:
            self.spent += used.tokens if self.in_tokens else used.cost or 0.0
            self.counted += 1
        elif any(kind not in UNANSWERED for kind in used.answers):
            raise DuelsError("The server does not count tokens: no budget can be kept.")
        elif self.counted:
            self.spent += self.spent / self.counted
            self.counted += 1

    def allows(self, under_way: int) -> bool:
        """Whether one more question may be asked while so many are under way."""
        if not self.counted:
            return under_way == 0
        allowed = self.spent + (under_way + 1) * self.spent / self.counted <= self.amount
        if not allowed and not under_way:
            self.is_spent = True
        return allowed

    @property
    def words(self) -> str:
        unit = " tokens" if self.in_tokens else ""
        return f"{self.spent:,.6g} of {self.amount:,.6g}{unit}"
