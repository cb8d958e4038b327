"""Ratings do not depend on the order of matches; grades are counted as they are defined."""

from __future__ import annotations

import sys
from itertools import count
from math import exp, log, log1p
from pathlib import Path
from random import Random

import pytest

import duels
from duels.core.errors import OptionError
from duels.lab.arena.matches import ForfeitedTurn, Grade, MatchResult, grade_players
from duels.lab.arena.ratings import SCALE, rate
from duels.lab.arena.tournament import game_label, read_games, read_players
from duels.lab.reports import ALL_GAMES, Tally, tally, with_interval

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import intervals

pytestmark = pytest.mark.slow


NUMBERS = count()


def line(one, two, winner, grading=(), forfeit=None, moves=None):
    """A match with moves that no other one has, if none are given."""
    result = "1-0" if winner == one else "0-1"
    moves = [next(NUMBERS)] if moves is None else moves
    record = {"player1": one, "player2": two, "result": result, "moves": moves}
    grades = tuple(Grade(*turn) for turn in grading)
    return MatchResult("g", 1, record, grades, forfeit)


def results():
    beats = {("a", "b"): 14, ("b", "a"): 6, ("b", "c"): 20, ("a", "c"): 18, ("c", "a"): 2}
    return [line(one, two, one) for (one, two), count in beats.items() for _ in range(count)]


def test_ratings_do_not_depend_on_the_order_of_matches_or_players():
    one = rate(results(), ["a", "b", "c"])
    shuffled = results()
    Random(1).shuffle(shuffled)
    assert rate(shuffled, ["c", "a", "b"]) == one
    assert one["a"]["rating"] > one["b"]["rating"] > one["c"]["rating"]


def matches(many, one, two, winner, **more):
    return [line(one, two, winner, **more) for _ in range(many)]


def test_a_player_who_never_loses_has_a_bound_and_the_others_keep_their_ratings():
    among_others = matches(12, "b", "c", "b") + matches(8, "b", "c", "c")
    rated = rate(
        among_others + matches(6, "a", "b", "a") + matches(6, "a", "c", "a"), ["a", "b", "c"]
    )
    assert list(rated) == ["a", "b", "c"]
    assert rated["a"]["rating"] is rated["a"]["high"] is None
    assert rated["a"]["low"] > 1600
    assert rated["b"] == rate(among_others, ["b", "c"])["b"]
    assert rated["b"]["rating"] + rated["c"]["rating"] == 3000


def test_a_rating_is_not_drawn_towards_the_middle():
    rated = rate(matches(99, "a", "b", "a") + matches(1, "a", "b", "b"), ["a", "b"])
    assert rated["a"]["rating"] - rated["b"]["rating"] == 798


def test_two_players_of_whom_one_never_loses_have_two_bounds():
    rated = rate(matches(30, "a", "b", "a"), ["a", "b"])
    assert rated["a"]["low"] > 1500 > rated["b"]["high"]
    assert [rated["a"]["rating"], rated["a"]["high"]] == [None, None]
    assert [rated["b"]["rating"], rated["b"]["low"]] == [None, None]


def test_players_who_have_not_met_can_have_any_rating():
    assert rate([], ["a", "b"])["a"] == {"rating": None, "low": None, "high": None}


def test_an_interval_is_the_profile_likelihoods():
    rated = rate(matches(30, "a", "b", "a") + matches(10, "a", "b", "b"), ["a", "b"])
    apart = [2 * (rated["a"][end] - 1500) / SCALE for end in ("low", "high")]

    def likelihood(d):  # of two players, by hand
        return -30 * log1p(exp(-d)) - 10 * log1p(exp(d))

    for end in apart:
        assert likelihood(log(3)) - likelihood(end) == pytest.approx(3.8415 / 2, abs=0.06)


def test_sixty_matches_with_two_distinct_games_count_as_two():
    repeated = matches(30, "a", "b", "a", moves=[1]) + matches(30, "b", "a", "b", moves=[1])
    twice = [line("a", "b", "a"), line("b", "a", "b")]
    assert rate(repeated, ["a", "b"]) == rate(twice, ["a", "b"])
    found, bare = (grade_players(some)[ALL_GAMES]["a"].data() for some in (repeated, twice))
    assert (found["matches"], found["distinct"], found["won"]["share"]) == (60, 2, 0.5)
    assert found["won"]["interval"][0] <= bare["won"]["interval"][0]
    assert found["won"]["interval"][1] >= bare["won"]["interval"][1]


def test_repeated_choices_count_as_one_match():
    won = {"grading": [(4, 1, True), (2, 0, True), (4, 1, True)], "moves": [1, 2, 3]}
    found = grade_players(matches(30, "a", "b", "a", **won))[ALL_GAMES]["a"].data()
    assert found["choices"]["of"] == 60
    assert found["choices"]["interval"][0] < 0.25


@pytest.mark.parametrize("field", ["close", "spread"])
def test_intervals_contain_the_true_rating_about_as_often_as_they_claim(field):
    found = intervals.simulate(intervals.FIELDS[field], rounds=5, openings=5, tournaments=60)
    assert found.distinct < 8
    assert found.rating.mean() > 0.9


@pytest.mark.long
@pytest.mark.parametrize("field", ["close", "spread", "lopsided"])
@pytest.mark.parametrize("openings", [10, 1000])
def test_in_300_tournaments_with_repeated_games_intervals_cover_92_to_98_percent(field, openings):
    found = intervals.simulate(intervals.FIELDS[field], 30, openings, tournaments=300)
    assert 0.92 <= found.rating.mean() <= 0.98
    assert found.won.mean() >= 0.92
    assert (found.distinct < 21) == (openings == 10)


