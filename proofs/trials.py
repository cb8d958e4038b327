"""Asks the proved checker: genuine proofs of all kinds and sizes, forgeries, large boards, rules.

python proofs/trials.py [--quick] [--large]     after scripts/prove has built proofs/build/checker
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests"), str(HERE.parent / "tests/proofs")]

import forger  # noqa: E402
import forging  # noqa: E402
import test_forged_matchings  # noqa: E402
import test_forged_runs  # noqa: E402
import test_forged_strategies  # noqa: E402
import test_proofs  # noqa: E402
from rearrange import NoProof, rearranged  # noqa: E402

import duels  # noqa: E402
from duels.core.errors import DuelsError  # noqa: E402
from duels.games.chain.criteria import CRITERIA  # noqa: E402
from duels.theory.verdict import Verdict, read_verdict  # noqa: E402
from own_games import EuclidDuel, LastStoneLoses, square_duel  # noqa: E402

SIZES = [*range(1, 41), 47, 53, 60, 75, 90, 100, 130, 170]
CRITERIA_TRIED = [
    *(",".join(names) for k in (1, 2) for names in combinations(CRITERIA, k)),
    ",".join(CRITERIA),
]
FORGED = 1_500
"""Random forgeries of each kind."""


class Checker:
    """The extracted program, asked one proof after the other."""

    def __init__(self) -> None:
        program = ["sh", "-c", 'ulimit -s unlimited 2>/dev/null; exec "$0"', HERE / "build/checker"]
        self._run = subprocess.Popen(
            program, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.count: Counter[str] = Counter()

    def ask(self, question: str, lines: int = 1) -> list[str]:
        assert self._run.stdin is not None
        assert self._run.stdout is not None
        self._run.stdin.write(question + "\n")
        self._run.stdin.flush()
        return [self._run.stdout.readline().strip() for _ in range(lines)]

    def close(self) -> None:
        self._run.communicate()

    def accepts(self, verdict: Verdict[Any]) -> bool:
        try:
            question = rearranged(verdict)
        except NoProof:
            self.count["no form of a proof"] += 1
            return False
        (answer,) = self.ask(question)
        assert answer in ("accepted", "refused"), (answer, question[:500])
        self.count[answer] += 1
        return answer == "accepted"


def genuine(quick: bool) -> Iterator[Verdict[Any]]:
    """Verdicts on all positions of a random game on many boards, as they come out of a file."""
    chance = Random(1)
    sizes = SIZES[::5] if quick else SIZES
    boards: list[tuple[Any, dict[str, Any]]] = []
    for numbers in sizes:
        boards += [
            ("sequence-duel", {"numbers": numbers}),
            ("number-chain-duel", {"numbers": numbers}),
            ("number-line-duel", {"numbers": numbers}),
            ("number-duel", {"numbers": numbers}),
        ]
        if numbers > 1:
            boards += [
                ("sequence-duel", {"numbers": numbers, "opening": "even"}),
                ("divisor-duel", {"divisor": numbers}),
                ("divisor-duel", {"divisor": 101 * numbers + 5}),
            ]
    for criteria in CRITERIA_TRIED:
        boards += [("number-duel", {"numbers": n, "criteria": criteria}) for n in (12, 25, 41)]
    for stones in (1, 2, 7, 20, 60, 200):
        boards += [(square_duel(), {"stones": stones}), (LastStoneLoses, {"stones": stones})]
        boards.append((EuclidDuel, {"larger": stones + 5, "smaller": stones}))
    for kind, options in boards:
        named = isinstance(kind, str)
        position = (duels.game(kind, **options) if named else kind(**options)).start()
        while not position.outcome:
            yield forging.through_a_file(duels.solve(position))
            position = position.play(chance.choice(position.legal_moves))


def forged() -> Iterator[Verdict[Any]]:
    """Every forgery of tests/proofs that says what is in a proof or claims something else."""
    lists = [
        (test_forged_matchings.MATCHING_FORGERIES, forging.CHAIN_BOARDS),
        (test_forged_runs.RUN_FORGERIES, forging.LINE_BOARDS[:3]),
        (test_forged_strategies.STRATEGY_FORGERIES, forging.DIVISOR_BOARDS),
        (test_forged_strategies.FINISH_FORGERIES, forging.LARGE_DIVISOR_BOARDS),
        (test_proofs.CLAIMS, forging.BOARDS),
    ]
    for forgeries, boards in lists:
        for forge in forgeries:
            for verdict in (v for board in boards for v in forging.some(forging.verdicts(board))):
                for lie in forging.some(forge(verdict)):
                    yield (lie if isinstance(lie, Verdict) else forging.with_proof(verdict, lie))


class Judge(forger.Forger):
    """Random forgeries, judged by both checkers; what the proved one accepts must be true."""

    def __init__(self, kind: str, checker: Checker) -> None:
        super().__init__(kind)
        self.checker = checker

    def _accepted(self, data: Any) -> Any:
        found = super()._accepted(data)
        try:
            verdict = read_verdict(json.loads(json.dumps(data)))
        except (DuelsError, ValueError):
            return found
        accepted = verdict.wins is not None and self.checker.accepts(verdict)
        if accepted:
            assert forger._is_true(verdict), data
        if verdict.wins is not None:
            python = "Python accepts" if found else "Python refuses"
            self.count[f"{python}, proved {'accepts' if accepted else 'refuses'}"] += 1
        return found


def large(checker: Checker, boards: list[tuple[str, int]]) -> None:
    for game, numbers in boards:
        verdict = duels.solve(duels.game(game, numbers=numbers).start())
        question, began = rearranged(verdict), monotonic()
        assert checker.ask(question) == ["accepted"]
        print(f"  {game} {numbers:,}: accepted in {monotonic() - began:.1f} s")


def rules(checker: Checker, highest: int) -> int:
    """The rules of the games, pair by pair and move by move."""
    compared = 0
    for code, name in enumerate(CRITERIA):
        rows = checker.ask(f"rule {code} {highest}", highest)
        neighbours = duels.game("number-duel", numbers=highest, criteria=name).neighbours
        for one, row in enumerate(rows, start=1):
            ours = "".join(str(neighbours[one] >> two & 1) for two in range(1, highest + 1))
            assert row == ours, (name, one)
            compared += highest
    chance = Random(2)
    for divisor in [*range(2, 60), 97, 1001, 10**12 + 39]:
        for _ in range(6):
            position = duels.game("divisor-duel", divisor=divisor).start()
            while True:
                said = _words("digits", divisor, [[move] for move in position.moves])
                last, *free = checker.ask(said)[0].split()
                assert free == [str(digit) for digit in position.legal_moves], said
                wins = position.outcome is not None and position.outcome.winner != position.to_move
                assert bool(free) or (last == "true") == wins, said
                compared += 1
                if position.outcome:
                    break
                position = position.play(chance.choice(position.legal_moves))
    for numbers in range(1, 60):
        position = duels.game("number-line-duel", numbers=numbers).start()
        while True:
            moves = [[m, 0] if isinstance(m, int) else [m[0], 1] for m in position.moves]
            found = checker.ask(_words("crossings", numbers, moves))[0].split()
            assert found == [position.game.format(move) for move in position.legal_moves]
            compared += 1
            if position.outcome:
                break
            position = position.play(chance.choice(position.legal_moves))
    return compared


def _words(kind: str, size: int, moves: list[list[int]]) -> str:
    return " ".join(map(str, [kind, size, len(moves), *(n for move in moves for n in move)]))


def main(quick: bool, very_large: bool) -> None:
    forger.register_games()
    checker, began = Checker(), monotonic()
    kinds: Counter[str] = Counter()
    for verdict in genuine(quick):
        assert checker.accepts(verdict), (verdict, verdict.proof)
        kinds[verdict.proof["kind"]] += 1
    print(f"Genuine proofs, all accepted: {dict(kinds)}, {monotonic() - began:.0f} s")
    checker.count.clear()
    began = monotonic()
    for lie in forged():
        if checker.accepts(lie):
            assert forger._is_true(lie), (lie, lie.proof)
            checker.count[f"accepted and true: {lie.position!r}"] += 1
    print(f"Forgeries of tests/proofs: {dict(checker.count)}, {monotonic() - began:.0f} s")
    began = monotonic()
    for kind in forger.BOARDS:
        judge = Judge(kind, checker)
        assert [*judge.forge(FORGED // 10 if quick else FORGED)] == []
        print(f"Random forgeries, {kind}: {dict(judge.count)}")
    print(f"  in {monotonic() - began:.0f} s")
    print(f"Rules: {rules(checker, 100 if quick else 300):,} comparisons, all equal")
    print("Large boards:")
    large(checker, [("sequence-duel", 10_000), ("number-line-duel", 10_000), ("number-duel", 500)])
    if very_large:
        large(checker, [("sequence-duel", 100_000)])
    checker.close()


if __name__ == "__main__":
    main("--quick" in sys.argv, "--large" in sys.argv)
