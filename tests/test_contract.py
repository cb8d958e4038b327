"""Every game keeps the contract of duels.core.game, and the checker notices games that do not."""

import pickle
import random
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import duels
from duels import IllegalMove, Outcome
from duels.games.chain.criteria import CRITERIA
from duels.testing import check_game
from rings import all_if_long, by_ring, only_long

# The number of different positions, counted a second time by walking tests/naive.py.
CHAIN_COUNTS = {1: 2, 2: 5, 3: 10, 4: 23, 5: 35, 6: 89, 7: 120, 8: 246, 9: 405, 12: 2657}
EVEN_COUNTS = {2: 3, 5: 16, 8: 141, 10: 482, 12: 1517, 14: 2983}
NUMBER_COUNTS = {1: 2, 3: 10, 8: 246, 10: 787, 11: 1179, 12: 4616}
CRITERIA_COUNTS = {
    "factor": 2657,
    "digit": 62,
    "digit-sum": 19,
    "prime-factor": 1148,
    "neighbour": 145,
    "square-sum": 51,
}


@pytest.fixture(autouse=True)
def compared(monkeypatch):
    """Compare a theory with search on fewer positions, unless there is time for all of them."""
    monkeypatch.setattr(duels.testing, "MOST_COMPARED", by_ring(1000, long=5000))


def by_size(counts):
    """The boards with fewer than a thousand positions; the long ring has the larger ones too."""
    return [
        pytest.param(*board, marks=[pytest.mark.long] if board[1] > 1000 else [])
        for board in counts.items()
    ]


@pytest.mark.parametrize(("numbers", "count"), by_size(CHAIN_COUNTS))
def test_every_position_of_number_chain_duel(numbers, count):
    assert check_game(duels.game("number-chain-duel", numbers=numbers)) == count


@pytest.mark.parametrize(("numbers", "count"), by_size(CHAIN_COUNTS))
def test_every_position_of_sequence_duel(numbers, count):
    assert check_game(duels.game("sequence-duel", numbers=numbers)) == count


@pytest.mark.parametrize(("numbers", "count"), by_size(EVEN_COUNTS))
def test_every_position_of_sequence_duel_with_an_even_opening(numbers, count):
    assert check_game(duels.game("sequence-duel", numbers=numbers, opening="even")) == count


@pytest.mark.parametrize(("numbers", "count"), by_size(NUMBER_COUNTS))
def test_every_position_of_number_duel(numbers, count):
    assert check_game(duels.game("number-duel", numbers=numbers)) == count


@pytest.mark.parametrize("criteria", CRITERIA)
def test_every_position_of_number_duel_by_criterion(criteria):
    game = duels.game("number-duel", numbers=12, criteria=criteria)
    assert check_game(game) == CRITERIA_COUNTS[criteria]


def test_every_position_of_number_duel_with_all_criteria():
    assert check_game(duels.game("number-duel", numbers=9, criteria=",".join(CRITERIA))) == 1924


@pytest.mark.parametrize("numbers", [*range(1, 10), *only_long(10, 11)])
def test_every_position_of_number_line_duel(numbers):
    # Each set of crossed-out numbers can be anybody's turn if it holds two neighbours, and
    # one player's otherwise; a Fibonacci number of sets holds none.
    without, longer = 2, 3
    for _ in range(numbers - 1):
        without, longer = longer, without + longer
    assert check_game(duels.game("number-line-duel", numbers=numbers)) == 2 * 2**numbers - without


def test_every_position_of_divisor_duel():
    # Divisor 2: 326 arrangements of odd digits, each with or without one of 4 even digits after it.
    assert check_game(duels.game("divisor-duel", divisor=2)) == 326 * 5


@pytest.mark.slow
@pytest.mark.parametrize("divisor", all_if_long([3, 7, 10, 11, 12, 37, 10**30], 7, 12, 10**30))
def test_the_first_positions_of_divisor_duel(divisor):
    most = by_ring(500, long=2000)
    assert check_game(duels.game("divisor-duel", divisor=divisor), positions=most) == most


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "positions"),
    [
        (duels.game("number-duel"), by_ring(300, long=1000)),
        (
            duels.game("number-duel", numbers=100, criteria=",".join(CRITERIA)),
            by_ring(100, long=300),
        ),
        (duels.game("number-duel", numbers=10_000), by_ring(40, long=150)),
        (duels.game("sequence-duel", numbers=1_000_000), by_ring(2, long=12)),
        pytest.param(
            duels.game("sequence-duel", numbers=1_000_000, opening="even"),
            12,
            marks=pytest.mark.long,
        ),
        (duels.game("number-chain-duel", numbers=100_000), by_ring(10, long=100)),
        (duels.game("number-line-duel", numbers=1000), by_ring(40, long=300)),
        (duels.game("divisor-duel", divisor=10**30), by_ring(300, long=1000)),
    ],
    ids=str,
)
def test_random_games_on_a_large_board(game, positions):
    assert check_game(game, positions=positions, chance=random.Random(2024)) > positions / 2


board = st.one_of(
    st.builds(
        lambda numbers, criteria: duels.game("number-duel", numbers=numbers, criteria=criteria),
        st.integers(1, 500),
        st.sets(st.sampled_from(list(CRITERIA)), min_size=1),
    ),
    st.builds(
        lambda numbers, opening: duels.game("sequence-duel", numbers=numbers, opening=opening),
        st.integers(2, 3000),
        st.sampled_from(["any", "even"]),
    ),
    st.integers(1, 3000).map(lambda numbers: duels.game("number-chain-duel", numbers=numbers)),
    st.integers(1, 200).map(lambda numbers: duels.game("number-line-duel", numbers=numbers)),
    st.integers(2, 10**40).map(lambda divisor: duels.game("divisor-duel", divisor=divisor)),
)


