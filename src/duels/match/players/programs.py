"""Programs as players: an engine that speaks UGI (Universal Game Interface), or Python code.

A program that does not answer with a legal move in time forfeits, with the reason.
"""

from __future__ import annotations

import ctypes
import os
import queue
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from inspect import signature
from pathlib import Path
from threading import TIMEOUT_MAX, Event, Thread
from time import monotonic
from typing import IO, Any

from duels.core.errors import OptionError
from duels.core.files import fault, run_file
from duels.core.game import Move, Position
from duels.core.words import quoted
from duels.match.players.specs import TIME_LIMIT, Forfeit, judged

STARTING = 10.0
"""Seconds for a program to answer ugiok and readyok, or the time limit if that is longer."""
LONGEST_LINE = 10_000
ANSWERS = (["ugiok"], ["readyok"], ["bestmove"])
SHARE = 0.9
"""The share of the time limit that the program is given; the rest is for communication."""


class UgiPlayer:
    """An engine for one match: started for its first move, and ended with the match."""

    def __init__(
        self, command: list[str], *, seed: int = 0, time_limit: float = TIME_LIMIT
    ) -> None:
        self.command = command
        self.seed = seed
        self.time_limit = time_limit
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[str | None] = queue.Queue(maxsize=1000)
        self._outgoing: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._error_lines: deque[str] = deque(maxlen=3)
        self._stderr_closed = Event()
        self._last = ""

    def choose(self, position: Position) -> Move:
        if self._process is None:
            self._start(position)
        game = position.game
        moves = " ".join(game.format(move) for move in position.moves)
        with suppress(queue.Empty):
            while True:  # drop late answers to the last question
                if self._answers.get_nowait() is None:
                    raise self._crash()
        self._send(f"position startpos moves {moves}" if moves else "position startpos")
        self._send(f"go movetime {max(1, int(1000 * SHARE * self.time_limit))}")
        line = self._wait_for("bestmove", self.time_limit)
        said = line.removeprefix("bestmove").strip()
        # UCI programs may add "ponder ..." after the move.
        said = said.partition(" ponder")[0]
        return judged(position, game.parse, said, f"It answered {quoted(line)}")

    def close(self) -> None:
        """Ask the program to quit, and end it (by its id) if it does not."""
        process, self._process = self._process, None
        if process is None:
            return
        self._outgoing.put("quit")
        self._outgoing.put(None)
        for end in (None, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            if end is not None:
                _signal(process, end)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.5)
                break
        _signal(process, signal.SIGTERM)  # also its own child processes

    def _start(self, position: Position) -> None:
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C must not reach the program; we end it
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise Forfeit("crash", f"It could not be started: {reason}.") from None
        for pipe, work in (
            (self._process.stdin, self._write),
            (self._process.stdout, self._read_answers),
            (self._process.stderr, self._read_errors),
        ):
            Thread(target=work, args=(pipe,), daemon=True).start()
        limit = max(STARTING, self.time_limit)
        self._send("ugi")
        self._wait_for("ugiok", limit)
        game = position.game
        settings = {"game": game.id, **game.options, "seed": self.seed}
        for name, value in settings.items():
            self._send(f"setoption name {name} value {value}")
        self._send("uginewgame")
        self._send("isready")
        self._wait_for("readyok", limit)

    def _send(self, line: str) -> None:
        """Send a line without waiting: a program that does not read must not block us."""
        self._outgoing.put(line)

    def _wait_for(self, word: str, limit: float) -> str:
        """Return the next line that begins with `word`; ignore other lines."""
        deadline = monotonic() + limit
        while (left := deadline - monotonic()) > 0:
            with suppress(queue.Empty):
                line = self._answers.get(timeout=left)
                if line is None:
                    raise self._crash()
                if line.split()[0] == word:
                    return line
        heard = f" The last thing it said was {quoted(self._last)}." if self._last else ""
        raise Forfeit("late", f"It did not say {word} within {limit:g} seconds.{heard}")

    def _crash(self) -> Forfeit:
        """Return the forfeit of a program that has ended by itself."""
        assert self._process
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return Forfeit("crash", "It closed its output.")
        self._stderr_closed.wait(timeout=2)  # its last lines may still be in the pipe
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        said = self._error_lines[-1] if self._error_lines else ""
        return Forfeit("crash", f"It ended by itself ({how}{'; ' if said else ''}{said}).")

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError), pipe:
            while (line := self._outgoing.get()) is not None:
                pipe.write(f"{line}\n".encode())
                pipe.flush()

    def _read_answers(self, pipe: IO[bytes]) -> None:
        """Queue lines that may be answers; of the others keep the last, for an error message."""
        with pipe:
            while raw := pipe.readline(LONGEST_LINE):
                line = raw.decode("utf-8", errors="replace").strip()
                if line.split()[:1] in ANSWERS:
                    with suppress(queue.Full):
                        self._answers.put_nowait(line)
                self._last = line or self._last
        with suppress(queue.Full):
            self._answers.put_nowait(None)

    def _read_errors(self, pipe: IO[bytes]) -> None:
        with pipe:
            while raw := pipe.readline(LONGEST_LINE):
                if line := raw.decode("utf-8", errors="replace").strip():
                    self._error_lines.append(quoted(line, 120))
        self._stderr_closed.set()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to the program and its child processes, which share a process group."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)


