"""A duel of several matches: sides swapped, the score announced, resumed as a whole."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import duels
from duels.core.errors import MatchError
from duels.match.match import Duel, Seat, new_match
from duels.match.record_data import record_data
from duels.match.records import read_json, read_text, write_json, write_text
from duels.match.saved_games import SavedGames

TINY = ("play", "number-chain-duel", "--numbers", "2", "--players", "Ann", "Ben")
"""Whoever begins takes one of two numbers, the other takes the second and wins."""


def first_match(matches=3):
    game = duels.game("number-chain-duel", numbers=2)
    return new_match(game, ("Ann", Seat("casual", "casual")), seed=7, matches=matches)


def over(match):
    return match.play(1).play(2)


def test_sides_are_swapped_and_the_score_goes_with_the_players():
    one = over(first_match())
    two = one.next()
    assert two.names == ("casual", "Ann")
    assert two.duel == Duel(2, 3, (1, 0))
    assert two.computer(1) == "casual"
    three = over(two).next()
    assert three.names == ("Ann", "casual")
    assert three.duel == Duel(3, 3, (1, 1))
    assert over(three).score == (1, 2)
    assert over(three).next() is None


def test_every_match_has_its_own_id_and_seed_and_knows_its_duel():
    one = over(first_match())
    two = one.next()
    three = over(two).next()
    assert len({one.id, two.id, three.id}) == len({one.seed, two.seed, three.seed}) == 3
    assert one.duel_id == two.duel_id == three.duel_id == one.id
    assert one.next().id == two.id  # so that it is found again


def test_a_match_that_is_not_over_or_is_alone_has_no_next():
    assert first_match().next() is None
    alone = over(first_match(matches=1))
    assert alone.duel is None
    assert alone.next() is None


@pytest.mark.parametrize("matches", [0, -1, 101, "two", "1.5", ""])
def test_a_number_of_games_that_cannot_be_is_refused(matches):
    with pytest.raises(MatchError, match="from 1 to 100"):
        first_match(matches)


@pytest.mark.parametrize(("write", "read"), [(write_json, read_json), (write_text, read_text)])
def test_a_record_carries_the_duel_and_is_read_back(write, read):
    for match in (first_match(1), first_match(), over(first_match()).next()):
        assert [*read(write(match).splitlines())] == [match]


def test_a_record_says_in_words_which_match_it_is():
    two = over(first_match()).next()
    assert '[Duel "2 of 3, 1-0"]' in write_text(two)
    assert "[Duel" not in write_text(first_match(1))


@pytest.mark.parametrize("said", ["2 of 1, 1-0", "2 of 3, 1-1", "0 of 3, 0-0", "x", 7, {}])
def test_a_record_cannot_claim_a_duel_that_could_not_be(said):
    data = record_data(first_match()) | {"duel": said}
    (read,) = read_json([json.dumps(data)])
    assert 'its duel must be like "2 of 3, 0-1", not ' in str(read)


def test_a_duel_is_played_to_its_end_with_the_score_after_each_game(call):
    done = call(*TINY, "--matches", "2", typed="1\n2\n1\n2\n")
    assert "A duel of 2 games. Game 1: Ann moves first." in done.stdout
    assert "Score: 0 for Ann, 1 for Ben. Game 2 of 2: Ben moves first." in done.stdout
    assert done.stdout.rstrip().endswith("Score: 1 for Ann, 1 for Ben. The duel is a draw.")
    assert "Ben selects: 1" in done.stdout


def test_an_odd_number_of_games_has_a_winner(call):
    done = call(*TINY, "--matches", "3", typed="1\n2\n" * 3)
    assert done.stdout.rstrip().endswith("Score: 1 for Ann, 2 for Ben. Ben wins the duel.")


def test_resigning_counts(call):
    done = call(*TINY, "--matches", "2", typed="resign\ny\nresign\ny\n")
    assert "Score: 0 for Ann, 1 for Ben. Game 2 of 2" in done.stdout
    assert "Score: 1 for Ann, 1 for Ben. The duel is a draw." in done.stdout


def test_one_match_is_as_ever(call):
    assert (
        call(*TINY, "--matches", "1", typed="1\n2\n").stdout == call(*TINY, typed="1\n2\n").stdout
    )


def test_bad_numbers_of_matches_are_refused_with_a_sentence(call):
    done = call(*TINY, "--matches", "0")
    assert done.returncode == 2
    assert "from 1 to 100" in done.stderr


def listed(call):
    return [line.split()[0] for line in call("resume").stdout.splitlines()]


def test_a_duel_is_resumed_as_a_whole(call):
    call(*TINY, "--matches", "3", typed="1\nquit\n")
    (first,) = listed(call)
    done = call("resume", first, typed="2\n1\n")
    assert "Score: 0 for Ann, 1 for Ben. Game 2 of 3: Ben moves first." in done.stdout
    assert "game 2 of 3, move 2" in call("resume").stdout
    for match_id in (f"{first}g2", *listed(call)):  # by the id of any of its matches
        done = call("resume", match_id, typed="")
        assert "Game 2 of 3. Score: 0 for Ann, 1 for Ben." in done.stdout
        assert "Moves so far: 1" in done.stdout
    done = call("resume", first, typed="2\n1\n2\n")
    assert done.stdout.rstrip().endswith("Score: 1 for Ann, 2 for Ben. Ben wins the duel.")
    assert listed(call) == []
    assert "That game is over" in call("resume", first).stderr


def test_leaving_between_two_games_saves_the_duel(call):
    done = call(*TINY, "--matches", "2", typed="1\n2\n")
    (match_id,) = listed(call)
    assert f"Duel saved. To continue: duels resume {match_id}" in done.stderr
    done = call("resume", match_id, typed="1\n2\n")
    assert done.stdout.startswith("Game 2 of 2. Score: 0 for Ann, 1 for Ben.")
    assert "Ben selects: 1" in done.stdout
    assert done.stdout.rstrip().endswith("Score: 1 for Ann, 1 for Ben. The duel is a draw.")


def test_the_list_names_the_game_that_resume_opens(call):
    call(*TINY, "--matches", "3", typed="1\n2\n1\n2\n")
    assert "Ann against Ben" in (line := call("resume").stdout)
    assert "game 3 of 3, move 1, just now" in line
    (said,) = json.loads(call("resume", "--json").stdout)
    assert (said["duel"], said["moves"]) == ("3 of 3, 1-1", [])
    for match_id in (*listed(call), said["id"]):
        done = call("resume", match_id)
        assert done.stdout.startswith("Game 3 of 3. Score: 1 for Ann, 1 for Ben.")
        assert json.loads(call("resume", match_id, "--json").stdout)["duel"] == said["duel"]
    call("resume", "--forget", "all")
    assert listed(call) == []


def test_a_duel_that_has_not_begun_is_not_saved(call):
    assert "nothing to save" in call(*TINY, "--matches", "2").stderr


@pytest.mark.parametrize("ending", ["txt", "jsonl"])
def test_the_record_file_has_every_match_of_the_duel(call, tmp_path, ending):
    record = tmp_path / f"duel.{ending}"
    call(*TINY, "--matches", "3", "--record", str(record), typed="1\n2\n1\n")
    (match_id,) = listed(call)
    call("resume", match_id, "--record", str(record), typed="2\n2\n1\n")
    done = call("replay", str(record), "--json")
    read = [json.loads(line) for line in done.stdout.splitlines()]
    assert [match["duel"] for match in read] == ["1 of 3, 0-0", "2 of 3, 1-0", "3 of 3, 1-1"]
    assert [match["moves"] for match in read] == [[1, 2], [1, 2], [2, 1]]


def test_taking_back_the_only_move_of_the_second_game_leaves_the_first_in_the_record(
    call, tmp_path
):
    record = tmp_path / "duel.txt"
    call(*TINY, "--matches", "2", "--record", str(record), typed="1\n2\n1\nundo\ny\nquit\n")
    assert record.read_text().count("[Game ") == 1


def test_a_duel_whose_latest_match_is_missing_plays_it_again(tmp_path):
    store = SavedGames(tmp_path)
    one = over(first_match())
    two = one.next().play(1)
    store.save(one)
    store.save(two)
    assert store.load_current(one.id)[0] == two
    store.drop(two.id)
    fresh = store.load_current(one.id)[0]
    assert replace(fresh, date=two.date) == two.undo()


def test_a_duel_is_forgotten_as_a_whole_from_the_list(call):
    call(*TINY, "--matches", "3", typed="1\n2\n1\nquit\n")
    (match_id,) = listed(call)
    call("resume", "--forget", match_id)
    assert listed(call) == []
    assert "There is no finished game" in call("replay").stderr


def test_a_set_up_that_needs_two_matches_has_them(call):
    done = call("play", "divisor-duel", "--setup", "by-12", typed="")
    assert "A duel of 2 games" in done.stdout
    done = call("play", "divisor-duel", "--setup", "by-12", "--matches", "1", typed="")
    assert "A duel of" not in done.stdout


def test_options_on_the_command_line_override_a_set_up(call):
    done = call(
        "play", "sequence-duel", "--setup", "even 30", "--players", "A", "B", typed="3\n2\nquit\n"
    )
    assert "3 is odd" in done.stdout
    assert "(1 to 30 · even opening)" in call("resume").stdout
    call("play", "sequence-duel", "--setup", "even-30", "--numbers", "12", typed="2\nquit\n")
    assert "(1 to 12 · even opening)" in call("resume").stdout


def test_an_unknown_set_up_is_refused_with_the_names_of_those_there_are(call):
    done = call("play", "sequence-duel", "--setup", "odd")
    assert done.returncode == 2
    assert 'sequence-duel has no set-up "odd"; it has even-40' in done.stderr


def test_without_a_set_up_it_is_the_rule_books_game(call):
    done = [call("play", "number-line-duel", *more) for more in ((), ("--setup", "rule-book"))]
    assert done[0].stdout == done[1].stdout


def test_the_list_of_games_has_the_set_ups(call):
    assert "--setup even-40: 1 to 40" in call("games").stdout
    for game in json.loads(call("games", "--json").stdout):
        names = [setup["name"] for setup in game["setups"]]
        assert names[-1] == "rule-book"
        assert len(names) >= 3
