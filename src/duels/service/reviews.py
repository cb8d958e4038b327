"""Reviews for pages: every move labelled, and the end of a match for each player."""

from __future__ import annotations

from typing import Literal

import msgspec

from duels.coach.challenges import Challenge, next_challenge, turning_point_in_words
from duels.coach.review import Review, SummaryLine, move_in_words, review, review_data, summary
from duels.core.game import other
from duels.match.match import Match
from duels.service.problems import ready
from duels.service.requests import NewMatch
from duels.service.views import GameOptions, OutcomeView, Player, View, move_texts, view_of


class ReviewedMove(View, frozen=True):
    """A move, its kind, and the kind in words; `better` would have won."""

    player: Player
    move: str
    kind: str
    label: str
    winner_after: Player
    better: str | None
    why: str


class Chances(View, frozen=True):
    """How many turns began with a winning move, and on how many one was played."""

    wins: int
    kept: int


class SummaryLineView(View, frozen=True):
    """A line of a review's summary: `turn`, `why`, `chances` (of a player), `strip`, …"""

    kind: str
    text: str
    player: int


class ChallengeView(View, frozen=True):
    """What to do next: a sentence, a button, and for some kinds a match to create."""

    kind: Literal["stronger", "retry", "swap", "whole", "lesson", "puzzles", "rematch"]
    text: str
    label: str
    match: NewMatch | None


class EndView(View, frozen=True):
    """The end of a match for one player, or for a watcher."""

    turning_point: str
    challenge: ChallengeView
    lines: list[SummaryLineView]
    moves: list[str]
    """A sentence about each move."""


class ReviewView(View, frozen=True):
    """Every move of a finished match labelled, and the moves on which the game turned."""

    game: str
    options: GameOptions
    players: list[str]
    winner_at_start: Player
    turning_point: int | None
    turning_points: list[int]
    turned_at_end: bool
    again_at: int | None
    outcome: OutcomeView | None
    chances: dict[str, Chances]
    moves: list[ReviewedMove]
    end: EndView
    seen_by: list[EndView]
    strip: str


def review_match(match: Match) -> ReviewView:
    """Review a finished match, for a watcher (`end`) and for each player (`seen_by`)."""
    found = review(match)
    data, write = review_data(found), match.game.format
    for step, shown in zip(found.steps, data["moves"], strict=True):
        shown["move"] = write(step.move)
        shown["better"] = None if step.better is None else write(step.better)
    end, *seen_by = (_end_view(found, you) for you in (0, 1, 2))
    data |= {"end": end, "seen_by": seen_by, "strip": found.strip}
    return msgspec.convert(data, ready(ReviewView))


def _end_view(review: Review, you: int) -> EndView:
    challenge = next_challenge(review, you)
    assert challenge  # the match is over
    return EndView(
        turning_point=turning_point_in_words(review, you),
        challenge=_challenge_view(challenge),
        lines=summary_lines(summary(review, you=you)),
        moves=[move_in_words(review, step, you) for step in review.steps],
    )


def _challenge_view(challenge: Challenge) -> ChallengeView:
    match = challenge.match
    return view_of(ChallengeView, challenge, match=match and _request_for(match))


def _request_for(match: Match) -> NewMatch:
    """Return the request that creates a match of a person against the computer."""
    person: Player = 2 if match.computer(1) else 1
    return NewMatch(
        game=match.game.id,
        mode="computer",
        options=dict(match.game.options),
        moves=move_texts(match.game, match.moves),
        level=match.computer(other(person)),
        names=[match.name(person)],
        first=person,
        time_limit=match.time_limit,
    )


def summary_lines(lines: list[SummaryLine]) -> list[SummaryLineView]:
    """Return the lines of a review's summary."""
    return [view_of(SummaryLineView, line) for line in lines]
