"""Compare this Python with the one in a page on positions of all games: count the differences.

python benchmarks/positions.py [--count 10000] [--seed 0]

Compared are who wins, the winning moves, the reason, the hints, and what computers of every level
do there with the same seed. It takes some minutes, and ends with 1 if any answer differs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from duels.site.runtime import packed_runtime

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "site"))
from agreement import CACHE, disagreements


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        found = disagreements(packed_runtime(CACHE), Path(folder), wanted.count, wanted.seed)
    took = time.perf_counter() - start
    print(f"{wanted.count:,} positions, {len(found)} answered differently, {took:.0f} s")
    for question, here, there in found[:10]:
        print(f"{question}\n  here      {here}\n  in a page {there}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
