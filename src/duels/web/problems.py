"""What goes wrong, as application/problem+json with a sentence for the person who asked."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from duels.core.errors import DuelsError, UnreadableMove
from duels.core.words import printable
from duels.web import logs, pages
from duels.web.headers import HEADERS, PAGE_POLICY

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


def problem_body(status: int, detail: str, **more: Any) -> bytes:
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    return json.dumps(body | more).encode()


def problem_response(
    status: int, detail: str, headers: dict[str, str] | None = None, **more: Any
) -> Response:
    return Response(
        problem_body(status, detail, **more), status, headers=headers, media_type=MEDIA_TYPE
    )


def install(app: FastAPI) -> None:
    """Every error of the app becomes a problem."""

    @app.exception_handler(Problem)
    async def refused(_: Request, problem: Problem) -> Response:
        more = {"state": json.loads(problem.state)} if problem.state else {}
        return problem_response(problem.status, problem.detail, problem.headers, **more)

    @app.exception_handler(DuelsError)
    async def misread(_: Request, error: DuelsError) -> Response:
        return problem_response(400 if isinstance(error, UnreadableMove) else 422, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return problem_response(400, "The body is not JSON.")
        where = ".".join(str(part) for part in first["loc"][1:4]) or str(first["loc"][0])
        clean = [printable(words, "�")[:200] for words in (where, first["msg"])]
        return problem_response(422, f"{': '.join(clean)}.")

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> Response:
        headers = dict(error.headers or {})
        if error.status_code == 404 and pages.wants_page(request):
            return pages.missing_page(request)
        return problem_response(error.status_code, _SENTENCES.get(error.status_code, ""), headers)

    @app.exception_handler(DBAPIError)
    @app.exception_handler(PoolTimeout)
    async def no_database(request: Request, error: Exception) -> Response:
        if isinstance(error, DBAPIError) and not error.connection_invalidated:
            logs.error("database", error, path=request.url.path)
        detail = "The database does not answer. Nothing is lost; try again in a moment."
        return problem_response(503, detail, {"Retry-After": "1"})

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> Response:
        # This handler stands outside the middleware that adds headers to all other answers.
        detail = "Something went wrong on the server; it has been written down."
        return problem_response(500, detail, {**HEADERS, "Content-Security-Policy": PAGE_POLICY})


_SENTENCES = {
    400: "The request cannot be understood.",
    404: "There is nothing here.",
    405: "This address does not do that.",
}
