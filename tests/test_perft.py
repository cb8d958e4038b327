"""The number of complete games, against the tables in tests/perft."""

from pathlib import Path

import pytest

import duels
import naive
from duels.core.states import perft

TABLES = Path(__file__).parent / "perft"


def lines(name):
    """The lines of a table without its comments."""
    text = (TABLES / f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def counted(game):
    """The rows of our own table of a game: game, options, moves, and the three counts."""
    for line in lines(game):
        options, moves, *counts = (cell.strip() for cell in line.split("|"))
        yield game, dict(option.split("=") for option in options.split()), moves, *map(int, counts)


def juniper_green(sequence):
    """The rows of an OEIS sequence: how many cards, and the values."""
    rows = [line.split(":") for line in lines(f"oeis-{sequence}")]
    return [(int(cards), [int(value) for value in values.split()]) for cards, values in rows]


def the_largest_are_long(rows):
    """From 20 cards on the games take seconds to count."""
    return [pytest.param(*row, marks=[pytest.mark.long] * (row[0] >= 20)) for row in rows]


def games_after(cards, *moves):
    """The games of Juniper Green that player 1 wins and that player 2 wins."""
    position = duels.game("sequence-duel", numbers=cards, opening="even").start()
    for move in moves:
        position = position.play(move)
    return perft(position)


every_row = pytest.mark.parametrize(
    ("game", "options", "moves", "games", "one", "two"),
    [
        pytest.param(*row, marks=[pytest.mark.long] * (row[3] > 15_000))
        for game in duels.GAMES
        for row in counted(game)
    ],
)


@every_row
def test_the_games_from_a_position_are_counted_right(game, options, moves, games, one, two):
    position = duels.game(game, **options).position(*moves.split())
    assert perft(position) == (one, two)
    assert one + two == games


@pytest.mark.slow
@every_row
def test_the_tables_agree_with_the_naive_games(game, options, moves, games, one, two):
    position = duels.game(game, **options).position(*moves.split())
    assert naive.count_games(game, position.game.options, list(position.moves)) == (one, two)


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "games"), the_largest_are_long(juniper_green("A348842")))
def test_the_even_opening_has_as_many_games_as_juniper_green(cards, games):
    assert [sum(games_after(cards))] == games


@pytest.mark.parametrize(("cards", "games"), juniper_green("A348843"))
def test_juniper_green_has_as_many_games_after_each_first_card(cards, games):
    assert [sum(games_after(cards, first)) for first in range(2, cards + 1, 2)] == games


@pytest.mark.parametrize(("cards", "wins"), juniper_green("A348844"))
def test_juniper_green_is_won_as_often_by_each_player_after_each_first_card(cards, wins):
    counts = [games_after(cards, first) for first in range(2, cards + 1, 2)]
    assert [wins for pair in counts for wins in pair] == wins
