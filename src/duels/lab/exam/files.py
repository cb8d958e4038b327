"""An exam on disk: JSON lines, Parquet, a card and a manifest, as dataset hubs read them.

README.md            the card, which names the files of each split
exam.json            what it was made from, with the hash of each file and of the whole
data/SPLIT.jsonl     a question a line; data/SPLIT.parquet has the same, where pyarrow is installed
proofs/ID.json       the proof of each label, on request: duels check reads it
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from duels.core.errors import DAMAGED, DuelsError
from duels.core.files import read_small, version_fault
from duels.core.game import Game
from duels.games import RULES_VERSION
from duels.lab.arena.folder import LARGEST, LARGEST_PLAN, Folder, json_lines
from duels.lab.arena.tournament import read_games
from duels.lab.exam.card import card
from duels.lab.exam.item import SPLITS, ExamError, Item, read_item
from duels.match.players.prompt import PROMPT_VERSION, digest
from duels.theory import solve
from duels.theory.verdict import verdict_data

MANIFEST = "exam.json"
VERSION = 1
"""The version of the manifest and of the questions."""


@dataclass(frozen=True)
class Exam:
    """An exam that was read: what it was made from, and the lines of each split."""

    path: Path
    manifest: Mapping[str, Any]
    games: tuple[Game, ...]
    """The boards that it was made from."""

    def items(self, splits: Sequence[str], most: int | None) -> list[Item]:
        """The first questions of some splits, in turn, as many as there are or as are wanted."""
        known = self.manifest["splits"]
        for split in splits:
            if split not in known:
                raise ExamError(f"{self.path} has no split {split}; it has {', '.join(known)}.")
        lines = [self._lines(split) for split in splits]
        longest = max(map(len, lines))
        mixed = [part[n] for n in range(longest) for part in lines if n < len(part)]
        return [*map(_item, mixed[:most])]

    def _lines(self, split: str) -> list[bytes]:
        path = self.path / "data" / f"{split}.jsonl"
        content = _read(path, LARGEST)
        if hashlib.sha256(content).hexdigest() != self.manifest["splits"][split]["sha256"]:
            raise ExamError(f"{path} is damaged: it is not the file that the exam was made with.")
        return content.splitlines()


def write_exam(path: Path, items: Sequence[Item], made: Mapping[str, Any], proofs: bool) -> str:
    """Write all files; the hash of the whole. Equal exams have equal hashes."""
    there = [split for split in SPLITS if any(item.split == split for item in items)]
    splits = {split: [item.data() for item in items if item.split == split] for split in there}
    texts = {split: json_lines(rows) for split, rows in splits.items()}
    counted = {
        split: {"positions": len(rows), "sha256": hashlib.sha256(texts[split].encode()).hexdigest()}
        for split, rows in splits.items()
    }
    manifest = {
        "kind": "exam",
        "version": VERSION,
        **made,
        "rules": RULES_VERSION,
        "prompt": PROMPT_VERSION,
        "splits": counted,
        "hash": digest(counted),
    }
    ending = "parquet" if find_spec("pyarrow") else "jsonl"
    with Folder(path, {}, lambda line: line) as folder:
        for split, text in texts.items():
            folder.write(f"data/{split}.jsonl", text)
            if ending == "parquet":
                _write_parquet(folder, split, splits[split])
        if proofs:
            for item in items:
                proof = json.dumps(verdict_data(solve(item.position)))
                folder.write(f"proofs/{item.hash}.json", proof + "\n")
        folder.write("README.md", card(manifest, splits, ending))
        folder.write_data(MANIFEST, manifest)
    return str(manifest["hash"])


def _write_parquet(folder: Folder[Any], split: str, rows: Sequence[dict[str, Any]]) -> None:
    arrow = import_module("pyarrow")
    text, number = arrow.string(), arrow.int64()
    message = arrow.struct([("role", text), ("content", text)])
    types = dict.fromkeys(rows[0], text)
    types |= {"prompt": arrow.list_(message), "winning_share": arrow.float64()}
    types |= dict.fromkeys(("moves", "legal_moves", "winning_moves"), arrow.list_(text))
    types |= dict.fromkeys(("size", "rules", "value", "plies"), number)
    # The options differ from game to game, and a column has one type.
    flat = [row | {"options": json.dumps(row["options"], sort_keys=True)} for row in rows]
    folder.write_parquet(f"data/{split}.parquet", flat, types)


def read_exam(path: Path) -> Exam:
    """An exam that somebody has made; ExamError if it is none, or damaged."""
    content = _read(path / MANIFEST, LARGEST_PLAN)
    try:
        manifest = json.loads(content)
        is_ours = manifest["kind"] == "exam"
    except DAMAGED:
        is_ours = False
    if not is_ours:
        raise ExamError(f"{path / MANIFEST} is not that of an exam, or it is damaged.")
    if fault := version_fault(manifest, VERSION):
        raise ExamError(f"{path / MANIFEST} cannot be read: {fault}.")
    try:
        splits = {
            str(name): {"positions": int(part["positions"]), "sha256": str(part["sha256"])}
            for name, part in manifest["splits"].items()
        }
        is_whole = bool(splits) and digest(splits) == manifest["hash"]
        is_plain = all(name.replace("_", "").isalnum() for name in splits)
        games = tuple(read_games(map(str, manifest["games"])).values())
    except DuelsError as error:
        raise ExamError(f"{path / MANIFEST} names a board that is not here. {error}") from None
    except DAMAGED:
        is_whole = is_plain = False
    if not is_whole or not is_plain:
        raise ExamError(f"{path / MANIFEST} is not that of an exam, or it is damaged.")
    return Exam(path, manifest | {"splits": splits}, games)


def _item(line: bytes) -> Item:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ExamError("A question of the exam is damaged: it is not JSON.") from None
    return read_item(data)


def _read(path: Path, most: int) -> bytes:
    try:
        return read_small(path, most)
    except OSError as error:
        raise ExamError(f"{path} cannot be read: {error.strerror or error}.") from None
