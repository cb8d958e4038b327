"""The benchmark of gg-bench's opponents, on a small checkout of our own making."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import pickle
import re
import sys
import zipfile
from functools import cache
from itertools import pairwise
from math import exp, tanh
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

np = pytest.importorskip("numpy", reason="the extra envs is not installed")
sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import gg_bench  # noqa: E402
import gg_bench_files  # noqa: E402
from gg_bench_files import AGENTS, ENVIRONMENT, OPPONENTS, STEPS, Refused, read_agent  # noqa: E402
from gg_bench_search import (  # noqa: E402
    FULL,
    LEGAL,
    all_choices,
    compare_rules,
    kept_by_policy,
    search,
    trained_policy,
    uniform_policy,
)

OUR_ENVIRONMENT = """
class CustomEnv:
    number_line = []

    def reset(self):
        self.number_line = [0] * 10

    def valid_moves(self):
        line = self.number_line
        pairs = [10 + n for n in range(9) if not line[n] and not line[n + 1]]
        return [n for n in range(10) if not line[n]] + pairs

    def step(self, action):
        if action not in self.valid_moves():
            return self.number_line, -10, True, False, {}
        for n in [action] if action < 10 else [action - 10, action - 9]:
            self.number_line[n] = 1
        over = not self.valid_moves()
        return self.number_line, int(over), over, False, {}