def test_a_share_has_wilsons_interval_and_identical_matches_count_once():
    plain = tally([(True, 0.5)] * 15 + [(False, 0.5)] * 5).data()
    assert plain["interval"] == [0.5313, 0.8881]  # as in the textbooks
    assert [plain[name] for name in ("share", "random", "corrected")] == [0.75, 0.5, 0.5]
    alike = Tally(dict(enumerate([(5, 5, 2.5)] * 3 + [(0, 5, 2.5)]))).data()
    assert alike["interval"][0] < 0.4 < plain["interval"][0]
    assert {*Tally().data().values()} == {0, None}
    assert tally([(True, 0.0)]).data()["random"] is None, "nothing to compare with"


def test_beyond_chance_has_the_interval_of_the_share_on_its_own_scale():
    found = tally([(True, 0.5)] * 15 + [(False, 0.5)] * 5).data()
    assert (found["corrected"], found["corrected_interval"]) == (0.5, [0.0626, 0.7763])
    perfect = tally([(True, 0.25)] * 20).data()
    low, high = perfect["corrected_interval"]
    assert low < perfect["corrected"] == high == 1
    without_a_choice = tally([(True, 1.0)] * 9).data()
    assert without_a_choice["corrected"] is without_a_choice["corrected_interval"] is None


def test_an_interval_never_begins_at_minus_zero():
    assert with_interval(0.62, [-0.001, 0.93]) == "62% 0–93"
    assert with_interval(0.62, [-0.2, 0.93]) == "62% -20 to 93"


def test_the_interval_beyond_chance_covers_the_truth_about_as_often_as_claimed():
    random, inside = Random(1), 0
    for _ in range(1_000):
        skill = random.choice((0.0, 0.1, 0.5, 0.9))
        chances = [random.choice((0.1, 0.3, 0.6)) for _ in range(150)]
        asked = ((random.random() < skill + (1 - skill) * one, one) for one in chances)
        low, high = tally(asked).data()["corrected_interval"]
        inside += low <= skill <= high
    assert 940 <= inside <= 980


def test_a_random_player_is_no_better_than_chance():
    grading = [(4, 1, True), (2, 0, True)] + [(4, 1, False), (2, 0, True)] * 3
    found = grade_players([line("a", "b", "a", grading)] * 3)[ALL_GAMES]["a"].data()
    assert found["choices"]["share"] == found["choices"]["random"] == 0.25
    assert found["choices"]["corrected"] == 0
    low, high = found["choices"]["interval"]
    assert low < 0.25 < high


def test_two_to_one_is_the_difference_that_the_model_says():
    rated = rate(matches(200, "a", "b", "a") + matches(100, "a", "b", "b"), ["a", "b"])
    assert rated["a"]["rating"] - rated["b"]["rating"] == pytest.approx(120, abs=3)


def test_matches_that_a_server_error_ended_are_not_rated():
    failed = ForfeitedTurn(1, "failed", "")
    lines = [*matches(20, "a", "b", "b", forfeit=failed), line("a", "b", "a")]
    assert rate(lines, ["a", "b"])["b"]["high"] < 2000


def test_grades_count_choices_and_phases():
    grading = [(9, 3, True), (5, 0, True), (5, 5, True), (4, 1, False), (3, 3, True), (1, 0, True)]
    found = grade_players([line("a", "b", "b", grading)])[ALL_GAMES]
    a, b = found["a"].data(), found["b"].data()
    assert (a["moves"]["of"], a["choices"]["of"], a["choices"]["share"]) == (3, 1, 1)
    assert (a["from_won"]["of"], a["from_won"]["share"]) == (1, 0)
    assert (b["choices"]["of"], b["choices"]["share"], b["moves"]["share"]) == (1, 0, 0.6667)
    assert b["blunders"] == {"opening": 0, "middle": 1, "end": 0}


def test_a_forfeit_in_a_won_position_is_a_win_that_was_not_kept():
    lost = ForfeitedTurn(1, "illegal", "")
    found = grade_players([line("a", "b", "b", [(9, 2, False)], lost)])[ALL_GAMES]["a"].data()
    assert (found["from_won"]["of"], found["from_won"]["share"]) == (1, 0)
    assert found["forfeits"] == {"illegal": 1}


def test_games_are_read_with_their_options_and_written_the_shortest_way():
    texts = ["number-duel:numbers=50,criteria=digit,factor", "divisor-duel:divisor=13"]
    games = read_games(texts)
    assert list(games) == ["number-duel:numbers=50", "divisor-duel:divisor=13"]
    assert read_games(games) == games
    three = read_games(["number-duel:numbers=50:criteria=factor,digit,digit-sum"])
    assert game_label(*three.values()) == "number-duel:numbers=50,criteria=factor,digit,digit-sum"


def test_a_game_or_a_long_command_given_twice_is_refused():
    with pytest.raises(OptionError, match="twice"):
        read_games(["number-duel", "number-duel:numbers=100"])
    with pytest.raises(OptionError, match="give the player a name"):
        read_players(["random", "ugi:python " + "x" * 40])
    assert read_players(["random", "mine=ugi:python x=1.py"])["mine"] == "ugi:python x=1.py"


def test_a_player_may_have_any_name():
    players = read_players(["perfect", "expert=ugi:python x.py", "random = novice"])
    assert players == {"perfect": "perfect", "expert": "ugi:python x.py", "random": "novice"}


def test_every_game_is_played_unless_some_are_named():
    assert [playing.id for playing in read_games(()).values()] == list(duels.GAMES)
    assert list(read_games(read_games(()))) == list(read_games(()))
