"""The chain games: undirected vertex geography, solved by a maximum matching.

Let G be the graph of the unused numbers. Taking u wins if and only if some maximum matching of G
misses u (Fraenkel, Scheinerman and Ullman, 1993). One decomposition of G grades every move at once.

At the start, theorems say more, at every size. Number Duel with the rule book's criteria can be
paired up explicitly (T3). With factors and multiples, twice a prime between a quarter and a third
of the board wins (the corollary of T4). The proofs are in docs/explanation/theory.md and, for Coq,
in proofs/NumberDuel.v and proofs/JuniperGreen.v.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from duels.core.board import MOST_DRAWN, Drawing, Link
from duels.core.errors import TooLarge, install
from duels.core.fast import is_numba_installed, members, require_memory
from duels.core.game import Move
from duels.core.words import in_words, listed
from duels.games.chain.criteria import CRITERIA, prime_factors
from duels.games.chain.matching import COMPILED_FROM, forest_of, is_compiled, outer_of
from duels.games.chain.rules import ChainGame, ChainPosition
from duels.theory.reasons import Instruction, Win, short_win
from duels.theory.theory import FEW, Progress, Theory
from duels.theory.verdict import PackedVerdict, Proof, Verdict

if TYPE_CHECKING:
    from duels.games.chain.compiled import Forest, PackedProof

ChainVerdict = Verdict[ChainPosition]

MOST_PAIRS = 8
"""The most pairs that are all named in a sentence."""
MOST_ARCS = 12
"""The most pairs that are drawn on a board."""
START = range(2, 12)
"""At a start that T3 pairs up, the explanation names the partners of these numbers."""
WHATEVER = (
    "Partners fit each other, so whatever they take, you can take its partner. They run out first."
)
MOST_COMPARED = 64
"""How many winning moves, from the highest down, are compared to choose the best move."""
SOLVER_BYTES = 64
"""Memory for each number of a board that is solved with a proof in arrays."""
MOST_UNUSED = 100
"""The most unused numbers that are compared with each other, pair by pair."""
PAIRED_FROM = 19
"""The smallest board on which the pairing by leading digits exists; T3 holds from 14 on."""
RECIPE_FROM = 213
"""The smallest board from which on the corollary always has enough primes."""
CHECKED = "(machine-checked up to a billion)"
"""How far Coq has checked the corollary; beyond that it is proved on paper."""
FACTOR, DIGIT = CRITERIA["factor"], CRITERIA["digit"]


class ChainTheory(Theory[ChainPosition]):
    """Partners: a player who can always answer with the partner never runs out first."""

    def winning_moves(
        self, position: ChainPosition, progress: Progress | None = None
    ) -> tuple[Move, ...]:
        if is_paired_start(position):
            return position.legal_moves if position.game.size % 2 else ()
        require_graph(position)
        return members(outer_of(position, progress) & position.legal)

    def prove(self, position: ChainPosition, winning: tuple[Move, ...]) -> Proof:
        """Return a matching, and the barrier and odd cycles that show which numbers it can miss."""
        if is_paired_start(position):
            return start_proof(position.game.size)
        forest = forest_of(position)
        best = self._first_taken(position, cast("tuple[int, ...]", winning))
        mate = forest.matching_missing(best) if best else forest.mate
        return {
            "kind": "matching",
            "move": best,
            "pairs": [(one, two) for one, two in enumerate(mate) if one < two],
            "barrier": [*members(forest.inner)],
            "blossoms": forest.blossoms(),
        }

    def pack(self, position: ChainPosition, winning: Sequence[Move]) -> PackedProof | None:
        """Return the proof as arrays, on a board that compiled code solves."""
        if not is_compiled(position.game):
            return None
        forest = cast("Forest", forest_of(position))
        best = self._first_taken(position, cast("tuple[int, ...]", winning))
        return forest.prove(best)

    def is_packed(self, position: ChainPosition) -> bool:
        by_factors = position.game.rules == (FACTOR,)
        return by_factors and position.game.size >= COMPILED_FROM and is_too_large(position)

    def solve_packed(
        self, position: ChainPosition, progress: Progress | None = None
    ) -> PackedVerdict[ChainPosition]:
        require_room(position.game)
        forest = cast("Forest", forest_of(position, progress))
        winning = forest.outer & position.legal
        last, left = list[int](), winning
        while left and len(last) < MOST_COMPARED:
            last.append(left.bit_length() - 1)
            left ^= 1 << last[-1]
        best = self._easiest(position, last)
        return PackedVerdict(position, winning, forest.prove(best))

    def _first_taken(self, position: ChainPosition, winning: Sequence[int]) -> int | None:
        """Return the best move: a quick win, the corollary's opening, or the fewest replies."""
        short = short_win(self, position, tuple(winning)) if winning else None
        if short:
            return cast("int", short.move)
        if opening := recipe(position, winning):
            return opening
        return self._easiest(position, winning[: -MOST_COMPARED - 1 : -1])

    def _easiest(self, position: ChainPosition, moves: Sequence[int]) -> int | None:
        """Return the first of the moves that leave the fewest replies."""
        neighbours, unused = position.game.neighbours, position.unused
        return min(moves, key=lambda move: (neighbours[move] & unused).bit_count(), default=None)

    def best_move(self, verdict: ChainVerdict) -> int:
        assert verdict.proof
        move: int = verdict.proof["move"]
        return move

    def wins_at_once(self, position: ChainPosition) -> tuple[Move, ...]:
        """Return the numbers that nothing can follow."""
        neighbours, unused = position.game.neighbours, position.unused
        return tuple(u for u in members(position.legal) if not neighbours[u] & unused)

    def wins_soon(self, position: ChainPosition) -> bool:
        """Say whether we can force a win with our second move.

        That needs a number with at most two neighbours: our first number and their reply are the
        only ones that can be gone by then.
        """
        neighbours, unused = position.game.neighbours, position.unused
        if unused.bit_count() > MOST_UNUSED:
            return super().wins_soon(position)
        for number in members(unused):
            if (neighbours[number] & unused).bit_count() <= 2:
                return super().wins_soon(position)
        return False

    def moves_left(self, position: ChainPosition) -> list[int] | None:
        """Return the number of unused numbers if all fit each other: all will be taken."""
        neighbours, unused = position.game.neighbours, position.unused
        count = unused.bit_count()
        if position.legal == unused and count <= MOST_UNUSED:
            numbers = members(unused)
            if all((neighbours[n] & unused).bit_count() == count - 1 for n in numbers):
                return [count]
        return super().moves_left(position)

    def weight(self, position: ChainPosition) -> int:
        return 8 + position.game.size // 8

    def is_slow(self, position: ChainPosition) -> bool:
        return position.game.size >= COMPILED_FROM

    def advice(self, position: ChainPosition) -> str:
        if self.is_slow(position) and not is_numba_installed():
            return f"Large boards are much faster with numba. {install('fast')}"
        return ""

    # Words

    def short_win(self, verdict: ChainVerdict) -> Win | None:
        partner = _partners(verdict)
        first = self.best_move(verdict)

        def habit(position: object) -> int | None:
            here = cast("ChainPosition", position)
            return first if here is verdict.position else partner.get(here.last)

        return short_win(self, verdict.position, (first,), habit)

    def why_won(self, verdict: ChainVerdict) -> Instruction:
        position, move = verdict.position, self.best_move(verdict)
        if is_paired_start(position):
            has = f"{pairing_words(position.game.size)}: {_named(_partners(verdict), START)}."
            return Instruction(move, f"{has} {WHATEVER}")
        answers = members(position.game.neighbours[move] & position.unused)
        if not answers:  # the board is too large to look ahead
            return Instruction(move, f"{self.ending(position, move)}.", ends=True)
        partner = _partners(verdict)
        if len(answers) == 1:
            (only,) = answers
            has = f"They can only take {only}, and you take its partner, {partner[only]}."
            has += " From then on, every number they can take has a partner."
        elif len(partner) + 1 == position.unused.bit_count() and len(partner) <= 2 * MOST_PAIRS:
            has = f"The other numbers can be paired up: {_named(partner, sorted(partner))}."
        else:
            has = f"Every number that fits {move} has a partner: {_named(partner, answers)}."
        if move == recipe(position, (move,)):
            has = f"{recipe_words(move, position.game.size)} {has}"
        return Instruction(move, f"{has} {WHATEVER}")

    def why_lost(self, verdict: ChainVerdict) -> str:
        position, partner = verdict.position, _partners(verdict)
        legal, count = members(position.legal), position.unused.bit_count()
        if len(legal) == 1:
            after = position.play(legal[0])
            has = f"You can only take {legal[0]}, and they can take"
            if ends := self.wins_at_once(after):
                return f"{has} {ends[0]}: nothing can follow it."
            return (
                f"{has} its partner, {partner[legal[0]]}. It goes on like that until you run out."
            )
        if len(partner) == count:
            left = "remaining numbers" if position.last else "numbers"
            few = len(partner) <= 2 * MOST_PAIRS
            shown = _named(partner, sorted(partner) if few else legal[:FEW])
            has = f"All {in_words(count)} {left} can be paired up: {shown}"
            if is_paired_start(position):
                has = f"{pairing_words(count)}: {shown}"
            has += "." if few else " and so on."
        else:
            has = f"Every number you can take has a partner: {_named(partner, legal)}."
        return f"{has} Whatever you take, they can take its partner, so you run out first."

    def what_to_try(self, verdict: ChainVerdict) -> str:
        """Return nothing on a board whose later positions cannot be solved."""
        return "" if is_too_large(verdict.position) else super().what_to_try(verdict)

    def longer_question(self, verdict: ChainVerdict) -> str:
        position, move = verdict.position, self.best_move(verdict)
        if move == recipe(position, (move,)):
            size = position.game.size
            return f"Which even number is twice a prime between a quarter and a third of {size:,}?"
        if (position.game.neighbours[move] & position.unused).bit_count() == 1:
            return "After which number do they have only one answer?"
        return "Which number can you take so that every answer has a partner?"

    def drawing(self, verdict: ChainVerdict) -> Drawing:
        """Return the best move, and the partner of every number that can follow it."""
        position, winning = verdict.position, []
        if verdict.wins:
            winning = [self.best_move(verdict)]
            position = position.play(winning[0])
        if position.game.size > MOST_DRAWN or position.outcome or self.decided(verdict):
            return Drawing(winning)
        partner = _partners(verdict)
        pairs = dict.fromkeys(tuple(sorted((n, partner[n]))) for n in members(position.legal))
        links = [Link((one - 1, two - 1), "partners") for one, two in [*pairs][:MOST_ARCS]]
        return Drawing(winning, links)

    def explanation(self, verdict: ChainVerdict) -> list[str]:
        assert verdict.proof
        if is_too_large(verdict.position):
            return []
        is_over = verdict.wins and self._ends(verdict.position, self.best_move(verdict))
        if is_over or self.decided(verdict):
            return []
        pairs = ", ".join(f"{one} with {two}" for one, two in verdict.proof["pairs"])
        opening = "Your opponent can answer"
        if verdict.wins:
            opening = f"Take {self.best_move(verdict)}, then answer"
        return [f"{opening} every number with its partner:", pairs]

    def ending(self, position: ChainPosition, move: Move) -> str:
        return "nothing can follow it"

    def only_answers(self, position: ChainPosition) -> str:
        fits, last = position.legal_moves, position.last
        if len(fits) == 1:
            return f"Only {fits[0]} fits {last}, so they have to take it."
        return f"Only {listed(fits)} fit {last}."


