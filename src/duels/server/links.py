"""Links that others can open: under which address, and as QR codes."""

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
    """An address of this site."""

    link: Annotated[
        str, Meta(max_length=400, description="As the page shows it, with the server's own host.")
    ]


def is_loopback(host: str) -> bool:
    """Whether only the same computer can mean itself by this host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def root_for_others(request: Request) -> str:
    """Where others find the first page; empty if that is where whoever asks has found it."""
    state = request.app.state
    if state.public_url or not is_loopback(request.url.hostname or ""):
        return str(state.public_url)
    return str(state.lan_url)


async def qr(request: Request) -> Response:
    """A link to this site as a QR code. It is sent in a body, because it may hold a secret."""
    asked = read_body(LinkBody, await request.body())
    if not _is_ours(asked.link, request):
        raise Problem(422, "Only links to this site are drawn.")
    return Response(await run_in_threadpool(qr_svg, asked.link), media_type=SVG)


def qr_svg(link: str) -> bytes:
    """Black on white with its margin, so that it is read on a dark page too."""
    drawn = io.BytesIO()
    code = segno.make(link, micro=False)
    code.save(drawn, kind="svg", xmldecl=False, light="white", omitsize=True)
    return drawn.getvalue()


def _is_ours(link: str, request: Request) -> bool:
    """Whether it is at the host that was asked, or at the one by which others reach it."""
    hosts = {request.url.netloc, urlsplit(root_for_others(request)).netloc}
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    is_plain = link.isascii() and link.isprintable() and "\\" not in link and " " not in link
    return is_plain and parts.scheme in {"http", "https"} and parts.netloc.lower() in hosts - {""}
