"""Steps a second of the Gymnasium environments against an expert, on the usual boards.

scripts/bench env_steps              this tree
scripts/bench env_steps REVISION     an earlier revision as well, in turns with this tree

The agent moves at random. The time is that of one core (processor time), because others may be
using the machine; on a busy machine only the ratio says something.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROUNDS = 3
SECONDS = 2.0
ROOT = Path(__file__).parent.parent

MEASURE = """
import sys
from random import Random
from time import process_time
import gymnasium, duels.lab.envs
from duels.lab.envs.base import environment_ids

env = gymnasium.make(environment_ids()[sys.argv[1]], opponent="expert").unwrapped
chance, steps = Random(1), 0
_, info = env.reset(seed=1)
start = process_time()
while (spent := process_time() - start) < float(sys.argv[2]):
    actions = info["action_mask"].nonzero()[0].tolist()
    _, _, is_over, _, info = env.step(chance.choice(actions or [0]))
    steps += 1
    if is_over:
        _, info = env.reset()
print(steps / spent)
"""


def steps_a_second(source: Path, game_id: str) -> float:
    """Measure the package in this folder, in a process of its own."""
    command = [sys.executable, "-c", MEASURE, game_id, str(SECONDS)]
    found = subprocess.run(
        command,
        env=os.environ | {"PYTHONPATH": str(source)},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(found.stdout)


def unpack_revision(revision: str, folder: Path) -> Path:
    """Write the sources of a revision into a folder; return where the package is."""
    command = ["git", "-C", str(ROOT), "archive", revision, "src"]
    archive = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder / "src"


def main() -> None:
    from duels.games import GAMES

    with TemporaryDirectory() as folder:
        trees = {"now": ROOT / "src"}
        for revision in sys.argv[1:2]:
            trees = {revision: unpack_revision(revision, Path(folder)), **trees}
        print(f"Steps a second against an expert, median of {ROUNDS}")
        for game_id in GAMES:
            found: dict[str, list[float]] = {name: [] for name in trees}
            for _ in range(ROUNDS):  # in turns, so that a busy moment hits both alike
                for name, source in trees.items():
                    found[name].append(steps_a_second(source, game_id))
            rates = "   ".join(f"{name} {median(rates):7,.0f}" for name, rates in found.items())
            before, now = next(iter(found.values())), found["now"]
            ratio = median(b / a for a, b in zip(before, now, strict=True))
            print(f"  {game_id:18} {rates}" + (f"   {ratio:5.1f} x" if len(trees) > 1 else ""))


if __name__ == "__main__":
    main()
