"""What a match looks like at the terminal: the rule book's lines, and a board above them."""

from __future__ import annotations

from duels.core.game import Game
from duels.core.look import MARKS
from duels.match.dialogue import dialogue_of
from duels.match.match import Match
from duels.terminal.board import draw, legend
from duels.terminal.talk import Talk

ABOVE = 3
"""Lines that stay in view above a board: one's own last move, the computer's, an empty one."""


class View:
    """Shows a match to its players. On a pipe it is the rule book's sample dialogue and no more."""

    def __init__(self, game: Game, talk: Talk, *, show_moves: bool = True) -> None:
        self.talk = talk
        self.show_moves = show_moves
        self.dialogue = dialogue_of(game, talk.style.bold)
        self._just_said = False  # how the board stands, by the opening or after a move

    def named(self, match: Match) -> Match:
        """The match with the names by which its players are spoken of."""
        return match

    def opening(self, match: Match) -> None:
        self.talk.tell(*self.dialogue.opening(match))
        self._just_said = True
        if match.time_limit:
            self.talk.say(f"Time limit: {match.time_limit:g} seconds a turn.")
        if match.moves:
            moves = ", ".join(map(match.game.format, match.moves))
            self.talk.tell("", f"Moves so far: {moves}")

    def turn(self, match: Match) -> None:
        """What is said before a move is asked for. On a terminal a computer is asked nothing."""
        if self.talk.interactive and match.computer(match.position.to_move):
            return
        lines = self.dialogue.turn(match)
        says_all = self.dialogue.shows_board(match, just_said=self._just_said)
        board = self.show_board(match, lines) if self.talk.interactive and not says_all else []
        # What the board says need not be said again.
        self.talk.tell(*(line for line in lines if not line or line not in board))
        self._just_said = False

    def prompt(self, match: Match) -> str:
        return self.dialogue.prompt(match)

    def computer_thinks(self, match: Match) -> None:
        """Off a terminal the computer answers the prompt as a person would."""
        if not self.talk.interactive:
            self.talk.say_part(self.dialogue.prompt(match))

    def computer_moved(self, match: Match) -> None:
        """The last move of `match`: on a terminal the whole turn is one line."""
        if self.talk.interactive:
            self.tell_computers_move(match)
        else:
            self.talk.say(self.dialogue.move(match, match.moves[-1]))
            self.moved(match)

    def tell_computers_move(self, match: Match) -> None:
        player = 2 - len(match.moves) % 2
        mark = self.talk.style.player(MARKS[player], player)
        self.talk.tell(f"{mark} {self.dialogue.in_one_line(match)}")
        self._just_said = False

    def moved(self, match: Match) -> None:
        """What is said after the last move of `match`."""
        self.talk.tell(*self.dialogue.played(match))
        self._just_said = True

    def ending(self, match: Match) -> None:
        self.talk.tell(*self.dialogue.ending(match))

    def board(self, match: Match) -> None:
        """The board, because somebody asked for it."""
        columns, rows = self.talk.size
        lines = self._drawn(match, columns, max(rows - 4, 5))
        self.talk.say(*lines)
        self.explain(lines, set())

    def _drawn(self, match: Match, *size: int) -> list[str]:
        return draw(match.position, self.talk.style, *size, show_moves=self.show_moves)

    def show_board(self, match: Match, turn: list[str]) -> list[str]:
        """The board where there is room for it and what is said below; its lines as words."""
        talk = self.talk
        columns, rows = talk.size
        below = talk.wrapped(*turn, self.prompt(match))
        room = rows - len(below) - bool(match.time_limit)
        lines = whole = self._drawn(match, columns)
        if len(whole) > room:  # the part around the last move, if that is most of it
            lines = self._drawn(match, columns, max(room, 1))
            if not len(whole) // 2 < len(lines) <= room:
                return []
        talk.say(*([""] if len(lines) + ABOVE <= room else []), *lines)
        return [line.strip() for line in lines]

    def explain(self, board: list[str], said: set[str]) -> None:
        """What the brackets of a board mean, as far as that was not `said` before."""
        if meaning := legend(board, said):
            self.talk.say(*map(self.talk.style.faint, self.talk.wrapped(meaning)))
