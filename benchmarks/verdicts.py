"""Exact verdicts, proof included, beside the matchings of rustworkx and networkx alone, in one run.

python benchmarks/verdicts.py            everything, a few minutes
python benchmarks/verdicts.py --quick    without networkx on 10,000 numbers and without large boards

Writes docs/pictures/cost.svg. What numba compiles is kept, so that a second run starts faster.
"""

from __future__ import annotations

import gc
import json
import random
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import matplotlib
import networkx
import rustworkx
from aims import judge

import duels
from duels.games import game_to_solve
from duels.games.chain import checker, matching
from duels.games.chain.checker import MOST_DENSE, check_packed
from duels.games.chain.matching import COMPILED_FROM
from duels.theory import theory_of

Solver = Callable[[duels.Position], Any]

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "cost.svg"
SIZES = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
LINES = (*SIZES, 30_000, 100_000, 300_000, 1_000_000)
COMPILED = (20_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
DIVISORS = (2, 3, 5, 7, 11, 13, 29, 53, 97, 307, 1009, 10_007, 100_003, 1_000_003)

COLOURS = ("#0072B2", "#D55E00", "#D55E00", "#009E73", "#CC79A7", "#56B4E9")
"""Okabe-Ito, as everywhere."""


def seconds(work: Callable[[], Any]) -> float:
    """How long it takes."""
    start = perf_counter()
    work()
    return perf_counter() - start


def proved(position: duels.Position) -> Any:
    """The verdict, with its proof written."""
    verdict = duels.solve(position)
    assert verdict.proof
    return verdict


def anew(position: duels.Position) -> duels.Position:
    """The same position of a game that remembers nothing: its verdict is a fresh one."""
    game = position.game
    return duels.game(game.id, **game.options).position(*position.moves)


def first_verdict(game_id: str, rounds: int = 1, solve: Solver = proved, **options: Any) -> float:
    """Seconds for the verdict on a new board, its graph included."""
    times = []
    for _ in range(rounds):
        position = duels.game(game_id, **options).start()
        times.append(seconds(partial(solve, position)))
    return median(times)


def random_game(
    game: duels.Game, chance: random.Random, most: float = float("inf")
) -> list[duels.Position]:
    """The first positions of a random game, at most all but the last."""
    positions = [game.start()]
    while positions[-1].legal_moves and len(positions) <= most:
        positions.append(positions[-1].play(chance.choice(positions[-1].legal_moves)))
    return positions[:-1]


def long_game(game: duels.Game) -> list[duels.Position]:
    """A game in which everyone goes where the fewest ways lead on: nearly all numbers are used."""
    position = game.start()
    positions = []
    while position.legal_moves:
        positions.append(position)
        position = min(map(position.play, position.legal_moves), key=lambda p: len(p.legal_moves))
    return positions


def number_duel() -> None:
    game, chance = duels.game("number-duel"), random.Random(1)
    positions = [position for _ in range(10) for position in random_game(game, chance)]
    solving, checking = [], []
    for position in chance.sample(positions, 200):
        position = anew(position)
        solving.append(seconds(partial(proved, position)))
        verdict = duels.solve(position)
        checking.append(seconds(partial(duels.check, verdict)))
    print("number-duel, 100 numbers, random positions (median and slowest of 200)")
    row("a fresh verdict with its proof", median(solving), max(solving))
    row("checking the proof", median(checking), max(checking))
    whole = long_game(duels.game("number-duel"))
    row(f"a whole game of {len(whole)} moves", seconds(lambda: [*map(proved, whole)]))
    print(f"number-duel, {MOST_DENSE:,} numbers, the largest board that is solved after any move")
    first = game_to_solve("number-duel", numbers=MOST_DENSE).start().play(28)
    took = seconds(partial(proved, first))
    row("graph, verdict and proof", took, aim=judge(took, at_most=2, unit=" s"))
    row("checking its proof", seconds(partial(duels.check, proved(first))))
    repairs("number-duel", 10_000)


def sequence_duel(numbers: int, with_networkx: bool) -> None:
    """The whole verdict against another library's matching of the same graph, built in advance."""
    edges = [(a, b) for a in range(1, numbers + 1) for b in range(2 * a, numbers + 1, a)]
    print(f"sequence-duel, {numbers:,} numbers, without a compiler")
    own = first_verdict("sequence-duel", rounds=5, numbers=numbers)
    row("graph, verdict and proof", own)
    rust = rustworkx.PyGraph()
    rust.extend_from_edge_list(edges)
    took = seconds(lambda: rustworkx.max_weight_matching(rust, max_cardinality=True))
    row("rustworkx, a matching alone", took, ratio=took / own)
    if with_networkx:
        graph = networkx.Graph(edges)
        took = seconds(lambda: networkx.max_weight_matching(graph, maxcardinality=True))
        row("networkx, a matching alone", took, ratio=took / own)
    repairs("sequence-duel", numbers)


def repairs(game_id: str, numbers: int) -> None:
    """The verdicts after each of the first moves of some games, each the best of three times.

    The first forest is that of the position after the first move, because a theorem may answer the
    start without one.
    """
    for solve, what in ((duels.solve, "verdict"), (proved, "verdict with its proof")):
        game, firsts, times = duels.game(game_id, numbers=numbers), [], []
        for seed in range(5):
            positions = random_game(game, random.Random(seed), most=12)
            rounds = []
            for _ in range(3):
                again = anew(positions[-1])
                steps = accumulate(
                    again.moves, lambda here, move: here.play(move), initial=again.game.start()
                )
                rounds.append([seconds(partial(solve, position)) for position in [*steps]])
            fresh = anew(positions[1])
            firsts.append(seconds(partial(solve, fresh)))
            times += [min(took) for took in zip(*rounds, strict=True)][2:]
        first, typical = median(firsts), median(times)
        row(f"the first {what}", first)
        aim = judge(typical / first, at_most=0.1)
        row("the next one, a repair (median)", typical, ratio=typical / first, aim=aim)
        row("the slowest of these", max(times), ratio=max(times) / first)


def compiled(sizes: tuple[int, ...]) -> dict[int, float]:
    """Large boards, each in a process of its own so that its memory can be measured."""
    if not find_spec("numba"):
        print("sequence-duel on larger boards needs numba, which is not installed")
        return {}
    times = {}
    for numbers in sizes:
        command = [sys.executable, __file__, "--large", str(numbers)]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        figures = json.loads(done.stdout)
        print(f"sequence-duel, {numbers:,} numbers, compiled by numba")
        row("loading the compiler, a small board", figures["warm"])
        row("graph, verdict and proof", figures["solve"])
        row("checking the proof", figures["check"])
        print(f"  {'peak memory':40} {figures['megabytes']:10,.0f} MB")
        times[numbers] = figures["solve"]
    return times


def large(numbers: int) -> None:
    """Print the figures of one large board as JSON."""
    figures = {"warm": first_verdict("sequence-duel", numbers=COMPILED_FROM)}
    position: Any = game_to_solve("sequence-duel", numbers=numbers).start()
    start = perf_counter()
    move, *arrays = theory_of(position).solve_packed(position).proof
    figures["solve"] = perf_counter() - start
    figures["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures["check"] = seconds(partial(check_packed, position, move, arrays))
    print(json.dumps(figures))


def plain_python(numbers: int) -> None:
    """A large board without the compiler, with the time it took before there was one."""
    matching.COMPILED_FROM = checker.COMPILED_FROM = 10**9
    print(f"sequence-duel, {numbers:,} numbers, without a compiler")
    took = first_verdict("sequence-duel", numbers=numbers)
    row("graph, verdict and proof", took, aim=judge(took, at_most=20, unit=" s"))


def number_line() -> None:
    print("number-line-duel, 1,000,000 numbers")
    start = duels.game("number-line-duel", numbers=1_000_000).start()
    row("a verdict with its proof", seconds(partial(proved, start)))
    row("checking the proof", seconds(partial(duels.check, proved(start))))


def plot(large_boards: dict[int, float]) -> None:
    """Cost against size for all games, on two logarithmic scales."""
    matplotlib.use("svg")
    from matplotlib import pyplot

    pyplot.rcParams |= {"svg.hashsalt": "duels", "svg.fonttype": "none"}
    pyplot.rcParams["axes.prop_cycle"] = pyplot.cycler(color=COLOURS)
    curves = {
        "number-duel": ("o-", {n: first_verdict("number-duel", 3, numbers=n) for n in SIZES}),
        "sequence-duel": ("s-", {n: first_verdict("sequence-duel", 3, numbers=n) for n in SIZES}),
        "sequence-duel, compiled": ("s--", large_boards),
        "number-chain-duel": (
            "^:",
            {n: first_verdict("number-chain-duel", 3, numbers=n) for n in SIZES},
        ),
        "number-line-duel": (
            "d-",
            {n: first_verdict("number-line-duel", 3, numbers=n) for n in LINES},
        ),
        "divisor-duel (by divisor)": (
            "v-",
            {n: first_verdict("divisor-duel", 3, divisor=n) for n in DIVISORS},
        ),
    }
    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    for name, (style, cost) in curves.items():
        if cost:
            axes.loglog([*cost], [*cost.values()], style, label=name, markersize=4)
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_xlabel("numbers on the board (for Divisor Duel: the divisor)")
    axes.set_ylabel("seconds for a fresh verdict with its proof")
    axes.set_title("What a verdict costs")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(PICTURE, metadata={"Date": None})
    print(f"The cost against the size is drawn in {PICTURE.relative_to(PICTURE.parents[2])}.")


def row(
    name: str, took: float, most: float | None = None, ratio: float | None = None, aim: str = ""
) -> None:
    """One line of the report."""
    end = f"   at most {most * 1000:,.1f} ms" if most else ""
    end += f"   {ratio:8,.2f} x" if ratio else ""
    end += f"   {aim}" if aim else ""
    print(f"  {name:40} {took * 1000:10,.1f} ms{end}", flush=True)


def main(quick: bool) -> None:
    gc.freeze()  # what the libraries beside us have loaded is not ours to be searched for garbage
    number_duel()
    sequence_duel(1_000, with_networkx=True)
    sequence_duel(10_000, with_networkx=not quick)
    number_line()
    if not quick:
        plain = [sys.executable, __file__, "--plain", "1000000"]
        subprocess.run(plain, check=True)
    plot(compiled(COMPILED[:2] if quick else COMPILED))


if __name__ == "__main__":
    if "--large" in sys.argv:
        large(int(sys.argv[-1]))
    elif "--plain" in sys.argv:
        plain_python(int(sys.argv[-1]))
    else:
        main(quick="--quick" in sys.argv)
