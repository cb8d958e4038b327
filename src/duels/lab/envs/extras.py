"""What to say when an optional package is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from duels.core.errors import OptionError, install
from duels.core.options import read_choice


class MissingExtra(ImportError):
    """An environment needs a package of an extra that is not installed."""


class NoSuchRendering(OptionError, TypeError):
    """A render mode that there is not; a TypeError, because Stable-Baselines3 tries and sees."""


def read_render_mode(mode: str | None, known: tuple[str, ...]) -> str | None:
    """The render mode; NoSuchRendering if it is not one of the environment's."""
    if mode is None:
        return None
    if not known:
        raise NoSuchRendering("This environment has no render_mode: it draws nothing.")
    try:
        return read_choice("render_mode", mode, known)
    except OptionError as error:
        raise NoSuchRendering(str(error)) from None


@contextmanager
def needed(package: str, extra: str = "envs") -> Iterator[None]:
    """Around the import of a package that somebody may not have."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtra(f"This needs {package}. {install(extra)}") from error
