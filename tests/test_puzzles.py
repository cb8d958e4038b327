"""Puzzles: the winning moves, the difficulty, refutations, and your own mistakes."""

from __future__ import annotations

import json
import re
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import duels
from duels.coach.hints import puzzle_hints, refute
from duels.coach.puzzles import (
    FAR,
    HIGHEST,
    MOST_LEGAL,
    Difficulty,
    find_puzzle,
    measure,
    puzzle,
)
from duels.match.players.levels import Computer
from duels.theory import theory_of, winning_moves
from duels.theory.lookahead import distances
from own_games import EuclidDuel, LastStoneLoses, square_duel
from rings import by_ring

pytestmark = pytest.mark.slow

GAMES = [*duels.GAMES.values()]
BOARDS = [(kind, setup) for kind in GAMES for setup in kind.all_setups()]
every_board = pytest.mark.parametrize(
    "board", BOARDS, ids=[f"{kind.id} {setup.name}" for kind, setup in BOARDS]
)
SMALL = [
    duels.game("number-chain-duel", numbers=9),
    duels.game("sequence-duel", numbers=8, opening="even"),
    duels.game("number-duel", numbers=7, criteria="factor,digit-sum"),
    duels.game("number-line-duel", numbers=6),
    LastStoneLoses(stones=12),
    EuclidDuel(larger=34, smaller=21),
]
COLOUR = {"TERM": "xterm-256color"}


def found(kind, difficulty="medium", seed=1, **chosen):
    return find_puzzle([kind], chosen, difficulty, Random(seed))


# Difficulty


@given(st.integers(1, FAR), st.lists(st.integers(1, FAR - 1)), st.integers(1, FAR - 1))
def test_a_further_win_and_one_more_trap_are_harder(sight, traps, trap):
    one = Difficulty(sight, tuple(traps))
    words = list(HIGHEST)
    for harder in (Difficulty(sight + 1, tuple(traps)), Difficulty(sight, (*traps, trap))):
        assert harder.number > one.number
        assert words.index(harder.word) >= words.index(one.word)


def test_a_win_at_once_is_easy_whatever_else_there_is():
    game = duels.game("divisor-duel", divisor=13)
    position = game.position(2, 7)
    winning = winning_moves(position)
    assert theory_of(position).wins_at_once(position) == winning
    assert measure(position, winning) == Difficulty(1)


@cache
def plies_to_win(position):
    """Moves of both until the game is over, if the winner hurries; 0 if it is, None if lost."""
    if position.outcome:
        return 0 if position.outcome.winner == position.to_move else None
    after = [position.play(move) for move in position.legal_moves]
    lost = [plies_to_lose(here) for here in after if plies_to_win(here) is None]
    return 1 + min(lost) if lost else None


