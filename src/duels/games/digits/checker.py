"""The proof checker of Divisor Duel, for proofs of the kinds `strategy` and `finishes`.

A `strategy` proof assumes only that players take turns, which is checked: every line of play is
replayed by the rules. A `finishes` proof assumes the rules of Divisor Duel itself, and a theorem
(`one_digit_to_avoid` and `who_wins_divisor_duel` in proofs/DivisorTheorems.v): with a divisor of 87
or more, the player to move wins if it is Player 2; Player 1 wins only by finishing at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from duels.core.game import Move, Position, other
from duels.core.states import StatePosition
from duels.games.digits.rules import DivisorDuel, DivisorPosition
from duels.theory.check import require, require_rules
from duels.theory.verdict import Proof

SMALLEST = 87
"""The smallest divisor for which the theorem holds without exception."""


def check_divisor(position: DivisorPosition, proof: Proof) -> list[Move]:
    """Return the winning moves that the proof shows; ProofError if it does not show them."""
    if proof.get("kind") == "finishes":
        return _check_finishes(position, proof)
    return _check_strategy(position, proof)


def _check_finishes(position: DivisorPosition, proof: Proof) -> list[Move]:
    """Check that Player 1 wins by digits that finish, Player 2 by those that avoid this."""
    require_rules(position, StatePosition, DivisorDuel)
    divisor = cast("DivisorDuel", position.game).divisor
    require(divisor >= SMALLEST, f"the theorem is for divisors from {SMALLEST} on")
    require(proof.keys() == {"kind", "now", "after"}, "its fields are not those of this kind")
    number, digits = position.state, cast("tuple[int, ...]", position.legal_moves)
    now, after = proof["now"], proof["after"]
    require(now == _finishing(number, digits, divisor), "other digits finish now")
    if position.to_move == 1:
        require(after == {}, "only digits that finish now count for Player 1")
        return list(now)
    replies = {
        str(digit): found
        for digit in digits
        if digit not in now and (found := _finishing(10 * number + digit, digits, divisor, digit))
    }
    require(after == replies, "other digits let Player 1 finish")
    return [digit for digit in digits if str(digit) not in after]


def _finishing(number: int, digits: Iterable[int], divisor: int, used: int = 0) -> list[int]:
    """Return the unused digits that make the number divisible."""
    return [digit for digit in digits if digit != used and (10 * number + digit) % divisor == 0]


def _check_strategy(position: DivisorPosition, proof: Proof) -> list[Move]:
    """Check every digit by a strategy that is replayed move by move."""
    kind = proof.get("kind")
    require(kind == "strategy", "a proof for this game is of the kind strategy or finishes")
    after = proof["after"]
    legal = position.legal_moves
    require(after.keys() == {str(digit) for digit in legal}, "it does not cover every digit")
    winning: list[Move] = []
    for digit in legal:
        here, strategy = _played(position, digit), after[str(digit)]
        # A list is the opponent's winning strategy; a dictionary has ours for each of its replies.
        if isinstance(strategy, list):
            _check_wins(here, strategy, here.to_move)
        else:
            _check_answers(here, strategy, position.to_move)
            winning.append(digit)
    return winning


def _check_wins(here: Position, strategy: Any, player: int) -> None:
    """Check that the strategy wins for `player`, who is to move or has won."""
    if here.outcome:
        require(here.outcome.winner == player and not strategy, "the game ends differently")
        return
    require(isinstance(strategy, list) and 1 <= len(strategy) <= 2, "a strategy is damaged")
    _check_answers(_played(here, strategy[0]), strategy[1] if len(strategy) == 2 else {}, player)


def _check_answers(here: Position, answers: Any, player: int) -> None:
    """Check that there is a strategy against each move of the opponent of `player`."""
    legal = {str(digit): digit for digit in here.legal_moves}
    require(answers.keys() == legal.keys(), "a strategy does not cover every answer")
    if here.outcome:
        require(here.outcome.winner == player, "the game ends differently")
    for digit, strategy in answers.items():
        _check_wins(_played(here, legal[digit]), strategy, player)


def _played(here: Position, move: Move) -> Position:
    """Return the position after a move; ProofError if the turn does not pass."""
    after = here.play(move)
    require(after.to_move == other(here.to_move), f"after {move} the turn does not pass")
    return after