CHAIN = ChainTheory()


def require_room(game: ChainGame) -> None:
    """Raise DuelsError unless a board that is too large to play on can be solved here."""
    if is_too_large(game.start()):
        if not is_numba_installed():
            needs = f"A board of {game.size:,} numbers needs the extra fast."
            raise TooLarge(f"{needs} {install('fast')}")
        require_memory(game.size * SOLVER_BYTES, f"A board of {game.size:,} numbers")


def _partners(verdict: ChainVerdict) -> dict[int, int]:
    assert verdict.proof
    return {one: two for pair in verdict.proof["pairs"] for one, two in (pair, pair[::-1])}


def _named(partner: dict[int, int], numbers: Sequence[int]) -> str:
    """Return some numbers with their partners, no pair twice."""
    pairs = list(dict.fromkeys(tuple(sorted((number, partner[number]))) for number in numbers))
    most = MOST_PAIRS if len(pairs) <= MOST_PAIRS else FEW
    more = " and so on" if len(pairs) > most else ""
    return ", ".join(f"{one} with {two}" for one, two in pairs[:most]) + more


# Theorems about the start


def is_paired_start(position: ChainPosition) -> bool:
    """Say whether this is the start of Number Duel on a board that T3 pairs up."""
    game = position.game
    return (
        not position.moves
        and game.size >= PAIRED_FROM
        and game.rules == (FACTOR, DIGIT)
        and position.unused.bit_count() == game.size
    )


