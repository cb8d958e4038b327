"""A match that has been played, again: with the arrow keys, step by step, or at once."""

from __future__ import annotations

from dataclasses import replace

from duels.core.words import whole_number
from duels.dialogue import dialogue_of
from duels.match import Match
from duels.terminal.board import draw
from duels.terminal.talk import Talk
from duels.terminal.words import describe


class Plies:
    """A match as it was after so many of its moves; the one that was asked for is remembered."""

    def __init__(self, match: Match) -> None:
        self.match = match
        start = match.game.start()
        self._start = replace(match, position=start, seconds=(), ended=None, time_limit=None)
        self._here = self._start

    def after(self, ply: int) -> Match:
        if ply == len(self.match.moves):
            return self.match
        if ply < len(self._here.moves):
            self._here = self._start
        for move in self.match.moves[len(self._here.moves) : ply]:
            self._here = self._here.play(move)
        return self._here


class Replay:
    """The talk of a match again, step by step on a terminal and at once elsewhere."""

    def __init__(self, match: Match, talk: Talk) -> None:
        self.match = match
        self.talk = talk
        self.dialogue = dialogue_of(match.game, talk.style.bold)
        self.plies = Plies(match)

    def run(self) -> None:
        self.talk.tell(describe(self.match), "")
        self.talk.tell(*self.dialogue.opening(self.plies.after(0)))
        if self.talk.interactive:
            self._step()
        else:
            for ply in range(1, len(self.match.moves) + 1):
                self._show(ply)
            self._end()

    def _step(self) -> None:
        ply, last = 0, len(self.match.moves)
        while True:
            self.talk.say("")
            try:
                typed = self.talk.ask(
                    f"[{ply} of {last}] Enter: next, b: back, 3: move 3, q: leave "
                )
            except EOFError:
                return
            word = typed.strip().lower()
            number = whole_number(word)
            if word in {"q", "quit", "exit"}:
                return
            if word in {"", "n", "next"}:
                number = ply + 1
            elif word in {"b", "back"}:
                number = ply - 1
            if number is None or not 0 <= number <= last:
                if number == last + 1:
                    self.talk.tell("That was the last move.")
                else:
                    self.talk.tell(f"Type Enter, b, q, or a number from 0 to {last}.")
                continue
            ply = number
            if ply:
                self._show(ply)
            columns, rows = self.talk.size
            self.talk.say("", *draw(self.plies.after(ply).position, self.talk.style, columns, rows))
            if ply == last:
                self._end()

    def _show(self, ply: int) -> None:
        """The turn that made move number `ply`."""
        before, after = self.plies.after(ply - 1), self.plies.after(ply)
        typed = self.dialogue.move(after, after.moves[-1])
        self.talk.tell(*self.dialogue.turn(before), self.dialogue.prompt(before) + typed)
        self.talk.tell(*self.dialogue.played(after))

    def _end(self) -> None:
        if self.match.outcome:
            self.talk.tell(*self.dialogue.ending(self.match))
        else:
            self.talk.say("", "The match was not finished.")
