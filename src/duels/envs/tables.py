"""The rule books as tables of bits, for the batch environment.

After an action what is free is `free & keep[action]`, and what is legal is `free & follow[action]`.
Every row comes from the games: neighbourhoods of the chain games, positions of the number line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duels.core.errors import OptionError
from duels.core.game import Game
from duels.envs.actions import action_count, move_of
from duels.envs.extras import needed
from duels.games.chain import ChainGame
from duels.games.divisor_duel import DivisorDuel
from duels.games.number_line_duel import LinePosition, NumberLineDuel

with needed("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

MOST_ACTIONS = 10_000
"""Larger boards would need gigabytes of tables."""


class Tables(NamedTuple):
    """By word, and in `keep` and `follow` by word and action: bit a stands for action a."""

    free: NDArray[np.uint64]
    opening: NDArray[np.uint64]
    keep: NDArray[np.uint64]
    follow: NDArray[np.uint64]


def compiled(game: Game) -> Tables:
    """The tables of a game."""
    count = action_count(game)
    if count > MOST_ACTIONS:
        raise OptionError(
            f"A batch has room for {MOST_ACTIONS:,} actions, and this board has {count:,}: "
            "try a smaller one."
        )
    everything = (1 << count) - 1
    all_but_itself = [everything ^ 1 << action for action in range(count)]
    anything = [everything] * count
    if isinstance(game, ChainGame):
        follow = [game.neighbours[number] >> 1 for number in range(1, count + 1)]
        return _packed(count, everything, game.openings >> 1, all_but_itself, follow)
    if isinstance(game, NumberLineDuel):
        start = game.start()
        keep = [_free_actions(start.play(move_of(game, action))) for action in range(count)]
        return _packed(count, everything, everything, keep, anything)
    if isinstance(game, DivisorDuel):  # its end is arithmetic, in BatchEnv.step
        return _packed(count, everything, everything, all_but_itself, anything)
    raise OptionError(f"There is no batch of {game.id}.")


def _free_actions(position: LinePosition) -> int:
    """The legal actions of a position on the number line, as bits."""
    numbers = position.game.numbers
    return position.free >> 1 | position.pairs >> 1 << numbers


def _packed(
    count: int, free: int, opening: int, keep: Sequence[int], follow: Sequence[int]
) -> Tables:
    words = -(-count // 64)

    def pack(rows: Sequence[int]) -> NDArray[np.uint64]:
        octets = b"".join(row.to_bytes(8 * words, "little") for row in rows)
        by_row = np.frombuffer(octets, "<u8").reshape(len(rows), words)
        return np.ascontiguousarray(by_row.T, dtype=np.uint64)

    return Tables(pack([free])[:, 0], pack([opening])[:, 0], pack(keep), pack(follow))
