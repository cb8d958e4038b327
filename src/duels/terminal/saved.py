"""The games that are kept: which can be gone on with, which cannot, and which it shall be."""

from __future__ import annotations

from typing import NamedTuple

from duels.core.errors import MissingGame, RecordError
from duels.match import Match
from duels.record.store import Store
from duels.terminal.questions import ask
from duels.terminal.talk import Talk
from duels.terminal.words import describe

MOST_LISTED = 10


class Saved(NamedTuple):
    """What a store holds beside finished games."""

    unfinished: list[Match]
    missing: list[MissingGame]
    """Unfinished too, of games that are not here."""
    damaged: list[RecordError]


def saved_games(store: Store) -> Saved:
    """Everything that is not finished, the latest first; of a duel, its latest match."""
    saved = Saved([], [], [])
    everything = [*store.all()]
    ids = {match.id for match in everything if isinstance(match, Match)}
    for match in everything:
        if isinstance(match, Match):
            following = match.next()
            if not match.outcome or (following and following.id not in ids):
                saved.unfinished.append(match)
        elif not isinstance(match, MissingGame):
            saved.damaged.append(match)
        elif not match.is_over:
            saved.missing.append(match)
    return saved


def ask_unfinished(talk: Talk, unfinished: list[Match]) -> Match:
    """Which of these games to go on with."""
    for number, match in enumerate(unfinished[:MOST_LISTED], start=1):
        talk.tell(f"  {number}. {match.id}  {describe(match)}")
    if len(unfinished) > MOST_LISTED:
        talk.tell(f"  ... and {len(unfinished) - MOST_LISTED} older ones")
    while True:
        typed = ask(talk, "Which one? [1] ") or "1"
        for number, match in enumerate(unfinished, start=1):
            if typed in (str(number), match.id):
                return match
        numbers = f"a number from 1 to {len(unfinished)}" if len(unfinished) > 1 else "1"
        talk.tell(f"Type {numbers}, or an id.")
