"""What `duels solve` prints is enough to win: who only reads it never loses a won position.

The readers below get the text that a person is shown, once, in lines of 80 columns and cut where
it is cut for a person. After that they see the board and what their opponent did.
"""

import random
import re
from functools import partial, reduce
from itertools import accumulate
from operator import xor

import pytest

import duels
from duels.cli.study import MOST_LINES, shown_lines
from duels.theory import theory_of
from own_games import EuclidDuel, LastStoneLoses, square_duel
from rings import by_ring, only_long
from test_verdicts import every_position


def printed(verdict):
    """The reason and the table as they are printed, without line breaks."""
    lines = shown_lines(verdict, full=False)
    if len(lines) > MOST_LINES:  # then it says so, and this is what --full shows
        lines = shown_lines(verdict, full=True)
    text = " ".join(" ".join(lines).split())
    assert verdict.reason in text
    return verdict.reason, text.partition(verdict.reason)[2].strip()


def read(verdict):
    """A player who has read why a position is won: from a position to a move."""
    reason, table = printed(verdict)
    game, now = verdict.position.game, len(verdict.position.moves)
    do = game.verb.do.capitalize()
    named = re.match(rf"(?:Every move wins here\. )?{do} (\d+(?:(?:-| and )\d+)?)", reason)
    if table:
        follow = read_table(table)
    else:  # over after this move, or all the same from here on
        assert named or re.search("Any move wins|any digit you like|You can only", reason)

        def follow(position):
            return position.legal_moves[0]

    return lambda position: (
        game.parse(named[1]) if named and len(position.moves) == now else follow(position)
    )


def read_table(table):
    """A player who has read the table below the reason."""
    if "with its partner:" in table:
        return read_partners(table.partition(":")[2])
    if "copy every move" in table:
        return read_copies(table.partition(":")[2])
    if "the arrow:" in table:
        return read_digits(table.partition(":")[2])
    if "avoid the digit" in table:
        return partial(avoid, divisor=int(re.search(r"divisible by (\d+)", table)[1]))
    if "Always leave one of these:" in table:
        return read_words(table.partition(":")[2])
    return read_counts(table)


def read_partners(table):
    """ "Take 12, then answer every number with its partner: 1 with 7, 2 with 14"."""
    pairs = [[*map(int, pair.split(" with "))] for pair in table.split(",")]
    partner = {one: two for pair in pairs for one, two in (pair, pair[::-1])}
    return lambda position: partner[position.moves[-1]]


def read_copies(table):
    """ "Cross out 2, then copy every move in the run of the same length: 1 and 7; 3 and 9"."""
    copies = {}
    for pair in table.split(";"):
        one, two = (re.findall(r"\d+", run) for run in pair.split(" and "))
        shift = int(two[0]) - int(one[0])
        for number in range(int(one[0]), int(one[-1]) + 1):
            copies |= {number: number + shift, number + shift: number}

    def copy(position):
        last = position.moves[-1]
        return copies[last] if isinstance(last, int) else tuple(copies[number] for number in last)

    return copy


def read_words(table):
    """ "Always leave one of these: 0 stones; 2 stones"."""
    good = {words.strip() for words in table.split(";")}
    return lambda position: next(
        move for move in position.legal_moves if position.play(move).words in good
    )


def read_digits(table):
    """ "43: 1 5 9 -> 6; 2 -> 9*": after 43 and 5 add 6, and after the star what you like."""
    answers, free = {}, set()
    for number, groups in re.findall(r"(\d+):((?: [\d ]+ -> \d\*?;?)+)", table):
        for theirs, own, star in re.findall(r"([\d ]+) -> (\d)(\*?)", groups):
            for digit in theirs.split():
                answers[number + digit] = int(own)
                if star:
                    free.add(number + digit + own)

    def answer(position):
        number = str(position.state)
        if any(number.startswith(start) for start in free):
            return position.legal_moves[0]
        return answers[number]

    return answer


def avoid(position, divisor):
    """ "Each time, avoid the digit after which they can make a number divisible by 97."."""
    left = position.legal_moves
    numbers = {digit: 10 * position.state + digit for digit in left}
    return next(
        digit
        for digit, number in numbers.items()
        if all((10 * number + other) % divisor for other in left if other != digit)
    )


def read_counts(table):
    """What runs are worth by their length, and "Always leave a balanced line."."""
    assert table.endswith("Always leave a balanced line.")
    counts = {0: 0} | {int(n): int(count) for n, count in re.findall(r"(\d+):(\d+)", table)}
    regular = re.search(r"From length (\d+) on, the worths repeat every (\d+) lengths.", table)

    def count(length):
        if length in counts:
            return counts[length]
        start, period = int(regular[1]), int(regular[2])
        return counts[start + (length - start) % period]

    return partial(balance, count=count)


def balance(position, count):
    """A move after which the runs are worth 1, 2, 4 and 8 an even number of times each."""
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
    """A position for a hint: random moves until the player to move can win."""
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
    ("number-duel", {"numbers": 41, "criteria": "factor,neighbour,digit-sum"}),
    *only_long(("number-duel", {"numbers": 100})),
    *only_long(("number-duel", {"numbers": 101, "criteria": "factor,neighbour,digit-sum"})),
    *only_long(("number-duel", {"numbers": 160})),
    ("number-chain-duel", {"numbers": 31}),
    ("number-chain-duel", {"numbers": 240}),
    ("sequence-duel", {"numbers": 20}),
    ("sequence-duel", {"numbers": 100, "opening": "even"}),
    ("sequence-duel", {"numbers": 400}),
    ("number-line-duel", {"numbers": 20}),
    *only_long(("number-line-duel", {"numbers": 75}), ("number-line-duel", {"numbers": 120})),
    *[("divisor-duel", {"divisor": divisor}) for divisor in (3, 7, 13, 97, 1001, 10**9 + 7)],
]


OWN = [square_duel()(stones=40), EuclidDuel(larger=34, smaller=21), LastStoneLoses(stones=14)]


@pytest.mark.slow
@pytest.mark.parametrize("game", [duels.game(name, **options) for name, options in SMALL] + OWN)
def test_a_reader_wins_every_won_position_whatever_the_opponent_does(game):
    for position in every_position(game.start()):
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
    for _ in range(by_ring(1, long=4)):
        verdict = first_won_position(duels.game(game, **options), chance)
        assert_reader_wins(verdict, opponent, chance)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", [plays_anything, asks_the_solver])
@pytest.mark.parametrize("numbers", [82, 83, 84, 500, *only_long(1_000, 2_000)])
def test_a_reader_wins_on_a_long_line(numbers, opponent):
    verdict = duels.solve(duels.game("number-line-duel", numbers=numbers).start())
    assert_reader_wins(verdict, opponent, random.Random(numbers))


# Reasons


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_the_reason_of_a_finished_position_names_the_winner(board):
    game, options = board
    for position in every_position(duels.game(game, **options).start()):
        if position.outcome:
            winner = f"The game is over: Player {position.outcome.winner} has won."
            assert duels.solve(position).reason == winner
            assert duels.solve(position).explanation == []


@pytest.mark.parametrize(("numbers", "middle"), [(1001, 501), (1_000_000, (500_000, 500_001))])
def test_the_middle_of_a_long_line_is_the_easiest_to_understand(numbers, middle):
    start = duels.game("number-line-duel", numbers=numbers).start()
    assert duels.solve(start).best_move == middle
