"""Requests about a match. A handler takes the services, the request, and what was sent with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import Any

from duels.coach.hints import hints
from duels.games import all_games
from duels.match.match import Match
from duels.match.records import write_record
from duels.service import hosted as changes
from duels.service.analysis import review_match
from duels.service.hosted import Hosted, Rematch
from duels.service.matches import Services, StateEvent, create_match
from duels.service.problems import Problem
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
    respond,
)
from duels.service.seats import require_seats, take_seat
from duels.service.state import (
    MatchView,
    Player,
    PlayerView,
    View,
    hint_view,
    match_view,
    player_of,
    player_views,
)
from duels.service.storage import ListedMatch
from duels.theory import solve
from duels.theory.pictures import verdict_svg

ChangeBySeat = Callable[..., Hosted | Rematch]
"""Takes a match, the seats of the client, the time, and what was `sent`."""
Handler = Callable[..., Awaitable[Response]]


class InvitationView(View, frozen=True):
    """The invitation for a friend, and the seat it opens."""

    seat: Player
    token: str


class MatchCreated(View, frozen=True):
    """A new match. Its tokens are sent once, to its creator."""

    id: str
    seat: Player | None
    token: str
    invite: InvitationView | None
    state: MatchView
    coin_toss: list[str]


class ListedMatchView(View, frozen=True):
    """A match in a list."""

    id: str
    game: str
    title: str
    players: list[PlayerView]
    ply: int
    status: str


class MatchList(View, frozen=True):
    """The public matches in progress."""

    matches: list[ListedMatchView]


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
        lambda it, now: change(it, require_seats(it, request.token), now, *sent),
        request.client,
    )


async def move(services: Services, request: Request, sent: NewMove) -> Response:
    """Play a move. Sent twice, it is played once; sent late, it is a 409 with the state."""
    changed = await _change(services, request, changes.play, sent)
    if changed.hosted.ply == sent.ply:
        raise Problem(409, "The time for this move has run out.", state=changed.state)
    return Response(changed.state)


async def create(services: Services, request: Request, sent: NewMatch) -> Response:
    """Create a match. Its tokens are in this response and nowhere else."""
    made = create_match(sent, services.matches.clock.now())
    await services.matches.insert(made.hosted, request.client)
    invite = None
    if made.seat and made.invitation:
        invite = InvitationView(seat=player_of(3 - made.seat), token=made.invitation)
    view = MatchCreated(
        id=made.hosted.match.id,
        seat=player_of(made.seat) if made.seat else None,
        token=made.token,
        invite=invite,
        state=match_view(made.hosted, 0, made.hosted.updated),
        coin_toss=made.coin,
    )
    return respond(view, 201)


async def list_public(services: Services, request: Request) -> Response:
    """The public matches in progress, the latest first, at most 50."""
    found = await services.matches.store.read(lambda transaction: [*transaction.listed()])
    return respond(MatchList(matches=[_listed(match) for match in found]))


def _listed(match: ListedMatch) -> ListedMatchView:
    return ListedMatchView(
        id=match.id,
        game=match.game,
        title=all_games()[match.game].title,
        players=player_views(match.seats),
        ply=match.ply,
        status=f"{match.seats[match.ply % 2].name} to move.",
    )


async def get(services: Services, request: Request) -> Response:
    """The state of a match; with the token of a seat or an invitation, also what it opens."""
    found = await services.matches.get(request.match_id)
    return respond(match_view(*found, services.matches.clock.now(), request.token))


async def join(services: Services, request: Request, sent: JoinMatch) -> Response:
    """Take a seat, and choose a name as long as the seat has not moved and the game goes on.

    With an invitation, `token` is made on the device and opens the seat from then on. Sent again
    with the same token it succeeds again; with another one the invitation has been used.
    """
    changed = await services.matches.change(
        request.match_id, lambda it, now: take_seat(it, request.token, now, sent)
    )
    return Response(changed.state)


async def hint(services: Services, request: Request, sent: HintQuery) -> Response:
    """Help for the player to move, in stages: a question, its answer, and the next question.

    It is counted, and both players see the count after the game.
    """
    hosted = (await services.matches.get(request.match_id)).hosted
    changes.check_hint(hosted, require_seats(hosted, request.token))
    charged = request.charged_to(hosted.class_code)
    stages = await services.solver.run(charged, hints, hosted.match.position)
    shown = hint_view(stages, sent.stage)
    await services.matches.change(
        request.match_id, lambda it, _: changes.note_hint(it, hosted.ply, shown.stage)
    )
    return respond(shown)


async def get_review(services: Services, request: Request) -> Response:
    """Every move of a finished match labelled exactly, and the move on which the game turned."""
    hosted = (await services.matches.get(request.match_id)).hosted
    if not hosted.match.outcome:
        raise Problem(409, "The review is for finished games.")
    charged = request.charged_to(hosted.class_code)
    return respond(await services.solver.run(charged, review_match, hosted.match))


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
    hosted = (await services.matches.get(request.match_id)).hosted
    match = hosted.match
    if not match.outcome:
        raise Problem(409, "Pictures are for finished games.")
    if sent.ply > len(match.moves):
        raise Problem(422, f"The match has {len(match.moves)} moves.")
    charged = request.charged_to(hosted.class_code)
    drawn = await services.solver.run(charged, draw_verdict, match, sent.ply)
    return Response(drawn.encode(), 200, SVG)


def draw_verdict(match: Match, ply: int) -> str:
    """Return the verdict on a match after `ply` moves as SVG."""
    return verdict_svg(solve(match.game.position(*match.moves[:ply])))
