"""Matches that are written down: unfinished and finished games here, and files of records."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from sys import maxsize
from typing import NamedTuple

from duels.core.errors import MatchError, MissingGame, RecordError
from duels.core.words import printable, quoted
from duels.match.match import DEFAULT_NAMES, Match
from duels.match.players.specs import read_spec, what_it_does
from duels.match.records import LARGEST, read_lines, read_records
from duels.match.saved_games import SavedGames
from duels.terminal.talk import Talk
from duels.terminal.words import (
    called,
    command_for,
    first_fitting,
    fitted,
    game_in_words,
    opponents_in_words,
    width,
)


class Given(NamedTuple):
    """What the command line names: computers, and the file for the record."""

    computers: tuple[str, ...] = ()
    record_file: Path | None = None


class Consent(NamedTuple):
    """What a saved game would do."""

    sentence: str
    flags: tuple[str, ...]
    """What to add to a command that allows it."""
    starts_program: bool
    """Whether it cannot be played without permission; otherwise only its record is not written."""


def consent_needed(
    match: Match, record_file: Path | None = None, given: Given | None = None
) -> Consent | None:
    """Return what a match would do that the command line has not allowed, or None."""
    said = given or Given()
    known = [read_spec(spec) for spec in said.computers]
    specs = {seat.computer: None for seat in match.seats if seat.computer}
    external = [spec for spec in specs if what_it_does(spec) and read_spec(spec) not in known]
    effects = [f"{what_it_does(spec)}: {spec}" for spec in external]
    flags = [word for spec in external for word in ("--vs", spec)]
    is_said = said.record_file and record_file and said.record_file.absolute()
    if record_file and is_said != record_file.absolute():
        effects.append(f"writes its record to a file: {record_file}")
        flags += ["--record", str(record_file)]
    if not effects:
        return None
    sentence = printable("; it ".join(["This game " + effects[0], *effects[1:]]))
    return Consent(f"{sentence}.", tuple(flags), bool(external))


def ask_consent(
    talk: Talk, match: Match, record_file: Path | None = None, given: Given | None = None
) -> Path | None:
    """Return the file for the record, if it may be written; MatchError if the match may not run.

    `given` is what the command line allows, where it can allow anything.
    """
    consent = consent_needed(match, record_file, given)
    if not consent:
        return record_file
    if not talk.interactive:
        again = command_for(match.game, "resume", match.id, *consent.flags)
        how = f"To allow it: {printable(again)}" if given else "Try this at a terminal."
        raise MatchError(f"{consent.sentence} There is no terminal to ask for permission. {how}")
    talk.note(consent.sentence)
    if talk.ask("Is that all right? [y/N] ").strip().lower() in {"y", "yes"}:
        return record_file
    if consent.starts_program:
        raise MatchError("The game was not resumed. Nothing was started.")
    talk.note("The game continues without a record.")
    return None


MOST_NAMED = 20
"""Damaged records that are named one by one."""
STANDARD = "-"
"""In place of a file: standard input."""


class Saved(NamedTuple):
    """What a store contains."""

    unfinished: list[Match]
    """Matches to resume; of a duel, the one that is played next."""
    finished: list[Match]
    missing: list[MissingGame]
    """Unfinished matches of games that are not installed."""
    damaged: list[RecordError]


def saved_games(store: SavedGames) -> Saved:
    """Return everything in a store, the latest first."""
    saved = Saved([], [], [], [])
    everything = [*store.all()]
    ids = {match.id for match in everything if isinstance(match, Match)}
    for match in everything:
        if isinstance(match, Match):
            following = match.next()
            if not match.outcome:
                saved.unfinished.append(match)
            elif following and following.id not in ids:
                saved.unfinished.append(following)
            if match.outcome:
                saved.finished.append(match)
        elif not isinstance(match, MissingGame):
            saved.damaged.append(match)
        elif not match.is_over:
            saved.missing.append(match)
    return saved


def in_a_line(match: Match, store: SavedGames, room: int = maxsize) -> str:
    """Return who plays what, at which move, and how long ago, as far as it fits the room."""
    duel = f"game {match.duel.number} of {match.duel.of}, " if match.duel else ""
    won = match.outcome.winner if match.outcome else 0
    move = f"move {len(match.moves) + 1}"
    short = stage = f"{called(match, won)} won" if won else move
    ago = _ago(_last_played(match, store))
    one, two = match.seats
    title, names = match.game.title, opponents_in_words(match, with_level=False)
    whole, board = opponents_in_words(match), game_in_words(match.game)
    shorter = board if match.person else f"{names}, {title}"  # "you" know who plays
    if match.person and match.name(match.person) not in DEFAULT_NAMES:  # one of several people
        whole, names = f"{one.label} against {two.label}", f"{one.name} against {two.name}"
        shorter = f"{names}, {title}"
        stage = f"{match.name(won)} won" if won else move
    line = first_fitting(
        room,
        f"{whole}, {board}, {duel}{stage}, {ago}",
        f"{names}, {board}, {duel}{stage}, {ago}",
        f"{whole}, {title}, {duel}{stage}, {ago}",
        f"{shorter}, {duel}{stage}, {ago}",
        f"{title}, {duel}{short}, {ago}",
        f"{title}, {short}",
    )
    return line if width(line) <= room else fitted(line, room).rstrip()


def _last_played(match: Match, store: SavedGames) -> float:
    """Return when a match was last saved; one about to begin was saved with the one before it."""
    number = match.duel.number if match.duel else 1
    ids = [match.id, match.duel_id, *(f"{match.duel_id}g{n}" for n in range(2, number))]
    return max(map(store.last_played, ids))


def _ago(seconds: float) -> str:
    minutes = int(max(datetime.now(UTC).timestamp() - seconds, 0) // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    if minutes < 24 * 60:
        return f"{minutes // 60} h ago"
    days = minutes // (24 * 60)
    return "a day ago" if days == 1 else f"{days} days ago"


def find_matches(source: str, store: SavedGames, talk: Talk) -> list[Match]:
    """Return the matches of a file of records, or the saved match of an id; else the latest."""
    if not source:
        return [_latest_finished(store, talk)]
    if source == STANDARD:
        return _readable(read_lines(sys.stdin.buffer.read(LARGEST)), "standard input", talk)
    path = Path(source).expanduser()
    if not path.exists() and source.isalnum():
        try:
            return [store.load(source)[0]]
        except MatchError:
            words = f"There is no file and no saved game {quoted(source)}."
            raise MatchError(words) from None
    return _readable(read_records(path), str(path), talk)


def read_pasted(text: str) -> list[Match]:
    """Return the matches of records that were pasted; RecordError if none can be read."""
    records = [*read_lines(text.encode())]
    matches = [record for record in records if isinstance(record, Match)]
    if matches:
        return matches
    errors = [str(record) for record in records if isinstance(record, RecordError)]
    raise RecordError(f"This is not a record of a match. {' '.join(errors[:1])}".rstrip())


def _readable(records: Iterable[Match | RecordError], where: str, talk: Talk) -> list[Match]:
    """Return the matches, and name the records that cannot be read."""
    matches: list[Match] = []
    damaged: list[RecordError] = []
    missing: dict[str, int] = {}
    for record in records:
        if isinstance(record, Match):
            matches.append(record)
        elif isinstance(record, MissingGame):
            missing.setdefault(str(record), record.line)
        else:
            damaged.append(record)
    for error in damaged[:MOST_NAMED]:
        said = str(error).rstrip(".")
        talk.note(f"{where}, line {error.line}: this record is damaged: {said}.")
    if len(damaged) > MOST_NAMED:
        talk.note(f"... and {len(damaged) - MOST_NAMED:,} more damaged records.")
    for said, line in missing.items():
        talk.note(f"{where}, line {line}: {said}. Add the game: duels --with FILE.py ...")
    if not matches:
        raise RecordError(f"{where} has no readable record.")
    return matches


def _latest_finished(store: SavedGames, talk: Talk) -> Match:
    for match in store.all():
        if isinstance(match, Match):
            if match.outcome:
                return match
        elif isinstance(match, MissingGame) and match.is_over:
            talk.note(str(match))
    raise MatchError("There is no finished game here yet.")
