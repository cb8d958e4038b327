"""Pictures of the truth: hand-made SVG for a verdict on a position and for a finished game."""

from __future__ import annotations

from duels.core.game import Position
from duels.core.parts import load
from duels.pictures.review import Step, review_svg
from duels.theory.verdict import Verdict

__all__ = ["Step", "review_svg", "verdict_svg"]


def verdict_svg(verdict: Verdict[Position]) -> str:
    """The board with its winning moves marked, and the strategy that wins, as SVG text."""
    svg: str = load(verdict.position.game.parts.picture)(verdict)
    return svg
