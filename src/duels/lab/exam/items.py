"""Exam items: positions in which a choice matters, with their exact labels."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from duels.core.errors import DAMAGED, DuelsError
from duels.core.game import Move, Position
from duels.games import RULES_VERSION, game
from duels.lab.arena.tournament import game_label
from duels.match.players.grading import is_choice
from duels.match.players.prompt import Conditions, digest, prompt
from duels.theory import winning_moves

SPLITS = {"train": 0.5, "test": 0.3, "test_sizes": 0.1, "test_options": 0.1}
"""Each split with its share; the boards of the last two are in no other split."""
DIFFICULTIES = {"easy": 0.5, "medium": 0.25, "hard": 0.0}
"""By the share of the legal moves that win: more than this."""


class ExamError(DuelsError):
    """An exam cannot be made or read."""


class Recipe(Struct, frozen=True, kw_only=True):
    """How an exam is made: the same recipe makes the same exam."""

    name: str = "mixed"
    edition: int = 1
    games: list[str]
    seed: int
    search: int = 0
    """States that are searched for the length of a win."""
    show_legal: bool = True
    """Whether the legal moves are in the questions."""
    selection: str
    """How the positions were chosen, in Markdown."""


class ItemRow(Struct, frozen=True):
    """An item as a row of the dataset, in JSON lines and in Parquet."""

    id: str
    split: str
    game: str
    options: str
    """JSON: the options differ from game to game, and a column has one type."""
    size: int
    phase: Literal["opening", "middle", "end"]
    difficulty: Literal["easy", "medium", "hard"]
    rules: int
    prompt: list[dict[str, str]]
    moves: list[str]
    """Moves are text in all games, so that a column has one type."""
    legal_moves: list[str]
    winning_moves: list[str]
    value: Literal[1]
    winning_share: float
    chance: float
    plies: Annotated[int, Meta(gt=0, lt=10**7)] | None


@dataclass(frozen=True)
class Item:
    """A position with its labels. In an exam the player to move wins, but not with every move."""

    position: Position
    winning_moves: tuple[Move, ...]
    phase: Any
    plies: int | None = None
    """Moves of both to the end if the winner hurries and the loser resists; None if unknown."""
    split: str = ""
    rules: int = RULES_VERSION

    @property
    def game(self) -> str:
        return self.position.game.id

    @cached_property
    def label(self) -> str:
        """The game with its options, in the shortest form."""
        return game_label(self.position.game)

    @cached_property
    def hash(self) -> str:
        """A hash of the board and the legal moves: the same for equal positions."""
        here = self.position
        legal = _texts(here, here.legal_moves)
        return digest([here.game.id, here.game.options, here.words, legal])[:32]

    @property
    def share(self) -> float:
        """The share of the legal moves that win."""
        return len(self.winning_moves) / self.position.legal_count

    def chance(self, show_legal: bool) -> float:
        """Return the exact score of a random answer, which is given once."""
        return Conditions(show_legal, retries=0).chance(self.position, len(self.winning_moves))

    @property
    def difficulty(self) -> Any:
        return next(word for word, least in DIFFICULTIES.items() if self.share > least)

    def row(self, *, show_legal: bool) -> ItemRow:
        """Return the item as a row, with everything that follows from its position."""
        here = self.position
        return ItemRow(
            id=self.hash,
            split=self.split,
            game=self.game,
            options=json.dumps(here.game.options, sort_keys=True),
            size=here.game.size,
            phase=self.phase,
            difficulty=self.difficulty,
            rules=self.rules,
            prompt=prompt(here, Conditions(show_legal), in_exam=True),
            moves=_texts(here, here.moves),
            legal_moves=_texts(here, here.legal_moves),
            winning_moves=_texts(here, self.winning_moves),
            value=1,
            winning_share=round(self.share, 6),
            chance=round(self.chance(show_legal), 6),
            plies=self.plies,
        )


def read_item(data: Any) -> Item:
    """Return the item of a row; ExamError if it is damaged. `check_labels` checks its labels."""
    try:
        row = msgspec.convert(data, ItemRow)
        playing = game(row.game, **json.loads(row.options))
        winning = tuple(map(playing.parse, row.winning_moves))
        rest = (row.phase, row.plies, row.split, row.rules)
        item = Item(playing.position(*map(playing.parse, row.moves)), winning, *rest)
        is_same = item.hash == row.id
    except DAMAGED as error:
        why = f": {error}" if isinstance(error, DuelsError) else ""
        raise ExamError(f"An item of the exam is damaged{why}.".replace("..", ".")) from None
    if not is_same:
        raise ExamError("An item of the exam is damaged: its parts contradict each other.")
    if item.rules != RULES_VERSION:
        raise ExamError("The exam was made for other rules than these.")
    return item


def check_labels(item: Item) -> None:
    """Raise ExamError if the labels are wrong: nothing is graded by a label from a file."""
    here = item.position
    true = winning_moves(here)
    if {*true} != {*item.winning_moves} or not is_choice(here, true):
        raise ExamError(f"The exam has a wrong label: {item.label} after {here.moves}.")


def _texts(position: Position, moves: tuple[Move, ...]) -> list[str]:
    return [position.game.format(move) for move in moves]
