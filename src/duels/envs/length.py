"""How many moves a game can last."""

from __future__ import annotations

from functools import lru_cache

from duels.core.bits import members, up_to
from duels.core.game import Game
from duels.envs.actions import board_size
from duels.envs.longest_path import longest_path
from duels.games.chain import ChainGame, Neighbours
from duels.games.divisor_duel import DIGITS, DivisorDuel, DivisorPosition

EXACT_BOARD = 128
"""Up to this many numbers the longest chain is found in a second or two; nobody knows how long it
takes on larger boards, and for factors and multiples of 1..200 it can be a minute."""
LARGEST_BOARD = 10_000
"""Beyond this many numbers the bound of a chain game is not worked out."""

MOST_REMOVED = 64


def longest_game(game: Game) -> int:
    """The most moves that a game can have.

    Exact but for the chain games above `EXACT_BOARD`, where it is a bound that can be proved: a
    longest path is a hard problem. In Number Duel with its usual criteria the bound is the length.
    """
    if isinstance(game, DivisorDuel):
        return _longest_number(game)
    if isinstance(game, ChainGame) and game.numbers <= LARGEST_BOARD:
        bound = _chain_bound(game)
        if game.numbers > EXACT_BOARD or _can_be_played(game, bound):
            return bound
        return _longest_chain(game)
    return board_size(game)


def _longest_number(game: DivisorDuel) -> int:
    """The most digits, by trying; the same digits with the same remainder go on alike."""
    seen: set[tuple[frozenset[object], int]] = set()
    stack: list[DivisorPosition] = [game.start()]
    longest = 0
    while stack and longest < len(DIGITS):
        here = stack.pop()
        longest = max(longest, len(here.moves))
        key = frozenset(here.moves), here.remainder
        if key not in seen:
            seen.add(key)
            stack += [here.play(move) for move in here.legal_moves]
    return longest


def _chain_bound(game: ChainGame) -> int:
    """Take k numbers away: a chain falls into at most k + 1 pieces, each within one component."""
    rows, left, bound = game.neighbours, up_to(game.numbers), game.numbers
    by_neighbours = sorted(range(1, game.numbers + 1), key=lambda n: -rows[n].bit_count())
    for taken, number in enumerate(by_neighbours[:MOST_REMOVED]):
        sizes = sorted(_components(rows, left), reverse=True)
        bound = min(bound, taken + sum(sizes[: taken + 1]))
        left ^= 1 << number
    return bound


def _components(rows: Neighbours, left: int) -> list[int]:
    """The sizes of the connected components of the numbers that are left."""
    sizes = []
    while left:
        border, size = left & -left, 0
        left ^= border
        while border:
            number = border.bit_length() - 1
            reached = rows[number] & left
            left ^= reached
            border = border ^ 1 << number | reached
            size += 1
        sizes.append(size)
    return sizes


def _can_be_played(game: ChainGame, length: int) -> bool:
    """Whether a chain as long as that is found by going where the fewest ways lead on."""
    rows = game.neighbours
    for number in members(game.openings):
        unused, played = up_to(game.numbers) ^ 1 << number, 1
        while ways := members(rows[number] & unused):
            number = min(ways, key=lambda way: (rows[way] & unused).bit_count())
            unused ^= 1 << number
            played += 1
        if played == length:
            return True
    return False


@lru_cache(maxsize=64)
def _longest_chain(game: ChainGame) -> int:
    rows = game.neighbours
    edges = [(one, two) for one in rows for two in members(rows[one]) if one < two]
    return longest_path(edges, members(game.openings))
