"""Pictures of the truth: hand-made SVG for a verdict on a position and for a finished game."""

from __future__ import annotations

from duels.games.chain import ChainPosition
from duels.games.divisor_duel import DivisorPosition
from duels.games.number_line_duel import LinePosition
from duels.pictures.review import Step, review_svg
from duels.theory.verdict import Verdict

__all__ = ["Step", "review_svg", "verdict_svg"]


def verdict_svg(verdict: Verdict) -> str:
    """The board with its winning moves marked, and the strategy that wins, as SVG text."""
    match verdict.position:
        case ChainPosition():
            from duels.pictures.chain import chain_svg

            return chain_svg(verdict)
        case LinePosition():
            from duels.pictures.line import line_svg

            return line_svg(verdict)
        case DivisorPosition():
            from duels.pictures.divisor import divisor_svg

            return divisor_svg(verdict)
        case _:
            raise TypeError(f"There is no picture of {verdict.position!r}.")
