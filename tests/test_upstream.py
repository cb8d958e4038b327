"""The examples for other frameworks, run with the real packages and with their own tools.

Each has a .venv of its own in `.venv/upstream`, which `scripts/test --long` makes: they are large,
and need other versions of mcp and openai than each other and than we do.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

from program import DUELS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
UPSTREAM = ROOT / ".venv" / "upstream"
FILE = re.compile(r"^<!-- file: (\S+) -->\n```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
POSITIONS = 60

pytestmark = pytest.mark.long


def needs(package):
    """Skip a test where its framework is missing."""
    why = f"{package} is not in .venv/upstream, where scripts/test --long installs it"
    return pytest.mark.skipif(not (UPSTREAM / package / "installed").exists(), reason=why)


@pytest.fixture
def folder(tmp_path, environment):
    """A folder with an exam, and the files that the page tells readers to save."""
    make = ["exam", "make", "--games", "number-chain-duel", "number-line-duel"]
    more = ["--positions", str(POSITIONS), "--seed", "1", "--jobs", "1", "--out", "my-exam"]
    subprocess.run([*DUELS, *make, *more], cwd=tmp_path, env=environment, check=True)
    for name, code in FILE.findall((DOCS / "how-to" / "agents.md").read_text("utf-8")):
        (tmp_path / name).write_text(code, encoding="utf-8")
    shutil.copy(DOCS / "examples" / "reasoning_gym_duels.py", tmp_path)
    return tmp_path


@pytest.fixture
def start(folder, environment):
    """Start a program of a framework in that folder, without a network."""
    path = os.pathsep.join([str(ROOT / "src"), str(folder)])
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "hf")}
    started = []

    def start_program(package, name, *words, **more):
        settings = environment | offline | {"PYTHONPATH": path}
        command = [UPSTREAM / package / "bin" / name, *map(str, words)]
        started.append(subprocess.Popen(command, cwd=folder, env=settings, text=True, **more))
        return started[-1]

    yield start_program
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def run_program(start):
    """Run a program of a framework to its end, and return what it printed."""

    def run(package, name, *words):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = start(package, name, *words, **pipes)
        printed, trouble = process.communicate(timeout=600)
        assert process.returncode == 0, printed + trouble
        return printed

    return run


PERFECT = """
import json, sys
import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager


class Perfect(LM):
    def generate_until(self, requests, disable_tqdm=False):
        return ["I see it.\\nMOVE: " + one.doc["winning_moves"][-1] for one in requests]

    def loglikelihood(self, requests):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


tasks = TaskManager(include_path=sys.argv[1])
done = lm_eval.simple_evaluate(model=Perfect(), tasks=["duels_exam"], task_manager=tasks)
print(json.dumps(done["results"]["duels_exam"]))
"""


@needs("lm_eval")
def test_lm_eval_runs_an_exam(run_program, folder):
    tasks = DOCS / "examples" / "lm_eval"
    where = ("--tasks", "duels_exam", "--include_path", tasks, "--output_path", "out")
    run_program("lm_eval", "lm_eval", "run", "--model", "dummy", *where, "--log_samples")
    (results,) = folder.glob("out/*/results_*.json")
    dummy = json.loads(results.read_text())["results"]["duels_exam"]
    assert (dummy["right,none"], dummy["legal,none"]) == (0.0, 0.0)
    assert 0.2 < dummy["chance,none"] < 0.8
    (samples,) = folder.glob("out/*/samples_*.jsonl")
    asked = json.loads(samples.read_text().splitlines()[0])
    messages = [message["content"] for message in asked["doc"]["prompt"]]
    assert asked["arguments"]["gen_args_0"]["arg_0"] == "\n\n".join(messages)
    printed = run_program("lm_eval", "python", "-c", PERFECT, tasks)
    perfect = json.loads(printed.splitlines()[-1])
    assert (perfect["right,none"], perfect["legal,none"]) == (1.0, 1.0)
    assert perfect["chance,none"] == dummy["chance,none"]


GYM = """
import reasoning_gym, reasoning_gym_duels
from reasoning_gym.coaching import CurriculumAttributeConfig, CurriculumExperiment
from reasoning_gym.coaching import CurriculumExperimentConfig
from reasoning_gym.dataset import ReseedingDataset

