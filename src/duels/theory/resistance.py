"""What to try in a lost position: the moves that are hardest to answer for a person.

First those that do not lose at once, where that can be avoided; of these the ones that hold out
longest; of these the ones that leave the fewest good answers. How far ahead is looked is bounded
by positions visited, never by seconds: the answer is the same on every machine.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from duels.core.fast import Bounded
from duels.core.game import Game, Move, Position
from duels.theory.reasons import Enough

if TYPE_CHECKING:
    from duels.theory.theory import Theory

MOST_VISITED = 2_500
"""Positions that are visited for one move, weighed by what a look at them costs."""
SOON_VISITED = 400
"""The same for a question about every move of a match."""
FEWEST_TRIED = 4
MOST_FINDINGS, MOST_NUMBERS = 20_000, 2_000_000
"""How many findings a game remembers: many on a small board, few on a large one."""


class Resistance(NamedTuple):
    """The moves of a lost position that are equally hard to answer, the lowest first."""

    moves: tuple[Move, ...]
    lasts: int
    """How many moves the game can be made to last, this one included, against the best attack."""
    is_exact: bool
    """Whether it ends then; if not, the search stopped there."""
    answers: int
    good: int
    """How many answers the first of the moves leaves, and how many of these win."""
    of_all: bool
    """Whether every move was looked at."""

    @property
    def move(self) -> Move:
        return self.moves[0]


def findings(game: Game) -> Bounded[Any, Any]:
    """Return what was found in positions of this game: they come up again and again."""
    if "findings" not in game.memory:
        most = min(MOST_FINDINGS, 1 + MOST_NUMBERS // (1 + game.start().legal_count))
        game.memory["findings"] = Bounded[Any, Any](most)
    found: Bounded[Any, Any] = game.memory["findings"]
    return found


class Attack:
    """Looks for quick wins, and stops when it has visited enough positions.

    A finding is remembered with what it cost, and costs the same the next time: so what is found
    never depends on what was looked at before.
    """

    def __init__(self, theory: Theory[Any], game: Game, most: int = MOST_VISITED) -> None:
        self.theory = theory
        self.left = most
        self._known = findings(game)

    def visit(self, cost: int) -> None:
        self.left -= cost
        if self.left < 0:
            raise Enough

    def wins_within(self, position: Position, moves: int) -> bool:
        """Whether the player to move can force the win with at most so many moves of both."""
        if moves < 2:  # as quick as remembering
            return self._wins_within(position, moves)
        key = self.theory, position, moves
        known: tuple[bool, int] | None = self._known.get(key)
        if known is None:
            before = self.left
            found = self._wins_within(position, moves)
            self._known[key] = found, before - self.left
            return found
        found, cost = known
        self.visit(cost)
        return found

    def _wins_within(self, position: Position, moves: int) -> bool:
        self.visit(1 + position.legal_count // 16)
        if self.theory.wins_at_once(position):
            return True
        if moves < 2:
            return False
        self.visit(self.theory.weight(position))
        return any(
            self.is_answered(position.play(move), moves - 1)
            for move in self.theory.winning_moves(position)
        )

    def is_answered(self, position: Position, moves: int) -> bool:
        """Whether every move from a lost position loses in time."""
        self.visit(1 + position.legal_count // 16)
        for move in position.legal_moves:
            after = position.play(move)
            if not after.outcome and (moves < 2 or not self.wins_within(after, moves - 1)):
                return False
        return True


def wins_soon(theory: Theory[Any], position: Position) -> bool:
    """Whether a win can be forced with the second move from now, as far as that is soon seen."""
    try:
        return Attack(theory, position.game, SOON_VISITED).wins_within(position, 3)
    except Enough:
        return False


def resist(theory: Theory[Any], position: Position) -> Resistance:
    """The hardest moves of a position that is lost for the player to move."""
    known, key = findings(position.game), (theory, position)
    found: Resistance | None = known.get(key)
    if found is None:
        found = known[key] = _resist(theory, position)
    return found


def _resist(theory: Theory[Any], position: Position) -> Resistance:
    legal = position.legal_moves
    most = max(FEWEST_TRIED, MOST_VISITED // (1 + theory.weight(position) // 4))
    tried = legal[:: -(-len(legal) // most)]
    after = {move: position.play(move) for move in tried}
    holding, lasts, is_exact = list(tried), 1, False
    attack = Attack(theory, position.game)
    try:
        for ahead in count(1):
            still = [
                move
                for move in holding
                if not after[move].outcome and not attack.wins_within(after[move], ahead)
            ]
            if not still:
                lasts, is_exact = (1 if after[holding[0]].outcome else ahead + 1), True
                break
            holding, lasts = still, ahead + 2
    except Enough:
        pass
    good = {move: len(theory.winning_moves(after[move])) for move in holding}
    fewest = min(good.values())
    moves = tuple(move for move in holding if good[move] == fewest)
    of_all = len(tried) == len(legal)
    return Resistance(moves, lasts, is_exact, after[moves[0]].legal_count, fewest, of_all)


def quickest(theory: Theory[Any], position: Position) -> int | None:
    """The fewest moves of both in which a won position is won; None if that takes a longer look."""
    if position.outcome:
        return 0
    attack = Attack(theory, position.game, SOON_VISITED)
    try:
        return next(moves for moves in count(1) if attack.wins_within(position, moves))
    except Enough:
        return None


def distances(
    theory: Theory[Any], position: Position, winning: tuple[Move, ...], far: int, most: int
) -> dict[Move, int]:
    """By move, with how many moves the one who wins after it can end the game, this one included.

    That is the player to move for a winning move, and the opponent for another. It is `far` where
    it takes as many, or more than `most` visits to see; 0 where the move itself loses the game. If
    the loser has to make the last move, that counts as one more.
    """
    found = dict.fromkeys(position.legal_moves, far)
    waiting = {move: position.play(move) for move in found}
    for move, after in [*waiting.items()]:
        if after.outcome:
            found[move] = int(move in winning)
            del waiting[move]
    attack = Attack(theory, position.game, most)
    with suppress(Enough):
        for moves in range(1, far):
            for move, after in [*waiting.items()]:
                if move in winning:
                    is_over = moves > 1 and attack.is_answered(after, 2 * moves - 2)
                else:
                    is_over = attack.wins_within(after, 2 * moves - 1)
                if is_over:
                    found[move] = moves
                    del waiting[move]
    return found
