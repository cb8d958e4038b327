"""Errors as application/problem+json, each with a sentence for the person at the client."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response as HttpResponse

from duels.server import pages
from duels.server.middleware import HEADERS, PAGE_POLICY
from duels.service import logs
from duels.service.problems import Problem
from duels.service.requests import Response, refuse

SENTENCES = {
    400: "The request cannot be understood.",
    404: "There is nothing here.",
    405: "This address does not support that method.",
}


def http_response(response: Response) -> HttpResponse:
    """Return a response as it is sent over HTTP."""
    return HttpResponse(
        response.content,
        response.status,
        headers=dict(response.headers),
        media_type=response.media_type,
    )


def problem_response(
    status: int, detail: str, headers: dict[str, str] | None = None
) -> HttpResponse:
    """Return a problem as it is sent over HTTP."""
    return http_response(refuse(Problem(status, detail, headers=headers)))


def add_problem_handlers(app: Starlette) -> None:
    """Make every error of the app a problem."""
    app.add_exception_handler(Problem, _refused)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(DBAPIError, _no_database)
    app.add_exception_handler(PoolTimeout, _no_database)
    app.add_exception_handler(Exception, _fault)


async def _refused(_: Request, error: Exception) -> HttpResponse:
    assert isinstance(error, Problem)
    return http_response(refuse(error))


async def _http_error(request: Request, error: Exception) -> HttpResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and pages.wants_page(request):
        return pages.missing_page(request)
    headers = dict(error.headers or {})
    return problem_response(error.status_code, SENTENCES.get(error.status_code, ""), headers)


async def _no_database(request: Request, error: Exception) -> HttpResponse:
    if isinstance(error, DBAPIError) and not error.connection_invalidated:
        logs.error("database", error, path=request.url.path)
    detail = "The database does not answer. Nothing is lost; try again in a moment."
    return problem_response(503, detail, {"Retry-After": "1"})


async def _fault(request: Request, error: Exception) -> HttpResponse:
    # This handler is outside the middleware that adds headers to all other responses.
    detail = "Something went wrong on the server; it has been logged."
    return problem_response(500, detail, {**HEADERS, "Content-Security-Policy": PAGE_POLICY})
