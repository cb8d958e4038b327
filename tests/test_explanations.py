"""The explanation is enough to win: a player who only reads it never loses a won position.

The readers below get the text that a person is shown, once. After that they see the board, and
what their opponent did, and nothing else.
"""

import random
import re
from functools import partial, reduce
from itertools import accumulate
from operator import xor

import pytest

import duels
from duels.theory import theory_of, winning_moves
from rings import only_long
from test_verdicts import every_position


def read(verdict):
    """A player who has read why a position is won: from a position to a move."""
    reader = {"divisor-duel": read_digits, "number-line-duel": read_counts}
    return reader.get(verdict.position.game.id, read_partners)(
        verdict.reason, verdict.explanation, len(verdict.position.moves)
    )


def read_partners(reason, lines, now):
    """ "Take 12, then answer every number with its partner: 1-7 2-14"."""
    first = re.fullmatch(r"Take (\d+), then answer every number with its partner:", lines[0])[1]
    assert reason.startswith(f"Take {first}")
    pairs = [pair.split("-") for pair in lines[1].split() if "-" in pair]
    partner = {int(one): int(two) for pair in pairs for one, two in (pair, pair[::-1])}
    return lambda position: partner[position.moves[-1]] if len(position.moves) > now else int(first)


def read_counts(reason, lines, now):
    """What runs count by their length, how that goes on, and "Always leave a balanced line."."""
    assert lines[1] == "What a run counts depends on its length (length:count):"
    assert lines[-1] == "Always leave a balanced line."
    counts = {0: 0} | {int(n): int(count) for n, count in re.findall(r"(\d+):(\d+)", lines[2])}
    regular = re.fullmatch(r"From length (\d+) on the counts repeat every (\d+).", lines[3])

    def count(length):
        if length in counts:
            return counts[length]
        start, period = int(regular[1]), int(regular[2])
        return counts[start + (length - start) % period]

    return partial(balance, count=count)


def balance(position, count):
    """A move after which 1, 2, 4 and 8 each occur evenly often in the counts of the runs."""
    runs = [len(run) for run in f"{position.state:b}"[::-1].split("0")]
    firsts = accumulate((run + 1 for run in runs), initial=0)
    uneven = reduce(xor, map(count, runs))
    for run, first in zip(runs, firsts, strict=False):
        for size in (1, 2):
            for left in range(run - size + 1):
                if uneven ^ count(run) == count(left) ^ count(run - size - left):
                    low = first + left
                    return low if size == 1 else (low, low + 1)
    raise AssertionError(f"{position} cannot be balanced")


def read_digits(reason, lines, now):
    """ "Add 7, then answer the number on the left with the digit on the right:" and "75: 3"."""
    first = re.match(r"Add (\d)\.|(\d) makes (\d+), and \3 is divisible by", reason)
    answers = dict(re.fullmatch(r"(\d+): (\d)", line).groups() for line in lines[1:])
    if lines:
        assert lines[0].startswith(f"Add {first[1]}, then answer")
    return lambda position: int(
        answers[str(position.state)] if len(position.moves) > now else first[1] or first[2]
    )


# Opponents


def plays_anything(position, chance):
    return chance.choice(position.legal_moves)


def sets_traps(position, chance):
    return theory_of(position).hardest(position).move


def asks_the_solver(position, chance):
    winning = duels.solve(position).winning_moves
    return chance.choice(winning or position.legal_moves)


OPPONENTS = [plays_anything, sets_traps, asks_the_solver]


def first_won_position(game, chance):
    """Where somebody asks for help: random moves until the player to move can win."""
    while True:
        position = game.start()
        for _ in range(chance.randrange(12)):
            if position.legal_moves:
                position = position.play(chance.choice(position.legal_moves))
        while position.legal_moves:
            verdict = duels.solve(position)
            if verdict.wins:
                return verdict
            position = position.play(chance.choice(position.legal_moves))


def assert_reader_wins(verdict, opponent, chance):
    position, player = verdict.position, read(verdict)
    reader = position.to_move
    while not position.outcome:
        moves = player if position.to_move == reader else partial(opponent, chance=chance)
        position = position.play(moves(position))
    assert position.outcome.winner == reader, position


SMALL = [
    ("number-duel", {"numbers": 10}),
    ("number-duel", {"numbers": 9, "criteria": "neighbour,square-sum"}),
    ("number-chain-duel", {"numbers": 10}),
    ("sequence-duel", {"numbers": 10, "opening": "even"}),
    ("number-line-duel", {"numbers": 8}),
    ("divisor-duel", {"divisor": 2}),
    ("divisor-duel", {"divisor": 5}),
    ("divisor-duel", {"divisor": 12}),
]
LARGE = [
    ("number-duel", {"numbers": 60}),
    ("number-duel", {"numbers": 100}),
    ("number-duel", {"numbers": 101, "criteria": "factor,neighbour,digit-sum"}),
    *only_long(("number-duel", {"numbers": 160})),
    ("number-chain-duel", {"numbers": 31}),
    ("number-chain-duel", {"numbers": 240}),
    ("sequence-duel", {"numbers": 20}),
    ("sequence-duel", {"numbers": 100, "opening": "even"}),
    ("sequence-duel", {"numbers": 400}),
    ("number-line-duel", {"numbers": 20}),
    ("number-line-duel", {"numbers": 75}),
    ("number-line-duel", {"numbers": 120}),
    *[("divisor-duel", {"divisor": divisor}) for divisor in (3, 7, 13, 97, 1001, 10**9 + 7)],
]


