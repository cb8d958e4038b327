"""What a player chooses before a match, and what is found among saved games and pastes."""

from __future__ import annotations

import json
from random import Random

import pytest

from duels.core.errors import DuelsError, MatchError, RecordError
from duels.games import all_games
from duels.match.match import Seat, new_match
from duels.match.records import write_json, write_text
from duels.match.saved_games import SavedGames
from duels.terminal.choices import (
    AUTO,
    COIN,
    FRIEND,
    Choices,
    Person,
    load_person,
    save_person,
)
from duels.terminal.records import in_a_line, read_pasted, saved_games
from duels.terminal.talk import Item, Talk, ask_item, ask_number
from duels.terminal.words import width
from rings import only_long

GAMES = all_games()
SIZES = [(24, 80), (40, 120), (20, 40)]
PLAIN = {"TERM": "xterm", "DUELS_PLAIN": "1", "NO_COLOR": "1"}
GAME, OPPONENT, FIRST, NEXT = "1 to 5 [3]: ", "1 to 7 [1]: ", "1 to 3 [1]: ", "What next? "


@pytest.fixture
def choices(tmp_path):
    return Choices.remembered(tmp_path)


# What is remembered


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"name": 5, "friend": null, "opponent": ["auto"], "game": {}}',
        '{"name": "", "friend": "\\u0007", "opponent": "ugi:touch x", "game": "x"}',
        '{"name": "A", "friend": "a"}',
        '{"name": "coin"}',
    ],
)
def test_a_damaged_notebook_is_a_newcomers(tmp_path, text):
    (tmp_path / "player.json").write_text(text)
    assert load_person(tmp_path)._replace(game="") == Person()
    assert Choices.remembered(tmp_path).kind.id == "number-line-duel"


def test_a_person_is_remembered(tmp_path):
    ann = Person("Ann", "Ben", "37", "square-duel")
    save_person(ann, tmp_path)
    assert load_person(tmp_path) == ann
    assert json.loads((tmp_path / "player.json").read_text())["opponent"] == "37"
    (tmp_path / "player.json").unlink()
    (tmp_path / "player.json").mkdir()
    save_person(ann, tmp_path)  # it cannot be written, which is no reason to stop


@pytest.mark.parametrize("opponent", ["ugi:touch here", "py:os:system", "llm:gpt", "101"])
def test_a_remembered_opponent_starts_no_program(tmp_path, opponent):
    save_person(Person(opponent=opponent), tmp_path)
    assert Choices.remembered(tmp_path).opponent == AUTO


def test_game_opponent_and_names_of_the_last_match_come_back(choices, tmp_path):
    choices.of(GAMES["sequence-duel"]).opponent = FRIEND
    choices.use_name(name="Ann", friend="Ben")
    assert choices.match()[0].names == ("Ann", "Ben")
    again = Choices.remembered(tmp_path)
    assert (again.kind.id, again.opponent) == ("sequence-duel", FRIEND)
    assert again.match()[0].names == ("Ann", "Ben")


# What can be chosen


@pytest.mark.parametrize("kind", GAMES.values(), ids=lambda kind: kind.id)
def test_every_game_has_a_match_ready_and_a_label_for_its_board(kind, choices):
    match, said = choices.of(kind).match()
    assert (match.game, said) == (kind.all_setups()[0].game(kind), "")
    assert [seat.computer for seat in match.seats] == ["", "25"]
    assert choices.board_label.startswith("set-up: ")
    choices.use_setup(kind.setup("rule-book"))
    assert choices.board_label.startswith("rule book: ")
    assert choices.board_words == "This is the rule book's own game."


def test_the_coin_toss_survives_a_change_of_names(choices):
    choices.first, choices.chance = COIN, Random(1)
    choices.use_name(name="Mia")
    assert choices.first == COIN
    match, said = choices.match()
    assert said.startswith("Heads for Mia, tails for the computer. The coin shows ")
    assert said.endswith(f": {match.name(1)} moves first.")


