"""What to try in a lost position: the moves that the opponent is most likely to get wrong.

The opponent is modelled as a person who always sees an immediate win, finds a win that is further
ahead half of the time, and otherwise plays any move that does not allow an immediate win. After one
mistake the game is won. The search goes to the end of the game where it can. It is bounded by
positions visited, never by seconds, so the answer is the same on every machine.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from duels.core.game import Move, Position
from duels.theory.distance import Distance, remembered, some_moves
from duels.theory.reasons import Enough

if TYPE_CHECKING:
    from duels.theory.theory import Theory

MOST_VISITED = 5_000
"""The most positions visited for one move, weighted by the cost of a visit."""
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


class Traps:
    """A search for the probability that the opponent goes wrong; it stops after enough visits."""

    def __init__(self, theory: Theory[Any]) -> None:
        self.theory = theory
        self.left = inf
        self.is_cut = False
        """Whether some line was not followed to its end."""
        self._distance = Distance(theory, MOST_VISITED)
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
        self._visit(1 + position.legal_count // 16)
        after = map(position.play, position.legal_moves)
        best = max((self.chance(here, ahead) for here in after), default=0.0)
        return SLIP + (1 - SLIP) * best

    def _reply(self, position: Position) -> Reply:
        theory = self.theory
        self._visit(1 + position.legal_count // 16)
        if theory.wins_at_once(position):
            return Reply(0.0, ())
        self._visit(theory.weight(position))
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
        self._visit(1 + position.legal_count // 16)
        if position.outcome or position.legal_count > MOST_SEEN:
            return not position.outcome
        return not self.theory.wins_at_once(position)

    def _visit(self, cost: int) -> None:
        self.left -= cost
        if self.left < 0:
            raise Enough


def resist(theory: Theory[Any], position: Position) -> Resistance:
    """Return the hardest moves of a position that is lost for the player to move."""
    return remembered(position.game, (theory, position), lambda: _resist(theory, position))


def _resist(theory: Theory[Any], position: Position) -> Resistance:
    after = {move: position.play(move) for move in some_moves(theory, position)}
    traps = Traps(theory)
    chances = {move: traps.chance(here, 0) for move, here in after.items()}
    traps.left = MOST_VISITED
    with suppress(Enough):
        for ahead in count(1):
            if not traps.is_cut:
                break
            traps.is_cut = False
            chances = {move: traps.chance(here, ahead) for move, here in after.items()}
    best = max(chances.values())
    return Resistance(tuple(move for move in chances if chances[move] > best - SLIP / 2), best)
