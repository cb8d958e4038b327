"""Shares with intervals, grades against the truth, and Python code as a player."""

from __future__ import annotations

import threading
from random import Random

import pytest

import duels
from duels.core.errors import OptionError, OptionNameError
from duels.match.players.grading import clustered, share
from duels.match.players.specs import Forfeit, check_ready, open_player, read_spec, what_it_does
from duels.theory import winning_moves
from own_games import LastStoneLoses


def test_an_interval_is_wilsons():
    low, high = share(17, 20)[2:]
    assert (round(low, 4), round(high, 4)) == (0.6396, 0.9476)  # as R's binom::binom.wilson says
    assert (share(0, 10).low, share(10, 10).high) == (0, 1)
    assert share(0, 0).value is share(0, 0).low is None
    assert share(15, 20).above(0.5) == 0.5


def test_cases_of_one_each_are_independent():
    assert clustered([(1, 1)] * 17 + [(0, 1)] * 3 + [(0, 0)] * 5) == share(17, 20)


def test_clusters_that_are_all_alike_are_worth_one_case_each():
    alike = clustered([(5, 5)] * 14 + [(0, 5)] * 6)
    assert (alike.part, alike.whole) == (70, 100)
    few = share(14, 20)
    assert alike.low < few.low < share(70, 100).low  # besides, twenty are not many to judge by
    assert clustered([(5, 5)] * 20)[2:] == share(20, 20)[2:]


def test_intervals_of_clusters_cover():
    """Where Wilson's interval for single cases covers four of five, this one covers 95 %."""
    chance, found = Random(1), {"clustered": 0, "single": 0}
    for _ in range(400):
        likely = [chance.betavariate(0.7 * 7 / 3, 0.3 * 7 / 3) for _ in range(30)]
        counts = [(sum(chance.random() < p for _ in range(5)), 5) for p in likely]
        for name, one in (
            ("clustered", clustered(counts)),
            ("single", share(*map(sum, zip(*counts, strict=True)))),
        ):
            found[name] += one.low <= 0.7 <= one.high
    assert 0.92 <= found["clustered"] / 400 <= 0.98
    assert found["single"] / 400 < 0.88


@pytest.mark.parametrize(
    "game",
    [*(kind.small() for kind in duels.GAMES.values()), LastStoneLoses.usual()],
    ids=lambda game: game.id,
)
def test_perfect_players_keep_every_win_and_losing_ones_none(game):
    assert duels.grade("perfect", game, positions=30).kept.value == 1
    graded = duels.grade(_loser, game, positions=30, seed=3)
    assert graded.kept.part == 0 < graded.kept.whole
    assert graded.above_chance < 0 < graded.chance < 1
    assert graded == duels.grade(_loser, game, positions=30, seed=3)


def _loser(position):
    return next(move for move in position.legal_moves if move not in winning_moves(position))


def test_a_random_player_keeps_what_chance_keeps():
    graded = duels.grade("random", "number-line-duel", positions=400, seed=2)
    assert graded.kept.whole == 400
    assert graded.kept.low < graded.chance < graded.kept.high


def test_a_level_has_luck_of_its_own_in_every_choice():
    kept = duels.grade("skilled", duels.game("number-line-duel", numbers=20), positions=200).kept
    assert 100 < kept.part < 190


def test_own_positions_count_if_they_are_choices():
    game = duels.game("number-chain-duel")
    start, over = game.start(), game.position(5, 1, 7)
    assert duels.grade(lambda position: 5, game, positions=[start, over]).kept[:2] == (1, 1)
    with pytest.raises(OptionError, match="is not a position of number-chain-duel"):
        duels.grade("perfect", game, positions=[duels.game("number-duel").start()])
    with pytest.raises(OptionError, match="has no choice to ask"):
        duels.grade("perfect", game, positions=[over])


def test_no_legal_move_keeps_nothing():
    graded = duels.grade(lambda position: "x", "number-chain-duel", positions=10)
    assert (graded.kept.part, graded.forfeits) == (0, 10)


