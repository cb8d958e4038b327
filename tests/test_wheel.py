"""The wheel that we would publish, installed in a clean environment and tried."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_built_wheel_works_elsewhere(tmp_path):
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "venv")
    pip = [sys.executable, "-m", "pip", "--python", str(tmp_path / "venv")]
    subprocess.run([*pip, "install", "-q", wheel], check=True, capture_output=True)
    duels = tmp_path / "venv" / "bin" / "duels"

    def said(*args):
        done = subprocess.run([duels, *args], check=True, capture_output=True, text=True, cwd="/")
        return done.stdout

    assert "1 2 4" in said("legal", "number-duel", "28")
    assert "R1" in said("rules", "sequence-duel")
