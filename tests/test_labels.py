"""Labels of moves against brute force: every position of small boards is played to its end."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

import duels
from duels.coach.review import AT_ONCE, FORCED, GAVE, KEPT, NOTHING, SOONER, TOOK, review
from duels.match.match import new_match
from naive import rest
from own_games import square_duel
from rings import by_ring

BOARDS = {
    "number-duel": ({"numbers": 9}, {"numbers": 12, "criteria": "factor,digit-sum"}),
    "divisor-duel": ({"divisor": 12}, {"divisor": 13}, {"divisor": 27}),
    "number-line-duel": ({"numbers": 8}, {"numbers": 10}),
    "sequence-duel": ({"numbers": 12}, {"numbers": 14, "opening": "even"}),
    "number-chain-duel": ({"numbers": 9}, {"numbers": 12}),
}
GAMES = [
    *(duels.game(name, **options) for name, boards in BOARDS.items() for options in boards),
    square_duel()(stones=40),
]
LENGTHS = re.compile(r"end in (\d+) more moves; .* it takes (.*?)(\d+)\.")


def played_out(position, known):
    """Whether the player to move wins, and after how many moves if both do their best."""
    if outcome := position.outcome:
        return outcome.winner == position.to_move, 0
    what = rest(position)
    if what not in known:
        after = [played_out(position.play(move), known) for move in position.legal_moves]
        won = [moves for wins, moves in after if not wins]
        known[what] = bool(won), 1 + (min(won) if won else max(moves for _, moves in after))
    return known[what]


def random_match(game, seed):
    chance, match = Random(seed), new_match(game)
    while not match.outcome:
        match = match.play(chance.choice(match.position.legal_moves))
    return match


def truth(position, move, before, known):
    """The label of a move as brute force has it."""
    if len(position.legal_moves) == 1:
        return FORCED
    other_wins, lasts = played_out(position.play(move), known)
    wins, longest = played_out(position, known)
    if wins and not other_wins:
        return TOOK if before == GAVE else KEPT
    if wins:
        return GAVE
    if lasts + 1 == longest:
        return NOTHING
    return AT_ONCE if lasts <= 1 else SOONER


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_label_of_random_games_agrees_with_brute_force(game):
    """A loss that could be avoided for a move, or put off for some, is called so; no other is."""
    found, known = Counter(), {}
    for seed in range(by_ring(20, long=2000)):
        match = random_match(game, seed)
        position, before = game.start(), ""
        for step in review(match).steps:
            assert step.kind == truth(position, step.move, before, known), (match.moves, step)
            if step.kind in (AT_ONCE, SOONER):
                found[step.kind] += 1
                lasts, better = (
                    played_out(position.play(move), known)[1] for move in (step.move, step.better)
                )
                assert better > lasts
                if step.kind == SOONER:
                    over = re.search(r"end in (\d+) more moves; .* it takes (.*?)(\d+)\.", step.why)
                    assert int(over[1]) == lasts
                    assert better >= int(over[3]) if over[2] else better == int(over[3])
            position, before = position.play(step.move), step.kind
    assert found[AT_ONCE] + found[SOONER]