def start_proof(size: int) -> Proof:
    """Return the proof of the start: all pairs, or on an odd board all numbers but 1.

    On an odd board, 1 fits both numbers of every pair. Contracting these triangles puts all numbers
    into one class, so every opening wins.
    """
    found = pairing(size)
    is_odd = size % 2 == 1
    return {
        "kind": "matching",
        "move": 1 if is_odd else None,
        "pairs": found,
        "barrier": [],
        "blossoms": [[1, a, a, b, b, 1] for a, b in found] if is_odd else [],
    }


def pairing(size: int) -> list[tuple[int, int]]:
    """Pair up the numbers 1 to `size` (on an odd board, 2 to `size`) so that partners fit.

    Numbers with the same leading digit fit each other. If there is an odd number of them, 12 joins
    those that begin with 2, 13 those that begin with 3, and so on.
    """
    groups: dict[str, list[int]] = {digit: [] for digit in "123456789"}
    for number in range(1 + size % 2, size + 1):
        groups[str(number)[0]].append(number)
    for digit, group in groups.items():
        if digit != "1" and len(group) % 2:
            groups["1"].remove(10 + int(digit))
            group.append(10 + int(digit))
    pairs: list[tuple[int, int]] = []
    for group in groups.values():
        group.sort()
        pairs += zip(group[::2], group[1::2], strict=True)
    return sorted(pairs)


