"""`duels engine` speaks UGI."""

from __future__ import annotations

import pytest

import duels
from duels.theory import winning_moves

pytestmark = pytest.mark.slow


def talk(run, *lines, args=()):
    done = run("engine", *args, typed="\n".join([*lines, "quit", ""]))
    assert done.returncode == 0
    return done.stdout.splitlines()


def test_the_greeting_names_the_engine_and_its_options(run):
    said = talk(run, "ugi", "isready")
    assert said[0].startswith("id name Number Duels")
    assert said[-2:] == ["ugiok", "readyok"]
    options = {name for kind in duels.GAMES.values() for name in kind.fields}
    for name in ("game", "level", *options, "seed"):
        assert any(line.startswith(f"option name {name} type ") for line in said)


def test_a_choice_is_a_list_and_several_choices_are_text(run):
    said = talk(run, "ugi")
    assert "option name opening type combo default any var any var even" in said
    assert "option name criteria type string default <empty>" in said


@pytest.mark.parametrize("kind", duels.GAMES.values(), ids=lambda kind: kind.id)
def test_every_game_is_played_as_usual_until_somebody_sets_an_option(run, kind):
    said = talk(run, f"setoption name game value {kind.id}", "position startpos", "go")
    start = kind.usual().start()
    assert start.play(start.game.parse(said[-1].removeprefix("bestmove ")))


def test_another_game_forgets_the_options_of_the_last(run):
    said = talk(
        run,
        "setoption name game value number-chain-duel",
        "setoption name numbers value 5",
        "setoption name game value number-line-duel",
        "position startpos moves 9",
        "query p1turn",
    )
    assert said == ["response false"]


def test_the_best_move_wins(run):
    said = talk(run, "position startpos moves 28", "go movetime 1000")
    position = duels.game("number-duel").start().play(28)
    assert int(said[-1].removeprefix("bestmove ")) in winning_moves(position)


def test_game_options_and_level_can_be_set(run):
    said = talk(
        run,
        "setoption name game value number-line-duel",
        "setoption name numbers value 5",
        "setoption name level value expert",
        "uginewgame",
        "position startpos moves 1-2 4",
        "query p1turn",
        "go depth 3",
    )
    assert said[0] == "response true"
    assert said[1] in ("bestmove 3", "bestmove 5")


def test_queries_tell_whose_turn_it_is_and_who_has_won(run):
    said = talk(
        run,
        "query gameover",
        "query p1turn",
        "query result",
        "position startpos moves 1 4",
        "query gameover",
        "query result",
        "go",
        args=("divisor-duel", "--divisor", "7"),
    )
    false_true_none = ["response false", "response true", "response none"]
    assert said == [*false_true_none, "response true", "response p2win", "bestmove none"]


def test_go_infinite_answers_when_it_is_stopped(run):
    said = talk(run, "position startpos", "go infinite", "isready", "stop", "stop")
    assert said[0] == "readyok"
    assert said[1].startswith("bestmove ")
    assert len(said) == 2


def test_the_same_seed_gives_the_same_answers(run):
    lines = ["position startpos", "go", "position startpos moves 30 60", "go"]
    args = ("--level", "random", "--seed", "7")
    assert talk(run, *lines, args=args) == talk(run, *lines, args=args)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("position startpos moves 28 28", "28 has been used already."),
        ("position startpos moves x", "not a whole number"),
        ("position fen 8/8", "position startpos moves"),
        ("setoption name game value chess", 'There is no game "chess"'),
        ("setoption name numbers value 0", "from 1 to 10,000"),
        ("setoption name level value great", "level must be"),
        ("setoption name colour value red", 'no option "colour"'),
        ("query weather", "A query is one of"),
    ],
)
def test_what_is_wrong_is_said_and_the_talk_goes_on(run, line, sentence):
    said = talk(run, line, "isready")
    assert said[0].startswith("info string ")
    assert sentence in said[0]
    assert said[-1] == "readyok"


def test_nonsense_is_ignored(run):
    done = run("engine", typed=b"\xff\xfe\x00\nhello there\n\n" + b"x" * 100_000 + b"\nisready\n")
    assert (done.returncode, done.stdout) == (0, "readyok\n")


def test_after_a_bad_position_there_is_no_move(run):
    assert talk(run, "position startpos moves 0", "go")[-1] == "bestmove none"


def test_bad_options_are_refused_before_the_talk(run):
    done = run("engine", "number-duel", "--numbers", "0")
    assert done.returncode == 1
    assert "from 1 to 10,000" in done.stderr
