"""Links that other devices can open: at which address, and as QR codes."""

from __future__ import annotations

import io
from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit

import segno
from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from duels.service.problems import Problem
from duels.service.requests import SVG, Body, read_body


class LinkBody(Body, frozen=True):
    """The body of a request for a QR code."""

    link: Annotated[
        str, Meta(max_length=400, description="As the page shows it, with the server's own host.")
    ]


def is_loopback(host: str) -> bool:
    """Whether a host name means only the computer on which it is used."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def root_for_others(request: Request) -> str:
    """Return the address of the first page for other devices, or "" if the client's own works."""
    state = request.app.state
    if state.public_url or not is_loopback(request.url.hostname or ""):
        return str(state.public_url)
    return str(state.lan_url)


async def qr(request: Request) -> Response:
    """Draw a link to this site as a QR code. The link is in the body: it may contain a token."""
    link = read_body(LinkBody, await request.body()).link
    if not _is_ours(link, request):
        raise Problem(422, "Only links to this site are drawn.")
    return Response(await run_in_threadpool(qr_svg, link), media_type=SVG)


def qr_svg(link: str) -> bytes:
    """Return an SVG in black on white with a margin, so that phones read it on a dark page too."""
    picture = io.BytesIO()
    code = segno.make(link, micro=False)
    code.save(picture, kind="svg", xmldecl=False, light="white", omitsize=True)
    return picture.getvalue()


def _is_ours(link: str, request: Request) -> bool:
    """Whether a link leads to the host of the request, or to the one that others use."""
    hosts = {request.url.netloc, urlsplit(root_for_others(request)).netloc}
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    is_plain = link.isascii() and link.isprintable() and "\\" not in link and " " not in link
    return is_plain and parts.scheme in {"http", "https"} and parts.netloc.lower() in hosts - {""}
