"""The lesson of docs/tutorials/class.md, against a real server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "class.md"


def test_the_lesson_on_the_page_can_be_followed_as_shown(server, tmp_path):
    page = tmp_path / PAGE.name
    page.write_text(PAGE.read_text("utf-8").replace("http://127.0.0.1:8765", server.url), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "doctest", page], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
