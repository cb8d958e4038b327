"""A computer that is matched to a person: `--vs auto`."""

from __future__ import annotations

import json
import re
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import duels
from duels.match.match import Seat, new_match
from duels.match.players.levels import Computer, between
from duels.match.strengths import RATINGS, Standing, Strengths
from duels.terminal.table import next_opponent

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
from ladder import auto_games

KIND = duels.GAMES["number-chain-duel"]
NEXT = "Your next opponent is matched to you: strength"
SOON = "The first results count most, so it soon finds your level."


def a_match(strengths, first=True, **more):
    seats = ("Ann", strengths.seat(KIND))
    return new_match(KIND(numbers=2), seats if first else seats[::-1], **more)


def test_it_begins_at_25_and_takes_smaller_steps(tmp_path):
    standing, ratings = Strengths(tmp_path).of(KIND), []
    assert standing.strength == 25
    for won in (True, False, False, True, True):
        standing = standing.after(won)
        ratings.append(standing.rating)
    steps = [abs(after - before) for before, after in pairwise([360, *ratings])]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > 2 * steps[-1]


def test_a_surprising_result_counts_more_than_an_expected_one():
    standing = Standing(rating=360, games=10)
    gains = [standing.after(won=True, against=strength).rating for strength in (0, 25, 100)]
    losses = [standing.after(won=False, against=strength).rating for strength in (0, 25, 100)]
    assert 360 < gains[0] < gains[1] < gains[2]
    assert losses[0] < losses[1] < losses[2] < 360


def test_it_stays_between_0_and_100():
    low = high = Standing()
    for _ in range(40):
        low, high = low.after(won=False), high.after(won=True)
    assert (low.strength, high.strength) == (0, 100)


@pytest.mark.parametrize("skill", [10, 35, 60, 90])
def test_a_person_comes_to_win_about_half(skill):
    """Somebody wins the more often, the further the computer's rating is below their own."""
    rating = between(RATINGS, skill)
    chance, standing, wins = Random(skill), Standing(), []
    for _ in range(400):
        won = chance.random() < 1 / (1 + 10 ** ((standing.rating - rating) / 400))
        wins.append(won)
        standing = standing.after(won)
    assert 0.42 < sum(wins) / len(wins) < 0.58
    assert abs(standing.rating - rating) < 120


def test_it_has_a_separate_strength_for_each_game(tmp_path):
    strengths = Strengths(tmp_path)
    match = a_match(strengths)
    strengths.begin(match)
    assert strengths.count(match) is None  # it is not over
    assert strengths.count(match.resign()).strength == 6
    assert strengths.of(KIND) == Standing(94, 1, {match.id: 0})
    assert strengths.of(duels.GAMES["sequence-duel"]) == Standing()


def test_every_match_of_a_duel_counts_and_others_do_not(tmp_path):
    strengths = Strengths(tmp_path)
    assert strengths.count(a_match(strengths).resign()) is None
    match = a_match(strengths, first=False, matches=2)
    strengths.begin(match)
    assert strengths.count(match.resign()).strength == 100
    following = match.resign().next()
    assert following.computer(2) == "25"  # the strength is fixed for the duel
    assert strengths.count(following.resign()).strength == 20


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "not JSON",
        '{"number-chain-duel": 7}',
        '{"number-chain-duel": {"rating": 701, "games": 0, "matches": {}}}',
        '{"number-chain-duel": {"rating": 40.5, "games": 0, "matches": {}}}',
        '{"number-chain-duel": {"rating": true, "games": 0, "matches": {}}}',
        '{"number-chain-duel": {"rating": 40, "games": -1, "matches": {}}}',
        '{"number-chain-duel": {"rating": 40, "games": 1, "matches": {"a": true}}}',
        '{"number-chain-duel": {"rating": 40}}',
        "[" * 100_000,
    ],
)
def test_a_damaged_file_starts_over(tmp_path, content):
    strengths = Strengths(tmp_path)
    strengths.notebook.path.write_text(content)
    assert strengths.of(KIND) == Standing()
    match = a_match(strengths)
    strengths.begin(match)
    assert strengths.count(match.resign()).strength == 6


def test_strengths_of_other_games_stay(tmp_path):
    strengths = Strengths(tmp_path)
    strengths.notebook.path.write_text(
        '{"version": 1, "a-game-elsewhere": {"strength": 70, "more": 1}}'
    )
    strengths.begin(a_match(strengths))
    kept = json.loads(strengths.notebook.path.read_text())
    assert kept["a-game-elsewhere"] == {"strength": 70, "more": 1}


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(tmp_path):
    (tmp_path / "taken").write_text("")
    strengths = Strengths(tmp_path / "taken")
    match = a_match(strengths)
    strengths.begin(match)
    assert strengths.count(match.resign()) is None


