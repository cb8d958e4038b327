"""Any game: a list of lost states, in which every move is answered by a state further up.

A state without moves is lost if whoever moved last has won. Any other state is lost if each of
its moves leads to a state that is won: one at the end, or one with a move to a state further up in
the list. Because answers only lead up, no play can go on for ever.
"""

from __future__ import annotations

from typing import Any

from duels.core.game import Move
from duels.core.states import StateGame, StatePosition
from duels.theory.check.step import of_kind, require
from duels.theory.verdict import Proof

Rules = StateGame[Any]


def check_answers(position: StatePosition[Any], proof: Proof) -> list[Move]:
    of_kind("answers", proof)
    rules, lost = position.game, set[Any]()
    for data in proof["lost"]:
        state = _state(data)
        _check_lost(rules, state, lost)
        lost.add(state)
    winning = []
    for move in position.legal_moves:
        after = rules.after(position.state, move)
        if after in lost:
            winning.append(move)
        else:
            require(_is_won(rules, after, lost), f"{rules.format(move)} is not answered")
    return winning


def _check_lost(rules: Rules, state: Any, further_up: set[Any]) -> None:
    moves = rules.allowed(state)
    if not moves:
        require(rules.last_mover_wins(state), f"{state} is won at the end")
    for move in moves:
        won = _is_won(rules, rules.after(state, move), further_up)
        require(won, f"{rules.format(move)} in {state} is not answered")


def _is_won(rules: Rules, state: Any, lost: set[Any]) -> bool:
    moves = rules.allowed(state)
    if not moves:
        return not rules.last_mover_wins(state)
    return any(rules.after(state, move) in lost for move in moves)


def _state(data: Any) -> Any:
    """A state from plain data. Nothing that only equals a whole number is let through."""
    if isinstance(data, list):
        return tuple(map(_state, data))
    require(type(data) in (int, str), f"{data!r} is not a part of a state")
    return data
