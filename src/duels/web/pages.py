"""The pages and the files they load: which address shows what, and how long it may be kept."""

from __future__ import annotations

from functools import lru_cache, partial
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from duels.core.game import Game
from duels.core.words import whole_number
from duels.games import all_games
from duels.hosting.asking import Asked
from duels.hosting.problems import Problem
from duels.web import paper, shell
from duels.web.answers import server_of
from duels.web.clients import client_of, hung_up
from duels.web.files import File, find
from duels.web.headers import page_policy
from duels.web.learn import learn_page, rules_page
from duels.web.links import root_for_others
from duels.web.puzzle_sheet import puzzle_sheet
from duels.web.roots import root_seen_from
from duels.web.shell import Html, Page

FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
"""Kept, but only shown after the server has said that it has not changed."""

router = APIRouter(include_in_schema=False)
page_at = partial(router.api_route, methods=["GET", "HEAD"])

ALWAYS_THE_SAME = {
    "/": shell.LOBBY,
    "/analysis": shell.ANALYSIS,
    "/puzzle": shell.PUZZLE,
    "/daily": shell.DAILY,
    "/me": shell.ME,
    "/class": shell.CLASS,
    # One page for every code: it says nothing about which classes there are.
    "/class/{code}": shell.CLASS,
    "/class/{code}/wall": shell.CLASS,
}


@page_at("/m/{match_id}")
@page_at("/m/{match_id}/replay")
async def match(request: Request, match_id: str) -> Response:
    if not await request.app.state.server.matches.exists(match_id):
        return missing_page(request)
    return _send_page(request, shell.MATCH)


@page_at("/play/{game_id}")
def play(request: Request, game_id: str) -> Response:
    if not (kind := all_games().get(game_id)):
        return missing_page(request)
    return _send_page(request, shell.set_up(kind, root_seen_from(request.scope)))


@page_at("/learn")
@page_at("/learn/{game_id}")
def learn(request: Request, game_id: str = "") -> Response:
    games = all_games()
    if game_id and game_id not in games:
        return missing_page(request)
    root = root_seen_from(request.scope)
    return _send_page(request, _learn(tuple(games.items()), game_id, root))


@lru_cache(maxsize=64)
def _learn(offered: tuple[tuple[str, type[Game]], ...], game_id: str, root: str) -> Page:
    return rules_page(dict(offered)[game_id], root) if game_id else learn_page(root)


@page_at("/class/privacy")
async def class_privacy(request: Request) -> Response:
    return _send_page(request, paper.privacy_page(root_seen_from(request.scope)))


def _add_page(path: str, page: Page) -> None:
    @page_at(path)
    async def send(request: Request) -> Response:
        return _send_page(request, page)


for _path, _page in ALWAYS_THE_SAME.items():  # behind /class/privacy, which is no code
    _add_page(_path, _page)


@page_at("/print")
def sheets(request: Request) -> Response:
    return _send_page(request, paper.index_page(root_seen_from(request.scope)))


@page_at("/print/lines")
def lines(request: Request) -> Response:
    return _send_page(request, paper.lines_page(root_seen_from(request.scope)))


@page_at("/print/{what}/{which}")
def sheet(request: Request, what: str, which: str) -> Response:
    root, kind = root_seen_from(request.scope), all_games().get(which)
    page = None
    if what == "board":
        page = paper.board_page(whole_number(which) or 0, root)
    elif kind and what == "rules":
        page = paper.rules_sheet(kind, root)
    elif kind and what == "plan":
        page = paper.plan_sheet(kind, root)
    return _send_page(request, page) if page else missing_page(request)


@page_at("/print/puzzles/{game_id}/{number}")
async def puzzles(request: Request, game_id: str, number: str) -> Response:
    """A sheet is worked out where other truth is, and counts as that does."""
    kind, sheet_number = all_games().get(game_id), whole_number(number) or 0
    if not kind or not 1 <= sheet_number <= paper.MOST_SHEETS:
        return missing_page(request)
    asked = Asked(client=client_of(request), gone=lambda: hung_up(request))
    root = root_seen_from(request.scope)
    try:
        found = await server_of(request).study.run(asked, puzzle_sheet, kind.id, sheet_number)
    except Problem as problem:
        html = _html(request, paper.no_puzzles(kind, problem.detail, root))
        headers = problem.headers or {}
        return Response(html.file.content, problem.status, headers=headers, media_type="text/html")
    return _send_page(request, paper.puzzles_page(kind, sheet_number, found, root))


@page_at("/favicon.ico")
async def favicon(request: Request) -> Response:
    return await static(request, "favicon.svg")


@page_at("/static/{name:path}")
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
    html = _html(request, shell.missing(root_seen_from(request.scope)))
    return Response(html.file.content, 404, media_type="text/html")


def _send_page(request: Request, page: Page) -> Response:
    html = _html(request, page)
    headers = {"Cache-Control": ASK_AGAIN, "Content-Security-Policy": page_policy(html.scripts)}
    if public_url := request.app.state.public_url:
        headers["Link"] = f'<{public_url}{quote(request.url.path)}>; rel="canonical"'
    return _send(request, html.file, headers)


def _html(request: Request, page: Page) -> Html:
    return shell.page_html(page, root_seen_from(request.scope), root_for_others(request))


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
