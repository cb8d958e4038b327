"""The facts of the lessons, by kind: each is checked by the rules and the solver."""

from __future__ import annotations

import re

from duels.games.chain.rules import ChainPosition
from duels.games.line.theory import run_worth
from duels.theory import theory_of, winning_moves


def is_true(fact, step):
    """Whether a fact of a step is true; a value that cannot be read is not a fact."""
    try:
        return CHECKS[fact.kind](fact.position, fact.value, step)
    except (ArithmeticError, LookupError, ValueError):
        return False


def numbers(text):
    return [*map(int, re.findall(r"\d+", text))]


def pairs(step):
    """The pairs that a step teaches."""
    said = [fact.value.split() for fact in step.facts if fact.kind == "pairs"]
    return [tuple(numbers(pair)) for value in said for pair in value]


def free(position):
    """The numbers that are left."""
    left = position.unused if isinstance(position, ChainPosition) else position.state
    return {n for n in range(1, position.game.size + 1) if left >> n & 1}


def fit(game, one, two):
    return one > 0 and bool(game.neighbours[one] >> two & 1)


def runs(position):
    """The runs of a line, each with its first and its last number."""
    left = free(position)
    starts = sorted(n for n in left if n - 1 not in left)
    return [(n, next(m for m in range(n, 99) if m + 1 not in left)) for n in starts]


def length(one, two):
    return two - one + 1


def ones_and_twos(position):
    """How many ones and twos a line has, as the lesson counts them."""
    worth = {1: (1, 0), 2: (0, 1), 3: (1, 1), 4: (1, 0)}
    counted = [worth[length(*run)] for run in runs(position)]
    return [sum(ones for ones, _ in counted), sum(twos for _, twos in counted)]


def rights(step):
    """The positions after each accepted move."""
    play = step.position.play
    return [play(step.position.game.parse(move)) for move in step.accepted]


def moves_in(position, value):
    return [*map(position.game.parse, value.split())]


def ends(position, move):
    after = position.play(move)
    return after.outcome is not None and after.outcome.winner == position.to_move


def safe_moves(position):
    """The moves after which the opponent cannot win at once."""
    wins_at_once = theory_of(position).wins_at_once
    return {move for move in position.legal_moves if not wins_at_once(position.play(move))}


def are_pairs(position, value, step):
    said = [numbers(pair) for pair in value.split()]
    each = [number for pair in said for number in pair]
    return (
        all(fit(position.game, *pair) for pair in said)
        and len({*each}) == len(each)
        and {*each} <= free(position) | {*position.moves}
    )


def are_left_over(position, value, step):
    """Whether these numbers are in none of the pairs of their step."""
    return {*numbers(value)} == free(position) - {n for pair in pairs(step) for n in pair}


def fits(position, value, step):
    number, *others = numbers(value)
    return {*others} == {
        n for n in free(position) if n != number and fit(position.game, number, n)
    } and number in free(position)


def is_product(position, value, step):
    product, one, two = numbers(value)
    return product == one * two


def is_remainder(position, value, step):
    number, divisor, rest = numbers(value)
    return number % divisor == rest and divisor == position.game.divisor


def are_multiples(position, value, step):
    divisor, low, high, *those = numbers(value)
    return those == [n for n in range(low, high + 1) if n % divisor == 0]


def makes(position, value, step):
    """Whether the next digits turn the remainder into these numbers, the smallest first."""
    rest, made = position.state % position.game.divisor, numbers(value)
    return made == [10 * rest + digit for digit in position.legal_moves[: len(made)]]


def most_pairs(position, value, step):
    return len(theory_of(position).prove(position, ())["pairs"]) == int(value)


CHECKS = {
    "moves": lambda at, value, _: moves_in(at, value) == [*at.legal_moves],
    "winning": lambda at, value, _: moves_in(at, value) == [*winning_moves(at)],
    "wins": lambda at, value, _: {*moves_in(at, value)} <= {*winning_moves(at)},
    "ends": lambda at, value, _: all(ends(at, move) for move in moves_in(at, value)),
    "safe": lambda at, value, _: {*moves_in(at, value)} <= safe_moves(at),
    "moves left": lambda at, value, _: theory_of(at).moves_left(at) == numbers(value),
    "fit": lambda at, value, _: fit(at.game, *numbers(value)),
    "fits": fits,
    "divides": lambda at, value, _: numbers(value)[1] % numbers(value)[0] == 0,
    "shares a digit": lambda at, value, _: bool({*value.split()[0]} & {*value.split()[1]}),
    "pairs": are_pairs,
    "most pairs": most_pairs,
    "left over": are_left_over,
    "runs": lambda at, value, _: (
        [(run[0], run[-1]) for run in map(numbers, value.split())] == runs(at)
    ),
    "worth": lambda at, value, _: all(
        run_worth(size) == worth for size, worth in map(numbers, value.split(","))
    ),
    "balance": lambda at, value, _: ones_and_twos(at) == numbers(value),
    "product": is_product,
    "remainder": is_remainder,
    "multiples": are_multiples,
    "makes": makes,
}
"""What a fact of each kind says of its position, and how to check it."""