def auto(call, typed, *more):
    return call("play", "number-chain-duel", "--numbers", "2", "--vs", "auto", *more, typed=typed)


def test_it_says_its_strength_before_and_after(call, tmp_path):
    done = auto(call, "resign\ny\n")
    assert "Your opponent is matched to you: strength 25 of 100." in done.stdout
    assert f"{NEXT} 6 instead of 25. {SOON}" in done.stdout
    done = auto(call, "resign\ny\n", "--vs", "AUTO")
    assert "needs a person" in done.stderr
    done = auto(call, "resign\ny\n", "--players", "Ann", "Robot", "--record", str(tmp_path / "r"))
    assert "strength 6 of 100" in done.stdout
    record = (tmp_path / "r").read_text()
    assert '[Player2 "Robot"]' in record
    assert '[Computer2 "6"]' in record


def test_a_win_after_coming_back_counts_too(call):
    done = auto(call, "quit\n", "--first", "computer")
    match_id = call("resume").stdout.split()[0]
    done = call("resume", match_id, typed="1\n2\n")
    assert "matched to you: strength 25" in done.stdout
    assert f"{NEXT} 100, which never misses a win, instead of 25. {SOON}" in done.stdout


def test_it_says_when_the_strength_stays_and_does_not_call_a_late_result_a_first_one(tmp_path):
    match = new_match(duels.game("number-chain-duel"), (Seat("Ann"), Seat("Computer", "0")))
    assert next_opponent(match, Standing(rating=0, games=9)) == f"{NEXT} 0 again."
    assert next_opponent(match, Standing(rating=165, games=9)) == (
        f"{NEXT} 10, which takes most wins in one move, and half the wins in two, instead of 0."
    )


def test_a_match_against_a_named_strength_changes_nothing(call):
    done = call("play", "number-chain-duel", "--vs", "25", typed="resign\ny\n")
    assert "Your next opponent" not in done.stdout
    assert "strength 25" in auto(call, "").stdout


def test_a_computer_of_a_named_strength_is_called_by_it(call):
    done = call("play", "number-chain-duel", "--vs", "80", "--vs", "novice", "--seed", "1")
    assert "strength 80 selects: " in done.stdout


@pytest.mark.slow
def test_a_perfect_player_meets_perfect_soon_and_a_novice_wins_about_half():
    """Thirty games against the matched computer, ten times each."""
    game = KIND.all_setups()[0].game(KIND)
    met = [100 in auto_games(game, "perfect", seed, 10)[1] for seed in range(10)]
    assert sum(met) >= 7
    shares = [auto_games(game, "novice", seed)[0] for seed in range(10)]
    assert 0.45 < sum(shares) / 10 < 0.55


def test_it_finds_the_strength_of_its_opponent():
    """Computers take the place of people: a player of any strength soon wins about half."""
    game, found = KIND.all_setups()[0].game(KIND), {}
    for skill in (10, 70):
        standing, wins, seen = Standing(), 0, []
        for round_ in range(60):
            chance, me, here = Random(round_), 1 + round_ % 2, game.start()
            while here.outcome is None:
                strength = skill if here.to_move == me else standing.strength
                here = here.play(Computer(strength, chance).choose(here))
            wins += here.outcome.winner == me
            standing = standing.after(here.outcome.winner == me)
            seen.append(standing.strength)
        assert 0.35 < wins / 60 < 0.65
        found[skill] = sum(seen[20:]) / 40
    assert found[10] < 35 < 50 < found[70]


@pytest.mark.parametrize(("hints", "strength"), [(0, 100), (1, 46), (3, 35)])
def test_a_win_with_hints_raises_the_strength_less(call, hints, strength):
    done = auto(call, "hint\n" * hints + "1\n2\n", "--first", "computer", "--seed", "1")
    assert re.search(rf"{NEXT} {strength}\b", done.stdout)


def test_a_hint_counts_after_coming_back(call):
    auto(call, "hint\nquit\n", "--first", "computer", "--seed", "1")
    match_id = call("resume").stdout.split()[0]
    done = call("resume", match_id, typed="1\n2\n")
    assert f"{NEXT} 46 instead of 25." in done.stdout


def test_hints_count_in_the_game_of_a_duel_in_which_they_were_taken(tmp_path):
    strengths = Strengths(tmp_path)
    match = a_match(strengths, first=False, matches=2)
    strengths.begin(match)
    strengths.take_hint(match)
    first = strengths.count(match.resign())
    second = strengths.count(match.resign().next().resign())
    assert first == Standing(493, 1, {match.id: 0})
    assert second.rating == first.after(won=False, against=25).rating
