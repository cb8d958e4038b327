"""The application: its parts put together, and its life from start to stop."""

from __future__ import annotations

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from duels.server import pages
from duels.server.api import api_routes
from duels.server.clients import read_networks
from duels.server.clock import Clock
from duels.server.config import Config, from_environment
from duels.server.database import Database
from duels.server.events import Hub
from duels.server.headers import SecurityHeaders
from duels.server.hosts import OwnHost
from duels.server.limits import BodyLimit
from duels.server.problems import add_problem_handlers
from duels.server.roots import RootPath
from duels.server.services import ServerServices
from duels.server.stopping import FOR_WRITING, Cancelled, Deadline, on_stop_signal
from duels.server.storage import Storage
from duels.server.study import Study
from duels.server.work import Work
from duels.service import logs
from duels.service.logs import RequestLog
from duels.service.matches import Matches

GARBAGE = (20_000, 20, 100)
"""When to look for garbage: seldom, because with many open streams a full look takes long."""
READERS = 4
"""Threads that read for requests. With forty, a thread that thinks would wait for all of them."""
SWITCH_SECONDS = 0.001
"""How long a thread that thinks or writes may keep the event loop waiting."""


def create_app(config: Config | None = None) -> Starlette:
    """The web application; without a config, as the environment says."""
    settings = config or from_environment()
    routes = [*api_routes(settings.root_path), *pages.router.routes]
    app = Starlette(routes=routes, lifespan=_life(settings))
    app.router.redirect_slashes = False  # it would name the host that this process sees
    app.state.public_url, app.state.lan_url = settings.public_root, settings.lan_root
    add_problem_handlers(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(Cancelled)
    if settings.public_url:
        app.add_middleware(OwnHost, public_url=settings.public_url)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog)
    if settings.trusted_proxies:
        trusted = [str(network) for network in read_networks(settings.trusted_proxies)]
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=trusted)
    if settings.root_path:
        app.add_middleware(RootPath, root_path=settings.root_path)
    return app


def _life(config: Config) -> Any:
    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        sys.setswitchinterval(SWITCH_SECONDS)
        gc.freeze()  # what is loaded now stays; looking through it again would stop everybody
        gc.set_threshold(*GARBAGE)
        current_default_thread_limiter().total_tokens = READERS
        hub, deadline = Hub(config.max_streams), Deadline(config.stop_seconds)
        restore = on_stop_signal(hub.say_bye, deadline)
        database = Database(config.url)
        if not database.is_postgres:
            database.migrate()
        database.check()
        clock = Clock(database)
        clock.start()
        matches = Matches(Storage(database, config), clock)
        study = Study(config.max_study)
        work = Work(database, matches, hub, study, config)
        app.state.services = ServerServices(database, clock, matches, hub, work, study)
        work.start()
        try:
            yield
        finally:
            hub.say_bye()
            await work.stop(deadline.left(FOR_WRITING))
            clock.stop()
            if not database.close(deadline.left(FOR_WRITING)):
                logs.warning("the database was left with writes that nobody was told of")
            restore()

    return life
