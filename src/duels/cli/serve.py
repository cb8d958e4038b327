"""The commands that serve: serve, the web server, and mcp, for assistants."""

from __future__ import annotations

import os
import signal
import socket
import sys
import webbrowser
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from duels.core.errors import TITLE, DuelsError, install

if TYPE_CHECKING:
    from duels.server.config import Config

OTHER_FILES = 100
"""Files that a process needs besides its connections."""


@click.command()
@click.option(
    "--host", default="127.0.0.1", envvar="DUELS_HOST", help="Address to listen on. [DUELS_HOST]"
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8765,
    envvar="DUELS_PORT",
    help="Port to listen on; 0 picks a free one. [DUELS_PORT]",
)
@click.option(
    "--database",
    metavar="URL",
    help="SQLite file, or a URL like postgresql://user@host/name. [DUELS_DATABASE]",
)
@click.option("--workers", type=click.IntRange(1, 64), help="Number of processes. [DUELS_WORKERS]")
@click.option(
    "--public-url",
    metavar="URL",
    help="Address that players use, like https://duels.example. Links begin with it, and requests "
    "for another host are rejected. [DUELS_PUBLIC_URL]",
)
@click.option(
    "--root-path",
    metavar="PATH",
    help="Path that players use, like /duels, behind a proxy with other pages. [DUELS_ROOT_PATH]",
)
@click.option(
    "--trusted-proxies",
    metavar="ADDRESSES",
    help="Proxies whose X-Forwarded-For is trusted: addresses or networks, separated by commas "
    "(default: none). [DUELS_TRUSTED_PROXIES]",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the site in a browser.")
def serve(host: str, port: int, open_browser: bool, **settings: str | int | None) -> None:
    """Start a web server to play in the browser.

    Without --database, matches are saved in your data folder. Several servers can share a
    PostgreSQL database.
    """
    config = _config(**settings)
    _prepare(config)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    is_open = host in {"0.0.0.0", "::", ""}
    if is_open and not config.lan_url:
        config = replace(config, lan_url=f"http://{lan_host()}:{port}")
    shown = "127.0.0.1" if is_open else f"[{host}]" if ":" in host else host
    here = f"http://{shown}:{port}{config.root_path}"
    address = config.public_root or (is_open and config.lan_root) or here
    click.echo(f"{TITLE} is at {address} (Ctrl-C stops it).", err=True)
    if config.public_url:
        click.echo(f"It listens at http://{shown}:{port}.", err=True)
    elif is_open:
        click.echo(f"Others in this network can open that; on this computer also {here}", err=True)
    elif host in {"127.0.0.1", "localhost", "::1"}:
        click.echo("Only this computer can see it; --host 0.0.0.0 opens it to others.", err=True)
    if open_browser:
        webbrowser.open(config.public_root or here)
    _run(config, listening)


@click.command()
def mcp() -> None:
    """Serve the games to an assistant, over MCP on stdin and stdout.

    Your assistant starts this command itself: add it to the assistant's MCP servers. Its tools
    are games, rules, legal, play, hint, solve and check. Needs the extra mcp.
    """
    from duels.server.mcp import serve as serve_assistant

    if sys.stdin.isatty():
        click.echo("An assistant starts this command and talks to it. Ctrl-C stops it.", err=True)
    serve_assistant()


def lan_host() -> str:
    """Return the address of this computer in its network, or else its name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only determines the route
            found = str(probe.getsockname()[0])
        except OSError:
            found = ""
    return socket.gethostname().lower() if found.startswith(("127.", "0.")) or not found else found


def _config(**flags: Any) -> Config:
    """Return the settings of the environment, overridden by flags."""
    try:
        import segno  # noqa: F401
        import sqlalchemy  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ModuleNotFoundError as error:
        raise click.ClickException(f"The server needs {error.name}. {install('web')}") from None
    from duels.server.config import from_environment

    given = {name: value for name, value in flags.items() if value is not None}
    return replace(from_environment(), **given)


def _prepare(config: Config) -> None:
    """Create the tables of a new database, or fail before the server says that it is ready."""
    from duels.server.database import Database

    database = Database(config.url)
    try:
        database.prepare()
    finally:
        database.close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DuelsError(f"{host} port {port} cannot be used: {reason}.") from None


def _run(config: Config, listening: socket.socket) -> None:
    """Serve until a signal stops it; every worker reads its settings from the environment."""
    import uvicorn

    from duels.server.app import REQUESTS_SHARE, SIGNALS, exit_now
    from duels.server.config import parse_networks, to_environment
    from duels.server.uvicorn_overrides import ConnectionLimits, LimitedConnection, Workers
    from duels.service.logs import logging_config

    files = _allow_many_files()
    limits = ConnectionLimits(
        min(config.max_connections, files - OTHER_FILES),
        config.max_client_connections,
        parse_networks(config.trusted_proxies),
    )
    os.environ.update(to_environment(config))
    settings = uvicorn.Config(
        "duels.server.app:create_app",
        factory=True,
        workers=config.workers,
        http=partial(LimitedConnection, limits=limits),  # type: ignore[arg-type]
        ws="none",
        proxy_headers=False,  # the application does that, for the proxies that were named
        log_config=logging_config(quiet=sys.stdout.isatty()),
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=REQUESTS_SHARE * config.stop_seconds,  # type: ignore[arg-type]
        timeout_keep_alive=30,
    )
    if config.workers > 1:
        Workers(settings, [listening], config.stop_seconds).run()
    else:
        for number in SIGNALS:  # uvicorn sends them again when the server has stopped
            signal.signal(number, lambda *_: exit_now(0))
        uvicorn.Server(settings).run([listening])


def _allow_many_files() -> int:
    """Raise the limit of open files, which connections count towards, and return it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return sys.maxsize
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return sys.maxsize if most == resource.RLIM_INFINITY else most