def require_graph(position: ChainPosition) -> None:
    """Raise TooLarge if a board has too many numbers for a graph."""
    if is_too_large(position):
        most = f"{type(position.game).fields['numbers'].highest:,}"
        criteria = "with the criteria factor and digit"
        raise TooLarge(f"Beyond {most} numbers only the start is solved, and only {criteria}.")


def is_too_large(position: ChainPosition) -> bool:
    """Say whether only a theorem can solve a board, because it is too large to play on."""
    option = type(position.game).fields.get("numbers")
    return bool(option and option.highest and position.game.size > option.highest)


def recipe(position: ChainPosition, winning: Sequence[int]) -> int | None:
    """Return the smallest winning opening that is twice a prime between a quarter and a third."""
    game = position.game
    if position.moves or game.rules != (FACTOR,):
        return None
    for prime in range(game.size // 4 + 1, game.size // 3 + 1):
        wins = game.size >= RECIPE_FROM or 2 * prime in winning
        if wins and position.legal >> 2 * prime & 1 and prime_factors(prime) == [prime]:
            return 2 * prime
    return None


def recipe_words(opening: int, size: int) -> str:
    """Say why an opening wins, and how far that is proved."""
    rule = "Open with twice a prime between a quarter and a third of the board"
    what = f"{rule}: {opening} = 2 × {opening // 2}."
    if size >= RECIPE_FROM:
        return f"{what} That wins on every board of {RECIPE_FROM} numbers or more {CHECKED}."
    every = f"That wins on every board from {RECIPE_FROM} on {CHECKED}"
    return f"{what} {every}, and the solver confirms it here."


def pairing_words(size: int) -> str:
    """Say why the numbers of Number Duel can be paired up."""
    same = "Numbers that begin with the same digit fit each other"
    if size % 2:
        return f"{same}. {size:,} is odd, so all numbers but 1 can be paired up"
    return f"{same}. {size:,} is even, so all numbers can be paired up"
