"""What goes wrong, with a sentence for the person who asked (RFC 9457)."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from duels.core.errors import DuelsError, UnreadableMove

MEDIA_TYPE = "application/problem+json"


class Problem(Exception):
    """A request that is refused; `stale` asks for the current state beside the sentence."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        stale: bool = False,
        headers: dict[str, str] | None = None,
        state: bytes | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.stale = stale
        self.headers = headers
        self.state = state


def problem_of(error: Problem | DuelsError) -> Problem:
    """Also for a rule that was broken, or words that cannot be understood."""
    if isinstance(error, Problem):
        return error
    return Problem(400 if isinstance(error, UnreadableMove) else 422, str(error))


def problem_body(status: int, detail: str, **more: Any) -> bytes:
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    return json.dumps(body | more).encode()
