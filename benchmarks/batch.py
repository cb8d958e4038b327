"""Moves a second of batches, and of OpenSpiel's C++ nim driven from Python.

A batch is measured twice: only its games (`GameBatch`), and as an environment (`BatchEnv`), which
also hands out observations, masks, final observations and the rewards of both players.

All play random legal moves, in turns, so that a busy moment of the machine hits both alike. The
time is that of one core (processor time), because others may be using the machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from statistics import median
from time import process_time
from typing import Any

import pyspiel

import duels
from duels.lab.envs.batch import BatchEnv, GameBatch

ROUNDS = 7
SECONDS = 0.3
COUNT = 4096


def batch_moves(game_id: str) -> Iterator[int]:
    """Step all games of a batch; how many moves that was."""
    env = GameBatch(game_id, COUNT, seed=1)
    while True:
        env.step(env.random_actions())
        yield COUNT


def environment_moves(game_id: str) -> Iterator[int]:
    """Step a batch against itself as an environment; how many moves that was."""
    envs = BatchEnv(game_id, COUNT)
    found: Any = envs.reset(seed=1)
    while True:
        found = envs.step(envs.random_actions())  # held, as a learner would hold it
        assert found
        yield COUNT


def nim_moves() -> Iterator[int]:
    """Play games of OpenSpiel's nim; how many moves each had."""
    game, chance = pyspiel.load_game("nim"), random.Random(1)
    while True:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            moves += 1
        yield moves


def rate(play: Iterator[int]) -> float:
    """Moves a second of one core."""
    moves, start = 0, process_time()
    while (spent := process_time() - start) < SECONDS:
        for _ in range(10):
            moves += next(play)
    return moves / spent


def main() -> None:
    plays: dict[str, Callable[[], Iterator[int]]] = {"OpenSpiel's C++ nim": nim_moves}
    for game_id in duels.GAMES:
        plays[game_id] = lambda game_id=game_id: batch_moves(game_id)
        plays[f"{game_id} env"] = lambda game_id=game_id: environment_moves(game_id)
    running = {name: play() for name, play in plays.items()}
    rates: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(ROUNDS):
        for name, play in running.items():
            rates[name].append(rate(play))
    nim = rates["OpenSpiel's C++ nim"]
    print(f"Batches of {COUNT:,} games, moves a second on one core, median of {ROUNDS}")
    for name, found in rates.items():
        ratio = median(ours / theirs for ours, theirs in zip(found, nim, strict=True))
        print(f"  {name:21} {median(found):12,.0f}   {ratio:5.1f} x C++ nim")


if __name__ == "__main__":
    main()
