"""What a server can be told, by flags or by environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import inf
from typing import Any
from urllib.parse import urlsplit

from duels.core.errors import OptionError
from duels.core.words import quoted
from duels.server.clients import read_networks

DAY = 86_400_000
"""In milliseconds, like every time the server keeps."""
PORTS = {"http": 80, "https": 443}
ROOT_PATH = re.compile(r"(/(?!\.{1,2}(/|$))[\w.~-]+){0,6}", re.ASCII)
"""Letters, digits and what needs no escape; `.` and `..` would mean another path."""


@dataclass(frozen=True)
class Config:
    """The settings of one server process; each is also `DUELS_` and its name in capitals."""

    database: str = ""
    """A database URL or the name of a SQLite file; empty is a file in the data folder."""
    workers: int = 1
    max_streams: int = 500
    """Open event streams a client; a school behind one address is one client."""
    max_matches: int = 600
    """New matches a client in an hour, rematches too."""
    max_study: float = 60.0
    """Seconds of computing a client may ask for at once; they come back within two minutes."""
    max_connections: int = 10_000
    """Open connections to one process."""
    max_client_connections: int = 1000
    """The same of one client; a trusted proxy may have any number."""
    trusted_proxies: str = ""
    """Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    public_url: str = ""
    """Under which address people reach the server; a request for another host is refused."""
    lan_url: str = ""
    """Under which address others in the network reach a server that listens to all of it; links
    that are copied on the server's own computer name it. `duels serve` finds it."""
    root_path: str = ""
    """Below which path people reach the server, if it is not alone at its host: `/duels`."""
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
        read_networks(self.trusted_proxies)
        object.__setattr__(self, "public_url", read_public_url(self.public_url))
        object.__setattr__(self, "lan_url", read_public_url(self.lan_url))
        object.__setattr__(self, "root_path", read_root_path(self.root_path))

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

    @property
    def public_root(self) -> str:
        """Where people find the first page, without the slash at its end; empty if unknown."""
        return self.public_url and self.public_url + self.root_path

    @property
    def lan_root(self) -> str:
        """The same for others in the network."""
        return self.lan_url and self.lan_url + self.root_path


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


def read_public_url(text: str) -> str:
    """A public address without a slash at its end; an OptionError if it has more than a host."""
    if not text:
        return ""
    wrong = OptionError(
        "The public URL is a scheme and a host, like https://duels.example, "
        f"not {quoted(text, 60)}. A path is said by --root-path."
    )
    try:
        parts = urlsplit(text.strip())
        plain = parts.hostname and f"{parts.scheme}://{parts.netloc.lower()}"
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        raise wrong from None
    is_more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if not plain or not has_port or is_more or parts.scheme not in PORTS or not plain.isascii():
        raise wrong
    return plain.removesuffix(f":{PORTS[parts.scheme]}")


def read_root_path(text: str) -> str:
    """A root path without a slash at its end; an OptionError if it is none."""
    path = text.strip().rstrip("/")
    if not ROOT_PATH.fullmatch(path):
        raise OptionError(f"The root path is a path like /duels, not {quoted(text, 60)}.")
    return path


def default_file() -> str:
    """The database file of this user, in the data folder as the system has it."""
    from platformdirs import user_data_path

    return str(user_data_path("duels", appauthor=False, ensure_exists=True) / "web.sqlite3")


def _variable(name: str) -> str:
    return f"DUELS_{name.upper()}"
