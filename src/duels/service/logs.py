"""Logs as JSON lines on standard output, without secrets, addresses of people or query strings."""

from __future__ import annotations

import json
import logging
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a page without a server has no framework
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger("duels.server")


class JsonFormatter(logging.Formatter):
    """One record, one line."""

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
"""For `logging.config.dictConfig`, and so for every worker process."""


def logging_config(quiet: bool) -> dict[str, Any]:
    """The same with only what is wrong, for a terminal where somebody is watching."""
    if not quiet:
        return LOGGING
    loggers = {name: logger | {"level": "WARNING"} for name, logger in LOGGING["loggers"].items()}
    return LOGGING | {"loggers": loggers}


def info(happened: str, **data: Any) -> None:
    logger.info(happened, extra={"data": data})


def warning(happened: str, **data: Any) -> None:
    logger.warning(happened, extra={"data": data})


def error(happened: str, error: BaseException, **data: Any) -> None:
    trace = (type(error), error, error.__traceback__)
    logger.error(happened, exc_info=trace, extra={"data": data})


HUNG_UP = 499
"""The status in the log where nobody waited for an answer."""


class RequestLog:
    """A line for every request, written when it is answered."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not logger.isEnabledFor(logging.INFO):
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), HUNG_UP

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
