"""The games that are kept: which can be gone on with, which cannot, and which it shall be."""

from __future__ import annotations

from datetime import UTC, datetime
from sys import maxsize
from typing import NamedTuple

from duels.core.errors import MatchError, MissingGame, RecordError
from duels.match.match import Match
from duels.match.saved_games import SavedGames
from duels.terminal.asking import Back, ask
from duels.terminal.talk import Talk
from duels.terminal.ways import by_number, show_list
from duels.terminal.words import game_in_words

MOST_LISTED = 10
ALL = "all"


class Saved(NamedTuple):
    """What a store holds beside finished games."""

    unfinished: list[Match]
    missing: list[MissingGame]
    """Unfinished too, of games that are not here."""
    damaged: list[RecordError]


def saved_games(store: SavedGames) -> Saved:
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


def in_a_line(match: Match, store: SavedGames, room: int = maxsize) -> str:
    """Who plays what, at which move, and how long ago; what does not fit the room is left out."""
    duel = f"game {match.duel.number} of {match.duel.of}, " if match.duel else ""
    last = f"{duel}move {len(match.moves) + 1}, {_ago(store.last_played(match.id))}"
    one, two = match.seats
    names, playing = f"{one.name} against {two.name}", game_in_words(match.game)
    whole = f"{one.label} against {two.label}, {playing}"
    for text in (whole, f"{names}, {playing}", f"{names}, {match.game.title}"):
        line = f"{text}, {last}"
        if len(line) <= room:
            return line
    if len(last) + 3 < room:
        return f"{line[: room - len(last) - 3]}…, {last}"
    return last if len(last) <= room else f"{last[: room - 1]}…"


def _ago(seconds: float) -> str:
    """How long ago that time was."""
    minutes = int(max(datetime.now(UTC).timestamp() - seconds, 0) // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    if minutes < 24 * 60:
        return f"{minutes // 60} h ago"
    days = minutes // (24 * 60)
    return "a day ago" if days == 1 else f"{days} days ago"


def ask_unfinished(talk: Talk, store: SavedGames) -> Match:
    """Which of the unfinished games to go on with; some may be forgotten. Back if none is left."""
    while unfinished := saved_games(store).unfinished:
        shown = unfinished[:MOST_LISTED]
        room = talk.size.columns - len(str(len(shown))) - 5
        show_list(talk, [in_a_line(match, store, room) for match in shown])
        if len(unfinished) > MOST_LISTED:
            talk.tell(f"  ... and {len(unfinished) - MOST_LISTED} older ones")
        typed = ask(talk, "Which one? [1] (or: forget 1 2, forget all, back) ") or "1"
        word, *rest = typed.lower().split()
        try:
            if word != "forget":
                return _chosen(typed, unfinished)
            chosen = unfinished if rest == [ALL] else [_chosen(one, unfinished) for one in rest]
            if chosen and talk.agree(f"Forget {_games(len(chosen))} for good?"):
                for match in chosen:
                    store.forget(match.id)
        except MatchError as error:
            talk.tell(str(error))
    talk.tell("There is no unfinished game.")
    raise Back


def _chosen(typed: str, unfinished: list[Match]) -> Match:
    named = [match for match in unfinished if match.id == typed]
    if match := by_number(typed, unfinished) or next(iter(named), None):
        return match
    numbers = f"a number from 1 to {len(unfinished)}" if len(unfinished) > 1 else "1"
    raise MatchError(f"Type {numbers}, or back.")


def _games(count: int) -> str:
    return "this game" if count == 1 else f"these {count} games"
