"""Verdicts on huge boards beside the matching of LEMON (C++) on 1,000,000 numbers, in one run.

python benchmarks/lemon.py              everything; 100,000,000 numbers take minutes and 6 GB
python benchmarks/lemon.py --quick      without 100,000,000
python benchmarks/lemon.py 100000       one size beside LEMON

LEMON and its compiler are Debian's: apt-get install liblemon-dev g++. Without them only ours is
measured. LEMON builds the graph and finds a maximum matching; ours also grades every move, writes
the proof and has it checked. Both must agree on the matching and on the classes D and A. Times are
those of the processor, so that what else the machine does counts less. Each aim is printed beside
what was measured, and marked if it is not met.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from shutil import which
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from aims import judge

from duels.core.fast import is_numba_installed
from duels.games import game_to_solve
from duels.games.chain.checker import check_packed
from duels.games.chain.compiled import Forest
from duels.games.chain.matching import COMPILED_FROM, forest_of
from duels.games.chain.theory import SOLVER_BYTES
from duels.theory import theory_of

ROUNDS = 3
MILLION = 1_000_000
KNOWN = {10 * MILLION: (6_130_103, 4_373_992), 100 * MILLION: (59_207_605, 43_732_002)}
"""By size: how many numbers are in D, and how many pairs a maximum matching has."""
PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <lemon/matching.h>
#include <lemon/smart_graph.h>

double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

int main(int, char **words) {
    const int n = std::atoi(words[1]);
    const double start = seconds();
    long edges = 0;
    for (int d = 1; d <= n; d++) edges += n / d - 1;
    lemon::SmartGraph graph;
    graph.reserveNode(n);
    graph.reserveEdge(edges);
    for (int v = 0; v < n; v++) graph.addNode();
    for (int d = 1; d <= n; d++)
        for (int m = 2 * d; m <= n; m += d)
            graph.addEdge(graph.nodeFromId(d - 1), graph.nodeFromId(m - 1));
    const double built = seconds();
    lemon::MaxMatching<lemon::SmartGraph> matching(graph);
    matching.run();
    const double matched = seconds();
    int outer = 0, inner = 0;
    for (int v = 0; v < n; v++) {
        const auto status = matching.status(graph.nodeFromId(v));
        outer += status == matching.EVEN;
        inner += status == matching.ODD;
    }
    std::printf("{\"build\": %f, \"match\": %f, \"pairs\": %d, \"outer\": %d, \"inner\": %d}\n",
                built - start, matched - built, matching.matchingSize(), outer, inner);
}
"""


def ours(numbers: int) -> dict[str, Any]:
    """One verdict, with its proof as arrays, and the check of it; the compiler is loaded before."""
    solved(COMPILED_FROM)
    return solved(numbers)


def solved(numbers: int) -> dict[str, Any]:
    position: Any = game_to_solve("sequence-duel", numbers=numbers).start()
    times = [process_time()]
    forest = forest_of(position)
    assert isinstance(forest, Forest)
    times.append(process_time())
    verdict = theory_of(position).solve_packed(position)
    times.append(process_time())
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3 * 1.024
    winning = check_packed(position, verdict.proof.move, verdict.proof[1:])
    times.append(process_time())
    assert winning == verdict.winning
    return {
        "search": times[1] - times[0],
        "verdict": times[2] - times[0],
        "check": times[3] - times[2],
        "megabytes": megabytes,
        "pairs": len(verdict.proof.pairs) // 2,
        "outer": verdict.winning_count,
        "inner": len(verdict.proof.barrier),
    }


def lemon(folder: str) -> Path | None:
    """LEMON's program, if it can be had here."""
    if not which("g++"):
        return None
    source, program = Path(folder, "lemon.cpp"), Path(folder, "lemon")
    source.write_text(PROGRAM)
    command = ["g++", "-O2", "-o", str(program), str(source)]
    return None if subprocess.run(command, capture_output=True).returncode else program


