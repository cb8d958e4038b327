"""Train an agent on Number Chain Duel, and grade its moves against the exact truth.

    python docs/examples/train_agent.py
    python docs/examples/train_agent.py --numbers 9 --moves 300000

The agent is a table with a value for every move in every position. It learns from a thousand random
games at once: a move is worth what the game pays for it, or else the opposite of what the best
answer is worth by now (Q-learning). Nobody tells it the theory; the theory only grades it.
"""

from __future__ import annotations

import argparse
from random import Random
from time import perf_counter

import numpy as np

import duels
from duels.envs.actions import mask, move_of, observation
from duels.envs.many import ManyGames
from duels.theory import winning_moves

GAMES_AT_ONCE = 1000
LEARNING_RATE = 0.5


class Agent:
    """A value between -1 and 1 for every move in every position."""

    def __init__(self, numbers: int, seed: int) -> None:
        # At first its opinions are random, and weak.
        size = ((numbers + 1) << numbers, numbers)
        self.values = np.random.default_rng(seed).normal(0, 0.01, size).astype(np.float32)
        # An observation is the free numbers and the last one: two short rows of zeros and ones,
        # read here as a number in the binary system and a number in the order of the board.
        ordinals = np.arange(1, numbers + 1)
        self.weights = np.concatenate([1 << (ordinals - 1), ordinals << numbers])

    def choose(self, seen: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """In each row the position's place in the table, and the best legal action."""
        places = seen @ self.weights
        return places, np.where(masks, self.values[places], -np.inf).argmax(axis=1)


def train(agent: Agent, numbers: int, moves: int, seed: int) -> None:
    """Learn from random games."""
    env = ManyGames("number-chain-duel", GAMES_AT_ONCE, seed=seed, numbers=numbers)
    places, best = agent.choose(env.observations(), env.masks())
    for _ in range(moves // GAMES_AT_ONCE):
        actions = env.random_actions()  # to see every corner of the game
        rewards, done = env.step(actions)
        next_places, best = agent.choose(env.observations(), env.masks())
        targets = np.where(done, rewards, -agent.values[next_places, best])
        agent.values[places, actions] += LEARNING_RATE * (targets - agent.values[places, actions])
        places = next_places


def positions_to_grade(numbers: int, games: int, seed: int) -> set[duels.Position]:
    """Positions of random games in which it matters what is played."""
    chance, found = Random(seed), set()
    for _ in range(games):
        position = duels.game("number-chain-duel", numbers=numbers).start()
        while not position.outcome:
            if 0 < len(winning_moves(position)) < len(position.legal_moves):
                found.add(position)
            position = position.play(chance.choice(position.legal_moves))
    return found


def share_of_correct_moves(agent: Agent, positions: set[duels.Position]) -> float:
    """In how many of the positions the agent's move wins."""
    correct = 0
    for position in positions:
        _, (action,) = agent.choose(observation(position)[None], mask(position)[None])
        correct += move_of(position.game, action) in winning_moves(position)
    return correct / len(positions)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train an agent and grade its moves.")
    parser.add_argument("--numbers", type=int, default=14, choices=range(3, 17), metavar="3-16")
    parser.add_argument("--moves", type=int, default=5_000_000, help="moves to learn from")
    parser.add_argument("--games", type=int, default=300, help="random games to grade it in")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    agent = Agent(chosen.numbers, chosen.seed)
    positions = positions_to_grade(chosen.numbers, chosen.games, chosen.seed)
    print(f"Graded in {len(positions)} positions in which some moves win and others lose.")
    print(f"Before: {share_of_correct_moves(agent, positions):.1%} of the moves are correct.")
    start = perf_counter()
    train(agent, chosen.numbers, chosen.moves, chosen.seed)
    print(f"Learned from {chosen.moves:,} moves in {perf_counter() - start:.0f} seconds.")
    print(f"After: {share_of_correct_moves(agent, positions):.1%} of the moves are correct.")


if __name__ == "__main__":
    main()