@settings(derandomize=True, database=None, deadline=None, max_examples=by_ring(40, long=4000))
@given(board, st.integers(0, 2**32))
def test_random_games_with_any_options(game, seed):
    assert 1 < check_game(game, positions=30, chance=random.Random(seed)) <= 30


@dataclass(frozen=True)
class Stones:
    """A position of a sixth game, as a user would add one: take one or two of a few stones."""

    game: object
    left: int
    moves: tuple = ()

    @property
    def to_move(self):
        return 1 + len(self.moves) % 2

    @property
    def legal_moves(self):
        return (1, 2)[: self.left]

    words = "some stones"

    @property
    def legal_count(self):
        return len(self.legal_moves)

    @property
    def outcome(self):
        return None if self.left else Outcome(3 - self.to_move, "no-moves")

    def play(self, move):
        if move not in self.legal_moves:
            raise IllegalMove("Take one or two stones.")
        return replace(self, left=self.left - move, moves=(*self.moves, move))


class TakeAway(duels.Game):
    """Whoever takes the last stone wins. A game with a class of positions of its own."""

    id, title, summary = "take-away", "Take Away", "Take one or two stones."
    stones: int = duels.whole("the stones at the start", default=6)
    kind_of_position = Stones

    def start(self):
        return self.kind_of_position(self, self.stones)


def test_a_game_of_your_own_can_be_checked():
    # Its positions remember their moves: there are as many as ways to take 0, 1, ... 6 stones.
    assert check_game(TakeAway()) == 1 + 1 + 2 + 3 + 5 + 8 + 13


def play_anything(self, move):
    return replace(self, left=max(0, self.left - 1), moves=(*self.moves, move))


def play_and_empty_the_old_position(self, move):
    follower = Stones.play(self, move)
    object.__setattr__(self, "left", 0)
    return follower


def play_and_forget(self, move):
    return replace(Stones.play(self, move), moves=(move,))


def play_without_words(self, move):
    return Stones.play(self, move) if move in self.legal_moves else {}[move]


BROKEN_POSITIONS = {
    "not in increasing order": {"legal_moves": property(lambda self: (2, 1)[: self.left])},
    "increasing order": {"legal_moves": property(lambda self: (1, 1)[: self.left])},
    "legal moves or an outcome": {"outcome": None},
    "an outcome, not both": {"outcome": Outcome(1, "no-moves")},
    "the winner is neither 1 nor 2": {
        "outcome": property(lambda self: None if self.left else Outcome(0, "draw"))
    },
    "not one of the endings": {
        "outcome": property(lambda self: None if self.left else Outcome(1, "tea-time"))
    },
    "legal_count is not the number of legal moves": {"legal_count": 3},
    "player 1 begins": {"to_move": 2},
    "does not pass the turn": {"to_move": 1},
    "0 is not legal and was played": {
        "play": lambda self, move: Stones.play(self, move) if move else self
    },
    "is not legal and was played": {"play": play_anything},
    "is not legal and raised KeyError": {"play": play_without_words},
    "is not added to the moves": {"play": play_and_forget},
    "a legal move was refused": {"play": play_and_empty_the_old_position},
    "an equal position has another hash": {"__hash__": object.__hash__},
    "playing its moves again leads elsewhere": {
        "__eq__": object.__eq__,
        "__hash__": object.__hash__,
    },
    "an equal position plays on differently": {
        "__eq__": lambda self, other: True,
        "__hash__": lambda self: 1,
    },
    "not frozen": {"__setattr__": object.__setattr__},
}


@pytest.mark.parametrize(("sentence", "flaw"), BROKEN_POSITIONS.items())
def test_a_broken_position_is_found_out(sentence, flaw):
    position = type("BrokenStones", (Stones,), flaw)
    game = type("BrokenGame", (TakeAway,), {"kind_of_position": position})()
    with pytest.raises(AssertionError, match=sentence):
        check_game(game)
    with pytest.raises(AssertionError, match=sentence):
        check_game(game, chance=random.Random(1))


BROKEN_GAMES = {
    "the options .* build another game": {"options": {"stones": 7}},
    "garbage '' was read as the move 1": {"parse": lambda self, text: 1},
    "is not read as": {"format": lambda self, move: f"{move}0"},
    "a legal move was refused": {"format": lambda self, move: f"take {move}"},
}


@pytest.mark.parametrize(("sentence", "flaw"), BROKEN_GAMES.items())
def test_a_broken_game_is_found_out(sentence, flaw):
    with pytest.raises(AssertionError, match=sentence):
        check_game(type("BrokenGame", (TakeAway,), flaw)())


@pytest.mark.parametrize("game_id", duels.GAMES)
def test_games_and_positions_travel_to_another_process(game_id):
    game = duels.GAMES[game_id].usual()
    position = game.start().play(game.start().legal_moves[0])
    assert pickle.loads(pickle.dumps(position)) == position
    assert pickle.loads(pickle.dumps(position)).legal_moves == position.legal_moves


@pytest.mark.parametrize("number", [0, -1, 10])
@pytest.mark.parametrize("game_id", ["number-duel", "sequence-duel", "number-chain-duel"])
def test_a_number_that_is_not_on_the_board_has_no_neighbours(game_id, number):
    with pytest.raises(KeyError):
        duels.game(game_id, numbers=9).neighbours[number]


def test_a_class_passed_as_a_game_is_refused_with_advice():
    with pytest.raises(TypeError, match=r"takes a game, not its class: pass NumberLineDuel\("):
        check_game(duels.GAMES["number-line-duel"])
