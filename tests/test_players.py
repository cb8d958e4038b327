"""Computer opponents: never worse than they say, and perfect when they say so."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random

import pytest

import duels
from duels.players.levels import LEVELS, LevelPlayer, RandomPlayer
from duels.theory import winning_moves
from rings import by_ring

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
OPPONENTS = ["random", *LEVELS]


def a_player(name: str, chance: Random):
    return RandomPlayer(chance) if name == "random" else LevelPlayer(LEVELS[name], chance)


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
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_perfect_never_loses_a_won_position(game, games, opponent):
    chance = Random(f"{game.id} {opponent}")
    for _ in range(by_ring(max(3, games // 4), long=10 * games)):
        position = won_position(game, chance)
        me = position.to_move
        players = {me: a_player("perfect", chance), 3 - me: a_player(opponent, chance)}
        assert play_out(position, players) == me, position


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_misses_as_often_as_it_says(name):
    position = duels.game("sequence-duel", numbers=20).start()
    winning, chance = winning_moves(position), Random(7)
    assert 0 < len(winning) < 20
    player = LevelPlayer(LEVELS[name], chance)
    missed = sum(player.choose(position) not in winning for _ in range(2000)) / 2000
    assert missed == pytest.approx(LEVELS[name].misses, abs=0.04)


def test_levels_differ_in_what_they_see():
    position = duels.game("divisor-duel", divisor=7).start().play(1)  # 4 wins at once
    for name, sees in [("novice", False), ("casual", True), ("skilled", True)]:
        chosen = {LevelPlayer(LEVELS[name], Random(seed)).choose(position) for seed in range(60)}
        assert (chosen == {4}) is sees, name


def test_a_lost_position_is_met_with_the_hardest_trap():
    position = duels.game("sequence-duel", numbers=20).start().play(6)
    assert winning_moves(position) == ()
    shares = {
        move: len(winning_moves(position.play(move))) / len(position.play(move).legal_moves)
        for move in position.legal_moves
    }
    for level in LEVELS.values():
        chosen = LevelPlayer(level, Random(1)).choose(position)
        assert shares[chosen] == min(shares.values()), level


def test_the_ladder_is_a_ladder_and_novice_is_beatable():
    """On the classroom board each level beats the one below, and a random mover beats novice."""
    game, names = duels.game("sequence-duel", numbers=20), ["random", *LEVELS]
    scores = {}
    for low, high in pairwise(names):
        won = 0
        for seed in range(150):
            chance = Random(seed)
            first, second = (high, low) if seed % 2 else (low, high)
            players = {1: a_player(first, chance), 2: a_player(second, chance)}
            won += (first, second)[play_out(game.start(), players) - 1] == high
        scores[high] = won / 150
    assert scores.pop("novice") < 0.5, "whoever moves at random wins every other game"
    assert all(score >= 0.5 for score in scores.values()), scores
    assert scores["casual"] > 0.75
    assert scores["skilled"] > 0.55


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_is_the_same_game(run, level):
    args = ("play", "sequence-duel", "--vs", level, "--vs", "casual", "--seed", "5")
    said = run(*args).stdout
    assert "Congratulations" in said
    assert run(*args).stdout == said


@pytest.mark.slow
def test_a_resumed_game_meets_the_same_answers(run):
    args = ("play", "number-chain-duel", "--vs", "perfect", "--seed", "3")
    left = run(*args, typed="4\n")
    answers = left.stdout.split("perfect selects: ")[1].split()[0]
    move = json.loads(run("legal", "number-chain-duel", "4", answers, "--json").stdout)
    typed = f"{move['legal_moves'][0]}\n"
    whole = run(*args, typed=f"4\n{typed}").stdout
    resumed = run("resume", left.stderr.split()[-1], typed=typed).stdout
    assert whole.split("perfect selects: ")[2:] == resumed.split("perfect selects: ")[1:]


def test_undo_against_a_computer_takes_back_both_moves_and_asks_nobody(run):
    said = run("play", "number-line-duel", "--vs", "novice", "--seed", "1", typed="5\nundo\n6\n")
    assert "Taken back: 5 and" in said.stdout
    assert "may Player 1" not in said.stdout
    assert "Player 1 crossed out: 6" in said.stdout
    refused = run("play", "number-line-duel", "--vs", "novice", "--seed", "1", typed="5\nundo 1\n")
    assert "try undo 2" in refused.stdout


def test_names_are_names_and_vs_is_the_computer(run):
    """Somebody called Expert types their own moves, and the computer is not the one called so."""
    done = run("play", "number-chain-duel", "--players", "Expert", "random", typed="4\n2\n8\n")
    assert "Last number in chain: 8" in done.stdout
    assert "Expert against random," in run("resume").stdout


def test_with_names_and_one_computer_the_second_name_is_the_computers(run):
    args = ("play", "number-chain-duel", "--players", "perfect", "Hal", "--seed", "1")
    done = run(*args, "--vs", "perfect", typed="4\n")
    assert "Hal selects: 8" in done.stdout
    assert "perfect against Hal (computer)," in run("resume").stdout
    begun = run(*args, "--vs", "random", "--first", "hal").stdout
    assert begun.index("Hal selects: ") < begun.index("perfect selects: ")


def test_a_computer_gives_way_to_whoever_has_its_name(run):
    done = run("play", "number-chain-duel", "--players", "casual", "CASUAL", "--vs", "casual")
    assert "casual selects" in done.stdout
    both = run("play", "number-chain-duel", "--vs", "perfect", "--vs", "perfect").stdout
    assert "perfect (2) selects" in both


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("--vs", "novice", "--vs", "novice", "--vs", "novice"), 2, "twice at most"),
        (("--vs", "master"), 2, "novice, casual, skilled, expert, perfect, random,"),
        (("--players", "Ann (Computer)", "Ben"), 1, "would be taken for a computer"),
    ],
)
def test_players_that_cannot_be(run, args, code, sentence):
    done = run("play", "number-chain-duel", *args)
    assert (done.returncode, done.stdout) == (code, "")
    assert sentence in done.stderr
