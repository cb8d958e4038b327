"""The routes of `duels.service` over HTTP, event streams, health, and the OpenAPI document.

Nothing here blocks the event loop: changes wait for the writing thread, reads run in threads, and
analysis runs in a process of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response as HttpResponse
from starlette.responses import StreamingResponse
from starlette.routing import Route as HttpRoute

from duels.server.events import Hub, Stream
from duels.server.links import qr
from duels.server.openapi import EVENTS, Health, openapi_document
from duels.server.rate_limits import client_of
from duels.server.services import ServerServices, services_of
from duels.server.solver_pool import disconnected
from duels.service.class_handlers import class_to_follow
from duels.service.problems import Problem
from duels.service.requests import (
    JSON,
    ClassEventsQuery,
    Request,
    Response,
    class_client,
    read_query,
    respond,
)
from duels.service.routes import CLASS, MATCH, ROUTES, Route, handle

Endpoint = Callable[[HttpRequest], Awaitable[HttpResponse] | HttpResponse]
BEARER = "bearer "
LONGEST_VERSION = 12
"""Digits of an event's id."""


def api_routes(root_path: str = "") -> list[HttpRoute]:
    """Return the routes of the API, of a server at this path."""

    async def openapi(request: HttpRequest) -> HttpResponse:
        return HttpResponse(msgspec.json.encode(openapi_document(root_path)), media_type=JSON)

    return [
        *(_http_route(route.method, route.path, _endpoint(route)) for route in ROUTES),
        _http_route("GET", f"{MATCH}/events", match_events),
        _http_route("GET", f"{CLASS}/events", class_events),
        _http_route("POST", "/api/qr", qr),
        _http_route("GET", "/healthz", healthz),
        _http_route("GET", "/readyz", readyz),
        _http_route("GET", "/openapi.json", openapi),
    ]


def _http_route(method: str, path: str, endpoint: Endpoint) -> HttpRoute:
    """Return a route for one method only: a HEAD of an event stream would never end."""
    route = HttpRoute(path, endpoint, methods=[method])
    route.methods = {method}
    return route


def _endpoint(route: Route) -> Endpoint:
    async def endpoint(http: HttpRequest) -> HttpResponse:
        request = Request(
            names=http.path_params,
            query=http.query_params,
            body=await http.body() if route.method == "POST" else b"",
            media_type=http.headers.get("content-type", JSON).partition(";")[0].strip().lower(),
            token=_token(http),
            client=client_of(http),
            disconnected=lambda: disconnected(http),
        )
        return http_response(await handle(services_of(http), route, request))

    return endpoint


def http_response(response: Response) -> HttpResponse:
    """Return a response as it is sent over HTTP."""
    return HttpResponse(
        response.content,
        response.status,
        headers=dict(response.headers),
        media_type=response.media_type,
    )


def _token(http: HttpRequest) -> str | None:
    given = http.headers.get("authorization", "")
    return given[len(BEARER) :] if given.lower().startswith(BEARER) else None


async def match_events(http: HttpRequest) -> HttpResponse:
    """The state now and after every change, as server-sent events whose ids are versions."""
    services, match_id = services_of(http), http.path_params["match_id"]
    hosted, _ = await services.matches.get(match_id)
    client = class_client(hosted.class_code) if hosted.class_code else client_of(http)
    last = http.headers.get("last-event-id", "")
    is_version = last.isascii() and last.isdigit() and len(last) <= LONGEST_VERSION
    seen = int(last) if is_version else 0
    missed = [] if seen == hosted.version else [match_id]
    stream = await _open(services, {match_id: min(seen, hosted.version)}, client, missed)
    return _streaming(services.hub, stream)


async def class_events(http: HttpRequest) -> HttpResponse:
    """That a class has changed; with the teacher's key also the states of this round's matches."""
    services, client = services_of(http), client_of(http)
    key = read_query(ClassEventsQuery, http.query_params).key
    it = await class_to_follow(services, http.path_params["code"], key, client)
    if key:
        client = class_client(it.code)
    playing = [board.match_id for board in it.now_playing] if it.may_see_boards(key) else []
    topics = dict.fromkeys([it.code, *playing], 0)
    stream = await _open(services, topics, client, playing)
    stream.send(it.code, it.version, b"{}")
    return _streaming(services.hub, stream)


async def _open(
    services: ServerServices, seen: dict[str, int], client: str, match_ids: list[str]
) -> Stream:
    """Open a stream that begins with the newest states of these matches.

    They are read after the stream is open, so that no change in between is missed.
    """
    elsewhere = await services.background.streams_elsewhere(client)
    stream = services.hub.open(seen, client, elsewhere)
    try:
        for found in await services.matches.newest(match_ids, lambda match_id, error: None):
            stream.send(*found.event)
    except BaseException:
        services.hub.close(stream)
        raise
    return stream


def _streaming(hub: Hub, stream: Stream) -> HttpResponse:
    async def frames() -> AsyncIterator[bytes]:
        try:
            async for frame in stream.frames():
                yield frame
        finally:
            hub.close(stream)

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(frames(), headers=headers, media_type=EVENTS)


async def healthz(http: HttpRequest) -> HttpResponse:
    """Whether the process is alive."""
    return http_response(respond(Health(status="alive")))


def readyz(http: HttpRequest) -> HttpResponse:
    """Whether a move could be saved now: the database takes writes, and nothing is stopping."""
    if sentence := services_of(http).why_not_ready():
        raise Problem(503, sentence)
    return http_response(respond(Health(status="ready")))
