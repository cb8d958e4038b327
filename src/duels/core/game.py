"""What a game is, with a default for everything but its rules.

A `Game` is a rule book with its options fixed. It starts a `Position`, which is frozen: playing a
move returns the next one. Everything about one game belongs to its class, so no caller has to ask
which game it is. `duels.core.states` turns three functions into a game.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from inspect import cleandoc
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, dataclass_transform

from duels.core.errors import GameFileError, IllegalMove, OptionError, UnreadableMove
from duels.core.options import (
    Option,
    OptionValue,
    SetUp,
    choice,
    find_setup,
    read_whole,
    setups_of,
    whole,
)
from duels.core.parts import Parts, attributes
from duels.core.words import LONGEST_NUMBER, listed, quoted

if TYPE_CHECKING:
    from pathlib import Path

    from duels.core.board import Board

Move = int | tuple[int, int]
"""A number, or a pair of numbers."""

LARGEST_FILE = 4 * 2**20
"""The largest file of a game that is read, in bytes: rules, a lesson, a card."""

EXAMPLE_CELLS = 20
"""The most cells on the board of an example, if the game has a board that small."""
EXAMPLE_MOVES = 2
"""Moves in an example of a game that has no sample."""

_TYPED = re.compile(r"(-?\d+)(?:\s*(?:[\s,-]|\sand\s)\s*(-?\d+))?", re.ASCII | re.IGNORECASE)


class Outcome(NamedTuple):
    """Who won, and why: one of the game's `endings`, or an ending of the match."""

    winner: int
    reason: str


class Verb(NamedTuple):
    """What a player does with a move: take 5, took 5, 5 is taken by."""

    do: str
    did: str
    done: str


class Position(Protocol):
    """One frozen moment of a game; two are equal if the same play can follow."""

    @property
    def game(self) -> Game: ...

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that led here, in order."""

    @property
    def to_move(self) -> int:
        """Whose turn it is: 1 for the player who began, 2 for the other."""

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every move the rules allow, in increasing order; none when the game is over."""

    @property
    def legal_count(self) -> int:
        """The number of legal moves, without listing them: there may be a million."""

    @property
    def outcome(self) -> Outcome | None:
        """None until the game is over."""

    @property
    def words(self) -> str:
        """The position in one line."""

    def play(self, move: Move) -> Position:
        """Return the position after `move`; UnreadableMove or IllegalMove if it is refused."""


