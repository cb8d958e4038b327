"""Requests about a match. A handler takes the services, the request, and its parsed contents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from random import SystemRandom
from typing import Any, Literal

import msgspec

from duels.coach.challenges import next_challenge, turning_point_in_words
from duels.coach.hints import hints
from duels.coach.pictures import result_svg
from duels.coach.review import Review, review, review_data
from duels.coach.summary import SummaryLine, better_in_words, move_in_words, summary
from duels.core.errors import MatchError, OptionError
from duels.core.game import other
from duels.core.words import listed, quoted
from duels.match.match import DEFAULT_NAMES, Match, Seat, Seats, new_match, read_seats
from duels.match.players.levels import BUILT_IN, strength_of
from duels.match.players.specs import opponent_seat
from duels.match.records import write_record
from duels.service import hosted as changes
from duels.service import views
from duels.service.hosted import Hosted, Rematch, SeatToken, new_id
from duels.service.matches import Services, StateEvent
from duels.service.problems import Problem, ready
from duels.service.requests import (
    SVG,
    HintQuery,
    JoinMatch,
    NewMatch,
    NewMove,
    PlyQuery,
    RecordQuery,
    Request,
    Response,
    web_game,
)
from duels.service.seats import hash_token, new_token, require_players, take_seat
from duels.service.views import View
from duels.theory import solve
from duels.theory.pictures import verdict_svg

ChangeBySeat = Callable[..., Hosted | Rematch]
"""A function of a match, the client's seats, the time, and the parsed `sent`."""
Handler = Callable[..., Awaitable[Response]]


class InvitationView(View, frozen=True):
    """The invitation for a friend, and the seat it opens."""

    seat: views.Player
    token: str


class MatchCreated(View, frozen=True):
    """A new match. Its tokens are sent once, to its creator."""

    id: str
    seat: views.Player | None
    token: str
    invite: InvitationView | None
    state: views.MatchView
    coin_toss: list[str]


class MatchList(View, frozen=True):
    """The public matches in progress."""

    matches: list[views.ListedMatchView]


class ReviewedMove(View, frozen=True):
    """A move, its kind, and the kind in words; `better` would have won."""

    player: views.Player
    move: str
    kind: str
    label: str
    winner_after: views.Player
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
    better: list[str]
    """For each move, what would have been better and why; empty if it was no mistake."""


class ReviewView(View, frozen=True):
    """Every move of a finished match labelled, and the moves on which the game turned."""

    game: str
    options: views.GameOptions
    players: list[str]
    winner_at_start: views.Player
    turning_point: int | None
    turning_points: list[int]
    turned_at_end: bool
    again_at: int | None
    outcome: views.OutcomeView | None
    chances: dict[str, Chances]
    moves: list[ReviewedMove]
    end: EndView
    seen_by: list[EndView]
    strip: str


def changing(change: ChangeBySeat) -> Handler:
    """Return a handler that makes this change for the seats that the request's token opens."""

    @wraps(change)
    async def handler(services: Services, request: Request, *sent: Any) -> Response:
        return Response((await _change(services, request, change, *sent)).state)

    return handler


async def _change(
    services: Services, request: Request, change: ChangeBySeat, *sent: Any
) -> StateEvent:
    return await services.matches.change(
        request.match_id,
        lambda it, now: change(it, require_players(it, request.token), now, *sent),
        request.client,
    )


async def move(services: Services, request: Request, sent: NewMove) -> Response:
    """Play a move. Sent twice, it is played once; sent late, it is a 409 with the state."""
    changed = await _change(services, request, changes.play, sent)
    if changed.hosted.ply == sent.ply:
        raise Problem(409, "The time for this move has run out.", state=changed.state)
    return Response(changed.state)


async def create(services: Services, request: Request, sent: NewMatch) -> MatchCreated:
    """Create a match. Its tokens are in this response and nowhere else."""
    hosted, created = create_match(sent, services.matches.clock.now())
    await services.matches.insert(hosted, request.client)
    return created


def create_match(new: NewMatch, now: int) -> tuple[Hosted, MatchCreated]:
    """Return a new match, and the response for its creator; a DuelsError says what is wrong."""
    game = web_game(new.game, new.options)
    given = game.position(*new.moves)
    if new.moves and given.outcome:
        raise MatchError("The game is over after these moves.")
    creator, seats, coin_toss = _seats(new)
    match = new_match(game, seats, time_limit=new.time_limit, given=given)
    friend: views.Player = 2 if creator == 1 else 1
    token, invite = new_token(), None
    tokens = [SeatToken(creator, hash_token(token))]
    if new.mode == "friend":
        invite = InvitationView(friend, new_token())
        tokens.append(SeatToken(friend, invitation=hash_token(invite.token)))
    elif new.mode == "here":
        tokens.append(SeatToken(friend, hash_token(token)))
    joined = new.mode != "friend"
    hosted = Hosted(
        match=replace(match, id=new_id()),
        mode=new.mode,
        tokens=tuple(tokens),
        updated=now,
        joined=(creator == 1 or joined, creator == 2 or joined),
        turn_started=now if joined else None,
        public=new.public,
        show_moves=new.show_moves,
        coach=new.coach,
    )
    seat = None if new.mode == "here" else creator
    state = views.match_view(hosted, 0, now)
    return hosted, MatchCreated(hosted.match.id, seat, token, invite, state, coin_toss)


