"""A match in a line, a game in a line, and what to type to see it again."""

from __future__ import annotations

import sys
from datetime import datetime

from duels.core.console import shell_command
from duels.core.game import Game
from duels.games.added import added
from duels.match.match import Match


def describe(match: Match) -> str:
    """A match in one line: what, who, when, how far."""
    one, two = match.seats
    moves = f"{len(match.moves)} move{'' if len(match.moves) == 1 else 's'}"
    if match.outcome:
        moves += f", {match.name(match.outcome.winner)} won ({match.termination_words})"
    if match.duel:
        moves = f"game {match.duel.number} of {match.duel.of}, {moves}"
    when, title = _local(match.date), game_in_words(match.game)
    return f"{title}, {one.label} against {two.label}, {when}, {moves}"


def game_in_words(game: Game, *, usual_too: bool = False) -> str:
    """The title of a game with the options that matter, or all of them."""
    options = game.options_in_words(usual_too=usual_too)
    return f"{game.title} ({options})" if options else game.title


def command_for(game: Game, *words: str) -> str:
    """What to type to come back to this game: one of a file needs its file."""
    file = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    return shell_command(*(["--with", file] if file in added else []), *words)


def _local(date: str) -> str:
    """A date of a record in the time of this place."""
    try:
        return datetime.fromisoformat(date).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return date[:16]
