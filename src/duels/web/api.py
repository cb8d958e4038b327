"""The matches over HTTP. Everything that can go wrong is a problem with a sentence.

Nothing here blocks the event loop: changes wait for the thread that writes, reading runs in
threads, and what thinks runs in a process of its own.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.responses import Response, StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool

from duels.coach.hints import hints
from duels.coach.review import review, review_data, review_lines
from duels.core.game import read_move
from duels.match import Match
from duels.pictures import verdict_svg
from duels.record import jsonl, text
from duels.theory import solve
from duels.web import schemas
from duels.web.answers import SVG, answer, answer_state, documented, problems, server_of
from duels.web.clients import client_of
from duels.web.hosted import Hosted, sit
from duels.web.lookups import listed_matches
from duels.web.making import make
from duels.web.problems import Problem
from duels.web.requests import AnswerTakeback, AskTakeback, Join, NewMatch, NewMove
from duels.web.state import encode, state_of

router = APIRouter(prefix="/api/matches", tags=["matches"])
bearer = HTTPBearer(auto_error=False, description="The secret of a seat.")


async def secret_of(
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> str | None:
    """The secret that came with a request, if any."""
    return credentials.credentials if credentials else None


Secret = Annotated[str | None, Depends(secret_of)]
MOST_STAGES = 4
CHANGES = problems(400, 401, 403, 404, 409, 413, 422, 503)


@router.post("/{match_id}/moves", response_model=schemas.State, responses=CHANGES)
async def move(request: Request, match_id: str, secret: Secret, sent: NewMove) -> Response:
    """Play a move. Sent twice it counts once; sent late it is a 409 with the current state."""
    said = sent.move if isinstance(sent.move, str) else read_move(sent.move)
    return answer_state(await server_of(request).matches.move(match_id, secret, sent.ply, said))


@router.post(
    "", status_code=201, response_model=schemas.Created, responses=problems(400, 413, 422, 429, 503)
)
async def create(request: Request, sent: NewMatch) -> Response:
    """Create a match. The secrets are in this answer and nowhere else."""
    server = server_of(request)
    made = make(sent, server.matches.clock.now())
    await server.matches.create(made.hosted, client_of(request))
    invite = None
    if made.seat and made.invitation:
        invite = {"seat": 3 - made.seat, "token": made.invitation}
    data = {
        "id": made.hosted.match.id,
        "seat": made.seat,
        "token": made.secret,
        "invite": invite,
        "state": state_of(made.hosted, 0, made.hosted.updated),
        "said": made.said,
    }
    return answer(data, 201)


@router.get("", response_model=schemas.Matches, responses=problems(503))
def list_public(request: Request) -> Response:
    """The public matches that are being played, the latest first, at most 50."""
    return answer({"matches": listed_matches(server_of(request).matches.database)})


@router.get("/{match_id}", response_model=schemas.State, responses=problems(404, 409, 503))
def state(request: Request, match_id: str, secret: Secret) -> Response:
    """The state of a match; with the secret of a seat also which seats it opens."""
    matches = server_of(request).matches
    hosted, watching = matches.get(match_id)
    data = state_of(hosted, watching, matches.clock.now())
    if seats := hosted.seats_of(secret):
        data["you"] = seats
    return answer(data)


@router.post("/{match_id}/join", response_model=schemas.State, responses=CHANGES)
async def join(
    request: Request, match_id: str, secret: Secret, sent: Join | None = None
) -> Response:
    """Sit down, and choose a name as long as the seat has not moved and the game goes on."""
    name = sent.name if sent else None
    return answer_state(await server_of(request).matches.join(match_id, secret, name))


@router.post("/{match_id}/resign", response_model=schemas.State, responses=CHANGES)
async def resign(request: Request, match_id: str, secret: Secret) -> Response:
    """Give the match up."""
    return answer_state(await server_of(request).matches.resign(match_id, secret))


@router.post("/{match_id}/takeback", response_model=schemas.State, responses=CHANGES)
async def takeback(request: Request, match_id: str, secret: Secret, sent: AskTakeback) -> Response:
    """Ask to take one's last move back; where nobody has to agree, it happens at once."""
    return answer_state(await server_of(request).matches.ask_takeback(match_id, secret, sent.ply))


@router.post("/{match_id}/takeback/answer", response_model=schemas.State, responses=CHANGES)
async def answer_takeback(
    request: Request, match_id: str, secret: Secret, sent: AnswerTakeback
) -> Response:
    """Agree to a takeback or not; whoever asked may withdraw."""
    matches = server_of(request).matches
    return answer_state(await matches.answer_takeback(match_id, secret, sent.ply, sent.agree))


@router.post(
    "/{match_id}/rematch", response_model=schemas.Rematch, responses=CHANGES | problems(429)
)
async def rematch(request: Request, match_id: str, secret: Secret) -> Response:
    """The next match, with the sides swapped; the same secrets open it."""
    matches = server_of(request).matches
    return answer({"id": await matches.rematch(match_id, secret, client_of(request))})


