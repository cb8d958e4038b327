"""The routes of `duels.service` over HTTP, and those of a server: events, QR codes and health.

Nothing here blocks the event loop: changes wait for the writing thread, reads run in threads, and
analysis runs in a separate process.
"""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Annotated, Literal
from urllib.parse import urlsplit

import msgspec
import segno
from msgspec import Meta
from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import Response as HttpResponse
from starlette.responses import StreamingResponse
from starlette.routing import Route as HttpRoute

from duels.core.words import whole_number
from duels.server.background import BackgroundJobs
from duels.server.clock import Clock
from duels.server.database import Database, metadata
from duels.server.events import EVENTS, Hub, Stream
from duels.server.openapi import openapi_document
from duels.server.rate_limits import client_of
from duels.server.solver_pool import SolverPool, disconnected
from duels.service.class_handlers import class_to_follow
from duels.service.matches import Matches
from duels.service.problems import Problem
from duels.service.requests import JSON, SVG, Body, Request, Response, class_client, respond
from duels.service.routes import CLASS, MATCH, ROUTES, Route, handle, read_sent
from duels.service.views import View

Endpoint = Callable[[HttpRequest], Awaitable[HttpResponse]]
BEARER = "bearer "


@dataclass(frozen=True)
class ServerServices:
    """Everything one server process owns; handlers get `matches` and `solver` as their Services."""

    database: Database
    clock: Clock
    matches: Matches
    hub: Hub
    background: BackgroundJobs
    solver: SolverPool

    def why_not_ready(self) -> str | None:
        """Return why a move could not be saved now, in a sentence; None if it could be."""
        if self.hub.is_closing:
            return "The server is stopping."
        if not self.database.has_room:
            return "The disk is full, so moves cannot be saved."
        if self.clock.has_stopped:  # the ticks of the clock are writes
            return (
                "Nothing has been written to the database for a while: is it there, full or locked?"
            )
        try:
            self.database.read(_read_every_column)
        except SQLAlchemyError:
            return "The database does not respond, or a table or column of it is missing."
        return None


def _read_every_column(connection: Connection) -> None:
    for table in metadata.tables.values():
        connection.execute(select(*table.columns).limit(0))


def services_of(http: HttpRequest) -> ServerServices:
    services: ServerServices = http.app.state.services
    return services


def api_routes(root_path: str = "") -> list[HttpRoute]:
    """Return the API routes of a server at this root path."""

    async def openapi(http: HttpRequest) -> HttpResponse:
        document = openapi_document(ALL_ROUTES, root_path)
        return HttpResponse(msgspec.json.encode(document), media_type=JSON)

    return [
        *(_http_route(route.method, route.path, _endpoint(route)) for route in ALL_ROUTES),
        _http_route("GET", "/openapi.json", openapi),
    ]


def _http_route(method: str, path: str, endpoint: Endpoint) -> HttpRoute:
    """Return a route for one method only: a HEAD request for an event stream would never end."""
    route = HttpRoute(path, endpoint, methods=[method])
    route.methods = {method}
    return route


def _endpoint(route: Route) -> Endpoint:
    is_servers = route in SERVER_ROUTES

    async def endpoint(http: HttpRequest) -> HttpResponse:
        request = Request(
            names=http.path_params,
            query=http.query_params if route.method == "GET" else {},
            body=await http.body() if route.method == "POST" else b"",
            media_type=http.headers.get("content-type", JSON).partition(";")[0].strip().lower(),
            token=_token(http),
            client=client_of(http),
            disconnected=lambda: disconnected(http),
        )
        if is_servers:
            response: HttpResponse = await route.handler(http, *read_sent(route, request))
            return response
        return http_response(await handle(services_of(http), route, request))

    return endpoint


def http_response(response: Response) -> HttpResponse:
    return HttpResponse(
        response.content,
        response.status,
        headers=dict(response.headers),
        media_type=response.media_type,
    )


def _token(http: HttpRequest) -> str | None:
    given = http.headers.get("authorization", "")
    return given[len(BEARER) :] if given.lower().startswith(BEARER) else None


class MatchEventsQuery(Body, frozen=True):
    """Who follows a match."""

    role: Annotated[
        Literal["player", "watcher"], Meta(description="Only watchers count as watching.")
    ] = "watcher"


