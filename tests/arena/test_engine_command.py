"""`duels engine` speaks UGI."""

from __future__ import annotations

import subprocess

import pytest

import duels
from duels.theory import winning_moves
from program import DUELS
from rings import all_if_long

pytestmark = pytest.mark.slow


def talk(call, *lines, args=()):
    done = call("engine", *args, typed="\n".join([*lines, "quit", ""]))
    assert done.returncode == 0
    return done.stdout.splitlines()


def test_the_greeting_names_the_engine_and_its_options(call):
    said = talk(call, "ugi", "isready")
    assert said[0].startswith("id name Number Duels")
    assert said[-2:] == ["ugiok", "readyok"]
    options = {name for kind in duels.GAMES.values() for name in kind.fields}
    for name in ("game", "level", *options, "seed"):
        assert any(line.startswith(f"option name {name} type ") for line in said)


def test_a_choice_is_a_list_and_several_choices_are_text(call):
    said = talk(call, "ugi")
    assert "option name opening type combo default any var any var even var even-below-half" in said
    assert "option name criteria type string default factor,digit" in said
    assert "option name divisor type string default 13" in said
    assert "option name numbers type string default <empty>" in said  # each game has its own


@pytest.mark.parametrize("kind", duels.GAMES.values(), ids=lambda kind: kind.id)
def test_every_game_has_its_defaults_until_an_option_is_set(call, kind):
    said = talk(call, f"setoption name game value {kind.id}", "position startpos", "go")
    start = kind.usual().start()
    assert start.play(start.game.parse(said[-1].removeprefix("bestmove ")))


def test_another_game_forgets_the_options_of_the_last(call):
    said = talk(
        call,
        "setoption name game value number-chain-duel",
        "setoption name numbers value 5",
        "setoption name game value number-line-duel",
        "position startpos moves 9",
        "query p1turn",
    )
    assert said == ["response false"]


def test_the_best_move_wins(call):
    said = talk(call, "position startpos moves 28", "go movetime 1000")
    position = duels.game("number-duel").start().play(28)
    assert int(said[-1].removeprefix("bestmove ")) in winning_moves(position)


def test_game_options_and_level_can_be_set(call):
    said = talk(
        call,
        "setoption name game value number-line-duel",
        "setoption name numbers value 5",
        "setoption name level value expert",
        "uginewgame",
        "position startpos moves 1-2 4",
        "query p1turn",
        "go depth 3",
    )
    assert said[0] == "response true"
    assert said[-1] in ("bestmove 3", "bestmove 5")


def test_queries_tell_whose_turn_it_is_and_who_has_won(call):
    said = talk(
        call,
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


@pytest.fixture
def dialogue(environment):
    """Say something to the engine, and hear its lines up to one that begins with a word."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([*DUELS, "engine"], env=environment, text=True, **pipes) as program:

        def hear(said, until):
            program.stdin.write(f"{said}\n")
            program.stdin.flush()
            heard = []
            while not (heard and heard[-1].startswith(until)):
                line = program.stdout.readline()
                assert line, heard
                heard.append(line.strip())
            return heard

        yield hear
        program.stdin.close()
        assert program.wait(timeout=30) == 0
        assert program.stdout.read() == ""


def test_go_infinite_prints_its_search_and_moves_when_stopped(dialogue):
    dialogue("setoption name game value number-line-duel\nisready", "readyok")
    heard = dialogue("position startpos\ngo infinite", "info depth 4 ")
    assert all(line.startswith("info depth ") for line in heard)
    assert "bestmove" not in " ".join(dialogue("isready", "readyok"))
    *_, best = dialogue("stop", "bestmove ")
    assert best.split()[1] == heard[0].split("pv ")[1]
    assert dialogue("stop\nisready", "readyok") == ["readyok"]


def test_a_thought_that_takes_long_can_be_stopped(dialogue):
    many = "setoption name game value sequence-duel\nsetoption name numbers value 1000000"
    heard = dialogue(f"{many}\ngo infinite\nisready\nstop", "bestmove ")
    assert heard[0] == "readyok"
    heard = dialogue("position startpos\ngo movetime 1", "bestmove ")
    assert duels.game("sequence-duel", numbers=1_000_000).position(heard[-1].split()[1])


def test_another_position_ends_a_thought_without_an_end(call):
    said = talk(call, "go infinite", "position startpos moves 28", "query p1turn", "go depth 1")
    assert [line for line in said if not line.startswith("info")] == ["response false", said[-1]]


@pytest.mark.parametrize("game_id", all_if_long(duels.GAMES, "number-line-duel", "divisor-duel"))
@pytest.mark.parametrize("level", all_if_long(["perfect", "novice"], "perfect"))
def test_info_has_the_depth_the_exact_score_and_the_line(call, game_id, level):
    small = duels.GAMES[game_id].small()
    said = [f"setoption name {name} value {value}" for name, value in small.options.items()]
    *infos, best = talk(call, *said, "go depth 100", args=(game_id, "--level", level))
    start, winning = small.start(), winning_moves(small.start())
    for depth, info in enumerate(infos, start=1):
        head, _, line = info.partition(" pv ")
        position = small.position(*line.split())
        score = 10000 if position.moves[0] in winning else -10000
        assert head == f"info depth {depth} score cp {score}"
        assert len(position.moves) == depth
    assert position.outcome
    won = position.outcome.winner == start.to_move
    assert won == (score > 0)
    assert best == f"bestmove {small.format(position.moves[0])}"


def test_the_same_seed_gives_the_same_answers(call):
    lines = ["position startpos", "go", "position startpos moves 30 60", "go"]
    args = ("--level", "random", "--seed", "7")
    assert talk(call, *lines, args=args) == talk(call, *lines, args=args)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("position startpos moves 28 28", "28 has been used already."),
        ("position startpos moves x", "not a whole number"),
        ("position fen 8/8", "position startpos moves"),
        ("setoption name game value chess", 'There is no game "chess"'),
        ("setoption name numbers value 0", "from 1 to 15,000"),
        ("setoption name level value great", "level must be"),
        ("setoption name colour value red", 'no option "colour"'),
        ("query weather", "A query is one of"),
    ],
)
def test_an_error_gets_a_line_and_the_engine_continues(call, line, sentence):
    said = talk(call, line, "isready")
    assert said[0].startswith("info string ")
    assert sentence in said[0]
    assert said[-1] == "readyok"


def test_nonsense_is_ignored(run):
    done = run("engine", typed=b"\xff\xfe\x00\nhello there\n\n" + b"x" * 100_000 + b"\nisready\n")
    assert (done.returncode, done.stdout) == (0, "readyok\n")


def test_after_a_bad_position_there_is_no_move(call):
    assert talk(call, "position startpos moves 0", "go")[-1] == "bestmove none"


def test_bad_options_are_refused_before_the_talk(call):
    done = call("engine", "number-duel", "--numbers", "0")
    assert done.returncode == 2
    assert "from 1 to 15,000" in done.stderr
