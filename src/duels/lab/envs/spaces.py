"""Moves as action ids and positions as arrays: the `Space` of a game, which its parts name.

The action id of a move is its index in `game.all_moves()`. An observation is a vector of zeros and
ones (int8), the same for both players, with everything that matters for the rest of the game.

`duels.lab.envs.state_space` suits any game that is made of states, `duels.lab.envs.board_space` the
games in which a move uses up numbers of a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from duels.core.errors import OptionError, UnreadableMove
from duels.core.game import Game, Move, Position
from duels.core.parts import load, parts_of
from duels.core.words import quoted
from duels.lab.envs.base import require

with require("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

P = TypeVar("P", bound=Position, contravariant=True)
Rows: TypeAlias = "slice | NDArray[np.int64]"
"""Indices of some of the games of a batch."""
Words: TypeAlias = NDArray[np.uint64]
"""Bit sets, 64 bits to a word, indexed by word and then by game: a step works on whole rows."""
ALL = slice(None)


def space_of(game: Game) -> Space[Any]:
    """Return the space of a game, which is created once."""
    if "space" not in game.memory:
        game.memory["space"] = load(parts_of(game).space)(game)
    space: Space[Any] = game.memory["space"]
    return space


def observation(position: Position) -> NDArray[np.int8]:
    """Return the observation of a position."""
    return space_of(position.game).observation(position)


def mask(position: Position) -> NDArray[np.int8]:
    """Return the action mask of a position: a 1 for every legal action."""
    return space_of(position.game).mask(position.legal_moves)


class Batch(Protocol):
    """Many games of one kind at once, as arrays."""

    legal: Words
    """The legal actions of every game, as bit sets."""

    def play(self, actions: NDArray[np.int64], rows: Rows) -> NDArray[np.int8]:
        """Play an action in some games; return 1 where it won, -1 where it lost, 0 elsewhere.

        The state of a game after an illegal action is undefined until the game is restarted.
        """

    def restart(self, games: NDArray[np.int64]) -> None:
        """Restart some of the games."""

    def observations(self, rows: Rows) -> NDArray[np.int8]:
        """Return the observations, one row per game."""


class Space(Generic[P]):
    """Actions, observations, lengths and batches of one game."""

    observation_size: int
    """The length of an observation."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = game.all_moves()
        """All moves, in the order of their action ids."""
        if not self.moves:
            raise OptionError(f"{game.title} ({game.options_in_words()}) has no moves to choose.")

    def action_of(self, move: Move) -> int:
        """Return the action id of a move."""
        return self.moves.index(move)

    def move_of(self, action: Any) -> Move:
        """Return the move of an action id; UnreadableMove if there is none."""
        try:
            place = index(action)
        except TypeError:
            place = -1
        if not 0 <= place < len(self.moves):
            last = len(self.moves) - 1
            raise UnreadableMove(f"{quoted(action)} is not an action: they go from 0 to {last}.")
        return self.moves[place]

    def legal_actions(self, position: P) -> list[int]:
        """Return the ids of the legal moves in increasing order; none once the game is over."""
        return sorted(map(self.action_of, position.legal_moves))

    def mask(self, moves: Iterable[Move]) -> NDArray[np.int8]:
        """Return a vector with a 1 for the action of each move."""
        found = bytearray(len(self.moves))  # single values of an array are slower to set
        for action in map(self.action_of, moves):
            found[action] = 1
        return np.frombuffer(found, np.int8)

    def observation(self, position: P) -> NDArray[np.int8]:
        """Return the observation of a position."""
        return as_array(self.observed(position), self.observation_size)

    def observed(self, position: P) -> int:
        """Return the observation of a position as a bit set."""
        raise NotImplementedError

    def words(self, position: P) -> str:
        """Return the observation in words, without anything that the vector does not have."""
        return position.words

    def longest_game(self) -> int:
        """Return the largest number of moves in a game, or an upper bound."""
        raise NotImplementedError

    def batch(self, count: int) -> Batch:
        """Return `count` games at their start."""
        raise NotImplementedError


# Bit sets in arrays


def as_array(bits: int, length: int) -> NDArray[np.int8]:
    """Return the first `length` bits of a bit set as zeros and ones."""
    octets = np.frombuffer(bits.to_bytes(-(-length // 8), "little"), np.uint8)
    return np.unpackbits(octets, count=length, bitorder="little").view(np.int8)


def pack(rows: Sequence[int], length: int) -> Words:
    """Return bit sets of `length` bits as words, one column per bit set."""
    words = -(-length // 64)
    octets = b"".join(row.to_bytes(8 * words, "little") for row in rows)
    by_row = np.frombuffer(octets, "<u8").reshape(len(rows), words)
    return np.ascontiguousarray(by_row.T, dtype=np.uint64)


def unpack(words: Words, length: int) -> NDArray[np.int8]:
    """Return the first `length` bits of every column as zeros and ones, one row per column."""
    return unpack_rows(np.stack(list(words), axis=1), length)  # three times as fast as words.T


def unpack_rows(rows: Words, length: int) -> NDArray[np.int8]:
    """Return the first `length` bits of every row of words as zeros and ones."""
    octets = rows.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=length, bitorder="little").view(np.int8)


NTH_OF_BYTE = np.array(
    [
        ([place for place in range(8) if byte >> place & 1] + [0] * 8)[nth]
        for nth in range(8)
        for byte in range(256)
    ]
)
"""At 256 * n + byte: the place of the n-th set bit of the byte, both counted from 0."""

IN_EACH_BYTE, TOPS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)


def nth_bit(words: Words, nth: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of the `nth` set bit of each word, both counted from 0."""
    wanted: Words = nth.view(np.uint64)
    # Byte i of `counts` is the number of bits set in the bytes 0 to i.
    counts: Words = np.bitwise_count(words.view(np.uint8)).view(np.uint64) * IN_EACH_BYTE
    # The top bit of a byte stays set where that is too few: count the bytes before ours.
    few = (wanted * IN_EACH_BYTE | TOPS) - counts & TOPS
    place: Words = np.bitwise_count(few).astype(np.uint64) << np.uint64(3)
    before = (counts << np.uint64(8)) >> place & np.uint64(255)
    index = wanted - before << np.uint64(8) | words >> place & np.uint64(255)
    found: NDArray[np.int64] = NTH_OF_BYTE.take(index.view(np.int64))
    found += place.view(np.int64)
    return found
