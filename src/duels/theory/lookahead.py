"""Looking ahead: how far away a win is, and which move of a lost position to try.

Distances are the moves of both players until the end, if the winner hurries and the loser resists;
puzzles, reviews, exams and computers use them. To choose a move in a lost position, the opponent is
modelled as a person who always sees an immediate win, finds a win that is further ahead half of the
time, and otherwise plays any move that does not allow an immediate win. After one mistake the game
is won.

Both searches are bounded by positions visited, never by seconds, and start afresh for each
question, so the answer is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from duels.core.fast import Bounded
from duels.core.game import Game, Move, Position
from duels.core.states import StateGame, StatePosition

if TYPE_CHECKING:
    from duels.theory.theory import Theory

T = TypeVar("T")

MOST_VISITED = 2_500
"""The most positions visited for one answer, weighted by the cost of a visit."""
SOON_VISITED = 400
"""The same for a question about every move of a match."""
TRAPS_VISITED = 5_000
"""The same for the hardest move of a lost position."""
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


class Enough(Exception):
    """Raised when a search has visited as many positions as it may."""


class BoundedSearch:
    """A search that raises `Enough` after enough visits."""

    def __init__(self, theory: Theory[Any], most: float) -> None:
        self.theory = theory
        self.left = most

    def visit(self, cost: int) -> None:
        self.left -= cost
        if self.left < 0:
            raise Enough

    def look_at(self, position: Position) -> None:
        """Visit a position without solving it."""
        self.visit(1 + position.legal_count // 16)


class Distance(BoundedSearch):
    """A search for quick wins that remembers its findings."""

    def __init__(self, theory: Theory[Any], most: float) -> None:
        super().__init__(theory, most)
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
        last, ahead = 1.0, 1
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

    def _known(self, position: Position, moves: int) -> bool | None:
        if self._within.get(position, moves + 1) <= moves:
            return True
        if self._beyond.get(position, 0) >= moves:
            return False
        self.look_at(position)
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
    """Say whether a short search finds a win that is forced with the player's second move."""

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


# What to try in a lost position


MOST_REPLIES = 24
"""The most wrong replies of one position that are tested for looking safe."""
MOST_SEEN = 1_000
"""The most moves of a position that people search for an immediate win."""
FINDS = 0.5
"""How often the opponent finds a win that takes more than one move."""
CARELESS = 0.1
"""How often the opponent does not check what a move allows."""
SLIP = 0.001
"""How often anything else goes wrong for them, so that of hopeless moves the longest is best."""
UNSEEN = 0.3
"""How often they go wrong after the last position that was searched."""


class Resistance(NamedTuple):
    """The moves of a lost position that are equally hard to answer, in increasing order."""

    moves: tuple[Move, ...]
    chance: float
    """The probability that the opponent goes wrong."""

    @property
    def move(self) -> Move:
        return self.moves[0]


class Reply(NamedTuple):
    """The opponent's choices in a position that is won for them."""

    error: float
    """The probability that they give the win away."""
    winning: tuple[Move, ...]
    """The moves that keep the win; none if they win at once."""


class Traps(BoundedSearch):
    """A search for the probability that the opponent goes wrong."""

    def __init__(self, theory: Theory[Any]) -> None:
        super().__init__(theory, inf)
        self.is_cut = False
        """Whether some line was not followed to its end."""
        self._distance = Distance(theory, TRAPS_VISITED)
        self._replies: dict[Position, Reply] = {}
        self._chances: dict[Position, tuple[float, float]] = {}
        """The findings, each with the number of replies searched; infinity if to the end."""

    def chance(self, position: Position, ahead: int) -> float:
        """Return the probability with the opponent to move, searching that many replies."""
        if position.outcome:
            return 0.0
        found, seen = self._chances.get(position, (0.0, -1))
        if seen not in (ahead, inf):
            was_cut, self.is_cut = self.is_cut, False
            found = self._chance(position, ahead)
            seen = ahead if self.is_cut else inf
            self._chances[position] = found, seen
            self.is_cut = was_cut
        self.is_cut |= seen < inf
        return found

    def _chance(self, position: Position, ahead: int) -> float:
        if position not in self._replies:
            self._replies[position] = self._reply(position)
        error, winning = self._replies[position]
        later = 0.0
        if winning and ahead:
            then = map(position.play, winning)
            later = sum(self._best(here, ahead - 1) for here in then) / len(winning)
        elif winning:
            self.is_cut, later = True, 0.0 if self._is_soon(position) else UNSEEN
        return SLIP + (1 - SLIP) * (error + (1 - error) * later)

    def _best(self, position: Position, ahead: int) -> float:
        """Return the probability if we are to move."""
        self.look_at(position)
        after = map(position.play, position.legal_moves)
        best = max((self.chance(here, ahead) for here in after), default=0.0)
        return SLIP + (1 - SLIP) * best

    def _reply(self, position: Position) -> Reply:
        theory = self.theory
        self.look_at(position)
        if theory.wins_at_once(position):
            return Reply(0.0, ())
        self.visit(theory.weight(position))
        winning = theory.winning_moves(position)
        right = {*winning}
        wrong = [move for move in position.legal_moves if move not in right]
        looked_at = wrong[:: -(-len(wrong) // MOST_REPLIES)] if wrong else []
        safe = sum(self._looks_safe(position.play(move)) for move in looked_at)
        unseen = len(wrong) * safe / max(1, len(looked_at))
        blind, careful = len(wrong) / position.legal_count, unseen / (unseen + len(winning))
        return Reply((1 - FINDS) * (CARELESS * blind + (1 - CARELESS) * careful), winning)

    def _is_soon(self, position: Position) -> bool:
        """Say whether they can force a win with their second move, as far as we search."""
        try:
            return self._distance.wins(position, 3)
        except Enough:
            return False

    def _looks_safe(self, position: Position) -> bool:
        self.look_at(position)
        if position.outcome or position.legal_count > MOST_SEEN:
            return not position.outcome
        return not self.theory.wins_at_once(position)


def resist(theory: Theory[Any], position: Position) -> Resistance:
    """Return the hardest moves of a position that is lost for the player to move."""
    return remembered(position.game, (theory, position), lambda: _resist(theory, position))


def _resist(theory: Theory[Any], position: Position) -> Resistance:
    after = {move: position.play(move) for move in some_moves(theory, position)}
    traps = Traps(theory)
    chances = {move: traps.chance(here, 0) for move, here in after.items()}
    traps.left = TRAPS_VISITED
    with suppress(Enough):
        for ahead in count(1):
            if not traps.is_cut:
                break
            traps.is_cut = False
            chances = {move: traps.chance(here, ahead) for move, here in after.items()}
    best = max(chances.values())
    return Resistance(tuple(move for move in chances if chances[move] > best - SLIP / 2), best)
