"""Computer opponents: never worse than they say, and perfect when they say so."""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

import duels
from duels.match.players.levels import BUILT_IN, FAR, LEVELS, SOON, between, built_in, strength_of
from duels.theory import theory_of, winning_moves
from duels.theory.lookahead import CARELESS, FINDS, SLIP, longest, wins_soon
from naive import rest
from own_games import LastStoneLoses, square_duel
from rings import all_if_long, by_ring

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
from ladder import OneMoveAhead

BOARDS = [
    *((kind.usual(), 3) for kind in duels.GAMES.values()),
    *((kind.small(), 60) for kind in duels.GAMES.values()),
    (duels.game("number-duel", numbers=40), 25),
    (duels.game("divisor-duel", divisor=13), 60),
    (duels.game("divisor-duel", divisor=10**9 + 7), 20),
    (duels.game("number-line-duel", numbers=10), 60),
    (duels.game("number-line-duel", numbers=30), 15),
    (duels.game("sequence-duel", numbers=20), 60),
    (duels.game("sequence-duel", numbers=100, opening="even"), 15),
]
OPPONENTS = BUILT_IN


def play_out(position, players):
    while position.outcome is None:
        position = position.play(players[position.to_move].choose(position))
    return position.outcome.winner


def won_position(game, chance: Random):
    """A position after some random moves that the player to move can win."""
    while True:
        position = game.start()
        for _ in range(chance.randrange(6)):
            if position.outcome is None:
                position = position.play(chance.choice(position.legal_moves))
        if position.outcome is None and winning_moves(position):
            return position


