"""The routes of `duels.service` over HTTP, and the event streams of matches.

Nothing here blocks the event loop: changes wait for the thread that writes, reading runs in
threads, and what thinks runs in a process of its own.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import Field, fields
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from fastapi.responses import Response, StreamingResponse

from duels.server import schemas, study_schemas
from duels.server.answers import Server, problems, server_of
from duels.server.events import Hub, Stream
from duels.server.problems import response
from duels.server.rate_limits import client_of
from duels.server.solver_pool import disconnected
from duels.service.asking import JSON, Asked, class_client
from duels.service.class_door import listen
from duels.service.class_requests import Listening
from duels.service.reading import is_needed, is_rest, read_query, schema_of
from duels.service.routes import ROUTES, Route, answer_to, sent_to

router = APIRouter()
BEARER = "bearer "
SECURITY = {"HTTPBearer": {"type": "http", "scheme": "bearer", "description": "A seat's secret."}}


def _endpoint(route: Route) -> Callable[[Request], Awaitable[Response]]:
    """What FastAPI calls for a route."""

    async def endpoint(request: Request) -> Response:
        asked = Asked(
            names=request.path_params,
            query=request.query_params,
            body=await request.body() if route.method == "POST" else b"",
            media_type=request.headers.get("content-type", JSON).partition(";")[0].strip().lower(),
            secret=_secret(request),
            client=client_of(request),
            gone=lambda: disconnected(request),
        )
        return response(await answer_to(server_of(request), route, asked))

    endpoint.__name__, endpoint.__doc__ = route.handle.__name__, route.handle.__doc__
    return endpoint


def _secret(request: Request) -> str | None:
    given = request.headers.get("authorization", "")
    return given[len(BEARER) :] if given.lower().startswith(BEARER) else None


def _documented(route: Route) -> dict[str, Any]:
    """What the OpenAPI document says of a route beside its answers."""
    more: dict[str, Any] = {
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in re.findall(r"\{(\w+)\}", route.path)
        ]
    }
    kind = sent_to(route.handle)
    if kind is bytes:
        more["requestBody"] = {"content": {"text/plain": {"schema": {"type": "string"}}}}
    elif kind and route.method == "GET":
        more["parameters"] += [_in_query(one) for one in fields(kind)]
    elif kind:
        schema = schema_of(kind)
        content = {JSON: {"schema": schema}}
        more["requestBody"] = {"required": "required" in schema, "content": content}
    if route.is_secret:
        more["security"] = [{"HTTPBearer": []}]
    return more


def _in_query(one: Field[Any]) -> dict[str, Any]:
    kind = one.metadata["kind"]
    shown = {"description": one.metadata["words"]} if one.metadata["words"] else {}
    shown |= {"style": "form", "explode": True} if is_rest(kind) else {}
    parameter = {"name": one.name, "in": "query", "required": is_needed(one)}
    return parameter | shown | {"schema": kind.schema}


def _answers(route: Route) -> dict[int | str, dict[str, Any]]:
    texts = {media_type: {"schema": {"type": "string"}} for media_type in route.media_types}
    as_text = {200: {"description": "The answer as text.", "content": texts}} if texts else {}
    return problems(*route.problems) | as_text


def _tag(route: Route) -> str:
    return next((tag for tag in ("matches", "classes") if f"/api/{tag}" in route.path), "study")


_MODELS = vars(schemas) | vars(study_schemas)
for _route in ROUTES:
    router.add_api_route(
        _route.path,
        _endpoint(_route),
        methods=[_route.method],
        status_code=_route.status,
        response_model=_MODELS[_route.gives] if _route.gives else None,
        response_class=Response,
        responses=_answers(_route),
        openapi_extra=_documented(_route),
        tags=[_tag(_route)],
    )


@router.get(
    "/api/matches/{match_id}/events",
    response_class=StreamingResponse,
    responses=problems(404, 409, 422, 429, 503)
    | {200: {"description": "States as they change.", "content": {"text/event-stream": {}}}},
    tags=["matches"],
)
async def events(
    request: Request,
    match_id: str,
    last_event_id: Annotated[str, Header(max_length=40)] = "",
) -> Response:
    """The state now and after every change, as server-sent events whose ids are versions."""
    server = server_of(request)
    hosted, _ = await server.matches.get(match_id)
    client = class_client(hosted.school) if hosted.school else client_of(request)
    seen = int(last_event_id) if last_event_id.isascii() and last_event_id.isdigit() else 0
    missed = [] if seen == hosted.version else [match_id]
    stream = await _open(server, {match_id: min(seen, hosted.version)}, client, missed)
    return _streaming(server.hub, stream)


async def _open(server: Server, seen: dict[str, int], client: str, matches: list[str]) -> Stream:
    """A stream that begins with the newest states of these matches.

    They are read when somebody listens already: nothing that changes in between is missed.
    """
    stream = server.hub.open(seen, client, await server.work.streams_elsewhere(client))
    try:
        for shown in await server.matches.newest(matches, lambda match_id, error: None):
            stream.send(*shown.news)
    except BaseException:
        server.hub.close(stream)
        raise
    return stream


def _streaming(hub: Hub, stream: Stream) -> Response:
    async def frames() -> AsyncIterator[bytes]:
        try:
            async for frame in stream.frames():
                yield frame
        finally:
            hub.close(stream)

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(frames(), headers=headers, media_type="text/event-stream")


@router.get(
    "/api/classes/{code}/events",
    response_class=StreamingResponse,
    responses=problems(403, 404, 422, 429, 503)
    | {200: {"description": "That a class changed.", "content": {"text/event-stream": {}}}},
    openapi_extra={"parameters": [_in_query(one) for one in fields(Listening)]},
    tags=["classes"],
)
async def class_events(request: Request, code: str) -> Response:
    """That a class has changed; with the teacher's key also the states of this round's matches."""
    server, client = server_of(request), client_of(request)
    key = read_query(Listening, request.query_params).key
    school = await listen(server, code, key, client)
    if key:
        client = class_client(school.code)
    is_wall = school.may_see_boards(key)
    playing = [board.match_id for board in school.now_playing] if is_wall else []
    topics = dict.fromkeys([school.code, *playing], 0)
    stream = await _open(server, topics, client, playing)
    stream.send(school.code, school.version, b"{}")
    return _streaming(server.hub, stream)
