"""Boards as HTML for paper: without a script, and dark on white."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any, NamedTuple

from duels.core.game import Position, numbers_of
from duels.core.words import listed
from duels.games.board import takers
from duels.service.boards import Board

MARKS = {player: f'<i class="mark mark-{player}"></i>' for player in (1, 2)}


class Task(NamedTuple):
    """A puzzle as it is drawn; plain data, because it comes from another process."""

    board: Board
    drawing: str
    words: str
    question: str
    answer: str
    reason: str


def names() -> str:
    """Two lines to write on, each with the mark of a player, and one for who won."""
    rule = '<span class="rule"></span>'
    return f'<p class="names">{MARKS[1]}{rule}{MARKS[2]}{rule}<span>Won by</span>{rule}</p>'


def blank(kind: str, size: int) -> str:
    """A grid or a line of which nothing is gone yet."""
    return _numbers(kind, size, (_cell(number) for number in range(1, size + 1)))


def board(shown: Board, position: Position) -> str:
    """A position as its game wants it to be shown."""
    draw = {"grid": _taken, "line": _taken, "digits": _digits}.get(shown["kind"], _words)
    return draw(shown, position)


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


def _taken(shown: Board, position: Position) -> str:
    taken = takers(position)
    last = set(numbers_of(position.moves[-1])) if position.moves else set()
    count = shown["count"]
    cells = (_cell(n, taken.get(n, 0), is_last=n in last) for n in range(1, count + 1))
    return _numbers(shown["kind"], count, cells)


def _numbers(kind: str, size: int, cells: Iterable[str]) -> str:
    label = f"The numbers from 1 to {size}"
    return f'<div class="paper-{kind}" role="group" aria-label="{label}">{" ".join(cells)}</div>'


def _cell(number: int, taker: int = 0, *, is_last: bool = False) -> str:
    if not taker:
        return f"<span>{number}</span>"
    look = f"gone{' last' if is_last else ''}"
    return f'<span class="{look}"><s>{number}</s>{MARKS[taker]}</span>'


def _digits(shown: dict[str, Any], position: Position) -> str:
    return (
        f'<p class="paper-number">{escape(shown["number"]) or "…"}</p>'
        f'<p class="quiet">{escape(shown["words"])}</p>'
    )


def _words(shown: dict[str, Any], position: Position) -> str:
    return f'<p class="paper-number">{escape(shown["words"])}</p>'
