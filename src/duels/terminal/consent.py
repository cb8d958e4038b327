"""A saved game that would run a program or write a file: whoever goes on with it is asked first.

Somebody else may have put the saved game there, so nothing in it can say yes: only an answer at
the terminal, or the same words on the command line.
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
    """What somebody has said on the command line: computers, and where the record goes."""

    computers: tuple[str, ...] = ()
    record_file: Path | None = None


def ask_consent(
    talk: Talk, match: Match, record_file: Path | None = None, given: Given | None = None
) -> Path | None:
    """The file for the record, if it may be written; MatchError if the match may not go on.

    `given` is what the command line said, where it can say anything.
    """
    said = given or Given()
    known = [read_spec(spec) for spec in said.computers]
    specs = {seat.computer: None for seat in match.seats if seat.computer}
    asked = [spec for spec in specs if what_it_does(spec) and read_spec(spec) not in known]
    doings = [f"{what_it_does(spec)}: {spec}" for spec in asked]
    words = [word for spec in asked for word in ("--vs", spec)]
    is_said = said.record_file and record_file and said.record_file.absolute()
    if record_file and is_said != record_file.absolute():
        doings.append(f"writes its record to a file: {record_file}")
        words += ["--record", str(record_file)]
    if not doings:
        return record_file
    sentence = printable("; it ".join(["This game " + doings[0], *doings[1:]]))
    if not talk.interactive:
        again = command_for(match.game, "resume", match.id, *words)
        how = f"To go on all the same: {printable(again)}" if given else "Try that at a terminal."
        raise MatchError(f"{sentence}. Nobody here can be asked whether it may. {how}")
    talk.note(f"{sentence}.")
    if talk.ask("Is that all right? [y/N] ").strip().lower() in {"y", "yes"}:
        return record_file
    if asked:
        raise MatchError("Then it does not go on. Nothing was started.")
    talk.note("Then it goes on without a record.")
    return None
