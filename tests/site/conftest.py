"""The site without a server, and the Python of its pages."""

from __future__ import annotations

import os

import pytest

from built_site import CACHE, built
from duels.core.errors import OptionError
from duels.site.runtime import Runtime, packed_runtime


@pytest.fixture(scope="session")
def runtime() -> Runtime:
    """A page's Python; without Node and without a network there is none."""
    try:
        return packed_runtime(CACHE)
    except OptionError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(f"The browser's Python cannot be got: {error}")


@pytest.fixture(scope="session")
def files(runtime: Runtime) -> dict[str, bytes]:
    """Every file of the site by its path."""
    return built()
