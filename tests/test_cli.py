"""The commands for programs: data on stdout, sentences on stderr, exit codes as documented."""

from __future__ import annotations

import json

import pytest


def data(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_legal_has_the_documented_shape(run):
    assert data(run("legal", "number-line-duel", "--numbers", "3", "1-2", "--json")) == {
        "game": "number-line-duel",
        "options": {"numbers": 3},
        "moves": [[1, 2]],
        "to_move": 2,
        "outcome": None,
        "legal_moves": [3],
    }


def test_a_finished_position_has_an_outcome_and_no_moves(call):
    finished = data(call("legal", "divisor-duel", "--divisor", "7", "1", "4", "--json"))
    assert finished["outcome"] == {"winner": 2, "reason": "divisible"}
    assert finished["legal_moves"] == []
    assert "Player 2 has won" in call("legal", "divisor-duel", "--divisor", "7", "1", "4").stderr


def test_perft_has_the_documented_shape(call):
    assert data(
        call("perft", "sequence-duel", "--numbers", "4", "--opening", "even", "--json")
    ) == {
        "game": "sequence-duel",
        "options": {"numbers": 4, "opening": "even"},
        "moves": [],
        "games": 6,
        "player_1_wins": 4,
        "player_2_wins": 2,
    }


def test_games_and_rules(call):
    listed = data(call("games", "--json"))
    assert listed[0]["game"] == "number-duel"
    assert listed[0]["options"] == {"numbers": 100, "criteria": "factor,digit"}
    assert "R1" in data(call("rules", "number-duel", "--json"))["rules"]
    assert "sequence-duel" in call("games").stdout
    assert data(call("legal", "Number-Duel", "--json"))["game"] == "number-duel"
    assert call("rules", "sequence-duel").stdout.startswith("Sequence Duel\n")
    divisors = call("rules", "divisor-duel").stdout
    assert "The stars in 5**2** mark" in divisors
    assert '"521 is not' in divisors


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("legal", "number-duel", "28", "28"), 1, "28 has been used already."),
        (("legal", "number-duel", "101"), 1, "from 1 to 100"),
        (("legal", "number-duel", "--numbers", "10001"), 1, "from 1 to 10,000"),
        (("legal", "number-duel", "--numbers", "ten"), 1, "whole number"),
        (("legal", "number-duel", "--criteria", "colour"), 1, 'there is no "colour"'),
        (("legal", "sequence-duel", "--opening", "odd"), 1, "any or even"),
        (("legal", "divisor-duel", "--divisor", "1"), 1, "2 or more"),
        (("legal", "divisor-duel", "--divisor", "2.5"), 1, "whole number"),
        (("legal", "divisor-duel", "--divisor", "9" * 5000), 1, "at most 4,000 digits"),
        (("perft", "number-duel", "1", "2", "3", "4", "5", "6", "7"), 1, "3"),
        (("legal", "number-duel", "abc"), 2, "whole number"),
        (("legal", "divisor-duel"), 2, "needs the number to divide by, for example: --divisor 13"),
        (("legal", "number-line-duel", "--divisor", "3"), 2, "no option"),
        (("legal", "chess"), 2, "chess"),
        (("legal",), 2, "GAME"),
        (("nonsense",), 2, "nonsense"),
        (("replay", "missing.txt"), 1, "cannot be read"),
        (("completion", "tcsh"), 2, "tcsh"),
    ],
)
def test_what_is_wrong_is_a_sentence_with_its_exit_code(call, args, code, sentence):
    done = call(*args)
    assert (done.returncode, done.stdout) == (code, "")
    assert sentence in done.stderr


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        (("sovle", "number-duel"), "Did you mean solve?"),
        (("chain",), "Did you mean play number-chain-duel?"),
        (("legal", "chian"), "Did you mean number-chain-duel?"),
        (("legal", "numbr-duel"), "Did you mean number-duel?"),
        (("legal", "number"), "number-duel, number-line-duel or number-chain-duel."),
        (("legal", "line", "--nubmers", "9"), "--numbers"),
        (("legal", "sequence", "--opening", "evne"), "Did you mean even?"),
        (("legal", "number-duel", "--criteria", "factor,digits"), "Did you mean digit or"),
        (("play", "line", "--vs", "skiled"), "Did you mean skilled?"),
        (("play", "line", "--setup", "to15"), "Did you mean to-15?"),
    ],
)
def test_what_is_nearly_right_is_answered_with_what_may_be_meant(call, args, meant):
    done = call(*args)
    assert (done.returncode in {1, 2}, done.stdout) == (True, "")
    assert meant in " ".join(done.stderr.split())


@pytest.mark.parametrize("name", ["chain", "num ch", "Number Chain Duel", "number-ch"])
def test_a_part_of_a_name_that_only_one_game_has_is_enough(call, name):
    assert data(call("legal", name, "--json"))["game"] == "number-chain-duel"


def test_a_divisor_of_ten_to_the_thirty_works(call):
    assert data(call("legal", "divisor-duel", "--divisor", "1" + "0" * 30, "--json"))["legal_moves"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_the_command(call, shell):
    assert "_DUELS_COMPLETE" in call("completion", shell).stdout


@pytest.fixture
def offered(run, environment):
    """What a shell offers for the last of some words."""

    def complete(*words):
        asked = {"COMP_WORDS": " ".join(["duels", *words]), "COMP_CWORD": str(len(words))}
        done = run(env=environment | asked | {"_DUELS_COMPLETE": "bash_complete"})
        return [line.removeprefix("plain,") for line in done.stdout.split()]

    return complete


def test_completion_knows_the_games(offered):
    assert offered("legal", "num") == ["number-duel", "number-line-duel", "number-chain-duel"]


@pytest.mark.slow
def test_completion_knows_levels_values_and_unfinished_games(offered, run):
    assert offered("play", "number-duel", "--vs", "c") == ["casual"]
    assert offered("solve", "number-duel", "--criteria", "dig") == ["digit", "digit-sum"]
    assert offered("legal", "sequence-duel", "--opening", "e") == ["even"]
    assert offered("resume", "") == []
    run("play", "number-line-duel", typed="5\nquit\n")
    (match_id,) = offered("resume", "")
    assert match_id in run("resume").stdout
