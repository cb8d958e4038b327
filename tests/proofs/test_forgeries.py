"""No forged proof of any kind is accepted unless what it claims is true; none costs the checker."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from forger import BOARDS, Forger, brute_force, register_games
from forging import some, through_a_file, verdicts

import duels
from duels.core.errors import ProofError
from duels.games import GAMES
from duels.theory.check import require
from duels.theory.verdict import read_verdict, verdict_data
from own_games import square_duel
from rings import by_ring

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def own_games():
    before = dict(GAMES)
    try:
        register_games()
        yield
    finally:
        GAMES.clear()
        GAMES.update(before)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOARDS)
def test_whatever_is_accepted_is_true(kind):
    forger = Forger(kind)
    assert [*forger.forge(by_ring(600, long=50_000))] == []
    assert forger.count["refused"] > forger.count["accepted and true"] > 0


@pytest.mark.parametrize("kind", BOARDS)
def test_brute_force_and_the_verdicts_agree(kind):
    for text in some(Forger(kind).truths):
        verdict = read_verdict(json.loads(text))
        assert duels.solve(verdict.position).winning_moves == brute_force(verdict.position)


@pytest.mark.parametrize("kind", BOARDS)
@pytest.mark.parametrize("retype", [float, bool, str])
def test_what_only_equals_a_number_is_refused_everywhere(kind, retype):
    """In options, moves, claims and every place of the proof, one at a time."""
    data = json.loads(max(Forger(kind).truths, key=len))
    places = [*numbers(data)]
    refused = 0
    for *way, step in some(places, 200):
        forged = json.loads(json.dumps(data))
        node = forged
        for one in way:
            node = node[one]
        if retype is bool and node[step] not in (0, 1):
            continue
        node[step] = retype(node[step])
        refused += 1
        with pytest.raises(ValueError, match=r"."):
            duels.check(read_verdict(forged))
    assert refused or retype is bool


def numbers(tree, path=()):
    """The ways to every whole number in plain data."""
    if type(tree) is int:
        yield path
    elif isinstance(tree, dict | list):
        for step in tree if isinstance(tree, dict) else range(len(tree)):
            yield from numbers(tree[step], (*path, step))


def test_claims_that_only_equal_the_moves_are_refused_without_a_file_too():
    verdict = through_a_file(duels.solve(duels.game("number-line-duel", numbers=3).start()))
    (move,) = verdict.winning_moves
    for claim in ((float(move),), (str(move),)):
        with pytest.raises(ProofError):
            duels.check(replace(verdict, winning_moves=claim))


@pytest.mark.parametrize("wins", [1, 0, 1.0, "true", []])
def test_only_true_and_false_say_who_wins(wins):
    data = verdict_data(verdicts(("number-duel", {"numbers": 12}))[0]) | {"wins": wins}
    with pytest.raises(ProofError):
        duels.check(read_verdict(data))


@pytest.mark.parametrize(
    "options", [{}, {"numbers": 12}, {"numbers": "12"}, {"numbers": 12, "criteria": "digit,factor"}]
)
def test_a_proof_names_every_option_in_its_one_form(options):
    data = verdict_data(verdicts(("number-duel", {"numbers": 12}))[0])
    assert data["options"] == {"numbers": 12, "criteria": "factor,digit"}
    with pytest.raises(ProofError, match="every option"):
        read_verdict(data | {"options": options})


# What a hostile proof could cost


@pytest.mark.parametrize("state", [10**30, -1, "x", [1], [[[]]], 99])
def test_a_state_to_which_no_play_leads_is_not_looked_at(state):
    """What is allowed there could be more moves than fit into memory."""
    verdict = through_a_file(duels.solve(square_duel()(stones=12).start()))
    duels.check(verdict)
    for at in (0, len(verdict.proof["lost"])):
        lost = [*verdict.proof["lost"]]
        lost.insert(at, state)
        with pytest.raises(ProofError, match="no play leads to a state"):
            duels.check(replace(verdict, given=verdict.proof | {"lost": lost}))


def test_a_state_is_in_the_list_once():
    verdict = through_a_file(duels.solve(square_duel()(stones=12).start()))
    twice = verdict.proof | {"lost": verdict.proof["lost"] * 2}
    with pytest.raises(ProofError, match="a state is listed twice"):
        duels.check(replace(verdict, given=twice))


@pytest.mark.parametrize(
    ("before", "after"),
    [('"wins": true', '"wins": false, "wins": true'), ('"kind"', '"kind": "runs", "kind"')],
)
def test_a_key_that_is_there_twice_is_refused(call, tmp_path, before, after):
    path = tmp_path / "proof.json"
    text = json.dumps(verdict_data(duels.solve(duels.game("number-line-duel").start())))
    path.write_text(text)
    assert call("check", str(path)).returncode == 0
    path.write_text(text.replace(before, after, 1))
    done = call("check", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "appears twice" in done.stderr


def test_a_proof_of_too_many_parts_is_refused_before_it_takes_memory(call, tmp_path):
    path = tmp_path / "proof.json"
    path.write_text("[" + "[]," * 5_000_000 + "[]]")
    done = call("check", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "more parts than any proof" in done.stderr


def test_standard_input_is_bounded_too(run):
    done = run("check", "-", typed=b" " * (65 * 2**20))
    assert done.returncode == 1
    assert "it is larger than 64 MB" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "module", "step"),
    [
        ("matching", "games.chain.checker", "do not fit"),
        ("runs", "games.line.checker", "counts otherwise"),
        ("strategy", "games.digits.checker", "the game ends differently"),
        ("finishes", "games.digits.checker", "finish now"),
        ("finishes", "games.digits.checker", "let Player 1 finish"),
        ("answers", "theory.check", "is not answered"),
    ],
)
def test_a_checker_that_leaves_out_a_step_is_found_out(kind, module, step, monkeypatch):
    def careless(holds, otherwise):
        if step not in otherwise:
            require(holds, otherwise)

    monkeypatch.setattr(f"duels.{module}.require", careless)
    assert next(Forger(kind).forge(30_000), None) is not None
