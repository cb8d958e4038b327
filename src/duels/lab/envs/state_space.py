"""The generic space, for any game that is made of states: everything is found by visiting them.

An observation is the integers of the state in binary, lowest bit first, each as wide as its largest
value in any state, with a sign bit where it can be negative. The length of a tuple is one of the
integers. An integer that is the same in all states is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import zip_longest
from operator import index
from typing import Any, NamedTuple

from duels.core.errors import OptionError, TooLarge
from duels.core.game import Game, Move, Position
from duels.core.states import rules_of
from duels.core.words import quoted
from duels.lab.envs.base import require
from duels.lab.envs.spaces import Rows, Space, Words, pack, unpack

with require("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

MOST_ENTRIES = 10_000_000
"""The largest number of entries, by state and action, in the table of a batch."""


class StateSpace(Space[Position]):
    """The space of a game that defines only its states."""

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
            raise OptionError(
                f"{self.game.title} may never end: its states can come back."
            ) from None
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
                f"A batch has room for {MOST_ENTRIES:,} entries by state and action, and "
                f"{game.title} ({game.options_in_words()}) has {entries:,}: try a smaller board."
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
