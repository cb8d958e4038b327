"""The checker is independent, genuine proofs pass, and false claims do not."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from forging import (
    CHAIN_BOARDS,
    DIVISOR_BOARDS,
    LARGE_DIVISOR_BOARDS,
    LINE_BOARDS,
    assert_rejected,
    edited,
    every_board,
    rejects,
    some,
    verdicts,
    with_proof,
)

import duels
from duels.theory import check as checking


def imported_by(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, path
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_checker_imports_nothing_of_the_solver():
    allowed = ("duels.core.", "duels.games.", "duels.theory.verdict.", "duels.theory.check.")
    games = Path(duels.__file__).parent / "games"
    for path in (Path(checking.__file__), *games.glob("*/checker.py")):
        ours = [name for name in imported_by(path) if name.startswith("duels")]
        assert [name for name in ours if not name.startswith(allowed)] == [], path


@pytest.mark.slow
@every_board
def test_every_genuine_proof_passes(board):
    for verdict in verdicts(board):
        duels.check(verdict)


@pytest.mark.slow
@every_board
def test_a_file_keeps_the_claims_of_a_verdict(board):
    for verdict in some(verdicts(board)):
        truth = duels.solve(verdict.position)
        assert (verdict.wins, verdict.winning_moves) == (truth.wins, truth.winning_moves)


def says_the_opposite(verdict):
    yield replace(verdict, wins=not verdict.wins)


def says_neither(verdict):
    yield replace(verdict, wins=None)


def says_it_is_over(verdict):
    yield replace(verdict, wins=None, winning_moves=(), given=None)


def drops_a_winning_move(verdict):
    for move in verdict.winning_moves:
        rest = tuple(other for other in verdict.winning_moves if other != move)
        yield replace(verdict, winning_moves=rest)
        yield replace(verdict, winning_moves=rest, wins=bool(rest))


def adds_a_move(verdict):
    for move in {0, -1, 10**40, *verdict.position.legal_moves[:9]} - {*verdict.winning_moves}:
        more = (*verdict.winning_moves, move)
        yield replace(verdict, winning_moves=more, wins=True)


def replaces_a_winning_move(verdict):
    for move in {*verdict.position.legal_moves[:9]} - {*verdict.winning_moves}:
        for at in range(len(verdict.winning_moves)):
            moves = list(verdict.winning_moves)
            moves[at] = move
            yield replace(verdict, winning_moves=tuple(sorted(moves, key=str)))


def has_no_proof(verdict):
    for proof in ({}, [], "proof", 7, float("nan"), {"kind": verdict.proof["kind"]}):
        yield with_proof(verdict, proof)


def has_a_proof_of_another_kind(verdict):
    for kind in {"matching", "runs", "strategy", "finishes", None, 3, "x"} - {
        verdict.proof["kind"]
    }:
        yield edited(verdict, kind=kind)
    for board in (CHAIN_BOARDS[0], LINE_BOARDS[0], DIVISOR_BOARDS[0]):
        if board[0] != verdict.position.game.id and "numbers" in board[1]:
            other = verdicts(board)[0].proof
            if other["kind"] != verdict.proof["kind"]:
                yield other
                yield other | {"kind": verdict.proof["kind"]}


CLAIMS = [
    says_the_opposite,
    says_neither,
    says_it_is_over,
    drops_a_winning_move,
    adds_a_move,
    replaces_a_winning_move,
    has_no_proof,
    has_a_proof_of_another_kind,
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "boards", [CHAIN_BOARDS, LINE_BOARDS[:3], DIVISOR_BOARDS, LARGE_DIVISOR_BOARDS]
)
@pytest.mark.parametrize("forge", CLAIMS)
def test_a_false_claim_is_rejected(forge, boards):
    assert_rejected(forge, boards)


@every_board
def test_a_finished_game_can_claim_nothing(board):
    position = verdicts(board)[-1].position
    while not position.outcome:
        position = position.play(position.legal_moves[0])
    genuine = duels.solve(position)
    duels.check(genuine)
    for claim in ({"wins": True}, {"wins": False}, {"winning_moves": (1,)}, {"given": {}}):
        assert rejects(replace(genuine, **claim))
