"""What theorems say about the start of a chain game, at every size.

Number Duel with the rule book's criteria can be paired up explicitly (T3). With factors and
multiples, twice a prime between a quarter and a third of the board wins (the corollary of T4). The
proofs are in docs/explanation/theory.md and, for Coq, in proofs/NumberDuel.v and
proofs/JuniperGreen.v.
"""

from __future__ import annotations

from collections.abc import Sequence

from duels.core.errors import TooLarge
from duels.games.chain.criteria import CRITERIA, prime_factors
from duels.games.chain.rules import ChainPosition
from duels.theory.verdict import Proof

PAIRED_FROM = 19
"""The smallest board on which the pairing by leading digits exists; T3 holds from 14 on."""
RECIPE_FROM = 213
"""The smallest board from which on the corollary always has enough primes."""
CHECKED = "(machine-checked up to a billion)"
"""How far Coq has checked the corollary; beyond that it is proved on paper."""
FACTOR, DIGIT = CRITERIA["factor"], CRITERIA["digit"]


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
