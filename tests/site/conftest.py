"""The site without a server, built once a process; what is got by npm is kept in `build`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from duels.core.errors import OptionError
from duels.site.build import site_files
from duels.site.runtime import Packed, packed

CACHE = Path(__file__).parents[2] / "build"


@pytest.fixture(scope="session")
def runtime() -> Packed:
    """A page's Python; without Node and without a network there is none."""
    try:
        return packed(CACHE)
    except OptionError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(f"The browser's Python cannot be got: {error}")


@pytest.fixture(scope="session")
def files(runtime: Packed) -> dict[str, bytes]:
    """Every file of the site by its path."""
    return site_files(runtime)
