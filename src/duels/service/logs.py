"""Logs as JSON lines on standard output, without tokens, client addresses or query strings."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

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
    logger.info(event, extra={"data": data})


def warning(event: str, **data: Any) -> None:
    logger.warning(event, extra={"data": data})


def error(event: str, error: BaseException, **data: Any) -> None:
    """Log an error with its traceback."""
    trace = (type(error), error, error.__traceback__)
    logger.error(event, exc_info=trace, extra={"data": data})