@cache
def plies_to_lose(position):
    """The same for a lost position, where the loser takes as long as possible."""
    if position.outcome:
        return 0
    return 1 + max(plies_to_win(position.play(move)) for move in position.legal_moves)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_how_far_a_win_is_agrees_with_looking_at_everything(game):
    chance, far = Random(5), 3
    for _ in range(by_ring(60, long=2000)):
        position = game.start()
        while not position.outcome:
            winning = winning_moves(position)
            if winning:
                needed = distances(theory_of(position), position, winning, far, 10**6)
                for move, moves in needed.items():
                    after = position.play(move)
                    plies = plies_to_lose(after) + 1 if move in winning else plies_to_win(after)
                    assert moves == (min(far, plies // 2 + 1) if plies else 0)
            position = position.play(chance.choice(position.legal_moves))


def test_a_computer_that_sees_two_moves_ahead_solves_easy_puzzles_more_often():
    solved = dict.fromkeys(HIGHEST, 0)
    for seed in range(by_ring(40, long=400)):
        for difficulty in HIGHEST:
            one = find_puzzle(GAMES, {}, difficulty, Random(seed))
            assert one.difficulty == difficulty
            solved[difficulty] += Computer(50, Random(seed)).choose(one.position) in (
                one.winning_moves
            )
    assert solved["easy"] > solved["medium"] >= solved["hard"]


# Finding one


@every_board
@pytest.mark.parametrize("difficulty", HIGHEST)
def test_every_set_up_has_puzzles_with_one_winning_move(board, difficulty, monkeypatch):
    kind, setup = board
    game, counts = setup.game(kind), []
    theory = theory_of(game.start())
    solve = type(theory).winning_moves
    monkeypatch.setattr(
        type(theory), "winning_moves", lambda *args: counts.append(1) or solve(*args)
    )
    for seed in range(by_ring(2, long=20)):
        one = puzzle(game, difficulty, Random(seed))
        if one is None:
            continue  # chance did not find one in time: `find_puzzle` tries again
        assert winning_moves(one.position) == one.winning_moves
        assert len(one.winning_moves) == 1
        assert 3 <= one.position.legal_count <= MOST_LEGAL[difficulty]
        assert one.difficulty == measure(one.position, one.winning_moves).word
    assert len(counts) < by_ring(2, long=20) * 12_000  # a second or less, on any machine of today


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.id)
def test_every_game_has_puzzles_of_every_difficulty(kind):
    for difficulty in HIGHEST:
        for seed in range(by_ring(3, long=30)):
            assert found(kind, difficulty, seed).difficulty == difficulty


@pytest.mark.parametrize("seed", [29, 45, 69, 74])
def test_a_board_gets_another_chance_before_a_hard_puzzle_becomes_a_medium_one(seed):
    assert found(duels.GAMES["divisor-duel"], "hard", seed).difficulty == "hard"


def test_the_same_seed_gives_the_same_puzzle_and_others_do_not():
    same = {find_puzzle(GAMES, {}, "medium", Random(7)) for _ in range(3)}
    assert len(same) == 1
    assert len({find_puzzle(GAMES, {}, "medium", Random(seed)).position for seed in range(9)}) > 6


@pytest.mark.slow
@pytest.mark.parametrize("args", [(), ("divisor-duel",), ("--numbers", "30")])
def test_missing_options_are_drawn_until_there_is_a_puzzle(call, args):
    for seed in range(12):
        done = call("puzzle", *args, "--seed", str(seed), "--json")
        assert done.returncode == 0
        if "--numbers" in args:
            assert json.loads(done.stdout)["options"]["numbers"] == 30


def test_a_board_without_puzzles_gets_a_sentence(call):
    done = call("puzzle", "number-chain-duel", "--numbers", "2")
    assert done.returncode == 1
    assert "No puzzle was found on this board" in done.stderr
    done = call("puzzle", "number-chain-duel", "--difficulty", "hard", "--numbers", "9", typed="q")
    assert "No hard puzzle was found. This one comes closest." in done.stderr


# A wrong move


@pytest.mark.parametrize(
    "game",
    [*(kind.all_setups()[0].game(kind) for kind in GAMES), LastStoneLoses(), square_duel()()],
    ids=lambda game: game.id,
)
def test_a_wrong_move_is_punished_by_an_answer_that_wins(game):
    chance = Random(3)
    for _ in range(by_ring(12, long=200)):
        position = game.start()
        while not position.outcome:
            winning = winning_moves(position)
            for move in set(position.legal_moves) - set(winning):
                refuted = refute(position, move)
                then, outcome = refuted.position, refuted.position.outcome
                assert then.moves[: len(position.moves)] == position.moves
                assert not winning_moves(then)
                if refuted.answer is None:
                    assert outcome.winner != position.to_move
                    assert refuted.words.startswith("That ends the game, and you lose: ")
                else:
                    assert then.moves[-2:] == (move, refuted.answer)
                    assert then.to_move == position.to_move
                    after = position.play(move)
                    assert bool(outcome) == bool(theory_of(after).wins_at_once(after))
                    assert outcome is None or outcome.winner != position.to_move
                    assert refuted.words.startswith(f"They {game.verb.do} ")
                    assert game.in_words(refuted.answer) in refuted.words
                assert refuted.words.endswith(".")
            position = position.play(chance.choice(position.legal_moves))


def test_the_refutation_addresses_the_player_who_made_the_move():
    position = duels.game("number-chain-duel").position(4)
    assert refute(position, 1).words == "They take 5: nothing can follow it."
    two = refute(position, 2)
    assert two.answer == 8
    assert two.words.startswith("They take 8. You can only take 1, and they can take 5")


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.id)
def test_hints_within_a_puzzle_lead_to_the_answer(kind):
    one = found(kind)
    hints = puzzle_hints(one.position)
    answer = one.position.game.list_moves(one.winning_moves)
    assert "You can win" not in hints[0].text
    assert f"wins: {answer}." in hints[-2].text


