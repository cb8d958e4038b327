"""Winning moves and positions of small games, by trying everything."""

from __future__ import annotations

MOST = 1_200
"""Positions of one game that are compared with brute force."""


def winning_by_brute_force(position):
    """By playing everything out, with nothing remembered."""
    return tuple(
        move for move in position.legal_moves if not wins(position.play(move), position.to_move)
    )


def wins(here, against):
    """Whether the opponent of `against` wins from here."""
    if here.outcome:
        return here.outcome.winner != against
    mine = here.to_move != against
    results = (wins(here.play(move), against) for move in here.legal_moves)
    return any(results) if mine else all(results)


def plays(position, most=MOST):
    """The positions with a legal move, up to this many."""
    waiting = [position]
    while waiting and most:
        here = waiting.pop()
        if not here.outcome:
            most -= 1
            yield here
            waiting += map(here.play, here.legal_moves)
