"""What somebody's own games tell, who keeps them: reviews, puzzles, and how strong they are."""

from __future__ import annotations

from typing import Any

from duels.coach.puzzles import mistakes
from duels.coach.review import review, review_data, review_lines
from duels.core.errors import TooLarge
from duels.match.match import Match
from duels.match.strengths import Standing
from duels.service.asking import Answer, Asked, answer
from duels.service.play import Desk
from duels.service.practice import puzzle_state
from duels.service.requests import Result
from duels.service.truth import read_matches, seconds_worked

SECONDS = 3.0
"""Of computing: what is not looked at by then is asked for again, without the first ones."""


def reviews(sent: bytes) -> dict[str, Any]:
    """The records of finished games: each reviewed, with what went wrong in it as puzzles."""
    found, wrong = read_matches(sent)
    began = seconds_worked()
    reviewed: list[dict[str, Any]] = []
    for match in found:
        if reviewed and seconds_worked() - began > SECONDS:
            break
        reviewed.append(_reviewed(match))
    return {"matches": reviewed, "problems": wrong}


def _reviewed(match: Match) -> dict[str, Any]:
    try:
        told = review(match)
    except TooLarge as error:
        return {"id": match.id, "chances": {}, "lines": [str(error)], "puzzles": []}
    return {
        "id": match.id,
        "chances": review_data(told)["chances"],
        "lines": review_lines(told),
        "puzzles": [puzzle_state(posed) for posed in mistakes([match])],
    }


async def strength(desk: Desk, asked: Asked, sent: Result) -> Answer:
    """How strong the computer is after a game, so that somebody wins about half of them."""
    after = Standing(sent.strength, sent.games).after(sent.won)
    return answer({"strength": after.strength, "games": after.games})
