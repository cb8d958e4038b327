"""The chain games: undirected vertex geography, solved by a maximum matching.

Let G be the graph of the unused numbers. Taking u wins if and only if some maximum matching of G
misses u (Fraenkel, Scheinerman and Ullman, 1993). One decomposition of G grades every move at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from importlib.util import find_spec
from threading import Lock
from typing import Protocol

from duels.core.bits import members, up_to
from duels.core.game import Move
from duels.games.chain import ChainGame, ChainPosition
from duels.games.criteria import CRITERIA
from duels.theory import dense, sparse
from duels.theory.theory import FEW, Progress, Theory
from duels.theory.verdict import Proof, Verdict, no_collection

ChainVerdict = Verdict[ChainPosition]

COMPILED_FROM = 20_000
"""Boards from this size on are worth the time it takes to load a compiler, if there is one."""


class Forest(Protocol):
    """What both kinds of forest answer: see `sparse` and `dense`."""

    @property
    def mate(self) -> list[int]: ...

    def outer_among(self, bits: int) -> tuple[int, ...]: ...

    def inner_vertices(self) -> list[int]: ...

    def matching_missing(self, u: int) -> list[int]: ...

    def blossoms(self) -> list[list[int]]: ...

    def without(self, u: int) -> Forest: ...


class ChainTheory(Theory[ChainPosition]):
    """Partners: who can always answer with the partner of what was taken runs out last."""

    def winning_moves(
        self, position: ChainPosition, progress: Progress | None = None
    ) -> tuple[Move, ...]:
        return forest_of(position, progress).outer_among(position.legal)

    def prove(self, position: ChainPosition, winning: tuple[Move, ...]) -> Proof:
        """A matching, with the barrier and the odd cycles that show which numbers it can miss."""
        forest = forest_of(position)
        best = _best_opening(position, winning)  # type: ignore[arg-type]
        mate = forest.matching_missing(best) if best else forest.mate
        return {
            "kind": "matching",
            "move": best,
            "pairs": [(one, two) for one, two in enumerate(mate) if one < two],
            "barrier": forest.inner_vertices(),
            "blossoms": forest.blossoms(),
        }

    def best_move(self, verdict: ChainVerdict) -> int:
        assert verdict.proof
        move: int = verdict.proof["move"]
        return move

    def why_won(self, verdict: ChainVerdict) -> str:
        position, move = verdict.position, self.best_move(verdict)
        answers = members(position.game.neighbours[move] & position.unused)
        if not answers:
            return f"Take {move}: nothing can follow it."
        return (
            f"Take {move}. Whatever your opponent takes then has a partner, and you answer with it "
            f"({_partners(verdict, answers)}), until they run out."
        )

    def why_lost(self, verdict: ChainVerdict) -> str:
        partners = _partners(verdict, members(verdict.position.legal))
        return (
            "You cannot force a win: every number you can take has a partner, and your opponent "
            f"answers with it ({partners})."
        )

    def explanation(self, verdict: ChainVerdict) -> list[str]:
        assert verdict.proof
        pairs = " ".join(f"{one}-{two}" for one, two in verdict.proof["pairs"])
        opening = "Your opponent answers"
        if verdict.wins:
            opening = f"Take {self.best_move(verdict)}, then answer"
        return [f"{opening} every number with its partner:", pairs or "(no pairs are left)"]

    def wins_at_once(self, position: ChainPosition) -> tuple[Move, ...]:
        """The numbers that nothing can follow."""
        neighbours, unused = position.game.neighbours, position.unused
        return tuple(u for u in members(position.legal) if not neighbours[u] & unused)

    def weight(self, position: ChainPosition) -> int:
        return 8 + position.game.size // 8

    def is_slow(self, position: ChainPosition) -> bool:
        return position.game.size >= COMPILED_FROM

    def advice(self, position: ChainPosition) -> str:
        if self.is_slow(position) and find_spec("numba") is None:
            return "Large boards are much faster with: pip install numba"
        return ""


CHAIN = ChainTheory()


def _partners(verdict: ChainVerdict, numbers: Sequence[int]) -> str:
    """The first of some numbers, each with its partner."""
    assert verdict.proof
    pairs = verdict.proof["pairs"]
    partner = dict(pairs) | {two: one for one, two in pairs}
    more = " and so on" if len(numbers) > FEW else ""
    return ", ".join(f"{number} with {partner[number]}" for number in numbers[:FEW]) + more


def _best_opening(position: ChainPosition, winning: Sequence[int]) -> int | None:
    """The winning move that leaves the fewest answers; large numbers are looked at first."""
    neighbours, unused = position.game.neighbours, position.unused
    candidates = winning[-64:]
    return min(
        reversed(candidates),
        key=lambda number: (neighbours[number] & unused).bit_count(),
        default=None,
    )


def forest_of(position: ChainPosition, progress: Progress | None = None) -> Forest:
    """The forest of the unused numbers, repaired from that of a moment ago if we still have it."""
    game, unused = position.game, position.unused
    recent: Recent = game.memory.setdefault("forests", Recent(game.size))
    later: list[int] = []
    for move in (0, *position.moves[:-4:-1]):
        if move:
            later.append(move)
            unused |= 1 << move
        forest = recent.get(unused)
        if forest:
            break
    else:
        later, forest = [], None
    if forest and not later:
        return forest
    with no_collection():
        forest = forest or _new_forest(position, progress)
        for number in reversed(later):
            forest = forest.without(number)
    recent.put(position.unused, forest)
    return forest


def _new_forest(position: ChainPosition, progress: Progress | None) -> Forest:
    game = position.game
    if game.rules != (CRITERIA["factor"],):
        return dense.Forest(game.neighbours, position.unused)
    removed = members(up_to(game.size) ^ position.unused)
    return sparse.Forest(_divisor_graph(game), removed, progress=progress)


def _divisor_graph(game: ChainGame) -> sparse.Graph:
    if "graph" not in game.memory:
        compiled = game.size >= COMPILED_FROM and find_spec("numba") is not None
        game.memory["graph"] = sparse.divisor_graph(game.size, compiled=compiled)
    graph: sparse.Graph = game.memory["graph"]
    return graph


class Recent:
    """The forests of a game's last positions. They are never changed, only copied and repaired."""

    def __init__(self, size: int) -> None:
        self._most = min(MOST_FORESTS, max(FEWEST_FORESTS, MOST_NUMBERS // size))
        self._forests: OrderedDict[int, Forest] = OrderedDict()
        self._lock = Lock()

    def get(self, unused: int) -> Forest | None:
        with self._lock:
            forest = self._forests.get(unused)
            if forest:
                self._forests.move_to_end(unused)
            return forest

    def put(self, unused: int, forest: Forest) -> None:
        with self._lock:
            self._forests[unused] = forest
            while len(self._forests) > self._most:
                self._forests.popitem(last=False)


MOST_FORESTS, FEWEST_FORESTS, MOST_NUMBERS = 64, 2, 40_000
"""How many forests a game keeps: many small ones, few large ones."""
