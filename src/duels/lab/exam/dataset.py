"""An exam: its items, and its folder with JSON lines, Parquet, a card and a manifest.

README.md            the card, which names the files of each split
exam.json            the manifest: the seed and the boards, with the hash of each file
data/SPLIT.jsonl     one item per line; data/SPLIT.parquet has the same if pyarrow is installed
proofs/ID.json       the proof of each label, on request, for duels check
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from duels.core.errors import DAMAGED, TITLE, DuelsError
from duels.core.files import read_small, version_fault
from duels.core.game import Move, Position
from duels.games import RULES_VERSION, all_games, game
from duels.lab.arena.tournament import game_label, read_games
from duels.lab.reports import PHASES, Table
from duels.lab.results_folder import (
    LARGEST,
    LARGEST_PLAN,
    Count,
    Data,
    Origin,
    ResultsFolder,
    has_parquet,
    json_lines,
)
from duels.match.players.grading import is_choice
from duels.match.players.prompt import PROMPT_VERSION, Conditions, digest, prompt
from duels.theory import solve, winning_moves
from duels.theory.verdict import verdict_data

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
        """Return the exact score of one random answer."""
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
            rules=RULES_VERSION,
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
    """Return the item in a row, or in a line; ExamError if it is damaged.

    `check_labels` checks its labels.
    """
    try:
        is_text = isinstance(data, bytes)
        row = (msgspec.json.decode if is_text else msgspec.convert)(data, type=ItemRow)
        playing = game(row.game, **json.loads(row.options))
        winning = tuple(map(playing.parse, row.winning_moves))
        here = playing.position(*map(playing.parse, row.moves))
        item = Item(here, winning, row.phase, row.plies, row.split)
        is_same = item.hash == row.id
    except DAMAGED as error:
        why = f": {error}" if isinstance(error, DuelsError) else ""
        raise ExamError(f"An item of the exam is damaged{why}.".replace("..", ".")) from None
    if not is_same:
        raise ExamError("An item of the exam is damaged: its parts contradict each other.")
    if row.rules != RULES_VERSION:
        raise ExamError("The exam was made for other rules than these.")
    return item


def check_labels(item: Item) -> None:
    """Raise ExamError if the labels are wrong: a label from a file is never trusted."""
    here = item.position
    true = winning_moves(here)
    if {*true} != {*item.winning_moves} or not is_choice(here, true):
        raise ExamError(f"The exam has a wrong label: {item.label} after {here.moves}.")


def _texts(position: Position, moves: tuple[Move, ...]) -> list[str]:
    return [position.game.format(move) for move in moves]


# The folder

MANIFEST = "exam.json"
CARD = Path(__file__).with_name("card.md")
VERSION = 1
"""The version of the manifest and of the items."""

Rows = Sequence[Data]


class SplitFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a split."""

    positions: Count
    sha256: str


class Manifest(Recipe, frozen=True, kw_only=True):
    """The manifest: the recipe of an exam, its files and its hash, equal for equal exams."""

    kind: Literal["exam"] = "exam"
    version: int = VERSION
    rules: int = RULES_VERSION
    prompt: int = PROMPT_VERSION
    splits: Annotated[dict[Annotated[str, Meta(pattern=r"^\w+$")], SplitFile], Meta(min_length=1)]
    hash: str
    origin: Origin


def _hash_of(splits: Mapping[str, SplitFile]) -> str:
    """Return the hash of the exam; it does not depend on the date."""
    return digest(msgspec.to_builtins(splits))


@dataclass(frozen=True)
class Exam:
    """An exam in a folder, with its manifest."""

    path: Path
    manifest: Manifest

    def items(self, splits: Sequence[str], most: int | None) -> list[Item]:
        """Return the first items of some splits, one of each in turn; all if `most` is None.

        Their labels are checked.
        """
        known = self.manifest.splits
        for split in splits:
            if split not in known:
                raise ExamError(f"{self.path} has no split {split}; it has {', '.join(known)}.")
        lines = [self._lines(split) for split in splits]
        longest = max(map(len, lines))
        mixed = [part[n] for n in range(longest) for part in lines if n < len(part)]
        items = [*map(read_item, mixed[:most])]
        for item in items:
            check_labels(item)
        return items

    def _lines(self, split: str) -> list[bytes]:
        path = self.path / "data" / f"{split}.jsonl"
        content = _read(path, LARGEST)
        if hashlib.sha256(content).hexdigest() != self.manifest.splits[split].sha256:
            raise ExamError(f"{path} is damaged: it is not the file that the exam was made with.")
        return content.splitlines()


