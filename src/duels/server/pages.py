"""Routes of the pages and of the files they load, and how long browsers may cache them."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, Router

from duels.core.errors import GameFileError
from duels.core.game import Game
from duels.core.words import whole_number
from duels.games import all_games
from duels.pages import routes
from duels.pages.print_sheets import (
    LAST_SHEET,
    no_puzzles_page,
    privacy_page,
    puzzle_sheet,
    puzzles_page,
)
from duels.pages.shell import File, add_response, compress, find_file, manifest, page_html
from duels.pages.templates import Host, Page
from duels.server.api import root_for_others, services_of
from duels.server.middleware import page_policy, relative_root
from duels.server.rate_limits import client_of
from duels.server.solver_pool import disconnected
from duels.service.problems import Problem
from duels.service.requests import Request as ServiceRequest

IMMUTABLE = "public, max-age=31536000, immutable"
HOST = re.compile(r"([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
REVALIDATE = "no-cache"
"""Cached, but shown only after the server has confirmed that it has not changed."""


def written_page(request: Request) -> Response:
    """Send a page that is the same for all clients."""
    try:
        page = _page_at(tuple(all_games().items()), request.url.path.strip("/"))
        return _send_page(request, page) if page else missing_page(request)
    except GameFileError as error:
        return _send_error(request, routes.unreadable_page(str(error)), 422)


@lru_cache(maxsize=128)
def _page_at(_games: tuple[tuple[str, type[Game]], ...], path: str) -> Page | None:
    return routes.page_at(path)  # a cache by games, because pages change with them


async def match_page(request: Request) -> Response:
    """Send the page of a match with its state, if there is such a match."""
    match_id = request.path_params["match_id"]
    try:
        state = await services_of(request).matches.state(match_id)
    except (DBAPIError, PoolTimeout):
        raise
    except Exception:  # it cannot be read: the script requests it again, and shows why
        return _send_page(request, routes.MATCH)
    if state is None:
        return missing_page(request)
    return _send_page(request, routes.MATCH, (f"api/matches/{match_id}", state))


async def class_privacy(request: Request) -> Response:
    return _send_page(request, privacy_page())


async def class_entrance(request: Request) -> Response:
    return _send_page(request, routes.CLASS_ENTRANCE)


async def class_page(request: Request) -> Response:
    """Send the same page for every code, so that it reveals no class."""
    return _send_page(request, routes.CLASS)


async def puzzles(request: Request) -> Response:
    """Send a sheet of puzzles, made by a worker and charged to the client."""
    kind = all_games().get(request.path_params["game_id"])
    number = whole_number(request.path_params["number"]) or 0
    if not kind or not 1 <= number <= LAST_SHEET:
        return missing_page(request)
    charged = ServiceRequest(client=client_of(request), disconnected=lambda: disconnected(request))
    try:
        found = await services_of(request).solver.run(charged, puzzle_sheet, kind.id, number)
    except Problem as problem:
        page = no_puzzles_page(kind, problem.detail)
        return _send_error(request, page, problem.status, problem.headers)
    return _send_page(request, puzzles_page(kind, number, found))


async def favicon(request: Request) -> Response:
    """Send the icon at the address where browsers look for it."""
    return _send_static(request, "favicon.svg")


async def app_manifest(request: Request) -> Response:
    """Send the manifest with which a browser installs the site."""
    file = compress(manifest(), "application/manifest+json")
    return _send(request, file, {"Cache-Control": REVALIDATE})


async def service_worker(request: Request) -> Response:
    """Send the service worker; its address makes it apply to the whole site."""
    return _send_static(request, "js/offline/service-worker.js")


async def static(request: Request) -> Response:
    return _send_static(request, request.path_params["name"])


def wants_page(request: Request) -> bool:
    """Say whether a browser will show the response to a person, rather than to a script."""
    is_page = not request.url.path.startswith(("/api/", "/static/"))
    return is_page and "text/html" in request.headers.get("accept", "")


def missing_page(request: Request) -> Response:
    """Send a page that links to the first page, or redirect an address with a superfluous slash."""
    path = request.scope["raw_path"].decode("latin-1")
    if path.endswith("/") and (plain := path.rstrip("/")):
        too_many = len(path) - len(plain)
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse("../" * too_many + plain.rpartition("/")[2] + query, 308)
    return _send_error(request, routes.missing_page(), 404)


def _send_error(
    request: Request, page: Page, status: int, headers: dict[str, str] | None = None
) -> Response:
    return Response(page_html(page, _host(request)).file.content, status, headers, "text/html")


def _host(request: Request) -> Host:
    public_url = root_for_others(request)
    return Host(relative_root(request.scope), public_url, public_url or _requested_root(request))


def _requested_root(request: Request) -> str:
    """Return the root of the site at the host that the client named, or "" if it is invalid."""
    host = request.headers.get("host", "").lower()
    return f"{request.url.scheme}://{host}{request.app.state.root_path}" * bool(
        HOST.fullmatch(host)
    )


def _send_page(request: Request, page: Page, response: tuple[str, bytes] | None = None) -> Response:
    """Send a page, with an API response embedded in it if there is one."""
    html = page_html(page, _host(request))
    file = add_response(html.file, *response) if response else html.file
    policy = page_policy(html.script_hash)
    headers = {"Cache-Control": REVALIDATE, "Content-Security-Policy": policy}
    if public_url := request.app.state.public_url:
        headers["Link"] = f'<{public_url}{quote(request.url.path)}>; rel="canonical"'
    return _send(request, file, headers)


def _send_static(request: Request, name: str) -> Response:
    file, is_current = find_file(name)
    if file is None:
        return missing_page(request)
    return _send(request, file, {"Cache-Control": IMMUTABLE if is_current else REVALIDATE})


def _send(request: Request, file: File, headers: dict[str, str]) -> Response:
    """Send a file, or a 304 with all its headers, which replace those that the browser has."""
    etag = f'W/"{file.digest}"'
    headers = headers | {"ETag": etag, "Vary": "Accept-Encoding"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    content = file.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        content = file.compressed
        headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers, media_type=file.media_type)


WRITTEN = (
    *("/", "/analysis", "/puzzle", "/daily", "/me", "/learn", "/learn/{game_id}"),
    *("/play/{game_id}", "/print", "/print/lines", "/print/{what}/{which}"),
)
router = Router(
    [
        *(Route(path, written_page) for path in WRITTEN),
        Route("/m/{match_id}", match_page),
        Route("/m/{match_id}/replay", match_page),
        Route("/class/privacy", class_privacy),
        Route("/class", class_entrance),
        Route("/class/{code}", class_page),
        Route("/class/{code}/wall", class_page),
        Route("/print/puzzles/{game_id}/{number}", puzzles),
        Route("/favicon.ico", favicon),
        Route("/manifest.webmanifest", app_manifest),
        Route("/sw.js", service_worker),
        Route("/static/{name:path}", static),
    ]
)
"""The routes of all pages; each accepts GET and HEAD."""
