"""The site without a server, built once a process; what npm gets is kept in `build`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from duels.site.build import site_files
from duels.site.runtime import packed_runtime

CACHE = Path(__file__).parent.parent / "build" / "python"


@cache
def built() -> dict[str, bytes]:
    """Return every file of the site by its path."""
    return site_files(packed_runtime(CACHE))
