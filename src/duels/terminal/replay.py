"""A match that has been played, again: as it was after any of its moves, or told at once."""

from __future__ import annotations

from dataclasses import replace

from duels.dialogue import dialogue_of
from duels.match import Match
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


def tell_again(match: Match, talk: Talk) -> None:
    """The whole talk of a match again, for whoever has no keys to step through it."""
    dialogue, plies = dialogue_of(match.game, talk.style.bold), Plies(match)
    before = plies.after(0)
    lines = [describe(match), "", *dialogue.opening(before)]
    for ply in range(1, len(match.moves) + 1):
        after = plies.after(ply)
        typed = dialogue.move(after, after.moves[-1])
        lines += [*dialogue.turn(before), dialogue.prompt(before) + typed, *dialogue.played(after)]
        before = after
    lines += dialogue.ending(match) if match.outcome else ["", "The match was not finished."]
    talk.page(*lines)
