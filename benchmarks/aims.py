"""What a ratio should be, printed beside it."""

from __future__ import annotations


def judge(ratio: float, *, at_most: float | None = None, at_least: float | None = None) -> str:
    """Return the aim of a ratio in words, and whether it is met."""
    if at_most is not None:
        return f"aim: at most {at_most:g}{_not_met(ratio <= at_most)}"
    assert at_least is not None
    return f"aim: at least {at_least:g}{_not_met(ratio >= at_least)}"


def _not_met(is_met: bool) -> str:
    return "" if is_met else "   NOT MET"
