"""A match that has been played, again: as it was after any of its moves, or told at once."""

from __future__ import annotations

from dataclasses import replace

from duels.dialogue import dialogue_of
from duels.match import Match
from duels.terminal.talk import Talk
from duels.terminal.words import describe


def match_after(match: Match, ply: int) -> Match:
    """A match as it was after so many of its moves."""
    if ply == len(match.moves):
        return match
    position = match.game.position(*match.moves[:ply])
    return replace(match, position=position, seconds=(), ended=None, time_limit=None)


def tell_again(match: Match, talk: Talk) -> None:
    """The whole talk of a match again, for whoever has no keys to step through it."""
    dialogue, here = dialogue_of(match.game, talk.style.bold), match_after(match, 0)
    lines = [describe(match), "", *dialogue.opening(here)]
    for number, move in enumerate(match.moves, start=1):
        lines += [*dialogue.turn(here), dialogue.prompt(here) + dialogue.move(here, move)]
        here = here.play(move) if number < len(match.moves) else match
        lines += dialogue.played(here)
    lines += dialogue.ending(match) if match.outcome else ["", "The match was not finished."]
    talk.page(*lines)
