"""The coach: hints in stages, exact reviews, puzzles with one answer."""

from __future__ import annotations

import json
from random import Random

import pytest

import duels
from duels.coach.hints import hints
from duels.coach.puzzles import DIFFICULTY, puzzle
from duels.coach.review import (
    FORCED,
    GAVE,
    KEPT,
    LABELS,
    NOTHING,
    TOOK,
    move_lines,
    review,
    review_data,
    review_lines,
)
from duels.match import new_match
from duels.players.specs import Forfeit
from duels.record import text
from duels.theory import winning_moves

GAMES = [kind.usual() for kind in duels.GAMES.values()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def played(game_id, moves, **options):
    match = new_match(duels.game(game_id, **options), ("Ann", "Bob"), seed=1)
    for move in moves:
        match = match.play(move)
    return match


def random_match(game, seed):
    chance, match = Random(seed), new_match(game)
    while not match.outcome:
        match = match.play(chance.choice(match.position.legal_moves))
    return match


def test_hints_come_in_stages():
    *stages, why = hints(duels.game("number-chain-duel").start().play(4))
    assert stages == [
        ("Can I win?", "You can win from here."),
        ("Where should I look?", "Which number can you take so that every answer has a partner?"),
        ("Which moves win?", "Only one of three moves wins: 8."),
    ]
    assert why.text.startswith("Take 8.")


def test_hints_in_a_lost_position_say_what_to_avoid_and_what_to_try():
    no, avoid, trying, why = hints(duels.game("sequence-duel", numbers=10).start())
    assert no.text == "You cannot force a win from here."
    assert avoid.text == "1 loses at once: after 1 they take 7."
    assert trying.text.startswith("Try 4: they have to find 8.")
    assert why.text.startswith("All ten numbers form five pairs that fit: 1-7, 2-6,")


def test_hint_at_the_prompt_gives_one_stage_at_a_time(call):
    said = call("play", "number-chain-duel", typed="4\nhint\nhint\n8\nhint\n").stdout
    assert said.index("You can win") < said.index("Which number can you take")
    assert said.count("(Type hint again for more.)") == 3


def test_the_sample_game_of_sequence_duel_is_labelled_exactly():
    """Bob could have won with 2 in reply to 6; after his 3 Alice never let go."""
    found = review(played("sequence-duel", (6, 3, 9, 1, 8, 4, 2, 10, 5), numbers=10))
    start = [NOTHING, GAVE, TOOK, FORCED, KEPT, NOTHING]
    assert [step.label for step in found.steps] == [*start, FORCED, FORCED, FORCED]
    assert (found.turning_point, found.steps[1].better) == (2, 2)


def test_a_mistake_has_the_right_move_and_the_reason():
    found = review(played("divisor-duel", (1, 5, 4), divisor=7))
    first, second, third = found.steps
    assert (first.label, first.better) == (GAVE, 7)  # 7 would have won at once
    assert (second.label, second.better) == (GAVE, 4)
    assert second.why == "Add 4: that makes 14, which divides by 7."
    assert third.label == TOOK
    assert found.turning_point == 2
    assert found.chances(1) == (2, 1)
    assert found.chances(2) == (1, 0)
    assert found.strip == "▲●●"


@every_game
def test_labels_agree_with_the_truth_in_random_games(game):
    for seed in range(4):
        match = random_match(game, seed)
        found = review(match)
        position = match.game.start()
        for step in found.steps:
            winning, legal = winning_moves(position), position.legal_moves
            assert step.label in LABELS
            assert (step.label == FORCED) == (len(legal) == 1)
            assert (step.label == GAVE) == (
                len(legal) > 1 and bool(winning) and step.move not in winning
            )
            assert (step.label == NOTHING) == (len(legal) > 1 and not winning)
            assert step.better is None or step.better in winning
            position = position.play(step.move)
            truth = bool(winning_moves(position)) if position.outcome is None else None
            if truth is not None:
                assert (step.winner_after == position.to_move) is truth
        assert found.steps[-1].winner_after == match.outcome.winner


def test_a_match_without_moves_can_be_reviewed():
    found = review(played("number-duel", ()).resign())
    assert found.steps == ()
    assert found.turning_point is None
    assert review_data(found)["moves"] == []


def test_giving_up_a_won_position_is_the_turning_point():
    resigned = played("number-line-duel", ((5, 6), 1)).resign()  # Ann could have won
    assert review_lines(review(resigned))[-1] == (
        "It turned at the end: Ann resigned in a won position."
    )
    late = played("number-line-duel", ((5, 6),)).out_of_time()  # Bob was lost anyway
    assert "turned" not in review_lines(review(late))[-1]
    assert review(resigned).turning_point is None
    assert "turning point" not in "".join(move_lines(review(resigned)))
    data = review_data(review(resigned))
    assert (data["turned_at_end"], data["outcome"]) == (True, {"winner": 2, "reason": "resigned"})
    at_once = review_lines(review(played("number-line-duel", ()).out_of_time()))
    assert at_once[0] == "● Ann kept 0 of 1 wins."
    forfeited = played("number-line-duel", ((5, 6), 1)).forfeit(Forfeit("crash", "It ended."))
    assert "Ann gave no legal move" in review_lines(review(forfeited))[-1]


def test_without_a_name_the_latest_finished_game_is_reviewed(call):
    assert call("review").returncode == 1
    call("play", "divisor-duel", "--divisor", "7", typed="1\n4\n")
    call("play", "number-line-duel", typed="5\n")
    assert "1. ● 1  gave it away" in call("review").stdout
    assert "14 is divisible by 7" in call("replay").stdout


def test_review_on_the_command_line(call, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(text.write(played("divisor-duel", (1, 5, 4), divisor=7)))
    said = call("review", str(path)).stdout
    assert "2. ▲ 5  gave it away  <- turning point" in said
    assert "better: 4. Add 4: that makes 14, which divides by 7." in said
    assert "It turned on move 2: Bob played 5, and 4 would have won." in said
    data = json.loads(call("review", str(path), "--json").stdout)
    assert data["turning_point"] == 2
    assert data["moves"][1]["better"] == 4
    picture = tmp_path / "strip.svg"
    call("review", str(path), "--svg", str(picture))
    assert picture.read_text().startswith("<svg")


def test_a_finished_game_on_a_terminal_is_reviewed_at_once(spawn):
    child = spawn("play", "divisor-duel", "--divisor", "7")
    for digit in ("1", "4"):
        child.expect("Select a digit: ")
        child.sendline(digit)
    child.expect("It turned on move 1: Player 1 played 1, and 7 would have won.")


@every_game
@pytest.mark.parametrize("level", DIFFICULTY)
def test_a_puzzle_has_exactly_one_winning_move_and_wrong_ones(game, level):
    position = puzzle(game, level, Random(3))
    assert len(winning_moves(position)) == 1
    assert len(position.legal_moves) >= 3


def test_a_puzzle_at_the_prompt(call):
    args = ("puzzle", "sequence-duel", "--seed", "1")
    answer = json.loads(call(*args, "--json").stdout)["answer"]
    said = call(*args, typed=f"x\n99\n1\n{answer}\n").stdout
    assert "is not a whole number" in said
    assert "That loses." in said
    assert "Right! Take" in said
    assert f"The answer is {answer}." in call(*args, typed="give up\n").stdout
    assert call("puzzle", "--seed", "2", "--json").returncode == 0
    assert call("puzzle", "number-chain-duel", "--numbers", "2").returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize("args", [(), ("divisor-duel",), ("--numbers", "30")])
def test_what_nobody_chose_is_drawn_until_there_is_a_puzzle(call, args):
    for seed in range(12):
        found = call("puzzle", *args, "--seed", str(seed), "--json")
        assert found.returncode == 0
        assert json.loads(found.stdout)["options"].get("numbers", 30) == 30 or not args


def test_the_board_of_a_puzzle_can_be_seen_again(call):
    said = call("puzzle", "sequence-duel", "--seed", "1", typed="rules\nboard\nmoves\nx\n").stdout
    assert said.count("Moves: ") == 3
    assert "is not a whole number. Type help" in said
