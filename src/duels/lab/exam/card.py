"""The card of an exam: README.md, with what dataset hubs read at its head."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from duels.core.errors import PACKAGE, TITLE

FIELDS = {
    "id": "a hash of the position: the same for equal positions, however they were reached",
    "split": "train, test, test_sizes (sizes that train has not), test_options (boards of train "
    "with a choice that train has not, or not together)",
    "game, options, size": "the game, its options, and the size of its board",
    "phase": "opening, middle or end: the third of the game that the position comes from",
    "difficulty": "easy, medium or hard: more than half, more than a quarter, or fewer moves win",
    "rules": "the version of the rules",
    "prompt": "the question as it is asked under standard conditions, a message each",
    "moves": "the moves that led to the position, as they are typed",
    "legal_moves, winning_moves": "all moves, and exactly those that keep the win",
    "value": "1: the player to move wins with best play (everywhere: else no choice would matter)",
    "winning_share": "the share of the legal moves that win: the exact score of a random player",
    "plies": "moves of both to the end, if the winner hurries and the loser resists longest; null "
    "where a search of {search:,} states did not find it, or would not have come to its end",
}


def card(
    manifest: Mapping[str, Any], splits: Mapping[str, Sequence[Mapping[str, Any]]], ending: str
) -> str:
    """README.md, for files with this ending."""
    files = [
        line
        for split in splits
        for line in (f"  - split: {split}", f"    path: data/{split}.{ending}")
    ]
    total = sum(map(len, splits.values()))
    head = [
        "---",
        "pretty_name: Number Duels exam",
        "language: [en]",
        "task_categories: [question-answering]",
        "tags: [games, combinatorial-game-theory, reasoning]",
        f"size_categories: [{_size(total)}]",
        "configs:",
        "- config_name: default",
        "  data_files:",
        *files,
        "---",
    ]
    search = manifest["search"]
    fields = [f"| {name} | {words.format(search=search)} |" for name, words in FIELDS.items()]
    names = list(splits)
    return "\n".join(
        [
            *head,
            f"# An exam of {TITLE}",
            "",
            f"{total:,} positions of two-player number games, each with its exact label: which "
            "moves keep the win. No position is in two splits, and in each a choice matters.",
            "",
            f"Made by {PACKAGE} with seed {manifest['seed']} from {', '.join(manifest['games'])}.",
            f"The hash of the whole is `{manifest['hash']}`.",
            "",
            "| | " + " | ".join(names) + " |",
            "|---|" + "---:|" * len(names),
            *_counts(splits, "game"),
            *_counts(splits, "phase"),
            *_counts(splits, "difficulty"),
            "",
            "| field | what it is |",
            "|---|---|",
            *fields,
            "",
            "Ask a model each question once, and compare it with random play and with the levels:",
            "",
            "```text",
            "duels eval --exam . --model NAME --base-url http://localhost:8000/v1 --out scores",
            "```",
            "",
        ]
    )


def _counts(splits: Mapping[str, Sequence[Mapping[str, Any]]], name: str) -> list[str]:
    """How many of each kind a split has."""
    counts = {split: Counter(row[name] for row in rows) for split, rows in splits.items()}
    kinds = {row[name]: None for rows in splits.values() for row in rows}
    return [
        f"| {kind} | " + " | ".join(f"{counts[split][kind]:,}" for split in splits) + " |"
        for kind in kinds
    ]


def _size(total: int) -> str:
    """The words that hubs have for how many there are."""
    for most, words in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K")):
        if total < most:
            return words
    return "100K<n<1M"
