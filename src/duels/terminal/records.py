"""Matches that are written down: found by a file, an id or a paste, and shown again."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from duels.coach.review import Review, review
from duels.core.errors import DuelsError, MatchError, MissingGame, RecordError
from duels.match.dialogue import dialogue_of
from duels.match.match import Match
from duels.match.record_data import RESULTS
from duels.match.records import LARGEST, read_lines, read_records
from duels.match.saved_games import SavedGames
from duels.terminal.asking import ask
from duels.terminal.keys import forget_typed
from duels.terminal.stepper import Stepper, can_step, match_after
from duels.terminal.talk import Talk
from duels.terminal.words import describe
from duels.theory import theory_of

MOST_NAMED = 20
"""So many damaged records are named one by one."""
STANDARD = "-"
"""In place of a file: what comes through a pipe."""
PROMPT = "A file, a game's id, or paste a record, or back [your latest game]: "
HELP = (
    "Enter shows the game that you finished last. A file of records may have any name. "
    "A record that somebody sent you can be pasted whole. back goes to the menu."
)


def ask_matches(talk: Talk, store: SavedGames) -> list[Match]:
    """The matches that somebody names or pastes; Back if they want none."""
    typed = ask(talk, PROMPT, HELP)
    return (
        _read_pasted(typed, talk) if typed[:1] in ("[", "{") else find_matches(typed, store, talk)
    )


def find_matches(source: str, store: SavedGames, talk: Talk) -> list[Match]:
    """The matches of a file of records, or the saved one of an id; else the latest."""
    if not source:
        return [_latest_finished(store, talk)]
    if source == STANDARD:
        return _readable(read_lines(sys.stdin.buffer.read(LARGEST)), "standard input", talk)
    path = Path(source).expanduser()
    if not path.exists() and source.isalnum():
        return [store.load(source)[0]]
    return _readable(read_records(path), str(path), talk)


def step_through(match: Match, talk: Talk, *, is_last: bool = True) -> int | None:
    """Show a match; after how many moves somebody wants to play on, if they do."""
    if can_step(talk):
        return Stepper(match, talk, _quick_review(match), is_last=is_last).run()
    _tell_again(match, talk)
    return None


def _tell_again(match: Match, talk: Talk) -> None:
    """The whole talk of a match again, for whoever has no keys to step through it."""
    dialogue, here = dialogue_of(match.game, talk.style.bold), match_after(match, 0)
    lines = [describe(match), "", *dialogue.opening(here)]
    for number, move in enumerate(match.moves, start=1):
        lines += [*dialogue.turn(here), dialogue.prompt(here) + dialogue.move(here, move)]
        here = here.play(move) if number < len(match.moves) else match
        lines += dialogue.played(here)
    lines += dialogue.ending(match) if match.outcome else ["", "The match was not finished."]
    talk.page(*lines)


def _read_pasted(typed: str, talk: Talk) -> list[Match]:
    """A paste comes as one text, or line by line, which depends on the terminal."""
    lines = typed.splitlines()
    while not _is_whole(lines):
        try:
            lines += talk.ask("").splitlines() or [""]
        except EOFError:
            break
    forget_typed()
    return _readable(read_lines("\n".join(lines).encode()), "The paste", talk)


def _is_whole(lines: list[str]) -> bool:
    """Whether a record has its end: a result, an empty line below moves, or the end of its JSON."""
    if lines[0].startswith("{"):
        try:
            json.loads(lines[0])
        except (ValueError, RecursionError):
            return not lines[-1]
        return True
    has_moves = any(line and not line.startswith(("[", "{")) for line in lines)
    return has_moves and (not lines[-1].strip() or lines[-1].split()[-1] in RESULTS)


def _readable(records: Iterable[Match | RecordError], where: str, talk: Talk) -> list[Match]:
    """The matches; those that cannot be read are named, and the rest are read."""
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
        talk.note(f"{where}, line {line}: {said}. Bring it along: duels --with FILE.py ...")
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
    raise MatchError("No finished game is kept here yet.")


def _quick_review(match: Match) -> Review | None:
    """The truth about a match, unless it would have to be waited for."""
    start = match.game.start()
    try:
        return None if theory_of(start).is_slow(start) else review(match)
    except DuelsError:
        return None
