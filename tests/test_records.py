"""Records: whatever was written reads back as the same match, and damage is named."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import duels
from duels.core.errors import MatchError, RecordError
from duels.match.match import Match, new_match
from duels.match.record_data import record_data
from duels.match.records import read_json, read_records, read_text, write_json, write_text

FORMS = ((write_text, read_text), (write_json, read_json))

GAMES = st.one_of(
    st.builds(
        lambda n, c: duels.game("number-duel", numbers=n, criteria=c),
        st.integers(1, 120),
        st.lists(st.sampled_from(["factor", "digit", "digit-sum", "square-sum"]), min_size=1),
    ),
    st.builds(lambda d: duels.game("divisor-duel", divisor=d), st.integers(2, 10**31)),
    st.builds(lambda n: duels.game("number-line-duel", numbers=n), st.integers(1, 30)),
    st.builds(
        lambda n, o: duels.game("sequence-duel", numbers=n, opening=o),
        st.integers(2, 60),
        st.sampled_from(["any", "even"]),
    ),
    st.builds(lambda n: duels.game("number-chain-duel", numbers=n), st.integers(1, 20)),
)


@st.composite
def matches(draw):
    """Matches of any game, with any names, broken off anywhere or ended in any way."""
    names = draw(st.tuples(st.text(min_size=1), st.text(min_size=1)))
    limit = draw(st.none() | st.floats(5, 600))
    try:
        match = new_match(draw(GAMES), names, time_limit=limit, seed=draw(st.integers()))
    except MatchError:
        match = new_match(draw(GAMES), time_limit=limit, seed=0)
    match = replace(match, id="abc123", date="2026-11-15T12:00:00Z")
    chance = random.Random(draw(st.integers()))
    for _ in range(draw(st.integers(0, 40))):
        if match.outcome:
            return match
        move = chance.choice(match.position.legal_moves)
        match = match.play(move, round(chance.uniform(0, 5), 3))
    if match.outcome:
        return match
    return draw(st.sampled_from([match, match.resign(), match.out_of_time()]))


@given(st.lists(matches(), min_size=1, max_size=4))
@settings(deadline=None)
def test_a_written_record_reads_back_the_same(written):
    for write, read in FORMS:
        lines = "".join(write(match) for match in written).splitlines()
        assert list(read(lines)) == written


@given(st.text() | st.binary().map(lambda data: data.decode(errors="replace")))
def test_any_garbage_is_named_and_never_more_than_that(garbage):
    for _, read in FORMS:
        for record in read(garbage.splitlines()):
            assert isinstance(record, Match | RecordError)


@given(matches(), st.data())
@settings(deadline=None)
def test_a_record_with_a_changed_character_is_read_or_named(match, data):
    for write, read in FORMS:
        written = write(match)
        at = data.draw(st.integers(0, len(written) - 1))
        changed = written[:at] + data.draw(st.characters()) + written[at + 1 :]
        for record in read(changed.splitlines()):
            assert isinstance(record, Match | RecordError)


def sample():
    match = new_match(duels.game("sequence-duel", numbers=10), ("Alice", "Bob"), seed=7)
    for move in (6, 3, 9):
        match = match.play(move, 1.5)
    return replace(match, id="abc123", date="2026-11-15T12:00:00Z")


def test_the_text_form_is_for_people():
    assert write_text(sample()) == (
        '[Game "sequence-duel"]\n[Options "numbers=10 opening=any"]\n'
        '[Version "1"]\n[Player1 "Alice"]\n[Player2 "Bob"]\n[First "Alice"]\n'
        '[Date "2026-11-15T12:00:00Z"]\n[Id "abc123"]\n[Rules "1"]\n[Seed "7"]\n'
        '[Result "*"]\n[Termination "unfinished"]\n\n'
        "1. 6 {1.5} 3 {1.5}\n2. 9 {1.5}\n*\n\n"
    )


def test_first_says_who_begins_whatever_the_order_of_the_names():
    (match,) = read_text(write_text(sample()).replace('First "Alice"', 'First "Bob"').splitlines())
    assert match.names == ("Bob", "Alice")


@pytest.mark.parametrize(
    ("change", "line", "sentence"),
    [
        (("3 {1.5}", "4 {1.5}"), 14, "move 2: 4 is neither a factor nor a multiple of 6."),
        (("3 {1.5}", "x {1.5}"), 14, "move 2"),
        (('Game "sequence', 'Game "chess'), 1, "is not installed here"),
        (('[Player2 "Bob"]\n', ""), 1, 'the field "player2" is missing'),
        (('"*"', '"1-0"'), 16, 'it says * here and "1-0" above'),
        (("1. 6", "2. 6"), 14, '"2." is where 1. should be'),
        (("\n*\n", "\n* 2\n"), 16, "after the result"),
        (("numbers=10", "game_id=3"), 1, "no option"),
        (('Rules "1"', 'Rules "9"'), 1, "version 9 of the rules"),
        (('Version "1"', 'Version "2"'), 1, "it has version 2, and this program reads version 1"),
        (('Version "1"', 'Version "x"'), 1, 'it has version "x", and this program reads version 1'),
        (('Seed "7"', 'Seed "x"'), 1, 'its seed must be a whole number, not "x"'),
        (('[Date "', "[Date "), 7, "is not a tag"),
        (("numbers=10", "numbers=0"), 1, "from 1 to"),
    ],
)
def test_a_damaged_record_is_named_with_its_line_and_the_rest_are_read(
    tmp_path, change, line, sentence
):
    path = tmp_path / "games.txt"
    damaged = write_text(sample()).replace(*change)
    path.write_text(damaged + write_text(sample()))
    broken, good = read_records(path)
    assert good == sample()
    assert isinstance(broken, RecordError)
    assert broken.line == line
    assert sentence in str(broken)


def test_a_damaged_json_line_is_named_and_the_rest_are_read(tmp_path):
    path = tmp_path / "games.jsonl"
    good = write_json(sample())
    illegal = json.dumps(json.loads(good) | {"moves": [6, 6, 9]})
    path.write_text(f"{good}{good[:50]}\n[]\n{illegal}\n\n{good}")
    first, cut, listed, broken, last = read_records(path)
    assert first == last == sample()
    assert [error.line for error in (cut, listed, broken)] == [2, 3, 4]
    assert "move 2: 6 has been used already." in str(broken)


def test_a_damaged_first_line_does_not_hide_the_others(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("garbage\n" + write_json(sample()))
    broken, good = read_records(path)
    assert (broken.line, good) == (1, sample())


def test_a_record_cut_in_its_tags_does_not_melt_into_the_next(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("".join(write_text(sample()).splitlines(True)[:4]) + write_text(sample()))
    cut, good = read_records(path)
    assert isinstance(cut, RecordError)
    assert (cut.line, good) == (1, sample())


@pytest.mark.parametrize(
    "change",
    [
        {"time_limit": 10**400},
        {"options": {"game_id": "x"}},
        {"options": {"numbers": [1]}},
        {"moves": [10**400]},
        {"seed": 1e400},
    ],
)
def test_odd_values_are_a_damaged_record(tmp_path, change):
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(record_data(sample()) | change) + "\n" + write_json(sample()))
    broken, good = read_records(path)
    assert isinstance(broken, RecordError)
    assert good == sample()


def test_a_number_of_thousands_of_digits_is_a_damaged_record(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(write_json(sample()).replace("[6,", f"[{'6' * 5000},"))
    (broken,) = read_records(path)
    assert isinstance(broken, RecordError)


def test_replay_prints_the_game_again_and_names_damaged_records(call, tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("[Game nonsense\n\n1. 5\n" + write_text(sample()))
    done = call("replay", str(path))
    assert done.returncode == 0
    assert "line 1: this record is damaged" in done.stderr
    assert "Enter a number to remove: 9" in done.stdout
    assert done.stdout.endswith("The match was not finished.\n")
    assert json.loads(call("replay", str(path), "--json").stdout) == record_data(sample())
    assert call("replay", str(path), "--number", "2").returncode == 1


def test_a_file_of_rubbish_gets_a_few_lines_of_errors(call, tmp_path):
    path = tmp_path / "junk.jsonl"
    path.write_text("{}\n" * 500)
    done = call("replay", str(path))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) < 30
    assert "and 480 more damaged records" in done.stderr
    assert "no readable record" in done.stderr
    assert "needs a FILE" in call("review", "--number", "3").stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["match.txt", "match.jsonl"])
def test_play_writes_the_record_and_never_replaces_a_file(call, tmp_path, name):
    path = tmp_path / name
    args = ("play", "number-chain-duel", "--record", str(path))
    left = call(*args, typed="4\n2\n")
    (unfinished,) = read_records(path)
    assert unfinished.moves == (4, 2)
    done = call("resume", left.stderr.split()[-1], "--record", str(path), typed="8\n1\n5\n")
    assert done.returncode == 0, done.stderr
    (finished,) = read_records(path)
    assert finished.termination == "no-moves"
    assert call(*args).returncode == 1
    assert "never replaces a file" in call(*args).stderr


def test_a_record_file_that_changed_hands_is_left_alone(call, tmp_path):
    path = tmp_path / "match.txt"
    left = call("play", "number-chain-duel", "--record", str(path), typed="4\n")
    path.write_text("my shopping list")
    done = call("resume", left.stderr.split()[-1], "--record", str(path), typed="2\n")
    assert "contains something else" in done.stderr
    assert path.read_text() == "my shopping list"


@pytest.mark.parametrize("command", ["replay", "review"])
def test_at_a_terminal_the_games_of_a_file_are_shown_one_by_one(spawn, tmp_path, command):
    game, file = duels.game("number-chain-duel", numbers=2), tmp_path / "two.duel"
    names = (("Ann", "Ben"), ("Cleo", "Dan"), ("Eve", "Fay"))
    file.write_text("".join(write_text(new_match(game, both).play(1).play(2)) for both in names))
    child = spawn(command, str(file))
    child.expect_exact("Ann against Ben")
    child.expect_exact("Next game: Number Chain Duel (1 to 2), Cleo against Dan")
    child.sendline("")
    child.expect_exact("Next game: Number Chain Duel (1 to 2), Eve against Fay")
    child.sendline("quit")
    child.wait()
    assert child.exitstatus == 0


def test_a_record_that_is_not_there_may_have_been_a_file_or_a_saved_game(call):
    for command in ("replay", "review"):
        done = call(command, "nothing")
        assert done.returncode == 1
        assert 'There is no file and no saved game "nothing".' in done.stderr
