"""What to say when an optional package is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from duels.core.errors import install


class MissingExtra(ImportError):
    """An environment needs a package of the extra `envs`."""


@contextmanager
def needed(package: str) -> Iterator[None]:
    """Around the import of a package that somebody may not have."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtra(f"This needs {package}. {install('envs')}") from error
