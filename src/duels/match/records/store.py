"""Where matches are kept between two sittings: one small file each, replaced as a whole.

A file is replaced only when its successor is safely on disk, so whatever happens in between (a
killed process, a full disk), the last accepted move but at most one is still there. Somebody else
may have put a file there: one that is not just as we write it is not read, and hides no other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from zlib import crc32

from duels.core.errors import DuelsError, MatchError, MissingGame, RecordError
from duels.core.files import (
    hold,
    private_folder,
    read_small,
    remove_stale_drafts,
    replace_file,
)
from duels.core.words import quoted
from duels.match.match import Match
from duels.match.players.specs import read_spec
from duels.match.records import jsonl
from duels.match.records.fields import check_form

LARGEST = 32 * 2**20
"""Bytes of a saved game: more than a million moves take."""


def state_folder() -> Path:
    """The state folder of this user, as the system has it (XDG_STATE_HOME on Linux)."""
    from platformdirs import user_state_path

    return user_state_path("duels", appauthor=False)


class Store:
    """The matches in one folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or state_folder() / "matches"

    def save(self, match: Match, record_file: Path | None = None) -> None:
        """Put the match on disk before returning; OSError if that cannot be done."""
        data = jsonl.as_dict(match) | {"record_file": str(record_file) if record_file else None}
        self._make_folder()
        replace_file(self._path(match.id), json.dumps(data) + "\n", private=True)

    def load(self, match_id: str) -> tuple[Match, Path | None]:
        """A match and the file its record goes to, if any."""
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
        try:
            check_form(data, record_file=(str, None))
            match = jsonl.from_dict(data)
            _check(match, match_id)
        except MissingGame as error:
            is_over = data.get("result", "*") != "*"
            bring = f"duels --with FILE.py {'replay' if is_over else 'resume'} {match_id}"
            missing = MissingGame(f"The saved game {match_id} is kept, but {error}: {bring}")
            missing.is_over = is_over
            raise missing from None
        except DuelsError as error:
            said = str(error).rstrip(".")
            raise RecordError(f"The saved game {match_id} is damaged: {said}.") from None
        record_file = data["record_file"]
        return match, Path(record_file) if record_file else None

    def load_current(self, match_id: str) -> tuple[Match, Path | None]:
        """The same, or where its duel has got to: a later match, perhaps one about to begin."""
        match, record_file = self.load(match_id)
        while following := match.next():
            try:
                match, record_file = self.load(following.id)
            except MatchError:
                return following, record_file
        return match, record_file

    def all(self) -> Iterator[Match | RecordError]:
        """Every match, the latest first; a damaged one as the error that names it."""
        for path in sorted(self.folder.glob("*.json"), key=_modified, reverse=True):
            try:
                yield self.load(path.stem)[0]
            except RecordError as error:
                yield error
            except MatchError:
                continue  # not one of ours, or gone since

    def last_played(self, match_id: str) -> float:
        """When it was last saved, in seconds since 1970."""
        return _modified(self._path(match_id))

    def forget(self, match_id: str) -> None:
        """Remove a match for good, even a damaged one, unless somebody plays it; a duel whole."""
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
        """Remove a match that is held; nothing happens if there is none."""
        self._path(match_id).unlink(missing_ok=True)

    @contextmanager
    def playing(self, match_id: str) -> Iterator[None]:
        """Hold a match, or a duel, while it is played; MatchError if another program holds it."""
        try:
            self._make_folder()
            remove_stale_drafts(self.folder)
            handle = hold(self.folder / ".lock", place=crc32(match_id.encode()))
        except OSError:
            yield  # nothing can be saved here; then there is nothing to guard either
            return
        if not handle:
            raise MatchError(f"Game {match_id} is being played in another window.")
        with handle:
            yield

    def _make_folder(self) -> None:
        """What is kept here is nobody else's: so is the folder, and the state folder around it."""
        private_folder(self.folder.parent)
        private_folder(self.folder)

    def _path(self, match_id: str) -> Path:
        return self.folder / f"{match_id}.json"


def _check(match: Match, match_id: str) -> None:
    """DuelsError unless it is the match that the file's name says, between players there are."""
    if match.id != match_id:
        raise RecordError(f"it is the game {quoted(match.id)}")
    for seat in match.seats:
        if seat.computer:
            read_spec(seat.computer)


def _modified(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
