"""A puzzle at the terminal: find the only winning move."""

from __future__ import annotations

from duels.core.errors import DuelsError
from duels.core.game import Position
from duels.terminal.board import draw
from duels.terminal.rules import rules_lines
from duels.terminal.talk import Talk
from duels.terminal.words import game_in_words
from duels.theory import solve


class Puzzle:
    """A position with one winning move, and somebody who looks for it."""

    def __init__(self, position: Position, talk: Talk) -> None:
        self.position = position
        self.talk = talk
        self.verdict = solve(position)
        (self.answer,) = self.verdict.winning_moves

    def run(self) -> None:
        """Ask until the move is found, or until somebody gives up or leaves."""
        self.talk.tell(f"{game_in_words(self.position.game)}. One move wins. Which?")
        self._show()
        while True:
            try:
                typed = self.talk.ask("Your move (or give up): ").strip()
            except EOFError:
                return
            match typed.lower():
                case "quit" | "q" | "exit":
                    return
                case "give up":
                    answer = self.position.game.format(self.answer)
                    self.talk.tell(f"The answer is {answer}. {self.verdict.reason}")
                    return
                case "" | "help" | "?":
                    help_words = "Type the one winning move; or board, moves, rules, give up, quit."
                    self.talk.tell(help_words)
                case "board" | "moves":
                    self._show()
                case "rules":
                    game = self.position.game
                    self.talk.say(*rules_lines(type(game), self.talk.size.columns))
                case _:
                    if self._is_solved_by(typed):
                        return

    def _is_solved_by(self, typed: str) -> bool:
        """Whether that was the move; else why it was not."""
        try:
            after = self.position.play(self.position.game.parse(typed))
        except DuelsError as error:
            self.talk.tell(f"{error} Type help to see what you can do.")
            return False
        if after == self.position.play(self.answer):
            self.talk.tell(f"Right! {self.verdict.reason}")
            return True
        reason = solve(after).reason
        self.talk.tell(f"That loses. Your opponent would say: {reason}", "Try again.")
        return False

    def _show(self) -> None:
        position, columns = self.position, self.talk.size.columns
        self.talk.say("", *draw(position, self.talk.style, columns), "")
        moves = [position.game.format(move) for move in position.legal_moves]
        self.talk.tell(f"Moves: {', '.join(moves)}")
