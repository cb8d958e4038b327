"""Ratings do not depend on the order of matches; grades are counted as they are defined."""

from __future__ import annotations

from math import exp, log, log1p
from random import Random

import numpy as np
import pytest

import duels
from duels.cli.runs import every_game
from duels.core.errors import OptionError
from duels.lab.arena.ratings import SCALE, rate, ratings_of
from duels.lab.arena.results import ForfeitedTurn, Grade, MatchResult, grade_players
from duels.lab.arena.tournament import game_label, read_games, read_players
from duels.lab.scores import ALL_GAMES, Tally, tally

pytestmark = pytest.mark.slow


def line(one, two, winner, grading=(), forfeit=None):
    result = "1-0" if winner == one else "0-1"
    record = {"player1": one, "player2": two, "result": result}
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


def test_a_player_who_never_loses_has_a_finite_rating_and_an_open_end():
    rated = rate([line("a", "b", "a")] * 30, ["a", "b"])
    assert 1500 < rated["a"]["low"] < rated["a"]["rating"] < 2500
    assert rated["a"]["high"] is None
    assert rated["b"]["low"] is None
    assert rated["b"]["rating"] < rated["b"]["high"] < 1500


def test_players_who_have_not_met_can_be_anything():
    rated = rate([], ["a", "b"])
    assert rated["a"] == {"rating": 1500, "low": None, "high": None}


def test_an_interval_is_the_profile_likelihoods():
    rated = rate([line("a", "b", "a")] * 30 + [line("a", "b", "b")] * 10, ["a", "b"])
    apart = [2 * (rated["a"][end] - 1500) / SCALE for end in ("low", "high")]

    def likelihood(d):  # of two players, by hand
        return -30 * log1p(exp(-d)) - 10 * log1p(exp(d))

    for end in apart:
        assert likelihood(log(3)) - likelihood(end) == pytest.approx(3.8415 / 2, abs=0.06)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    truth = np.array([0, 100, 250, 800]) / SCALE
    truth -= truth.mean()
    chance = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
    above = np.triu(np.random.default_rng(1).binomial(20, chance, (200, 4, 4)), 1)
    wins = above + np.triu(20 - above, 1).transpose(0, 2, 1)
    _, low, high = ratings_of(wins.astype(float))
    assert 0.92 < ((low <= truth) & (truth <= high)).mean() < 0.99


def test_a_share_has_wilsons_interval_and_matches_count_as_one_where_they_are_alike():
    plain = tally([(True, 0.5)] * 15 + [(False, 0.5)] * 5)
    assert plain.interval == [0.5313, 0.8881]  # as in the textbooks
    assert (plain.share, plain.random, plain.corrected) == (0.75, 0.5, 0.5)
    alike = Tally([(5, 5, 2.5)] * 3 + [(0, 5, 2.5)])
    assert alike.interval[0] < 0.4 < plain.interval[0]
    assert Tally().interval is Tally().share is Tally().corrected is None


def test_a_random_player_is_no_better_than_chance():
    grading = [(4, 1, True), (2, 0, True)] + [(4, 1, False), (2, 0, True)] * 3
    found = grade_players([line("a", "b", "a", grading)] * 3)[ALL_GAMES]["a"].data()
    assert found["choices_kept"] == found["random"]["choices_kept"] == 0.25
    assert found["corrected"]["choices_kept"] == 0
    assert found["intervals"]["choices_kept"][0] < 0.25 < found["intervals"]["choices_kept"][1]


def test_two_to_one_is_the_difference_that_the_model_says():
    rated = rate([line("a", "b", "a")] * 200 + [line("a", "b", "b")] * 100, ["a", "b"])
    assert rated["a"]["rating"] - rated["b"]["rating"] == pytest.approx(120, abs=3)


def test_matches_that_a_server_error_ended_are_not_rated():
    failed = ForfeitedTurn(1, "failed", "", legal=1, winning=0)
    lines = [line("a", "b", "b", forfeit=failed)] * 20 + [line("a", "b", "a")]
    assert rate(lines, ["a", "b"])["a"]["rating"] > 1500


def test_grades_count_choices_and_phases():
    grading = [(9, 3, True), (5, 0, True), (5, 5, True), (4, 1, False), (3, 3, True), (1, 0, True)]
    found = grade_players([line("a", "b", "b", grading)])[ALL_GAMES]
    a, b = found["a"].data(), found["b"].data()
    assert (a["moves"], a["choices"], a["choices_kept"]) == (3, 1, 1)
    assert (a["won_positions"], a["wins_from_won_positions"]) == (1, 0)
    assert (b["choices"], b["choices_kept"], b["value_preserving"]) == (1, 0, 0.6667)
    assert b["blunders"] == {"opening": 0, "middle": 1, "end": 0}


def test_a_forfeit_in_a_won_position_is_a_win_that_was_not_kept():
    lost = ForfeitedTurn(1, "illegal", "", legal=9, winning=2)
    found = grade_players([line("a", "b", "b", forfeit=lost)])[ALL_GAMES]["a"].data()
    assert (found["won_positions"], found["wins_from_won_positions"]) == (1, 0)
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


def test_every_game_is_there_unless_somebody_names_some():
    assert [playing.id for playing in read_games(every_game()).values()] == list(duels.GAMES)
    assert list(read_games(every_game())) == every_game()
