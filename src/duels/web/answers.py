"""What all routes share: the server behind a request, and how answers are made and documented."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from duels.web import schemas
from duels.web.events import Hub
from duels.web.matches import Matches
from duels.web.study import Study
from duels.web.work import Work

SVG = "image/svg+xml"
DESCRIPTIONS = {
    400: "It cannot be understood.",
    401: "The secret of a seat is missing.",
    403: "The secret opens no seat here, or it is not your turn.",
    404: "There is no such thing.",
    409: "The match is not where the request thinks it is, and its state is in the answer; "
    "or its game is not on this server.",
    413: "The body is too large.",
    422: "It is understood, and a rule forbids it.",
    429: "Too many from one address.",
    503: "The database does not answer, too many are asking, or the server is stopping; try again.",
}


@dataclass
class Server:
    """The parts of one server process."""

    matches: Matches
    hub: Hub
    work: Work
    study: Study


def server_of(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def answer(data: Any, status: int = 200) -> Response:
    """Data that was made here and needs no second look."""
    content = json.dumps(data, separators=(",", ":"))
    return Response(content, status, media_type="application/json")


def answer_state(state: bytes) -> Response:
    """A state as it is also told to every stream."""
    return Response(state, media_type="application/json")


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For the OpenAPI document: the problems that a route can answer with."""
    return {
        status: {"model": schemas.Problem, "description": DESCRIPTIONS[status]}
        for status in statuses
    }


def documented(description: str, *media_types: str) -> dict[int | str, dict[str, Any]]:
    """For the OpenAPI document: an answer that is text and not data."""
    content = {media_type: {"schema": {"type": "string"}} for media_type in media_types}
    return {200: {"description": description, "content": content}}
