"""Divisor Duel: a strategy against every answer.

Assumes only that players take turns, and checks that: every line of play is replayed by the rules.
"""

from __future__ import annotations

from typing import Any

from duels.core.game import Move, Position, other
from duels.games.digits.rules import DivisorPosition
from duels.theory.check import of_kind, require
from duels.theory.verdict import Proof


def check_strategy(position: DivisorPosition, proof: Proof) -> list[Move]:
    """Return the winning moves that the proof shows; ProofError if it does not show them."""
    of_kind("strategy", proof)
    after = proof["after"]
    legal = position.legal_moves
    require(after.keys() == {str(digit) for digit in legal}, "it does not speak of every digit")
    winning: list[Move] = []
    for digit in legal:
        here, strategy = _played(position, digit), after[str(digit)]
        # A list is a strategy for the opponent, a dictionary one against every answer of theirs.
        if isinstance(strategy, list):
            _check_wins(here, strategy, here.to_move)
        else:
            _check_answers(here, strategy, position.to_move)
            winning.append(digit)
    return winning


def _check_wins(here: Position, strategy: Any, player: int) -> None:
    """The strategy wins for `player`, who is to move, or has won."""
    if here.outcome:
        require(here.outcome.winner == player and not strategy, "the game ends otherwise")
        return
    require(isinstance(strategy, list) and 1 <= len(strategy) <= 2, "a strategy is damaged")
    _check_answers(_played(here, strategy[0]), strategy[1] if len(strategy) == 2 else {}, player)


def _check_answers(here: Position, answers: Any, player: int) -> None:
    """Whatever the opponent of `player` does here, there is a strategy against it."""
    legal = {str(digit): digit for digit in here.legal_moves}
    require(answers.keys() == legal.keys(), "a strategy leaves answers out")
    if here.outcome:
        require(here.outcome.winner == player, "the game ends otherwise")
    for digit, strategy in answers.items():
        _check_wins(_played(here, legal[digit]), strategy, player)


def _played(here: Position, move: Move) -> Position:
    """The position after a move, which passes the turn."""
    after = here.play(move)
    require(after.to_move == other(here.to_move), f"after {move} the turn does not pass")
    return after
