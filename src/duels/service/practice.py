"""Practice: rules, lessons without their answers, and puzzles without their solutions."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from random import Random
from typing import Literal

from duels.coach import puzzles
from duels.coach.daily import (
    Square,
    counts,
    daily_puzzle,
    headline,
    in_a_row,
    most_in_a_row,
    read_day,
    share_lines,
    squares,
    streak_words,
)
from duels.coach.hints import puzzle_hints
from duels.coach.lessons import (
    OPPONENT,
    TRIES,
    Lesson,
    Reply,
    Step,
    answer,
    hint_drawing,
    lesson_of,
    winner,
)
from duels.core.errors import LessonError
from duels.core.game import Game, Position
from duels.core.words import rules_without
from duels.games import all_games, find_game
from duels.match.dialogue import dialogue_of
from duels.match.match import new_match
from duels.service import views
from duels.service.matches import Services
from duels.service.problems import Problem
from duels.service.requests import (
    DailyAttempt,
    GameLine,
    PuzzleHint,
    PuzzleMove,
    PuzzleQuery,
    Request,
    RulesQuery,
    StepAnswer,
    StepQuery,
    web_game,
)
from duels.service.views import View, view_of

WON = "won"


class RulesView(View, frozen=True):
    """The rules: in two sentences, with an example position, and in full, as Markdown.

    `caption` says what was played in the example and what fits there; `caution` is a sentence if
    the options leave the players no real choice.
    """

    game: str
    title: str
    in_short: str
    caution: str | None
    example: views.PositionView
    caption: str
    markdown: str


class StepView(View, frozen=True):
    """A board and a question; a tap on the board is an answer, a part of one, or nothing.

    `text` has paragraphs, and lists of items. The last step is a game against an opponent: `you` is
    the side that wins with best play.
    """

    title: str
    text: list[str | list[str]]
    position: views.PositionView
    question: str
    you: views.Player
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
    """Help with a step, and what it shows on the board."""

    text: str
    drawing: views.DrawingView


class LessonReply(View, frozen=True):
    """Whether an answer is right, and why; `is_shown` if the right answer is in the lines."""

    is_right: bool
    lines: list[str]
    is_shown: bool
    position: views.PositionView


class PuzzleView(View, frozen=True):
    """A puzzle, without its winning moves."""

    id: str
    position: views.PositionView
    difficulty: str
    source: str
    question: str


class PuzzleReply(View, frozen=True):
    """What a tried move leads to: the position after it, or after its refutation."""

    is_right: bool
    words: str
    position: views.PositionView


class SharedResult(View, frozen=True):
    """Two lines and a row of squares to share; whether the day counts, and the days in a row.

    `streak` says in words how many days they are, and how many they have been at most.
    """

    lines: list[str]
    squares: list[Square]
    counts: bool
    in_a_row: int
    most: int
    streak: str


async def rules(services: Services, request: Request, sent: RulesQuery) -> RulesView:
    """The rules of a game. With options, those that hold for them."""
    kind = _find_kind(request.names["game_id"])
    options = {**kind.usual().options, **sent.options}
    game = web_game(kind.id, {name: str(value) for name, value in options.items()}, is_text=True)
    example = game.example()
    return RulesView(
        game=kind.id,
        title=kind.title,
        in_short=dialogue_of(game).rules(game),
        caution=game.caution(),
        example=views.position_view(example, example.outcome),
        caption=_caption(example),
        markdown=rules_without(kind.rules_text()),
    )


def _find_kind(game_id: str) -> type[Game]:
    kind = all_games().get(game_id)
    if kind is None:
        raise Problem(404, "There is no game with this id.")
    return kind


def _caption(example: Position) -> str:
    """Say what was played in an example, and what may be played next."""
    match = new_match(example.game, given=example)
    fits = dialogue_of(example.game).status(match, example.to_move)
    if not example.moves:
        return f"An example. {fits}"
    return f"An example, after {example.game.list_moves(example.moves)}. {fits}"


def lesson(game_id: str) -> LessonView:
    """The lesson of a game: boards and questions, and nothing that gives an answer away."""
    found = _find_lesson(game_id)
    steps = [_step_view(step) for step in found.steps]
    return LessonView(game=game_id, title=found.game.title, steps=steps)


def _find_lesson(game_id: str) -> Lesson:
    kind = _find_kind(game_id)
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
        text=_text(step),
        position=views.position_view(position, None),
        question=step.question if asks and asks.choices else step.full_question,
        you=position.to_move if asks else winner(position),
        opponent=None if asks else OPPONENT,
        taps=taps,
        choices=asks.choices if asks else (),
        shows_moves=asks.shows_moves if asks else True,
        has_hint=bool(asks and step.hint),
    )


def _text(step: Step) -> list[str | list[str]]:
    """Return the text of a step; lines that begin with "- " become list items."""
    parts: list[str | list[str]] = []
    for is_list, group in groupby(step.text, lambda part: part.startswith("- ")):
        texts = [part.removeprefix("- ") for part in group]
        parts += [texts] if is_list else texts
    return parts


def lesson_hint(game_id: str, sent: StepQuery) -> LessonHint:
    """Help with a step."""
    step = _step(game_id, sent)
    if not step.hint:
        raise Problem(404, "There is no hint for this step.")
    drawing = views.drawing_view(hint_drawing(step), step.position.game)
    return LessonHint(text=step.hint, drawing=drawing)


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
        position=views.position_view(after, after.outcome),
    )


def random_puzzle(sent: PuzzleQuery) -> PuzzleView:
    """A puzzle of a game and a difficulty, the same for the same seed."""
    kinds = [find_game(sent.game)] if sent.game else [*all_games().values()]
    return puzzle_view(puzzles.find_puzzle(kinds, {}, sent.difficulty, Random(sent.seed)))


_daily_puzzle = lru_cache(maxsize=64)(daily_puzzle)


def daily(day: str) -> PuzzleView:
    """The puzzle of a date: the same for everyone, and at the terminal too."""
    return puzzle_view(_daily_puzzle(read_day(day)))


def share_daily(day: str, sent: DailyAttempt) -> SharedResult:
    """Two lines and squares to share, and the days in a row. Nothing that is sent here is saved."""
    of, today = read_day(day), read_day(sent.today)
    counted = [read_day(text) for text in sent.counted]
    attempt = puzzles.Attempt(sent.tries, sent.hints, sent.is_solved, sent.gave_up)
    does_count = counts(of, attempt, today, counted)
    days = [*counted, of] if does_count else counted
    row, most = in_a_row(days, today), most_in_a_row(days)
    return SharedResult(
        lines=[*share_lines(headline(_daily_puzzle(of)), attempt, row if of == today else 0)],
        squares=squares(attempt),
        counts=does_count,
        in_a_row=row,
        most=most,
        streak=streak_words(row, most),
    )


def try_puzzle(sent: PuzzleMove) -> PuzzleReply:
    """Whether a move solves a puzzle, with its refutation if not; without a move, the solution."""
    puzzle = _puzzle_at(sent)
    if sent.move is None:
        after = puzzle.position.play(puzzle.winning_moves[0])
        tried = puzzles.Tried(False, puzzles.give_up(puzzle), after)
    else:
        tried = puzzles.try_move(puzzle, sent.move)
    shown = views.position_view(tried.position, tried.position.outcome)
    return view_of(PuzzleReply, tried, position=shown)


def puzzle_hint(sent: PuzzleHint) -> views.HintView:
    """Help with a puzzle, in stages, for a player who knows that there is a win."""
    position = _puzzle_at(sent).position
    return views.hint_view(puzzle_hints(position), sent.stage, position.game)


def _puzzle_at(line: GameLine) -> puzzles.Puzzle:
    return puzzles.puzzle_at(web_game(line.game, line.options).position(*line.moves))


def puzzle_view(puzzle: puzzles.Puzzle) -> PuzzleView:
    """Return a puzzle without its solution."""
    shown = views.position_view(puzzle.position, None)
    return view_of(PuzzleView, puzzle, position=shown, question=puzzles.question(puzzle))
