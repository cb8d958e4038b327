"""The puzzle of the day: frozen, with one winning move, harder towards Sunday; and the streak."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from datetime import date, timedelta
from hashlib import sha256
from statistics import mean

import pytest

import duels
from duels.coach import puzzles
from duels.coach.daily import (
    Streak,
    daily_puzzle,
    read_day,
    share_lines,
    squares,
    streak_words,
)
from duels.coach.puzzles import Attempt, measure
from duels.core.errors import OptionError
from duels.core.options import SetUp
from duels.theory import winning_moves
from rings import by_ring

pytestmark = pytest.mark.slow

FIRST = date(2026, 1, 1)
DAYS = {
    70: "ec15de81e17ee3cbfbee64396e874c11cb02599b45333cba2dae66ee8547949c",
    10_000: "200ac0fa0d47663e20efb7a8a87e037be6c73330fba26554daf5c7b2087b770e",
}
"""The hash of the first so many puzzles of the series. It never changes: see `SERIES`."""
DAY = "2027-01-31"
COLOUR = {"TERM": "xterm-256color"}


def days(count, first=FIRST):
    return [first + timedelta(days=number) for number in range(count)]


def written(puzzle):
    """All that must never change about a puzzle."""
    game, moves = puzzle.position.game, puzzle.position.moves
    data = [puzzle.id, game.id, game.options, moves, puzzle.winning_moves]
    return json.dumps(data, sort_keys=True)


# The series


def test_the_series_never_changes_and_has_one_winning_move_every_day():
    count, pinned = by_ring(70, long=10_000), sha256()
    for day in days(count):
        puzzle = daily_puzzle(day)
        assert len(puzzle.winning_moves) == 1
        assert winning_moves(puzzle.position) == puzzle.winning_moves
        pinned.update(f"{written(puzzle)}\n".encode())
    assert pinned.hexdigest() == DAYS[count]


def test_it_follows_from_the_date_alone(monkeypatch):
    expected = [written(daily_puzzle(day)) for day in days(14)]

    def fail(*_args, **_more):
        raise AssertionError("the daily puzzle depends on this")

    for kind in duels.GAMES.values():
        monkeypatch.setattr(kind, "setups", (SetUp("other", "another", size=3),))
    for module, name in ((puzzles, "measure"), (puzzles, "puzzle")):
        monkeypatch.setattr(module, name, fail)
    monkeypatch.setattr(puzzles, "HIGHEST", {"hard": 1})
    for name in ("choice", "random", "randrange", "seed", "getrandbits"):
        monkeypatch.setattr(random.Random, name, fail)
    monkeypatch.setitem(duels.GAMES, "other", type("Other", (duels.GAMES["sequence-duel"],), {}))
    assert [written(daily_puzzle(day)) for day in days(14)] == expected


def test_it_is_the_same_in_another_process():
    code = (
        "import sys; sys.path.insert(0, 'tests'); from test_daily import *; "
        "print([written(daily_puzzle(day)) for day in days(14)])"
    )
    said = {
        subprocess.run(
            [sys.executable, *flags, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            text=True,
            check=True,
            cwd=os.path.dirname(os.path.dirname(__file__)),
        ).stdout.strip()
        for flags, seed, zone in (((), "1", "Asia/Tokyo"), (("-O",), "2", "America/Lima"))
    }
    assert said == {str([written(daily_puzzle(day)) for day in days(14)])}


def test_it_gets_harder_towards_the_end_of_the_week():
    numbers, words = {}, {}
    for day in days(by_ring(42, long=700), date(2026, 1, 5)):
        puzzle = daily_puzzle(day)
        measured = measure(puzzle.position, puzzle.winning_moves)
        numbers.setdefault(puzzle.difficulty, []).append(measured.number)
        words.setdefault(day.weekday(), set()).add(puzzle.difficulty)
    assert words == dict(enumerate([{"easy"}] * 2 + [{"medium"}] * 3 + [{"hard"}] * 2))
    assert max(numbers["easy"]) < min(numbers["medium"])
    assert mean(numbers["easy"]) < mean(numbers["medium"]) < mean(numbers["hard"])


def test_every_game_of_ours_has_its_day_and_no_two_weeks_are_the_same():
    fortnight = days(28, date(2026, 11, 2))
    found = [daily_puzzle(day) for day in fortnight]
    assert {one.position.game.id for one in found} == {*duels.GAMES}
    assert len({(one.position.game, one.position) for one in found}) == len(found)


@pytest.mark.parametrize("day", [date.min, date(1970, 1, 1), date(2100, 2, 28), date.max])
def test_any_date_of_the_calendar_has_a_puzzle(day):
    assert len(daily_puzzle(day).winning_moves) == 1


@pytest.mark.parametrize(
    "text", ["", "today", "2027-02-30", "31.1.2027", "20270131", "2027-W04-7", "10000-01-01", "٢"]
)
def test_a_text_that_is_not_a_date_gets_a_sentence(text):
    with pytest.raises(OptionError, match="is not a date like 2027-01-31"):
        read_day(text)


# At the prompt


def answers(day=DAY):
    puzzle = daily_puzzle(read_day(day))
    write = puzzle.position.game.format
    (right,) = puzzle.winning_moves
    wrong = [move for move in puzzle.position.legal_moves if move != right]
    return write(right), [write(move) for move in wrong]


GOLDEN = """\
Number Chain Duel (1 to 33), easy. The puzzle of 2026-11-23.
Build a chain of factors and multiples; if you can't add one, you lose.

   ▲1    ●2   (▲3)   ●4    ▲5    ▲6     7    ●8    [9]  ▲10
   11   [12]   13    14   ●15   ▲16    17   ●18    19   ●20
  [21]   22    23   [24]   25    26   [27]   28    29   ●30
   31   ▲32   [33]

