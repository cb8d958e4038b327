"""After a match: one next challenge for each player, chosen from the review."""

from __future__ import annotations

from typing import NamedTuple

from duels.coach.lessons import lesson_of
from duels.coach.review import Review
from duels.coach.summary import NOTE, summary
from duels.core.errors import LessonError
from duels.core.game import other
from duels.match.match import DEFAULT_NAMES, Match, Seat, new_match
from duels.match.players.levels import LEVELS, STRONGEST, Level, strength_of
from duels.match.players.specs import opponent_seat

STRONGER, RETRY, SWAP, WHOLE = "stronger", "retry", "swap", "whole"
"""The challenges that start a match: a stronger computer, the mistake again, the other side, the
whole game."""
LESSON, PUZZLES, REMATCH = "lesson", "puzzles", "rematch"
ORDER = {1: "first", 2: "second"}


class Challenge(NamedTuple):
    """What to do next: a sentence, and the label of its button."""

    kind: str
    text: str
    label: str
    match: Match | None = None
    """The match that it starts."""


def next_challenge(review: Review, you: int = 0) -> Challenge | None:
    """Return the challenge for player `you`, or for two players on one screen (0).

    None before the match is over.
    """
    match, outcome = review.match, review.match.outcome
    if not outcome:
        return None
    if not you or not match.computer(other(you)):
        return _rematch(review, you)
    if outcome.winner == you:
        return _from_the_start(review, you) if match.given else _stronger(review, you)
    return _after_loss(review, you)


def turning_point_in_words(review: Review, you: int = 0) -> str:
    """Return where the match turned, or why the loser had no chance; speaks to player `you`.

    Empty if neither player made a mistake and `you` won.
    """
    first = summary(review, 1, you)[0]
    return "" if first.kind == NOTE else first.text


def _rematch(review: Review, you: int) -> Challenge:
    """The same two people again, with the sides swapped."""
    match = review.match
    assert match.outcome
    text = "In a rematch you swap sides."
    if you == match.outcome.winner:
        text = "Can you win from the other side too?"
    elif you and not match.given and _mistake(review, you) is None:
        text = f"To win on this board, go {ORDER[other(you)]}, as you will in a rematch."
    return Challenge(REMATCH, text, "Rematch")


def _from_the_start(review: Review, you: int) -> Challenge:
    """The whole game, after a win from a given position."""
    text = f"You won from move {review.match.given + 1}. Can you win the whole game?"
    level = review.match.computer(other(you))
    return Challenge(WHOLE, text, "Play it from the start", _again(review, you, level))


def _stronger(review: Review, you: int) -> Challenge:
    """The same board against the next level."""
    level = _next_level(review.match.computer(other(you)))
    if level is None:
        text = "No computer is stronger. Can you solve a hard puzzle?"
        return Challenge(PUZZLES, text, "Try a hard puzzle")
    following = _again(review, you, level.name)
    side = 2 if following.computer(1) else 1
    text = f"Can you beat the {level.name} computer on the same board?"
    if side != you:
        text = f"{text} Go {ORDER[side]}: that side can win."
    return Challenge(STRONGER, text, f"Play the {level.name} computer", following)


def _next_level(computer: str) -> Level | None:
    """Return the weakest level that is stronger, or None."""
    strength = strength_of(computer)
    least = -1 if strength is None else strength
    return next((level for level in LEVELS.values() if level.strength > least), None)


def _after_loss(review: Review, you: int) -> Challenge:
    match, mistake = review.match, _mistake(review, you)
    if match.given and _has_lesson(match):
        return Challenge(LESSON, "The lesson shows how this game is won.", "Take the lesson")
    if mistake is not None:
        if mistake > len(match.moves):
            text, label = "Can you still win it?", "Play on"
        else:
            text, label = f"Can you win from move {mistake}?", f"Try move {mistake} again"
        return Challenge(RETRY, text, label, match.again_from(mistake))
    if match.given:
        return _rematch(review, you)
    order, level = ORDER[other(you)], match.computer(other(you))
    text = f"This time go {order}, and keep the win to the end."
    return Challenge(SWAP, text, f"Go {order} on this board", _again(review, other(you), level))


def _mistake(review: Review, you: int) -> int | None:
    """Return the number of the move with which a player lost a won game, if there is one."""
    ended = review.match.ended
    if ended and review.turned_at_end and ended.winner != you:
        return len(review.steps) + 1
    own = (n for n in reversed(review.turning_points) if review.steps[n - 1].player == you)
    return next(own, None)


def _has_lesson(match: Match) -> bool:
    try:
        return lesson_of(type(match.game)) is not None
    except LessonError:
        return False


def _again(review: Review, side: int, level: str) -> Match:
    """Return a new match on the same board; against perfect play, you get the winning side."""
    match = review.match
    person = next(seat for seat in match.seats if not seat.computer)
    if strength_of(level) == STRONGEST:
        side = review.winner_at_start
    name = DEFAULT_NAMES[side - 1] if person.name in DEFAULT_NAMES else person.name
    seats = (Seat(name), opponent_seat(level))
    return new_match(match.game, seats if side == 1 else seats[::-1], time_limit=match.time_limit)
