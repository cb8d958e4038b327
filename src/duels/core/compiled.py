"""Functions compiled by numba, where that is installed (the extra `fast`): the same source runs.

A kernel keeps to what plain Python and numba's nopython mode have in common: whole numbers, and
lists or arrays of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar, cast

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def is_installed() -> bool:
    """Whether there is a compiler; it is not loaded by asking."""
    return find_spec("numba") is not None


class Kernels:
    """Some kernels of a module, and the functions that they call."""

    def __init__(self, *helpers: Callable[..., Any]) -> None:
        self._helpers = helpers

    @cache  # noqa: B019  there is one of these a module, and it stays
    def compiled(self, function: Kernel) -> Kernel:
        """The function compiled; kept on disk, so that the next process need not wait."""
        return cast("Kernel", self._njit()(function))

    @cache  # noqa: B019
    def _njit(self) -> Callable[[Callable[..., Any]], Any]:
        # Inlined: with Python 3.13 numba 0.68 loses what a helper raises in a kernel with lists.
        register = import_module("numba.extending").register_jitable(inline="always")
        for helper in self._helpers:
            register(helper)
        return cast("Callable[..., Any]", import_module("numba").njit(cache=True))