def _seats(new: NewMatch) -> tuple[views.Player, Seats, list[str]]:
    """Return the creator's seat, both seats in the order of play, and the result of the coin."""
    own, others, *_ = [*((name or "").strip() for name in new.names), "", ""]
    heads = SystemRandom().random() < 0.5
    creator: views.Player = 1 if new.first == 1 or (new.first == "coin" and heads) else 2
    me, you = Seat(own or DEFAULT_NAMES[creator - 1]), Seat(others or DEFAULT_NAMES[2 - creator])
    if new.mode == "computer":
        you = _computer(new.level)
    seats = read_seats((me, you) if creator == 1 else (you, me))
    if new.first != "coin":
        return creator, seats, []
    side = "heads" if heads else "tails"
    if not own:
        who = "you move" if creator == 1 else "your opponent moves"
        return creator, seats, [f"The coin shows {side}: {who} first."]
    one, two = (seat.called(inside=True) for seat in seats)
    mine, yours = (one, two) if creator == 1 else (two, one)
    coin = f"Heads for {mine}, tails for {yours}. The coin shows {side}: {one} moves first."
    return creator, seats, [coin]


def _computer(level: str) -> Seat:
    if level not in BUILT_IN and strength_of(level) is None:
        raise OptionError(f"There is no level {quoted(level)}; there are {listed(BUILT_IN)}.")
    return opponent_seat(level)


async def list_public(services: Services, request: Request) -> MatchList:
    """The public matches in progress, the latest first, at most 50."""
    return MatchList(await services.matches.store.read(lambda at: [*at.listed()]))


async def get(services: Services, request: Request) -> views.MatchView:
    """The state of a match; with the token of a seat or an invitation, also what it opens."""
    found = await services.matches.get(request.match_id)
    return views.match_view(*found, services.matches.clock.now(), request.token)


async def join(services: Services, request: Request, sent: JoinMatch) -> Response:
    """Take a seat, and choose a name if the seat has not moved and the game is not over.

    With an invitation, `token` is made on the device and opens the seat from then on. Sent again
    with the same token it succeeds again; with another one the invitation has been used.
    """
    changed = await services.matches.change(
        request.match_id, lambda it, now: take_seat(it, request.token, now, sent)
    )
    return Response(changed.state)


async def hint(services: Services, request: Request, sent: HintQuery) -> views.HintView:
    """Help for the player to move, in stages: a question, its answer, and the next question.

    It is counted, and both players see the count after the game.
    """
    hosted = (await services.matches.get(request.match_id)).hosted
    changes.check_hint(hosted, require_players(hosted, request.token))
    charged = request.charged_to(hosted.class_code)
    stages = await services.solver.run(charged, hints, hosted.match.position)
    shown = views.hint_view(stages, sent.stage, hosted.match.game)
    await services.matches.change(
        request.match_id, lambda it, _: changes.note_hint(it, hosted.ply, shown.stage)
    )
    return shown


async def get_review(services: Services, request: Request) -> ReviewView:
    """Every move of a finished match labelled exactly, and the move on which the game turned."""
    match, charged = await _finished(services, request, "The review is")
    return await services.solver.run(charged, review_match, match)


async def _finished(services: Services, request: Request, what: str) -> tuple[Match, Request]:
    """Return a finished match, and the request with its client charged; else a Problem."""
    hosted = (await services.matches.get(request.match_id)).hosted
    if not hosted.match.outcome:
        raise Problem(409, f"{what} for finished games.")
    return hosted.match, request.charged_to(hosted.class_code)


async def record(services: Services, request: Request, sent: RecordQuery) -> Response:
    """The record of the match, as text for people or JSON for programs."""
    match = (await services.matches.get(request.match_id)).hosted.match
    is_json = sent.format == "json"
    name = f"{match.game.id}-{match.id}.{'jsonl' if is_json else 'txt'}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    media_type = "application/jsonl" if is_json else "text/plain; charset=utf-8"
    return Response(write_record(match, Path(name)).encode(), 200, media_type, headers)


async def picture(services: Services, request: Request, sent: PlyQuery) -> Response:
    """The verdict on a finished match after `ply` moves, as a picture."""
    match, charged = await _finished(services, request, "Pictures are")
    if sent.ply > len(match.moves):
        raise Problem(422, f"The match has {len(match.moves)} moves.")
    drawn = await services.solver.run(charged, draw_verdict, match, sent.ply)
    return Response(drawn.encode(), 200, SVG)


async def result_picture(services: Services, request: Request) -> Response:
    """The result and the final board of a finished match, as a picture to share."""
    match, charged = await _finished(services, request, "Pictures are")
    drawn = await services.solver.run(charged, result_svg, match)
    return Response(drawn.encode(), 200, SVG)


def draw_verdict(match: Match, ply: int) -> str:
    return verdict_svg(solve(match.game.position(*match.moves[:ply])))


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
    match = challenge.match
    return EndView(
        turning_point=turning_point_in_words(review, you),
        challenge=views.view_of(ChallengeView, challenge, match=match and _request_for(match)),
        lines=summary_lines(summary(review, you=you)),
        moves=[move_in_words(review, step, you) for step in review.steps],
        better=[better_in_words(review, number, you) for number in range(1, len(review.steps) + 1)],
    )


def _request_for(match: Match) -> NewMatch:
    """Return the request that creates a match of a person against the computer."""
    person: views.Player = 2 if match.computer(1) else 1
    return NewMatch(
        game=match.game.id,
        mode="computer",
        options=dict(match.game.options),
        moves=views.move_texts(match.game, match.moves),
        level=match.computer(other(person)),
        names=[match.name(person)],
        first=person,
        time_limit=match.time_limit,
    )


def summary_lines(lines: list[SummaryLine]) -> list[SummaryLineView]:
    """Return the lines of a review's summary."""
    return [views.view_of(SummaryLineView, line) for line in lines]
