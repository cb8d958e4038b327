"""Divisor Duel: the number so far, and the tree of replies to every digit."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from duels.core.look import LOSING, MARGIN, MARKS, WINNING, Sheet, Span, fitting
from duels.core.words import short_number
from duels.games.digits.rules import DivisorPosition
from duels.games.digits.theory import DIVISOR, DivisorVerdict, digits_left, divisor_of
from duels.theory.pictures import LOSES, WINS, begin, end

MOST_NODES = 50
DEEPEST = 4
"""Levels of digits below the root: two for each player."""


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
    """Return the tree below the number so far: all next digits, then as many levels as fit."""
    position = verdict.position
    best = verdict.best_move
    strategies = DIVISOR.strategies(position, verdict.winning_moves)
    root = Node(position.state, 3 - position.to_move, None)
    for digit in digits_left(position):
        wins = digit in verdict.winning_moves
        grade = "best" if digit == best else "wins" if wins else "loses"
        strategy = strategies[str(digit)]
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
            # A digit of the loser is useless without the reply to it: there must be room for both.
            if depth + 2 > DEEPEST or count + 2 * len(found) > MOST_NODES:
                node.note = "…"
                continue
            count += 2 * len(found)
        node.children = found
        waiting.extend((child, depth + 1) for child in found)
    return root


def equation(number: int, divisor: int) -> str:
    """Return an equation, such as 14 = 7 × 2."""
    return f"{number} = {short_number(divisor)} × {number // divisor}"


def _number(node: Node, digit: int) -> int:
    return 10 * node.number + digit


def _note(node: Node, position: DivisorPosition) -> str:
    """Say why the game is over after a number, or "" if it is not."""
    if node.number % divisor_of(position) == 0:
        return equation(node.number, divisor_of(position))
    if len(str(node.number)) == 9:
        return "last digit, not divisible"
    return ""


def _children(node: Node) -> list[Node]:
    """Return every digit of the loser, or the one reply of the winner."""
    other = 3 - node.player
    if isinstance(node.strategy, dict):
        return [
            Node(_number(node, int(digit)), other, strategy)
            for digit, strategy in node.strategy.items()
        ]
    answer, *then = node.strategy
    return [Node(_number(node, answer), other, then[0] if then else {})]


WIDTH = 720
ROW = 31
CHIP_WIDE, CHIP_HIGH = 58, 24
COLUMN = 104
ROOT_WIDE = 96


def divisor_svg(verdict: DivisorVerdict) -> str:
    """Return the picture of a verdict on Divisor Duel."""
    sheet = begin(verdict, WIDTH)
    _growing_number(sheet, verdict.position)
    if verdict.wins is not None:
        root = grown(verdict)
        _captions(sheet, verdict, _depth(root))
        _tree(sheet, root)
        _legend(sheet, verdict, root)
    return end(sheet, verdict)


def _growing_number(sheet: Sheet, position: DivisorPosition) -> None:
    """Draw the growing number: the player's mark under each digit, the newest underlined."""
    if not position.moves:
        return
    x = MARGIN + 14.0
    sheet.y += 40
    for ply, digit in enumerate(position.moves):
        look = "ink b m last" if ply == len(position.moves) - 1 else "ink b m"
        player = 1 + ply % 2
        sheet.text(x, sheet.y, str(digit), look, 40)
        sheet.text(x, sheet.y + 24, MARKS[player], f"player{player} m", 13)
        x += 30
    divisor = divisor_of(position)
    if position.state % divisor == 0:
        words = equation(position.state, divisor)
    else:
        remainder = position.state % divisor
        words = f"remainder {remainder} when divided by {short_number(divisor)}"
    sheet.text(x + 6, sheet.y - 4, words, "quiet", fitting(words, sheet.width - MARGIN - x - 6, 16))
    sheet.y += 40


