"""Checking proofs. Nothing of the solver is imported here: only the rules of the games.

Each checker works out from the proof which moves win, or raises ProofError with the step that
fails. It first makes sure that the game has the rules that it assumes. `check` replays the moves
that led to the position, and compares what was proved with what the verdict claims.
"""

from __future__ import annotations

from duels.core.errors import DAMAGED, DuelsError, IllegalMove, ProofError
from duels.core.game import Position, other
from duels.core.parts import load, parts_of
from duels.theory.check.step import require, require_plain
from duels.theory.verdict import Verdict


def check(verdict: Verdict[Position]) -> None:
    """Raise ProofError unless the proof proves who wins, and exactly which moves win."""
    position = verdict.position
    _require_legal_play(position)
    if position.outcome:
        claimed = (verdict.wins, verdict.winning_moves, verdict.proof)
        require(claimed == (None, (), None), "the game is over, and the verdict says otherwise")
        return
    proof = verdict.proof if isinstance(verdict.proof, dict) else {}
    require_plain([proof, list(verdict.winning_moves)])
    try:
        winning = load(parts_of(position.game).checker)(position, proof)
    except ProofError:
        raise
    except DuelsError as error:
        raise ProofError(f"The proof fails: {error}") from None
    except DAMAGED:
        raise ProofError("The proof is damaged: it does not have the form of a proof.") from None
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
    """Return all that a position says of itself."""
    said = position.moves, position.to_move, position.outcome
    return (*said, tuple(position) if isinstance(position, tuple) else position.legal_moves)
