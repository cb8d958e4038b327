"""From a proof as `duels solve --proof` writes it to what the proved checker reads.

Nothing here is trusted: whatever comes out, the checker accepts only what is true of the game, the
moves and the claim that it was given. What cannot be rearranged raises `NoProof`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from duels.core.fast import bit_set, members, up_to
from duels.core.game import Position
from duels.core.parts import parts_of
from duels.games.chain.criteria import CRITERIA
from duels.theory.verdict import Verdict

MOST_STATES = 100_000
HIGHEST = 10**15


class NoProof(Exception):
    """The proof does not have the form of one."""


def rearranged(verdict: Verdict[Position]) -> str:
    """One line of numbers."""
    proof, position = verdict.proof, verdict.position
    if not isinstance(proof, dict) or type(verdict.wins) is not bool:
        raise NoProof("no claim or no proof")
    try:
        kind = proof["kind"]
        known = kind == "answers" or parts_of(position.game).checker == CHECKERS[kind]
        require(known, "this kind of proof is for other rules")
        return " ".join([NAMES[kind], *map(str, map(int, WRITERS[kind](position, verdict, proof)))])
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise NoProof(str(error)) from None


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise NoProof(otherwise)


def number(value: Any, lowest: int = 1) -> int:
    require(type(value) is int and lowest <= value <= HIGHEST, f"{value!r} is not such a number")
    return int(value)


def listed(things: Iterable[Iterable[int]]) -> Iterator[int]:
    found = [list(thing) for thing in things]
    yield len(found)
    for thing in found:
        yield from thing


def numbers(values: Iterable[Any], lowest: int = 1) -> Iterator[int]:
    return listed([number(value, lowest)] for value in values)


# Chain games


def chain(position: Any, verdict: Any, proof: dict[str, Any]) -> Iterator[int]:
    game = position.game
    rules = [number for number, rule in enumerate(CRITERIA.values()) if rule in game.rules]
    pairs = [(number(one), number(two)) for one, two in proof["pairs"]]
    require(all(one < two for one, two in pairs), "a pair is not in order")
    yield from numbers(rules, 0)
    even_only = not game.openings & 2
    known = bit_set(range(2, game.size + 1, 2)) if even_only else up_to(game.size)
    require(game.openings == known, "the proved checker knows only any and even openings")
    yield from (game.size, even_only)
    yield from numbers(position.moves)
    yield from numbers(verdict.winning_moves)
    yield from (verdict.wins, *([0] if proof["move"] is None else [1, number(proof["move"])]))
    yield from listed(pairs)
    yield from _forest(position, proof, pairs)


def _forest(position: Any, proof: dict[str, Any], pairs: list[tuple[int, int]]) -> Iterator[int]:
    """The odd classes from the missed numbers outwards, and the pairs of the rest."""
    unused = members(position.unused)
    mate = dict(pairs) | {two: one for one, two in pairs}
    require(len(mate) == 2 * len(pairs), "a number is in two pairs")
    barrier = set(map(number, proof["barrier"]))
    require(len(barrier) == len(proof["barrier"]), "a number is twice in the barrier")
    classes = Classes(proof["blossoms"])
    missed = [one for one in unused if one not in mate]
    odd = {classes.base(one) for one in (*missed, *(mate[one] for one in barrier))}
    require(classes.cycles <= odd, "a cycle is in no odd class")
    inside = {one for base in odd for one in classes.inside(base)}
    touching: dict[int, list[tuple[int, int]]] = {base: [] for base in odd}
    odd_bits = bit_set(inside)
    for one in barrier:
        met = set[int]()
        for other in members(position.game.neighbours[one] & odd_bits):
            if (base := classes.base(other)) not in met:
                met.add(base)
                touching[base].append((one, other))
    queue = [classes.base(one) for one in missed]
    items = [[*listed(classes.ops(base)), 0] for base in queue]
    reached = set[int]()
    for base in queue:
        for one, other in touching[base]:
            if one not in reached:
                reached.add(one)
                partner = mate[one]
                queue.append(classes.base(partner))
                items.append([*listed(classes.ops(queue[-1])), 1, one, other, partner])
    require(reached == barrier, "the barrier is not reached")
    yield from listed(items)
    yield from listed(
        pair for pair in pairs if not inside.intersection(pair) and not barrier.intersection(pair)
    )


class Classes:
    """Numbers united by odd cycles; a class is its number, or its parts with the links between."""

    def __init__(self, blossoms: Iterable[Any]) -> None:
        self._base: dict[int, int] = {}
        self._inside: dict[int, list[int]] = {}
        self._parts: dict[int, Any] = {}
        for cycle in blossoms:
            self._contract([number(end) for end in cycle])

    @property
    def cycles(self) -> set[int]:
        return set(self._inside)

    def base(self, one: int) -> int:
        return self._base.get(one, one)

    def inside(self, base: int) -> list[int]:
        return self._inside.get(base, [base])

    def _contract(self, cycle: list[int]) -> None:
        at: dict[int, list[tuple[int, int, int]]] = {}
        for edge, (one, two) in enumerate(zip(cycle[::2], cycle[1::2], strict=True)):
            at.setdefault(self.base(one), []).append((edge, one, two))
            at.setdefault(self.base(two), []).append((edge, two, one))
        require(all(len(met) == 2 for met in at.values()) and len(at) % 2 == 1, "no odd cycle")
        order, links = [next(iter(at))], list[tuple[int, int]]()
        edge, one, two = at[order[0]][0]
        while True:
            links.append((one, two))
            base = self.base(two)
            if base == order[0]:
                break
            order.append(base)
            onward = [step for step in at[base] if step[0] != edge]
            require(len(onward) == 1, "no simple cycle")
            [(edge, one, two)] = onward
        require(len(order) == len(at) > 1, "no simple cycle")
        largest = max(order, key=lambda base: len(self.inside(base)))
        united = self._inside.setdefault(largest, [largest])
        parts = [self._parts.get(base, base) for base in order]
        for base in order:
            if base != largest:
                for one in self._inside.pop(base, [base]):
                    self._base[one] = largest
                    united.append(one)
        self._parts[largest] = (parts, links)

    def ops(self, base: int) -> list[list[int]]:
        """The class as steps: a number, or a cycle of the classes just made, the last one first."""
        steps: list[list[int]] = []
        todo = [self._parts.get(base, base)]
        while todo:  # from the end to the beginning
            part = todo.pop()
            if isinstance(part, int):
                steps.append([0, part])
            else:
                steps.append([1, *listed(part[1])])
                todo += reversed(part[0])
        return steps[::-1]


# Number Line Duel


def line(position: Any, verdict: Any, proof: dict[str, Any]) -> Iterator[int]:
    yield number(position.game.size)
    yield from listed(map(_crossing, position.moves))
    yield from listed(map(_crossing, verdict.winning_moves))
    yield verdict.wins
    runs = [(number(first), number(last), number(count, 0)) for first, last, count in proof["runs"]]
    yield from listed(runs)
    yield from numbers(proof["counts"], 0)


def _crossing(move: Any) -> tuple[int, int]:
    if type(move) is int:
        return number(move), 0
    low, high = move
    require(number(high) == number(low) + 1, "no neighbours")
    return low, 1


# Divisor Duel


def strategies(position: Any, verdict: Any, proof: dict[str, Any]) -> Iterator[int]:
    yield number(position.game.divisor)
    yield from numbers(position.moves)
    yield from numbers(verdict.winning_moves)
    yield verdict.wins
    after = proof["after"]
    require([int(digit) for digit in sorted(after)] == [*position.legal_moves], "not every digit")
    yield len(after)
    for digit in sorted(after):
        good = isinstance(after[digit], dict)
        yield good
        yield from _answers(after[digit]) if good else _strategy(after[digit])


def _strategy(strategy: Any) -> Iterator[int]:
    require(isinstance(strategy, list) and len(strategy) <= 2, "no strategy")
    yield len(strategy) > 0
    if strategy:
        yield number(strategy[0])
        yield from _answers(strategy[1] if len(strategy) == 2 else {})


def _answers(answers: dict[str, Any]) -> Iterator[int]:
    require(all(len(digit) == 1 and digit.isascii() for digit in answers), "no digit")
    yield len(answers)
    for digit in sorted(answers):
        yield number(int(digit), 0)
        yield from _strategy(answers[digit])


def finishes(position: Any, verdict: Any, proof: dict[str, Any]) -> Iterator[int]:
    """The strategies that follow from the digits that finish: look one move ahead, every time."""
    number, digits, divisor = position.state, position.legal_moves, position.game.divisor
    now, later = proof["now"], proof["after"]
    ends = _finishing(number, digits, divisor)
    lets = {d: _finishing(10 * number + d, [e for e in digits if e != d], divisor) for d in digits}
    replies = {str(d): found for d, found in lets.items() if found and d not in ends}
    require(repr(now) == repr(ends) and len(proof) == 3, "other digits finish")
    require(repr(later) == repr(replies if position.to_move == 2 else {}), "other replies")
    good = now if position.to_move == 1 else [d for d in digits if str(d) not in later]
    after = {}
    for digit in digits:
        rest = [other for other in digits if other != digit]
        expand = _lost if digit in good else _won
        after[str(digit)] = expand(10 * number + digit, rest, divisor)
    yield from strategies(position, verdict, {"after": after})


def _finishing(number: int, digits: Iterable[int], divisor: int) -> list[int]:
    return [digit for digit in digits if (10 * number + digit) % divisor == 0]


def _won(number: int, digits: list[int], divisor: int) -> list[Any]:
    """A strategy for the player to move: finish, or add a digit that nothing finishes after."""
    if not digits or number % divisor == 0:
        return []
    for digit in _finishing(number, digits, divisor):
        return [digit]
    for digit in digits:
        rest, after = [other for other in digits if other != digit], 10 * number + digit
        if not _finishing(after, rest, divisor):
            return [digit, _lost(after, rest, divisor)]
    raise NoProof("no digit is safe")


def _lost(number: int, digits: list[int], divisor: int) -> dict[str, Any]:
    """A strategy against every digit of the player to move."""
    if number % divisor == 0:
        return {}
    rests = {digit: [other for other in digits if other != digit] for digit in digits}
    return {str(d): _won(10 * number + d, rest, divisor) for d, rest in rests.items()}


# Any other game


def answers(position: Any, verdict: Any, proof: dict[str, Any]) -> Iterator[int]:
    """The table of all states that play leads to, by the rules of the game."""
    game = position.game
    place, states = {position.state: 1}, [position.state]
    rows = []
    for state in states:
        row = [game.after(state, move) for move in game.allowed(state)]
        for after in row:
            if after not in place:
                states.append(after)
                place[after] = len(states)
        require(len(states) <= MOST_STATES, "too many states")
        rows.append([int(game.last_mover_wins(state)), *numbers(place[after] for after in row)])
    yield from listed(rows)
    yield 1
    claimed = [position.legal_moves.index(move) + 1 for move in verdict.winning_moves]
    require([type(move) for move in verdict.winning_moves] == [int] * len(claimed), "no number")
    yield from numbers(claimed)
    yield verdict.wins
    lost = [_state(state) for state in proof["lost"]]
    require(len({*lost}) == len(lost), "a state is there twice")
    yield from numbers(place[state] for state in lost)


def _state(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(map(_state, data))
    require(type(data) in (int, str), "no state")
    return data


Writer = Callable[[Any, Any, dict[str, Any]], Iterable[int]]
WRITERS: dict[str, Writer] = {
    "matching": chain,
    "runs": line,
    "strategy": strategies,
    "finishes": finishes,
    "answers": answers,
}
CHECKERS = {
    "matching": "duels.games.chain.checker:check_matching",
    "runs": "duels.games.line.checker:check_runs",
    "strategy": "duels.games.digits.checker:check_divisor",
    "finishes": "duels.games.digits.checker:check_divisor",
}
"""The part of a game whose rules the proved checker knows for this kind of proof."""
NAMES = {
    "matching": "chain",
    "runs": "line",
    "strategy": "divisor",
    "finishes": "divisor",
    "answers": "table",
}
