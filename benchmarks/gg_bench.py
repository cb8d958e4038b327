"""Grades the trained opponents of gg-bench's game 714, which is Number Line Duel, exactly.

scripts/bench gg_bench CHECKOUT [--page]

CHECKOUT is a clone of https://github.com/vivek3141/gg-bench. Nothing of it is copied; its pickles
are read without running them (`gg_bench_files.py`). The same seed gives the same table. The work is
bounded by --rounds and --games: about ten minutes on two cores by default.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import hypot
from multiprocessing import get_context
from operator import mul
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple

from gg_bench_files import (
    Refused,
    Wins,
    load_environment,
    read_agents,
    read_opponent,
    read_wins,
)
from gg_bench_search import (
    ITERATIONS,
    MOVES,
    POSITIONS,
    Choice,
    Table,
    all_choices,
    compare_rules,
    kept_by_policy,
    key_of,
    search,
    trained_policy,
    uniform_policy,
)

from duels.match.players.grading import Share, share
from duels.match.players.levels import built_in

RANDOM = "random moves"
LEVELS = ("perfect", "random")
PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "gg-bench.md"
MARKS = "<!-- results: scripts/bench gg_bench CHECKOUT --page -->", "<!-- end of results -->"
STAGES = {"9 or 10": (9, 10), "7 or 8": (7, 8), "5 or 6": (5, 6), "2 to 4": (2, 3, 4)}
"""Stages of a game, by the numbers that are left."""


class Searched(NamedTuple):
    """How often the search kept the win: each choice equally often, and as random games go."""

    equally: Share
    in_games: Share
    by_stage: dict[str, Share]
    """In games, by the numbers that are left."""


class Measured(NamedTuple):
    """What was measured of a policy; alone it is exact, with the search there are intervals."""

    alone: float
    alone_in_games: float
    searched: Searched


def grade_search(policy: Table, seed: str, choices: list[Choice], rounds: int) -> Searched:
    """Grade the tree search with the games of a policy."""
    chance = Random(seed)
    found = [_keeps(choice, policy, chance) for _ in range(rounds) for choice in choices]
    weights = [choice.weight for choice in choices]
    drawn = chance.choices(choices, weights, k=rounds * len(choices))
    kept = [(choice.left, _keeps(choice, policy, chance)) for choice in drawn]
    by_stage = {}
    for stage, left in STAGES.items():
        of_stage = [keeps for numbers, keeps in kept if numbers in left]
        by_stage[stage] = share(sum(of_stage), len(of_stage))
    in_games = share(sum(keeps for _, keeps in kept), len(kept))
    return Searched(share(sum(found), len(found)), in_games, by_stage)


def _keeps(choice: Choice, policy: Table, chance: Random) -> bool:
    return search(choice.crossed, choice.turn, policy, chance) in choice.winning


def play_games(level: str, seed: str, policy: Table, games: int) -> Share:
    """Return the share that one of our levels wins against the search, moving first in half."""
    chance = Random(seed)
    player = built_in(level, chance)
    won = 0
    for game in range(games):
        position = POSITIONS[0, 1]
        ours = 1 + game % 2
        while not position.outcome:
            if position.to_move == ours:
                position = position.play(player.choose(position))
            else:
                position = position.play(MOVES[search(*key_of(position), policy, chance)])
        won += position.outcome.winner == ours
    return share(won, games)


def measure(checkout: Path, rounds: int, games: int, seed: int) -> list[str]:
    """Measure everything that the checkout allows, and return the lines of the results."""
    compared = compare_rules(load_environment(checkout))
    agents, missing = read_agents(checkout)
    opponent, wins, choices = read_opponent(checkout), read_wins(checkout), all_choices()
    policies = {RANDOM: uniform_policy()}
    policies |= {f"agent {agent.steps}": trained_policy(agent) for agent in agents}
    against = policies.get(f"agent {opponent}")
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        searches = {
            name: pool.submit(grade_search, policy, f"{seed} {name}", choices, rounds)
            for name, policy in policies.items()
        }
        matches = {
            level: pool.submit(play_games, level, f"{seed} {level}", against, games)
            for level in LEVELS
            if against
        }
        measured = {
            name: Measured(*_alone(policies[name], choices), job.result())
            for name, job in searches.items()
        }
        played = {level: job.result() for level, job in matches.items()}
    positions = sum(not position.outcome for position in POSITIONS.values())
    lines = [
        f"Seed {seed}. The rules agree: {compared:,} legal moves and every illegal one, in all "
        f"{positions:,} positions. {len(choices):,} of them are choices. The search has "
        f"{ITERATIONS} iterations and was run {rounds * len(choices):,} times for each share."
    ]
    if missing:
        lines += ["", f"Missing, so not measured: {', '.join(file.name for file in missing)}."]
    lines += ["", *_table_of_policies(measured)]
    if agents:
        lines += ["", *_table_of_training(measured)]
        files = ", ".join(f"{agent.steps} {agent.digest[:12]}" for agent in agents)
        lines += ["", f"SHA-256 of the agents' files, the first twelve digits: {files}."]
    lines += ["", *_table_of_stages(measured)]
    name = f"agent {opponent}" if opponent else "the opponent"
    return [*lines, "", *_table_of_games(name, wins, played)]


def _alone(policy: Table, choices: Sequence[Choice]) -> tuple[float, float]:
    """Return the exact shares of a policy without search: of all choices, and in random games."""
    kept = [kept_by_policy(policy, choice) for choice in choices]
    weights = [choice.weight for choice in choices]
    in_games = sum(map(mul, kept, weights)) / sum(weights)
    return sum(kept) / len(kept), in_games


def _table_of_policies(measured: dict[str, Measured]) -> list[str]:
    lines = [
        "| policy | alone, all choices | alone, in games | with search, all choices "
        "| with search, in games |",
        "|---|---|---|---|---|",
    ]
    for name, of in measured.items():
        exact = f"{of.alone:.1%} | {of.alone_in_games:.1%}"
        lines.append(f"| {name} | {exact} | {of.searched.equally} | {of.searched.in_games} |")
    return lines


def _table_of_training(measured: dict[str, Measured]) -> list[str]:
    lines = [
        "| added by training, in points | with search, all choices | with search, in games |",
        "|---|---|---|",
    ]
    base = measured[RANDOM].searched
    for name, of in measured.items():
        if name != RANDOM:
            found = of.searched
            lines.append(
                f"| {name} | {difference(found.equally, base.equally)} "
                f"| {difference(found.in_games, base.in_games)} |"
            )
    return lines


def difference(one: Share, two: Share) -> str:
    """Return a difference of shares in points, with Newcombe's interval."""
    (a, low_a, high_a), (b, low_b, high_b) = _with_bounds(one), _with_bounds(two)
    low, high = a - b - hypot(a - low_a, high_b - b), a - b + hypot(high_a - a, b - low_b)
    return f"{100 * (a - b):+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"


