"""The space of the chain games, with how long a chain can be."""

from __future__ import annotations

from functools import lru_cache

from duels.core.bits import members, up_to
from duels.envs.board import BoardSpace, Rules
from duels.envs.longest_path import longest_path
from duels.games.chain import ChainGame, ChainPosition, Neighbours

EXACT_BOARD = 128
"""Up to this many numbers the longest chain is found in a second or two; nobody knows how long it
takes on larger boards, and for factors and multiples of 1..200 it can be a minute."""
LARGEST_BOARD = 10_000
"""Beyond this many numbers the bound of a chain game is not worked out."""

MOST_REMOVED = 64


class ChainSpace(BoardSpace[ChainPosition]):
    """A number that suits the last one may follow it."""

    game: ChainGame

    def longest_game(self) -> int:
        """Exact up to `EXACT_BOARD`; beyond it a bound that can be proved.

        A longest path is a hard problem. With the usual criteria of the largest boards the bound
        is the length.
        """
        game = self.game
        if game.size > LARGEST_BOARD:
            return game.size
        bound = _chain_bound(game)
        if game.size > EXACT_BOARD or _can_be_played(game, bound):
            return bound
        return _longest_chain(game)

    def rules(self) -> Rules:
        game = self.game
        rules = super().rules()
        follow = [game.neighbours[number] >> 1 for number in game.all_moves()]
        return rules._replace(opening=game.openings >> 1, follow=follow)


def _chain_bound(game: ChainGame) -> int:
    """Take k numbers away: a chain falls into at most k + 1 pieces, each within one component."""
    rows, left, bound = game.neighbours, up_to(game.size), game.size
    by_neighbours = sorted(range(1, game.size + 1), key=lambda n: -rows[n].bit_count())
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
        unused, played = up_to(game.size) ^ 1 << number, 1
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