@pytest.mark.slow
@pytest.mark.parametrize("board", SMALL, ids=str)
def test_a_reader_wins_every_won_position_whatever_the_opponent_does(board):
    game, options = board
    for position in every_position(duels.game(game, **options).start()):
        verdict = duels.solve(position)
        if verdict.wins:
            player, todo = read(verdict), [position]
            while todo:
                here = todo.pop()
                if here.outcome:
                    assert here.outcome.winner == position.to_move, here
                elif here.to_move == position.to_move:
                    todo.append(here.play(player(here)))
                else:
                    todo += [here.play(move) for move in here.legal_moves]


@pytest.mark.slow
@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("board", LARGE, ids=str)
def test_a_reader_wins_on_a_larger_board(board, opponent):
    game, options = board
    chance = random.Random(f"{board} {opponent.__name__}")
    for _ in range(2):
        verdict = first_won_position(duels.game(game, **options), chance)
        assert_reader_wins(verdict, opponent, chance)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", [plays_anything, asks_the_solver])
@pytest.mark.parametrize("numbers", [82, 83, 84, 500, 1_000, 2_000])
def test_a_reader_wins_on_a_long_line(numbers, opponent):
    verdict = duels.solve(duels.game("number-line-duel", numbers=numbers).start())
    assert_reader_wins(verdict, opponent, random.Random(numbers))


# Reasons


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_every_position_has_a_short_reason(board):
    game, options = board
    for position in every_position(duels.game(game, **options).start()):
        reason = duels.solve(position).reason
        assert 20 < len(reason) <= 400
        assert reason.endswith(".")
        assert reason.isprintable()


@pytest.mark.parametrize("board", LARGE, ids=str)
def test_a_reason_is_short_on_a_larger_board(board):
    game, options = board
    position, chance = duels.game(game, **options).start(), random.Random(1)
    for _ in range(12):
        assert 20 < len(duels.solve(position).reason) <= 400, duels.solve(position).reason
        if position.legal_moves:
            position = position.play(chance.choice(position.legal_moves))


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_the_reason_of_a_won_position_begins_with_a_winning_move(board):
    game, options = board
    for position in every_position(duels.game(game, **options).start()):
        verdict = duels.solve(position)
        if verdict.wins:
            move = verdict.best_move
            assert move in verdict.winning_moves
            told = re.match(r"(?:Take |Cross out |Add )?([\d-]+)", verdict.reason)[1]
            assert told == position.game.format(move)


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_the_reason_of_a_lost_position_says_so(board):
    game, options = board
    for position in every_position(duels.game(game, **options).start()):
        verdict = duels.solve(position)
        if verdict.wins is False:
            assert verdict.reason.startswith("You cannot force a win")
            assert verdict.best_move is None


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_the_reason_of_a_finished_position_names_the_winner(board):
    game, options = board
    for position in every_position(duels.game(game, **options).start()):
        if position.outcome:
            winner = f"The game is over: Player {position.outcome.winner} has won."
            assert duels.solve(position).reason == winner
            assert duels.solve(position).explanation == []


@pytest.mark.parametrize("board", SMALL[:-1], ids=str)
def test_a_trap_is_the_legal_move_that_leaves_the_smallest_share_of_good_answers(board):
    game, options = board
    for position in every_position(duels.game(game, **options).start()):
        if position.legal_moves and not winning_moves(position):
            trap = theory_of(position).hardest(position)
            after = [duels.solve(position.play(move)) for move in position.legal_moves]
            shares = [
                len(each.winning_moves) / len(each.position.legal_moves)
                if each.position.legal_moves
                else 1  # the game is over, and lost
                for each in after
            ]
            assert trap.move in position.legal_moves
            assert trap.share == min(shares)


def test_with_one_move_nothing_is_compared():
    only = duels.solve(duels.game("sequence-duel", numbers=20).start().play(19))
    assert only.reason == "You cannot force a win: 1 is your only move, and 17 of 18 answers win."


def test_every_move_is_tried_for_a_trap_on_boards_of_hundreds():
    position = duels.game("number-duel", numbers=400, criteria="prime-factor").start()
    for move in (253, 66, 284, 196, 94, 288, 2, 150, 381):
        position = position.play(move)
    trap = theory_of(position).hardest(position)
    assert (trap.move, trap.good, trap.of_all) == (254, 1, True)
    assert "254 is the hardest to answer" in duels.solve(position).reason


@pytest.mark.parametrize(("numbers", "middle"), [(1001, 501), (1_000_000, (500_000, 500_001))])
def test_the_middle_of_a_long_line_is_the_easiest_to_understand(numbers, middle):
    start = duels.game("number-line-duel", numbers=numbers).start()
    assert duels.solve(start).best_move == middle
