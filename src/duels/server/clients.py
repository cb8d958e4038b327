"""Who a client is: the address that limits count by, and the proxies that may name another one."""

from __future__ import annotations

from hashlib import blake2b
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

from duels.core.errors import OptionError
from duels.core.words import quoted

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request

HOME = 64
"""Leading bits of an IPv6 address that are one client: a home or a school has the rest."""
Networks = tuple[IPv4Network | IPv6Network, ...]


def client_of(request: HTTPConnection) -> str:
    """The client that limits count a request to."""
    return client_id(request.client.host if request.client else "")


async def hung_up(request: Request) -> None:
    """Returns when the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def client_id(host: str) -> str:
    """A client by its address; a hash, so that the database keeps no address as it is."""
    try:
        address = ip_address(host)
    except ValueError:
        return _hashed(host)
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return _hashed(str(mapped or IPv6Network((int(address), HOME), strict=False)))
    return _hashed(host)


def read_networks(text: str) -> Networks:
    """Addresses and networks, with commas or blanks between them."""
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
    """Whether this address is in one of the networks."""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(address in network for network in networks)


def _hashed(name: str) -> str:
    return blake2b(name.encode("utf-8", "replace"), digest_size=8).hexdigest()
