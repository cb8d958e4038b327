"""Verdicts in words: the reason in a sentence or two, and the whole of what one needs to win.

"You" is the player to move. What `explanation` says is enough to win every game from a won
position without asking again; a test plays by it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from duels.core.bits import members
from duels.core.game import Move
from duels.core.words import listed
from duels.theory.line import Run, balanced, counted_runs, run_name
from duels.theory.traps import hardest_trap
from duels.theory.verdict import Verdict

FEW = 5
"""Examples in a sentence."""
LONG_LINE = 1000
"""Numbers on a line from which on not every winning move is looked at for the easiest one."""


def reason(verdict: Verdict) -> str:
    """Why the position is won or lost, and what to do about it."""
    position = verdict.position
    if position.outcome:
        return f"The game is over: Player {position.outcome.winner} has won."
    words, _ = _WORDS[position.game.id]
    if verdict.wins:
        return words(verdict)
    trap = hardest_trap(position)
    told = position.game.format(trap.move)
    only = "only " if 2 * trap.good <= trap.answers else ""
    share = f"{only}{trap.good} of {trap.answers} answers win{'s' if trap.good == 1 else ''}"
    if len(position.legal_moves) == 1:
        share = "every answer to it wins" if trap.good == trap.answers else share
        return f"You cannot force a win: {told} is your only move, and {share}."
    if trap.good == trap.answers and trap.of_all:
        return f"{words(verdict)} No move is better than another."
    hardest = "the hardest" if trap.of_all else "a hard one"
    return f"{words(verdict)} {told} is {hardest} to answer: {share}."


def explanation(verdict: Verdict) -> list[str]:
    """The partner table, the balanced runs or the strategy: the lines that a person is shown."""
    if not verdict.proof:
        return []
    _, lines = _WORDS[verdict.position.game.id]
    return lines(verdict)


def best_move(verdict: Verdict) -> Move | None:
    """The winning move that the explanation begins with, or None in a lost position."""
    if not verdict.wins or not verdict.proof:
        return None
    proof = verdict.proof
    if proof["kind"] == "matching":
        move: Move = proof["move"]
        return move
    if proof["kind"] == "strategy":
        return min(verdict.winning_moves, key=lambda digit: _depth(proof["after"][str(digit)]))
    position: Any = verdict.position
    if position.game.numbers > LONG_LINE:
        middle = _middle(position)
        return middle if middle in verdict.winning_moves else verdict.winning_moves[0]
    return max(verdict.winning_moves, key=lambda move: _evenness(position, move))


# Chain games


def _chain_reason(verdict: Verdict) -> str:
    position: Any = verdict.position
    partner = _partners(verdict)
    if not verdict.wins:
        told = [f"{move} with {partner[int(move)]}" for move in verdict.position.legal_moves[:FEW]]  # type: ignore[arg-type]
        more = " and so on" if len(position.legal_moves) > FEW else ""
        return (
            "You cannot force a win: every number you can take has a partner, and your opponent "
            f"answers with it ({', '.join(told)}{more})."
        )
    assert verdict.proof
    move = verdict.proof["move"]
    answers = members(position.game.neighbours[move] & position.unused)
    if not answers:
        return f"Take {move}: nothing can follow it."
    told = [f"{answer} with {partner[answer]}" for answer in answers[:FEW]]
    more = " and so on" if len(answers) > FEW else ""
    return (
        f"Take {move}. Whatever your opponent takes then has a partner, and you answer with it "
        f"({', '.join(told)}{more}), until they run out."
    )


def _chain_lines(verdict: Verdict) -> list[str]:
    assert verdict.proof
    pairs = [f"{one}-{two}" for one, two in verdict.proof["pairs"]]
    move = verdict.proof["move"]
    opening = f"Take {move}, then answer" if verdict.wins else "Your opponent answers"
    return [f"{opening} every number with its partner:", " ".join(pairs) or "(no pairs are left)"]


def _partners(verdict: Verdict) -> dict[int, int]:
    assert verdict.proof
    pairs = verdict.proof["pairs"]
    return dict(pairs) | {two: one for one, two in pairs}


# Number Line Duel


def _line_reason(verdict: Verdict) -> str:
    position: Any = verdict.position
    if not verdict.wins:
        balance = _balance(counted_runs(position))
        return (
            f"You cannot force a win: the line is balanced ({balance}), and whatever you cross "
            "out, your opponent can balance it again."
        )
    move = best_move(verdict)
    assert move is not None
    after = position.play(move)
    told = position.game.format(move)
    if after.outcome:
        return f"Cross out {told}: it is the last move."
    return f"Cross out {told}. That balances the line: {_balance(counted_runs(after))}."


def _line_lines(verdict: Verdict) -> list[str]:
    assert verdict.proof
    counts = verdict.proof["counts"]
    runs = [
        f"{run_name(first, last)} counts {value}" for first, last, value in verdict.proof["runs"]
    ]
    by_length = [f"{length}:{value}" for length, value in enumerate(counts) if length]
    lines = [
        f"The runs: {', '.join(runs[:20])}{' and so on' if len(runs) > 20 else ''}.",
        "What a run counts depends on its length (length:count):",
        " ".join(by_length),
    ]
    if len(counts) > 83:
        lines.append("From length 71 on the counts repeat every 12.")
    rule = (
        "Write the counts as sums of 1, 2, 4 and 8: balanced means that each occurs evenly often."
    )
    return [*lines, rule, "Always leave a balanced line."]


def _balance(runs: list[Run]) -> str:
    """Which runs balance which: equal ones in pairs, the rest together."""
    pairs, rest = balanced(runs)
    told = [f"{run_name(*one[:2])} against {run_name(*two[:2])}" for one, two in pairs]
    if rest:
        together = [f"{run_name(first, last)} ({value})" for first, last, value in rest]
        told.append(f"{listed(together)} together")
    return "; ".join(told[:FEW]) + (" and so on" if len(told) > FEW else "") or "nothing is left"


def _evenness(position: Any, move: Move) -> tuple[int, int]:
    """Moves that leave two equal runs are the easiest to understand; then those that take most."""
    lengths = [last - first for first, last, _ in counted_runs(position.play(move))]
    alone = sum(lengths.count(length) % 2 for length in set(lengths))
    return (-alone, -len(lengths))


def _middle(position: Any) -> Move:
    """The middle of the longest run: what is left of it is two equal ones."""
    first, last, _ = max(counted_runs(position), key=lambda run: run[1] - run[0])
    middle = (first + last) // 2
    return middle if (first + last) % 2 == 0 else (middle, middle + 1)


# Divisor Duel


def _divisor_reason(verdict: Verdict) -> str:
    assert verdict.proof
    position: Any = verdict.position
    after = verdict.proof["after"]
    if verdict.wins:
        move = best_move(verdict)
        number = 10 * position.number + move
        if number % position.game.divisor == 0:
            return f"{move} makes {number}, and {number} is divisible by {position.game.divisor}."
        answers = _answers(number, after[str(move)], position.game.divisor)
        return f"Add {move}. Whatever your opponent adds, you have an answer: {answers}."
    told = []
    for digit in position.legal_moves[:FEW]:
        number = 10 * position.number + digit
        told.append(_answer(number, after[str(digit)], position.game.divisor))
    more = "; and so on" if len(position.legal_moves) > FEW else ""
    return f"You cannot force a win, whatever you add: {'; '.join(told)}{more}."


def _answers(number: int, answers: dict[str, Any], divisor: int) -> str:
    told = [
        _answer(10 * number + int(digit), strategy, divisor)
        for digit, strategy in list(answers.items())[:FEW]
    ]
    return "; ".join(told) + ("; and so on" if len(answers) > FEW else "")


def _answer(number: int, strategy: list[Any], divisor: int) -> str:
    """What answers a number, and why that is good."""
    if not strategy:
        return f"{number} uses the last digit and loses"
    reply = 10 * number + strategy[0]
    if reply % divisor == 0:
        return f"{number} makes {reply} possible, and {reply} is divisible"
    return f"{number} is answered with {strategy[0]}"


def _divisor_lines(verdict: Verdict) -> list[str]:
    """The strategy as a tree: what was added, what to answer."""
    assert verdict.proof
    position: Any = verdict.position
    after = verdict.proof["after"]
    if verdict.wins:
        move = best_move(verdict)
        if not after[str(move)]:
            return []
        lines = [f"Add {move}, then answer the number on the left with the digit on the right:"]
        return lines + _tree_lines(10 * position.number + move, after[str(move)])
    lines = ["Your opponent answers the number on the left with the digit on the right:"]
    for digit in position.legal_moves:
        lines += _strategy_lines(10 * position.number + int(digit), after[str(digit)])
    return lines


def _tree_lines(number: int, answers: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for digit, strategy in answers.items():
        lines += _strategy_lines(10 * number + int(digit), strategy)
    return lines


def _strategy_lines(number: int, strategy: list[Any]) -> list[str]:
    if not strategy:
        return []
    own = [f"{number}: {strategy[0]}"]
    return own + (_tree_lines(10 * number + strategy[0], strategy[1]) if strategy[1:] else [])


def _depth(tree: Any) -> int:
    """The number of moves that a strategy takes at most."""
    if isinstance(tree, dict):
        return max((1 + _depth(part) for part in tree.values()), default=0)
    return 1 + (_depth(tree[1]) if len(tree) > 1 else 0) if tree else 0


_WORDS: dict[str, tuple[Callable[[Verdict], str], Callable[[Verdict], list[str]]]] = {
    "number-duel": (_chain_reason, _chain_lines),
    "sequence-duel": (_chain_reason, _chain_lines),
    "number-chain-duel": (_chain_reason, _chain_lines),
    "number-line-duel": (_line_reason, _line_lines),
    "divisor-duel": (_divisor_reason, _divisor_lines),
}
