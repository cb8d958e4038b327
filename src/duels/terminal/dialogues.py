"""What the program says in each game, line by line as in the rule books' sample dialogues.

A dialogue is told in five parts: the opening, the lines of a turn, its prompt, what is said after
a move, and the ending. Words do not change with the terminal; only emphasis is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from duels.core.bits import members
from duels.core.game import Move, other
from duels.core.words import ranges
from duels.match import Match
from duels.terminal.talk import Style

LONGEST_LIST = 100
"""More numbers than that are told as ranges, and more ranges than that are cut in the middle."""


class Dialogue:
    """What all five have in common."""

    prompt_text: ClassVar[str]

    def __init__(self, style: Style) -> None:
        self.style = style

    def opening(self, match: Match) -> list[str]:
        return [f"Welcome to {match.game.title}!"]

    def turn(self, match: Match) -> list[str]:
        raise NotImplementedError

    def prompt(self, match: Match) -> str:
        return self.prompt_text

    def move(self, match: Match, move: Move) -> str:
        """A move as this game's players type it."""
        return match.game.format(move)

    def played(self, match: Match) -> list[str]:
        """Said after the last move of `match`."""
        return []

    def ending(self, match: Match) -> list[str]:
        """Who won and why, by the rules or otherwise."""
        assert match.outcome
        winner, loser = match.name(match.outcome.winner), match.name(other(match.outcome.winner))
        if match.outcome.reason == "resigned":
            return ["", f"{loser} resigned.", f"{winner} wins the game!"]
        if match.outcome.reason == "forfeit":
            return ["", f"{loser} gave no legal move.", f"{winner} wins the game!"]
        if match.outcome.reason == "time":
            return ["", f"{loser} ran out of time.", f"{winner} wins the game!"]
        return self.ending_by_rules(match, winner, loser)

    def ending_by_rules(self, match: Match, winner: str, loser: str) -> list[str]:
        raise NotImplementedError


class NumberDuelDialogue(Dialogue):
    def opening(self, match: Match) -> list[str]:
        return ["Game Start!", f"Available numbers: 1 to {match.game.options['numbers']}"]

    def turn(self, match: Match) -> list[str]:
        lines = ["", f"{match.mover}, it's your turn."]
        if not match.moves:
            return lines
        position: Any = match.position
        unused = ",".join(_cut(ranges(members(position.unused))))
        excluded = ",".join(_cut([str(move) for move in sorted(map(int, position.moves))]))
        met = [rule.met.format("it" if n else position.last) for n, rule in _rules(position)]
        return [
            *lines,
            f"Previous number: {position.last}",
            f"Available numbers: {unused} (excluding {excluded})",
            f"Select a number that {' or '.join(met)}.",
        ]

    def prompt(self, match: Match) -> str:
        limits = "" if match.moves else f" (1-{match.game.options['numbers']})"
        return f"Enter your number{limits}: "

    def ending_by_rules(self, match: Match, winner: str, loser: str) -> list[str]:
        position: Any = match.position
        return [
            "",
            f"{loser}, it's your turn.",
            f"Previous number: {position.last}",
            "No valid moves available.",
            f"{winner} wins the game!",
        ]


