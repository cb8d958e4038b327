"""The picture of the packages, drawn from the imports: which folder is above which.

A folder stands one floor above the highest folder that it imports. A line is drawn only where no
other way leads down to the same folder, so that thirty lines say what hundreds of imports do.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import duels

SOURCE = Path(duels.__file__).parent
WIDTH, FLOOR, BOX_WIDE, BOX_HIGH, EDGE = 760, 62, 110, 32, 14

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" \
aria-label="The packages of duels: each imports only what is below it">
<style>
text {{ font: 15px system-ui, sans-serif; text-anchor: middle; fill: #1b1d1e }}
.box {{ fill: #eef4f9; stroke: #0072b2; rx: 6 }}
.way {{ fill: none; stroke: #8a99a6; stroke-width: 1.5 }}
</style>
<rect width="100%" height="100%" rx="8" fill="#fff"/>
"""


RULES = {"__init__.py", "rules.py", "criteria.py"}
"""The files of a game family that belong to `games` itself; each other one serves a layer above."""


def files_of(name: str) -> list[Path]:
    """The Python files of a folder, or the one module of that name."""
    if name == "games":
        families = (SOURCE / name).glob("*/*.py")
        return [*(SOURCE / name).glob("*.py"), *(path for path in families if path.name in RULES)]
    return [*(SOURCE / name).rglob("*.py")] or [SOURCE / f"{name}.py"]


def folders() -> list[str]:
    """The folders and single modules of the package."""
    found = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or _is_package(path)}
    return sorted(found - {"__init__", "__main__"})


def _is_package(path: Path) -> bool:
    return (path / "__init__.py").exists()


@cache
def imports_of(name: str) -> frozenset[str]:
    """The other folders that its files import, anywhere in them."""
    found = set()
    for path in files_of(name):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module == "duels":
                modules = [f"duels.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            found |= {module.split(".")[1] for module in modules if module.startswith("duels.")}
    return frozenset(found.intersection(folders()) - {name})


@cache
def below(name: str) -> frozenset[str]:
    """All folders that it reaches by imports."""
    return imports_of(name).union(*map(below, imports_of(name)))


@cache
def floor(name: str) -> int:
    """Zero for those that import no other."""
    return 1 + max(map(floor, imports_of(name)), default=-1)


def stands_on(name: str) -> list[str]:
    """What it imports, without what it would reach through another of them."""
    direct = imports_of(name)
    return sorted(one for one in direct if not any(one in below(other) for other in direct))


def house_svg() -> str:
    """The picture."""
    ways = {(name, other): _points(name, other) for name in folders() for other in stands_on(name)}
    x = _places(ways)
    top = max(map(floor, folders()))

    def y(number: int) -> int:
        return EDGE + (top - number) * FLOOR

    drawn = []
    for points in ways.values():
        d = f"M{x[points[0]]:.0f} {y(points[0].floor) + BOX_HIGH}"
        for point, following in pairwise(points):
            begin, end = y(point.floor) + BOX_HIGH, y(following.floor)
            middle = (begin + end) / 2
            d += f"V{begin}C{x[point]:.0f} {middle:g} {x[following]:.0f} {middle:g} "
            d += f"{x[following]:.0f} {end}"
        drawn.append(f'<path class="way" d="{d}"/>')
    for name in folders():
        left, high = x[_point(name)], y(floor(name))
        drawn.append(
            f'<rect class="box" x="{left - BOX_WIDE / 2:.0f}" y="{high}" width="{BOX_WIDE}" '
            f'height="{BOX_HIGH}"/><text x="{left:.0f}" y="{high + 21}">{name}</text>'
        )
    return HEAD.format(width=WIDTH, height=y(0) + BOX_HIGH + EDGE) + "\n".join(drawn) + "\n</svg>\n"


class Point(NamedTuple):
    """A box, or where a way passes a floor on which it does not stop."""

    floor: int
    name: str
    way_to: str = ""


def _point(name: str) -> Point:
    return Point(floor(name), name)


def _points(name: str, other: str) -> list[Point]:
    passed = [Point(number, name, other) for number in range(floor(name) - 1, floor(other), -1)]
    return [_point(name), *passed, _point(other)]


def _places(ways: Mapping[tuple[str, str], list[Point]]) -> dict[Point, float]:
    """The place of each box: near the middle of its neighbours, not too near to any other."""
    near: dict[Point, list[Point]] = {_point(name): [] for name in folders()}
    for points in ways.values():
        for point, following in pairwise(points):
            near.setdefault(point, []).append(following)
            near.setdefault(following, []).append(point)
    floors = [[p for p in sorted(near) if p.floor == n] for n in range(max(near).floor + 1)]
    x = {
        point: _spread(row, [0.0] * len(row))[place]
        for row in floors
        for place, point in enumerate(row)
    }
    for sweep in range(40):
        for row in floors if sweep % 2 else floors[::-1]:
            wish = {one: sum(x[other] for other in near[one]) / len(near[one]) for one in row}
            row.sort(key=lambda one: (wish[one], one))
            for one, place in zip(row, _spread(row, [wish[one] for one in row]), strict=True):
                x[one] = place
    return x


def _spread(row: list[Point], wishes: list[float]) -> list[float]:
    """Places in the order of the row, near the wishes, with room between and inside the edges."""
    wide = [20 if point.way_to else BOX_WIDE + 20 for point in row]
    gaps = [(one + other) / 2 for one, other in pairwise(wide)]
    places = wishes[:1]
    for gap, wish in zip(gaps, wishes[1:], strict=True):
        places.append(max(wish, places[-1] + gap))
    shift = sum(wish - place for wish, place in zip(wishes, places, strict=True)) / len(row)
    places = [place + shift for place in places]
    low, high = wide[0] / 2, WIDTH - wide[-1] / 2
    places = [place + max(0, low - places[0]) for place in places]
    return [place - max(0, places[-1] - high) for place in places]


if __name__ == "__main__":
    print(house_svg())
