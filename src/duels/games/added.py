"""Games from elsewhere: files that somebody names, and installed packages.

What is wrong with one is said in a sentence that names its file and line.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import fields
from importlib.util import module_from_spec, spec_from_file_location
from inspect import getsourcefile, getsourcelines
from itertools import pairwise
from pathlib import Path
from traceback import extract_tb
from typing import Any
from zlib import crc32

from duels.core.errors import DuelsError, OptionError
from duels.core.game import Game, Position, in_order
from duels.core.states import StatePosition
from duels.core.words import quoted
from duels.games import GAMES, register

WITH = "DUELS_WITH"
"""The environment variable with the files of games, so that they reach every process we start."""
GROUP = "duels.games"
RESERVED = {"cluster", "first", "full", "game", "game_id", "jobs", "json", "level", "max", "moves"}
RESERVED |= {"name", "out", "players", "proof", "record", "rounds", "seed", "show_moves", "svg"}
RESERVED |= {"matches", "setup", "time_limit", "vs"}
"""What commands call their own options."""
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

added: set[str] = set()
"""The files and packages whose games are here already."""
troubles: list[str] = []
"""What is wrong with installed packages that offer games; others do not suffer from it."""


def add_games() -> None:
    """Add the games of the files in `DUELS_WITH` and of installed packages, once."""
    for name in filter(None, os.environ.get(WITH, "").split(os.pathsep)):
        add_file(Path(name))
    if GROUP in added:
        return
    added.add(GROUP)
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        try:
            register(point.load())
        except Exception as error:
            reason = error if isinstance(error, DuelsError) else f"{type(error).__name__}: {error}"
            troubles.append(f"The game {point.name} ({point.value}) cannot be used: {reason}")


def use_file(path: Path) -> None:
    """Add the games of a file here, and in every process that is started from now on."""
    path = path.resolve()
    add_file(path)
    known = os.environ.get(WITH, "").split(os.pathsep)
    if str(path) not in known:
        os.environ[WITH] = os.pathsep.join(filter(None, [*known, str(path)]))


def add_file(path: Path) -> None:
    """Add the games of a Python file, once. Its code runs: it is somebody's own choice."""
    if str(path) in added:
        return
    if not path.is_file():
        raise OptionError(f"There is no file {path} with a game.")
    name = f"{path.stem}_{crc32(str(path).encode())}"  # a module that nothing else is called
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise OptionError(f"{path} cannot be used as a game: it is not a Python file.")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        kinds = [
            kind
            for kind in vars(module).values()
            if isinstance(kind, type) and issubclass(kind, Game) and kind.__module__ == name
        ]
        named = [kind for kind in kinds if kind.id]
        if not named:
            raise OptionError(f"{path} has no game in it: a class of duels.StateGame with an id.")
        for kind in named:
            register(kind)
    except DuelsError:
        del sys.modules[name]
        raise
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise OptionError(f"{path} cannot be used as a game. {fault(error, path)}") from None
    added.add(str(path))


def check_kind(kind: type[Game]) -> None:
    """OptionError with file and line if a class of games cannot be one of ours."""
    where = _place(kind)
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise OptionError(f"{where}: {quoted(kind)} is not a class of games.")
    known = GAMES.get(kind.id)
    if known is not None and known is not kind:
        raise OptionError(f"{where}: the id {kind.id} is that of {known.title} ({_place(known)}).")
    if not _ID.fullmatch(kind.id):
        raise OptionError(f"{where}: a game needs an id of small letters, like square-duel.")
    for name in ("title", "summary"):
        if not isinstance(getattr(kind, name), str) or not getattr(kind, name):
            raise OptionError(f"{where}: {kind.id} needs a {name}.")
    for name in (option.name for option in fields(kind)):
        if name not in kind.fields:
            raise OptionError(
                f"{where}: the option {name} must be declared with whole(…) or choice(…)."
            )
        if hasattr(Game, name) or name in RESERVED:
            raise OptionError(f"{where}: an option cannot be called {name}: that is taken.")
    try:
        _check_start(kind.usual())
        _check_setups(kind)
    except _Broken as broken:
        raise OptionError(f"{where}: {kind.id}: {broken}.") from None
    except Exception as error:
        raise OptionError(f"{where}: {kind.id} breaks the contract. {fault(error)}") from None


class _Broken(Exception):
    """What is wrong with a game."""


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _Broken(otherwise)


def _check_start(game: Game) -> None:
    """The first position is one, and so are the positions after it."""
    start = game.start()
    _check_position(start)
    for move in start.legal_moves[:20]:
        _check_position(start.play(move))


def _check_setups(kind: type[Game]) -> None:
    """Every set-up has a name of its own, and options that the game takes."""
    names = [setup.name for setup in kind.all_setups()]
    for setup in kind.all_setups():
        name = quoted(setup.name)
        _require(bool(_ID.fullmatch(setup.name)), f"{name} cannot be the name of a set-up")
        _require(names.count(setup.name) == 1, f"two set-ups are called {name}")
        _require(setup.matches >= 1, f"the set-up {name} needs a match")
        _require({*setup.options} <= {*kind.fields}, f"the set-up {name} has an unknown option")
        setup.game(kind)


def _check_position(here: Position) -> None:
    game, moves = here.game, here.legal_moves
    if isinstance(here, StatePosition):
        _require(_is_plain(here.state), "a state must be made of whole numbers, words and tuples")
    for move in moves:
        is_pair = isinstance(move, tuple) and [type(part) for part in move] == [int, int]
        is_move = type(move) is int or (is_pair and bool(game.pair_words))
        _require(is_move, f"{quoted(move)} is not a move")
    keys = [in_order(move) for move in moves]
    _require(all(one < two for one, two in pairwise(keys)), "moves must be in increasing order")
    _require((here.outcome is None) == bool(moves), "a game is over when no move is allowed")
    if here.outcome:
        reason = here.outcome.reason
        _require(reason in game.endings, f"endings does not tell {quoted(reason)} in words")


def _is_plain(state: Any) -> bool:
    """Whether a state can be a key, and be written into a proof."""
    return all(map(_is_plain, state)) if type(state) is tuple else type(state) in (int, str)


def fault(error: BaseException, path: Path | None = None) -> str:
    """What went wrong in somebody's code, and in which line of it."""
    what = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError) and error.lineno:
        return f"Line {error.lineno}: {what}"
    ours = str(Path(__file__).parent.parent)
    frames = [f for f in extract_tb(error.__traceback__) if not f.filename.startswith((ours, "<"))]
    frames = [f for f in frames if path is None or f.filename == str(path)] or frames
    if not frames:
        return what
    return f"{frames[-1].filename}, line {frames[-1].lineno}: {what}"


def fault_of_a_game(error: BaseException) -> str | None:
    """The same as a sentence, if it went wrong in the code of a game that is not one of ours."""
    files = {getattr(sys.modules.get(kind.__module__), "__file__", None) for kind in GAMES.values()}
    ours = str(Path(__file__).parent)
    own = [f.filename for f in extract_tb(error.__traceback__) if f.filename in files]
    if any(not name.startswith(ours) for name in own):
        return f"The game has a fault. {fault(error)}"
    return None


def _place(kind: Any) -> str:
    """Where a class is written down."""
    try:
        return f"{getsourcefile(kind)}, line {getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return f"{getattr(kind, '__module__', '?')}.{getattr(kind, '__qualname__', quoted(kind))}"
