"""One move compared with the verdict: its kind, and for a mistake a better move and why."""

from __future__ import annotations

from typing import NamedTuple

from duels.core.game import Move, Position
from duels.theory import theory_of
from duels.theory.resistance import quickest
from duels.theory.verdict import Verdict

KEPT = "kept"
GAVE = "gave-away"
TOOK = "took"
FORCED = "forced"
NOTHING = "nothing-to-lose"
AT_ONCE = "lost-at-once"
SOONER = "lost-sooner"
GIVEN = "given"
"""A move that was there when the match began: no player is judged by it."""
LABELS = {
    KEPT: "kept the win",
    GAVE: "gave it away",
    TOOK: "took it",
    FORCED: "forced",
    NOTHING: "nothing to lose",
    AT_ONCE: "lost at once",
    SOONER: "could have held out",
    GIVEN: "given",
}
"""The kinds of moves, each with the words for people."""


class Judgement(NamedTuple):
    """The kind of a move; for a mistake also a better move and the reason."""

    kind: str
    better: Move | None = None
    why: str = ""


def judge(verdict: Verdict[Position], move: Move, *, after_mistake: bool = False) -> Judgement:
    """Judge a move; `after_mistake` if the move before it gave the win away."""
    if verdict.position.legal_count == 1:
        return Judgement(FORCED)
    if not verdict.wins:
        return _judge_in_lost_position(verdict.position, move)
    if move not in verdict.winning_moves:
        return Judgement(GAVE, verdict.best_move, verdict.reason)
    return Judgement(TOOK if after_mistake else KEPT)


def _judge_in_lost_position(position: Position, move: Move) -> Judgement:
    """Judge whether another move would have held out longer, only where that is certain."""
    theory, after, write = theory_of(position), position.play(move), position.game.format
    lost_in = quickest(theory, after)
    if lost_in is None:
        return Judgement(NOTHING)
    hardest = theory.hardest(position)
    held_out = hardest.lasts - 1  # moves that follow the hardest one
    if held_out <= lost_in:
        return Judgement(NOTHING)
    played, better = write(move), write(hardest.move)
    if lost_in > 1:
        least = "" if hardest.is_exact else "at least "
        why = (
            f"After {played} the game can be over in {lost_in} more moves; "
            f"after {better} it takes {least}{held_out}."
        )
        return Judgement(SOONER, hardest.move, why)
    wins = theory.wins_at_once(after)
    how = f"After {played}, {write(wins[0])} wins at once" if wins else f"{played} loses at once"
    return Judgement(AT_ONCE, hardest.move, f"{how}. After {better} nothing does.")
