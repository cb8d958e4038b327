"""Logs as JSON lines on standard output, without tokens, client addresses or query strings."""

from __future__ import annotations

import json
import logging
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the static site has no framework
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger("duels.server")


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "data", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line)


LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "duels.service.logs.JsonFormatter"}},
    "handlers": {
        "stdout": {
            "class": "logging.StreamHandler",
            "stream": "ext://sys.stdout",
            "formatter": "json",
        },
    },
    "loggers": {
        "duels.server": {"handlers": ["stdout"], "level": "INFO", "propagate": False},
        "uvicorn": {"handlers": ["stdout"], "level": "WARNING", "propagate": False},
    },
}
"""The settings of every process, for `logging.config.dictConfig`."""


def logging_config(quiet: bool) -> dict[str, Any]:
    """Return the settings; if `quiet`, only warnings and errors are logged."""
    if not quiet:
        return LOGGING
    loggers = {name: logger | {"level": "WARNING"} for name, logger in LOGGING["loggers"].items()}
    return LOGGING | {"loggers": loggers}


def info(event: str, **data: Any) -> None:
    """Log an event."""
    logger.info(event, extra={"data": data})


def warning(event: str, **data: Any) -> None:
    """Log a warning."""
    logger.warning(event, extra={"data": data})


def error(event: str, error: BaseException, **data: Any) -> None:
    """Log an error with its traceback."""
    trace = (type(error), error, error.__traceback__)
    logger.error(event, exc_info=trace, extra={"data": data})


CLIENT_GONE = 499
"""The logged status of a request whose client has disconnected."""


class RequestLog:
    """Middleware that logs every request when its response has been sent."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not logger.isEnabledFor(logging.INFO):
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), CLIENT_GONE

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noting)
        except Exception:
            status = 500
            raise
        finally:
            milliseconds = round((time.perf_counter() - began) * 1000, 1)
            path = scope["path"][:200]
            info("request", method=scope["method"], path=path, status=status, ms=milliseconds)
