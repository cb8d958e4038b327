"""Lessons: their steps without the answers, and what is said to an answer."""

from __future__ import annotations

from typing import Any

from duels.coach.lessons import OPPONENT, TRIES, Reply, Step, answer, lesson_of
from duels.coach.questions import winner
from duels.core.errors import LessonError
from duels.games import all_games
from duels.hosting import asking
from duels.hosting.asking import Answer, Asked
from duels.hosting.play import Desk
from duels.hosting.problems import Problem
from duels.hosting.requests import LessonAnswer, LessonStep
from duels.hosting.state import position_state
from duels.hosting.truth import game_named

WON = "won"


async def lesson(desk: Desk, asked: Asked) -> Answer:
    """The lesson of a game: boards and questions, and nothing that gives an answer away."""
    return asking.answer(await desk.study.run(asked, _lesson, _game(asked)))


async def hint(desk: Desk, asked: Asked, sent: LessonStep) -> Answer:
    """A little help with a step."""
    return asking.answer(await desk.study.run(asked, _hint, _game(asked), sent.step))


async def answered(desk: Desk, asked: Asked, sent: LessonAnswer) -> Answer:
    """Whether an answer is right, and why; what is no answer at all does not count."""
    return asking.answer(await desk.study.run(asked, _answered, _game(asked), sent))


def _game(asked: Asked) -> str:
    """The id of a game that has a lesson."""
    kind = game_named(asked)
    if not kind.lesson_text():
        raise Problem(404, f"There is no lesson for {kind.title}.")
    return kind.id


def _steps(game_id: str) -> tuple[Step, ...]:
    kind = all_games()[game_id]
    found = lesson_of(kind)
    if found is None:  # the file beside it is another game's
        raise LessonError(f"There is no lesson for {kind.title}.")
    return found.steps


def _step(game_id: str, number: int) -> Step:
    steps = _steps(game_id)
    if number > len(steps):
        raise LessonError(f"This lesson has {len(steps)} steps.")
    return steps[number - 1]


def _lesson(game_id: str) -> dict[str, Any]:
    return {
        "game": game_id,
        "title": all_games()[game_id].title,
        "steps": [_shown(step) for step in _steps(game_id)],
    }


def _shown(step: Step) -> dict[str, Any]:
    """A step as a page shows it. Taps on the board are the answer, a part of it, or nothing."""
    position = step.position
    data = {
        "title": step.title,
        "text": list(step.text),
        "position": position_state(position, None),
        "question": step.question,
        "you": winner(position) if step.is_game else position.to_move,
        "opponent": OPPONENT if step.is_game else None,
    }
    if step.is_game:
        return data | {"taps": "none", "choices": [], "shows_moves": True, "has_hint": False}
    kind = step.asks
    return data | {
        "taps": "answer" if kind.is_move else "part" if kind.names_numbers else "none",
        "choices": list(kind.choices),
        "shows_moves": kind.shows_moves,
        "has_hint": bool(step.hint),
    }


def _hint(game_id: str, number: int) -> dict[str, Any]:
    return {"text": _step(game_id, number).hint or "There is no hint for this step."}


def _answered(game_id: str, sent: LessonAnswer) -> dict[str, Any]:
    step = _step(game_id, sent.step)
    if step.is_game:
        has_won = sent.answer == WON
        reply = Reply(has_won, (step.right if has_won else step.otherwise,))
    else:
        reply = answer(step, sent.answer, sent.wrong)
    after = step.position
    if reply.is_right and not step.is_game and step.asks.is_move:
        after = after.play(after.game.parse(sent.answer))
    return {
        "is_right": reply.is_right,
        "lines": list(reply.lines),
        "is_shown": not reply.is_right and _is_last(step, sent),
        "position": position_state(after, after.outcome),
    }


def _is_last(step: Step, sent: LessonAnswer) -> bool:
    """Whether the right answer was told because there were so many wrong ones."""
    return not step.is_game and sent.wrong + 1 >= TRIES
