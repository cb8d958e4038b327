"""The words of Number Line Duel, line by line as in the rule book's sample dialogue."""

from __future__ import annotations

from typing import cast

from duels.core.fast import members
from duels.core.game import Game, Move
from duels.core.words import ranges
from duels.games.line.rules import LinePosition
from duels.match.dialogue import LONGEST_LIST, Dialogue, cut
from duels.match.match import Match


class NumberLineDuelDialogue(Dialogue):
    def opening(self, match: Match) -> list[str]:
        return [*super().opening(match), f"Number Line: {self._line(match)}"]

    def turn(self, match: Match) -> list[str]:
        return ["", f"{match.mover}'s turn."]

    def prompt(self, match: Match) -> str:
        example = "" if match.moves else " (e.g., '5' or '5 6')"
        return f"Enter numbers to cross out{example}: "

    def move(self, match: Match, move: Move) -> str:
        return match.game.format(move).replace("-", " ")

    def played(self, match: Match) -> list[str]:
        return [
            f"{match.opponent} crossed out: {self.move(match, match.moves[-1])}",
            f"Updated Number Line: {self._line(match)}",
        ]

    def shows_board(self, match: Match, *, just_said: bool) -> bool:
        return just_said and match.game.size <= LONGEST_LIST

    def before_closing(self, match: Match) -> list[str]:
        return [""]

    def closing(self, match: Match, winner: str, loser: str) -> list[str]:
        return [
            "All numbers are crossed out.",
            f"{winner} made the last valid move.",
            f"{winner} wins the game.",
        ]

    def fits(self, match: Match) -> str:
        return "one number, or two neighbours"

    def rules(self, game: Game) -> str:
        return (
            "Cross out one number, or two that are next to each other. "
            "Cross out the last number and you win."
        )

    def why_by_rules(self, match: Match, winner: str, loser: str) -> str:
        return f"{winner} crossed out the last number."

    def _line(self, match: Match) -> str:
        position = cast("LinePosition", match.position)
        free, numbers = set(members(position.state)), position.game.size
        if numbers <= LONGEST_LIST:
            return " ".join(self.bold(str(n)) if n in free else "X" for n in range(1, numbers + 1))
        return " X ".join(cut(ranges(sorted(free)))) or "X"
