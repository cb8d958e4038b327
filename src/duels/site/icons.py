"""The icons of an installed site: the marks of `favicon.svg`, drawn as PNG in plain Python."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from itertools import accumulate
from math import sqrt
from xml.etree import ElementTree

from duels.web.files import STATIC

FINE = 8
"""Lines that are drawn for each row of pixels."""
SAFE = 0.8
"""How far the marks shrink where a system may cut a circle out of the icon."""

CLEAR = bytes(4)
"""A pixel: red, green, blue, and how much of it covers what is below."""

Span = Callable[[float], "tuple[float, float] | None"]
"""From where to where a shape reaches at some height."""


def icon(size: int, *, maskable: bool = False) -> bytes:
    """The icon as PNG; a maskable one has its ground up to the edges."""
    root = ElementTree.fromstring((STATIC / "favicon.svg").read_text(encoding="utf-8"))
    side = float(root.attrib["viewBox"].split()[2])
    ground, *marks = root
    round_corner = 0.0 if maskable else float(ground.attrib["rx"])
    rows = [[CLEAR] * size for _ in range(size)]
    _paint(rows, side, _square(side, round_corner), ground.attrib["fill"])
    for mark in marks:
        shape = _shape(mark.attrib)
        _paint(rows, side, _shrunk(shape, side, SAFE) if maskable else shape, mark.attrib["fill"])
    return _png(rows)


def _paint(rows: list[list[bytes]], side: float, shape: Span, colour: str) -> None:
    """Lay a shape over what is there; at its edge a pixel is a mixture."""
    size = len(rows)
    solid = bytes.fromhex(colour.removeprefix("#")) + b"\xff"
    for y, row in enumerate(rows):
        steps = [0.0] * (size + 2)
        for line in range(FINE):
            span = shape((y + (line + 0.5) / FINE) * side / size)
            if span:
                for x, sign in ((span[0], 1 / FINE), (span[1], -1 / FINE)):
                    pixel, rest = divmod(min(max(x * size / side, 0), size), 1)
                    steps[int(pixel)] += sign * (1 - rest)
                    steps[int(pixel) + 1] += sign * rest
        for x, share in enumerate(accumulate(steps[:size])):
            if share > 0.001:
                row[x] = solid if share > 0.999 else _mixed(solid, row[x], share)


def _mixed(over: bytes, under: bytes, share: float) -> bytes:
    left = (1 - share) * under[3] / 255
    colours = (share * new + left * old for new, old in zip(over[:3], under[:3], strict=True))
    return bytes(
        (*(round(value / (share + left)) for value in colours), round(255 * (share + left)))
    )


def _shape(mark: dict[str, str]) -> Span:
    if "r" in mark:
        return _circle(float(mark["cx"]), float(mark["cy"]), float(mark["r"]))
    return _polygon(_points(mark["d"]))


def _points(path: str) -> list[tuple[float, float]]:
    """The corners of a path that is made of M, L and H."""
    points: list[tuple[float, float]] = []
    for command, text in re.findall(r"([MLH])([^A-Za-z]*)", path):
        numbers = [float(number) for number in re.findall(r"[\d.]+", text)]
        if command == "H":
            points += [(x, points[-1][1]) for x in numbers]
        else:
            points += zip(numbers[::2], numbers[1::2], strict=True)
    return points


def _circle(middle: float, height: float, radius: float) -> Span:
    def span(y: float) -> tuple[float, float] | None:
        if abs(y - height) >= radius:
            return None
        half = sqrt(radius**2 - (y - height) ** 2)
        return middle - half, middle + half

    return span


def _polygon(points: list[tuple[float, float]]) -> Span:
    edges = [*zip(points, [*points[1:], points[0]], strict=True)]

    def span(y: float) -> tuple[float, float] | None:
        met = [
            x1 + (y - y1) * (x2 - x1) / (y2 - y1)
            for (x1, y1), (x2, y2) in edges
            if min(y1, y2) <= y < max(y1, y2)
        ]
        return (min(met), max(met)) if met else None

    return span


def _square(side: float, corner: float) -> Span:
    def span(y: float) -> tuple[float, float]:
        beyond = max(corner - y, y - (side - corner), 0.0)
        cut = corner - sqrt(corner**2 - beyond**2) if beyond else 0.0
        return cut, side - cut

    return span


def _shrunk(shape: Span, side: float, factor: float) -> Span:
    def inside(value: float) -> float:
        return side / 2 + (value - side / 2) * factor

    def span(y: float) -> tuple[float, float] | None:
        found = shape(side / 2 + (y - side / 2) / factor)
        return (inside(found[0]), inside(found[1])) if found else None

    return span


def _png(rows: list[list[bytes]]) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    pixels = b"".join(b"\0" + b"".join(row) for row in rows)
    size = len(rows)
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(pixels, 9)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
