"""What a game remembers changes no answer, and is bounded."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

import duels
from duels.core.fast import Bounded
from duels.games.chain import matching
from duels.games.line.theory import LINE
from duels.match.players.levels import built_in
from duels.theory import lookahead, theory_of, winning_moves
from duels.theory.theory import Theory
from own_games import square_duel
from rings import by_ring, only_long

BOARDS = [
    duels.game("number-line-duel"),
    duels.game("number-line-duel", numbers=15),
    duels.game("sequence-duel"),
    duels.game("sequence-duel", numbers=40, opening="even"),
    duels.game("number-chain-duel", numbers=16),
    duels.game("number-duel", numbers=24),
    *only_long(duels.game("number-duel", numbers=30), duels.game("number-duel")),
    duels.game("divisor-duel", divisor=13),
    square_duel()(stones=60),
]
boards = pytest.mark.parametrize("game", BOARDS, ids=str)


class Forgetful(dict):
    """A cache that keeps nothing."""

    def __setitem__(self, key, value):
        pass


def forgetful(game):
    """Return an equal game that remembers nothing of what it finds."""
    twin = type(game)(**game.options)
    twin.memory.update({"findings": Forgetful(), "outer": Forgetful()})
    return twin


def walks(game, count):
    """The positions of games between a random player and a skilled one."""
    for seed in range(count):
        chance, position = Random(seed), game.start()
        skilled = built_in("skilled", chance)
        while position.outcome is None:
            yield position
            move = chance.choice(position.legal_moves) if seed % 2 else skilled.choose(position)
            position = position.play(move)


@pytest.mark.slow
@boards
def test_a_game_with_a_cache_finds_the_same_as_one_without(game):
    """The searches stop after so many visits, and a remembered visit counts as one."""
    compared = 0
    twin = forgetful(game)
    apart = by_ring(2, long=1)
    for position in islice(walks(game, by_ring(2, long=30)), 0, None, apart):
        again, theory = twin.position(*position.moves), theory_of(position)
        assert winning_moves(again) == winning_moves(position)
        assert theory.wins_soon(again) == theory.wins_soon(position)
        if not winning_moves(position):
            assert theory.hardest(again) == theory.hardest(position)
        compared += 1
    assert compared > 4
    assert not twin.memory["findings"]


@boards
def test_a_family_sees_soon_and_at_once_what_the_search_sees(game):
    for position in walks(game, by_ring(2, long=100)):
        theory = theory_of(position)
        assert theory.wins_soon(position) == lookahead.wins_soon(theory, position)
        assert theory.wins_at_once(position) == Theory.wins_at_once(theory, position)


@pytest.mark.parametrize("left", [(7,), (3, 4), (3, 5), (1, 2, 3), (2, 4, 5)])
def test_the_last_numbers_of_a_line_are_crossed_out_at_once(left):
    game = duels.game("number-line-duel", numbers=7)
    position = game.position(*(number for number in range(1, 8) if number not in left))
    assert LINE.wins_at_once(position) == Theory.wins_at_once(LINE, position)


def test_a_full_cache_starts_again():
    cache = Bounded[int, str](3)
    for number in range(3):
        cache[number] = str(number)
    assert len(cache) == 3
    cache[3] = "3"
    assert cache == {3: "3"}


def test_what_a_game_remembers_is_bounded(monkeypatch):
    monkeypatch.setattr(lookahead, "MOST_FINDINGS", 50)
    monkeypatch.setattr(matching, "MOST_OUTER", 50)
    game = duels.game("sequence-duel", numbers=24)
    for position in walks(game, 10):
        built_in("perfect", Random(1)).choose(position)
        assert len(game.memory.get("findings", ())) <= 50
        assert len(game.memory.get("outer", ())) <= 50


def test_a_large_board_remembers_few_findings():
    sizes = {}
    for numbers in (20, 10_000, 1_000_000):
        game = duels.game("sequence-duel", numbers=numbers)
        lookahead.remembered(game, "nothing", lambda: True)
        sizes[numbers] = game.memory["findings"]._most
    assert sizes == {20: 20_000, 10_000: 200, 1_000_000: 2}
