"""solve and check on the command line."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SOLVED = ("solve", "sequence-duel", "--numbers", "20", "6")


@pytest.fixture
def proof(call, tmp_path):
    path = tmp_path / "proof.json"
    assert call(*SOLVED, "--proof", str(path)).returncode == 0
    return path


def test_solve_has_the_documented_shape(call):
    data = json.loads(call("solve", "number-line-duel", "5-6", "8", "--json").stdout)
    assert list(data) == [
        "game",
        "options",
        "moves",
        "to_move",
        "outcome",
        "legal_moves",
        "wins",
        "winning_moves",
        "reason",
        "proof",
    ]
    assert data["wins"] is True
    assert data["moves"] == [[5, 6], 8]
    assert data["winning_moves"] == [1, 2, 3, 4, [9, 10]]


def test_a_finished_position_has_no_verdict_and_no_moves(call):
    data = json.loads(call("solve", "divisor-duel", "--divisor", "7", "1", "4", "--json").stdout)
    assert data["wins"] is None
    assert data["winning_moves"] == data["legal_moves"] == []
    assert data["outcome"]["winner"] == 2
    done = call("solve", "divisor-duel", "--divisor", "7", "1", "4")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Player 2 has won" in done.stderr


def test_a_finished_position_has_nothing_to_prove(call, tmp_path):
    args = ("solve", "divisor-duel", "--divisor", "7", "1", "4", "--proof", str(tmp_path / "p"))
    for more in ((), ("--json",)):
        done = call(*args, *more)
        assert (done.returncode, done.stdout) == (1, "")
        assert "nothing to prove" in done.stderr
    assert not (tmp_path / "p").exists()


def test_the_printed_command_that_checks_a_proof_works(call, tmp_path):
    path = tmp_path / "my proof.json"
    said = call(*SOLVED, "--proof", str(path)).stderr
    assert said.endswith(f"check it with: duels check '{path}'\n")


def test_a_file_is_replaced_as_a_whole_or_not_at_all(run, tmp_path):
    path = tmp_path / "proof.json"
    path.write_text("old")
    full = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))}
    assert "cannot be written" in run(*SOLVED, "--proof", str(path), **full).stderr
    assert [file.read_text() for file in tmp_path.glob("*proof*")] == ["old"]


def test_solve_says_who_wins_how_and_why(call):
    lost = call(*SOLVED).stdout
    assert "Player 2, to move, loses" in lost
    assert "its partner:\n1 with 19, " in lost
    won = call("solve", "number-line-duel").stdout
    assert "Winning moves (7 of 19): 2 3 4 5-6 7 8 9" in won
    assert "two equal halves, 1 to 4 and 7 to 10" in won


def test_a_cut_list_says_so_where_it_is_cut(call):
    cut = call("solve", "divisor-duel", "--divisor", "27").stdout.splitlines()
    more = re.fullmatch(r"\.\.\. and (\d+) more lines \(--full\)", cut[-1])
    full = call("solve", "divisor-duel", "--divisor", "27", "--full").stdout.splitlines()
    assert cut[:-1] == full[: -int(more[1])]


def test_a_proof_written_can_be_checked(call, proof):
    done = call("check", str(proof))
    assert done.returncode == 0
    assert "The proof is right" in done.stdout
    assert json.loads(call("check", str(proof), "--json").stdout)["valid"] is True


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda text: text[:200], "is not a proof"),
        (lambda text: text.replace('"wins": false', '"wins": true'), "proves the opposite"),
        (lambda text: text.replace('"moves": [6]', '"moves": [3]'), "The proof fails"),
        (
            lambda text: text.replace('"moves": [6]', '"moves": [6, 5]'),
            "neither a factor nor a multiple",
        ),
        (lambda text: text.replace("[3, 12]", "[3, 13]"), "The proof fails"),
        (lambda text: "[1, 2, 3]", "not a verdict"),
        (lambda text: "hello", "is not a proof"),
        (lambda text: "[" * 100_000, "is not a proof"),
        (lambda text: "", "is not a proof"),
    ],
)
def test_a_spoilt_proof_is_a_sentence_and_exit_1(call, proof, spoil, sentence):
    spoilt = spoil(proof.read_text())
    assert spoilt != proof.read_text()
    proof.write_text(spoilt)
    done = call("check", str(proof))
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr


def test_files_that_cannot_be_read_or_written_are_a_sentence(call, tmp_path):
    assert call("check", str(tmp_path / "none")).returncode == 1
    assert call("check", str(tmp_path)).returncode == 1
    done = call(*SOLVED, "--proof", str(tmp_path / "no" / "folder"))
    assert done.returncode == 1
    assert "cannot be written" in done.stderr


@pytest.mark.slow
def test_a_huge_file_is_refused_without_reading_it(run, tmp_path):
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(10 * 2**30)
    assert "larger than" in run("check", str(huge)).stderr


def test_solve_draws_a_picture(call, tmp_path):
    path = tmp_path / "picture.svg"
    assert call(*SOLVED, "--svg", str(path)).returncode == 0
    assert path.read_text().startswith("<svg")


def test_an_impossible_list_of_moves_is_refused(call):
    done = call("solve", "sequence-duel", "6", "7")
    assert (done.returncode, done.stdout) == (1, "")


WITHOUT_COMPILER = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "numba" else find(name, *more)
from duels.__main__ import run
run()
"""
"""Then it computes long enough to be interrupted."""


