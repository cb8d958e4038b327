"""Pictures of the truth: hand-made SVG for a verdict on a position and for a finished game."""

from __future__ import annotations

from duels.core.errors import TooLarge
from duels.core.game import Position
from duels.core.parts import load, parts_of
from duels.pictures.review import Step, review_svg
from duels.theory import solve, theory_of
from duels.theory.verdict import Verdict

__all__ = ["Step", "position_svg", "review_svg", "verdict_svg"]


def position_svg(position: Position) -> str | None:
    """The picture of a position's verdict, unless that would take long or nobody knows it."""
    if theory_of(position).is_slow(position):
        return None
    try:
        return verdict_svg(solve(position))
    except TooLarge:
        return None


def verdict_svg(verdict: Verdict[Position]) -> str:
    """The board with its winning moves marked, and the strategy that wins, as SVG text."""
    svg: str = load(parts_of(verdict.position.game).picture)(verdict)
    return svg
