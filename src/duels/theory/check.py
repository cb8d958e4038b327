"""Checking proofs. This imports only the rules of the games, nothing from the solver.

Each checker works out from the proof which moves win, or raises ProofError with the step that
fails. First it makes sure that the game has the rules that it assumes. `check` replays the moves
that led to the position, and compares the proved moves with those that the verdict claims.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from duels.core.errors import DAMAGED, DuelsError, IllegalMove, ProofError, install
from duels.core.fast import is_numba_installed
from duels.core.files import parse_json
from duels.core.game import Game, Move, Position, other
from duels.core.parts import changed_rule, load, parts_of
from duels.core.states import Rules, State, rules_of
from duels.games import game_to_solve
from duels.theory.verdict import MAGIC, PackedVerdict, Proof, Verdict

LONGEST_CLAIM = 2**20
"""The most bytes in the line of a file with the claim."""
_LISTS = {list, tuple}
_PLAIN = {int, str, type(None), dict, *_LISTS}


def require_plain(proof: Any) -> None:
    """Raise ProofError unless a proof consists of integers and strings.

    Values that merely equal an integer, such as 5.0 and true, are refused: other programs may read
    them differently.
    """
    level: list[Any] = [proof]
    while level:  # level by level: a proof is wide, not deep
        kinds = {*map(type, level)}
        require(kinds <= _PLAIN, "it has a part that is not a whole number, a word or a list")
        named = [part for part in level if type(part) is dict] if dict in kinds else []
        names = {*map(type, chain.from_iterable(named))}
        require(names <= {str}, "not all of its names are words")
        lists = [part for part in level if type(part) in _LISTS] if kinds & _LISTS else []
        level = [*chain.from_iterable(part.values() for part in named)]
        level += chain.from_iterable(lists)


def require(holds: bool, otherwise: str) -> None:
    """Raise ProofError unless a step of a proof holds."""
    if not holds:
        raise ProofError(f"The proof fails: {otherwise}.")


def of_kind(kind: str, proof: Proof) -> None:
    """Raise ProofError unless a proof is of this kind."""
    require(proof.get("kind") == kind, f"a proof for this game is of the kind {kind}")


def require_rules(
    position: Position, kind: type, rules: type[Game], besides: Collection[str] = ()
) -> None:
    """Raise ProofError unless a position is of this class and its game has the rules of this game.

    `besides` names the rules in which it may differ.
    """
    other = "this kind of proof is for other rules"
    require(type(position) is kind and isinstance(position.game, rules), other)
    changed = changed_rule(position.game, rules, besides)
    require(not changed, f"{other}: {position.game.id} has its own `{changed}`")


Places = dict[State, int]
"""The index of each state in the list."""


def check_answers(position: Position, proof: Proof) -> list[Move]:
    """Return the winning moves that the proof shows; ProofError if it does not show them."""
    of_kind("answers", proof)
    rules = rules_of(position)
    states = [rules.read(data) for data in proof["lost"]]
    place = {state: number for number, state in enumerate(states)}
    require(len(place) == len(states), "a state is listed twice")
    winning, reached = [], set[State]()
    here = rules.state_of(position)
    for move in position.legal_moves:
        after = rules.after(here, move)
        if after in place:
            winning.append(move)
            reached.add(after)
        else:
            answers = _answers(rules, after, place, len(states))
            require(answers is not None, f"{position.game.format(move)} is not answered")
            reached.update(answers or ())
    for state in reversed(states):
        require(state in reached, "no play leads to a state in it")
        reached.update(_needed(rules, state, place))
    return winning


def _needed(rules: Rules, state: State, place: Places) -> Iterator[State]:
    """Return the earlier states of the list that answer each move from a state: it is lost."""
    moves = rules.allowed(state)
    if not moves:
        require(rules.last_mover_wins(state), f"{rules.words(state)} is won at the end")
    for move in moves:
        answers = _answers(rules, rules.after(state, move), place, place[state])
        unanswered = f"{rules.game.format(move)} in {rules.words(state)} is not answered"
        require(answers is not None, unanswered)
        yield from answers or ()


def _answers(rules: Rules, state: State, place: Places, below: int) -> list[State] | None:
    """Return the states before `below` that a move leads to; none at a won end, None if not won."""
    moves = rules.allowed(state)
    if not moves:
        return None if rules.last_mover_wins(state) else []
    found = (rules.after(state, move) for move in moves)
    return [after for after in found if place.get(after, below) < below] or None


def check(verdict: Verdict[Position]) -> None:
    """Raise ProofError unless the proof proves who wins, and exactly which moves win."""
    position = verdict.position
    _require_legal_play(position)
    if position.outcome:
        claimed = (verdict.wins, verdict.winning_moves, verdict.proof)
        require(claimed == (None, (), None), "the game is over, and the verdict says otherwise")
        return
    proof = verdict.packed
    if not proof:
        proof = verdict.proof if isinstance(verdict.proof, dict) else {}
        require_plain(proof)
    require_plain(list(verdict.winning_moves))
    with _failing_as_proof():
        winning = load(parts_of(position.game).checker)(position, proof)
    require(tuple(winning) == verdict.winning_moves, "it proves other winning moves")
    require(verdict.wins is bool(winning), "it proves the opposite")


def _require_legal_play(position: Position) -> None:
    """Raise ProofError unless legal moves, by each player in turn, lead to a position."""
    here = position.game.start()
    require(here.to_move == 1 and not here.moves, "Player 1 does not begin")
    for move in position.moves:
        try:
            after = here.play(move)
        except IllegalMove as error:
            raise ProofError(f"The proof fails: its position is not reached: {error}") from None
        turn = f"after {here.game.format(move)} the turn does not pass"
        require(after.to_move == other(here.to_move), turn)
        here = after
    same = type(here) is type(position) and _seen(here) == _seen(position)
    require(same, "its position is not the one that its moves lead to")


def _seen(position: Position) -> object:
    """Return everything that a position says about itself."""
    said = position.moves, position.to_move, position.outcome
    return (*said, tuple(position) if isinstance(position, tuple) else position.legal_moves)


@contextmanager
def _failing_as_proof() -> Iterator[None]:
    """Raise ProofError for whatever a proof that is wrong or damaged leads to."""
    try:
        yield
    except ProofError:
        raise
    except DuelsError as error:
        raise ProofError(f"The proof fails: {error}") from None
    except DAMAGED:
        raise ProofError("The proof is damaged: it does not have the form of a proof.") from None


# Proofs in files of arrays


def is_packed(path: Path) -> bool:
    """Say whether a file begins like one by `write_packed`; OSError if it cannot be read."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def check_packed(path: Path) -> PackedVerdict[Position]:
    """Return what a file proves; ProofError if it does not prove what it claims.

    The arrays stay in the file and are read during the check. The solver is not used.
    """
    if not is_numba_installed():
        raise ProofError(f"This proof needs the extra fast. {install('fast')}")
    with _failing_as_proof():
        claim, arrays = _read_packed(path)
        playing = game_to_solve(claim["game"], **claim["options"])
        if json.dumps(claim["options"], sort_keys=True) != json.dumps(
            playing.options, sort_keys=True
        ):
            raise ProofError("The proof must name every option in canonical form.")
        position = playing.position(*claim["moves"])
        part = parts_of(playing).packed_checker
        if not part or position.outcome:
            raise ProofError("The proof fails: there is nothing of this kind to prove.")
        winning: int = load(part)(position, claim["move"], arrays)
        if type(claim["winning_count"]) is not int or claim["winning_count"] != winning.bit_count():
            raise ProofError("The proof fails: it proves other winning moves.")
    return PackedVerdict(position, winning, (claim["move"], *arrays))


def _read_packed(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """Return the claim of a file, and its arrays without loading them."""
    numpy = import_module("numpy")
    with path.open("rb") as file:
        file.seek(len(MAGIC))
        claim = parse_json(file.readline(LONGEST_CLAIM).decode())
        at = file.tell()
    lengths = claim["lengths"]
    if not all(type(length) is int and 0 <= length < 2**31 for length in lengths):
        raise ProofError("The proof is damaged: a length is not a whole number.")
    if path.stat().st_size != at + 4 * sum(lengths):
        raise ProofError("The proof is damaged: its file is too short or too long.")
    arrays = []
    for length in lengths:
        shown = numpy.memmap(path, "<i4", "c", at, (length,)) if length else numpy.zeros(0, "<i4")
        arrays.append(numpy.asarray(shown))
        at += 4 * length
    return claim, arrays
