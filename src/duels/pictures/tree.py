"""The strategy of Divisor Duel as a tree that fits on a page."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from duels.games.divisor_duel import DivisorPosition
from duels.theory.divisor import DivisorVerdict, digits_left, divisor_of

MOST_NODES = 50
DEEPEST = 4
"""Digits from the root down: two of each player."""


@dataclass
class Node:
    """A number, who made it, and what follows it."""

    number: int
    player: int
    strategy: Any
    grade: str = ""
    note: str = ""
    row: float = 0
    children: list[Node] = field(default_factory=list)


def grown(verdict: DivisorVerdict) -> Node:
    """The tree from the number so far: every digit of now, then as much as there is room for."""
    assert verdict.proof
    position = verdict.position
    best = verdict.best_move
    root = Node(position.state, 3 - position.to_move, None)
    for digit in digits_left(position):
        wins = digit in verdict.winning_moves
        grade = "best" if digit == best else "wins" if wins else "loses"
        strategy = verdict.proof["after"][str(digit)]
        root.children.append(Node(_number(root, digit), position.to_move, strategy, grade))
    count = 2 * len(root.children) - len(verdict.winning_moves)
    waiting = deque((child, 1) for child in root.children)
    while waiting:
        node, depth = waiting.popleft()
        node.note = _note(node, position)
        if node.note:
            continue
        if node.grade == "wins":
            node.note = "wins too …"
            continue
        found = _children(node)
        if isinstance(node.strategy, dict):
            # A digit of the loser is worth nothing without its answer: there must be room for both.
            if depth + 2 > DEEPEST or count + 2 * len(found) > MOST_NODES:
                node.note = "…"
                continue
            count += 2 * len(found)
        node.children = found
        waiting.extend((child, depth + 1) for child in found)
    return root


def equation(number: int, divisor: int) -> str:
    """ "14 = 7 × 2"."""
    return f"{number} = {divisor} × {number // divisor}"


def _number(node: Node, digit: int) -> int:
    return 10 * node.number + digit


def _note(node: Node, position: DivisorPosition) -> str:
    """Why nothing follows a number, if nothing does."""
    if node.number % divisor_of(position) == 0:
        return equation(node.number, divisor_of(position))
    if len(str(node.number)) == 9:
        return "last digit, not divisible"
    return ""


def _children(node: Node) -> list[Node]:
    """Every digit of the loser, or the one answer of the winner."""
    other = 3 - node.player
    if isinstance(node.strategy, dict):
        return [
            Node(_number(node, int(digit)), other, strategy)
            for digit, strategy in node.strategy.items()
        ]
    answer, *then = node.strategy
    return [Node(_number(node, answer), other, then[0] if then else {})]
