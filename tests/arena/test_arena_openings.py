"""Openings: drawn by the seed, different, and such that either side may win."""

from __future__ import annotations

from random import Random

import pytest

import duels
from duels.games import all_games
from duels.lab.arena.tournament import draw_openings, is_balanced

pytestmark = pytest.mark.slow

GAMES = [kind.usual() for kind in all_games().values()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_either_side_wins_often_if_both_play_at_random(game):
    start, *drawn = draw_openings(game, 6, seed=1)
    assert start == ()
    assert len({*drawn}) == 5
    chance = Random(2)
    for opening in drawn:
        position = game.position(*opening)
        assert len(opening) % 2 == 0
        assert position.to_move == 1
        wins = sum(winner_at_random(position, chance) == 1 for _ in range(100))
        assert 10 <= wins <= 90


def winner_at_random(position, chance):
    while not position.outcome:
        position = position.play(chance.choice(position.legal_moves))
    return position.outcome.winner


def test_a_position_that_is_decided_is_not_balanced():
    game = duels.game("number-line-duel", numbers=4)
    assert not is_balanced(game.position("1", "2", "3"), Random(1))


def test_the_seed_decides_and_more_rounds_begin_alike():
    game = duels.game("sequence-duel")
    assert draw_openings(game, 9, seed=1)[:5] == draw_openings(game, 5, seed=1)
    assert draw_openings(game, 9, seed=1) != draw_openings(game, 9, seed=2)


def test_a_small_board_uses_its_openings_again():
    game = duels.game("number-line-duel", numbers=3)
    drawn = draw_openings(game, 40, seed=1)
    assert len(drawn) == 40
    assert len({*drawn}) < 20
    assert not any(game.position(*opening).outcome for opening in drawn)
