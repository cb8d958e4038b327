"""Saved games and notebooks, the files of one person at this computer.

A saved game is one small file for each match, replaced as a whole after every move.

A file is replaced only when its successor is safely on disk, so a killed process or a full disk
costs one move at most. Files are not trusted: a file that is not exactly in our format is not read,
and the others are still listed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from zlib import crc32

from duels.core.console import shell_command
from duels.core.errors import DuelsError, MatchError, MissingGame, RecordError
from duels.core.files import (
    lock_file,
    private_folder,
    read_small,
    remove_stale_drafts,
    replace_file,
    version_fault,
)
from duels.core.words import quoted
from duels.match.match import Match
from duels.match.players.specs import read_spec
from duels.match.record_data import FIELDS, VERSION, read_record, record_data

LARGEST = 32 * 2**20
"""The largest saved game that is read, in bytes: more than a million moves take."""
RECORD_FILE = "record_file"
"""The one field that a saved game has in addition to a record: the path of the record, or None."""


def state_folder() -> Path:
    """Return the folder for this user's state, where the system expects it."""
    from platformdirs import user_state_path

    return user_state_path("duels", appauthor=False)


class SavedGames:
    """The saved games in one folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or state_folder() / "matches"

    def save(self, match: Match, record_file: Path | None = None) -> None:
        """Save the match before returning; OSError if that fails."""
        data = record_data(match) | {RECORD_FILE: str(record_file) if record_file else None}
        self._make_folder()
        replace_file(self._path(match.id), json.dumps(data) + "\n", private=True)

    def load(self, match_id: str) -> tuple[Match, Path | None]:
        """Return a match and its record file (None if it has none)."""
        if not match_id.isalnum():
            raise MatchError(f"{quoted(match_id)} is not the id of a saved game.")
        try:
            data = json.loads(read_small(self._path(match_id), LARGEST).decode())
        except FileNotFoundError:
            raise MatchError(f"There is no saved game {quoted(match_id)}.") from None
        except OSError as error:
            raise RecordError(
                f"The saved game {match_id} cannot be read: {error.strerror}."
            ) from None
        except (ValueError, RecursionError):
            raise RecordError(f"The saved game {match_id} is damaged: it is not JSON.") from None
        says_version = isinstance(data, dict) and type(data.get("version")) is int
        if says_version and (fault := version_fault(data, VERSION)):
            raise RecordError(f"The saved game {match_id} cannot be read: {fault}.")
        try:
            _check_fields(data)
            match = read_record(data)
            _check(match, match_id)
        except MissingGame as error:
            is_over = data.get("result", "*") != "*"
            word = "replay" if is_over else "resume"
            bring = shell_command("--with", "FILE.py", word, match_id)
            use = f"To {'see' if is_over else 'continue'} it, add the game: {bring}"
            missing = MissingGame(f"The saved game {match_id} is safe, but {error}. {use}")
            missing.is_over = is_over
            raise missing from None
        except DuelsError as error:
            said = str(error).rstrip(".")
            raise RecordError(f"The saved game {match_id} is damaged: {said}.") from None
        record_file = data[RECORD_FILE]
        return match, Path(record_file) if record_file else None

    def load_current(self, match_id: str) -> tuple[Match, Path | None]:
        """Like `load`, but return the latest match of a duel, perhaps one about to begin."""
        try:
            match, record_file = self.load(match_id)
        except MatchError:
            first, _, number = match_id.partition("g")
            if not number.isdecimal():
                raise
            match, record_file = self.load(first)  # the next match of its duel has not begun
        while following := match.next():
            try:
                match, record_file = self.load(following.id)
            except MatchError:
                return following, record_file
        return match, record_file

    def all(self) -> Iterator[Match | RecordError]:
        """Yield every match, the latest first; a damaged one as the error that names it."""
        for path in sorted(self.folder.glob("*.json"), key=_modified, reverse=True):
            try:
                yield self.load(path.stem)[0]
            except RecordError as error:
                yield error
            except MatchError:
                continue  # not one of our files, or removed since

    def last_played(self, match_id: str) -> float:
        """Return when a match was last saved, in seconds since 1970."""
        return _modified(self._path(match_id))

    def forget(self, match_id: str) -> None:
        """Remove a match, even a damaged one, or its duel; MatchError if it is being played."""
        held, is_duel = match_id, False
        with suppress(RecordError):
            match = self.load(match_id)[0]
            held, is_duel = match.duel_id, bool(match.duel)
        with self.playing(held):
            self.drop(match_id)
            for saved in self.all() if is_duel else ():
                if isinstance(saved, Match) and saved.duel_id == held:
                    self.drop(saved.id)

    def drop(self, match_id: str) -> None:
        """Remove a match that the caller has locked, if it exists."""
        self._path(match_id).unlink(missing_ok=True)

    @contextmanager
    def playing(self, match_id: str) -> Iterator[None]:
        """Lock a match or a duel while it is played; MatchError if another program has the lock."""
        try:
            self._make_folder()
            remove_stale_drafts(self.folder)
            handle = lock_file(self.folder / ".lock", place=crc32(match_id.encode()))
        except OSError:
            yield  # nothing can be saved here, so there is nothing to lock either
            return
        if not handle:
            raise MatchError(f"Game {match_id} is being played in another window.")
        with handle:
            yield

    def _make_folder(self) -> None:
        """Make the folder and the state folder around it, private to this user."""
        private_folder(self.folder.parent)
        private_folder(self.folder)

    def _path(self, match_id: str) -> Path:
        return self.folder / f"{match_id}.json"


def _check_fields(data: Any) -> None:
    """Raise RecordError unless plain data has exactly the fields of a saved game."""
    if not isinstance(data, dict):
        raise RecordError("it is not a JSON object")
    known = (*FIELDS, RECORD_FILE)
    for name in known:
        if name not in data:
            raise RecordError(f"the field {quoted(name)} is missing")
    for name in data:
        if name not in known:
            raise RecordError(f"unknown field {quoted(name)}")
    if not isinstance(data[RECORD_FILE], str | None):
        raise RecordError("its record_file must be a path")


def _check(match: Match, match_id: str) -> None:
    """Raise DuelsError unless the match has the id of its file and players that exist."""
    if match.id != match_id:
        raise RecordError(f"it is the game {quoted(match.id)}")
    for seat in match.seats:
        if seat.computer:
            read_spec(seat.computer)


def _modified(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


NOTEBOOK_VERSION = 1
LARGEST_NOTEBOOK = 2**20
"""The largest notebook that is read, in bytes."""


class Notebook:
    """A file in the state folder with one JSON object: entries by name."""

    def __init__(self, subject: str, folder: Path | None = None) -> None:
        self.path = (folder or state_folder()) / f"{subject}.json"

    def read(self) -> dict[str, Any]:
        """Return the entries: none if the file is missing or damaged.

        RecordError if another version of the program wrote it: then it must not be overwritten.
        """
        try:
            data = json.loads(read_small(self.path, LARGEST_NOTEBOOK).decode())
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(data, dict) or type(data.get("version")) is not int:
            return {}
        if fault := version_fault(data, NOTEBOOK_VERSION):
            raise RecordError(f"{self.path} cannot be read: {fault}.")
        return {name: entry for name, entry in data.items() if name != "version"}

    def note(self, **entries: Any) -> None:
        """Save these entries, leaving the others unchanged; OSError if that fails."""
        private_folder(self.path.parent)
        remove_stale_drafts(self.path.parent)
        content = {"version": NOTEBOOK_VERSION, **self.read(), **entries}
        replace_file(self.path, json.dumps(content, indent=1) + "\n", private=True)
