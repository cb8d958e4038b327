"""The words of Divisor Duel, line by line as in the rule book's sample dialogue."""

from __future__ import annotations

from typing import cast

from duels.core.game import Game
from duels.core.words import short_number
from duels.games.digits.rules import DIGITS, DivisorDuel, DivisorPosition
from duels.games.digits.theory import divisor_of
from duels.match.dialogue import Dialogue
from duels.match.match import Match


class DivisorDuelDialogue(Dialogue):
    def opening(self, match: Match) -> list[str]:
        position = _position(match)
        return [
            f"Target Divisor: {_divisor(position)}",
            self._pool(match),
            f"Current Number: {self._number(match)}",
        ]

    def turn(self, match: Match) -> list[str]:
        return ["", f"{match.mover}'s turn."]

    def prompt(self, match: Match) -> str:
        return "Select a digit: "

    def played(self, match: Match) -> list[str]:
        return [
            f"Current Number: {self._number(match)}",
            self._pool(match),
            check(_position(match)),
        ]

    def in_one_line(self, match: Match) -> str:
        line = super().in_one_line(match)
        return f"{line} {check(_position(match))}" if match.termination == "divisible" else line

    def shows_board(self, match: Match, *, just_said: bool) -> bool:
        return just_said

    def before_closing(self, match: Match) -> list[str]:
        if match.termination == "divisible":
            return []
        return ["", "Final Digit Pool: Empty", f"Current Number: {_position(match).state}"]

    def closing(self, match: Match, winner: str, loser: str) -> list[str]:
        result = self.bold("Result")
        if match.termination == "divisible":
            return [f"{result}: {winner} wins."]
        return [
            f"No player has created a number divisible by {_divisor(_position(match))}.",
            f"{result}: The last player to move ({loser}) loses. {winner} wins.",
        ]

    def fits(self, match: Match) -> str:
        return "add one of the remaining digits" if match.moves else "choose the first digit"

    def rules(self, game: Game) -> str:
        divisor = short_number(cast("DivisorDuel", game).divisor)
        return (
            "Put one of the remaining digits at the end of the number. "
            f"Make it divisible by {divisor} and you win; "
            "place the ninth digit without that and you lose."
        )

    def why_by_rules(self, match: Match, winner: str, loser: str) -> str:
        position = _position(match)
        number, divisor = position.state, _divisor(position)
        if match.termination == "divisible":
            return f"{winner} made {number}, which is divisible by {divisor}."
        return f"{loser} used the last digit, and {number} is not divisible by {divisor}."

    def _number(self, match: Match) -> str:
        """Return the number with its newest digit marked."""
        *older, newest = [str(move) for move in match.moves] or [""]
        return "".join(older) + self.bold(newest)

    def _pool(self, match: Match) -> str:
        left = [self.bold(str(digit)) for digit in DIGITS if digit not in match.moves]
        return f"Available Digits: {' '.join(left) or 'None'}"


def check(position: DivisorPosition) -> str:
    """Say whether the number is divisible."""
    return cast("DivisorDuel", position.game).check_words(position.state)


def _divisor(position: DivisorPosition) -> str:
    """Return the divisor as it is written in a line."""
    return short_number(divisor_of(position))


def _position(match: Match) -> DivisorPosition:
    return cast("DivisorPosition", match.position)
