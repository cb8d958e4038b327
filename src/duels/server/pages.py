"""The pages and the files they load: which address shows what, and how long it may be kept."""

from __future__ import annotations

from functools import lru_cache, partial
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from duels.core.errors import GameFileError
from duels.core.game import Game
from duels.core.words import whole_number
from duels.games import all_games
from duels.pages import paper, shell
from duels.pages.contents import page_at
from duels.pages.files import File, find
from duels.pages.page import CLASS, MATCH, Page, missing, unreadable
from duels.pages.puzzle_sheet import puzzle_sheet
from duels.pages.shell import Html
from duels.server.answers import server_of
from duels.server.links import root_for_others
from duels.server.middleware import page_policy, relative_root
from duels.server.rate_limits import client_of
from duels.server.solver_pool import disconnected
from duels.service.asking import Asked
from duels.service.problems import Problem

FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
"""Kept, but only shown after the server has said that it has not changed."""

router = APIRouter(include_in_schema=False)
at = partial(router.api_route, methods=["GET", "HEAD"])

WRITTEN = (
    *("/", "/analysis", "/puzzle", "/daily", "/me", "/learn", "/learn/{game_id}"),
    *("/play/{game_id}", "/print", "/print/lines", "/print/{what}/{which}"),
)


def written(request: Request) -> Response:
    """A page that is the same for everybody."""
    root = relative_root(request.scope)
    try:
        page = _written(tuple(all_games().items()), request.url.path.strip("/"), root)
    except GameFileError as error:
        html = _html(request, unreadable(str(error), root))
        return Response(html.file.content, 422, media_type="text/html")
    return _send_page(request, page) if page else missing_page(request)


for _path in WRITTEN:
    at(_path)(written)


@lru_cache(maxsize=128)
def _written(_offered: tuple[tuple[str, type[Game]], ...], path: str, root: str) -> Page | None:
    return page_at(path, root)


@at("/m/{match_id}")
@at("/m/{match_id}/replay")
async def match(request: Request, match_id: str) -> Response:
    if not await request.app.state.server.matches.exists(match_id):
        return missing_page(request)
    return _send_page(request, MATCH)


@at("/class/privacy")
async def class_privacy(request: Request) -> Response:
    return _send_page(request, paper.privacy_page(relative_root(request.scope)))


@at("/class")
@at("/class/{code}")
@at("/class/{code}/wall")
async def school_class(request: Request, code: str = "") -> Response:
    """The same page for every code: it says nothing about which classes there are."""
    return _send_page(request, CLASS)


@at("/print/puzzles/{game_id}/{number}")
async def puzzles(request: Request, game_id: str, number: str) -> Response:
    """A sheet is worked out where other truth is, and counts as that does."""
    kind, sheet_number = all_games().get(game_id), whole_number(number) or 0
    if not kind or not 1 <= sheet_number <= paper.MOST_SHEETS:
        return missing_page(request)
    asked = Asked(client=client_of(request), gone=lambda: disconnected(request))
    root = relative_root(request.scope)
    try:
        found = await server_of(request).study.run(asked, puzzle_sheet, kind.id, sheet_number)
    except Problem as problem:
        html = _html(request, paper.no_puzzles(kind, problem.detail, root))
        headers = problem.headers or {}
        return Response(html.file.content, problem.status, headers=headers, media_type="text/html")
    return _send_page(request, paper.puzzles_page(kind, sheet_number, found, root))


@at("/favicon.ico")
async def favicon(request: Request) -> Response:
    return await static(request, "favicon.svg")


@at("/static/{name:path}")
async def static(request: Request, name: str) -> Response:
    file, is_its_address = find(name)
    if file is None:
        return missing_page(request)
    return _send(request, file, {"Cache-Control": FOR_GOOD if is_its_address else ASK_AGAIN})


def wants_page(request: Request) -> bool:
    """Whether somebody looks at this in a browser, and not a program."""
    is_page = not request.url.path.startswith(("/api/", "/static/"))
    return is_page and "text/html" in request.headers.get("accept", "")


def missing_page(request: Request) -> Response:
    """A way home; an address with a slash too many leads to the one without."""
    asked = request.scope["raw_path"].decode("latin-1")
    if asked.endswith("/") and (plain := asked.rstrip("/")):
        too_many = len(asked) - len(plain)
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse("../" * too_many + plain.rpartition("/")[2] + query, 308)
    html = _html(request, missing(relative_root(request.scope)))
    return Response(html.file.content, 404, media_type="text/html")


def _send_page(request: Request, page: Page) -> Response:
    html = _html(request, page)
    headers = {"Cache-Control": ASK_AGAIN, "Content-Security-Policy": page_policy(html.scripts)}
    if public_url := request.app.state.public_url:
        headers["Link"] = f'<{public_url}{quote(request.url.path)}>; rel="canonical"'
    return _send(request, html.file, headers)


def _html(request: Request, page: Page) -> Html:
    return shell.page_html(page, relative_root(request.scope), root_for_others(request))


def _send(request: Request, file: File, headers: dict[str, str]) -> Response:
    """The file, or word that the browser has it; then too with all headers, which it takes over."""
    etag = f'W/"{file.digest}"'
    headers = headers | {"ETag": etag, "Vary": "Accept-Encoding"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    content = file.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        content = file.compressed
        headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers, media_type=file.media_type)
