"""Scoring for lm-eval, with the parser and the exact verdicts of `duels exam`."""

from __future__ import annotations

from typing import Any

from duels.lab.exam.dataset import check_labels, read_item
from duels.match.players.prompt import read_answer


def score(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """Return whether the answer is a legal move and a right one, and the score of random play."""
    item = read_item(doc)
    check_labels(item)
    _, _, move = read_answer(item.position, results[0])
    right, legal = move in item.winning_moves, move is not None
    return {"right": float(right), "chance": item.share, "legal": float(legal)}
