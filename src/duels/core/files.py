"""Files that are replaced as a whole, and files that only one program may use at a time."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any


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
