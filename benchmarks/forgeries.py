"""Forges proofs of every kind and lets the checker judge them, against brute force.

scripts/bench forgeries [--count N]: N in all (default: a million); the same for every seed.
It ends with an error if a false one was accepted, and prints that one.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter

TESTS = Path(__file__).parent.parent / "tests"
sys.path += [str(TESTS), str(TESTS / "proofs")]

from forger import BOARDS, Forger, register_games  # noqa: E402

COLUMNS = ("forged", "refused", "accepted and true", "accepted and false")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    register_games()
    print(" | ".join(["kind", *COLUMNS, "seconds"]))
    false = []
    for kind in BOARDS:
        began, forger = perf_counter(), Forger(kind, wanted.seed)
        false += forger.forge(wanted.count // len(BOARDS))
        counts = [f"{forger.count[column]:,}" for column in COLUMNS]
        print(" | ".join([kind, *counts, f"{perf_counter() - began:,.0f}"]), flush=True)
    for data in false[:5]:
        print(json.dumps(data))
    sys.exit(1 if false else 0)


if __name__ == "__main__":
    main()
