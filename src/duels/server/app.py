"""The web application: routes, middleware, and what runs from start to stop."""

from __future__ import annotations

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import Response
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from duels import __version__
from duels.server import api, links, pages, problems, schemas
from duels.server.answers import Server, server_of
from duels.server.answers import problems as documented_problems
from duels.server.background import BackgroundJobs
from duels.server.clock import Clock
from duels.server.config import Config, from_environment, parse_networks
from duels.server.database import Database
from duels.server.events import Hub
from duels.server.middleware import (
    BodyLimit,
    CancelledRequests,
    PublicHost,
    RootPath,
    SecurityHeaders,
)
from duels.server.shutdown import WRITES_SHARE, Deadline, on_stop_signal
from duels.server.solver_pool import SolverPool
from duels.server.storage import Storage
from duels.service import logs
from duels.service.asking import answer
from duels.service.logs import RequestLog
from duels.service.matches import Matches
from duels.service.problems import MEDIA_TYPE, Problem

GC_THRESHOLDS = (20_000, 20, 100)
"""Collect garbage rarely: with many open streams a full collection takes long."""
READERS = 4
"""Threads that read for requests; with forty, a computer's thread would wait for all of them."""
SWITCH_SECONDS = 0.001
"""How long a thread that computes or writes may keep the event loop waiting."""


def create_app(config: Config | None = None) -> FastAPI:
    """Return the web application; without a config, the environment has the settings."""
    settings = config or from_environment()
    app = FastAPI(
        title="Number Duels",
        version=__version__,
        summary="Two-player number games: play, watch, and get exact verdicts.",
        lifespan=_lifespan(settings),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it would name the host that this process sees
    )
    app.state.public_url, app.state.lan_url = settings.public_root, settings.lan_root
    _add_health(app)
    for router in (api.router, links.router, pages.router):
        app.router.routes.extend(router.routes)  # an included router is searched twice
    problems.install(app)
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
    app.openapi = lambda: _openapi(app, settings.root_path)  # type: ignore[method-assign]
    return app


def _lifespan(config: Config) -> Any:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        sys.setswitchinterval(SWITCH_SECONDS)
        gc.freeze()  # what is loaded now stays; scanning it again would only cost time
        gc.set_threshold(*GC_THRESHOLDS)
        current_default_thread_limiter().total_tokens = READERS
        hub, deadline = Hub(config.max_streams), Deadline(config.stop_seconds)
        restore = on_stop_signal(hub.say_bye, deadline)
        database = Database(config.url)
        database.prepare()
        clock = Clock(database)
        clock.start()
        matches = Matches(Storage(database, config), clock)
        solver = SolverPool(config.max_solver_seconds)
        background = BackgroundJobs(database, matches, hub, solver, config)
        app.state.server = Server(database, clock, matches, hub, background, solver)
        background.start()
        try:
            yield
        finally:
            hub.say_bye()
            await background.stop(deadline.left(WRITES_SHARE))
            clock.stop()
            if not database.close(deadline.left(WRITES_SHARE)):
                logs.warning(
                    "stopped before all writes were finished; none of them was acknowledged"
                )
            restore()

    return lifespan


def _add_health(app: FastAPI) -> None:
    @app.get("/healthz", tags=["health"], response_model=schemas.Health)
    async def healthz() -> Response:
        """Return 200 while the process is alive."""
        return problems.response(answer({"status": "alive"}))

    @app.get(
        "/readyz",
        tags=["health"],
        response_model=schemas.Health,
        responses=documented_problems(503),
    )
    def readyz(request: Request) -> Response:
        """Return 200 if a move could be saved now, and 503 with the reason if not."""
        if sentence := server_of(request).why_not_ready():
            raise Problem(503, sentence)
        return problems.response(answer({"status": "ready"}))


def _openapi(app: FastAPI, root_path: str) -> dict[str, Any]:
    """Return the OpenAPI document, with the media type of problems."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            routes=app.routes,
            servers=[{"url": root_path}] if root_path else None,
        )
        document["components"]["securitySchemes"] = api.SECURITY
        for operations in document["paths"].values():
            for operation in operations.values():
                for status, response in operation["responses"].items():
                    content = response.get("content", {})
                    if status >= "400" and "application/json" in content:
                        content[MEDIA_TYPE] = content.pop("application/json")
        app.openapi_schema = document
    return app.openapi_schema
