"""The hard exam is frozen, and as hard as its card says; chance is exact, also for hidden moves."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from random import Random

import msgspec
import pytest

import duels
from duels.lab.exam.dataset import ExamError, Item, write_exam
from duels.lab.exam.results import Answer, summarize
from duels.lab.exam.sampling import (
    BOARDS,
    HARD,
    HASH,
    is_hard,
    misleads,
    play_game,
    rating,
    sample_hard,
)
from duels.match.players.grading import choices
from duels.match.players.prompt import digest
from duels.theory import winning_moves

pytestmark = pytest.mark.slow


def ratings(here, plies):
    """The rating of every move by the slow way."""
    found = {}
    for move in here.legal_moves:
        after = here.play(move)
        if after.outcome:
            found[move] = 10**6 if after.outcome.winner == here.to_move else -(10**6)
        elif plies == 1:
            found[move] = -after.legal_count
        else:
            found[move] = -max(ratings(after, plies - 1).values())
    return found


@pytest.mark.parametrize(
    ("game_id", "size"),
    [("number-line-duel", 9), ("sequence-duel", 24), ("number-chain-duel", 20)],
)
def test_a_search_is_misled_if_all_that_it_may_choose_loses(game_id, size):
    chance, game = Random(3), duels.game(game_id, numbers=size)
    seen = set()
    for _ in range(20):
        for one in play_game(game, chance):
            for plies in (1, 2, 3):
                found = ratings(one.position, plies)
                best = max(found.values())
                chosen = {move for move, value in found.items() if value == best}
                truth = bool(one.winning_moves) and not chosen & {*one.winning_moves}
                if one.winning_moves:
                    assert misleads(one.position, one.winning_moves, plies) == truth
                assert rating(one.position, plies) == best
                seen.add(truth)
    assert seen == {True, False}


def test_its_composition_is_the_published_one():
    assert [*BOARDS.values()] == [[60, 4], [60, 4], [60, 4], [55, 4], [55, 4], [55, 5], [25, 5]]
    assert [*map(sum, zip(*BOARDS.values(), strict=True))] == [370, 30]


BOARD = "number-line-duel:numbers=20"


def test_a_board_of_it_is_the_same_as_ever():
    items = sample_hard(BOARD)
    assert digest([item.hash for item in items])[:16] == "b75cad1d2d2380c0"
    hard = [item for item in items if item.difficulty == "hard"]
    assert (len(hard), len(items)) == (60, 64)
    for item in hard:
        here = item.position
        assert is_hard(Item(here, winning_moves(here), item.phase))
        assert here.legal_count >= 6
        assert 4 * len(item.winning_moves) <= here.legal_count


def test_another_exam_is_not_written_under_its_name(tmp_path):
    items = sample_hard(BOARD)[:3]
    with pytest.raises(ExamError, match=f"hard 1 is frozen.* instead of {HASH}"):
        write_exam(tmp_path / "out", items, HARD, proofs=False, frozen=HASH)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("fixed", [("--seed", "2"), ("--positions", "10"), ("--games", "line")])
def test_a_preset_decides_everything(call, tmp_path, fixed):
    done = call("exam", "make", "--preset", "hard", *fixed, "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "A preset decides games, positions and seed." in done.stderr


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from duels.core import fast
fast.is_numba_installed = lambda: False
from duels.cli import main
main()
"""


@pytest.mark.long
@pytest.mark.parametrize("start", [("-m", "duels"), ("-c", WITHOUT_NUMBA)], ids=["with", "without"])
def test_everybody_makes_the_same_exam_with_and_without_the_extra_fast(tmp_path, start):
    out = tmp_path / "hard"
    words = ["exam", "make", "--preset", "hard", "--out", str(out)]
    done = subprocess.run([sys.executable, *start, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"400 positions in {out}. Hash of the exam: {HASH}" in done.stdout
    rows = [json.loads(line) for line in (out / "data" / "test.jsonl").read_text().splitlines()]
    assert not any("Legal moves" in row["prompt"][1]["content"] for row in rows)
    card = (out / "README.md").read_text()
    assert "at least six legal moves, and at most a quarter of them win" in card
    assert "| hard | 370 |" in card


# Chance


@pytest.mark.parametrize("game_id", list(duels.GAMES))
def test_chance_with_hidden_moves_is_over_all_that_can_be_typed(game_id):
    """Any text that is a legal move of some game on this board, tried one by one."""
    sizes = {"number-duel": 8, "divisor-duel": 7, "sequence-duel": 6, "number-chain-duel": 6}
    game = duels.GAMES[game_id].usual()
    game = type(game)(**game.options | {game.size_option() or "divisor": sizes.get(game_id, 5)})
    numbers, chance = range(-1, 12), Random(2)
    played = [one for _ in range(300) for one in play_game(game, chance)]
    occurring = {move for one in played for move in one.position.legal_moves}
    typed, here = set(), next(choices(game, 1, Random(1)))[0]
    for text in (*map(str, numbers), *(f"{one}-{two}" for one in numbers for two in numbers)):
        with suppress(duels.DuelsError):
            typed |= {game.parse(text)} & occurring
    right = typed & {*winning_moves(here)}
    item = Item(here, winning_moves(here), "middle")
    assert item.chance(show_legal=False) == len(right) / len(typed)
    assert item.chance(show_legal=True) == len(right) / here.legal_count


def test_a_model_and_a_player_with_the_same_name_stay_apart():
    items = sample_hard(BOARD)[:4]
    mine = [Answer("novice", item.hash, "illegal") for item in items]
    model = [
        Answer("novice", item.hash, "move", item.position.game.format(item.winning_moves[0]))
        for item in items
    ]
    model = [msgspec.structs.replace(one, is_model=True, show_legal=False) for one in model]
    summary = summarize(items, [*mine, *model])
    rows = {row["player"]: row for row in summary["players"]}
    assert (rows["novice"]["share"], rows["novice (model)"]["share"]) == (0.0, 1.0)
    assert (rows["novice"]["is_baseline"], rows["novice (model)"]["is_baseline"]) == (True, False)
    hidden = sum(item.chance(show_legal=False) for item in items) / 4
    assert rows["novice (model)"]["random"] == pytest.approx(hidden, abs=1e-4)
    assert rows["novice"]["random"] == summary["random"] > summary["random_hidden"] > 0
    low, high = rows["novice"]["corrected_interval"]
    assert low == pytest.approx(-summary["random"] / (1 - summary["random"]), abs=1e-3)
    assert low < 0 < high < 1
