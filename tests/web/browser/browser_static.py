"""The site without a server, as any host gives it out: Python's plain server, below some path."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch
from urllib.error import URLError
from urllib.request import urlopen

from browser_site import free_port

from built_site import CACHE, built
from duels.pages import shell
from duels.site import build
from duels.site.build import site_files, write
from duels.site.runtime import packed_runtime

BELOW = "duels"
CHANGED = "js/lib/urls.js"
READY = "() => navigator.serviceWorker.controller?.state === 'activated'"
"""Everything is kept, and the page is given what is kept."""


class StaticSite:
    """A folder of files and who gives it out; it can go away and come back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = folder / BELOW
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}/{BELOW}"
        self.process: subprocess.Popen[bytes] | None = None
        write(built(), self.place)

    def start(self) -> None:
        where = ("--bind", "127.0.0.1", "--directory", str(self.folder), str(self.port))
        with (self.folder / "log.txt").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "http.server", *where], stdout=log, stderr=log
            )
        for _ in range(200):
            try:
                urlopen(f"{self.address}/sw.js", timeout=5).close()
                return
            except (URLError, OSError):
                time.sleep(0.05)
        raise AssertionError("The plain server did not start in ten seconds.")

    def stop(self) -> None:
        """From now on there is no network."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def renew(self, foot: str) -> None:
        """Upload a newer version: its pages have other words at their foot, and another script."""
        known = shell.all_files()
        script = shell.compress(known[CHANGED].content + b"// newer", "text/javascript")
        with patch.object(build, "FOOT", foot), patch.dict(known, {CHANGED: script}):
            write(site_files(packed_runtime(CACHE)), self.place)
