"""Files: read untrusted ones, replace them atomically, lock them, and run Python files."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from time import time
from types import ModuleType
from typing import IO, Any
from zlib import crc32

from duels.core.errors import DuelsError, OptionError
from duels.core.words import quoted

DRAFTS = ".duels-*.draft"
STALE = 3600
"""Seconds after which a draft is abandoned."""
# Windows does not have these flags, nor named pipes that block.
_NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


def read_small(path: Path, most: int) -> bytes:
    """Return the content of an untrusted file; OSError if it is unreadable or above `most` bytes.

    Only regular files are read, because a pipe may block forever and a device has no end. The
    exception is a pipe that the shell made for <(command).
    """
    with os.fdopen(_open_regular(path, os.O_RDONLY), "rb") as file:
        return read_stream(file, most)


def read_stream(file: IO[bytes], most: int) -> bytes:
    """Return the rest of an open file; OSError if it has more than `most` bytes."""
    content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 2**20} MB")
    return content


def append_to(path: Path) -> IO[bytes]:
    """Open a file for appending, unbuffered; OSError if it is a link or not a regular file."""
    refuse_link(path)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINKS
    return os.fdopen(_open_regular(path, flags), "ab", buffering=0)


def refuse_link(path: Path) -> None:
    """Raise OSError if `path` is a symbolic link, so that nothing is written elsewhere."""
    if path.is_symlink():
        raise OSError(errno.ELOOP, "it is a symbolic link")


def _open_regular(path: Path, flags: int) -> int:
    handle = os.open(path, flags | _NO_WAITING, 0o666)
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISFIFO(mode) and path.parent == Path("/dev/fd"):
            os.set_blocking(handle, True)
        elif not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
    except OSError:
        os.close(handle)
        raise
    return handle


def parse_json(text: str | bytes) -> Any:
    """Return plain data from JSON; ValueError for a duplicate key, NaN or Infinity."""
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f'the key "{twice[:40]}" appears twice')
    return found


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def version_fault(data: Any, version: int) -> str:
    """Return why a file with this content cannot be read, or "" if it has the right version."""
    found = data.get("version") if isinstance(data, dict) else None
    if found is None:
        return "it has no version"
    if type(found) is not int or found != version:
        said = found if type(found) is int else quoted(found)
        return f"it has version {said}, and this program reads version {version}"
    return ""


def replace_file(path: Path, content: str, *, private: bool = False) -> None:
    """Replace a file atomically: after a crash it has either the old or the new content.

    Only its owner can read a private file.
    """
    with draft(path, private=private) as file:
        file.write(content.encode())


@contextmanager
def draft(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Open a new file that replaces `path` at the end of the block; on an error it is removed.

    Its name cannot be guessed, and an existing file or link of that name is not opened.
    """
    name = path.with_name(DRAFTS.replace("*", os.urandom(8).hex()))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS | getattr(os, "O_BINARY", 0)
    handle = os.open(name, flags, 0o600 if private else 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        name.replace(path)
    except BaseException:
        with suppress(OSError):
            name.unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that a new name in it survives a crash; not all systems support that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def remove_stale_drafts(folder: Path) -> None:
    """Remove drafts left by programs that were killed while writing."""
    for left in folder.glob(DRAFTS):
        with suppress(OSError):
            if left.lstat().st_mtime < time() - STALE:
                left.unlink()


def private_folder(folder: Path) -> None:
    """Create a folder that only its owner can read, or make an existing one private."""
    if not folder.parent.exists():
        private_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        with suppress(OSError):
            folder.chmod(0o700)


def lock_file(path: Path, place: int = 0) -> IO[str] | None:
    """Lock one byte of a file until the returned file is closed; None if another program has it.

    OSError if the file cannot be locked. The operating system manages the lock: it works between
    processes, not within one, and ends with the process even if that is killed.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINKS
    handle = os.fdopen(_open_regular(path, flags), "a")
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
    except (BlockingIOError, PermissionError):  # any other error: this file system has no locks
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


def run_file(path: Path, what: str) -> ModuleType:
    """Run a user's Python file as a module; OptionError names its line and `what` it is for."""
    name = f"{path.stem}_{crc32(str(path).encode())}"  # a name that no other module has
    if name in sys.modules:
        return sys.modules[name]
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise OptionError(f"{path} cannot be used as {what}: it is not a Python file.")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, DuelsError | KeyboardInterrupt):
            raise
        raise OptionError(f"{path} cannot be used as {what}. {fault(error, path)}") from None
    return module


def fault(error: BaseException, path: Path | None = None) -> str:
    """Return what went wrong in a user's code, and in which line."""
    from traceback import extract_tb

    what = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError) and error.lineno:
        return f"Line {error.lineno}: {what}"
    ours = str(Path(__file__).parent.parent)
    frames = [f for f in extract_tb(error.__traceback__) if not f.filename.startswith((ours, "<"))]
    frames = [f for f in frames if path is None or f.filename == str(path)] or frames
    if not frames:
        return what
    return f"{frames[-1].filename}, line {frames[-1].lineno}: {what}"
