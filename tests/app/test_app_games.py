"""Whole games in the app: by keys, by typing and by mouse, at every size of the window."""

from __future__ import annotations

import re
import subprocess
from itertools import product
from random import Random

import pytest
from driver import Driver, chain_match, drive

import duels
from duels.match.dialogue import dialogue_of
from duels.match.match import new_match
from duels.match.saved_games import SavedGames
from duels.terminal.app import widgets
from duels.terminal.app.game import GameScreen
from duels.terminal.app.widgets import Confirm
from duels.terminal.records import saved_games
from duels.terminal.table import Table
from duels.terminal.transcript import transcript
from program import DUELS
from rings import all_if_long

GAMES = [*duels.GAMES]
SIZES = [(80, 24), (120, 40), (40, 20)]


async def choose_game(app: Driver, game_id: str, *keys: str) -> None:
    """Choose a game on the home screen, and play."""
    number = next(n for n, kind in enumerate(app.screen.kinds, 1) if kind.id == game_id)
    await app.press(str(number), *keys, "enter")
    await app.until(lambda: hasattr(app.screen, "match"), "the game")
    await app.your_turn()


HOW = ("keys", "typing", "mouse")


@pytest.mark.parametrize(
    "played",
    all_if_long(
        product(GAMES, SIZES, HOW),
        *((game_id, SIZES[n % 3], HOW[n % 3]) for n, game_id in enumerate(GAMES)),
    ),
    ids=str,
)
def test_a_game_is_played_to_its_end(tmp_path, played):
    game_id, size, how = played
    chance = Random(f"{game_id} {how}")

    async def play(app: Driver) -> None:
        await choose_game(app, game_id)
        while not app.match.outcome:
            before, position = app.match, app.match.position
            if how == "keys":
                await app.press(*[chance.choice(["left", "right", "up", "down"])] * 2, "enter")
            elif how == "typing":
                move = chance.choice(position.legal_moves)
                await app.type(app.match.game.format(move))
            else:
                places = app.board.board.moves
                move = chance.choice([move for move in position.legal_moves if move in places])
                await app.click(*places[move])
            assert app.match is not before, app.text()
            await app.your_turn()
            saved = SavedGames(tmp_path / "matches").load(app.match.id)[0]
            assert saved.moves == app.match.moves, "what is shown is on disk"
            assert all(len(line) <= size[0] for line in app.lines())
        assert app.words("status")[2:].startswith(("You win.", "You lose."))
        assert "Enter" in app.keys

    drive(tmp_path, play, size)


@pytest.mark.parametrize("game_id", all_if_long(GAMES, "number-line-duel", "divisor-duel"))
def test_the_transcript_equals_the_output_on_a_pipe(tmp_path, environment, game_id):
    """The lines beside the board are those of `duels play` on a pipe."""
    seen = []

    async def play(app: Driver) -> None:
        await choose_game(app, game_id)
        chance = Random(game_id)
        while not app.match.outcome:
            await app.type(app.match.game.format(chance.choice(app.match.position.legal_moves)))
            await app.your_turn()
        seen.append((app.match, app.game._lines))

    drive(tmp_path, play, (120, 40))
    [(match, shown)] = seen
    assert shown == transcript(match)
    one, two = match.names
    options = [f"--{name}={value}" for name, value in match.game.options.items()]
    words = dialogue_of(match.game)
    moves = "".join(f"{words.move(match, move)}\n" for move in match.moves)
    told = subprocess.run(
        [*DUELS, "play", game_id, *options, "--players", one, two],
        input=moves,
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=True,
    )
    assert told.stdout.splitlines() == shown


def test_two_keystrokes_to_the_first_move(tmp_path):
    async def play(app: Driver) -> None:
        assert app.screen.choices.kind.id == "number-line-duel"
        await app.press("enter", "enter")
        await app.until(lambda: len(app.match.moves) >= 1)

    drive(tmp_path, play)


