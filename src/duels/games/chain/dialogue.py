"""The words of the chain games, line by line as in the rule books' sample dialogues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from duels.core.fast import members
from duels.core.game import Game
from duels.core.words import ranges
from duels.games.chain.criteria import CRITERIA, Criterion
from duels.games.chain.rules import ChainGame, ChainPosition, SequenceDuel
from duels.match.dialogue import Dialogue, cut, listed_numbers
from duels.match.match import Match


class ChainDialogue(Dialogue):
    """The dialogue of the chain games, whose grid shows which numbers fit the last one."""

    def shows_board(self, match: Match, *, just_said: bool) -> bool:
        return False

    def fits(self, match: Match) -> str:
        if not match.moves:
            return f"any number from 1 to {match.game.size}"
        return self.following(match.game, str(_position(match).last))

    def following(self, game: Game, last: str) -> str:
        """Return what may follow the last number, as a phrase."""
        return f"a factor or a multiple of {last}"

    def rules(self, game: Game) -> str:
        take, fits = game.verb.do.capitalize(), self.following(game, "the last number")
        return f"{take} {fits}. If no number fits, you lose."

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
            f"Select a number that {_listed_criteria(position.game.rules, str(position.last))}.",
        ]

    def prompt(self, match: Match) -> str:
        limits = "" if match.moves else f" (1-{match.game.size})"
        return f"Enter your number{limits}: "

    def following(self, game: Game, last: str) -> str:
        factor = CRITERIA["factor"]
        rules = cast("ChainGame", game).rules
        others = [rule for rule in rules if rule is not factor]
        if not others:
            return super().following(game, last)
        if factor not in rules:
            return f"a number that {_listed_criteria(others, last)}"
        others_met = _listed_criteria(others, "it")
        return f"a factor or a multiple of {last}, or a number that {others_met}"

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
        game = cast("SequenceDuel", match.game)
        if match.moves or game.opening == "any":
            return super().fits(match)
        limit = "" if game.opening == "even" else f" up to {game.highest_opening}"
        return f"any even number{limit}"

    def rules(self, game: Game) -> str:
        if cast("SequenceDuel", game).opening == "any":
            return super().rules(game)
        take, fits = game.verb.do, self.following(game, "the last number")
        half = (
            "" if cast("SequenceDuel", game).opening == "even" else " and below half of the board"
        )
        first = f"The first number must be even{half}"
        return f"{first}; then {take} {fits}. If no number fits, you lose."

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


def _listed_criteria(criteria: Sequence[Criterion], last: str) -> str:
    """Return the criteria joined for a sentence; only the first names the last number."""
    met = [rule.met.format("it" if n else last) for n, rule in enumerate(criteria)]
    return " or ".join(words.removesuffix(" as it") for words in met)


def _position(match: Match) -> ChainPosition:
    return cast("ChainPosition", match.position)


def _bracketed(numbers: tuple[int, ...]) -> str:
    return f"[{', '.join(listed_numbers(numbers))}]"
