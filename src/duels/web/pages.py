"""The pages and the files they load, compressed, with an ETag each.

All of it is in memory after the first time, so that only what asks the database needs a thread.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import Response

from duels.games import all_games
from duels.web.shell import ANALYSIS, LEARN, LOBBY, MATCH, MISSING, STATIC, Page, page_html

TYPES = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


class File(NamedTuple):
    """What is sent."""

    content: bytes
    compressed: bytes
    etag: str
    media_type: str


router = APIRouter(include_in_schema=False)


@router.api_route("/", methods=["GET", "HEAD"])
async def lobby(request: Request) -> Response:
    return _send_page(request, LOBBY)


@router.api_route("/m/{match_id}", methods=["GET", "HEAD"])
@router.api_route("/m/{match_id}/replay", methods=["GET", "HEAD"])
async def match(request: Request, match_id: str) -> Response:
    if not await request.app.state.server.matches.exists(match_id):
        return missing_page()
    return _send_page(request, MATCH)


@router.api_route("/analysis", methods=["GET", "HEAD"])
async def analysis(request: Request) -> Response:
    return _send_page(request, ANALYSIS)


@router.api_route("/learn", methods=["GET", "HEAD"])
@router.api_route("/learn/{game_id}", methods=["GET", "HEAD"])
async def learn(request: Request, game_id: str = "") -> Response:
    if game_id and game_id not in all_games():
        return missing_page()
    return _send_page(request, LEARN)


@router.api_route("/favicon.ico", methods=["GET", "HEAD"])
async def favicon(request: Request) -> Response:
    return await static(request, "favicon.svg")


@router.api_route("/static/{name:path}", methods=["GET", "HEAD"])
async def static(request: Request, name: str) -> Response:
    file = _file(name)
    return _send(request, file) if file else missing_page()


def wants_page(request: Request) -> bool:
    """Whether somebody looks at this in a browser, and not a program."""
    is_page = not request.url.path.startswith(("/api/", "/static/"))
    return is_page and "text/html" in request.headers.get("accept", "")


def missing_page() -> Response:
    return Response(page_html(MISSING), 404, media_type="text/html")


def _send_page(request: Request, page: Page) -> Response:
    public_url = request.app.state.public_url
    sent = _send(request, _shell(page, public_url))
    if public_url:
        sent.headers["Link"] = f'<{public_url}{quote(request.url.path)}>; rel="canonical"'
    return sent


def _send(request: Request, file: File) -> Response:
    headers = {"ETag": file.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    content = file.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        content = file.compressed
        headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers, media_type=file.media_type)


def _file(name: str) -> File | None:
    """A file of the static folder, and of no other."""
    try:
        path = (STATIC / name).resolve()
        if not path.is_relative_to(STATIC.resolve()) or not path.is_file():
            return None
        return _read(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=256)
def _read(path: Path, _changed: int) -> File:
    guessed = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    return _packed(path.read_bytes(), guessed or "application/octet-stream")


@cache
def _shell(page: Page, public_url: str) -> File:
    return _packed(page_html(page, public_url), "text/html")


def _packed(content: bytes, media_type: str) -> File:
    etag = f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'
    return File(content, gzip.compress(content, 9, mtime=0), etag, media_type)