def _captions(sheet: Sheet, verdict: DivisorVerdict, depth: int) -> None:
    """Label each column with the player who adds its digits."""
    sheet.y += 16
    for column in range(depth):
        player = 1 + (len(verdict.position.moves) + column) % 2
        x = _left(column + 1) + CHIP_WIDE / 2
        verb = "adds" if column == 0 or bool(verdict.wins) == (column % 2 == 1) else "answers"
        spans: list[Span] = [(MARKS[player], f"player{player} m"), (f" {verb}", "quiet m")]
        sheet.spans(x, sheet.y, spans, 12)
    sheet.y += 14


def _tree(sheet: Sheet, root: Node) -> None:
    rows = _place(root, 0)
    _draw(sheet, root, 0, sheet.y)
    sheet.y += rows * ROW


def _place(node: Node, row: float) -> float:
    """Give every node its row, leaves from the top down; return the row below the last."""
    if not node.children:
        node.row = row
        return row + 1
    for child in node.children:
        row = _place(child, row)
    node.row = (node.children[0].row + node.children[-1].row) / 2
    return row


def _draw(sheet: Sheet, node: Node, column: int, top: float) -> None:
    y = top + node.row * ROW
    right = _left(column) + (CHIP_WIDE if column else ROOT_WIDE)
    for child in node.children:
        start, stop = y + CHIP_HIGH / 2, top + child.row * ROW + CHIP_HIGH / 2
        to, half = _left(column + 1), (_left(column + 1) - right) / 2
        curve = f"C{right + half:g} {start:g} {to - half:g} {stop:g} {to:g} {stop:g}"
        sheet.path(f"M{right:g} {start:g}{curve}", "edge-line open")
        _draw(sheet, child, column + 1, top)
    if not column:
        sheet.box(_left(0), y - 4, ROOT_WIDE, CHIP_HIGH + 8, "tile edge-line")
        name = str(node.number) if node.number else "start"
        size = fitting(name, ROOT_WIDE - 12, 17)
        sheet.text(_left(0) + ROOT_WIDE / 2, y + 18, name, "ink b m", size)
        return
    _chip(sheet, node, _left(column), y)
    if node.note:
        sheet.text(right + 8, y + 17, node.note, "ink" if "=" in node.note else "quiet", 13)


def _chip(sheet: Sheet, node: Node, x: float, y: float) -> None:
    """Draw a digit with the mark of its player and, in the first column, whether it wins."""
    digit, player = str(node.number % 10), f"player{node.player}"
    box, ink = {
        "best": ("good good-line", "ground b"),
        "wins": ("mild good-line", "good b"),
    }.get(node.grade, ("tile edge-line", "ink"))
    sheet.box(x, y, CHIP_WIDE, CHIP_HIGH, box, 12)
    mark_look = "ground" if node.grade == "best" else player
    sheet.text(x + 12, y + 16.5, MARKS[node.player], mark_look, 11)
    sheet.text(x + 30, y + 17.5, digit, f"{ink} m", 15)
    if node.grade:
        mark, look = (LOSING, "bad") if node.grade == "loses" else (WINNING, ink)
        sheet.text(x + 40, y + 16.5, mark, look, 11)


def _legend(sheet: Sheet, verdict: DivisorVerdict, root: Node) -> None:
    entries: list[list[Span]] = []
    if verdict.winning_moves:
        entries.append(WINS)
    if len(verdict.winning_moves) < len(verdict.position.legal_moves):
        entries.append(LOSES)
    entries += [[(mark, f"player{n}"), (f" Player {n}", "quiet")] for n, mark in MARKS.items()]
    if _goes_on(root):
        entries.append([("…", "ink"), (" the strategy continues", "quiet")])
    sheet.flow(entries, 12, 18)


def _left(column: int) -> float:
    """Return where a column begins; the root is column 0."""
    return MARGIN + (ROOT_WIDE + 40 + (column - 1) * COLUMN if column else 0)


def _depth(node: Node) -> int:
    return max((1 + _depth(child) for child in node.children), default=0)


def _goes_on(node: Node) -> bool:
    return "…" in node.note or any(map(_goes_on, node.children))
