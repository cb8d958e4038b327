"""The words of the chain games, line by line as in the rule books' sample dialogues."""

from __future__ import annotations

from typing import cast

from duels.core.fast import members
from duels.core.words import ranges
from duels.games.chain.rules import ChainPosition
from duels.match.dialogue import Dialogue, cut, listed_numbers
from duels.match.match import Match


class ChainDialogue(Dialogue):
    """A grid shows better than any list what fits the last number."""

    def shows_board(self, match: Match, *, just_said: bool) -> bool:
        return False

    def fits(self, match: Match) -> str:
        if not match.moves:
            return f"any number from 1 to {match.game.size}"
        return f"a factor or a multiple of {_position(match).last}"

    def before_closing(self, match: Match) -> list[str]:
        return self.turn(match)

    def why_by_rules(self, match: Match, winner: str, loser: str) -> str:
        return f"{loser} had no number left that fits {_position(match).last}."


class NumberDuelDialogue(ChainDialogue):
    def opening(self, match: Match) -> list[str]:
        return ["Game Start!", f"Available numbers: 1 to {match.game.size}"]

    def turn(self, match: Match) -> list[str]:
        lines = ["", f"{match.mover}, it's your turn."]
        if not match.moves:
            return lines
        position = _position(match)
        unused = ",".join(cut(ranges(members(position.unused))))
        excluded = ",".join(cut([str(move) for move in sorted(position.moves)]))
        return [
            *lines,
            f"Previous number: {position.last}",
            f"Available numbers: {unused} (excluding {excluded})",
            f"Select {self.fits(match)}.",
        ]

    def prompt(self, match: Match) -> str:
        limits = "" if match.moves else f" (1-{match.game.size})"
        return f"Enter your number{limits}: "

    def fits(self, match: Match) -> str:
        if not match.moves:
            return super().fits(match)
        position = _position(match)
        rules = enumerate(position.game.rules)
        met = [rule.met.format("it" if n else position.last) for n, rule in rules]
        return f"a number that {' or '.join(met)}"

    def before_closing(self, match: Match) -> list[str]:
        return ["", f"{match.mover}, it's your turn.", f"Previous number: {_position(match).last}"]

    def closing(self, match: Match, winner: str, loser: str) -> list[str]:
        return ["No valid moves available.", f"{winner} wins the game!"]


class SequenceDuelDialogue(ChainDialogue):
    def turn(self, match: Match) -> list[str]:
        position = _position(match)
        lines = [] if not match.moves else [""]
        lines += [f"Sequence: {_bracketed(members(position.unused))}", f"{match.mover}'s turn."]
        options = _bracketed(members(position.legal))
        if not match.moves:
            return [*lines, f"Available numbers: {options}"]
        return [
            *lines,
            f"Previous number: {position.last}",
            f"Valid options (factors/multiples of {position.last}): {options}",
        ]

    def prompt(self, match: Match) -> str:
        return "Enter a number to remove: "

    def fits(self, match: Match) -> str:
        chooses = match.moves or match.position.legal_count == match.game.size
        return super().fits(match) if chooses else "any even number"

    def closing(self, match: Match, winner: str, loser: str) -> list[str]:
        return [f"No valid moves. {loser} loses!", f"Congratulations, {winner}! You win the game."]


class NumberChainDuelDialogue(ChainDialogue):
    def opening(self, match: Match) -> list[str]:
        return ["[Game Start]"] if match.moves else ["[Game Start]", "The number chain is empty."]

    def turn(self, match: Match) -> list[str]:
        position = _position(match)
        lines = [
            "",
            f"{match.mover}'s turn.",
            f"Available numbers: {','.join(listed_numbers(members(position.unused)))}",
        ]
        if not match.moves:
            return lines
        choices = ",".join(listed_numbers(members(position.legal))) or "None"
        return [*lines, f"Last number in chain: {position.last}", f"Valid choices: {choices}"]

    def prompt(self, match: Match) -> str:
        return f"{match.mover} selects: "

    def played(self, match: Match) -> list[str]:
        return [f"Number chain: {','.join(cut([str(move) for move in match.moves]))}"]

    def closing(self, match: Match, winner: str, loser: str) -> list[str]:
        return [f"{loser} cannot make a valid move.", f"{loser} loses."]


def _position(match: Match) -> ChainPosition:
    return cast("ChainPosition", match.position)


def _bracketed(numbers: tuple[int, ...]) -> str:
    return f"[{', '.join(listed_numbers(numbers))}]"