@dataclass_transform(frozen_default=True, field_specifiers=(whole, choice))
class Game:
    """A rule book with its options fixed: a frozen value whose fields are the options.

    It is not a dataclass, because making one for each game takes a tenth of a short command's time.
    """

    id: ClassVar[str] = ""
    title: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    """One line for menus and cards."""
    verb: ClassVar[Verb] = Verb("take", "took", "taken by")
    move_words: ClassVar[str] = "a whole number"
    """What a player types; if empty, a number, or a pair in a game with pairs."""
    pair_words: ClassVar[str] = ""
    """What a pair of numbers is called, if a move may be one."""
    endings: ClassVar[Mapping[str, str]] = {"no-moves": "no moves were left"}
    """How the game can end by its rules: each reason of an outcome, in words."""
    sample_size: ClassVar[int | None] = None
    """A board size for previews, if the usual board is too large."""
    sample: ClassVar[tuple[str, ...]] = ()
    """A few moves on that board, for previews and examples."""
    setups: ClassVar[tuple[SetUp, ...]] = ()
    """Set-ups that make a good game, the best first; the rule book's own is added."""
    for_newcomers: ClassVar[bool] = False
    """Whether newcomers are offered this game first."""
    parts: ClassVar[Parts] = Parts()
    """The special parts for the rules of this class; see `duels.core.parts`."""
    rules_of_parts: ClassVar[Mapping[str, Any]] = {}
    """The attributes that the class had when it named its parts."""
    fields: ClassVar[Mapping[str, Option]] = {}
    """The options by name, as the fields of the class declare them."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls._declare_options()
        if "parts" in vars(cls):
            cls.rules_of_parts = attributes(cls)

    @classmethod
    def _declare_options(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Option)}
        for name, option in own.items():
            if option.default is None:
                delattr(cls, name)
            else:
                setattr(cls, name, option.default)
        inherited: dict[str, Option] = {}
        for base in reversed(cls.__bases__):
            inherited.update(getattr(base, "fields", {}))
        for name in inherited.keys() & vars(cls).keys() - own.keys():
            del inherited[name]  # the class fixes this option by a plain value
        cls.fields = inherited | own
        if cls.pair_words and cls.move_words == Game.move_words:
            cls.move_words = f"one number or {cls.pair_words}, like 5 or 5 6"

    def __init__(self, *values: Any, **options: Any) -> None:
        known = type(self).fields
        by_place = dict(zip(known, values, strict=False))
        if len(values) > len(known) or not options.keys() <= known.keys() - by_place.keys():
            has = f"takes {listed([*known])}" if known else "has no options"
            raise TypeError(f"{type(self).__name__} {has}.")
        given = by_place | options
        for name, option in known.items():
            if name not in given and option.default is None:
                raise TypeError(f"{type(self).__name__} needs {name}.")
            value = option.read(name, given.get(name, option.default))
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A game does not change: {name} cannot be set.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"A game does not change: {name} cannot be deleted.")

    def _values(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in type(self).fields])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        named = (f"{name}={value!r}" for name, value in self.options.items())
        return f"{type(self).__qualname__}({', '.join(named)})"

    def __getstate__(self) -> Mapping[str, OptionValue]:
        """Pickle only the options; the rest is computed again."""
        return self.options

    @property
    def options(self) -> dict[str, OptionValue]:
        """The options by name; `duels.game(game.id, **game.options)` returns an equal game."""
        return {name: getattr(self, name) for name in type(self).fields}

    @property
    def size(self) -> int:
        """The size of the board, or 0 if no option sets it."""
        name = self.size_option()
        return int(getattr(self, name)) if name else 0

    @classmethod
    def size_option(cls) -> str | None:
        """Return the name of the option that sets the size of the board."""
        return next((name for name, option in cls.fields.items() if option.is_size), None)

    @cached_property
    def memory(self) -> dict[str, Any]:
        """A cache for anything about this board; it lives as long as the game."""
        return {}

    def start(self) -> Position:
        """Return the position before the first move."""
        raise NotImplementedError

    def position(self, *moves: Move | str) -> Position:
        """Return the position after some moves, each a move or its text."""
        here = self.start()
        for move in moves:
            here = here.play(self.parse(move) if isinstance(move, str) else move)
        return here

    def parse(self, text: str) -> Move:
        """Return the move that was typed; UnreadableMove if it is not one."""
        said = text.strip()
        numbers = self._numbers_in(said)
        if not numbers:
            return self.read(said)
        return self.read(numbers if len(numbers) == 2 else numbers[0])

    def _numbers_in(self, text: str) -> tuple[int, ...]:
        """Return the one or two numbers of a typed move; none if it is not one."""
        typed = _TYPED.fullmatch(text) if len(text) <= LONGEST_NUMBER else None
        if typed is None or (typed[2] and not self.pair_words):
            return ()
        return tuple(map(int, filter(None, typed.groups())))

    def read(self, move: Any) -> Move:
        """Return a move in its canonical form; UnreadableMove if it is not one."""
        if isinstance(move, str) and self._numbers_in(move):
            raise UnreadableMove(f"{quoted(move)} is text, not a move; use game.parse to read it.")
        try:
            if self.pair_words and isinstance(move, tuple | list):
                one, two = map(index, move)
                return one, two
            return index(move)
        except (TypeError, ValueError):
            raise UnreadableMove(f"{quoted(move)} is not {self.move_words}.") from None

    def format(self, move: Move) -> str:
        """Return a move as text that `parse` reads back."""
        return f"{move[0]}-{move[1]}" if isinstance(move, tuple) else str(move)

    def in_words(self, move: Move) -> str:
        """Return a move as it appears in a sentence; `format` returns what is typed."""
        return self.format(move)

    def list_moves(self, moves: Sequence[Move], last: str = "and") -> str:
        """Return some moves as a list in a sentence; with `last=""`, as a list after a colon."""
        words = [self.in_words(move) for move in moves]
        return listed(words, last) if last else ", ".join(words)

    def board(self, position: Position) -> Board:
        """Describe what a position looks like: see `duels.core.board`."""
        from duels.core.board import tiles_board

        return tiles_board(position)

    def all_moves(self) -> Sequence[Move]:
        """Return every move that can ever occur, once each; its index is its action id."""
        raise NotImplementedError

    def options_in_words(self, *, usual_too: bool = False) -> str:
        """Return the numbers, and the choices that are not the default, in a few words."""
        values = self.options
        return " · ".join(
            option.in_words(name, values[name])
            for name, option in type(self).fields.items()
            if usual_too or not option.choices or values[name] != option.default
        )

    def caution(self) -> str | None:
        """Return a one-sentence warning if these options leave the players no real choice."""
        return None

    @classmethod
    def usual(cls, **options: Any) -> Game:
        """Return the game with its defaults; a required option gets its example."""
        needed = {n: option.example for n, option in cls.fields.items() if option.default is None}
        return cls(**{**needed, **options})

    @classmethod
    def to_solve(cls, **options: Any) -> Game:
        """Return the game for solving; its board may be too large to play on."""
        name = cls.size_option()
        option = cls.fields[name] if name in options else None
        if name and option and option.highest and option.solve_highest:
            size = read_whole(name, options[name], option.lowest, option.solve_highest)
            if size > option.highest:
                game = cls(**options | {name: option.highest})
                object.__setattr__(game, name, size)
                return game
        return cls(**options)

    @classmethod
    def small(cls) -> Game:
        """Return the game on a board that is small enough for a preview."""
        name = cls.size_option() if cls.sample_size is not None else None
        return cls.usual(**({name: cls.sample_size} if name else {}))

    def example(self) -> Position:
        """Return a position after a few moves by the rules of this game, on a small board."""
        game = self._reduced()
        with suppress(IllegalMove, UnreadableMove):  # the sample may not suit these options
            here = game.position(*game.sample)
            if game.sample and not here.outcome:
                return here
        here = game.start()
        for _ in range(EXAMPLE_MOVES):
            moves = here.legal_moves
            after = here.play(moves[len(moves) // 2]) if moves else here
            here = here if after.outcome else after
        return here

    def _reduced(self) -> Game:
        """Return the game on a small board, or itself if its board cannot be smaller."""
        name = self.size_option()
        if not name or len(self.board(self.start()).cells) <= EXAMPLE_CELLS:
            return self
        try:
            return type(self)(**self.options | {name: self.small().options[name]})
        except OptionError:
            return self

    all_setups = classmethod(setups_of)
    setup = classmethod(find_setup)

    @classmethod
    def rules_text(cls) -> str:
        """Return the rules in Markdown, from a file next to the class's or in `texts` there.

        `duels.core.words` splits them into sections.
        """
        plain = f"# {cls.title}\n\n{cls.summary}\n\n{cleandoc(cls.__doc__ or '')}\n"
        return cls._text_beside(".md") or plain

    @classmethod
    def rules_lead(cls) -> str:
        """Return the first paragraph of the rules; without a file the docstring, or the summary."""
        paragraphs = [" ".join(part.split()) for part in cls._text_beside(".md").split("\n\n")]
        found = (part for part in paragraphs if part and not part.startswith("#"))
        return next(found, "") or " ".join((cls.__doc__ or "").split()) or cls.summary

    @classmethod
    def lesson_text(cls) -> str:
        """Return the lesson in TOML, found like the rules, or ""."""
        return cls._text_beside(".toml")

    @classmethod
    def has_lesson(cls) -> bool:
        """Say whether there is a lesson; an unreadable one counts, so that its error is shown."""
        try:
            return bool(cls.lesson_text())
        except GameFileError:
            return True

    @classmethod
    def card(cls) -> bytes:
        """Return the preview picture for links, a PNG, found like the rules."""
        return cls._read_beside(".png")

    @classmethod
    def _text_beside(cls, ending: str) -> str:
        try:
            text = cls._read_beside(ending).decode()
        except UnicodeDecodeError:
            raise cls._unreadable(ending, "it is not UTF-8 text") from None
        return text.replace("\r\n", "\n").replace("\r", "\n")

    @classmethod
    def _read_beside(cls, ending: str) -> bytes:
        from duels.core.files import read_small

        file = cls._file_beside(ending)
        try:
            return read_small(file, LARGEST_FILE) if file else b""
        except OSError as error:
            raise cls._unreadable(ending, f"{error.strerror or error}") from None

    @classmethod
    def _unreadable(cls, ending: str, why: str) -> GameFileError:
        """Return the error without the file's folder, because a page may show it."""
        file = cls._file_beside(ending)
        name = file.name if file else f"{cls.id}{ending}"
        return GameFileError(f"The file {name} of {cls.title} cannot be read: {why}.")

    @classmethod
    def _file_beside(cls, ending: str) -> Path | None:
        from pathlib import Path  # imported late, because `legal` does not need it

        own = getattr(sys.modules[cls.__module__], "__file__", None)
        here = Path(own or "")
        beside = (here.with_suffix(ending), here.parent / "texts" / f"{cls.id}{ending}")
        return next(filter(Path.is_file, beside), None) if own else None


def other(player: int) -> int:
    """Return the opponent of player 1 or 2."""
    return 3 - player


def read_move(value: Any) -> Move:
    """Return a move from plain data (a pair is a list); UnreadableMove if it is not one."""
    if isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value):
        return (value[0], value[1])
    if type(value) is int:
        return value
    raise UnreadableMove(f"{quoted(value)} is not a move.")


def numbers_of(move: Move) -> tuple[int, ...]:
    """Return the one or two numbers of a move, the sort key of moves: 1, 1-2, 2, 2-3."""
    return move if isinstance(move, tuple) else (move,)