@pytest.mark.slow
@pytest.mark.parametrize(("game", "games"), BOARDS, ids=str)
@pytest.mark.parametrize("opponent", all_if_long(OPPONENTS, "perfect", "random"))
def test_perfect_never_loses_a_won_position(game, games, opponent):
    chance = Random(f"{game.id} {opponent}")
    for _ in range(by_ring(max(1, games // 20), long=10 * games)):
        position = won_position(game, chance)
        me = position.to_move
        players = {me: built_in("perfect", chance), 3 - me: built_in(opponent, chance)}
        assert play_out(position, players) == me, position


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_misses_wins_as_often_as_declared(name):
    """A miss is any move that looks safe: it may keep the win by luck."""
    position = duels.game("number-line-duel", numbers=20).start()
    winning = {*winning_moves(position)}
    assert not wins_soon(theory_of(position), position)
    lucky = len(winning) / position.legal_count
    player = built_in(name, Random(7))
    missed = sum(player.choose(position) not in winning for _ in range(1500)) / 1500
    expected = between(FAR, LEVELS[name].strength) * (1 - lucky)
    assert missed == pytest.approx(expected, abs=0.05)


def test_a_win_further_ahead_is_missed_more_often():
    for strength in range(1, 100):
        assert between(SOON, strength) < between(FAR, strength)
    for strength in range(LEVELS["novice"].strength + 1, 100):  # a novice misses all of these
        assert between(FAR, strength) < between(FAR, strength - 1)


@pytest.mark.parametrize("name", [*LEVELS, "13", "37", "60", "99"])
def test_a_win_at_once_is_taken_from_casual_up_however_large_the_board(name):
    game = duels.game("sequence-duel", numbers=150)
    position = game.start().play(1)  # any of fourteen large primes ends the game
    at_once = {*theory_of(position).wins_at_once(position)}
    assert len(at_once) == 14
    taken = [built_in(name, Random(seed)).choose(position) in at_once for seed in range(40)]
    if strength_of(name) >= 25:
        assert all(taken)
    else:
        assert 0.3 < sum(taken) / 40 < 0.95


def lost_positions(game, count):
    """Lost positions of random play in which there is something to avoid."""
    chance, found = Random(str(game)), []
    for _ in range(3000):
        position = game.start()
        while position.outcome is None and len(found) < count:
            if position.legal_count > 1 and not winning_moves(position):
                after = [
                    theory_of(position).wins_at_once(position.play(m)) for m in position.legal_moves
                ]
                if any(after) and not all(after):
                    found.append(position)
            position = position.play(chance.choice(position.legal_moves))
    return found


RESISTING = [
    *(kind.usual() for kind in duels.GAMES.values()),
    *(kind.small() for kind in duels.GAMES.values()),
]


@pytest.mark.slow
@pytest.mark.parametrize("game", RESISTING, ids=str)
def test_from_skilled_up_no_level_loses_at_once_if_it_can_avoid_it(game):
    for position in lost_positions(game, by_ring(8, long=300)):
        theory = theory_of(position)
        for name in ("skilled", "expert", "perfect", "50"):
            for seed in range(3):
                move = built_in(name, Random(seed)).choose(position)
                assert not theory.wins_at_once(position.play(move)), (position, move)


@pytest.mark.parametrize("name", LEVELS)
def test_no_level_takes_the_last_stone_when_that_loses_and_it_need_not(name):
    two_left = LastStoneLoses(2).start()
    assert {built_in(name, Random(seed)).choose(two_left) for seed in range(50)} == {1}


def lasts(position, known):
    """How many moves a lost position can be made to last, by trying everything."""
    key = rest(position)
    if key not in known:
        known[key] = max(
            1 + (0 if after.outcome else soonest(after, known))
            for after in map(position.play, position.legal_moves)
        )
    return known[key]


def soonest(position, known):
    """How many moves a won position takes at the least."""
    return min(
        1 + (0 if after.outcome else lasts(after, known))
        for after in map(position.play, winning_moves(position))
    )


def mistake(position, known):
    """The chance that a person goes wrong in a won position, now or later, by trying everything."""
    theory, winning = theory_of(position), {*winning_moves(position)}
    if theory.wins_at_once(position):
        return SLIP
    wrong = [move for move in position.legal_moves if move not in winning]
    after = [position.play(move) for move in wrong]
    safe = sum(not here.outcome and not theory.wins_at_once(here) for here in after)
    blind, careful = len(wrong) / position.legal_count, safe / (safe + len(winning))
    error = (1 - FINDS) * (CARELESS * blind + (1 - CARELESS) * careful)
    later = fmean(best_chance(position.play(move), known) for move in winning)
    return SLIP + (1 - SLIP) * (error + (1 - error) * later)


def best_chance(position, known):
    """The same if the opponent of that person is to move."""
    key = rest(position)
    if key not in known:
        after = map(position.play, position.legal_moves)
        best = max((0 if here.outcome else mistake(here, known) for here in after), default=0)
        known[key] = SLIP + (1 - SLIP) * best
    return known[key]


def lost_in_random_play(game, games):
    chance = Random(1)
    for _ in range(games):
        position = game.start()
        while position.outcome is None:
            if not winning_moves(position):
                yield position
            position = position.play(chance.choice(position.legal_moves))


small_boards = pytest.mark.parametrize(
    "game",
    [
        duels.game("sequence-duel", numbers=12),
        duels.game("number-chain-duel", numbers=10),
        duels.game("number-line-duel", numbers=8),
        duels.game("number-duel", numbers=11),
        duels.game("divisor-duel", divisor=27),
        duels.game("divisor-duel", divisor=10),
        square_duel()(stones=34),
        LastStoneLoses(stones=13),
    ],
    ids=str,
)


@small_boards
def test_the_longest_resistance_is_as_long_as_brute_force_says(game):
    known, tried = {}, 0
    for position in lost_in_random_play(game, by_ring(20, long=60)):
        if game.id == "divisor-duel" and position.legal_count == 9:
            continue
        found, truth = longest(theory_of(position), position), lasts(position, known)
        assert 1 + found.plies == truth if found.is_exact else 1 + found.plies <= truth, position
        for move in found.moves if found.is_exact else ():
            after = position.play(move)
            assert 1 + (0 if after.outcome else soonest(after, known)) == truth
        tried += found.is_exact
    assert tried > 5


@small_boards
def test_the_hardest_move_is_the_one_that_a_person_most_often_gets_wrong(game):
    known, tried = {}, 0
    for position in lost_in_random_play(game, by_ring(10, long=60)):
        if position.legal_count > 6:
            continue
        hardest = theory_of(position).hardest(position)
        chances = {
            move: 0 if after.outcome else mistake(after, known)
            for move in position.legal_moves
            for after in [position.play(move)]
        }
        best = max(chances.values())
        assert hardest.chance == pytest.approx(best), position
        assert hardest.moves == tuple(m for m in chances if chances[m] == pytest.approx(best))
        tried += 1
    assert tried > 5


@pytest.mark.slow
def test_a_lost_game_is_won_against_a_player_who_looks_one_move_ahead():
    """On the usual board 21 games in 100 cannot be saved, and the longest resistance saves 47."""
    game, won = duels.game("sequence-duel"), 0
    for seed in range(200):
        chance = Random(seed)
        players = {1: OneMoveAhead(chance), 2: built_in("perfect", chance)}
        won += play_out(game.start(), players) == 2
    assert 0.64 < won / 200 < 0.79


def test_the_hardest_move_is_the_same_every_time():
    for game in RESISTING:
        for position in lost_positions(game, 2):
            again = type(game)(**game.options).position(*position.moves)
            assert theory_of(again).hardest(again) == theory_of(position).hardest(position)


def score(game, high, low, rounds):
    """The share of games that `high` wins, each side moving first in half of them."""
    won = 0
    for seed in range(rounds):
        chance = Random(seed)
        first, second = (high, low) if seed % 2 else (low, high)
        players = {1: built_in(first, chance), 2: built_in(second, chance)}
        won += (first, second)[play_out(game.start(), players) - 1] == high
    return won / rounds


@pytest.mark.slow
def test_the_ladder_is_a_ladder():
    """On the classroom board each level beats the one below, and none is weaker than random."""
    game, rounds = duels.game("sequence-duel", numbers=30, opening="even"), by_ring(40, long=150)
    scores = {high: score(game, high, low, rounds) for low, high in pairwise(["random", *LEVELS])}
    assert scores.pop("novice") > 0.45
    assert all(share > 0.5 for share in scores.values()), scores


@pytest.mark.slow
@pytest.mark.parametrize("kind", duels.GAMES.values(), ids=lambda kind: kind.id)
def test_casual_beats_random_clearly(kind):
    best = kind.all_setups()[0].game(kind)  # by the rule book chance decides much, in some games
    assert score(best, "casual", "random", by_ring(30, long=300)) > 0.65


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_is_the_same_game(call, level):
    args = ("play", "sequence-duel", "--vs", level, "--vs", "casual", "--seed", "5")
    said = call(*args).stdout
    assert "Congratulations" in said
    assert call(*args).stdout == said


@pytest.mark.slow
def test_a_resumed_game_meets_the_same_answers(call):
    args = ("play", "number-chain-duel", "--vs", "perfect", "--seed", "3")
    left = call(*args, typed="4\nquit\n")
    answers = left.stdout.split("Computer selects: ")[1].split()[0]
    move = json.loads(call("legal", "number-chain-duel", "4", answers, "--json").stdout)
    typed = f"{move['legal_moves'][0]}\n"
    whole = call(*args, typed=f"4\n{typed}").stdout
    resumed = call("resume", left.stderr.split()[-1], typed=typed).stdout
    assert whole.split("Computer selects: ")[2:] == resumed.split("Computer selects: ")[1:]


def test_undo_against_a_computer_takes_back_both_moves_without_a_question(call):
    said = call("play", "number-line-duel", "--vs", "novice", "--seed", "1", typed="5\nundo\n6\n")
    assert "Taken back: 5 and" in said.stdout
    assert "may Player 1" not in said.stdout
    assert "Player 1 crossed out: 6" in said.stdout
    refused = call("play", "number-line-duel", "--vs", "novice", "--seed", "1", typed="5\nundo 1\n")
    assert "try undo 2" in refused.stdout


def test_names_are_names_and_vs_is_the_computer(call):
    """Somebody called Expert types their own moves, and the computer is not the one called so."""
    args = ("play", "number-chain-duel", "--players", "Expert", "random")
    done = call(*args, typed="4\n2\n8\nquit\n")
    assert "Last number in chain: 8" in done.stdout
    assert "Expert against random," in call("resume").stdout


def test_with_names_and_one_computer_the_second_name_is_the_computers(call):
    args = ("play", "number-chain-duel", "--players", "perfect", "Hal", "--seed", "1")
    done = call(*args, "--vs", "perfect", typed="4\nquit\n")
    assert "Hal selects: 8" in done.stdout
    assert "perfect against Hal (computer)," in call("resume").stdout
    begun = call(*args, "--vs", "random", "--first", "hal").stdout
    assert begun.index("Hal selects: ") < begun.index("perfect selects: ")


def test_a_computer_gives_way_to_a_player_with_its_name(call):
    done = call("play", "number-chain-duel", "--players", "casual", "CASUAL", "--vs", "casual")
    assert "casual selects" in done.stdout
    both = call("play", "number-chain-duel", "--vs", "perfect", "--vs", "perfect").stdout
    assert "perfect (2) selects" in both


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("--vs", "novice", "--vs", "novice", "--vs", "novice"), 2, "twice at most"),
        (("--vs", "master"), 2, "novice, casual, skilled, expert, perfect, random,"),
        (("--players", "Ann (Computer)", "Ben"), 2, "would be taken for a computer"),
    ],
)
def test_players_that_cannot_be(call, args, code, sentence):
    done = call("play", "number-chain-duel", *args)
    assert (done.returncode, done.stdout) == (code, "")
    assert sentence in done.stderr
