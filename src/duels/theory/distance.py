"""How far away a win is: the moves of both players until the end, with best play by both.

The winner hurries and the loser resists. Puzzles, reviews, exams and computers all use this search.
It is bounded by positions visited, never by seconds, and starts afresh for each question, so the
answer is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from duels.core.fast import Bounded
from duels.core.game import Game, Move, Position
from duels.core.states import StateGame, StatePosition
from duels.theory.reasons import Enough

if TYPE_CHECKING:
    from duels.theory.theory import Theory

T = TypeVar("T")

MOST_VISITED = 2_500
"""The most positions visited for one answer, weighted by the cost of a visit."""
SOON_VISITED = 400
"""The same for a question about every move of a match."""
FEWEST_TRIED = 4
HOPELESS = 4
"""If each deeper search has cost this many times as much as the one before, stop."""
MOST_FINDINGS, MOST_NUMBERS = 20_000, 2_000_000
"""How many findings a game caches: many on a small board, few on a large one."""


class Longest(NamedTuple):
    """The moves after which a lost game lasts longest, and how many moves follow them."""

    moves: tuple[Move, ...]
    plies: int
    is_exact: bool
    """Whether the game ends then; otherwise it lasts at least that long."""


class Distance:
    """A search for quick wins that remembers its findings and stops after enough visits."""

    def __init__(self, theory: Theory[Any], most: int) -> None:
        self.theory = theory
        self.left = most
        self._within: dict[Position, int] = {}
        """The number of moves within which a position is known to be decided."""
        self._beyond: dict[Position, int] = {}
        """The number of moves within which it is known not to be decided."""

    def longest(self, after: Mapping[Move, Position]) -> Longest:
        """Return which of these positions, won for the player to move or over, take longest."""
        longest = tuple(move for move, here in after.items() if not here.outcome)
        if not longest:
            return Longest((*after,), 0, True)
        further = 2 if _last_mover_wins(after[longest[0]]) else 1
        last, ahead = 1, 1
        try:
            while True:
                before = self.left
                still = tuple(move for move in longest if not self.wins(after[move], ahead))
                if not still:
                    return Longest(longest, ahead, True)
                longest, used = still, before - self.left
                if used > last * HOPELESS and used * used > last * self.left:
                    return Longest(longest, ahead + further, False)
                last, ahead = max(1, used), ahead + further
        except Enough:
            return Longest(longest, ahead, False)

    def plies(self, position: Position) -> int | None:
        """Return the moves of both players until a won position is won; None if too many."""
        found = self.longest({0: position})
        return found.plies if found.is_exact else None

    def wins(self, position: Position, moves: int) -> bool:
        """Say whether the player to move can win within that many moves of both players."""
        known = self._known(position, moves)
        if known is not None:
            return known
        if self.theory.wins_at_once(position):
            return self._learn(position, 1, True)
        if moves < 2:
            return self._learn(position, moves, False)
        self.visit(self.theory.weight(position))
        winning = map(position.play, self.theory.winning_moves(position))
        return self._learn(position, moves, any(self.loses(then, moves - 1) for then in winning))

    def loses(self, position: Position, moves: int) -> bool:
        """Say whether every move of a lost position loses within that many moves of both."""
        known = True if position.outcome else self._known(position, moves)
        if known is not None:
            return known
        after = map(position.play, position.legal_moves)
        found = all(here.outcome or (moves > 1 and self.wins(here, moves - 1)) for here in after)
        return self._learn(position, moves, found)

    def visit(self, cost: int) -> None:
        self.left -= cost
        if self.left < 0:
            raise Enough

    def _known(self, position: Position, moves: int) -> bool | None:
        if self._within.get(position, moves + 1) <= moves:
            return True
        if self._beyond.get(position, 0) >= moves:
            return False
        self.visit(1 + position.legal_count // 16)
        return None

    def _learn(self, position: Position, moves: int, found: bool) -> bool:
        (self._within if found else self._beyond)[position] = moves
        return found


def _last_mover_wins(position: Position) -> bool:
    """Say whether the last mover wins at every end; then every win takes an odd number of moves."""
    kind = type(position.game)
    return (
        type(position) is StatePosition
        and issubclass(kind, StateGame)
        and kind.last_mover_wins is StateGame.last_mover_wins
    )


def remembered(game: Game, key: Hashable, find: Callable[[], T]) -> T:
    """Return a cached finding about a position of this game; positions recur often."""
    if "findings" not in game.memory:
        most = min(MOST_FINDINGS, 1 + MOST_NUMBERS // (1 + game.start().legal_count))
        game.memory["findings"] = Bounded[Any, Any](most)
    known = game.memory["findings"]
    if (found := known.get(key)) is None:
        found = known[key] = find()
    answer: T = found
    return answer


def wins_soon(theory: Theory[Any], position: Position) -> bool:
    """Say whether the player to move can force a win with their second move, if quickly found."""

    def look() -> bool:
        with suppress(Enough):
            return Distance(theory, SOON_VISITED).wins(position, 3)
        return False

    return remembered(position.game, (theory, position, "soon"), look)


def some_moves(theory: Theory[Any], position: Position) -> tuple[Move, ...]:
    """Return the moves of a position to compare: all on a small board, some on a large one."""
    legal = position.legal_moves
    most = max(FEWEST_TRIED, MOST_VISITED // (1 + theory.weight(position) // 4))
    return legal[:: -(-len(legal) // most)]


def longest(
    theory: Theory[Any],
    position: Position,
    moves: Sequence[Move] = (),
    most: int = MOST_VISITED,
) -> Longest:
    """Return those of the given moves of a lost position (default: all) that last longest."""
    after = {move: position.play(move) for move in moves or some_moves(theory, position)}
    return Distance(theory, most).longest(after)


def distances(
    theory: Theory[Any], position: Position, winning: tuple[Move, ...], far: int, most: int
) -> dict[Move, int]:
    """Return for each move how many moves its winner needs to end the game, counting this one.

    The winner is the player to move after a winning move, and the opponent after any other. The
    number is `far` if the win takes that many moves, or more than `most` visits to find; it is 0 if
    the move itself loses the game. If the loser has to make the last move, that counts as one more.
    """
    found = dict.fromkeys(position.legal_moves, far)
    waiting = {move: position.play(move) for move in found}
    for move, after in [*waiting.items()]:
        if after.outcome:
            found[move] = int(move in winning)
            del waiting[move]
    search = Distance(theory, most)
    with suppress(Enough):
        for moves in range(1, far):
            for move, after in [*waiting.items()]:
                if move in winning:
                    is_over = moves > 1 and search.loses(after, 2 * moves - 2)
                else:
                    is_over = search.wins(after, 2 * moves - 1)
                if is_over:
                    found[move] = moves
                    del waiting[move]
    return found