@pytest.mark.parametrize(("positions", "player"), [(0, "perfect"), (5, 7), (5, "genius")])
def test_a_bad_grade_is_a_sentence(positions, player):
    with pytest.raises(OptionError):
        duels.grade(player, "number-chain-duel", positions=positions)


AGENT = """
from random import Random
def last(position): return position.legal_moves[-1]
class Agent:
    def __init__(self, seed): self.chance = Random(seed)
    def choose(self, position): return self.chance.choice(position.legal_moves)
class Box: best = Agent
class Empty: pass
class Broken:
    def __init__(self): raise RuntimeError("no weights")
five = 5
def unreadable(position): return "x"
def illegal(position): return 77
def crash(position): return 1 / 0
def slow(position):
    import time; time.sleep(0.2); return 1
def endless(position):
    while True: pass
def leave(position): raise SystemExit(3)
"""


@pytest.fixture
def agents(tmp_path, monkeypatch):
    (tmp_path / "own_agents.py").write_text(AGENT)
    (tmp_path / "broken.py").write_text("import nothing_like_that\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize("name", ["last", "Agent", "Box.best"])
@pytest.mark.parametrize("module", ["own_agents", "own_agents.py"])
def test_python_code_is_a_player(agents, module, name):
    spec = f"py:{module}:{name}"
    check_ready(spec)
    position = duels.game("number-duel").start()
    with open_player(spec, 5) as one, open_player(spec, 5) as two:
        move = one.choose(position)
        assert move == two.choose(position)
        assert move in position.legal_moves
    assert duels.grade(spec, "number-chain-duel", positions=20).forfeits == 0


@pytest.mark.parametrize(
    ("name", "reason", "words"),
    [
        ("unreadable", "unreadable", '"x" is not a whole number'),
        ("illegal", "illegal", "77 is not on the board"),
        ("crash", "crash", "own_agents.py, line 14: ZeroDivisionError"),
        ("slow", "late", "within 0.01 seconds"),
        ("endless", "late", "within 0.01 seconds"),
        ("leave", "crash", "SystemExit"),
    ],
)
def test_what_python_code_does_wrong_is_a_forfeit(agents, name, reason, words):
    position = duels.game("number-chain-duel").start()
    limit = 0.01 if reason == "late" else 30
    with open_player(f"py:own_agents:{name}", 1, limit) as player, pytest.raises(Forfeit) as lost:
        player.choose(position)
    assert (lost.value.reason, words in lost.value.detail) == (reason, True)


def test_python_code_that_never_returns_is_left_and_ends(agents):
    before = {*threading.enumerate()}
    position = duels.game("number-chain-duel").start()
    with open_player("py:own_agents:endless", 1, 0.01) as player, pytest.raises(Forfeit):
        player.choose(position)
    for thread in {*threading.enumerate()} - before:
        thread.join(30)
        assert not thread.is_alive()


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("nothing:choose", "No module named 'nothing'"),
        ("own_agents:nobody", 'There is no "nobody" in own_agents'),
        ("own_agents:Empty", "has no choose"),
        ("own_agents:five", "cannot be called"),
        ("own_agents:Broken", "no weights"),
        ("nothing.py:choose", "There is no file nothing.py"),
        ("broken.py:choose", "line 1: ModuleNotFoundError"),
        ("broken:choose", "line 1: ModuleNotFoundError"),
        ("..own_agents:last", "cannot be imported"),
    ],
)
def test_python_code_that_is_not_a_player_gets_a_sentence(agents, spec, sentence):
    with pytest.raises(OptionError, match=sentence):
        check_ready(f"py:{spec}")


@pytest.mark.parametrize("text", ["py:", "py:module", "py::name", "py:module:"])
def test_a_module_needs_a_name_in_it(text):
    with pytest.raises(OptionNameError, match="a module and a name in it"):
        read_spec(text)


def test_resuming_a_saved_game_says_that_it_runs_code():
    assert what_it_does("py:own_agents:last") == "runs Python code"
    assert read_spec("py: own_agents:last") == ("py", "own_agents:last")
