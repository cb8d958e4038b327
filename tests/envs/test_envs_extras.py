"""Without a package one kind sentence; with it, programs end well and the example learns."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "self_play.py"


def run(code, *arguments):
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "module", "name"),
    [
        ("gymnasium", "duels.lab.envs.batch", "Gymnasium"),
        ("numpy", "duels.lab.envs.spaces", "NumPy"),
        ("gymnasium", "duels.lab.envs.gymnasium", "Gymnasium"),
        ("pettingzoo", "duels.lab.envs.pettingzoo", "PettingZoo"),
        ("pyspiel", "duels.lab.envs.openspiel", "OpenSpiel"),
        ("textarena", "duels.lab.envs.textarena", "TextArena"),
    ],
)
def test_a_missing_package_is_named_with_the_command_to_install_it(package, module, name):
    if package != "numpy":
        pytest.importorskip("numpy", reason="the extra envs is not installed")
    code = (
        f"import sys; sys.modules['{package}'] = None\n"
        "import duels.lab.envs\n"
        f"try: import {module}\n"
        "except duels.lab.envs.MissingExtra as error: print(error)"
    )
    done = run(code)
    extra = package if package == "textarena" else "envs"
    assert done.stderr == ""
    assert done.stdout == (
        f"This needs {name}. Install it with: pip install '.[{extra}]' (in your clone)\n"
    )


def test_a_program_with_openspiel_ends_well():
    pytest.importorskip("pyspiel", reason="the extra envs is not installed")
    code = (
        "import pyspiel, duels.lab.envs.openspiel as openspiel; openspiel.register()\n"
        "state = pyspiel.load_game('python_number_duel(numbers=100)').new_initial_state()\n"
        "state.apply_action(27); print(str(state).splitlines()[1])"
    )
    done = run(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Moves: ●28\n", "")


@pytest.mark.long
def test_the_example_trains_agents_that_play_correctly_and_draws_them(environment, tmp_path):
    pytest.importorskip("gymnasium", reason="the extra envs is not installed")
    pytest.importorskip("matplotlib", reason="the extra arena is not installed")
    command = [sys.executable, str(EXAMPLE), "--sizes", "5", "7", "--moves", "300000"]
    command += ["--positions", "40", "--save", "agent.npz"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=100, check=True, cwd=tmp_path
    )
    for size, line in zip((5, 7), done.stdout.splitlines(), strict=True):
        assert line.startswith(f"numbers {size}: 300,000 moves in ")
        assert "After: kept" in line
        assert "choices: 100.0%" in line
    assert "<svg" in (tmp_path / "self_play.svg").read_text()
    spec, play = f"py:{EXAMPLE}:saved", [sys.executable, "-m", "duels", "play"]
    command = [*play, "number-chain-duel", "--numbers", "7", "--vs", spec, "--vs", "random"]
    where = {"cwd": tmp_path, "env": environment}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, **where)
    assert done.stdout.splitlines()[-1] == "random loses."  # the first player can win
