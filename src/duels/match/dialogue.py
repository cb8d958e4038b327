"""The lines of a game in the transcript and on the pages; a game may have its own.

In the transcript a dialogue has five parts: the opening, the lines of a turn, its prompt, the lines
after a move, and the ending. Pages have one line above the board, which addresses "you".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from duels.core.game import Game, Move, other
from duels.core.parts import load, parts_of
from duels.core.words import capital, listed, ranges, whole_number
from duels.match.match import ENDINGS, Match

LONGEST_LIST = 100
"""Above this, numbers are written as ranges; above this many ranges, the middle is left out."""
FEW = 12
"""The most moves that a prompt names one by one."""
LONG = 5
"""This many numbers in a row are written as a range."""


class Dialogue:
    """The generic dialogue, which suits every game; `bold` emphasizes if the terminal can."""

    def __init__(self, bold: Callable[[str], str] = str) -> None:
        self.bold = bold

    def opening(self, match: Match) -> list[str]:
        return [f"Welcome to {match.game.title}!"]

    def turn(self, match: Match) -> list[str]:
        return ["", match.position.words, f"{match.mover}'s turn."]

    def prompt(self, match: Match) -> str:
        return f"{match.game.verb.do.capitalize()} {self._choices(match)}: "

    def _choices(self, match: Match) -> str:
        if match.position.legal_count > FEW:
            return match.game.move_words
        moves = [self.move(match, move) for move in match.position.legal_moves]
        first = whole_number(moves[0]) or 0
        in_a_row = [str(number) for number in range(first, first + len(moves))]
        if moves == in_a_row and len(moves) >= LONG:
            return f"any number from {moves[0]} to {moves[-1]}"
        return listed(moves, "or")

    def move(self, match: Match, move: Move) -> str:
        """Return a move as this game's players type it."""
        return match.game.format(move)

    def played(self, match: Match) -> list[str]:
        """Return the lines after the last move of `match`."""
        return []

    def in_one_line(self, match: Match) -> str:
        """Return the last move of `match` in one line: on a terminal, a computer's whole turn."""
        return f"{match.opponent} {match.game.verb.did} {match.game.in_words(match.moves[-1])}."

    def shows_board(self, match: Match, *, just_said: bool) -> bool:
        """Say whether these lines show the board, so that it need not be drawn before a turn.

        `just_said` means that the lines before were `opening`, or `played` after the last move.
        """
        return match.position.legal_count <= FEW

    def ending(self, match: Match) -> list[str]:
        """Return who won and why, by the rules or otherwise."""
        assert match.outcome
        winner, loser = match.name(match.outcome.winner), match.name(other(match.outcome.winner))
        if match.outcome.reason in ENDINGS:
            return ["", f"{loser} {ENDINGS[match.outcome.reason]}.", f"{winner} wins the game!"]
        return [*self.before_closing(match), *self.closing(match, winner, loser)]

    def before_closing(self, match: Match) -> list[str]:
        """Return the lines about the final board."""
        return ["", match.position.words]

    def closing(self, match: Match, winner: str, loser: str) -> list[str]:
        """Return the last sentences of a game that ended by its rules."""
        why = match.termination_words
        return [f"{capital(why)}.", f"{winner} wins the game!"]

    def status(self, match: Match, you: int = 0) -> str:
        """Tell player 1, 2 or a watcher (0) whose turn it is and what fits, or who won."""
        if match.outcome:
            if not you:
                return f"{match.called(match.outcome.winner)} wins."
            return "You win." if you == match.outcome.winner else "You lose."
        mover = match.called(match.position.to_move)
        if you == other(match.position.to_move):
            return f"{mover} is thinking."
        fits = self.fits(match)
        return f"Your turn: {fits}." if you else f"{mover}'s turn: {fits}."

    def why(self, match: Match, you: int = 0) -> str:
        """Tell player 1, 2 or a watcher (0) why the game is over; "" before that."""
        if not match.outcome:
            return ""
        winner, loser = match.outcome.winner, other(match.outcome.winner)
        names = {player: "You" if player == you else match.called(player) for player in (1, 2)}
        if match.outcome.reason in ENDINGS:
            return f"{names[loser]} {ENDINGS[match.outcome.reason]}."
        return self.why_by_rules(match, names[winner], names[loser])

    def why_by_rules(self, match: Match, winner: str, loser: str) -> str:
        """Say why the winner won by the rules, in a past tense that fits both names and "You"."""
        assert match.outcome
        last = loser if match.position.to_move == match.outcome.winner else winner
        did, move = match.game.verb.did, match.game.in_words(match.moves[-1])
        return f"{last} {did} {move}, and {match.termination_words}."

    def rules(self, game: Game) -> str:
        """Return the rules in two sentences: what to do on a turn, and how the game is won."""
        return game.rules_lead()

    def fits(self, match: Match) -> str:
        """Return what the player to move may play, as a phrase for pages."""
        return f"{match.game.verb.do} {self._choices(match)}"


def dialogue_of(game: Game, bold: Callable[[str], str] = str) -> Dialogue:
    """Return the dialogue of a game."""
    dialogue: Dialogue = load(parts_of(game).dialogue)(bold)
    return dialogue


def listed_numbers(numbers: Sequence[Any]) -> list[str]:
    """Return numbers as texts: one by one if they are few, otherwise as ranges."""
    if len(numbers) <= LONGEST_LIST:
        return [str(number) for number in numbers]
    return cut(ranges(numbers))


def cut(items: list[str]) -> list[str]:
    """Return a list without its middle if it would fill the screen."""
    if len(items) <= LONGEST_LIST:
        return items
    return [*items[:50], f"… {len(items) - 60} more …", *items[-10:]]