async def match_events(http: HttpRequest, sent: MatchEventsQuery) -> HttpResponse:
    """The state now and after every change, as server-sent events whose ids are versions."""
    services, match_id = services_of(http), http.path_params["match_id"]
    hosted, _ = await services.matches.get(match_id)
    client = class_client(hosted.class_code) if hosted.class_code else client_of(http)
    seen = whole_number(http.headers.get("last-event-id", "")) or 0
    missed = [] if seen == hosted.version else [match_id]
    topics = {match_id: min(seen, hosted.version)}
    stream = await _open(services, topics, client, missed, is_player=sent.role == "player")
    return _streaming(services.hub, stream)


class ClassEventsQuery(Body, frozen=True):
    """The stream key of a class, from the view of a teacher or a pupil."""

    key: Annotated[
        str, Meta(max_length=100, description="The teacher's key also gives the boards.")
    ] = ""


async def class_events(http: HttpRequest, sent: ClassEventsQuery) -> HttpResponse:
    """An event for each change of a class; with the teacher's key, also its matches' states."""
    services, client = services_of(http), client_of(http)
    it = await class_to_follow(services, http.path_params["code"], sent.key, client)
    if sent.key:
        client = class_client(it.code)
    playing = [board.match_id for board in it.now_playing] if it.may_see_boards(sent.key) else []
    topics = dict.fromkeys([it.code, *playing], 0)
    stream = await _open(services, topics, client, playing)
    stream.send(it.code, it.version, b"{}")
    return _streaming(services.hub, stream)


async def _open(
    services: ServerServices,
    seen: dict[str, int],
    client: str,
    match_ids: list[str],
    *,
    is_player: bool = False,
) -> Stream:
    """Open a stream that begins with the newest states of these matches.

    They are read after the stream is open, so that no change in between is missed.
    """
    elsewhere = await services.background.streams_elsewhere(client)
    stream = services.hub.open(seen, client, elsewhere, is_player=is_player)
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


class LinkBody(Body, frozen=True):
    """The body of a request for a QR code."""

    link: Annotated[
        str, Meta(max_length=400, description="As the page shows it, with the server's own host.")
    ]


async def qr(http: HttpRequest, sent: LinkBody) -> HttpResponse:
    """Draw a link to this site as a QR code. The link is in the body: it may contain a token."""
    if not _is_ours(sent.link, http):
        raise Problem(422, "Only links to this site are drawn.")
    return HttpResponse(await run_in_threadpool(qr_svg, sent.link), media_type=SVG)


def qr_svg(link: str) -> bytes:
    """Return an SVG in black on white with a margin, so that phones read it on dark pages too."""
    picture = io.BytesIO()
    code = segno.make(link, micro=False)
    code.save(picture, kind="svg", xmldecl=False, light="white", omitsize=True)
    return picture.getvalue()


def _is_ours(link: str, http: HttpRequest) -> bool:
    """Say whether a link leads to the host of the request, or to the host that others use."""
    hosts = {http.url.netloc, urlsplit(root_for_others(http)).netloc}
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    is_plain = link.isascii() and link.isprintable() and "\\" not in link and " " not in link
    return is_plain and parts.scheme in {"http", "https"} and parts.netloc.lower() in hosts - {""}


def root_for_others(http: HttpRequest) -> str:
    """Return the address of the first page for other devices, or "" if the client's own works."""
    state = http.app.state
    if state.public_url or not is_loopback(http.url.hostname or ""):
        return str(state.public_url)
    return str(state.lan_url)


def is_loopback(host: str) -> bool:
    """Say whether a host name means only the computer on which it is used."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class Health(View, frozen=True):
    """Whether the process is alive, or ready."""

    status: str


async def healthz(http: HttpRequest) -> HttpResponse:
    """Whether the process is alive."""
    return http_response(respond(Health(status="alive")))


async def readyz(http: HttpRequest) -> HttpResponse:
    """Whether a move could be saved now: the database takes writes, and nothing is stopping."""
    if sentence := await run_in_threadpool(services_of(http).why_not_ready):
        raise Problem(503, sentence)
    return http_response(respond(Health(status="ready")))


def _events(path: str, handler: Callable[..., Awaitable[HttpResponse]], *problems: int) -> Route:
    return Route("GET", f"{path}/events", handler, problems, media_types=(EVENTS,))


SERVER_ROUTES = (
    _events(MATCH, match_events, 404, 409, 422, 429, 503),
    _events(CLASS, class_events, 403, 404, 422, 429, 503),
    Route("POST", "/api/qr", qr, (400, 413, 422), media_types=(SVG,)),
    Route("GET", "/healthz", healthz, encodes=Health),
    Route("GET", "/readyz", readyz, (503,), encodes=Health),
)
"""The routes that only a server has; their handlers take the HTTP request and the parsed `sent`."""
ALL_ROUTES = (*ROUTES, *SERVER_ROUTES)
