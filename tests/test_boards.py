"""A game describes its board once; pages, paper and pictures draw that description."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

import pytest

import duels
from duels import Board, Cell, Link, StateGame
from duels.core.board import board_data, describe, drawn, marked
from duels.core.game import numbers_of
from duels.games.added import add_file, added
from duels.pages.print_sheets import rules_page
from duels.pages.shell import page_html
from duels.pages.templates import Host
from duels.theory import theory_of

CHOMP = Path(__file__).parent.parent / "docs" / "examples" / "chomp.py"


@contextmanager
def game_in(path):
    """The game of a file, for a while."""
    before = dict(duels.GAMES)
    add_file(path)
    (name,) = duels.GAMES.keys() - before.keys()
    yield duels.GAMES[name]
    added.discard(str(path))
    del duels.GAMES[name]


@pytest.fixture(scope="module")
def chomp():
    with game_in(CHOMP) as kind:
        yield kind


def cell(position, text):
    (found,) = [one for one in describe(position).cells if one and one.text == text]
    return found


def test_a_grid_shows_who_took_each_number_and_what_can_follow():
    position = duels.game("sequence-duel", numbers=20).position(6, 3)
    assert [len(row) for row in describe(position).rows] == [10, 10]
    assert cell(position, "6") == Cell("6", 6, gone=True, taken_by=1)
    assert cell(position, "3") == Cell("3", 3, gone=True, taken_by=2, last=True)
    legal = [one.move for one in describe(position).cells if one and one.legal]
    assert legal == [*position.legal_moves]


def test_a_line_links_the_neighbours_that_can_go_together():
    position = duels.game("number-line-duel", numbers=6).position("3-4")
    board = describe(position)
    assert board.layout == "line"
    assert [*board.links] == [Link((0, 1), "move", (1, 2)), Link((4, 5), "move", (5, 6))]
    assert {*board.moves} >= {*position.legal_moves}
    assert cell(position, "3").last
    assert cell(position, "4").last


def test_a_growing_number_is_a_headline_with_its_remainder_as_caption():
    board = describe(duels.game("divisor-duel", divisor=7).position(5, 2))
    assert [(one.text, one.taken_by, one.last) for one in board.headline] == [
        ("5", 1, False),
        ("2", 2, True),
    ]
    assert board.caption == "52 is not divisible by 7 (remainder 3)."
    assert [len(row) for row in board.rows] == [3, 3, 3]


@pytest.mark.parametrize("kind", duels.GAMES.values(), ids=lambda kind: kind.id)
def test_the_cells_of_the_last_move_are_marked_on_a_page_as_at_the_terminal(kind):
    position = kind(**kind.all_setups()[0].options).start()
    for _ in range(2):
        position = position.play(position.legal_moves[-1])
    described = [one.text for one in describe(position).cells if one and one.last]
    rows = board_data(position)["rows"]
    sent = [one["text"] for row in rows for one in row if isinstance(one, dict) and "last" in one]
    assert described == sent == [str(n) for n in numbers_of(position.moves[-1])]


def test_winning_and_losing_moves_are_marked_on_the_same_description():
    position = duels.game("number-line-duel", numbers=4).start()
    board = marked(describe(position), duels.solve(position).winning_moves)
    winning = {link.move for link in board.links if link.mark == "winning"}
    winning |= {one.move for one in board.cells if one and one.mark == "winning"}
    assert winning == {*duels.solve(position).winning_moves}


@pytest.mark.parametrize("kind", [*duels.GAMES.values()], ids=lambda kind: kind.id)
def test_every_legal_move_can_be_made_on_the_board(kind):
    position = kind.small().start()
    while not position.outcome:
        assert {*position.legal_moves} <= describe(position).moves.keys()
        position = position.play(position.legal_moves[-1])


def test_a_game_in_one_file_has_a_board_in_two_dimensions(chomp):
    position = chomp(high=2, wide=3).position("2-2")
    assert board_data(position) == {
        "layout": "grid",
        "rows": [
            ["1-1", "1-2", "1-3"],
            [
                "2-1",
                {"text": "2-2", "by": 1, "last": True},
                {"text": "2-3", "gone": True},
            ],
        ],
        "links": [],
        "headline": [],
        "caption": "1-1 is poisoned.",
        "flows": False,
    }
    svg = duels.solve(position)._repr_svg_()
    assert all(f">{text}<" in svg for text in ("1-1", "2-3", "1-1 is poisoned."))


def test_it_is_printed_in_two_dimensions_too(chomp, monkeypatch):
    monkeypatch.setattr(chomp, "sample", ("2-2",))
    monkeypatch.setattr(chomp, "sample_size", 3)
    printed = page_html(rules_page(chomp), Host("./")).file.content.decode()
    assert "across-3" in printed
    assert 'class="gone last"' in printed


@pytest.mark.parametrize(
    ("board", "fault"),
    [
        ("a board", "must return a Board"),
        (Board([[Cell("1")]], "circle"), "is not a layout"),
        (Board([["1"]]), "made of rows of Cell"),
        (Board([[Cell("1")]], links=[Link((0, 1), "run")]), "a cell that is not there"),
    ],
)
def test_a_board_that_cannot_be_drawn_is_refused_with_a_sentence(board, fault):
    class Odd(StateGame[int]):
        id, title, summary = "odd-board", "Odd Board", "A board that cannot be drawn."

        def first(self):
            return 1

        def allowed(self, state):
            return (1,) if state else ()

        def after(self, state, move):
            return 0

        def board(self, position):
            return board

    with pytest.raises(duels.OptionError, match=fault):
        duels.register(Odd)


def test_a_cell_that_is_only_taken_with_others_is_not_marked_alone():
    with game_in(CHOMP.with_name("cram.py")) as cram:
        position = cram().start()
        board = marked(describe(position), duels.solve(position).winning_moves)
        assert all(cell.legal and not cell.mark for cell in board.cells)
        assert {link.mark for link in board.links} == {"winning", "losing"}


def test_what_a_hint_draws_is_a_board_again():
    position = duels.game("number-chain-duel").start().play(4)
    board = drawn(describe(position), theory_of(position).drawing(duels.solve(position)))
    labels = {one.text: one.label for one in board.cells if one and one.label}
    assert labels == {"1": "↔7", "7": "↔1", "2": "↔6", "6": "↔2"}
    assert [one.text for one in board.cells if one and one.mark] == ["8"]
    position = duels.game("number-line-duel", numbers=7).start()
    board = drawn(describe(position), theory_of(position).clue(duels.solve(position)))
    assert [(link.cells, link.label) for link in board.links if link.kind == "run"] == [
        ((0, 1, 2, 3, 4, 5, 6), "length 7")
    ]
