"""The home screen of the app, its themes, and windows of every size."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from driver import SIZES, Driver, chain_match, drive

import duels
from duels import StateGame, whole
from duels.games.added import add_file, added
from duels.match.saved_games import SavedGames
from duels.terminal.app.canvas import DARK, LIGHT
from duels.terminal.app.widgets import KeyBar, RulesScreen
from duels.terminal.choices import FRIEND, load_person
from duels.terminal.words import width
from rings import all_if_long

CHOMP = Path(__file__).parents[2] / "docs" / "examples" / "chomp.py"
LABELS = {"Opponent", "Their name", "Your name", "First move", "Clock", "Games"}


@pytest.mark.parametrize("size", all_if_long(SIZES, (80, 24), (30, 10)), ids=str)
def test_home_shows_everything_at_once(tmp_path, size):
    async def look(app: Driver) -> None:
        lines = app.lines()
        assert all(len(line) <= size[0] for line in lines)
        if size[1] >= 20:
            text = app.text()
            for kind in duels.GAMES.values():
                assert kind.title in text
            for word in ("Board", "Opponent", "First move", "Clock", "puzzle", "lesson"):
                assert word in text

    drive(tmp_path, look, size)


@pytest.mark.parametrize("size", [(80, 24), (40, 20), (40, 12)], ids=str)
def test_a_chosen_row_is_in_view_and_no_name_wraps_it(tmp_path, size):
    async def look(app: Driver) -> None:
        app.app.choices.opponent = FRIEND
        app.app.choices.use_name(
            name="名前がとても長い人" * 3, friend="Maximiliana von und zu Hohenlohe"
        )
        shown = set()
        for _ in range(20):
            await app.press("down")
            lines = app.lines()
            assert all(width(line) <= size[0] for line in lines)
            shown |= {label for label in LABELS for line in lines if line.startswith(f"  {label} ")}
            if app.screen._row():
                chosen = [line for line in lines if "‹ " in line]
                assert len(chosen) == 1
                assert chosen[0].strip().startswith(app.screen._row().label)
        assert shown == LABELS

    drive(tmp_path, look, size)


@pytest.mark.parametrize("size", [(80, 24), (40, 20)], ids=str)
def test_a_finished_game_is_listed_with_its_name_and_result(tmp_path, size):
    SavedGames(tmp_path / "matches").save(chain_match(4, 8, 1, 7))

    async def look(app: Driver) -> None:
        await app.press("v")
        assert "Number Chain Duel" in app.text()
        assert "won" in app.text()

    drive(tmp_path, look, size)


def test_the_first_board_says_whether_it_is_the_rule_books(tmp_path):
    async def look(app: Driver) -> None:
        for number in range(1, len(duels.GAMES) + 1):
            await app.press(str(number))
            assert "set-up: " in app.text()
            await app.press("b")
            assert "rule book: " in app.text()

    drive(tmp_path, look)


def test_the_coin_toss_survives_a_change_of_name(tmp_path):
    async def change(app: Driver) -> None:
        app.screen.choices.opponent = "friend"
        rows = [row.label for row in app.screen._rows()]
        app.screen._at = len(app.screen.kinds) + rows.index("First move")
        await app.press("right", "right")
        assert app.screen.choices.first == "coin"
        app.screen._at = len(app.screen.kinds) + rows.index("Your name")
        await app.press("enter")
        await app.type("Mia")
        assert app.screen.choices.person.name == "Mia"
        assert app.screen.choices.first == "coin"
        app.screen._at = 2
        await app.press("enter")
        assert "The coin shows" in app.words("note")

    drive(tmp_path, change)
    assert load_person(tmp_path).name == "Mia"
    assert load_person(tmp_path).opponent == "friend"


def test_digits_change_the_size_of_the_board(tmp_path):
    async def change(app: Driver) -> None:
        rows = [row.label for row in app.screen._rows()]
        app.screen._at = len(app.screen.kinds) + rows.index("Numbers up to")
        await app.press("2", "7")
        assert app.screen.choices.game.size == 27
        await app.press("left")
        assert app.screen.choices.game.size == 26
        await app.press("9", "9", "9", "9", "9", "9", "9", "9")
        assert "1,000,000" in app.text(), "the bound is named"
        assert app.screen.choices.game.size == 999_999

    drive(tmp_path, change)


def test_tab_goes_to_the_options_of_the_chosen_game_and_back(tmp_path):
    async def change(app: Driver) -> None:
        await app.press("3", "tab", "down", "right", "down")
        assert app.screen.choices.kind.id == "number-line-duel"
        assert app.screen.choices.game.size == 16
        assert "Tab games" in app.keys
        await app.press("tab", "enter")
        assert app.match.game == duels.game("number-line-duel", numbers=16)

    drive(tmp_path, change)


@pytest.mark.parametrize("way", [("tab", "up"), ("tab", *["down"] * 7)], ids=len)
def test_the_arrows_lead_from_the_options_back_to_the_chosen_game(tmp_path, way):
    async def go(app: Driver) -> None:
        await app.press("2", *way, "enter")
        assert app.match.game.id == "divisor-duel"

    drive(tmp_path, go)


class DigitDrop(StateGame):
    """An option of two words, whose description is too long for its row."""

    id, title, summary = "digit-drop", "Digit Drop", "Subtract a digit."
    start_at: int = whole("the number at the start", default=25, is_size=True)

    def first(self):
        return self.start_at

    def allowed(self, state):
        return tuple(sorted({int(digit) for digit in str(state)} - {0}))

    def after(self, state, move):
        return state - move


def test_the_row_of_an_option_of_two_words_has_words(tmp_path, monkeypatch):
    monkeypatch.setitem(duels.GAMES, "digit-drop", DigitDrop)

    async def look(app: Driver) -> None:
        await app.press("6")
        assert re.search(r"^ *Start at +25", app.text(), re.MULTILINE), app.text()

    drive(tmp_path, look)


def test_your_own_game_is_played_on_its_own_board(tmp_path):
    add_file(CHOMP)

    async def play(app: Driver) -> None:
        kinds = [kind.id for kind in app.screen.kinds]
        assert "chomp" in kinds
        await app.press(str(kinds.index("chomp") + 1))
        app.screen.choices.opponent = "friend"
        await app.press("enter")
        rows = app.board.board.rows
        assert [len(row) for row in rows] == [5, 5, 5]
        app.board.render_line(0)
        tiles = app.board._arranged.tiles
        assert tiles[0].x == tiles[5].x
        assert tiles[0].y < tiles[5].y, "in two dimensions"
        await app.click(7)
        assert app.match.moves == ((2, 3),)
        await app.press("up", "enter")
        assert len(app.match.moves) == 2

    try:
        drive(tmp_path, play)
    finally:
        duels.GAMES.pop("chomp", None)
        added.discard(str(CHOMP))


def test_light_and_dark_are_remembered(tmp_path, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("COLORFGBG", raising=False)

    async def toggle(app: Driver) -> None:
        assert app.app.theme == DARK
        await app.press("f2")
        assert app.app.theme == LIGHT

    async def look(app: Driver) -> None:
        assert app.app.theme == LIGHT

    drive(tmp_path, toggle)
    drive(tmp_path, look)


def test_without_colours_tiles_have_frames_and_no_grey(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def look(app: Driver) -> None:
        await app.press("enter")
        await app.type("8")
        await app.your_turn()
        assert "┌" in app.text()
        assert "┏" in app.text()
        assert "╭" in app.text(), "the last move has a ring"
        svg = app.app.export_screenshot()
        fills = {part.split('"')[0] for part in svg.split('fill="')[1:]}
        greys = {fill for fill in fills if len(fill) == 7 and fill[1:3] == fill[3:5] == fill[5:7]}
        assert len(greys) <= 3, "only ink, ground and the window of the picture"

    drive(tmp_path, look)


@pytest.mark.parametrize("size", all_if_long(SIZES, (80, 24), (30, 10)), ids=str)
def test_a_resize_keeps_the_game(tmp_path, size):
    async def play(app: Driver) -> None:
        await app.press("enter")
        await app.type("8")
        await app.your_turn()
        before = app.match
        for wide, high in ((40, 20), (20, 6), (120, 40), size):
            await app.pilot.resize_terminal(wide, high)
            await app.pilot.pause()
        assert app.match is before
        assert all(len(line) <= size[0] for line in app.lines())
        await app.type(app.match.game.format(app.match.position.legal_moves[0]))
        assert app.match is not before

    drive(tmp_path, play)


def test_the_transcript_is_on_a_key_in_a_small_window(tmp_path):
    async def look(app: Driver) -> None:
        await app.press("enter")
        assert "v transcript" in app.keys
        assert "Welcome to Number Line Duel!" not in app.text()
        await app.press("v")
        assert "Welcome to Number Line Duel!" in app.text()
        await app.press("v")
        assert "Welcome to Number Line Duel!" not in app.text()
        assert app.board.has_focus
        await app.press("enter")
        assert app.match.moves

    drive(tmp_path, look, (40, 20))


def test_a_click_on_the_key_bar_does_what_the_key_does(tmp_path):
    async def look(app: Driver) -> None:
        row, line = next((n, x) for n, x in enumerate(app.keys.splitlines()) if "? rules" in x)
        await app.pilot.click(KeyBar, offset=(1 + line.index("? rules"), row))
        await app.until(lambda: isinstance(app.screen, RulesScreen), "the rules")

    drive(tmp_path, look)


def test_a_smaller_window_wraps_the_transcript_and_shows_its_key(tmp_path):
    async def look(app: Driver) -> None:
        await app.press("enter")
        assert "v transcript" not in app.keys
        await app.type("8")
        await app.your_turn()
        await app.pilot.resize_terminal(40, 20)
        await app.until(lambda: "v transcript" in app.keys)
        await app.press("v")
        await app.until(lambda: "or '5 6'): 8" in app.text())

    drive(tmp_path, look, (80, 24))


def test_a_broken_line_shows_where_it_continues(tmp_path):
    async def look(app: Driver) -> None:
        app.app.choices.of(duels.GAMES["number-line-duel"])
        await app.press("3")
        rows = [line.rpartition("│")[2].split() for line in app.lines()]
        assert ["1", "2", "3", "4", "5", "─"] in rows
        assert ["─", "6", "7", "8", "9", "10", "─"] in rows
        assert ["─", "11", "12", "13", "14", "15"] in rows
        await app.press("enter")  # there it fits, and nothing is broken
        assert [*map(str, range(1, 16))] in [line.split() for line in app.lines()]

    drive(tmp_path, look)


@pytest.mark.parametrize("columns", all_if_long(range(36, 44), 36, 43))
def test_a_broken_line_has_room_for_its_strokes(tmp_path, columns):
    async def look(app: Driver) -> None:
        app.app.choices.of(duels.GAMES["number-line-duel"])
        await app.press("3", "enter")
        rows = [line.split() for line in app.lines()]
        assert any(row[:2] == ["1", "2"] and row[-1] == "─" for row in rows)
        assert any(row[:1] == ["─"] and row[-1] == "15" for row in rows)

    drive(tmp_path, look, (columns, 20))


@pytest.mark.parametrize("columns", all_if_long(range(70, 90, 3), 70, 88))
def test_more_hints_are_offered_in_a_sentence(tmp_path, columns):
    """Between its words it may be broken; a key and its word in brackets were torn apart."""

    async def look(app: Driver) -> None:
        await app.press("3", "enter")
        await app.press("h")
        await app.until(lambda: app.words("note").endswith(" Press h for more."), "a hint")
        assert "(h:" not in app.text()

    drive(tmp_path, look, (columns, 24))


# What does not fit, and what must not be loud


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 20)], ids=str)
def test_no_value_of_a_newcomers_home_screen_is_cut_off(tmp_path, size):
    async def look(app: Driver) -> None:
        for number, kind in enumerate(app.screen.kinds, start=1):
            await app.press(str(number))
            for _ in kind.all_setups():
                assert "…" not in app.words("rows"), app.text()
                await app.press("right")

    drive(tmp_path, look, size)


def test_the_preview_takes_the_room_that_a_wide_window_has(tmp_path):
    async def look(app: Driver) -> None:
        app.board.render_line(0)
        tiles = app.board._arranged.tiles.values()
        assert len({tile.y for tile in tiles}) == 1, "the line is unbroken"

    drive(tmp_path, look, (120, 40))


def test_without_colours_a_tile_that_cannot_be_played_is_bare(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def look(app: Driver) -> None:
        await app.press("4", "enter")  # only even numbers begin
        assert "▄" not in app.text()
        assert "┌" in app.text()

    drive(tmp_path, look)


def test_the_first_screen_imports_nothing_that_only_a_game_needs():
    """What other screens need is imported when they are opened."""
    code = "import sys, duels.cli.app, duels.terminal.app.home; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    late = {"duels.terminal.transcript", "duels.coach.review", "duels.terminal.app.game"}
    late |= {"textual.widgets._markdown", "readline"}
    assert "textual.app" in loaded
    assert not loaded & late
