"""Practice: lessons without their answers, and puzzles without their solutions."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Literal

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
from duels.coach.lessons import OPPONENT, TRIES, Lesson, Reply, Step, answer, lesson_of
from duels.coach.puzzles import (
    Attempt,
    Puzzle,
    Tried,
    find_puzzle,
    give_up,
    puzzle_at,
    question,
    try_move,
)
from duels.coach.questions import winner
from duels.core.errors import LessonError
from duels.games import all_games, find_game
from duels.service.problems import Problem
from duels.service.requests import (
    DailyAttempt,
    GameLine,
    PuzzleHint,
    PuzzleMove,
    PuzzleQuery,
    StepAnswer,
    StepQuery,
    web_game,
)
from duels.service.views import (
    HintView,
    Player,
    PositionView,
    View,
    hint_view,
    position_view,
    view_of,
)

WON = "won"


class StepView(View, frozen=True):
    """A board and a question; a tap on the board is an answer, a part of one, or nothing.

    The last step is a game against an opponent: `you` is the side that wins with best play.
    """

    title: str
    text: list[str]
    position: PositionView
    question: str
    you: Player
    opponent: str | None
    taps: Literal["answer", "part", "none"]
    choices: list[str]
    shows_moves: bool
    has_hint: bool


class LessonView(View, frozen=True):
    """The lesson of a game."""

    game: str
    title: str
    steps: list[StepView]


class LessonHint(View, frozen=True):
    """Help with a step."""

    text: str


class LessonReply(View, frozen=True):
    """Whether an answer is right, and why; `is_shown` if the right answer is in the lines."""

    is_right: bool
    lines: list[str]
    is_shown: bool
    position: PositionView


class PuzzleView(View, frozen=True):
    """A puzzle; nothing tells which moves win."""

    id: str
    position: PositionView
    difficulty: str
    source: str
    question: str


class PuzzleReply(View, frozen=True):
    """What a tried move leads to: the position after it, or after its refutation."""

    is_right: bool
    words: str
    position: PositionView


class SharedResult(View, frozen=True):
    """Two lines to share; whether the day counts, and the days in a row."""

    lines: list[str]
    counts: bool
    in_a_row: int
    most: int


def lesson(game_id: str) -> LessonView:
    """The lesson of a game: boards and questions, and nothing that gives an answer away."""
    found = _find_lesson(game_id)
    steps = [_step_view(step) for step in found.steps]
    return LessonView(game=game_id, title=found.game.title, steps=steps)


def _find_lesson(game_id: str) -> Lesson:
    kind = all_games().get(game_id)
    if kind is None:
        raise Problem(404, "There is no game with this id.")
    found = lesson_of(kind)
    if found is None:
        raise Problem(404, f"There is no lesson for {kind.title}.")
    return found


def _step_view(step: Step) -> StepView:
    position, asks = step.position, None if step.is_game else step.asks
    taps: Literal["answer", "part", "none"] = "none"
    if asks and (asks.is_move or asks.names_numbers):
        taps = "answer" if asks.is_move else "part"
    return view_of(
        StepView,
        step,
        position=position_view(position, None),
        question=step.asked,
        you=position.to_move if asks else winner(position),
        opponent=None if asks else OPPONENT,
        taps=taps,
        choices=asks.choices if asks else (),
        shows_moves=asks.shows_moves if asks else True,
        has_hint=bool(asks and step.hint),
    )


def lesson_hint(game_id: str, sent: StepQuery) -> LessonHint:
    """Help with a step."""
    return LessonHint(text=_step(game_id, sent).hint or "There is no hint for this step.")


def _step(game_id: str, sent: StepQuery) -> Step:
    steps = _find_lesson(game_id).steps
    if sent.step > len(steps):
        raise LessonError(f"This lesson has {len(steps)} steps.")
    return steps[sent.step - 1]


def lesson_answer(game_id: str, sent: StepAnswer) -> LessonReply:
    """Whether an answer is right, and why; an unreadable answer does not count."""
    step = _step(game_id, sent)
    if step.is_game:
        has_won = sent.answer == WON
        reply = Reply(has_won, (step.right if has_won else step.otherwise,))
    else:
        reply = answer(step, sent.answer, sent.wrong)
    after = step.position
    if reply.is_right and not step.is_game and step.asks.is_move:
        after = after.play(after.game.parse(sent.answer))
    is_last = not step.is_game and sent.wrong + 1 >= TRIES
    return view_of(
        LessonReply,
        reply,
        is_shown=not reply.is_right and is_last,
        position=position_view(after, after.outcome),
    )


def random_puzzle(sent: PuzzleQuery) -> PuzzleView:
    """A puzzle of a game and a difficulty, the same for the same seed."""
    kinds = [find_game(sent.game)] if sent.game else [*all_games().values()]
    return puzzle_view(find_puzzle(kinds, {}, sent.difficulty, Random(sent.seed)))


_daily_puzzle = lru_cache(maxsize=64)(daily_puzzle)


def daily(day: str) -> PuzzleView:
    """The puzzle of a date: the same for everyone, and at the terminal too."""
    return puzzle_view(_daily_puzzle(read_day(day)))


def share_daily(day: str, sent: DailyAttempt) -> SharedResult:
    """Two lines to share, and the days in a row. Nothing that is sent here is saved."""
    of, today = read_day(day), read_day(sent.today)
    counted = [read_day(text) for text in sent.counted]
    attempt = Attempt(sent.tries, sent.hints, sent.is_solved, sent.gave_up)
    does_count = counts(of, attempt, today, counted)
    days = [*counted, of] if does_count else counted
    row = in_a_row(days, today)
    return SharedResult(
        lines=[*share_lines(headline(_daily_puzzle(of)), attempt, row if of == today else 0)],
        counts=does_count,
        in_a_row=row,
        most=most_in_a_row(days),
    )


def try_puzzle(sent: PuzzleMove) -> PuzzleReply:
    """Whether a move solves a puzzle, with its refutation if not; without a move, the solution."""
    puzzle = _puzzle_at(sent)
    if sent.move is None:
        after = puzzle.position.play(puzzle.winning_moves[0])
        tried = Tried(False, give_up(puzzle), after)
    else:
        tried = try_move(puzzle, sent.move)
    shown = position_view(tried.position, tried.position.outcome)
    return view_of(PuzzleReply, tried, position=shown)


def puzzle_hint(sent: PuzzleHint) -> HintView:
    """Help with a puzzle, in stages, for a player who knows that there is a win."""
    return hint_view(puzzle_hints(_puzzle_at(sent).position), sent.stage)


def _puzzle_at(line: GameLine) -> Puzzle:
    return puzzle_at(web_game(line.game, line.options).position(*line.moves))


def puzzle_view(puzzle: Puzzle) -> PuzzleView:
    """Return a puzzle without its solution."""
    shown = position_view(puzzle.position, None)
    return view_of(PuzzleView, puzzle, position=shown, question=question(puzzle))
