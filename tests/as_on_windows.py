"""Runs `duels` without what Windows lacks: python tests/as_on_windows.py play …

Only our own modules miss it: other packages have ways of their own for each system.
"""

from __future__ import annotations

import builtins
import fcntl
import os
import pkgutil
import re
import signal
import subprocess  # noqa: F401  (before there is an msvcrt: it would take this for Windows)
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

MODULES = {"curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios"}
MODULES |= {"tty", "uvloop"}
LACKED = {
    "signal": (
        r"SIG(ALRM|BUS|CHLD|CONT|HUP|IO|KILL|PIPE|PROF|QUIT|STOP|TSTP|TTIN|TTOU|USR\d|WINCH)",
        r"SIG_(UN)?BLOCK|SIG_SETMASK|ITIMER_\w+|[gs]etitimer|alarm|pause",
        r"pthread_\w+|sig\w*wait\w*|siginterrupt",
    ),
    "os": (
        r"fork\w*|killpg|wait(3|4|id)?|W[A-Z]+|sched_\w+|(get|set)(e|re|res)?[ug]id|[gs]etpg\w+",
        r"[gs]etsid|[gs]etpriority|nice|uname|chroot|[fl]?chown|mkfifo|mknod|f?statvfs|posix_\w+",
        r"tc\w+|openpty|pipe2|ctermid|getloadavg|[gs]et_blocking",
        r"O_(NONBLOCK|NOFOLLOW|D?SYNC|CLOEXEC|DIRECTORY|NOCTTY|TMPFILE|PATH)",
    ),
}


def _without(real: ModuleType) -> ModuleType:
    less, lacked = ModuleType(real.__name__), re.compile("|".join(LACKED[real.__name__]))
    vars(less).update({k: v for k, v in vars(real).items() if not lacked.fullmatch(k)})
    return less


LESS = {"os": _without(os), "signal": _without(signal)}
_import = builtins.__import__


def _import_less(name: str, where: Any = None, *more: Any) -> Any:
    if str((where or {}).get("__name__")).partition(".")[0] != "duels":
        return _import(name, where, *more)
    if name in MODULES:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return LESS.get(name) or _import(name, where, *more)


def _locking(file: int, _mode: int, count: int) -> None:
    """Like msvcrt: lock from the current position of the file, or raise OSError."""
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, count, os.lseek(file, 0, os.SEEK_CUR))


builtins.__import__ = _import_less
sys.modules["msvcrt"] = msvcrt = ModuleType("msvcrt")
vars(msvcrt).update(locking=_locking, LK_NBLCK=2)

if __name__ == "__main__":
    import duels

    if sys.argv[1:] == ["--import-all"]:
        names = [found.name for found in pkgutil.walk_packages(duels.__path__, "duels.")]
        for name in names:
            if not name.endswith("__main__"):
                import_module(name)
        print(len(names))
    else:
        from duels.__main__ import run

        run()
