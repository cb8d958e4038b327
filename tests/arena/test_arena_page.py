"""The commands of docs/how-to/agents.md and models.md, run as they stand."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from fake_server import FakeServer

from rings import all_if_long

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
HOW_TO = ROOT / "docs" / "how-to"
TEXT = "".join((HOW_TO / page).read_text("utf-8") for page in ("agents.md", "models.md"))
BLOCKS = re.findall(r"^```sh\n(.*?)^```", TEXT, re.M | re.S)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.strip()]
SHORT = [command for command in COMMANDS if command.endswith("| duels engine")]
"""The others play hundreds of games or train an agent."""


@pytest.mark.parametrize("command", all_if_long(COMMANDS, *SHORT), ids=lambda one: one[:40])
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


@pytest.mark.cluster
def test_the_commands_for_a_cluster_work_from_the_first_to_the_last(environment, tmp_path):
    pytest.importorskip("distributed")
    (script,) = re.findall(r"^```bash\n(dask scheduler.*?)^```", TEXT, re.M | re.S)
    script = script.replace("kill %2", "echo Stopping the cluster; kill %2")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    bin_folder = str(Path(sys.executable).parent)
    with (tmp_path / "said").open("w") as said:  # not a pipe, which the workers would hold open
        shell = subprocess.Popen(
            ["bash", "-e", "-c", script.replace("8786", str(port))],
            cwd=tmp_path,
            env=environment | {"PATH": f"{bin_folder}:{environment['PATH']}"},
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    try:
        code = shell.wait(timeout=300)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)
    told = (tmp_path / "said").read_text()
    assert code == 0, told
    while_it_ran, _, _ = told.partition("Stopping the cluster")  # Dask logs lost connections later
    assert "Traceback" not in while_it_ran
    assert "Register worker" in told
    assert len((tmp_path / "arena" / "results.jsonl").read_text().splitlines()) == 6
    assert any((tmp_path / "atlas").iterdir())


def test_the_pages_have_commands():
    assert len(COMMANDS) >= 3
