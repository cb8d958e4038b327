"""Where matches are kept between two sittings: one small file each, replaced as a whole.

A file is replaced only when its successor is safely on disk, so whatever happens in between (a
killed process, a full disk), the last accepted move but at most one is still there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any
from zlib import crc32

from duels.core.errors import MatchError, RecordError
from duels.core.words import quoted
from duels.match import Match
from duels.record import jsonl


def default_folder() -> Path:
    """The state folder of this user, as the system has it (XDG_STATE_HOME on Linux)."""
    from platformdirs import user_state_path

    return user_state_path("duels", appauthor=False) / "matches"


class Store:
    """The matches in one folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or default_folder()

    def save(self, match: Match, record_file: Path | None = None) -> None:
        """Put the match on disk before returning; OSError if that cannot be done."""
        data = jsonl.as_dict(match) | {"record_file": str(record_file) if record_file else None}
        self.folder.mkdir(parents=True, exist_ok=True)
        replace_file(self._path(match.id), json.dumps(data, ensure_ascii=False) + "\n")

    def load(self, match_id: str) -> tuple[Match, Path | None]:
        """A match and the file its record goes to, if any."""
        if not match_id.isalnum():
            raise MatchError(f"{quoted(match_id)} is not the id of a saved game.")
        try:
            data = json.loads(self._path(match_id).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise MatchError(f"There is no saved game {quoted(match_id)}.") from None
        except OSError as error:
            raise RecordError(
                f"The saved game {match_id} cannot be read: {error.strerror}."
            ) from None
        except (ValueError, RecursionError):
            raise RecordError(f"The saved game {match_id} is damaged: it is not JSON.") from None
        try:
            match = jsonl.from_dict(data)
        except RecordError as error:
            said = str(error).rstrip(".")
            raise RecordError(f"The saved game {match_id} is damaged: {said}.") from None
        record_file = data.get("record_file")
        return match, Path(record_file) if record_file else None

    def all(self) -> Iterator[Match | RecordError]:
        """Every match, the latest first; a damaged one as the error that names it."""
        for path in sorted(self.folder.glob("*.json"), key=_modified, reverse=True):
            try:
                yield self.load(path.stem)[0]
            except RecordError as error:
                yield error
            except MatchError:
                continue  # not one of ours, or gone since

    def forget(self, match_id: str) -> None:
        """Remove a match for good, even a damaged one, unless somebody is playing it."""
        with suppress(RecordError):
            self.load(match_id)
        with self.playing(match_id):
            self.drop(match_id)

    def drop(self, match_id: str) -> None:
        """Remove a match that is held; nothing happens if there is none."""
        self._path(match_id).unlink(missing_ok=True)

    @contextmanager
    def playing(self, match_id: str) -> Iterator[None]:
        """Hold a match while it is played; MatchError if another program holds it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = hold(self.folder / ".lock", place=crc32(match_id.encode()))
        except OSError:
            yield  # nothing can be saved here; then there is nothing to guard either
            return
        if not handle:
            raise MatchError(f"Game {match_id} is being played in another window.")
        with handle:
            yield

    def _path(self, match_id: str) -> Path:
        return self.folder / f"{match_id}.json"


def replace_file(path: Path, content: str) -> None:
    """Write a file so that it is either the old one or the new one, never half of it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink()
        raise


def hold(path: Path, place: int = 0) -> IO[str] | None:
    """An open file of which we hold one byte until it is closed; None if another program has it.

    OSError if no file can be held there. The lock is the operating system's: it is between
    programs, not within one, and ends with the process, however that ends.
    """
    handle = path.open("a")
    try:
        is_ours = _lock(handle.fileno(), place)
    except OSError:
        handle.close()
        raise
    if is_ours:
        return handle
    handle.close()
    return None


def _lock(file: int, place: int) -> bool:
    """Lock the byte at `place` of an open file; False if another process has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        return _lock_on_windows(file, place)
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except (BlockingIOError, PermissionError):  # anything else: this file system has no locks
        return False
    return True


def _lock_on_windows(file: int, place: int) -> bool:
    msvcrt: Any = import_module("msvcrt")
    os.lseek(file, place, os.SEEK_SET)
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def _modified(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