def test_the_opponent_who_begins_survives_a_change_of_opponents(choices):
    choices.first = "opponent"
    for opponent, name in (("casual", "Computer"), (FRIEND, "Player 2"), (AUTO, "Computer")):
        choices.opponent = opponent
        assert choices.match()[0].name(1) == name


def test_who_moves_first_is_you_or_the_computer_or_a_name(choices):
    assert [*choices.starters.values()] == ["you", "the computer", "toss a coin"]
    choices.opponent = FRIEND
    assert [*choices.starters.values()] == ["Player 1", "Player 2", "toss a coin"]


def test_a_name_is_a_persons(choices, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, sentence in (
        ("Ann (Computer)", "would be taken for a computer"),
        ("Computer (casual)", "would be taken for a computer"),
        ("coin", "it stands for the coin toss"),
        ("player 2", "two different names"),
        ("", "name"),
    ):
        with pytest.raises(MatchError, match=sentence):
            choices.use_name(name=name)
    assert choices.person.name == "Player 1"
    choices.use_name(name="ugi:touch here")
    assert choices.match()[0].seats[0] == Seat("ugi:touch here")
    choices.use_name(name="computer")
    choices.opponent = "casual"
    assert choices.match()[0].names == ("computer", "Computer (2)")
    assert not (tmp_path / "here").exists()


def test_an_option_that_makes_a_set_up_is_recognized(choices):
    choices.of(GAMES["number-chain-duel"]).use_setup(choices.kind.setup("rule-book"))
    choices.use_option("numbers", "30")
    assert choices.setup == choices.kind.setup("to-30")
    choices.use_option("numbers", 31)
    assert choices.setup is None
    assert choices.board_label == "your own: 1 to 31"
    assert choices.game == choices.kind(numbers=31)


def test_an_option_that_the_game_refuses_changes_nothing(choices):
    choices.of(GAMES["number-duel"])
    before = choices.game
    for name, value in (("numbers", "15001"), ("numbers", "x"), ("criteria", "square-sun")):
        with pytest.raises(DuelsError):
            choices.use_option(name, value)
    assert choices.game == before
    choices.use_option("criteria", "square-sum")
    assert choices.option("criteria") == choices.game.options["criteria"]


def test_clock_and_number_of_games_are_part_of_the_match(choices):
    choices.time_limit, choices.matches = "60", 3
    match, _ = choices.match()
    assert (match.time_limit, match.duel.of) == (60, 3)
    choices.time_limit = "soon"
    with pytest.raises(DuelsError, match="time limit"):
        choices.match()
    choices.of(GAMES["divisor-duel"]).time_limit = ""
    assert choices.match()[0].duel.of == 2, "as many as the set-up suggests"


def test_another_game_swaps_the_sides_and_has_the_strength_of_now(choices):
    match, _ = choices.match()
    lost = match.resign()
    choices.strengths.count(lost)
    again = choices.again(lost)
    assert [seat.computer for seat in again.seats] == ["6", ""]
    assert choices.again(lost, swapped=False).computer(2) == "6"
    assert choices.again(new_match(match.game, ("Ann", "Ben"))).names == ("Ben", "Ann")


def test_a_first_move_of_a_stranger_is_refused(call):
    done = call("play", "line", "--players", "Ann", "Ben", "--first", "Carol")
    assert "cannot move first: choose Ann, Ben or coin." in done.stderr


# Questions


class Typed(Talk):
    """A talk whose answers are known before; what it says is kept."""

    def __init__(self, *answers):
        super().__init__()
        self.answers, self.said = iter(answers), []

    def ask(self, prompt, seconds=None):
        return next(self.answers)

    def say(self, *lines):
        self.said += lines


ITEMS = [Item("", "same", "as before"), Item("s", "set", "change"), Item("r", "review", "moves")]


@pytest.mark.parametrize(
    ("typed", "word"),
    [("", "same"), (" S ", "set"), ("sa", "same"), ("REV", "review"), ("quit", "quit")],
)
def test_an_action_is_found_by_its_key_its_word_or_its_beginning(typed, word):
    assert ask_item(Typed(typed), NEXT, ITEMS) == word


def test_an_action_that_is_not_there_is_answered():
    talk = Typed("help", "revue", "x", "r")
    assert ask_item(talk, NEXT, ITEMS) == "review"
    assert talk.said[-3:] == [
        "Press Enter, or type s or r.",
        "Press Enter, or type s or r. Did you mean review?",
        "Press Enter, or type s or r.",
    ]


@pytest.mark.parametrize(
    ("typed", "found"), [("2", 1), ("", 2), ("auto", 0), ("Some-One", 1), ("friend", 2)]
)
def test_a_line_is_chosen_by_its_number_its_beginning_or_a_part(typed, found):
    lines = ["auto: a friend's strength 7", "some one: move 9", "friend: not auto"]
    assert ask_number(Typed(typed), "Which?", lines, usual=3) == found


@pytest.mark.parametrize("typed", ["0", "7", "9", "-1", "x", "e"])
def test_a_number_that_is_not_in_the_list_chooses_nothing(typed):
    talk = Typed(typed, "1")
    assert ask_number(talk, "Which?", ["move 7", "move 9"]) == 0
    assert talk.said[-1] == "Type a number from 1 to 2."


# Saved games and records


def test_saved_games_are_unfinished_or_finished_and_of_a_duel_the_next(tmp_path):
    store, game = SavedGames(tmp_path), GAMES["number-chain-duel"](numbers=2)
    first = new_match(game, ("Ann", "Ben"), matches=3).play(1).play(2)
    alone = new_match(game).play(1)
    for match in (first, alone):
        store.save(match)
    saved = saved_games(store)
    assert {match.id for match in saved.unfinished} == {f"{first.id}g2", alone.id}
    assert saved.finished == [first]
    second = first.next().play(1)
    store.save(second)
    assert {match.id for match in saved_games(store).unfinished} == {second.id, alone.id}
    store.save(second.play(2))
    assert {match.id for match in saved_games(store).unfinished} == {f"{first.id}g3", alone.id}


@pytest.mark.parametrize("room", [10, 16, 20, 35, 60, 75, 200, *only_long(*range(10, 120))])
@pytest.mark.parametrize("name", ["Somebody with a long name", "名前がとても長い人"])
def test_a_saved_game_is_one_line_that_fits_and_names_the_game(tmp_path, room, name):
    store = SavedGames(tmp_path)
    playing = GAMES["sequence-duel"](opening="even")
    match = new_match(playing, (name, "Another one")).play(2)
    store.save(match)
    line = in_a_line(match, store, room)
    assert width(line) <= room
    assert "Sequence Duel"[: room - 1] in line
    assert "move 2" in line or room < len("Sequence Duel, move 2")
    assert line.endswith("move 2, just now") or room < len("Sequence Duel, move 2, just now")
    assert name in line or room < 80


@pytest.mark.parametrize("write", [write_text, write_json], ids=["text", "json"])
def test_a_pasted_record_is_read(write):
    match = new_match(GAMES["number-chain-duel"](), (Seat("Ann"), Seat("Ben")))
    for move in (4, 8, 1, 7):
        match = match.play(move)
    assert read_pasted(write(match)) == [match]
    assert read_pasted(f"{write(match)}\n{write(match)}") == [match, match]


@pytest.mark.parametrize(
    "text", ["", "nothing here", '{"a":' * 5000, "[Game", "\x00", '{"game": "chess"}']
)
def test_pasted_text_that_is_not_a_record_gets_one_sentence(text):
    with pytest.raises(RecordError, match=r"^This is not a record of a match") as error:
        read_pasted(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300