They took 3. You are ●, and may take 9, 12, 21, 24, 27 or 33.
One move wins. Which? (Or type hint, give up, help.)
Your move: 12

   ▲1    ●2    ▲3    ●4    ▲5    ▲6     7    ●8     9   ▲10
   11   ●12    13    14   ●15   ▲16    17   ●18    19   ●20
   21    22    23  (▲24)   25    26    27    28    29   ●30
   31   ▲32    33

12 loses. They take 24: nothing can follow it.
Take it back and try again.
Your move: 8
8 has been used already. Type your move; or hint, moves, board, rules, give up, quit.
Your move: hint
After which number do they have only one answer?
(Type hint again for more.)
Your move: 33
Right! Only 11 fits 33, so they have to take it. Then take 22: nothing can follow it.

Number Duels 2026-11-23: Number Chain Duel, easy
Solved in 2 tries with 1 hint
"""


def daily(call, typed="", day=DAY):
    return call("puzzle", "--daily", "--date", day, typed=typed)


def test_its_data(call):
    data = json.loads(call("puzzle", "--daily", "--date", DAY, "--json").stdout)
    position = duels.game(data["game"], **data["options"]).position(*map(str, data["moves"]))
    assert data["date"] == DAY
    assert data["legal_moves"] == [*position.legal_moves]
    assert data["winning_moves"] == [*winning_moves(position)]
    assert data["difficulty"] == "hard"
    today = json.loads(call("puzzle", "--daily", "--json").stdout)["date"]
    assert abs(date.fromisoformat(today) - date.today()) <= timedelta(days=1)


def test_the_whole_talk(call):
    """A golden dialogue: it may change for the better, by hand."""
    assert daily(call, "12\n8\nhint\n33\n", "2026-11-23").stdout == GOLDEN


def test_two_lines_to_share_that_do_not_tell_the_answer(call):
    right, wrong = answers()
    *_, blank, one, two = daily(call, f"{wrong[0]}\nhint\n{right}\n").stdout.splitlines()
    assert blank == ""
    assert one == f"Number Duels {DAY}: Sequence Duel, hard"
    assert two == "Solved in 2 tries with 1 hint"


def test_tries_are_remembered_when_a_player_leaves(call):
    right, wrong = answers()
    daily(call, f"{wrong[0]}\nnonsense\nhint\nquit\n")
    daily(call, f"{wrong[1]}\n")
    said = daily(call, f"{right}\n").stdout
    assert said.endswith("Solved in 3 tries with 1 hint\n")


def test_a_solved_one_can_be_seen_again_and_counts_once(call):
    right, wrong = answers()
    daily(call, f"{right}\n")
    again = daily(call, f"{wrong[0]}\n{right}\n").stdout
    assert again.startswith(f"Number Duels {DAY}: Sequence Duel, hard\nSolved in 1 try\n")
    assert again.count("Solved in") == 1
    assert "Right!" in again


def test_who_gave_up_cannot_solve_it_afterwards(call):
    right, _ = answers()
    assert daily(call, "give up\n").stdout.endswith("hard\nNot solved\n")
    daily(call, f"{right}\n")
    assert daily(call).stdout.splitlines()[1] == "Not solved"


def test_options_that_contradict_each_other_get_a_sentence(call):
    for more in (["--mine"], ["--seed", "1"], ["sequence-duel"], ["--numbers", "9"]):
        done = call("puzzle", "--daily", *more)
        assert done.returncode == 2
        assert "--daily takes no other option but --date and --json." in done.stderr
    assert "--date goes with --daily." in call("puzzle", "--date", DAY).stderr
    done = daily(call, day="2027-13-01")
    assert (done.returncode, done.stdout) == (2, "")
    assert '"2027-13-01" is not a date like 2027-01-31.' in done.stderr


def test_it_can_be_solved_where_nothing_can_be_saved(call, environment, tmp_path):
    (tmp_path / "state").write_text("in the way")
    right, _ = answers()
    done = daily(call, f"{right}\n")
    assert "Solved in 1 try" in done.stdout
    assert "Your result cannot be saved" in done.stderr


def test_today_on_a_terminal_begins_a_streak(spawn, tmp_path):
    child = spawn("puzzle", "--daily", **COLOUR)
    child.expect(r"The\s+puzzle\s+of\s+(\d{4}-\d\d-\d\d)\.")  # wrapped where it is long
    day = child.match[1]
    right, wrong = answers(day)
    child.expect("Your move: ")
    child.sendline(wrong[0])
    child.expect(r"loses\. ")
    child.expect("Your move: ")
    child.sendline(right)
    child.expect("Solved in 2 tries")
    child.expect_exact(child.delimiter)
    child.wait()
    streak = Streak(tmp_path / "state" / "duels")
    assert streak.attempt(read_day(day)) == Attempt(2, 0, True)
    assert streak.current(read_day(day)) == 1


# The streak

SUNDAY = date(2027, 1, 31)
ONE = timedelta(days=1)


@pytest.fixture
def streak(tmp_path):
    return Streak(tmp_path)


def solve(streak, day, today=None):
    streak.keep(day, Attempt(1, is_solved=True), today or day)


def test_days_in_a_row(streak):
    assert (streak.current(SUNDAY), streak.best) == (0, 0)
    for number in range(5):
        solve(streak, SUNDAY + number * ONE)
    last = SUNDAY + 4 * ONE
    assert streak.current(last) == streak.current(last + ONE) == 5
    assert streak.current(last + 2 * ONE) == 0
    solve(streak, last + 2 * ONE)
    assert (streak.current(last + 2 * ONE), streak.best) == (1, 5)


def test_only_the_puzzle_of_today_counts(streak):
    solve(streak, SUNDAY)
    solve(streak, SUNDAY - ONE, today=SUNDAY)
    solve(streak, SUNDAY + ONE, today=SUNDAY)
    assert streak.current(SUNDAY) == 1
    assert streak.attempt(SUNDAY + ONE).is_solved
    streak.keep(SUNDAY + 2 * ONE, Attempt(3, gave_up=True), SUNDAY + 2 * ONE)
    assert streak.best == 1


def test_a_clock_that_is_set_back_counts_no_day_twice_and_fills_no_gap(streak):
    for day in (SUNDAY, SUNDAY + 2 * ONE):
        solve(streak, day)
    solve(streak, SUNDAY + 2 * ONE)
    solve(streak, SUNDAY + ONE)  # by a clock that was set back
    assert streak.attempt(SUNDAY + ONE).is_solved
    assert streak.current(SUNDAY + ONE) == streak.current(SUNDAY + 2 * ONE) == 1
    solve(streak, SUNDAY + 3 * ONE)
    assert (streak.current(SUNDAY + 3 * ONE), streak.best) == (2, 2)


def test_a_day_that_counted_still_counts(streak):
    solve(streak, SUNDAY)
    solve(streak, SUNDAY, today=SUNDAY + ONE)
    assert streak.current(SUNDAY) == 1


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        '{"2027-01-31": 7}',
        '{"2027-01-31": {"tries": 1, "hints": 0, "is_solved": 1, "gave_up": false}}',
        '{"2027-01-31": {"tries": -1, "hints": 0, "is_solved": true, "gave_up": false}}',
        '{"2027-01-31": {"tries": true, "hints": 0, "is_solved": true, "gave_up": false}}',
        '{"one": {"tries": 1, "hints": 0, "is_solved": true, "gave_up": false, "counts": true}}',
    ],
)
def test_a_damaged_file_starts_over(streak, content):
    streak.notebook.path.write_text(content)
    assert streak.attempt(SUNDAY) == Attempt()
    assert (streak.current(SUNDAY), streak.best) == (0, 0)
    solve(streak, SUNDAY)
    assert (streak.current(SUNDAY), streak.best) == (1, 1)


@pytest.mark.parametrize(
    ("attempt", "row", "line"),
    [
        (Attempt(1, is_solved=True), 0, "Solved in 1 try"),
        (Attempt(1, is_solved=True), 1, "Solved in 1 try"),
        (Attempt(3, 2, is_solved=True), 5, "Solved in 3 tries with 2 hints, 5 days in a row"),
        (Attempt(2, gave_up=True), 0, "Not solved, after 2 tries"),
    ],
)
def test_the_line_to_share(attempt, row, line):
    assert share_lines("Number Duels", attempt, row) == ["Number Duels", line]


@pytest.mark.parametrize(
    ("row", "most", "words"),
    [
        (0, 0, "One puzzle a day, the same for everyone."),
        (0, 1, "One puzzle a day, the same for everyone. Your longest streak: 1 day."),
        (1, 1, "Your streak: 1 day."),
        (2, 7, "Your streak: 2 days. Your longest streak: 7 days."),
    ],
)
def test_the_words_of_a_streak(row, most, words):
    assert streak_words(row, most) == words


@pytest.mark.parametrize(
    ("attempt", "row"),
    [
        (Attempt(1, is_solved=True), ["solved"]),
        (Attempt(3, 1, is_solved=True), ["wrong", "wrong", "hint", "solved"]),
        (Attempt(2, gave_up=True), ["wrong", "wrong", "unsolved"]),
        (Attempt(99, 99, gave_up=True), ["wrong"] * 8 + ["hint"] * 8 + ["unsolved"]),
    ],
)
def test_squares_show_tries_and_hints_and_no_move(attempt, row):
    assert squares(attempt) == row
