"""Programs as players: what they do instead of a legal move is reported as what it is."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

import duels
from duels.core.errors import OptionError, OptionNameError
from duels.match.players.specs import Forfeit, check_ready, open_player, read_spec

GREET = """
import sys, time
def say(line): print(line, flush=True)
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "ugi": say("id name fake"); say("ugiok")
    elif word == "isready": say("readyok")
    elif word == "quit": break
    elif word == "go":
"""


@pytest.fixture
def engine(tmp_path):
    """An engine that responds to `go` in its own way."""

    def write(at_go, whole=False):
        path = tmp_path / "engine.py"
        body = "".join(f"        {line}\n" for line in at_go.splitlines())
        path.write_text(at_go if whole else GREET + body)
        return "ugi:" + shlex.join([sys.executable, str(path)])

    return write


def forfeit_of(spec, time_limit=5.0, moves=(), **options):
    position = duels.game("number-line-duel", **options).start()
    for move in moves:
        position = position.play(move)
    with open_player(spec, 1, time_limit) as player, pytest.raises(Forfeit) as lost:
        player.choose(position)
    return lost.value.reason, lost.value.detail


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_our_engine_plays_like_the_level_that_it_is():
    spec = "ugi:" + shlex.join([sys.executable, "-m", "duels", "engine", "--level", "casual"])
    position = duels.game("number-line-duel", numbers=12).start()
    with open_player(spec, 5) as program, open_player("casual", 5) as level:
        while not position.outcome:
            move = program.choose(position)
            assert move == level.choose(position)
            position = position.play(move)


def test_a_pair_is_one_move(engine):
    with open_player(engine('say("bestmove 5-6")'), 1) as player:
        assert player.choose(duels.game("number-line-duel").start()) == (5, 6)


def test_talk_before_the_answer_is_ignored(engine):
    spec = engine('say("info depth 1"); say("hello"); say("bestmove 3 ponder 4")')
    with open_player(spec, 1) as player:
        assert player.choose(duels.game("number-line-duel").start()) == 3


def test_a_second_answer_is_not_used_for_the_next_question(engine):
    at_go = (
        'count = globals().setdefault("count", 0) + 1\nsay(f"bestmove {count}")\nsay("bestmove 9")'
    )
    position = duels.game("number-line-duel").start()
    with open_player(engine(at_go), 1) as player:
        assert player.choose(position) == 1
        player._answers.put(player._answers.get(timeout=5))  # the second answer is there
        assert player.choose(position.play(1)) == 2


def test_an_engine_that_never_answers_loses_on_time(engine):
    began = time.monotonic()
    reason, detail = forfeit_of(engine("time.sleep(60)"), time_limit=0.5)
    assert (reason, "did not say bestmove within 0.5 seconds" in detail) == ("late", True)
    assert time.monotonic() - began < 8


def test_an_engine_that_only_talks_loses_on_time(engine):
    reason, detail = forfeit_of(engine("while True: say('blah ' * 50)"), time_limit=0.5)
    assert reason == "late"
    assert "blah" in detail


def test_a_crash_is_reported_with_its_last_lines(engine):
    reason, detail = forfeit_of(engine("raise RuntimeError('out of ideas')"))
    assert reason == "crash"
    assert "exit code 1" in detail
    assert "out of ideas" in detail


def test_an_answer_without_a_move_is_unreadable(engine):
    reason, detail = forfeit_of(engine('say("bestmove e2e4")'))
    assert reason == "unreadable"
    assert "bestmove e2e4" in detail


def test_a_move_against_the_rules_is_illegal(engine):
    reason, detail = forfeit_of(engine('say("bestmove 3")'), moves=[3])
    assert reason == "illegal"
    assert "3 is crossed out already" in detail


def test_a_program_that_is_not_an_engine_is_a_crash(engine):
    assert forfeit_of(engine("print('hi')", whole=True))[0] == "crash"


def test_a_program_that_cannot_be_started_is_a_crash(tmp_path):
    reason, detail = forfeit_of(f"ugi:{tmp_path}/missing")
    assert reason == "crash"
    assert "could not be started" in detail


def test_an_engine_that_does_not_read_does_not_stop_us(engine):
    spec = engine("import time\nprint('ugiok\\nreadyok', flush=True)\ntime.sleep(60)", whole=True)
    assert forfeit_of(spec, 0.5, moves=range(1, 14_000), numbers=14_010)[0] == "late"


def test_the_program_is_gone_after_the_match(engine):
    stubborn = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + GREET.replace(
        'elif word == "quit": break', 'elif word == "quit": pass'
    )
    spec = engine(stubborn + '        say("bestmove 1")\ntime.sleep(60)', whole=True)
    with open_player(spec, 1) as player:
        player.choose(duels.game("number-line-duel").start())
        pid = player._process.pid
        assert is_running(pid)
    assert not is_running(pid)


def test_specifications_are_read():
    assert read_spec("Perfect") == ("perfect", "")
    assert read_spec("ugi: ./mine --fast") == ("ugi", "./mine --fast")
    assert read_spec("llm:m@http://x/v1") == ("llm", "m@http://x/v1")


@pytest.mark.parametrize("text", ["", "grandmaster", "ugi:", "ugi:'open", "llm:", "perfect:2"])
def test_an_unknown_player_is_a_sentence(text):
    with pytest.raises(OptionNameError):
        read_spec(text)


def test_a_missing_program_is_a_sentence_before_anything_is_played():
    with pytest.raises(OptionError, match="not a program"):
        check_ready("ugi:no-such-program --fast")


@pytest.mark.parametrize("name", ["random", "novice", "perfect"])
def test_built_in_players_repeat_themselves_with_the_same_seed(name):
    position = duels.game("number-duel").start()
    with open_player(name, 3) as one, open_player(name, 3) as two:
        assert one.choose(position) == two.choose(position)


def test_the_engine_of_the_documents_plays_every_game():
    example = Path(__file__).parents[2] / "docs" / "examples" / "engine.py"
    spec = "ugi:" + shlex.join([sys.executable, str(example)])
    for kind in duels.GAMES.values():
        position = kind.small().start()
        with open_player(spec, 1) as player:
            while not position.outcome:
                move = player.choose(position)
                assert move in position.legal_moves
                position = position.play(move)