make = lambda **more: reasoning_gym.create_dataset("duels", size=30, **more)
one, same, other = make(seed=1234), make(seed=1234), make(seed=4321)
assert len(one) == 30 and [*one] == [*same] != [*other]
for number, entry in enumerate(one):
    assert entry["metadata"]["source_dataset"] == "duels"
    assert entry["metadata"]["source_index"] == number
    assert isinstance(entry["answer"], str)
    assert one.score_answer(entry["answer"], entry) == 1.0
    assert one.score_answer("Let me see.\\nMOVE: " + entry["answer"], entry) == 1.0
    for wrong in (None, "", "MOVE: 999", "I do not know."):
        assert one.score_answer(wrong, entry) == 0.0
assert len({entry["question"] for entry in one}) == 30

curriculum = reasoning_gym.factory.create_curriculum("duels")
first = curriculum.generate_configuration({"seed": 1, "size": 5})
assert (first.min_numbers, first.max_numbers, first.show_legal) == (6, 9, True)
while curriculum.increment_global_level():
    pass
last = curriculum.generate_configuration({"seed": 1, "size": 5})
assert (last.max_numbers, last.show_legal) == (60, False)
for config, listed in ((first, True), (last, False)):
    for entry in reasoning_gym.create_dataset("duels", **vars(config)):
        assert ("Legal moves: " in entry["question"]) is listed

levels = CurriculumAttributeConfig(attribute_levels={"*": 0})
experiment = CurriculumExperiment(
    "duels", CurriculumExperimentConfig(curricula={"duels": levels}), size=5, seed=1
)
entry = experiment.get_dataset_entry(0)
assert experiment.score_answer_with_id(entry["answer"], entry["metadata"]["entry_id"]) == 1.0
experiment.update_difficulty("duels", "increment")
assert not experiment.composite.datasets["duels"].config.show_legal

endless = iter(ReseedingDataset(make(seed=1), chunk_size=20))
questions = {next(endless)["question"] for _ in range(40)}
assert len(questions) > 30
print("all of it")
"""


@needs("reasoning_gym")
def test_reasoning_gym_takes_the_dataset_and_its_curriculum(run_program):
    printed = run_program("reasoning_gym", "python", "-c", GYM)
    assert printed.splitlines()[-1] == "all of it"


REWARDS = """
import asyncio
from types import SimpleNamespace
from duels_taskset import DuelsConfig, DuelsTaskset

tasks = [*DuelsTaskset(DuelsConfig(split="test"))]
for task in tasks:
    (reward,) = task.hooks("reward")
    winning = task.data.row["winning_moves"]
    for move in task.data.row["legal_moves"]:
        reply = SimpleNamespace(last_reply="MOVE: " + move)
        assert asyncio.run(reward(reply)) == float(move in winning)
    assert asyncio.run(reward(SimpleNamespace(last_reply=None))) == 0.0
print(len(tasks))
"""


@needs("verifiers")
def test_verifiers_validates_the_taskset_and_its_rewards_are_exact(run_program, folder):
    local = ("--runtime.type", "subprocess", "--rich", "False", "-o", "out")
    run_program("verifiers", "vf-validate", "duels_taskset", *local)
    (summary,) = folder.glob("out/*/summary.json")
    outcomes = json.loads(summary.read_text())["outcomes"]
    assert outcomes.pop("valid") == POSITIONS // 2
    assert not any(outcomes.values())
    assert int(run_program("verifiers", "python", "-c", REWARDS)) > 10


GAME = """
import sys
from openenv.core import GenericEnvClient

with GenericEnvClient(base_url=sys.argv[1]).sync() as env:
    first = env.reset(seed=1)
    assert "You are Player 1, and it is your turn." in first.observation["text"] and not first.done
    second = env.step({"text": "Primes have few neighbours.\\nMOVE: 7"})
    assert (second.reward, second.done) == (1.0, False)
    assert env.state()["step_count"] == 1
    last = env.step({"text": "MOVE: 70"})
    assert (last.reward, last.done) == (-1.0, True)
    assert "70 is not on the board" in last.observation["text"]
"""


@needs("openenv")
def test_openenv_validates_the_environment_and_plays_in_it(start, run_program):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    start("openenv", "uvicorn", "duels_openenv:app", "--port", port, "--log-level", "warning")
    deadline = time.monotonic() + 120
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.2)
    url = f"http://127.0.0.1:{port}"
    report = json.loads(run_program("openenv", "openenv", "validate", "--url", url, "--json"))
    assert report["criteria"]
    assert all(one["passed"] for one in report["criteria"])
    run_program("openenv", "python", "-c", GAME, url)