@pytest.mark.slow
def test_a_long_think_is_interrupted_cleanly(environment):
    terminal, its_side = os.openpty()  # there it says that it is thinking
    child = subprocess.Popen(
        [sys.executable, "-c", WITHOUT_COMPILER, "solve", "sequence-duel", "--numbers", "1000000"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=its_side,
    )
    said = b""
    while not re.search(rb"Solving: ", said):
        said += os.read(terminal, 1000)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    said += os.read(terminal, 10_000)
    os.close(terminal)
    os.close(its_side)
    assert child.returncode == 130
    assert b"Traceback" not in said
    assert out == b""


def test_a_proof_goes_through_a_pipe(run):
    done = run("solve", "number-line-duel", "--numbers", "9", "--proof", "-")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The proof is right" in run("check", "-", typed=done.stdout).stdout
    assert run("check", "-", typed=done.stdout[:-9]).returncode == 1
    assert run("solve", "number-line-duel", "--svg", "-").stdout.startswith("<svg")


@pytest.mark.slow
def test_a_proof_that_repeats_its_runs_costs_no_memory(call, tmp_path):
    proof = tmp_path / "p.json"
    call("solve", "number-line-duel", "--numbers", "100000", "--proof", str(proof))
    data = json.loads(proof.read_text())
    data["winning_moves"] = []
    data["proof"]["runs"] *= 100_000
    proof.write_text(json.dumps(data))
    done = call("check", str(proof))
    assert done.returncode == 1
    assert "is not the next run" in done.stderr


@pytest.mark.parametrize("game", [("sequence-duel", "Take "), ("number-line-duel", "Cross out ")])
def test_on_a_large_board_the_reason_is_not_lost_among_the_moves(call, game):
    shown = call("solve", game[0], "--numbers", "3000").stdout
    assert "more (--full)" in shown
    assert game[1] in shown


SQUARE = str(Path(__file__).parent.parent / "docs" / "examples" / "square_duel.py")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (
            ["number-duel", "--numbers", "20", "14"],
            "Number Duel (1 to 20 · factor or multiple, or a digit in common), after 14: "
            "Player 2, to move, ",
        ),
        (
            ["number-duel", "--numbers", "20", "--criteria", "factor"],
            "Number Duel (1 to 20 · factor or multiple), at the start: Player 1, to move, ",
        ),
        (
            ["sequence-duel", "--numbers", "12", "--opening", "even", "6", "3"],
            "Sequence Duel (1 to 12 · even opening), after 6 3: Player 1, to move, ",
        ),
        (
            ["divisor-duel", "--divisor", "7", "5"],
            "Divisor Duel (divisor 7), after 5: Player 2, to move, "
            "wins by exactly these moves (3 of 8): 2 6 9\n",
        ),
        (
            ["number-line-duel", "--numbers", "9", "5-6", "8"],
            "Number Line Duel (1 to 9), after 5-6 8: Player 1, to move, ",
        ),
    ],
)
def test_check_names_the_whole_position(call, tmp_path, args, words):
    path = tmp_path / "proof.json"
    call("solve", *args, "--proof", str(path))
    said = call("check", str(path)).stdout
    assert said.startswith(f"The proof is right. {words}")
    proof = json.loads(path.read_text())
    solved = json.loads(call("solve", *args, "--json").stdout)
    data = json.loads(call("check", str(path), "--json").stdout)
    same = {name: value for name, value in solved.items() if name not in ("reason", "proof")}
    assert data == {"valid": True} | same
    assert {name: data[name] for name in proof if name != "proof"} == {
        name: value for name, value in proof.items() if name != "proof"
    }


def test_a_true_proof_does_not_pass_for_one_of_another_size(call, tmp_path):
    path = tmp_path / "proof.json"
    call("solve", "number-duel", "--numbers", "99", "--proof", str(path))
    assert "(1 to 99 · " in call("check", str(path)).stdout
    path.write_text(path.read_text().replace('"numbers": 99', '"numbers": 100'))
    assert call("check", str(path)).returncode == 1


@pytest.mark.slow
def test_check_names_the_options_of_a_strangers_game(run):
    with_it = ("--with", SQUARE)
    proof = run(*with_it, "solve", "square-duel", "--stones", "21", "4", "--proof", "-").stdout
    said = run(*with_it, "check", "-", typed=proof).stdout
    here = "Square Duel (21 stones), after 4: Player 2, to move, loses against best play."
    assert said == f"The proof is right. {here}\n"


def test_a_bad_proof_from_a_pipe_is_called_standard_input(call):
    done = call("check", "-", typed="hello")
    assert done.returncode == 1
    assert "standard input is not a proof: it is not JSON." in done.stderr
