"""Number Line Duel as gg-bench plays it: actions by number, a policy, and its tree search.

A position is `(crossed, turn)`: the bit set of the numbers that are crossed out (number 1 is bit
0), and 1 if the first player is to move, else 0, as in gg-bench's observation.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate
from math import log, sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np
from gg_bench_files import ACTIONS, Agent

import duels
from duels.core.errors import IllegalMove
from duels.core.game import Move, Position
from duels.theory import winning_moves

NUMBERS = 10
FULL = (1 << NUMBERS) - 1
EXPLORATION = 1.4
ITERATIONS = 300
"""Of a search, as in the published evaluation."""
MOVES: tuple[Move, ...] = (*duels.game("number-line-duel", numbers=NUMBERS).all_moves(),)
"""By action: the numbers, then the pairs."""
Key = tuple[int, int]
Table = list[list[list[float]]]
"""By turn and crossed-out numbers: the cumulative probabilities of the legal actions."""


class Choice(NamedTuple):
    """A won position in which some move would give the win away."""

    crossed: int
    turn: int
    winning: frozenset[int]
    weight: float
    """How often a game of random moves reaches it."""

    @property
    def left(self) -> int:
        return NUMBERS - self.crossed.bit_count()

    @property
    def random(self) -> float:
        """The chance that a random move keeps the win."""
        return len(self.winning) / len(LEGAL[self.crossed])


def key_of(position: Position) -> Key:
    free: int = position.state  # type: ignore[attr-defined]
    return FULL & ~(free >> 1), position.to_move % 2


def all_positions() -> dict[Key, Position]:
    """Return every position that can be reached, those with fewer numbers left later."""
    start = duels.game("number-line-duel", numbers=NUMBERS).start()
    found: dict[Key, Position] = {key_of(start): start}
    todo = [start]
    while todo:
        position = todo.pop()
        for move in position.legal_moves:
            after = position.play(move)
            if key_of(after) not in found:
                found[key_of(after)] = after
                todo.append(after)
    return dict(sorted(found.items(), key=lambda entry: entry[0][0].bit_count()))


POSITIONS = all_positions()
LEGAL: list[list[int]] = [[] for _ in range(FULL + 1)]
"""By crossed-out numbers: the legal actions, in gg-bench's order."""
AFTER: list[list[int]] = [[] for _ in range(FULL + 1)]
"""By crossed-out numbers: what is crossed out after each legal action."""
for (_crossed, _), _position in POSITIONS.items():
    LEGAL[_crossed] = sorted(MOVES.index(move) for move in _position.legal_moves)
    AFTER[_crossed] = [key_of(_position.play(MOVES[action]))[0] for action in LEGAL[_crossed]]


def all_choices() -> list[Choice]:
    """Return every choice of the board, with its exact verdict."""
    weights = dict.fromkeys(POSITIONS, 0.0)
    weights[0, 1] = 1.0
    choices = []
    for (crossed, turn), position in POSITIONS.items():
        reached = weights[crossed, turn]
        for after in AFTER[crossed]:
            weights[after, 1 - turn] += reached / len(AFTER[crossed])
        winning = frozenset(MOVES.index(move) for move in winning_moves(position))
        if 0 < len(winning) < len(LEGAL[crossed]):
            choices.append(Choice(crossed, turn, winning, reached))
    return choices


def compare_rules(environment: Any) -> int:
    """Compare gg-bench's environment with our rules, every action in every position.

    Return the number of legal moves that were compared; raise ValueError at the first difference.
    """
    legal = 0
    for (crossed, _), position in POSITIONS.items():
        if position.outcome:
            continue
        for action, move in enumerate(MOVES):
            environment.reset()
            environment.number_line[:] = _bits(crossed)
            listed = action in environment.valid_moves()
            line, reward, done, *_ = environment.step(action)
            try:
                after = position.play(move)
            except IllegalMove:
                same = not listed and (reward, done) == (-10, True)
            else:
                over = after.outcome
                won = over is not None and over.winner == position.to_move
                same = listed and (reward, done) == (int(won), over is not None)
                same = same and list(line) == _bits(key_of(after)[0])
                legal += 1
            if not same:
                raise ValueError(f"gg-bench differs from us after {position.moves}: {move}.")
    return legal


def _bits(crossed: int) -> list[int]:
    return [crossed >> place & 1 for place in range(NUMBERS)]


def uniform_policy() -> Table:
    """Return the policy of random moves."""
    one = [[1 / len(actions)] * len(actions) for actions in LEGAL[:-1]]
    return [[list(accumulate(row))[:-1] for row in one]] * 2


def trained_policy(agent: Agent) -> Table:
    """Return an agent's policy: the softmax of its network over the legal actions."""
    return [[list(accumulate(row))[:-1] for row in _rows(agent, turn)] for turn in (0, 1)]


def _rows(agent: Agent, turn: int) -> Iterator[list[float]]:
    observations = np.array([[*_bits(crossed), turn] for crossed in range(FULL)], float)
    logits = agent.logits(observations)
    assert logits.shape == (FULL, ACTIONS)
    for crossed, row in enumerate(logits):
        powers = np.exp(row[LEGAL[crossed]] - row[LEGAL[crossed]].max())
        yield (powers / powers.sum()).tolist()


def kept_by_policy(policy: Table, choice: Choice) -> float:
    """Return the chance that a policy without search keeps the win."""
    ends = [0.0, *policy[choice.turn][choice.crossed], 1.0]
    actions = LEGAL[choice.crossed]
    return sum(
        ends[place + 1] - ends[place]
        for place, action in enumerate(actions)
        if action in choice.winning
    )


class _Node:
    """A position of the search tree, with how often its player lost from there."""

    __slots__ = ("children", "crossed", "losses", "parent", "turn", "untried", "visits")

    def __init__(self, crossed: int, turn: int, parent: _Node | None) -> None:
        self.crossed, self.turn, self.parent = crossed, turn, parent
        self.children: list[_Node] = []
        self.untried = len(AFTER[crossed])
        self.visits = self.losses = 0

    def expand(self) -> _Node:
        """Add the child of the last action that was not tried yet, as gg-bench does."""
        self.untried -= 1
        child = _Node(AFTER[self.crossed][self.untried], 1 - self.turn, self)
        self.children.append(child)
        return child

    def best(self) -> _Node:
        """Return the first child with the highest upper confidence bound."""
        visits = log(self.visits)
        best, highest = self.children[0], -1.0
        for child in self.children:
            bound = child.losses / child.visits + EXPLORATION * sqrt(visits / child.visits)
            if bound > highest:
                best, highest = child, bound
        return best


def search(
    crossed: int, turn: int, policy: Table, chance: Random, iterations: int = ITERATIONS
) -> int:
    """Return the action of gg-bench's Monte Carlo tree search, whose games `policy` plays out."""
    root = _Node(crossed, turn, None)
    for _ in range(iterations):
        node = root
        while node.crossed != FULL:
            if node.untried:
                node = node.expand()
                break
            node = node.best()
        here, loser = node.crossed, node.turn
        while here != FULL:
            here = AFTER[here][bisect(policy[loser][here], chance.random())]
            loser = 1 - loser
        up: _Node | None = node
        while up:
            up.visits += 1
            up.losses += up.turn == loser
            up = up.parent
    most = max(range(len(root.children)), key=lambda place: root.children[place].visits)
    return LEGAL[crossed][-1 - most]  # the children are in reverse order
