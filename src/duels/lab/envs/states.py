"""The plain space, for any game that is made of states: everything is found by looking at them.

An observation is the whole numbers of the state as binary digits, lowest first, each as wide as
the largest of its kind in any state, and followed by a 1 for a minus if it can have one. The length
of a tuple is one of the numbers. A number that is the same in all states is left out.
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
from duels.core.rules import rules_of
from duels.core.words import quoted
from duels.lab.envs.bits import Words, packed, unpacked
from duels.lab.envs.extras import needed
from duels.lab.envs.spaces import Rows, Space

with needed("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

MOST_ENTRIES = 10_000_000
"""The most entries, by state and action, that the table of a batch may have."""


class StateSpace(Space[Position]):
    """The space of a game that says nothing but its states."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._rules = rules_of(game.start())
        self._actions = {move: action for action, move in enumerate(self.moves)}
        self._rows = {state: row for row, state in enumerate(self._rules.reachable())}
        self._columns = list(_columns(map(self._rules.visible, self._rows)))
        self.observation_size = sum(column.width + column.signed for column in self._columns)

    def action_of(self, move: Move) -> int:
        return self._actions[move]

    def observation(self, position: Position) -> NDArray[np.int8]:
        size = self.observation_size
        (seen,) = unpacked(packed([self._digits(self._rules.state_of(position))], size), size)
        found: NDArray[np.int8] = seen
        return found

    def longest_game(self) -> int:
        """Exact, from the ends back to the start."""
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
        """The observation of a state, as a bit set."""
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
        seen = packed([self._digits(state) for state in rows], self.observation_size)
        return Tables(after, packed(legal, actions), rewards, seen)


class Tables(NamedTuple):
    """What is known of every state; the start is the first."""

    after: NDArray[np.int64]
    """By state and action: the next state."""
    legal: Words
    rewards: NDArray[np.int8]
    """1 or -1 for whoever moved into an end, 0 for other states."""
    seen: Words
    """The observations, as bits."""


class StateBatch:
    """Games that are looked up in tables: a step is a glance."""

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
        return unpacked(seen, self._observation_size)


class Column(NamedTuple):
    """One of the numbers of a state: which, and how many digits it needs."""

    at: int
    width: int
    signed: bool


def _columns(states: Iterable[Any]) -> Iterator[Column]:
    """The numbers that change from state to state."""
    for at, numbers in enumerate(zip_longest(*map(_numbers, states), fillvalue=0)):
        low, high = min(numbers), max(numbers)
        if low < high:
            yield Column(at, max(abs(low), abs(high)).bit_length(), low < 0)


def _numbers(state: Any) -> Iterator[int]:
    """The whole numbers of a state. A tuple begins with its length, so that no two look alike."""
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
