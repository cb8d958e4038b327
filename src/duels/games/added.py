"""Games from Python files and installed packages.

Errors in them are reported in one sentence that names the file and the line.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from inspect import get_annotations, getsourcefile, getsourcelines
from itertools import chain, pairwise
from pathlib import Path
from threading import RLock
from traceback import extract_tb
from typing import Any

from duels.core.board import faults as board_faults
from duels.core.errors import DuelsError, OptionError
from duels.core.files import fault, run_file
from duels.core.game import Game, Position, Verb, numbers_of
from duels.core.states import StateGame, StatePosition
from duels.core.words import listed, quoted
from duels.games import GAMES, register

WITH = "DUELS_WITH"
"""The environment variable that lists files with games, so that processes we start load them
too."""
GROUP = "duels.games"
RESERVED = {"cluster", "first", "full", "game", "game_id", "jobs", "json", "level", "max", "moves"}
RESERVED |= {"name", "out", "players", "proof", "record", "rounds", "seed", "show_moves", "svg"}
RESERVED |= {"time", "time_limit", "vs", "help", "count", "opponent", "plays", "render_mode"}
RESERVED |= {"matches", "setup", "num_envs", "reward", "show_legal", "truth", "retries"}
"""The option names that commands and environments use themselves."""
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

added: set[str] = set()
"""The files and packages whose games are already registered."""
troubles: list[str] = []
"""Errors in installed packages that offer games; the other packages still work."""
_adding = RLock()


def add_games() -> None:
    """Add the games of the files in `DUELS_WITH` and of installed packages, once."""
    with _adding:  # threads that call this at the same time all get the complete list
        for name in filter(None, os.environ.get(WITH, "").split(os.pathsep)):
            add_file(Path(name))
        if GROUP not in added:
            added.add(GROUP)
            _add_packages()


def _add_packages() -> None:
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        try:
            register(point.load())
        except Exception as error:
            reason = error if isinstance(error, DuelsError) else f"{type(error).__name__}: {error}"
            troubles.append(f"The game {point.name} ({point.value}) cannot be used: {reason}")


def use_file(path: Path) -> None:
    """Add the games of a file in this process, and in every process started from now on."""
    path = path.resolve()
    add_file(path)
    known = os.environ.get(WITH, "").split(os.pathsep)
    if str(path) not in known:
        os.environ[WITH] = os.pathsep.join(filter(None, [*known, str(path)]))


def add_file(path: Path) -> None:
    """Add the games of a Python file, once. This runs its code."""
    if str(path) in added:
        return
    if not path.is_file():
        raise OptionError(f"There is no file {path} with a game.")
    module = run_file(path, "a game")
    try:
        own = [x for x in vars(module).values() if getattr(x, "__module__", "") == module.__name__]
        kinds = [kind for kind in own if isinstance(kind, type) and issubclass(kind, Game)]
        named = [kind for kind in kinds if kind.id]
        if not named:
            raise OptionError(f"{path} has no game in it: a class of duels.StateGame with an id.")
        for kind in named:
            register(kind)
    except BaseException as error:
        del sys.modules[module.__name__]
        if isinstance(error, DuelsError | KeyboardInterrupt):
            raise
        raise OptionError(f"{path} cannot be used as a game. {fault(error, path)}") from None
    added.add(str(path))


def check_kind(kind: type[Game]) -> None:
    """Raise OptionError with file and line if a class cannot be used as a game."""
    where = _place(kind)
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise OptionError(f"{where}: {quoted(kind)} is not a game class.")
    known = GAMES.get(kind.id)
    if known is not None and known is not kind:
        raise OptionError(f"{where}: the id {kind.id} is that of {known.title} ({_place(known)}).")
    if not _ID.fullmatch(kind.id):
        raise OptionError(f"{where}: a game needs an id of small letters, like square-duel.")
    for name in ("title", "summary"):
        if not isinstance(getattr(kind, name), str) or not getattr(kind, name):
            raise OptionError(f"{where}: {kind.id} needs a {name}.")
    for name in _undeclared(kind):
        raise OptionError(
            f"{where}: the option {name} must be declared with whole(…) or choice(…)."
        )
    for name in kind.fields:
        if hasattr(Game, name) or name in RESERVED:
            raise OptionError(f"{where}: an option cannot be called {name}: that is taken.")
    if issubclass(kind, StateGame):
        required = ("first", "allowed", "after")
        missing = [name for name in required if getattr(kind, name) is getattr(StateGame, name)]
        if missing:
            raise OptionError(f"{where}: {kind.id} must define {listed(missing)}.")
    try:
        start = kind.usual().start()
        few = (start.play(move) for move in start.legal_moves[:20])
        each = (wrong for here in chain([start], few) for wrong in faults(here))
        more = chain(each, _faults_of_sample(kind), _faults_of_setups(kind))
        broken = next(chain(_faults_of_words(kind), more), "")
    except Exception as error:
        raise OptionError(f"{where}: {kind.id} breaks the contract. {fault(error)}") from None
    if broken:
        raise OptionError(f"{where}: {kind.id}: {broken}.")


def _undeclared(kind: type[Game]) -> Iterator[str]:
    """Yield the annotated names that look like options but are not declared as such."""
    for base in kind.__mro__[: kind.__mro__.index(Game)]:
        if issubclass(base, Game):
            for name, meant in get_annotations(base).items():
                if name not in base.fields and "ClassVar" not in str(meant):
                    yield name


def _faults_of_words(kind: type[Game]) -> Iterator[str]:
    """Yield what is wrong with the words for a game's moves and endings."""
    if not isinstance(kind.verb, Verb):
        yield 'verb must be like Verb("take", "took", "taken by")'
    endings = kind.endings.items() if isinstance(kind.endings, Mapping) else [(None, None)]
    if not all(isinstance(word, str) for ending in endings for word in ending):
        yield 'endings must be like {"no-moves": "no moves were left"}'


