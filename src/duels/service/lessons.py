"""Lessons: their steps without the answers, and what is said to an answer."""

from __future__ import annotations

from typing import Any

from duels.coach.lessons import OPPONENT, TRIES, Lesson, Reply, Step, answer, lesson_of
from duels.coach.questions import winner
from duels.core.errors import LessonError
from duels.service.problems import Problem
from duels.service.requests import LessonAnswer, LessonStep
from duels.service.state import position_state
from duels.service.truth import game_named

WON = "won"


def lesson(game_id: str) -> dict[str, Any]:
    """The lesson of a game: boards and questions, and nothing that gives an answer away."""
    found = _lesson(game_id)
    steps = [_shown(step) for step in found.steps]
    return {"game": game_id, "title": found.game.title, "steps": steps}


def _lesson(game_id: str) -> Lesson:
    kind = game_named(game_id)
    found = lesson_of(kind)
    if found is None:
        raise Problem(404, f"There is no lesson for {kind.title}.")
    return found


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


def hint(game_id: str, sent: LessonStep) -> dict[str, Any]:
    """A little help with a step."""
    return {"text": _step(game_id, sent).hint or "There is no hint for this step."}


def _step(game_id: str, sent: LessonStep) -> Step:
    steps = _lesson(game_id).steps
    if sent.step > len(steps):
        raise LessonError(f"This lesson has {len(steps)} steps.")
    return steps[sent.step - 1]


def answered(game_id: str, sent: LessonAnswer) -> dict[str, Any]:
    """Whether an answer is right, and why; what is no answer at all does not count."""
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
    return {
        "is_right": reply.is_right,
        "lines": list(reply.lines),
        "is_shown": not reply.is_right and is_last,
        "position": position_state(after, after.outcome),
    }
