"""The commands for programs: data on stdout, sentences on stderr, exit codes as documented."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from duels.cli import COMMANDS, EXIT_CODES, GROUPS
from duels.games import GAMES
from program import DUELS


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
    assert '"521 is not' in " ".join(divisors.split())


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("legal", "number-duel", "28", "28"), 1, "28 has been used already."),
        (("legal", "number-duel", "101"), 1, "from 1 to 100"),
        (("legal", "number-duel", "--numbers", "15001"), 2, "from 1 to 15,000"),
        (("legal", "number-duel", "--numbers", "ten"), 2, "whole number"),
        (("legal", "number-duel", "--criteria", "colour"), 2, 'there is no "colour"'),
        (("legal", "sequence-duel", "--opening", "odd"), 2, "any, even or even-below-half"),
        (("legal", "divisor-duel", "--divisor", "1"), 2, "2 or more"),
        (("legal", "divisor-duel", "--divisor", "2.5"), 2, "whole number"),
        (("legal", "divisor-duel", "--divisor", "9" * 5000), 2, "at most 4,000 digits"),
        (("perft", "number-duel", "1", "2", "3", "4", "5", "6", "7"), 1, "3"),
        (("legal", "number-duel", "abc"), 2, "whole number"),
        (("legal", "divisor-duel"), 2, "needs the number to divide by, for example: --divisor 13"),
        (("legal", "number-line-duel", "--divisor", "3"), 2, "no option"),
        (("play", "number-line-duel", "--setup", "huge"), 2, "no set-up"),
        (("play", "number-line-duel", "--vs", "nobody"), 2, "nobody"),
        (("play", "number-line-duel", "--time", "1x"), 2, "1m30s"),
        (("play",), 2, "Which game? For a list: duels games"),
        (("help", "nonsense"), 2, 'no command "nonsense"'),
        (("legal", "chess"), 2, "chess"),
        (("legal",), 2, "GAME"),
        (("nonsense",), 2, "nonsense"),
        (("replay", "missing.txt"), 1, "cannot be read"),
        (("completion", "tcsh"), 2, "tcsh"),
    ],
)
def test_an_error_is_a_sentence_with_its_exit_code(call, args, code, sentence):
    done = call(*args)
    assert (done.returncode, done.stdout) == (code, "")
    assert sentence in done.stderr


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        (("sovle", "number-duel"), "Did you mean: duels solve"),
        (("chain",), "Did you mean: duels play number-chain-duel"),
        (("line",), "Did you mean: duels play number-line-duel"),
        (("chian",), "Did you mean: duels play number-chain-duel"),
        (("number",), "duels play number-duel duels play number-line-duel duels play number-ch"),
        (("re",), "Did you mean one of these? duels resume duels replay duels review"),
        (("help", "lern"), "Did you mean: duels learn"),
        (("legal", "chian"), "Did you mean number-chain-duel?"),
        (("legal", "numbr-duel"), "Did you mean number-duel?"),
        (("play", "number"), "three games. Type one of these: duels play number-duel duels play"),
        (("legal", "number"), "duels legal number-line-duel duels legal number-chain-duel"),
        (("legal", "line", "--nubmers", "9"), "--numbers"),
        (("legal", "sequence", "--opening", "evne"), "Did you mean even?"),
        (("legal", "number-duel", "--criteria", "factor,digits"), "Did you mean digit or"),
        (("play", "line", "--vs", "skiled"), "Did you mean skilled?"),
        (("play", "line", "--vs", "nobody"), "perfect, random, auto, a strength from 0 to 100"),
        (("play", "line", "--vs", "atuo"), "Did you mean auto?"),
        (("play", "line", "--setup", "to15"), "Did you mean to-15?"),
    ],
)
def test_a_misspelt_word_gets_a_suggestion(call, args, meant):
    done = call(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert meant in " ".join(done.stderr.split())


def test_a_minute_is_a_time_limit(call):
    said = call("play", "number-line-duel", "--time", "1m30s", typed="quit\n")
    assert "90 seconds" in said.stdout + said.stderr


def test_help_has_every_command_in_one_group_with_an_example(call):
    said = call("--help").stdout
    assert [*GROUPS][:5] == ["Play", "Learn", "Study", "Lab", "Host"]
    assert sum(map(len, GROUPS.values())) == len(COMMANDS)
    places = [said.index(f"\n{title}:\n") for title in GROUPS]
    assert places == sorted(places)
    assert all(f"\n  {name} " in said for name in COMMANDS)
    assert "duels play number-line-duel --vs casual" in said


def test_help_of_play_lists_the_games_and_shows_examples(call):
    said = call("play", "--help").stdout
    assert all(f"\n  {kind.id} " in said for kind in GAMES.values())
    assert said.count("\n  duels play ") == 2


def test_help_is_a_command(call):
    assert call("help").stdout == call("--help").stdout
    for words in (["solve"], ["exam", "make"]):
        assert call("help", *words).stdout == call(*words, "--help").stdout


def test_examples_of_the_help_can_be_played(call):
    for options in ("--vs casual", "--players Mia Noah --time 1m"):
        words = f"play number-line-duel {options}"
        assert f"\n  duels {words}" in call("play", "--help").stdout
        assert call(*words.split(), typed="quit\n").returncode == 0


def test_off_a_terminal_bare_duels_is_one_line(run):
    done = run(typed="\n5\n")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("Number Duels: ")
    assert done.stderr.endswith("duels --help\n")


def test_exit_codes_are_in_the_help(call):
    assert [*EXIT_CODES] == [0, 1, 2, 130]
    said = " ".join(call("--help").stdout.split())
    assert "Exit codes: 0 success, 1 error, 2 usage error, 130 interrupted" in said


def test_ctrl_c_ends_with_130_even_in_a_file_of_a_game(environment, tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text("import sys, time\nprint('here', flush=True)\ntime.sleep(60)\n")
    command = [*DUELS, "--with", str(slow), "games"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stderr
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130


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


def test_completion_knows_the_games_of_a_tournament(offered):
    assert offered("arena", "--games", "seq") == ["sequence-duel"]


def test_completion_knows_the_splits_of_an_exam(offered):
    dataset = pytest.importorskip("duels.lab.exam.dataset")
    assert offered("exam", "run", "my-exam", "--split", "") == [*dataset.SPLITS]


def test_a_number_may_be_typed_as_it_is_printed(call):
    plain, printed = (call("solve", "line", "--numbers", typed) for typed in ("1000", "1,000"))
    assert plain.stdout == printed.stdout != ""
    for typed in ("1,00", "1000,000", ",100", "1,,000"):
        assert "must be a whole number" in call("legal", "line", "--numbers", typed).stderr


def test_completion_knows_a_part_of_a_name_and_set_ups(offered):
    assert offered("play", "line") == ["number-line-duel"]
    assert offered("play", "number-line-duel", "--setup", "") == ["to-15", "to-20", "rule-book"]
    assert offered("play", "--color", "x") == []
    assert offered("help", "re") == ["resume", "replay", "review"]


@pytest.mark.slow
def test_completion_knows_levels_values_and_saved_games(offered, run):
    assert offered("play", "number-duel", "--vs", "c") == ["casual"]
    assert offered("solve", "number-duel", "--criteria", "dig") == ["digit", "digit-sum"]
    assert offered("legal", "sequence-duel", "--opening", "e") == ["even", "even-below-half"]
    assert offered("resume", "") == []
    run("play", "number-line-duel", typed="5\nquit\n")
    (match_id,) = offered("resume", "")
    assert match_id in run("resume").stdout
    assert offered("replay", "") == offered("review", "") == [match_id]
    assert offered("replay", "nothing") == ["file,nothing"]


def test_without_its_package_mcp_says_what_to_install(call, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = call("mcp")
    assert done.returncode == 1
    assert "Assistants need the package mcp." in done.stderr
    assert "pip install '.[mcp]'" in done.stderr


def test_a_server_without_its_packages_says_what_needs_them(call, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = call("serve")
    assert done.returncode == 1
    assert "The server needs uvicorn. Install it with: pip install '.[web]'" in done.stderr