def run(*command: str) -> dict[str, Any]:
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def of_ours(numbers: int) -> dict[str, Any]:
    """Our figures, from a process of its own."""
    return run(sys.executable, __file__, "--ours", str(numbers))


def aim(words: str, value: float, bound: float, *, least: bool = False) -> None:
    """Print a figure beside its aim."""
    aim = judge(value, at_least=bound) if least else judge(value, at_most=bound)
    print(f"  {words:58} {value:8.2f}   {aim}", flush=True)


def beside_lemon(numbers: int) -> tuple[dict[str, Any], float | None]:
    """Our median figures, and LEMON's seconds if it is here."""
    with TemporaryDirectory() as folder:
        program = lemon(folder)
        rounds, others = [], []
        for _ in range(ROUNDS):  # in turns, because machines are noisy
            rounds.append(of_ours(numbers))
            if program:
                others.append(run(str(program), str(numbers)))
    own = {name: median(one[name] for one in rounds) for name in rounds[0]}
    print(f"sequence-duel, {numbers:,} numbers, the median of {ROUNDS} rounds")
    print(f"  ours: verdict with its proof {own['verdict']:6.2f} s, check {own['check']:6.2f} s")
    if not others:
        print("  LEMON is not here: apt-get install liblemon-dev g++")
        return own, None
    build, match = (median(one[what] for one in others) for what in ("build", "match"))
    print(f"  LEMON: building {build:6.2f} s, matching {match:6.2f} s")
    for what in ("pairs", "outer", "inner"):
        assert len({one[what] for one in [*rounds, *others]}) == 1, f"they differ in {what}"
    print("  They agree on {pairs:,} pairs, D {outer:,}, A {inner:,}".format(**others[0]))
    aim("LEMON's time / verdict with its proof", (build + match) / own["verdict"], 5, least=True)
    return own, build + match


def main(quick: bool) -> None:
    own, other = beside_lemon(MILLION)
    aim("check / verdict", own["check"] / own["verdict"], 1)
    sizes = {
        MILLION // 10: of_ours(MILLION // 10),
        MILLION: own,
        10 * MILLION: of_ours(10 * MILLION),
    }
    huge = sizes[10 * MILLION]
    if other:
        aim("10,000,000: graph and search / LEMON at 1,000,000", huge["search"] / other, 5)
    aim("10,000,000: GB of memory", huge["megabytes"] / 1000, 0.8)
    for less, more in ((MILLION // 10, MILLION), (MILLION, 10 * MILLION)):
        growth = sizes[more]["verdict"] / sizes[less]["verdict"]
        aim(f"{more:,}: verdict / that of {less:,}", growth, 30)
    require_known(10 * MILLION, huge)
    if quick:
        return
    most = of_ours(100 * MILLION)
    print("sequence-duel, 100,000,000 numbers")
    print("  search {search:.0f} s, verdict {verdict:.0f} s, check {check:.0f} s".format(**most))
    aim("100,000,000: GB of memory", most["megabytes"] / 1000, SOLVER_BYTES / 10)
    require_known(100 * MILLION, most)


def require_known(numbers: int, figures: dict[str, Any]) -> None:
    """Compare with what another program, written for these two sizes only, has found."""
    outer, pairs = KNOWN[numbers]
    assert (figures["outer"], figures["pairs"]) == (outer, pairs), f"{numbers:,}: {figures}"
    print(f"  {numbers:,}: D {outer:,} and {pairs:,} pairs, as expected")


if __name__ == "__main__":
    if not is_numba_installed():
        sys.exit("This needs numba: pip install '.[fast]'")
    match sys.argv[1:]:
        case ["--ours", numbers]:
            print(json.dumps(ours(int(numbers))))
        case [numbers] if numbers.isdecimal():
            beside_lemon(int(numbers))
        case words:
            main(quick="--quick" in words)
