"""Boards as HTML for paper: without a script, and dark on white."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from duels.core.board import Cell, describe
from duels.core.game import Position
from duels.core.words import listed

MARKS = {player: f'<i class="mark mark-{player}"></i>' for player in (1, 2)}


class Task(NamedTuple):
    """A puzzle as it is drawn; plain data, because it comes from another process."""

    layout: str
    drawing: str
    words: str
    question: str
    answer: str
    reason: str


def names() -> str:
    """Two lines to write on, each with the mark of a player, and one for who won."""
    rule = '<span class="rule"></span>'
    return f'<p class="names">{MARKS[1]}{rule}{MARKS[2]}{rule}<span>Won by</span>{rule}</p>'


def blank(layout: str, size: int) -> str:
    """A grid or a line of which nothing is gone yet."""
    cells = (_cell(Cell(str(number))) for number in range(1, size + 1))
    return _cells(layout, cells, 10, f"The numbers from 1 to {size}")


def board(position: Position) -> str:
    """A position as its game describes its board, without tiles for moves: those are written."""
    shown = describe(position)
    head = "".join(cell.text for cell in shown.headline)
    words = f'<p class="paper-number">{escape(head) or "…"}</p>' if head or shown.caption else ""
    words += f'<p class="quiet">{escape(shown.caption)}</p>' if shown.caption else ""
    if shown.layout not in ("grid", "line"):
        return words
    across = max(map(len, shown.rows))
    cells = (_cell(cell) for row in shown.rows for cell in row)
    return words + _cells(shown.layout, cells, across, "The board")


def task(place: int, one: Task) -> str:
    """A puzzle with its board, its question and a place for the answer."""
    return (
        f'<section class="task"><h2>{place}. {escape(one.words)}</h2>{one.drawing}'
        f'<p>{one.question} <span class="answer">Answer <span class="rule"></span></span></p>'
        "</section>\n"
    )


def question(position: Position) -> str:
    """Who is to move, and what is allowed."""
    game = position.game
    moves = listed([game.format(move) for move in position.legal_moves], "or")
    return f"You are {MARKS[position.to_move]}, and may {escape(game.verb.do)} {escape(moves)}."


def _cells(layout: str, cells: Iterable[str], across: int, label: str) -> str:
    return (
        f'<div class="paper-{layout} across-{across}" role="group" aria-label="{label}">'
        f"{' '.join(cells)}</div>"
    )


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return '<span class="hole"></span>'
    if not cell.gone:
        return f"<span>{escape(cell.text)}</span>"
    look, mark = f"gone{' last' if cell.last else ''}", MARKS.get(cell.taken_by, "")
    return f'<span class="{look}"><s>{escape(cell.text)}</s>{mark}</span>'
