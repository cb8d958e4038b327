"""The parts of a server process, and how its answers are documented."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import Request

from duels.hosting.matches import Matches
from duels.web import schemas
from duels.web.clock import Clock
from duels.web.database import Database
from duels.web.events import Hub
from duels.web.study import Study
from duels.web.work import Work

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


@dataclass(frozen=True)
class Server:
    """The parts of one server process; at its desk requests are answered."""

    database: Database
    clock: Clock
    matches: Matches
    hub: Hub
    work: Work
    study: Study


def server_of(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For the OpenAPI document: the problems that a route can answer with."""
    return {
        status: {"model": schemas.Problem, "description": DESCRIPTIONS[status]}
        for status in statuses
    }