def read_exam(path: Path) -> Exam:
    """Return the exam in a folder; ExamError if there is none, or if it is damaged."""
    where = path / MANIFEST
    if not where.exists():
        raise ExamError(f"There is no exam in {path}: the file {MANIFEST} is missing.")
    damaged = ExamError(f"{where} is not the manifest of an exam, or it is damaged.")
    content = _read(where, LARGEST_PLAN)
    try:
        data = json.loads(content)
        fault = version_fault(data, VERSION) if data["kind"] == "exam" else None
        manifest = None if fault else msgspec.convert(data, Manifest)
    except DAMAGED:
        raise damaged from None
    if not manifest:
        raise ExamError(f"{where} cannot be read: {fault}.")
    if _hash_of(manifest.splits) != manifest.hash:
        raise damaged
    try:
        read_games(manifest.games)
    except DuelsError as error:
        raise ExamError(f"{where} names a board that is not here. {error}") from None
    return Exam(path, manifest)


def _read(path: Path, most: int) -> bytes:
    try:
        return read_small(path, most)
    except OSError as error:
        raise ExamError(f"{path} cannot be read: {error.strerror or error}.") from None


def write_exam(
    path: Path, items: Sequence[Item], recipe: Recipe, *, proofs: bool, frozen: str = ""
) -> str:
    """Write all files; return the hash of the exam.

    ExamError if it is not the frozen hash, or if the folder has another exam.
    """
    rows: dict[str, Rows] = {}
    for split in SPLITS:
        mine = [item.row(show_legal=recipe.show_legal) for item in items if item.split == split]
        if mine:
            rows[split] = msgspec.to_builtins(mine)
    texts = {split: json_lines(part) for split, part in rows.items()}
    splits = {
        split: SplitFile(len(part), hashlib.sha256(texts[split].encode()).hexdigest())
        for split, part in rows.items()
    }
    whole = _hash_of(splits)
    if frozen not in ("", whole):
        words = f"The exam {recipe.name} {recipe.edition} is frozen, and this is another one"
        raise ExamError(f"{words}: {whole} instead of {frozen}.")
    if (path / MANIFEST).exists() and (there := read_exam(path).manifest.hash) != whole:
        raise ExamError(f"{path} has another exam, {there[:16]}. Choose another folder.")
    ending = "parquet" if has_parquet() else "jsonl"
    with ResultsFolder(path, {"seed": recipe.seed}, lambda line: line) as folder:
        made = msgspec.structs.asdict(recipe)
        manifest = Manifest(**made, splits=splits, hash=whole, origin=folder.origin)
        for split, text in texts.items():
            folder.write(f"data/{split}.jsonl", text)
            if ending == "parquet":
                _write_parquet(folder, split, rows[split])
        if proofs:
            for item in items:
                proof = json.dumps(verdict_data(solve(item.position)))
                folder.write(f"proofs/{item.hash}.json", proof + "\n")
        folder.write("README.md", card(manifest, rows, ending))
        folder.write_data(MANIFEST, msgspec.to_builtins(manifest))
    return whole


def _write_parquet(folder: ResultsFolder[Any], split: str, rows: Rows) -> None:
    arrow = import_module("pyarrow")
    text, number = arrow.string(), arrow.int64()
    message = arrow.struct([("role", text), ("content", text)])
    types = dict.fromkeys(rows[0], text)
    types["prompt"] = arrow.list_(message)
    types |= dict.fromkeys(("winning_share", "chance"), arrow.float64())
    types |= dict.fromkeys(("moves", "legal_moves", "winning_moves"), arrow.list_(text))
    types |= dict.fromkeys(("size", "rules", "value", "plies"), number)
    folder.write_parquet(f"data/{split}.parquet", rows, types)


# The card


def card(manifest: Manifest, splits: Mapping[str, Rows], ending: str) -> str:
    """Return the card, README.md, for files with this ending; dataset hubs read its head."""
    total = sum(map(len, splits.values()))
    sizes = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 2**53: "100K<n<1M"}
    kinds = {"game": sorted(all_games()), "phase": PHASES, "difficulty": DIFFICULTIES}
    counts = [
        [kind, *(f"{count[kind]:,}" for count in found)]
        for name, wanted in kinds.items()
        for found in [[Counter(row[name] for row in rows) for rows in splits.values()]]
        for kind in wanted
        if any(count[kind] for count in found)
    ]
    chances = [sum(row["chance"] for row in rows) / len(rows) for rows in splits.values()]
    counts.append(["chance", *(f"{chance:.1%}" for chance in chances)])
    return CARD.read_text("utf-8").format(
        title=TITLE,
        exam=manifest,
        licence=manifest.origin.licence.lower(),
        size=next(words for most, words in sizes.items() if total < most),
        files="\n".join(f"  - split: {one}\n    path: data/{one}.{ending}" for one in splits),
        total=total,
        games=", ".join(manifest.games),
        counts="\n".join(Table("", ["", *splits], counts).markdown()),
        legal="with" if manifest.show_legal else "without",
        typed="which are the legal ones" if manifest.show_legal else "legal here or not",
    )
