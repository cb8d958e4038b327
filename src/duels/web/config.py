"""What a server can be told, by flags or by environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import inf
from typing import Any

from duels.core.errors import OptionError
from duels.core.words import quoted

DAY = 86_400_000
"""In milliseconds, like every time the server keeps."""


@dataclass(frozen=True)
class Config:
    """The settings of one server process; each is also `DUELS_` and its name in capitals."""

    database: str = ""
    """A database URL or the name of a SQLite file; empty is a file in the data folder."""
    workers: int = 1
    max_streams: int = 200
    """Open event streams a client; a classroom behind one address is one client."""
    max_matches: int = 200
    """New matches a client in an hour."""
    abandoned_days: float = 7.0
    """Days in which a server runs until an unfinished match that nobody touches is marked; a day
    later it is removed."""
    finished_days: float = 365.0
    """The same for a finished match."""
    stop_seconds: float = 10.0
    """The longest that stopping may take, whatever hangs."""

    def __post_init__(self) -> None:
        for setting in fields(self):
            value = getattr(self, setting.name)
            if isinstance(setting.default, int | float) and not 0 < value < inf:
                raise OptionError(f"{setting.name} must be a number above 0, not {value}.")

    @property
    def url(self) -> str:
        """The database as SQLAlchemy wants it."""
        if not self.database:
            return f"sqlite:///{default_file()}"
        if "://" not in self.database:
            return f"sqlite:///{self.database}"
        scheme, _, rest = self.database.partition("://")
        known = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}
        return f"{known.get(scheme, scheme)}://{rest}"


def from_environment(environment: Mapping[str, str] = os.environ) -> Config:
    """The settings that the environment asks for."""
    found: dict[str, Any] = {}
    for setting in fields(Config):
        variable = _variable(setting.name)
        if text := environment.get(variable, "").strip():
            try:
                found[setting.name] = type(getattr(Config, setting.name))(text)
            except ValueError:
                raise OptionError(f"{variable} must be a number, not {quoted(text)}.") from None
    return Config(**found)


def to_environment(config: Config) -> dict[str, str]:
    """The variables that make another process read the same settings."""
    return {
        _variable(setting.name): str(getattr(config, setting.name)) for setting in fields(config)
    }


def default_file() -> str:
    """The database file of this user, in the data folder as the system has it."""
    from platformdirs import user_data_path

    return str(user_data_path("duels", appauthor=False, ensure_exists=True) / "web.sqlite3")


def _variable(name: str) -> str:
    return f"DUELS_{name.upper()}"
