"""The wheel that we would publish, installed in a clean environment and tried."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from rings import by_ring

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_built_wheel_works_elsewhere(tmp_path):
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=by_ring(False, long=True))
    own = [str(tmp_path / "venv" / "bin" / "python"), "-m", "pip"]
    ours = [sys.executable, "-m", "pip", "--python", str(tmp_path / "venv")]  # starts sooner
    pip = by_ring(ours, long=own)
    subprocess.run([*pip, "install", "-q", wheel], check=True, capture_output=True)
    duels = tmp_path / "venv" / "bin" / "duels"

    def said(*args):
        done = subprocess.run([duels, *args], check=True, capture_output=True, text=True, cwd="/")
        return done.stdout

    assert "1 2 4" in said("legal", "number-duel", "28")
    assert "R1" in said("rules", "sequence-duel")