# At the prompt


def test_a_puzzle_at_the_prompt(call):
    args = ("puzzle", "sequence-duel", "--numbers", "20", "--seed", "1")
    data = json.loads(call(*args, "--json").stdout)
    (answer,) = data["winning_moves"]
    wrong = next(move for move in data["legal_moves"] if move != answer)
    said = call(*args, typed=f"x\n99\nhelp\n\nmoves\nrules\n{wrong}\nhint\n{answer}\n").stdout
    assert 'Your move: x\n"x" is not a whole number. Type your move; or hint' in said
    assert "99 is not on the board" in said
    assert said.count("You are ") == 2
    assert f"{wrong} loses. They take" in said
    assert "Take it back and try again." in said
    assert "(Type hint again for more.)" in said
    assert said.splitlines()[-1].startswith("Right! ")
    given_up = call(*args, typed="give up\n").stdout.splitlines()[-1]
    assert given_up.startswith(f"The answer is {answer}")
    assert "Right!" not in call(*args, typed="quit\n").stdout


def test_the_answer_of_a_wrong_move_is_on_the_board(call):
    args = ("puzzle", "number-chain-duel", "--numbers", "16", "--seed", "1")
    data = json.loads(call(*args, "--json").stdout)
    position = duels.game(data["game"], **data["options"]).position(*data["moves"])
    wrong = next(move for move in data["legal_moves"] if move not in data["winning_moves"])
    refuted = refute(position, wrong)
    board = call(*args, typed=f"{wrong}\n").stdout.split("Your move: ")[1]
    own, theirs = "●▲" if position.to_move == 1 else "▲●"
    assert f"{own}{wrong} " in board
    assert f"({theirs}{refuted.answer})" in board


def test_on_a_terminal_one_puzzle_follows_another(spawn):
    child = spawn("puzzle", "number-line-duel", "--seed", "3", **COLOUR)
    chance = Random(3)
    for _ in range(2):
        one = find_puzzle([duels.GAMES["number-line-duel"]], {}, "medium", chance)
        child.expect("Your move: ")
        child.sendline(one.position.game.format(one.winning_moves[0]))
        child.expect("Right!")
        child.expect_exact("Another puzzle? (y/n) ")
        child.sendline("y")
    child.expect("Your move: ")
    child.sendline("give up")
    child.expect("The answer is ")
    child.expect_exact("Another puzzle? (y/n) ")
    child.sendline("n")
    child.expect_exact(child.delimiter)
    child.wait()
    assert child.exitstatus == 0


@pytest.mark.parametrize("size", [(24, 80), (40, 120), (20, 40)])
@pytest.mark.parametrize("more", [COLOUR, COLOUR | {"NO_COLOR": "1"}], ids=["colour", "plain"])
def test_a_wrong_move_fits_the_window(spawn, size, more):
    kind = duels.GAMES["sequence-duel"]
    one = find_puzzle([kind], {"numbers": "40"}, "hard", Random(2))
    wrong = next(move for move in one.position.legal_moves if move not in one.winning_moves)
    child = spawn(
        "puzzle", kind.id, "--numbers", "40", "--difficulty", "hard", "--seed", "2",
        size=size, **more,
    )  # fmt: skip
    child.expect("Your move: ")
    child.sendline(str(wrong))
    child.expect("Your move: ")
    said = without_colour(child.before)
    assert "loses. They take" in " ".join(said.split())
    assert ("\x1b[" in child.before) == (more is COLOUR)
    rows = said.splitlines()
    assert all(len(row) <= size[1] for row in rows)
    if "Once more:" in said:  # both boards are in view
        assert len(rows) <= size[0]
    child.sendcontrol("c")
    child.expect_exact(child.delimiter)
    child.wait()
    assert child.exitstatus == 130


def without_colour(text):
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)