class PythonPlayer:
    """Python code for one match: py:MODULE:NAME; OptionError if that is not a player.

    MODULE is imported as if Python had been started in this folder, or is a file: agents/mine.py.
    NAME is a function from a position to a move; an object with `choose(position)`; or a class of
    such objects, instantiated for every match, with `seed` if it takes one. The code runs in a
    thread of this process; past the time limit it is interrupted and abandoned.
    """

    def __init__(self, name: str, *, seed: int = 0, time_limit: float = TIME_LIMIT) -> None:
        self.name = name
        self.time_limit = time_limit
        self._choose = _chooser(name, _found(name), seed)

    def choose(self, position: Position) -> Move:
        said = self._answer(position)
        return judged(position, position.game.read, said, f"It returned {quoted(said)}")

    def _answer(self, position: Position) -> Any:
        """Return what the code returns; Forfeit if it raises or takes too long."""
        said: list[Any] = []
        errors: list[BaseException] = []

        def ask() -> None:
            try:
                said.append(self._choose(position))
            except BaseException as error:  # even SystemExit must end only this answer
                errors.append(error)

        thread = Thread(target=ask, daemon=True)
        thread.start()
        thread.join(min(self.time_limit, TIMEOUT_MAX))
        if errors:
            raise Forfeit("crash", fault(errors[0]))
        if not said:
            _stop(thread)
            raise Forfeit("late", f"It did not answer within {self.time_limit:g} seconds.")
        return said[0]


def _stop(thread: Thread) -> None:
    """Raise SystemExit in a thread, as soon as it executes Python code again."""
    end = ctypes.pythonapi.PyThreadState_SetAsyncExc
    end(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))


def _found(name: str) -> Any:
    """Return the object of that name; its module is executed."""
    module, _, inside = name.rpartition(":")
    if module.endswith(".py"):
        path = Path(module).resolve()
        if not path.is_file():
            raise OptionError(f"There is no file {module} with a player.")
        found: Any = run_file(path, "a player")
    else:
        if os.getcwd() not in sys.path and "" not in sys.path:
            sys.path.insert(0, os.getcwd())  # as `python -m` does
        try:
            found = import_module(module)
        except Exception as error:
            raise OptionError(
                f"The module {quoted(module)} cannot be imported: {fault(error)}."
            ) from None
    for part in inside.split("."):
        if not hasattr(found, part):
            raise OptionError(f"There is no {quoted(inside)} in {module}.")
        found = getattr(found, part)
    return found


def _chooser(name: str, found: Any, seed: int) -> Callable[[Position], Any]:
    """Return the function that chooses: `found`, or its method `choose`."""
    if isinstance(found, type):
        try:
            takes_seed = "seed" in signature(found).parameters
            found = found(seed=seed) if takes_seed else found()
        except Exception as error:
            raise OptionError(f"{quoted(name)} cannot be created: {fault(error)}") from None
        if not hasattr(found, "choose"):
            raise OptionError(f"{quoted(name)} is not a player: it has no choose(position).")
    chooser = getattr(found, "choose", found)
    if not callable(chooser):
        raise OptionError(f"{quoted(name)} is not a player: it cannot be called with a position.")
    choose: Callable[[Position], Any] = chooser
    return choose
