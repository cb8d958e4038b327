"""Your own Python code as a player: py:MODULE:NAME, for example py:my_agent:Agent.

MODULE is imported as if Python had been started in this folder, or is a file: agents/mine.py. NAME
is a function from a position to a move; an object with `choose(position)`; or a class of such
objects, instantiated for every match, with `seed` if it takes one.

Code that does not return a legal move forfeits, with the reason. It runs in a thread of this
process; code that exceeds the time limit is interrupted and abandoned.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from threading import TIMEOUT_MAX, Thread
from typing import Any

from duels.core.errors import OptionError
from duels.core.files import fault, run_file
from duels.core.game import Move, Position
from duels.core.words import quoted
from duels.match.players.specs import TIME_LIMIT, Forfeit, judged


class PythonPlayer:
    """A player from Python code, for one match; OptionError if the name is not a player."""

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