def test_space_and_a_drag_take_two_neighbours(tmp_path):
    async def play(app: Driver) -> None:
        await choose_game(app, "number-line-duel")
        await app.press("home", "right", "space", "enter")
        assert app.match.moves[0] == (2, 3)
        await app.your_turn()
        await app.press("u")
        pair = next(move for move in app.match.position.legal_moves if isinstance(move, tuple))
        await app.click(pair[0] - 1, pair[1] - 1)
        await app.until(lambda: app.match.moves)
        assert app.match.moves[0] == pair

    drive(tmp_path, play)


def test_an_illegal_move_is_explained_and_changes_nothing(tmp_path):
    async def play(app: Driver) -> None:
        await choose_game(app, "number-line-duel")
        await app.type("8")
        await app.your_turn()
        before = app.match
        await app.type("8")
        assert "8 is crossed out already." in app.words("note")
        await app.click(7)
        assert "8 is crossed out already." in app.words("note")
        await app.type("3 7")
        assert app.match is before
        await app.press("3", "escape")
        assert app.match is before

    drive(tmp_path, play)


def test_hints_come_in_stages_and_mark_the_board(tmp_path):
    async def play(app: Driver) -> None:
        await choose_game(app, "number-line-duel")
        seen = [app.words("note")]
        for _ in range(4):
            await app.press("h")
            await app.until(lambda: app.words("note") not in (*seen, "Thinking …"))
            seen.append(app.words("note"))
        assert len(set(seen)) == 5
        stars = [cell.text for cell in app.board.board.cells if cell and cell.mark == "winning"]
        stars += [link.move for link in app.board.board.links if link.mark == "winning"]
        assert "8" in stars
        assert "★" in app.text()
        await app.type("8")
        assert not any(cell and cell.mark for cell in app.board.board.cells)

    drive(tmp_path, play)


def test_a_broken_line_shows_that_it_continues_out_of_view(tmp_path):
    async def play(app: Driver) -> None:
        match = new_match(duels.game("number-line-duel", numbers=200), ("Ann", "Ben"))
        app.app.push_screen(GameScreen(Table(match, app.app.store, app.app.warn)))
        await app.pilot.pause()

        async def ends(key: str) -> tuple[str, str]:
            await app.press(key)
            first, *_, last = (line.strip() for line in app.lines() if re.search("[]‹]", line))
            return first[0], last[-1]

        assert await ends("home") == ("›", "─")
        assert await ends("end") == ("─", "‹")

    drive(tmp_path, play, (40, 20))


@pytest.mark.parametrize("size", all_if_long(SIZES, (80, 24), (40, 20)), ids=str)
def test_a_hint_joins_the_numbers_of_a_winning_pair(tmp_path, size):
    async def play(app: Driver) -> None:
        match = new_match(duels.game("number-line-duel", numbers=15), ("Ann", "Ben"))
        app.app.push_screen(GameScreen(Table(match.play(2).play(9), app.app.store, app.app.warn)))
        await app.pilot.pause()
        for _ in range(3):
            await app.press("h")
            await app.app.workers.wait_for_complete()
            await app.pilot.pause()
        winning = duels.solve(app.match.position).winning_moves
        pairs = [move for move in winning if isinstance(move, tuple)]
        assert pairs
        for one, two in pairs:
            assert re.search(rf"\b{one}━+{two}\b", app.text()), app.text()
            assert f"{one} and {two}" in app.words("note")
        assert app.text().count("★") == len(winning) - len(pairs)

    drive(tmp_path, play, size)


def test_the_end_of_a_duels_game_shows_the_score_in_a_small_window(tmp_path):
    async def play(app: Driver) -> None:
        match = new_match(duels.game("divisor-duel", divisor=12), ("Ann", "Ben"), matches=2)
        app.app.push_screen(GameScreen(Table(match, app.app.store, app.app.warn)))
        await app.pilot.pause()
        await app.type("1")
        await app.type("2")
        await app.until(lambda: "Turning point" in app.words("note"))
        assert "Score: 0 for Ann, 1 for Ben." in " ".join(app.text().split())
        assert "Ben moves first." in " ".join(app.text().split())

    drive(tmp_path, play, (40, 20))


