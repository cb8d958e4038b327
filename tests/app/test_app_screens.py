"""The other screens of the app: review, lists, puzzles, lessons and rules."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from driver import SIZES, Driver, chain_match, drive
from textual import events
from textual.widgets import Input

import duels
from duels.coach.daily import Streak, daily_puzzle
from duels.coach.lessons import lesson_of
from duels.coach.puzzles import Puzzle
from duels.core.look import LOSING
from duels.match.match import Seat, new_match
from duels.match.records import write_json, write_text
from duels.match.saved_games import SavedGames
from duels.terminal.app.learn import LessonScreen
from duels.terminal.app.review import ReviewScreen
from duels.terminal.lesson import StepsDone
from rings import all_if_long

# Review and lists


@pytest.mark.parametrize("size", all_if_long(SIZES, (80, 24), (40, 20)), ids=str)
def test_a_review_begins_where_the_game_turned(tmp_path, size):
    SavedGames(tmp_path / "matches").save(chain_match(4, 8, 1, 7))

    async def look(app: Driver) -> None:
        await app.press("v", "enter")
        await app.until(lambda: isinstance(app.screen, ReviewScreen) and app.screen.found)
        assert app.screen.ply == 1
        assert "5 would have won" in app.words("note") or "7 would have won" in app.words("note")
        assert "You took 4" in app.words("status") or "4" in app.words("status")
        assert re.search(rf"^ {{12}}{LOSING} *\n Winning: ●\[▲\]▲▲▲", app.words("strip"))
        await app.press("home")
        assert app.screen.ply == 0
        assert re.search(rf"^ {{13}}{LOSING} *\n Winning: \[●\]▲▲▲▲", app.words("strip"))
        assert "★" in app.text(), "the better move is marked"
        await app.press("right", "right", "end")
        assert app.screen.ply == 4
        assert "play on" not in app.keys
        await app.press("p")
        assert "The game is over here." in app.words("note")
        await app.press("t", "p")
        assert app.match.moves == (), "from before the mistake"
        assert "Move 1: you played 4. Find a move that wins." in app.words("note")
        assert all(len(line) <= size[0] for line in app.lines())

    drive(tmp_path, look, size)


@pytest.mark.parametrize("write", [write_text, write_json], ids=["text", "json"])
def test_a_pasted_record_is_reviewed(tmp_path, write):
    record = write(chain_match(4, 8, 1, 7))

    async def paste(app: Driver) -> None:
        await app.press("v")
        app.screen.post_message(events.Paste("garbage"))
        await app.until(lambda: "not a record" in app.text())
        app.screen.post_message(events.Paste(record))
        await app.until(lambda: isinstance(app.screen, ReviewScreen))
        assert app.screen.match.moves == (4, 8, 1, 7)

    drive(tmp_path, paste)


def test_a_game_without_a_mistake_is_explained_in_one_paragraph(tmp_path):
    seats = (Seat("Computer", "casual"), Seat("Ann"))
    match = new_match(duels.game("number-chain-duel"), seats).play(7).play(1).play(5)

    async def paste(app: Driver) -> None:
        await app.press("v")
        app.screen.post_message(events.Paste(write_text(match)))
        await app.until(lambda: isinstance(app.screen, ReviewScreen) and app.screen.found)
        await app.press("end")
        assert "could not force a win" in app.words("note")
        assert "  " not in app.words("note")
        await app.press("t")
        assert app.words("note") == "Neither player made a losing mistake."

    drive(tmp_path, paste)


def test_an_unfinished_game_is_deleted_after_a_question(tmp_path):
    store = SavedGames(tmp_path / "matches")
    store.save(chain_match(4, 8))

    async def delete(app: Driver) -> None:
        await app.press("r", "d", "n")
        assert [*store.all()]
        await app.press("d", "y")
        assert not [*store.all()]
        assert "There is no unfinished game." in app.text()

    drive(tmp_path, delete)


def test_a_saved_game_starts_no_program_without_a_yes(tmp_path):
    match = chain_match(4, 8)
    hostile = new_match(match.game, (Seat("Ann"), Seat("them", f"ugi:touch {tmp_path}/pwned")))
    SavedGames(tmp_path / "matches").save(hostile.play(4))

    async def resume(app: Driver) -> None:
        await app.press("r", "enter")
        await app.until(lambda: "Is that all right?" in app.text())
        await app.press("n")
        assert not hasattr(app.screen, "match")

    drive(tmp_path, resume)
    assert not (tmp_path / "pwned").exists()


# Puzzles and lessons


def test_todays_puzzle_is_refuted_hinted_and_solved(tmp_path):
    puzzle = daily_puzzle(date.today())
    write = puzzle.position.game.format
    wrong = next(m for m in puzzle.position.legal_moves if m not in puzzle.winning_moves)

    async def solve(app: Driver) -> None:
        await app.press("p")
        await app.until(lambda: app.screen.solving, "the puzzle")
        await app.type(write(wrong))
        assert "Try again." in app.words("note")
        await app.press("h")
        assert app.words("note")
        await app.type(write(puzzle.winning_moves[0]))
        assert "Solved" in app.words("status")
        assert "Solved in 2 tries with 1 hint" in app.words("note")
        await app.press("enter")
        await app.until(lambda: not app.screen.is_over, "another")
        assert "★" not in app.text()
        await app.press("h", "h", "h", "h")  # the last two name the winning move, and mark it
        assert "★" in app.text() or "━" in app.text()
        await app.press("g")
        assert "Not solved" in app.words("status")

    drive(tmp_path, solve)
    assert Streak(tmp_path).attempt(date.today()).is_solved


def test_a_long_result_in_a_narrow_list_is_not_cut(tmp_path):
    names = (Seat("Bartholomew the Great of Outer Nowhere"), Seat("Ann"))

    async def look(app: Driver) -> None:
        game = duels.game("number-duel", numbers=100)
        app.app.store.save(new_match(game, names).play(12).resign())
        await app.press("v")
        assert "Outer Nowhere won" in " ".join(app.text().split())

    drive(tmp_path, look, (40, 20))


def test_lists_speak_of_you_and_the_computer(tmp_path):
    game, seats = duels.game("number-chain-duel"), (Seat("Player 1"), Seat("Computer", "casual"))

    async def look(app: Driver) -> None:
        app.app.store.save(new_match(game, seats).play(4))
        app.app.store.save(new_match(game, seats).play(4).play(8).resign())
        await app.press("r")
        who = "You against the computer (casual)"
        assert f"{who}, Number Chain Duel (1 to 9), move 2, just now" in app.text()
        await app.press("escape", "v")
        assert f"{who}, Number Chain Duel (1 to 9), the computer won, just now" in app.text()

    drive(tmp_path, look, (120, 40))


def test_a_row_of_80_columns_names_the_board_or_the_level(tmp_path):
    seats = (Seat("Player 1"), Seat("Computer", "casual"))

    async def look(app: Driver) -> None:
        for kind in duels.GAMES.values():
            match = new_match(kind.usual(), seats)
            match = match.play(match.position.legal_moves[1])
            app.app.store.save(match)
            app.app.store.save(replace(match.resign(), id=f"{match.id}0"))
        for key, end in (("r", "move 2"), ("v", "you won")):
            await app.press(key)
            for kind in duels.GAMES.values():
                line = next(line for line in app.lines() if kind.title in line)
                assert "(" in line, app.text()
                assert line.endswith(f"{end}, just now")
            await app.press("escape")

    drive(tmp_path, look)


def test_a_word_typed_in_a_list_opens_nothing(tmp_path):
    SavedGames(tmp_path / "matches").save(chain_match(4, 8))

    async def look(app: Driver) -> None:
        await app.press("r")
        await app.type("help")
        assert not hasattr(app.screen, "match")
        assert "Press one of the keys below." in app.text()
        await app.press("d", "enter")
        assert "Delete this game for good?" in app.text()

    drive(tmp_path, look)


@pytest.mark.parametrize("game_id", all_if_long([*duels.GAMES], "number-line-duel"))
@pytest.mark.parametrize("size", all_if_long(SIZES[:3], (80, 24)), ids=str)
def test_a_lesson_is_taken_to_its_game(tmp_path, game_id, size):
    lesson = lesson_of(duels.GAMES[game_id])
    assert lesson

    async def learn(app: Driver) -> None:
        number = [kind.id for kind in app.screen.kinds].index(game_id) + 1
        await app.press(str(number), "l")
        for at, step in enumerate(lesson.steps[:-1]):
            assert isinstance(app.screen, LessonScreen)
            assert app.screen._at == at
            assert step.title in app.words("title")
            if size[0] >= 80:
                shown = " ".join(app.text().split())
                assert " ".join(step.text[0].split())[:60] in shown
            await app.type(step.accepted[0])
            assert app.words("note").startswith("Right."), app.text()
            await app.press("enter")
        assert app.screen.step.is_game
        await app.press("enter")
        await app.your_turn()
        assert len(app.match.moves) - app.match.given <= 1, "Enter has played nothing"
        await app.press("x", "y", "q")
        await app.until(lambda: isinstance(app.screen, LessonScreen))
        await app.press("escape")

    async def again(app: Driver) -> None:
        number = [kind.id for kind in app.screen.kinds].index(game_id) + 1
        await app.press(str(number), "l")
        assert app.screen.step.is_game, "it continues where it was left"

    drive(tmp_path, learn, size)
    drive(tmp_path, again, size)


def test_a_wrong_answer_is_explained_and_the_third_shows_the_answer(tmp_path):
    lesson = lesson_of(duels.GAMES["number-line-duel"])
    assert lesson
    step = lesson.steps[0]
    game = step.position.game
    wrong = next(
        said for said in map(game.format, step.position.legal_moves) if said not in step.accepted
    )

    async def learn(app: Driver) -> None:
        await app.press("l")
        await app.type("rubbish")
        assert app.screen._wrong == 0
        for _ in range(3):
            await app.type(wrong)
        assert "The answer is" in app.words("note")
        await app.press("enter")
        assert app.screen._at == 1
        await app.press("pageup")
        assert app.screen._at == 0

    drive(tmp_path, learn)


def test_a_step_that_is_given_up_shows_its_answer_and_is_done(tmp_path):
    async def learn(app: Driver) -> None:
        await app.press("l")
        assert "h hint  g give up" in app.keys
        await app.press("h")
        assert app.words("note") == app.screen.step.hint
        await app.press("1", "g")
        assert app.screen.query_one(Input).value == "1g", "it belongs to the answer"
        await app.press("backspace", "backspace", "g")
        assert app.words("note").startswith("The answer is 5 and 6 together.")
        assert all(cell.gone for cell in app.board.board.cells)
        await app.press("enter")
        assert app.screen._at == 1

    drive(tmp_path, learn)


def test_a_right_answer_is_made_on_the_board(tmp_path):
    async def learn(app: Driver) -> None:
        await app.press("l")
        assert "PgUp" not in app.keys, "there is no step before the first"
        await app.type("5-6")
        assert app.words("note").startswith("Right. Nothing is left.")
        assert all(cell.gone for cell in app.board.board.cells)
        assert "Type your answer" not in app.text()
        await app.press("enter")
        assert "PgUp step back" in app.keys
        assert "Type your answer" in app.text()

    drive(tmp_path, learn)


def test_a_lesson_is_finished_by_a_win_at_the_second_try(tmp_path):
    lesson = lesson_of(duels.GAMES["number-line-duel"])
    assert lesson
    StepsDone(tmp_path).note(lesson, len(lesson.steps) - 1, pytest.fail)

    async def play(app: Driver, *, to_win: bool) -> None:
        while not app.match.outcome:
            position = app.match.position
            won = duels.solve(position).winning_moves
            lost = [move for move in position.legal_moves if move not in won]
            moves = won if to_win else lost
            await app.type(app.match.game.format((moves or position.legal_moves)[0]))
            await app.your_turn()

    async def learn(app: Driver) -> None:
        await app.press("l", "enter")
        await play(app, to_win=False)
        await app.until(lambda: "try move" in app.keys)
        await app.press("t")
        await play(app, to_win=True)
        assert app.match.outcome
        assert app.match.outcome.winner == app.match.person
        await app.until(lambda: "Enter back to the lesson" in app.keys)
        assert "l lesson" not in app.keys
        await app.press("enter")
        await app.until(lambda: isinstance(app.screen, LessonScreen))
        assert app.words("status") == "You have finished this lesson."
        await app.until(lambda: "Enter play it again" in app.keys)

    drive(tmp_path, learn)
    assert StepsDone(tmp_path).of(lesson) == len(lesson.steps)


@pytest.mark.parametrize("size", SIZES[:3], ids=str)
def test_the_title_of_a_puzzle_fits(tmp_path, size):
    position = duels.game("number-duel", numbers=24, criteria="factor,digit-sum").start()

    async def look(app: Driver) -> None:
        await app.press("p")
        await app.until(lambda: getattr(app.screen, "solving", None))
        app.screen._pose(Puzzle(position, (1,), "medium"), date.today())
        await app.pilot.pause()
        assert app.words("title").endswith("medium")
        assert len(app.words("title")) <= size[0] - 2

    drive(tmp_path, look, size)


def test_a_puzzle_says_what_the_game_is_about_and_what_they_did(tmp_path):
    line = duels.game("number-line-duel").position("5-6", 2)

    async def look(app: Driver) -> None:
        await app.press("p")
        await app.until(lambda: getattr(app.screen, "solving", None))
        app.screen._pose(Puzzle(line, (1,), "medium"))
        assert app.words("status") == "● They crossed out 2. One move wins. Which?"
        assert app.words("note") == line.game.summary

    drive(tmp_path, look)


def test_the_rules_can_be_read_everywhere(tmp_path):
    async def look(app: Driver) -> None:
        await app.press("question_mark")
        assert "R1" in app.text()
        await app.press("escape", "enter", "question_mark")
        assert "R1" in app.text()
        await app.press("escape")
        assert app.match

    drive(tmp_path, look)
