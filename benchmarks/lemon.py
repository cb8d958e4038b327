"""A verdict with its proof at 1,000,000 numbers beside the matching of LEMON (C++), in one run.

python benchmarks/lemon.py              three rounds of each, about a minute
python benchmarks/lemon.py 100000       on another size

LEMON and its compiler are Debian's: apt-get install liblemon-dev g++. Without them only ours is
measured. LEMON builds the graph and finds a maximum matching; ours also grades every move, writes
the proof and has it checked. Both must agree on the matching and on the classes D and A.
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
from time import perf_counter
from typing import Any

import duels
from duels.core.fast import is_numba_installed
from duels.games.chain.matching import COMPILED_FROM

ROUNDS = 3
PROGRAM = r"""
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <lemon/matching.h>
#include <lemon/smart_graph.h>

double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

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
    """One verdict, with its proof, and the check of it; the compiler is loaded before."""
    start = perf_counter()
    duels.check(duels.solve(duels.game("sequence-duel", numbers=COMPILED_FROM).start()))
    position = duels.game("sequence-duel", numbers=numbers).start()
    times = [perf_counter()]
    verdict = duels.solve(position)
    proof = verdict.proof
    times.append(perf_counter())
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    duels.check(verdict)
    times.append(perf_counter())
    assert proof
    return {
        "load": times[0] - start,
        "verdict": times[1] - times[0],
        "check": times[2] - times[1],
        "megabytes": megabytes,
        "pairs": len(proof["pairs"]),
        "outer": len(verdict.winning_moves),
        "inner": len(proof["barrier"]),
    }


def lemon(folder: str) -> Path | None:
    """LEMON's program, if it can be had here."""
    if not which("g++"):
        return None
    source, program = Path(folder, "lemon.cpp"), Path(folder, "lemon")
    source.write_text(PROGRAM)
    command = ["g++", "-O2", "-o", str(program), str(source)]
    return None if subprocess.run(command, capture_output=True).returncode else program


def told(*command: str) -> dict[str, Any]:
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def main(numbers: int) -> None:
    if not is_numba_installed():
        sys.exit("This needs numba: pip install '.[fast]'")
    with TemporaryDirectory() as folder:
        program = lemon(folder)
        rounds, others = [], []
        for _ in range(ROUNDS):  # in turns, because machines are noisy
            rounds.append(told(sys.executable, __file__, "--ours", str(numbers)))
            if program:
                others.append(told(str(program), str(numbers)))
    own = median(one["verdict"] for one in rounds)
    check = median(one["check"] for one in rounds)
    print(f"sequence-duel, {numbers:,} numbers, the median of {ROUNDS} rounds")
    print(f"  ours: verdict with its proof  {own:6.2f} s")
    print(f"  ours: checking the proof      {check:6.2f} s   the verdict {check - own:+.2f} s")
    print(f"  ours: peak memory             {max(one['megabytes'] for one in rounds):6.0f} MB")
    if not others:
        print("  LEMON is not here: apt-get install liblemon-dev g++")
        return
    build, match = (median(one[what] for one in others) for what in ("build", "match"))
    print(f"  LEMON: building               {build:6.2f} s")
    print(f"  LEMON: matching               {match:6.2f} s")
    print(f"  LEMON needs {(build + match) / own:.2f} times as long")
    for what in ("pairs", "outer", "inner"):
        assert len({one[what] for one in [*rounds, *others]}) == 1, f"they differ in {what}"
    print("  They agree on {pairs:,} pairs, D {outer:,}, A {inner:,}".format(**others[0]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ours"]:
        print(json.dumps(ours(int(sys.argv[2]))))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 1_000_000)
