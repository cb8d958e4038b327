"""Permission for a saved game to run a program or write a file.

Anyone could have put a saved game into the folder, so nothing in it can grant permission: only an
answer of the player, or the same words on the command line.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from duels.core.errors import MatchError
from duels.core.words import printable
from duels.match.match import Match
from duels.match.players.specs import read_spec, what_it_does
from duels.terminal.talk import Talk
from duels.terminal.words import command_for


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
    asked = [spec for spec in specs if what_it_does(spec) and read_spec(spec) not in known]
    effects = [f"{what_it_does(spec)}: {spec}" for spec in asked]
    flags = [word for spec in asked for word in ("--vs", spec)]
    is_said = said.record_file and record_file and said.record_file.absolute()
    if record_file and is_said != record_file.absolute():
        effects.append(f"writes its record to a file: {record_file}")
        flags += ["--record", str(record_file)]
    if not effects:
        return None
    sentence = printable("; it ".join(["This game " + effects[0], *effects[1:]]))
    return Consent(f"{sentence}.", tuple(flags), bool(asked))


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
