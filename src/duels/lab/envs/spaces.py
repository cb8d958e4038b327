"""Moves as action ids and positions as arrays: the `Space` that a game names in its parts.

The action id of a move is its index in `game.all_moves()`. An observation is a vector of zeros and
ones (int8), the same for both players, with everything that matters for the rest of the game.

`StateSpace` suits any game that is made of states, `duels.lab.envs.board_space` the games in which
a move uses up numbers of a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import zip_longest
from operator import index
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from duels.core.errors import OptionError, TooLarge, UnreadableMove
from duels.core.game import Game, Move, Position
from duels.core.parts import load, parts_of
from duels.core.states import rules_of
from duels.core.words import quoted
from duels.lab.envs.base import require, value_of
from duels.theory import winning_moves

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


def verdict_info(position: Position) -> dict[str, Any]:
    """Return the verdict for the player to move, as an environment adds it to `info`."""
    winning = winning_moves(position)
    return {
        "value": value_of(position, winning),
        "winning_mask": space_of(position.game).mask(winning),
    }


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
            raise OptionError(f"{game.title} ({game.options_in_words()}) has no moves at all.")

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
            raise UnreadableMove(f"{quoted(action)} is not an action: choose from 0 to {last}.")
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


# Any game that is made of states

MOST_ENTRIES = 10_000_000
"""The most entries in a table of a batch, which has a row for each state."""


class StateSpace(Space[Position]):
    """The space of a game that defines only its states: everything is found by visiting them.

    An observation is the integers of the state in binary, lowest bit first, each as wide as its
    largest value in any state, with a sign bit where it can be negative. The length of a tuple is
    one of the integers. An integer that is the same in all states is left out.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._rules = rules_of(game.start())
        self._actions = {move: action for action, move in enumerate(self.moves)}
        self._rows = {state: row for row, state in enumerate(self._rules.reachable())}
        self._columns = list(_columns(map(self._rules.visible, self._rows)))
        self.observation_size = sum(column.width + column.signed for column in self._columns)

    def action_of(self, move: Move) -> int:
        return self._actions[move]

    def observed(self, position: Position) -> int:
        return self._digits(self._rules.state_of(position))

    def longest_game(self) -> int:
        """Return the exact number, computed from the final states back to the start."""
        rules, rows = self._rules, self._rows
        longest: dict[int, int] = {}
        ahead = {
            row: [rows[rules.after(state, move)] for move in rules.allowed(state)]
            for state, row in rows.items()
        }
        try:
            for row in TopologicalSorter(ahead).static_order():
                longest[row] = 1 + max((longest[after] for after in ahead[row]), default=-1)
        except CycleError:
            raise OptionError(f"{self.game.title} may never end: its states can repeat.") from None
        return longest[0]

    def batch(self, count: int) -> StateBatch:
        return StateBatch(self._tables, self.observation_size, count)

    def _digits(self, state: Any) -> int:
        """Return the observation of a state as a bit set."""
        digits, place, numbers = 0, 0, [*_numbers(self._rules.visible(state))]
        for at, width, signed in self._columns:
            number = numbers[at] if at < len(numbers) else 0
            digits |= (abs(number) | (number < 0) << width) << place
            place += width + signed
        return digits

    @cached_property
    def _tables(self) -> Tables:
        game, rules, rows, actions = self.game, self._rules, self._rows, len(self.moves)
        entries = len(rows) * max(actions, self.observation_size)
        if entries > MOST_ENTRIES:
            raise TooLarge(
                f"A batch can hold tables of {MOST_ENTRIES:,} entries, and {game.title} "
                f"({game.options_in_words()}) needs {entries:,}: try a smaller board."
            )
        after = np.zeros((len(rows), actions), np.int64)
        rewards = np.zeros(len(rows), np.int8)
        legal = []
        for state, row in rows.items():
            moves = {self.action_of(move): move for move in rules.allowed(state)}
            for action, move in moves.items():
                after[row, action] = rows[rules.after(state, move)]
            if not moves:
                rewards[row] = 1 if rules.last_mover_wins(state) else -1
            legal.append(sum(1 << action for action in moves))
        seen = pack([self._digits(state) for state in rows], self.observation_size)
        return Tables(after, pack(legal, actions), rewards, seen)


class Tables(NamedTuple):
    """The rules as tables by state; the start is state 0."""

    after: NDArray[np.int64]
    """By state and action: the next state."""
    legal: Words
    rewards: NDArray[np.int8]
    """1 or -1 for the player who moved into a final state, 0 for other states."""
    seen: Words
    """The observations, as bit sets."""


class StateBatch:
    """A batch in which a step is a table look-up."""

    def __init__(self, tables: Tables, observation_size: int, count: int) -> None:
        self._tables = tables
        self._observation_size = observation_size
        self._states = np.zeros(count, np.int64)
        self.legal = tables.legal.take(self._states, axis=1)

    def play(self, actions: NDArray[np.int64], rows: Rows) -> NDArray[np.int8]:
        after = self._tables.after
        states = after.take(self._states[rows] * after.shape[1] + actions)
        self._states[rows] = states
        self.legal[:, rows] = self._tables.legal.take(states, axis=1)
        rewards: NDArray[np.int8] = self._tables.rewards.take(states)
        return rewards

    def restart(self, games: NDArray[np.int64]) -> None:
        self._states[games] = 0
        self.legal[:, games] = self._tables.legal[:, :1]

    def observations(self, rows: Rows) -> NDArray[np.int8]:
        seen = self._tables.seen.take(self._states[rows], axis=1)
        return unpack(seen, self._observation_size)


class Column(NamedTuple):
    """One of the integers of a state: its index and its width in bits."""

    at: int
    width: int
    signed: bool


def _columns(states: Iterable[Any]) -> Iterator[Column]:
    """Yield the integers that differ between states."""
    for at, numbers in enumerate(zip_longest(*map(_numbers, states), fillvalue=0)):
        low, high = min(numbers), max(numbers)
        if low < high:
            yield Column(at, max(abs(low), abs(high)).bit_length(), low < 0)


def _numbers(state: Any) -> Iterator[int]:
    """Yield the integers of a state. A tuple starts with its length: no two states look alike."""
    if isinstance(state, tuple):
        yield len(state)
        for part in state:
            yield from _numbers(part)
        return
    try:
        yield index(state)
    except TypeError:
        raise OptionError(
            "Environments can only show a state that is a whole number or a tuple of them, "
            f"and {quoted(state)} is not."
        ) from None


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
    # A byte keeps its top bit if its count is at most `nth`: these come before the one we want.
    few = (wanted * IN_EACH_BYTE | TOPS) - counts & TOPS
    place: Words = np.bitwise_count(few).astype(np.uint64) << np.uint64(3)
    before = (counts << np.uint64(8)) >> place & np.uint64(255)
    index = wanted - before << np.uint64(8) | words >> place & np.uint64(255)
    found: NDArray[np.int64] = NTH_OF_BYTE.take(index.view(np.int64))
    found += place.view(np.int64)
    return found
