"""The web application: routes, middleware, errors, start-up and shutdown."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import Any, NoReturn

from anyio.to_thread import current_default_thread_limiter
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response as HttpResponse
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from duels.server import pages
from duels.server.api import ServerServices, api_routes
from duels.server.background import BackgroundJobs
from duels.server.clock import Clock
from duels.server.config import Config, from_environment, parse_networks
from duels.server.database import Database
from duels.server.events import Hub
from duels.server.middleware import (
    HEADERS,
    PAGE_POLICY,
    BodyLimit,
    CancelledRequests,
    PublicHost,
    RequestLog,
    RootPath,
    SecurityHeaders,
    problem_response,
)
from duels.server.rate_limits import RateLimiter
from duels.server.solver_pool import SolverPool
from duels.server.storage import Storage
from duels.service import logs
from duels.service.matches import Matches
from duels.service.problems import Problem

SIGNALS = (signal.SIGTERM, signal.SIGINT)
REQUESTS_SHARE = 0.5
"""The share of the shutdown time after which unfinished requests are cancelled."""
WRITES_SHARE = 0.8
"""The share of the shutdown time after which the server stops waiting for writes."""
LOG_SECONDS = 0.5
"""How long a last log line may take; if no process reads the log, writing would block forever."""
SAME_SIGNAL = 0.1
"""Seconds within which a second signal counts as the first, sent to both the process and its
group."""


def exit_now(code: int, *warnings: str) -> NoReturn:
    """End the process now, whatever its threads are doing."""
    logging = Thread(target=_log, args=warnings, daemon=True)
    logging.start()
    logging.join(LOG_SECONDS)
    os._exit(code)


def _log(*warnings: str) -> None:
    for warning in warnings:
        logs.warning(warning)
    sys.stdout.flush()
    sys.stderr.flush()


class Deadline:
    """Ends the process that many seconds after the first signal, or at the second signal."""

    def __init__(self, seconds: float, end: Callable[..., None] = exit_now) -> None:
        self.seconds = seconds
        self._end = end
        self._began: float | None = None

    def is_first(self, number: int) -> bool:
        """Record a signal and return whether it is the first; a worker ignores later ones."""
        now = time.monotonic()
        if self._began is None:
            self._began = now
            Thread(target=self._wait, name="deadline", daemon=True).start()
            return True
        if now - self._began > SAME_SIGNAL and not parent_process():
            self._end(128 + number)
        return False

    def left(self, share: float) -> float:
        """Return the seconds until this share of the shutdown time; all of it before a signal."""
        elapsed = 0.0 if self._began is None else time.monotonic() - self._began
        return max(0.0, share * self.seconds - elapsed)

    def _wait(self) -> None:
        time.sleep(self.seconds)
        self._end(1, f"stopped after {self.seconds:g} seconds, before everything had ended")


def on_stop_signal(act: Callable[[], None], deadline: Deadline) -> Callable[[], None]:
    """At the first stop signal call `act` on the event loop, then the previous handler.

    Returns a function that restores the handlers.
    """
    if current_thread() is not main_thread():
        return lambda: None
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def handle(number: int, frame: FrameType | None) -> None:
        if not deadline.is_first(number):
            return
        loop.call_soon_threadsafe(act)
        earlier = before[signal.Signals(number)]
        if callable(earlier):
            earlier(number, frame)

    for number in SIGNALS:
        signal.signal(number, handle)
    if parent := parent_process():
        Thread(target=_follow, args=(parent.sentinel,), name="parent", daemon=True).start()

    def restore() -> None:
        for number, earlier in before.items():
            signal.signal(number, earlier)

    return restore


def _follow(parent: int) -> None:
    """Stop a worker whose parent has died: it would occupy the port without a supervisor."""
    wait([parent])
    os.kill(os.getpid(), signal.SIGTERM)


GC_THRESHOLDS = (20_000, 20, 100)
"""Collect garbage rarely: with many open streams a full collection is slow."""
READERS = 4
"""Threads that read for requests; if there were forty, the computer's thread would wait for them
all."""
SWITCH_SECONDS = 0.001
"""The longest time that a computing or writing thread may block the event loop."""
SENTENCES = {
    400: "The request cannot be understood.",
    404: "There is nothing here.",
    405: "This address does not support that method.",
}


def create_app(config: Config | None = None) -> Starlette:
    """Return the web application; without a config, its settings come from the environment."""
    settings = config or from_environment()
    routes = [*api_routes(settings.root_path), *pages.router.routes]
    app = Starlette(routes=routes, lifespan=_lifespan(settings), exception_handlers=HANDLERS)
    app.router.redirect_slashes = False  # a redirect would name the host that this process sees
    app.state.public_url, app.state.lan_url = settings.public_root, settings.lan_root
    app.state.root_path = settings.root_path
    app.add_middleware(BodyLimit)
    app.add_middleware(CancelledRequests)
    if settings.public_url:
        app.add_middleware(PublicHost, public_url=settings.public_url)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog)
    if settings.trusted_proxies:
        trusted = [str(network) for network in parse_networks(settings.trusted_proxies)]
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=trusted)
    if settings.root_path:
        app.add_middleware(RootPath, root_path=settings.root_path)
    return app


def _lifespan(config: Config) -> Any:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        sys.setswitchinterval(SWITCH_SECONDS)
        gc.freeze()  # everything loaded so far stays; scanning it again would waste time
        gc.set_threshold(*GC_THRESHOLDS)
        current_default_thread_limiter().total_tokens = READERS
        hub, deadline = Hub(config.max_streams), Deadline(config.stop_seconds)
        restore = on_stop_signal(hub.end_all, deadline)
        database = Database(config.url)
        database.prepare()
        clock = Clock(database)
        clock.start()
        matches = Matches(Storage(database, config), clock)
        solver = SolverPool(RateLimiter(config.max_solver_seconds))
        background = BackgroundJobs(database, matches, hub, solver, config)
        services = ServerServices(database, clock, matches, hub, background, solver)
        app.state.services = services
        background.start()
        try:
            yield
        finally:
            hub.end_all()
            await background.stop(deadline.left(WRITES_SHARE))
            clock.stop()
            if not database.close(deadline.left(WRITES_SHARE)):
                logs.warning(
                    "stopped before all writes were finished; none of them was acknowledged"
                )
            restore()

    return lifespan


async def _refused(_: Request, error: Problem) -> HttpResponse:
    return problem_response(error)


async def _http_error(request: Request, error: HTTPException) -> HttpResponse:
    if error.status_code == 404 and pages.wants_page(request):
        return pages.missing_page(request)
    headers, detail = dict(error.headers or {}), SENTENCES.get(error.status_code, "")
    return problem_response(Problem(error.status_code, detail, headers=headers))


async def _no_database(request: Request, error: Exception) -> HttpResponse:
    if isinstance(error, DBAPIError) and not error.connection_invalidated:
        logs.error("database", error, path=request.url.path)
    detail = "The database does not respond. Nothing is lost; try again in a moment."
    return problem_response(Problem(503, detail, headers={"Retry-After": "1"}))


async def _fault(request: Request, error: Exception) -> HttpResponse:
    # This handler is outside the middleware that adds headers to all other responses.
    detail = "Something went wrong on the server; it has been logged."
    headers = {**HEADERS, "Content-Security-Policy": PAGE_POLICY}
    return problem_response(Problem(500, detail, headers=headers))


HANDLERS: dict[Any, Any] = {
    Problem: _refused,
    HTTPException: _http_error,
    DBAPIError: _no_database,
    PoolTimeout: _no_database,
    Exception: _fault,
}
"""The handlers that turn every error into a problem response."""