def _faults_of_sample(kind: type[Game]) -> Iterator[str]:
    """Yield what is wrong with a game's sample; drop one inherited from a game with other rules."""
    try:
        kind.small().position(*kind.sample)
    except DuelsError as error:
        if "sample" in vars(kind):
            yield f"sample cannot be played: {str(error).rstrip('.')}"
        kind.sample = ()


def _faults_of_setups(kind: type[Game]) -> Iterator[str]:
    """Yield what is wrong with a game's set-ups: duplicate names, or options it does not have."""
    names = [setup.name for setup in kind.all_setups()]
    for setup in kind.all_setups():
        name = quoted(setup.name)
        if not _ID.fullmatch(setup.name):
            yield f"{name} cannot be the name of a set-up"
        if names.count(setup.name) > 1:
            yield f"two set-ups are called {name}"
        if setup.matches < 1:
            yield f"the set-up {name} needs at least one match"
        if not {*setup.options} <= {*kind.fields}:
            yield f"the set-up {name} has an unknown option"
        try:
            setup.game(kind)
        except DuelsError as error:
            yield f"the set-up {name} cannot be played: {str(error).rstrip('.')}"


def faults(here: Position) -> Iterator[str]:
    """Yield what a single position shows to be wrong with its game."""
    if isinstance(here, StatePosition):
        if not _is_plain(here.state):
            yield "a state must be made of whole numbers, words and tuples"
        if not isinstance(here.legal, Collection):
            yield "allowed must return a tuple or a list"
    game, legal, outcome = here.game, here.legal_moves, here.outcome
    if not isinstance(here.words, str):
        yield "words must return text"
    for move in legal:
        is_pair = isinstance(move, tuple) and [type(part) for part in move] == [int, int]
        if not (type(move) is int or (is_pair and game.pair_words)):
            yield f"{quoted(move)} is not a move"
    if not all(low < high for low, high in pairwise(map(numbers_of, legal))):
        yield "the legal moves are not in increasing order"
    if here.legal_count != len(legal):
        yield "legal_count is not the number of legal moves"
    if (outcome is None) != bool(legal):
        yield "either legal moves or an outcome, not both"
    if wrong := board_faults(game.board(here)):
        yield wrong
    if outcome and outcome.winner not in (1, 2):
        yield "the winner is neither 1 nor 2"
    if outcome and outcome.reason not in game.endings:
        yield f"{quoted(outcome.reason)} is not one of the endings"


def _is_plain(state: Any) -> bool:
    """Say whether a state can be a dictionary key and be written into a proof."""
    return all(map(_is_plain, state)) if type(state) is tuple else type(state) in (int, str)


def fault_of_a_game(error: BaseException) -> str | None:
    """Return the error as a sentence if it arose in the code of a game from outside the package."""
    files = {getattr(sys.modules.get(kind.__module__), "__file__", None) for kind in GAMES.values()}
    ours = str(Path(__file__).parent)
    own = [f.filename for f in extract_tb(error.__traceback__) if f.filename in files]
    if any(not name.startswith(ours) for name in own):
        return f"The game has a fault. {fault(error)}"
    return None


def _place(kind: Any) -> str:
    """Return the file and line in which a class is defined."""
    try:
        return f"{getsourcefile(kind)}, line {getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return f"{getattr(kind, '__module__', '?')}.{getattr(kind, '__qualname__', quoted(kind))}"
