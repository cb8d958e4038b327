"""Without a package one kind sentence; with it, programs end well and the example learns."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "train_agent.py"


def run(code, *arguments):
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "module", "name"),
    [
        ("numpy", "duels.envs.batch", "NumPy"),
        ("numpy", "duels.envs.actions", "NumPy"),
        ("gymnasium", "duels.envs.gymnasium", "Gymnasium"),
        ("pettingzoo", "duels.envs.pettingzoo", "PettingZoo"),
        ("pyspiel", "duels.envs.openspiel", "OpenSpiel"),
    ],
)
def test_a_missing_package_is_told_with_what_to_install(package, module, name):
    if package != "numpy":
        pytest.importorskip("numpy", reason="the extra envs is not installed")
    code = (
        f"import sys; sys.modules['{package}'] = None\n"
        "import duels.envs\n"
        f"try: import {module}\n"
        "except duels.envs.MissingExtra as error: print(error)"
    )
    done = run(code)
    assert done.stderr == ""
    assert done.stdout == (
        f"This needs {name}. Install it with: pip install 'number-duels[envs]'\n"
    )


def test_a_program_with_openspiel_ends_well():
    pytest.importorskip("pyspiel", reason="the extra envs is not installed")
    code = (
        "import pyspiel, duels.envs.openspiel as openspiel; openspiel.register()\n"
        "state = pyspiel.load_game('python_number_duel(numbers=100)').new_initial_state()\n"
        "state.apply_action(27); print(str(state).splitlines()[1])"
    )
    done = run(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Moves: ●28\n", "")


@pytest.mark.slow
def test_the_example_trains_an_agent_that_plays_correctly():
    pytest.importorskip("numpy", reason="the extra envs is not installed")
    command = [sys.executable, str(EXAMPLE), "--numbers", "9", "--moves", "300000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    graded, before, _, after = done.stdout.splitlines()
    assert graded == "Graded in 65 positions in which some moves win and others lose."
    assert float(before.removeprefix("Before: ").partition("%")[0]) < 70
    assert after == "After: 100.0% of the moves are correct."
