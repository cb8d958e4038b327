"""Any game: a list of lost states, in which every move is answered by a state further up.

A state without moves is lost if the player who moved last has won. Any other state is lost if each
of its moves leads to a state that is won: one at the end, or one with a move to a state further up
in the list. Because answers only lead up, no play can go on for ever.

The list is checked from its end, where play begins. A state to which no play leads is not looked
at: a game need not be able to say what is allowed in states that it does not have.

Assumes nothing of the rules. `duels.core.rules` says which positions are one state, and raises
RulesError where players do not take turns or a game is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator

from duels.core.game import Move, Position
from duels.core.rules import Rules, State, rules_of
from duels.theory.check.step import of_kind, require
from duels.theory.verdict import Proof

Places = dict[State, int]
"""Of each state in the list, counted from its top."""


def check_answers(position: Position, proof: Proof) -> list[Move]:
    of_kind("answers", proof)
    rules = rules_of(position)
    states = [rules.read(data) for data in proof["lost"]]
    place = {state: number for number, state in enumerate(states)}
    require(len(place) == len(states), "a state is there twice")
    winning, reached = [], set[State]()
    here = rules.state_of(position)
    for move in position.legal_moves:
        after = rules.after(here, move)
        if after in place:
            winning.append(move)
            reached.add(after)
        else:
            answers = _answers(rules, after, place, len(states))
            require(answers is not None, f"{position.game.format(move)} is not answered")
            reached.update(answers or ())
    for state in reversed(states):
        require(state in reached, "no play leads to a state in it")
        reached.update(_needed(rules, state, place))
    return winning


def _needed(rules: Rules, state: State, place: Places) -> Iterator[State]:
    """The states further up that answer the moves from a state, which is lost then."""
    moves = rules.allowed(state)
    if not moves:
        require(rules.last_mover_wins(state), f"{rules.words(state)} is won at the end")
    for move in moves:
        answers = _answers(rules, rules.after(state, move), place, place[state])
        unanswered = f"{rules.game.format(move)} in {rules.words(state)} is not answered"
        require(answers is not None, unanswered)
        yield from answers or ()


def _answers(rules: Rules, state: State, place: Places, below: int) -> list[State] | None:
    """The states above `below` to which a move leads, none at a won end; None if it is not won."""
    moves = rules.allowed(state)
    if not moves:
        return None if rules.last_mover_wins(state) else []
    found = (rules.after(state, move) for move in moves)
    return [after for after in found if place.get(after, below) < below] or None