def _with_bounds(found: Share) -> tuple[float, float, float]:
    assert found.low is not None
    assert found.high is not None
    return found.part / found.whole, found.low, found.high


def _table_of_stages(measured: dict[str, Measured]) -> list[str]:
    lines = [
        f"| with search, in games, by numbers left | {' | '.join(STAGES)} |",
        "|---" * (len(STAGES) + 1) + "|",
    ]
    for name, of in measured.items():
        lines.append(f"| {name} | {' | '.join(map(str, of.searched.by_stage.values()))} |")
    return lines


def _table_of_games(opponent: str, wins: Sequence[Wins], played: dict[str, Share]) -> list[str]:
    lines = [f"| against {opponent} with search | wins | games | share |", "|---|---|---|---|"]
    rows = [(f"our level *{level}*", of) for level, of in played.items()]
    rows += [(f"{of.model}, published", share(of.won, of.games)) for of in wins]
    return lines + [f"| {name} | {of.part:,} | {of.whole:,} | {of} |" for name, of in rows]


def write_page(lines: Sequence[str], page: Path = PAGE) -> None:
    """Replace the results on the page of this benchmark."""
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(MARKS[0])
    _, mark, after = rest.partition(MARKS[1])
    if not mark:
        raise Refused(f"{page.name} has no place for the results.")
    inner = "\n".join([MARKS[0], "", *lines, "", MARKS[1]])
    page.write_text(before + inner + after, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="a clone of gg-bench")
    parser.add_argument("--rounds", type=int, default=5, help="searches in each choice")
    parser.add_argument("--games", type=int, default=1_000, help="games against each level")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--page", action="store_true", help="write the results on their page")
    wanted = parser.parse_args()
    began = perf_counter()
    try:
        lines = measure(wanted.checkout, wanted.rounds, wanted.games, wanted.seed)
        if wanted.page:
            write_page(lines)
    except (Refused, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(lines))
    print(f"\n{perf_counter() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