def test_a_duel_continues_after_a_move_of_it_was_tried_again(tmp_path):
    async def play(app: Driver) -> None:
        match = new_match(duels.game("divisor-duel", divisor=12), ("Ann", "Ben"), matches=2)
        app.app.push_screen(GameScreen(Table(match, app.app.store, app.app.warn)))
        await app.pilot.pause()
        for number in range(2):
            await app.type("1")
            await app.type("2")
            await app.until(lambda: "t try move" in app.keys)
            assert "Enter game 2 of 2" in app.keys
            assert "same sides" not in app.keys, "the second game swaps them"
            if not number:
                await app.press("t")
                assert app.match.duel is None
        await app.press("enter")
        assert app.match.id == f"{match.id}g2"
        assert app.match.names == ("Ben", "Ann")

    drive(tmp_path, play)


def test_undo_takes_back_both_moves(tmp_path):
    async def play(app: Driver) -> None:
        await choose_game(app, "number-line-duel")
        await app.press("u")
        assert "nothing to take back" in app.words("note") or "no move" in app.words("note")
        await app.type("8")
        await app.your_turn()
        assert len(app.match.moves) == 2
        await app.press("u")
        assert not app.match.moves
        assert "Taken back" in app.words("note")

    drive(tmp_path, play)


def test_a_friend_must_agree_to_an_undo(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.opponent = "friend"
        await choose_game(app, "number-line-duel")
        await app.type("8")
        await app.press("u", "n")
        assert app.match.moves == (8,)
        await app.press("u", "y")
        assert app.match.moves == ()

    drive(tmp_path, play)


def test_resigning_needs_confirmation_and_offers_the_next_step(tmp_path):
    async def play(app: Driver) -> None:
        await choose_game(app, "number-line-duel")
        await app.type("8")
        await app.your_turn()
        await app.press("x", "n")
        assert not app.match.outcome
        await app.press("x", "y")
        assert app.match.outcome
        assert app.match.outcome.reason == "resigned"
        await app.until(lambda: "again" in app.keys)
        first = app.match
        await app.press("enter")
        assert app.match.id != first.id
        assert app.match.computer(1), "sides are swapped"

    drive(tmp_path, play)


def test_enter_that_was_typed_too_early_does_not_skip_the_end(tmp_path, monkeypatch):
    async def play(app: Driver) -> None:
        monkeypatch.setattr(widgets, "SETTLING", 3600.0)
        await app.press("enter", "x", "y")
        await app.until(lambda: "again" in app.keys)
        ended = app.match
        await app.press("enter")
        assert app.match is ended
        monkeypatch.setattr(widgets, "SETTLING", 0.0)
        await app.press("enter")
        assert app.match.id != ended.id

    drive(tmp_path, play)


@pytest.mark.parametrize("word", ["help", "exit", "resign", "undo"])
def test_a_typed_word_plays_nothing_and_does_not_resign(tmp_path, word):
    async def play(app: Driver) -> None:
        await choose_game(app, "number-line-duel")
        await app.type(word)
        if isinstance(app.screen, Confirm):
            await app.press("n", "enter")
        assert not app.match.moves
        assert not app.match.outcome
        assert app.words("note") == "Type a number, or press one of the keys below."
        await app.press("e", "right", "enter")
        assert app.match.moves, "the cursor was moved since"

    drive(tmp_path, play)


def test_a_number_or_a_click_after_a_letter_is_a_move(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.opponent = "friend"
        await choose_game(app, "number-line-duel")
        await app.press("e")
        await app.type("3")
        await app.press("e")
        await app.click(7)
        assert app.match.moves == (3, 8)
        await app.press("enter")
        assert len(app.match.moves) == 3

    drive(tmp_path, play)


def test_quit_goes_home_and_starts_no_game(tmp_path):
    async def play(app: Driver) -> None:
        await choose_game(app, "number-line-duel")
        await app.type("quit")
        assert app.words("about") == "Press one of the keys below."
        await app.press("enter")
        assert app.match

    drive(tmp_path, play)


def test_enter_does_nothing_just_after_a_game_opens_and_back_at_home(tmp_path, monkeypatch):
    async def play(app: Driver) -> None:
        monkeypatch.setattr(widgets, "SETTLING", 3600.0)
        app.screen.choices.opponent = "friend"
        await app.press("enter", "enter")
        assert not app.match.moves
        await app.type("8")
        assert app.match.moves == (8,), "a typed number is meant"
        await app.press("q", "enter")
        assert not hasattr(app.screen, "match")
        await app.press("tab", "tab", "enter")
        assert not app.match.moves

    drive(tmp_path, play)


@pytest.mark.parametrize("size", [(80, 24), (40, 20)], ids=str)
@pytest.mark.parametrize("game_id", all_if_long(GAMES, "divisor-duel", "number-duel"))
def test_the_rules_in_short_are_shown_until_your_first_move(tmp_path, game_id, size):
    async def play(app: Driver) -> None:
        await choose_game(app, game_id)
        rules = dialogue_of(app.match.game).rules(app.match.game)
        assert rules in " ".join(app.text().split())
        assert not app.board._arranged.hidden
        await app.type(app.match.game.format(app.match.position.legal_moves[0]))
        assert rules not in app.words("note")

    drive(tmp_path, play, size)


def test_the_rules_in_short_leave_a_tiny_window_to_the_board(tmp_path):
    async def play(app: Driver) -> None:
        await choose_game(app, "divisor-duel")
        assert not app.words("note")

    drive(tmp_path, play, (30, 10))


def test_the_home_screen_reports_a_saved_game_until_the_next_key(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.opponent = "friend"
        await app.press("enter")
        await app.type("3")
        await app.press("q")
        assert app.words("about") == "Game saved. Press r to resume it."
        await app.press("down")
        assert "Game saved" not in app.text(), "nothing covers the keys"

    drive(tmp_path, play)


def test_you_keep_your_mark_when_the_computer_begins(tmp_path):
    async def play(app: Driver) -> None:
        await choose_game(app, "number-line-duel")
        assert app.words("status").startswith("●")
        await app.press("x", "y", "enter")
        await app.your_turn()
        assert app.match.person == 2
        assert app.words("status").startswith("● Your turn")
        (first,) = {cell.taken_by for cell in app.board.board.cells if cell.gone}
        assert first == 2, "the computer's number is marked ▲"

    drive(tmp_path, play)


def test_after_a_mistake_that_move_can_be_tried_again(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.opponent = "perfect"
        await choose_game(app, "number-chain-duel", "b")
        await app.type("1")
        await app.until(lambda: app.match.outcome)
        await app.until(lambda: "try move 1 again" in app.keys)
        assert "7 would have won" in app.words("note")
        await app.press("t")
        assert not app.match.moves
        find = "Move 1: you played 1. Find a move that wins."
        assert app.words("note").startswith(find)
        await app.press("q")
        await app.until(lambda: "mistakes (1)" in app.keys)
        await app.press("m")
        row = r"Number Chain Duel \(1 to 9\), move 1: you played 1, at \d\d:\d\d"
        assert re.search(row, app.text())
        await app.press("enter")
        assert app.match.game.id == "number-chain-duel"
        assert app.words("note").startswith(find)

    drive(tmp_path, play)


def test_a_mistake_of_two_players_has_the_name_of_its_player(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.opponent = "friend"
        await choose_game(app, "number-chain-duel", "b")
        await app.type("1")
        await app.type("7")
        await app.until(lambda: "t try move" in app.keys)
        await app.press("q", "m")
        assert "move 1: Player 1 played 1" in app.text()

    drive(tmp_path, play)


def test_a_game_is_left_and_resumed(tmp_path):
    moves = []

    async def leave(app: Driver) -> None:
        await choose_game(app, "sequence-duel")
        await app.type("6")
        await app.your_turn()
        moves.append(app.match.moves)
        await app.press("q")
        await app.until(lambda: "resume (1)" in app.keys)
        assert "To continue: " in app.app.farewell

    async def resume(app: Driver) -> None:
        await app.press("r", "enter")
        await app.until(lambda: hasattr(app.screen, "match"))
        assert app.match.moves == moves[0]

    drive(tmp_path, leave)
    drive(tmp_path, resume)


def test_a_game_in_another_window_is_not_opened_twice(tmp_path, environment):
    async def leave(app: Driver) -> None:
        await choose_game(app, "sequence-duel")
        await app.type("6")
        await app.your_turn()

    folder = tmp_path / "state" / "duels"
    drive(folder, leave)
    [saved] = saved_games(SavedGames(folder / "matches")).unfinished
    other = subprocess.Popen(
        [*DUELS, "resume", saved.id], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert other.stdout
    assert other.stdin
    while b"Enter a number" not in other.stdout.read1():
        pass

    async def resume(app: Driver) -> None:
        await app.press("r", "enter")
        await app.until(lambda: "another window" in app.text())

    try:
        drive(folder, resume)
    finally:
        other.stdin.close()
        other.stdout.close()
        other.wait(30)


def test_the_clock_counts_down_and_runs_out(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.time_limit = "90"
        await choose_game(app, "sequence-duel")
        assert "⏱ 1:" in app.words("status")
        app.game.table.add_time(-95)
        await app.until(lambda: app.match.outcome, "out of time")
        assert app.match.outcome
        assert app.match.outcome.reason == "time"

    drive(tmp_path, play)


def test_a_duel_pauses_between_games_and_shows_the_score(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.matches = 2
        app.screen.choices.opponent = "perfect"
        await app.press("enter")
        await app.press("x", "y")
        assert "Score: 0 for you, 1 for the computer." in app.words("note")
        assert "game 2 of 2" in app.keys
        await app.press("enter")
        await app.your_turn()
        assert app.match.duel
        assert app.match.duel.number == 2
        await app.press("x", "y")
        assert "wins the duel" in app.words("note")

    drive(tmp_path, play)


def test_enter_begins_the_next_game_and_plays_nothing_in_it(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.opponent = "friend"
        await choose_game(app, "number-line-duel")
        await app.press("x", "y")
        await app.press("enter")
        assert not app.match.outcome
        assert app.match.moves == ()

    drive(tmp_path, play)


def test_the_transcript_shows_its_end_when_the_game_is_over(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.opponent = "perfect"
        await choose_game(app, "number-chain-duel", "b")
        await app.type("1")
        await app.until(lambda: "would have won" in app.words("note"))
        await app.until(lambda: transcript(app.match)[-1] in app.text(), "the last line")

    drive(tmp_path, play)


def test_a_million_numbers_do_not_freeze_it(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.of(duels.GAMES["sequence-duel"]).use_option("numbers", 1_000_000)
        app.screen.choices.opponent = "friend"
        await app.press("enter")
        await app.type("500000")
        assert app.match.moves == (500000,)
        assert "of 1,000,000" in app.text()
        await app.type("250000")
        assert app.match.moves == (500000, 250000)

    drive(tmp_path, play)


def test_nothing_is_lost_at_the_store(tmp_path):
    """Finished games are listed, and damaged files are named."""

    async def play(app: Driver) -> None:
        await app.press("enter", "x", "y", "q")
        (tmp_path / "matches" / "abc123.json").write_text("{")
        await app.press("v")
        assert "won" in app.text()

    drive(tmp_path, play)
    saved = saved_games(SavedGames(tmp_path / "matches"))
    assert len(saved.finished) == 1
    assert len(saved.damaged) == 1


def test_the_title_says_who_plays(tmp_path):
    async def look(app: Driver) -> None:
        app.screen.choices.opponent = "casual"
        await app.press("enter")
        who = "You against the computer (casual)"
        assert app.words("title") == f"Number Line Duel (1 to 15): {who}"
        await app.press("q", "1", "enter")  # whose options do not fit as well: the status has them
        assert app.words("title") == f"Number Duel: {who}"

    drive(tmp_path, look)


def test_a_title_that_does_not_fit_is_shorter_and_not_cut(tmp_path):
    async def look(app: Driver) -> None:
        await choose_game(app, "number-duel")
        assert app.words("title") == "Number Duel"

    drive(tmp_path, look, (40, 20))


def test_partners_leave_the_frames_closed_where_there_are_no_colours(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def play(app: Driver) -> None:
        await choose_game(app, "number-chain-duel")
        for _ in range(4):
            await app.press("h")
            await app.app.workers.wait_for_complete()
            await app.pilot.pause()
        assert re.search(r"└─+↔\d+─*┘", app.text()), app.text()

    drive(tmp_path, play)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_transcript_is_never_broken_inside_a_number_or_a_range(tmp_path, size):
    async def play(app: Driver) -> None:
        app.screen.choices.opponent = "friend"
        await choose_game(app, "number-duel", "b")
        for move in (12, 36, 6, 66, 33, 3, 30, 15, 45, 90):
            await app.type(str(move))
        await app.press(*(["v"] if size[1] < 24 else []))
        await app.until(lambda: len(app.log) > 20)
        written = set(re.findall(r"[\d-]+", "\n".join(transcript(app.match))))
        assert set(re.findall(r"[\d-]+", "\n".join(app.log))) <= written
        assert all(len(line) <= size[0] for line in app.lines())

    drive(tmp_path, play, size)


def test_a_finished_board_does_not_ask_for_arrow_keys(tmp_path):
    async def play(app: Driver) -> None:
        await choose_game(app, "number-duel", "b")
        assert "more rows: use the arrow keys" in app.text()
        await app.press("x", "y")
        assert "more rows" not in app.text()

    drive(tmp_path, play, (40, 20))


def test_an_explanation_that_is_too_long_for_the_window_can_be_read(tmp_path):
    async def play(app: Driver) -> None:
        app.screen.choices.opponent = "perfect"
        await choose_game(app, "number-line-duel")
        await app.type("7")
        await app.your_turn()
        assert "PgDn" not in app.keys
        await app.press("w")
        await app.until(lambda: "PgDn read on" in app.keys)
        last = " ".join(app.words("note").split()[-2:])
        assert "You crossed out 7." in app.text()
        assert last not in " ".join(app.text().split())
        await app.press("pagedown")
        await app.until(lambda: last in " ".join(app.text().split()))
        await app.press("pagedown")
        await app.until(lambda: "You crossed out 7." in app.text())

    drive(tmp_path, play, (40, 20))


def test_the_length_of_a_broken_run_is_shown_once(tmp_path):
    async def play(app: Driver) -> None:
        await choose_game(app, "number-line-duel")
        for _ in range(3):
            await app.press("h")
            await app.until(lambda: app.words("note"))
        await app.until(lambda: "length 15" in app.text())
        assert app.text().count("length 15") == 1
        assert app.text().count("└") == app.text().count("┘") == 1

    drive(tmp_path, play, (40, 20))


def test_why_calls_the_computer_the_other_side(tmp_path):
    async def play(app: Driver) -> None:
        app.app.store.save(chain_match(4, 8))
        await app.press("r", "enter")
        await app.your_turn()
        await app.press("w")
        await app.until(lambda: app.words("note"))
        assert "(casual)" not in app.words("note")
        assert "From The computer" not in app.words("note")

    drive(tmp_path, play)


@pytest.mark.parametrize("size", SIZES[:2], ids=str)
def test_the_number_of_divisor_duel_is_large(tmp_path, size):
    async def play(app: Driver) -> None:
        app.screen.choices.opponent = "friend"
        await choose_game(app, "divisor-duel")
        await app.type("5")
        await app.until(lambda: "╰─╮" in app.text(), "a 5 of three rows")
        assert "5 is not divisible by 12 (remainder 5)." in app.text()
        assert not app.board._arranged.hidden, "all nine digits are in view"

    drive(tmp_path, play, size)