@router.get(
    "/{match_id}/events",
    response_class=StreamingResponse,
    responses=problems(404, 409, 422, 429, 503)
    | {200: {"description": "States as they change.", "content": {"text/event-stream": {}}}},
)
async def events(
    request: Request,
    match_id: str,
    last_event_id: Annotated[str, Header(max_length=40)] = "",
) -> Response:
    """The state now and after every change, as server-sent events whose ids are versions."""
    server, client = server_of(request), client_of(request)

    def look() -> tuple[Hosted, int]:
        return server.matches.get(match_id).hosted, server.work.streams_elsewhere(client)

    hosted, elsewhere = await run_in_threadpool(look)
    seen = int(last_event_id) if last_event_id.isascii() and last_event_id.isdigit() else 0
    stream = server.hub.open(match_id, client, min(seen, hosted.version), elsewhere)
    if seen != hosted.version:
        # Something may have changed between reading and listening; the newest is told.
        hosted, watching = await run_in_threadpool(server.matches.get, match_id)
        now = server.matches.clock.now()
        stream.tell(hosted.version, encode(state_of(hosted, watching, now)))

    async def frames() -> Any:
        try:
            async for frame in stream.frames():
                yield frame
        finally:
            server.hub.close(stream)

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(frames(), headers=headers, media_type="text/event-stream")


@router.get(
    "/{match_id}/hint",
    response_model=schemas.Hint,
    responses=problems(401, 403, 404, 409, 422, 429, 503),
)
async def get_hint(
    request: Request,
    match_id: str,
    secret: Secret,
    stage: Annotated[int, Query(ge=1, le=MOST_STAGES)] = 1,
) -> Response:
    """Help for the player to move, in stages: what is asked, the answer, what to ask next."""
    server = server_of(request)
    hosted = (await run_in_threadpool(server.matches.get, match_id)).hosted
    seats = sit(hosted, secret)
    if hosted.match.outcome:
        raise Problem(409, "The game is over.")
    if hosted.to_move not in seats:
        raise Problem(403, f"It is the turn of {hosted.match.mover}.")
    stages = await server.study.run(request, hints, hosted.match.position)
    reached = min(stage, len(stages))
    following = stages[reached].question if reached < len(stages) else ""
    shown = stages[reached - 1]._asdict()
    return answer({"stage": reached, "stages": len(stages), **shown, "next": following})


@router.get(
    "/{match_id}/review",
    response_model=schemas.Review,
    responses=problems(404, 409, 422, 429, 503),
)
async def get_review(request: Request, match_id: str) -> Response:
    """Every move of a finished match labelled exactly, and the move on which it turned."""
    server = server_of(request)
    match = (await run_in_threadpool(server.matches.get, match_id)).hosted.match
    if not match.outcome:
        raise Problem(409, "The review is for finished games.")
    return answer(await server.study.run(request, _reviewed, match))


def _reviewed(match: Match) -> dict[str, Any]:
    """A review with its moves as they are written."""
    found = review(match)
    data, write = review_data(found), match.game.format
    for step, shown in zip(found.steps, data["moves"], strict=True):
        shown["move"] = write(step.move)
        shown["better"] = None if step.better is None else write(step.better)
    return data | {"lines": review_lines(found), "strip": found.strip}


@router.get(
    "/{match_id}/record",
    response_class=Response,
    responses=problems(404, 409, 422, 503)
    | documented("The record as a file.", "text/plain", "application/jsonl"),
)
def record(
    request: Request,
    match_id: str,
    form: Annotated[str, Query(alias="format", pattern="^(text|json)$")] = "text",
) -> Response:
    """The match written down, as text for people or JSON for programs."""
    match = server_of(request).matches.get(match_id).hosted.match
    wants_json = form == "json"
    name = f"{match.game.id}-{match.id}.{'jsonl' if wants_json else 'txt'}"
    return Response(
        jsonl.write(match) if wants_json else text.write(match),
        media_type="application/jsonl" if wants_json else "text/plain",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.get(
    "/{match_id}/picture.svg",
    response_class=Response,
    responses=problems(404, 409, 422, 429, 503) | documented("The picture.", SVG),
)
async def picture(
    request: Request, match_id: str, ply: Annotated[int, Query(ge=0, le=1000)] = 0
) -> Response:
    """The truth about a finished match after `ply` moves, drawn."""
    server = server_of(request)
    match = (await run_in_threadpool(server.matches.get, match_id)).hosted.match
    if not match.outcome:
        raise Problem(409, "Pictures are for finished games.")
    if ply > len(match.moves):
        raise Problem(422, f"The match has {len(match.moves)} moves.")
    return Response(await server.study.run(request, _picture, match, ply), media_type=SVG)


def _picture(match: Match, ply: int) -> str:
    return verdict_svg(solve(match.game.position(*match.moves[:ply])))
