"""The commands of docs/how-to/agents.md and models.md, run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from fake_server import FakeServer

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
HOW_TO = ROOT / "docs" / "how-to"
TEXT = "".join((HOW_TO / page).read_text("utf-8") for page in ("agents.md", "models.md"))
BLOCKS = re.findall(r"^```sh\n(.*?)^```", TEXT, re.M | re.S)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[:40])
def test_a_command_of_the_page_works(command, environment, tmp_path):
    bin_folder = str(Path(sys.executable).parent)
    settings = environment | {"PATH": f"{bin_folder}:{environment['PATH']}", "OPENAI_API_KEY": "x"}
    here = command.replace("docs/examples", str(ROOT / "docs" / "examples"))
    with FakeServer(lambda asked, number: "4") as server:
        here = here.replace("http://localhost:8000/v1", server.url)
        done = subprocess.run(
            ["bash", "-c", here], cwd=tmp_path, env=settings, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_pages_have_commands():
    assert len(COMMANDS) >= 3
