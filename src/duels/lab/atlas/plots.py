"""The plots of an atlas, as SVG by matplotlib: the same rows give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duels.core.look import COLOURS, GONE
from duels.lab.atlas.rows import Row
from duels.lab.charts import new_figure, svg_file

MARKERS = {1: "o", 2: "^"}
"""The marks of the players, as matplotlib calls them."""


def plots(title: str, size: str, rows: Sequence[Row]) -> dict[str, str]:
    """Plots by name."""
    drawn = {"openings": _openings(title, size, rows)}
    if "outer" in rows[0].more:
        drawn["classes"] = _classes(title, size, rows)
    if paired := [row for row in rows if "pairs" in row.more]:
        drawn["pairs"] = _pairs(title, size, paired)
    if "grundy" in rows[0].more:
        drawn["grundy"] = _grundy(title, size, rows)
    return drawn


def _openings(title: str, size: str, rows: Sequence[Row]) -> str:
    """How many openings win, by the winner's mark."""
    figure, axes = _figure(f"{title}: openings that win", size, "winning openings")
    for player in (1, 2):
        mine = [row for row in rows if row.winner == player]
        label = f"player {player} wins ({len(mine):,} of {len(rows):,} sizes)"
        values = [row.winning for row in mine]
        _dots(axes, mine, values, MARKERS[player], COLOURS[player], label, len(rows))
    axes.legend(frameon=False, markerscale=1.5)
    return svg_file(figure)


def _classes(title: str, size: str, rows: Sequence[Row]) -> str:
    """The classes of Gallai and Edmonds as shares of the board."""
    figure, axes = _figure(f"{title}: winning numbers and their neighbours", size, "share of board")
    looks = {
        "outer": ("o", COLOURS[1], "outer: they win"),
        "inner": ("^", COLOURS[2], "inner: their neighbours"),
        "rest": ("s", GONE, "the rest"),
    }
    for name, (marker, colour, label) in looks.items():
        values = [row.more[name] / row.size for row in rows]
        _dots(axes, rows, values, marker, colour, label, len(rows))
    axes.set_ylim(-0.02, 1.02)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return svg_file(figure)


def _pairs(title: str, size: str, rows: Sequence[Row]) -> str:
    """How much of the board a largest pairing covers."""
    figure, axes = _figure(f"{title}: how much can be paired off", size, "share of board")
    shares = [2 * row.more["pairs"] / row.size for row in rows]
    _dots(axes, rows, shares, "o", COLOURS[1], "in pairs", len(rows))
    axes.set_xscale("log")
    return svg_file(figure)


def _dots(
    axes: Any,
    rows: Sequence[Row],
    values: Sequence[float],
    marker: str,
    colour: str,
    label: str,
    among: int,
) -> None:
    """A mark for each row. Thousands of them go into the SVG as a picture, which stays small."""
    many = among > 400
    axes.plot(
        [row.size for row in rows],
        values,
        marker,
        color=colour,
        markersize=2.5 if many else 4,
        markeredgewidth=0,
        label=label,
        rasterized=many,
    )


def _grundy(title: str, size: str, rows: Sequence[Row]) -> str:
    figure, axes = _figure(f"{title}: what the whole line counts", size, "Grundy value")
    sizes, values = [row.size for row in rows], [row.more["grundy"] for row in rows]
    axes.step(sizes, values, where="mid", color=COLOURS[1], linewidth=1)
    return svg_file(figure)


def _figure(title: str, across: str, up: str) -> tuple[Any, Any]:
    figure, axes = new_figure(8, 4)
    axes.set_title(title)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    return figure, axes
