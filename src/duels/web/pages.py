"""The pages: static shells and the files they load, compressed, with an ETag each."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import Response

from duels.games import GAMES

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
WITHOUT_FILE = (
    b"<!doctype html><title>Not found</title><p>There is nothing here. <a href=/>Home</a>"
)


class File(NamedTuple):
    content: bytes
    compressed: bytes
    etag: str
    media_type: str


router = APIRouter(include_in_schema=False)


@router.api_route("/", methods=["GET", "HEAD"])
def lobby(request: Request) -> Response:
    return _page(request, "index.html")


@router.api_route("/m/{match_id}", methods=["GET", "HEAD"])
@router.api_route("/m/{match_id}/replay", methods=["GET", "HEAD"])
def match(request: Request, match_id: str) -> Response:
    if not request.app.state.server.matches.find(match_id):
        return missing_page()
    return _page(request, "match.html")


@router.api_route("/analysis", methods=["GET", "HEAD"])
def analysis(request: Request) -> Response:
    return _page(request, "analysis.html")


@router.api_route("/learn", methods=["GET", "HEAD"])
@router.api_route("/learn/{game_id}", methods=["GET", "HEAD"])
def learn(request: Request, game_id: str = "") -> Response:
    if game_id and game_id not in GAMES:
        return missing_page()
    return _page(request, "learn.html")


@router.api_route("/favicon.ico", methods=["GET", "HEAD"])
def favicon(request: Request) -> Response:
    return _page(request, "favicon.svg")


@router.api_route("/static/{name:path}", methods=["GET", "HEAD"])
def static(request: Request, name: str) -> Response:
    return _page(request, name)


def wants_page(request: Request) -> bool:
    """Whether somebody looks at this in a browser, and not a program."""
    is_page = not request.url.path.startswith(("/api/", "/static/"))
    return is_page and "text/html" in request.headers.get("accept", "")


def missing_page() -> Response:
    file = _file("missing.html")
    content = file.content if file else WITHOUT_FILE
    return Response(content, 404, media_type="text/html")


def _page(request: Request, name: str) -> Response:
    file = _file(name)
    if file is None:
        return missing_page()
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
    content = path.read_bytes()
    guessed = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    return File(
        content,
        gzip.compress(content, 9, mtime=0),
        f'W/"{hashlib.sha256(content).hexdigest()[:20]}"',
        guessed or "application/octet-stream",
    )