class DivisorDuelDialogue(Dialogue):
    prompt_text = "Select a digit: "

    def opening(self, match: Match) -> list[str]:
        return [
            f"Target Divisor: {match.game.options['divisor']}",
            self._pool(match),
            f"Current Number: {self._number(match)}",
        ]

    def turn(self, match: Match) -> list[str]:
        return ["", f"{match.mover}'s turn."]

    def played(self, match: Match) -> list[str]:
        position: Any = match.position
        number, divisor = position.number, position.game.divisor
        if position.remainder:
            check = f"{number} is not divisible by {divisor} (remainder {position.remainder})."
        else:
            check = (
                f"{number} is divisible by {divisor} ({number} ÷ {divisor} = {number // divisor})."
            )
        return [f"Current Number: {self._number(match)}", self._pool(match), check]

    def ending_by_rules(self, match: Match, winner: str, loser: str) -> list[str]:
        position: Any = match.position
        result = self.style.bold("Result")
        if match.termination == "divisible":
            return [f"{result}: {winner} wins."]
        return [
            "",
            "Final Digit Pool: Empty",
            f"Current Number: {position.number}",
            f"No player has created a number divisible by {position.game.divisor}.",
            f"{result}: The last player to move ({loser}) loses. {winner} wins.",
        ]

    def _number(self, match: Match) -> str:
        """The number with its newest digit marked."""
        *older, newest = [str(move) for move in match.moves] or [""]
        return "".join(older) + self.style.bold(newest)

    def _pool(self, match: Match) -> str:
        position: Any = match.position
        return f"Available Digits: {' '.join(map(str, position.pool)) or 'None'}"


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

    def ending_by_rules(self, match: Match, winner: str, loser: str) -> list[str]:
        return [
            "",
            "All numbers are crossed out.",
            f"{winner} made the last valid move.",
            f"{winner} wins the game.",
        ]

    def _line(self, match: Match) -> str:
        position: Any = match.position
        free, numbers = set(members(position.free)), position.game.numbers
        if numbers <= LONGEST_LIST:
            return " ".join(str(n) if n in free else "X" for n in range(1, numbers + 1))
        return " X ".join(_cut(ranges(sorted(free)))) or "X"


class SequenceDuelDialogue(Dialogue):
    prompt_text = "Enter a number to remove: "

    def turn(self, match: Match) -> list[str]:
        position: Any = match.position
        lines = [] if not match.moves else [""]
        lines += [f"Sequence: {_bracketed(members(position.unused))}", f"{match.mover}'s turn."]
        options = _bracketed(position.legal_moves)
        if not match.moves:
            return [*lines, f"Available numbers: {options}"]
        return [
            *lines,
            f"Previous number: {position.last}",
            f"Valid options (factors/multiples of {position.last}): {options}",
        ]

    def ending_by_rules(self, match: Match, winner: str, loser: str) -> list[str]:
        return [
            *self.turn(match),
            f"No valid moves. {loser} loses!",
            f"Congratulations, {winner}! You win the game.",
        ]


class NumberChainDuelDialogue(Dialogue):
    def opening(self, match: Match) -> list[str]:
        return ["[Game Start]", "The number chain is empty."]

    def turn(self, match: Match) -> list[str]:
        position: Any = match.position
        lines = [
            "",
            f"{match.mover}'s turn.",
            f"Available numbers: {','.join(_told(members(position.unused)))}",
        ]
        if not match.moves:
            return lines
        choices = ",".join(_told(position.legal_moves)) or "None"
        return [*lines, f"Last number in chain: {position.last}", f"Valid choices: {choices}"]

    def prompt(self, match: Match) -> str:
        return f"{match.mover} selects: "

    def played(self, match: Match) -> list[str]:
        return [f"Number chain: {','.join(_cut([str(move) for move in match.moves]))}"]

    def ending_by_rules(self, match: Match, winner: str, loser: str) -> list[str]:
        return [*self.turn(match), f"{loser} cannot make a valid move.", f"{loser} loses."]


DIALOGUES: dict[str, type[Dialogue]] = {
    "number-duel": NumberDuelDialogue,
    "divisor-duel": DivisorDuelDialogue,
    "number-line-duel": NumberLineDuelDialogue,
    "sequence-duel": SequenceDuelDialogue,
    "number-chain-duel": NumberChainDuelDialogue,
}


def _rules(position: Any) -> Any:
    return enumerate(position.game.rules)


def _bracketed(numbers: Sequence[int]) -> str:
    return f"[{', '.join(_told(numbers))}]"


def _told(numbers: Sequence[int]) -> list[str]:
    """Numbers one by one while they are few, as ranges when they are many."""
    if len(numbers) <= LONGEST_LIST:
        return [str(number) for number in numbers]
    return _cut(ranges(numbers))


def _cut(items: list[str]) -> list[str]:
    """A list that would fill the screen, with its middle left out."""
    if len(items) <= LONGEST_LIST:
        return items
    return [*items[:50], f"… {len(items) - 60} more …", *items[-10:]]
