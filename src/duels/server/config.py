"""The settings of a server, from flags and from environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from math import inf
from typing import Any
from urllib.parse import urlsplit

from duels.core.errors import OptionError
from duels.core.words import quoted

DAY = 86_400_000
"""A day in milliseconds, the unit of every time in the database."""
DEFAULT_PORTS = {"http": 80, "https": 443}
ROOT_PATH = re.compile(r"(/(?!\.{1,2}(/|$))[\w.~-]+){0,6}", re.ASCII)
"""Only characters that need no escape; `.` and `..` would name another path."""
Networks = tuple[IPv4Network | IPv6Network, ...]


@dataclass(frozen=True)
class Config:
    """The settings of one server process, each set by `DUELS_` plus its name in capitals."""

    database: str = ""
    """A database URL or a SQLite file; if empty, a file in the user's data folder."""
    workers: int = 1
    max_streams: int = 500
    """Open event streams per client; a school behind one address is one client."""
    max_matches: int = 600
    """New matches per client and hour, rematches included."""
    max_solver_seconds: float = 60.0
    """Seconds of solver time a client may use at once; they are restored within two minutes."""
    max_connections: int = 10_000
    """Open connections per process."""
    max_client_connections: int = 1000
    """Open connections per client and process; a trusted proxy may have any number."""
    trusted_proxies: str = ""
    """Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    public_url: str = ""
    """The address at which people reach the server; requests for another host are refused."""
    lan_url: str = ""
    """The address in the local network, for links copied on the server's own computer.

    `duels serve` finds it when it listens on all addresses.
    """
    root_path: str = ""
    """The path below which people reach the server, such as `/duels`."""
    abandoned_days: float = 7.0
    """Days of server time after which an unfinished, untouched match is marked for removal; it is
    removed one day later."""
    finished_days: float = 365.0
    """The same for a finished match."""
    stop_seconds: float = 10.0
    """The most seconds that a shutdown may take, whatever hangs."""

    def __post_init__(self) -> None:
        for setting in fields(self):
            value = getattr(self, setting.name)
            if isinstance(setting.default, int | float) and not 0 < value < inf:
                variable = _variable(setting.name)
                raise OptionError(f"{variable} must be a number above 0, not {value}.")
        parse_networks(self.trusted_proxies)
        object.__setattr__(self, "public_url", parse_public_url(self.public_url))
        object.__setattr__(self, "lan_url", parse_public_url(self.lan_url))
        object.__setattr__(self, "root_path", parse_root_path(self.root_path))

    @property
    def url(self) -> str:
        """The database as a SQLAlchemy URL."""
        if not self.database:
            return f"sqlite:///{default_file()}"
        if "://" not in self.database:
            return f"sqlite:///{self.database}"
        scheme, _, rest = self.database.partition("://")
        known = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}
        return f"{known.get(scheme, scheme)}://{rest}"

    @property
    def public_root(self) -> str:
        """The public URL of the first page without its final slash, or "" if unknown."""
        return self.public_url and self.public_url + self.root_path

    @property
    def lan_root(self) -> str:
        """The URL of the first page in the local network, or "" if unknown."""
        return self.lan_url and self.lan_url + self.root_path


def from_environment(environment: Mapping[str, str] = os.environ) -> Config:
    """Return the settings from environment variables."""
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
    """Return the variables from which another process reads the same settings."""
    return {
        _variable(setting.name): str(getattr(config, setting.name)) for setting in fields(config)
    }


def parse_public_url(text: str) -> str:
    """Return a scheme and host without a final slash; OptionError if there is anything else."""
    if not text:
        return ""
    wrong = OptionError(
        "A server's URL is a scheme and a host, like https://duels.example, "
        f"not {quoted(text, 60)}. Give a path with --root-path."
    )
    try:
        parts = urlsplit(text.strip())
        plain = parts.hostname and f"{parts.scheme}://{parts.netloc.lower()}"
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        raise wrong from None
    has_more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    is_web = parts.scheme in DEFAULT_PORTS
    if not plain or not has_port or has_more or not is_web or not plain.isascii():
        raise wrong
    return plain.removesuffix(f":{DEFAULT_PORTS[parts.scheme]}")


def parse_root_path(text: str) -> str:
    """Return a root path without a final slash; OptionError if it is not one."""
    path = text.strip().rstrip("/")
    if not ROOT_PATH.fullmatch(path):
        raise OptionError(f"The root path is a path like /duels, not {quoted(text, 60)}.")
    return path


def parse_networks(text: str) -> Networks:
    """Return a list of addresses and networks, separated by commas or spaces."""
    found: list[IPv4Network | IPv6Network] = []
    for word in text.replace(",", " ").split():
        try:
            found.append(ip_network(word))
        except ValueError:
            raise OptionError(
                "A trusted proxy is an address or a network, like 10.0.0.7 or 10.0.0.0/8, "
                f"not {quoted(word, 60)}."
            ) from None
    return tuple(found)


def is_among(host: str, networks: Networks) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(address in network for network in networks)


def default_file() -> str:
    """Return this user's database file, in the system's folder for data."""
    from platformdirs import user_data_path

    return str(user_data_path("duels", appauthor=False, ensure_exists=True) / "web.sqlite3")


def _variable(name: str) -> str:
    return f"DUELS_{name.upper()}"
