"""Train agents by self-play on batches, one for each size of a board, and draw how they play.

    python docs/examples/self_play.py                          a few minutes; writes self_play.svg
    python docs/examples/self_play.py --sizes 9 --moves 600000 --save agent.npz
    duels arena --players mine=py:docs/examples/self_play.py:saved novice expert \\
        --games number-chain-duel --out rated

An agent is one table of values, into which every pair of a position and a move is hashed. It plays
a thousand games at once against itself, mostly what it thinks best: a move is worth what the game
pays for it, or else the opposite of what the best answer is worth by now (Q-learning). It is never
shown the theory, which only grades it. On large boards the table is too small to know everything.
"""

from __future__ import annotations

import argparse
from functools import cache
from time import perf_counter

import numpy as np

import duels
from duels.lab.envs.batch import BatchEnv
from duels.lab.envs.spaces import mask, observation, space_of
from duels.match.players.grading import Graded

GAMES_AT_ONCE = 1000
SLOTS = 1 << 22
LEARNING_RATE = 0.5
AT_RANDOM = 0.3


class Agent:
    """A value between -1 and 1 for every move in every position, as far as the table goes."""

    def __init__(self, game: duels.Game, seed: int, values: np.ndarray | None = None) -> None:
        chance, start = np.random.default_rng(seed), game.start()
        sizes = len(observation(start)), len(mask(start))
        self.keys, self.action_keys = (chance.integers(1 << 62, size=size) for size in sizes)
        self.values = chance.normal(0, 0.01, SLOTS).astype(np.float32) if values is None else values

    def look(self, seen: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """In each row the places of all actions in the table, and the best legal action."""
        hashed = (seen @ self.keys)[:, None] ^ self.action_keys
        places = (hashed ^ hashed >> 29) % SLOTS
        return places, np.where(masks, self.values[places], -np.inf).argmax(axis=1)

    def choose(self, position: duels.Position) -> duels.Move:
        """What makes it a player."""
        _, (action,) = self.look(observation(position)[None], mask(position)[None])
        return space_of(position.game).move_of(action)


def train(agent: Agent, game: duels.Game, moves: int, seed: int) -> None:
    """Learn from so many moves."""
    envs, rows = BatchEnv(game, GAMES_AT_ONCE), np.arange(GAMES_AT_ONCE)
    seen, infos = envs.reset(seed=seed)
    chance = np.random.default_rng([seed, 1])  # not the luck of the environments once more
    places, best = agent.look(seen, infos["action_mask"])
    for _ in range(moves // GAMES_AT_ONCE):
        explores = chance.random(GAMES_AT_ONCE) < AT_RANDOM
        actions = np.where(explores, envs.random_actions(), best)
        seen, rewards, done, _, infos = envs.step(actions)
        learned = places[rows, actions]
        places, best = agent.look(seen, infos["action_mask"])
        targets = np.where(done, rewards, -agent.values[places[rows, best]])
        agent.values[learned] += LEARNING_RATE * (targets - agent.values[learned])


@cache
def _saved() -> Agent:
    with np.load("agent.npz") as file:
        playing = duels.game(str(file["game"]), **{str(file["option"]): int(file["size"])})
        return Agent(playing, int(file["seed"]), file["values"])


def saved(position: duels.Position) -> duels.Move:
    """The agent of agent.npz in this folder as a player: py:docs/examples/self_play.py:saved."""
    return _saved().choose(position)


def draw(path: str, title: str, graded: dict[int, Graded]) -> None:
    """The share of choices kept by the size of the board, with 95 % intervals."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    sizes = [*graded]
    kept = [one.kept for one in graded.values()]
    below = [share.value - share.low for share in kept]
    above = [share.high - share.value for share in kept]
    figure, axes = pyplot.subplots(figsize=(7, 4))
    look = {"marker": "o", "capsize": 4, "label": "the agent, with 95 % intervals"}
    axes.errorbar(sizes, [share.value for share in kept], (below, above), **look)
    chances = [one.chance for one in graded.values()]
    axes.plot(sizes, chances, "s--", color="grey", label="a random player, exactly")
    axes.set(title=title, xlabel="size of the board", ylabel="share of choices kept")
    axes.set(ylim=(0, 1.02), xticks=sizes)
    axes.legend()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train agents by self-play, and grade them.")
    parser.add_argument("--game", default="number-chain-duel", choices=duels.GAMES)
    parser.add_argument("--sizes", type=int, nargs="+", default=[7, 9, 11, 13, 15, 18, 22, 26])
    parser.add_argument("--moves", type=int, default=8_000_000, help="to learn from, at each size")
    parser.add_argument("--positions", type=int, default=400, help="choices to be graded in")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="self_play.svg")
    parser.add_argument("--save", help="a file for the agent of the last size")
    chosen = parser.parse_args()
    option = duels.GAMES[chosen.game].size_option()
    if option is None:
        parser.error(f"{chosen.game} has boards of one size only.")
    graded = {}
    for size in chosen.sizes:
        game = duels.game(chosen.game, **{option: size})
        agent = Agent(game, chosen.seed)
        before = duels.grade(agent, game, positions=chosen.positions, seed=chosen.seed)
        began = perf_counter()
        train(agent, game, chosen.moves, chosen.seed)
        seconds = perf_counter() - began
        graded[size] = duels.grade(agent, game, positions=chosen.positions, seed=chosen.seed)
        print(f"{option} {size}: {chosen.moves:,} moves in {seconds:.0f} seconds.", end=" ")
        print(f"Before: {before.kept}. After: {graded[size]}.")
    draw(chosen.out, f"{duels.GAMES[chosen.game].title}: self-play", graded)
    if chosen.save:
        named = {"game": chosen.game, "option": option, "size": size, "seed": chosen.seed}
        np.savez_compressed(chosen.save, values=agent.values, **named)


if __name__ == "__main__":
    main()
