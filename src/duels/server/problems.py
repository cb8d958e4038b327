"""What goes wrong, as application/problem+json with a sentence for the person who asked."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.responses import Response
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from duels.server import pages
from duels.server.middleware import HEADERS, PAGE_POLICY
from duels.service import logs
from duels.service.asking import Answer, refusal
from duels.service.problems import Problem


def response(answer: Answer) -> Response:
    """An answer as it goes over the wire."""
    return Response(
        answer.content, answer.status, headers=dict(answer.headers), media_type=answer.media_type
    )


def problem_response(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    return response(refusal(Problem(status, detail, headers=headers)))


def install(app: FastAPI) -> None:
    """Every error of the app becomes a problem."""

    @app.exception_handler(Problem)
    async def refused(_: Request, problem: Problem) -> Response:
        return response(refusal(problem))

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
