"""Puzzles: chance's, the day's, and those of one's own games; what a tried move leads to."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from duels.coach.daily import (
    counts,
    daily_puzzle,
    headline,
    in_a_row,
    most_in_a_row,
    read_day,
    share_lines,
)
from duels.coach.hints import puzzle_hints
from duels.coach.puzzles import Attempt, Puzzle, find_puzzle, give_up, puzzle_at, question, try_move
from duels.coach.puzzles import Tried as Found
from duels.games import all_games, find_game
from duels.service.making import web_game
from duels.service.requests import AnyPuzzle, Attempted, Line, PuzzleStage, Tried
from duels.service.state import hint_state, position_state


def puzzle(sent: AnyPuzzle) -> dict[str, Any]:
    """A puzzle of a game and a difficulty, the same for the same seed."""
    kinds = [find_game(sent.game)] if sent.game else [*all_games().values()]
    return puzzle_state(find_puzzle(kinds, {}, sent.difficulty, Random(sent.seed)))


_of_day = lru_cache(maxsize=64)(daily_puzzle)


def daily(day: str) -> dict[str, Any]:
    """The puzzle of a date: the same for everybody, and at the terminal too."""
    return puzzle_state(_of_day(read_day(day)))


def share(day: str, sent: Attempted) -> dict[str, Any]:
    """Two lines to show to others, and the days in a row. What is sent is kept by who sent it."""
    of, today = read_day(day), read_day(sent.today)
    counted = [read_day(text) for text in sent.counted]
    attempt = Attempt(sent.tries, sent.hints, sent.is_solved, sent.gave_up)
    does_count = counts(of, attempt, today, counted)
    days = [*counted, of] if does_count else counted
    row = in_a_row(days, today)
    return {
        "lines": share_lines(headline(_of_day(of)), attempt, row if of == today else 0),
        "counts": does_count,
        "in_a_row": row,
        "most": most_in_a_row(days),
    }


def tried(sent: Tried) -> dict[str, Any]:
    """A move that is tried: right, or its real refutation on the board; or the answer."""
    posed = _posed(sent)
    if sent.move is None:
        shown = Found(False, give_up(posed), posed.position.play(posed.winning_moves[0]))
    else:
        shown = try_move(posed, sent.move)
    return {
        "is_right": shown.is_right,
        "words": shown.words,
        "position": position_state(shown.position, shown.position.outcome),
    }


def hint(sent: PuzzleStage) -> dict[str, Any]:
    """Help with a puzzle, in stages, for somebody who knows that there is a win."""
    return hint_state(puzzle_hints(_posed(sent).position), sent.stage)


def _posed(line: Line) -> Puzzle:
    """Whatever position it is: a puzzle needs nothing but one."""
    return puzzle_at(web_game(line.game, line.options).position(*line.moves))


def puzzle_state(posed: Puzzle) -> dict[str, Any]:
    """A puzzle as a page shows it: nothing tells which moves win."""
    return {
        "id": posed.id,
        "position": position_state(posed.position, None),
        "difficulty": posed.difficulty,
        "source": posed.source,
        "question": question(posed),
    }
