"""Measures the ladder of the computer's levels and writes docs/ladder.md."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random

import duels
from duels.players import Player
from duels.players.levels import LEVELS, LevelPlayer, RandomPlayer

GAMES = {
    "number-duel": {},
    "divisor-duel": {"divisor": 13},
    "number-line-duel": {"numbers": 20},
    "sequence-duel": {"numbers": 30},
    "number-chain-duel": {},
}
ROUNDS = 200
PAGE = Path(__file__).parent.parent / "docs" / "ladder.md"


def a_player(name: str, chance: Random) -> Player:
    return RandomPlayer(chance) if name == "random" else LevelPlayer(LEVELS[name], chance)


def score(game_id: str, high: str, low: str) -> float:
    """The share of games that `high` wins against `low`, each moving first in half of them."""
    game, won = duels.game(game_id, **GAMES[game_id]), 0
    for round_ in range(ROUNDS):
        chance = Random(round_)
        order = (high, low) if round_ % 2 == 0 else (low, high)
        players = {number: a_player(name, chance) for number, name in enumerate(order, start=1)}
        position = game.start()
        while position.outcome is None:
            position = position.play(players[position.to_move].choose(position))
        won += order[position.outcome.winner - 1] == high
    return won / ROUNDS


def main() -> None:
    steps = list(pairwise(["random", *LEVELS]))
    with ProcessPoolExecutor() as pool:
        jobs = {
            (game_id, high): pool.submit(score, game_id, high, low)
            for game_id in GAMES
            for low, high in steps
        }
        scores = {key: job.result() for key, job in jobs.items()}
    lines = [
        "# The ladder of the computer's levels",
        "",
        "Measured by `scripts/bench ladder`, which writes this page: the share of games that",
        f"each level wins against the one before it, {ROUNDS} games each, each side moving first",
        f"in half of them. The margin is about ±{1.96 * sqrt(0.25 / ROUNDS):.0%}.",
        "",
        "| level | misses a won position | looks ahead |",
        "|---|---|---|",
    ]
    sights = ("nothing", "its own win in one move", "also yours")
    lines += [f"| {v.name} | {v.misses:.0%} | {sights[v.sight]} |" for v in LEVELS.values()]
    head = " | ".join(f"{high} against {low}" for low, high in steps)
    lines += ["", f"| game | {head} |", "|---|" + "---|" * len(steps)]
    for game_id, options in GAMES.items():
        told = " ".join(f"{name} {value}" for name, value in options.items())
        row = " | ".join(f"{scores[game_id, high]:.0%}" for _, high in steps)
        lines.append(f"| {game_id} {told}".rstrip() + f" | {row} |")
    lines += [
        "",
        "In a lost position every level sets the hardest trap that it can.",
        "A novice misses on purpose, and so is weaker than somebody who moves at random: anybody",
        "who knows the rules can beat it. Where one side always wins with best play (the second",
        "player, in Divisor Duel with most divisors), the strongest levels split their games.",
        "",
    ]
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