"""


@pytest.fixture
def pickled(monkeypatch):
    """Return a function that pickles weights as an agent of sbx does, without sbx."""

    def define(module, name, what):
        what.__module__, what.__qualname__ = module, name
        for part in (module.partition(".")[0], module):
            monkeypatch.setitem(sys.modules, part, ModuleType(part))
        setattr(sys.modules[module], name, what)
        return what

    policy_class = define("sbx.ppo.policies", "PPOPolicy", type("PPOPolicy", (), {}))
    state_class = define("flax.training.train_state", "TrainState", type("TrainState", (), {}))
    function_class = define("jaxlib.xla_extension", "PjitFunction", type("PjitFunction", (), {}))
    reconstruct = define("jax._src.array", "_reconstruct_array", lambda *_: pytest.fail("called"))

    class Array:
        def __init__(self, values):
            self.values = np.asarray(values)

        def __reduce__(self):
            function, args, state = self.values.__reduce__()[:3]
            return reconstruct, (function, args, state, {"weak_type": False})

    def pickle_agent(layers, activation="tanh"):
        policy, state, function = policy_class(), state_class(), function_class()
        state.params = {
            "params": {
                f"Dense_{place}": {"bias": Array(bias), "kernel": Array(kernel)}
                for place, (kernel, bias) in enumerate(layers)
            }
        }
        function.function_name = activation
        policy.actor_state, policy.activation_fn = state, function
        return pickle.dumps(policy)

    return pickle_agent


def network(seed, inputs=11, actions=19, kind="<f4"):
    random = np.random.default_rng(seed)
    sizes = [inputs, 3, 4, actions]
    return [
        (random.normal(size=(before, size)).astype(kind), random.normal(size=size).astype(kind))
        for before, size in pairwise(sizes)
    ]


def write_agent(file, policy):
    file.parent.mkdir(parents=True, exist_ok=True)
    data = {"policy": {":serialized:": base64.b64encode(policy).decode()}}
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data", json.dumps(data))


@pytest.fixture
def checkout(tmp_path, pickled, monkeypatch):
    for steps in STEPS:
        write_agent(tmp_path / AGENTS / f"agent_{steps}.zip", pickled(network(steps)))
    for file, text in {
        ENVIRONMENT: OUR_ENVIRONMENT,
        OPPONENTS: '[["3", 250000], ["714", 500000]]',
        Path("results", "good_eval_1.json"): '{"714": {"gpt_wins": 26, "total_games": 30}}',
        Path("results", "bad_eval_1.json"): '{"714": {"gpt_wins": 0, "total_games": 30}}',
        Path("results", "other_eval_1.json"): '{"3": {"gpt_wins": 1, "total_games": 30}}',
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(text.encode())
    digest = hashlib.sha256(OUR_ENVIRONMENT.encode()).hexdigest()
    monkeypatch.setattr(gg_bench_files, "ENVIRONMENT_HASH", digest)
    return tmp_path


def test_an_agents_policy_is_the_softmax_of_its_network_over_legal_moves(tmp_path, pickled):
    layers = network(7)
    write_agent(tmp_path / "agent_250000.zip", pickled(layers))
    agent = read_agent(tmp_path / "agent_250000.zip")
    crossed, turn = 0b1100111111, 0  # 7 and 8 are left
    values = [1, 1, 1, 1, 1, 1, 0, 0, 1, 1, turn]
    for place, (kernel, bias) in enumerate(layers):
        sums = [
            sum(value * float(kernel[row][column]) for row, value in enumerate(values))
            + float(bias[column])
            for column in range(len(bias))
        ]
        values = sums if place == 2 else [tanh(value) for value in sums]
    powers = [exp(values[action]) for action in (6, 7, 16)]
    assert trained_policy(agent)[turn][crossed] == pytest.approx(
        [powers[0] / sum(powers), (powers[0] + powers[1]) / sum(powers)]
    )
    assert agent.steps == 250_000


class Hostile:
    def __init__(self, function, *args):
        self.call = function, args

    def __reduce__(self):
        return self.call


def test_a_hostile_pickle_is_refused_with_a_sentence(tmp_path):
    file, trace = tmp_path / "agent_250000.zip", tmp_path / "trace"
    for function, args, name in [
        (os.mkdir, (str(trace),), f"{os.mkdir.__module__}.mkdir"),
        (eval, (f"open({str(trace)!r}, 'w')",), "builtins.eval"),
        (getattr, (trace, "touch"), "builtins.getattr"),
    ]:
        write_agent(file, pickle.dumps(Hostile(function, *args)))
        with pytest.raises(Refused) as refused:
            read_agent(file)
        assert str(refused.value) == (
            f"agent_250000.zip is refused: it names {name}, which a trained agent does not need."
        )
        assert not trace.exists()


def test_a_function_of_a_known_package_is_not_called_either(tmp_path):
    file, trace = tmp_path / "agent_250000.zip", tmp_path / "trace"
    write_agent(file, pickle.dumps(Hostile(np.savetxt, str(trace), [1.0])))
    with pytest.raises(Refused, match="cannot be read as a trained agent"):
        read_agent(file)
    assert not trace.exists()


@pytest.mark.parametrize(
    ("network_of", "activation", "sentence"),
    [
        ({"inputs": 12}, "tanh", r"another kind: \[11, 3, 4, 19\], tanh"),
        ({"actions": 10}, "tanh", r"another kind: \[11, 3, 4, 10\], tanh"),
        ({}, "relu", "another kind: .*relu"),
        ({"kind": "<f8"}, "tanh", "not plain 32-bit floats"),
    ],
)
def test_another_network_is_refused(tmp_path, pickled, network_of, activation, sentence):
    write_agent(tmp_path / "agent_1.zip", pickled(network(1, **network_of), activation))
    with pytest.raises(Refused, match=sentence):
        read_agent(tmp_path / "agent_1.zip")


def test_a_file_that_is_not_an_agent_is_refused(tmp_path, monkeypatch, pickled):
    file = tmp_path / "agent_1.zip"
    file.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1234\nsize 559641\n")
    with pytest.raises(Refused, match="Git LFS pointer; run git lfs pull"):
        read_agent(file)
    file.write_text("nothing")
    with pytest.raises(Refused, match="cannot be read as a trained agent"):
        read_agent(file)
    write_agent(file, pickle.dumps({"policy": 1}))
    with pytest.raises(Refused, match="its policy is not an object"):
        read_agent(file)
    monkeypatch.setattr(gg_bench_files, "LARGEST", 100)
    write_agent(file, pickled(network(1)))
    with pytest.raises(Refused, match="more than 100 bytes"):
        read_agent(file)


def test_every_move_of_every_position_is_compared():
    names = {}
    exec(OUR_ENVIRONMENT, names)
    assert compare_rules(names["CustomEnv"]()) == 13_262


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("int(over), over", "-int(over), over"),  # the last move loses
        ("not line[n] and not line[n + 1]", "not line[n]"),
        ("range(9)", "range(8)"),
        ("[action - 10, action - 9]", "[action - 10]"),
    ],
)
def test_a_different_rule_is_found(ours, theirs):
    names = {}
    exec(OUR_ENVIRONMENT.replace(ours, theirs), names)
    with pytest.raises(ValueError, match="differs from us after"):
        compare_rules(names["CustomEnv"]())


def test_an_environment_that_we_did_not_read_is_not_run(checkout, tmp_path):
    (checkout / ENVIRONMENT).write_text(f"open({str(tmp_path / 'trace')!r}, 'w')")
    with pytest.raises(Refused, match="not the file that we read, so it is not run"):
        gg_bench_files.load_environment(checkout)
    assert not (tmp_path / "trace").exists()
    (checkout / ENVIRONMENT).unlink()
    with pytest.raises(Refused, match="is missing"):
        gg_bench_files.load_environment(checkout)


def test_choices_are_those_of_a_search_of_all_games():
    @cache
    def wins(free):
        return any(not wins(after) for after in moves(free))

    def moves(free):
        singles = [free - {n} for n in free]
        return singles + [free - {n, n + 1} for n in free if n + 1 in free]

    def is_choice(free):
        results = [wins(after) for after in moves(free)]
        return any(results) and not all(results)

    choices = all_choices()
    numbers = [frozenset(n for n in range(10) if not c.crossed >> n & 1) for c in choices]
    subsets = (frozenset(n for n in range(10) if mask >> n & 1) for mask in range(1 << 10))
    assert set(numbers) == {free for free in subsets if is_choice(free)}
    for choice, free in zip(choices, numbers, strict=True):
        losing = sum(wins(after) for after in moves(free))
        assert len(choice.winning) == len(moves(free)) - losing
        assert kept_by_policy(uniform_policy(), choice) == pytest.approx(choice.random)


def test_weights_are_how_often_random_games_reach_a_choice():
    weights = {(choice.crossed, choice.turn): choice.weight for choice in all_choices()}
    reached = dict.fromkeys(weights, 0)
    chance, games = Random(1), 4000
    for _ in range(games):
        crossed, turn = 0, 1
        while crossed != FULL:
            if (crossed, turn) in reached:
                reached[crossed, turn] += 1
            action = chance.choice(LEGAL[crossed])
            crossed |= 1 << action if action < 10 else 3 << action - 10
            turn = 1 - turn
    assert weights[0, 1] == 1
    assert sum(reached.values()) / games == pytest.approx(sum(weights.values()), abs=0.1)
    often = max((key for key in weights if key[0]), key=lambda key: weights[key])
    assert reached[often] / games == pytest.approx(weights[often], abs=0.03)


def test_the_search_finds_near_wins_and_repeats_itself_by_seed():
    near = [choice for choice in all_choices() if choice.left <= 3]
    found = [search(c.crossed, c.turn, uniform_policy(), Random(1)) for c in near]
    assert all(action in choice.winning for action, choice in zip(found, near, strict=True))
    assert len({search(0, 1, uniform_policy(), Random(5)) for _ in range(3)}) == 1
    assert len({search(0, 1, uniform_policy(), Random(seed)) for seed in range(12)}) > 1


@pytest.mark.slow
def test_a_checkout_is_measured_and_the_page_written(checkout, tmp_path, monkeypatch):
    few = [choice for choice in all_choices() if choice.left in (3, 10)][:12]
    monkeypatch.setattr(gg_bench, "all_choices", lambda: few)
    lines = gg_bench.measure(checkout, rounds=1, games=4, seed=1)
    assert lines == gg_bench.measure(checkout, rounds=1, games=4, seed=1)
    text = "\n".join(lines)
    assert "13,262 legal moves and every illegal one, in all 1,902 positions" in text
    assert "\n| random moves | " in text
    for steps in STEPS:
        assert f"\n| agent {steps} | " in text
    assert "| against agent 500000 with search | wins" in text
    assert "| our level *perfect* | " in text
    assert "| good, published | 26 | 30 | 86.7% (70.3% to 94.7%) |" in text
    assert "| bad, published | 0 | 30 | 0.0% (0.0% to 11.4%) |" in text
    assert "other" not in text
    page = tmp_path / "page.md"
    page.write_text("\n".join(["before", *gg_bench.MARKS, "after"]))
    gg_bench.write_page(["old"], page)
    gg_bench.write_page(lines, page)
    assert page.read_text().startswith("before")
    assert page.read_text().endswith("after")
    assert page.read_text().count("| policy | alone") == 1
    assert "old" not in page.read_text()


@pytest.mark.slow
def test_missing_agents_are_named_and_the_rest_is_measured(checkout, monkeypatch):
    for steps in STEPS:
        (checkout / AGENTS / f"agent_{steps}.zip").unlink()
    monkeypatch.setattr(gg_bench, "all_choices", lambda: all_choices()[-3:])
    text = "\n".join(gg_bench.measure(checkout, rounds=1, games=2, seed=1))
    assert "Missing, so not measured: agent_250000.zip, agent_500000.zip, " in text
    assert "\n| random moves | " in text
    assert "our level" not in text
    assert "| good, published | 26 | 30 |" in text


def test_a_difference_has_newcombes_interval():
    share = gg_bench.share
    # Newcombe (1998), example (a) of method 10: 56/70 and 48/80.
    assert gg_bench.difference(share(56, 70), share(48, 80)) == "+20.0 (+5.2 to +33.4)"


def test_the_page_has_the_results_that_the_benchmark_wrote():
    text = gg_bench.PAGE.read_text(encoding="utf-8")
    assert all(text.count(mark) == 1 for mark in gg_bench.MARKS)
    before, results, after = re.split("|".join(map(re.escape, gg_bench.MARKS)), text)
    shares = re.findall(r"\d+\.\d%", before + after)
    assert shares
    assert [share for share in shares if share not in results] == []
