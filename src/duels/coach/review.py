"""The review of a match: every move labelled exactly, and the move on which it turned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from duels.core.game import Move, Position, other
from duels.look import MARKS
from duels.match import ENDINGS, Match
from duels.theory import solve
from duels.theory.verdict import Verdict

KEPT = "kept the win"
GAVE = "gave it away"
TOOK = "took it"
FORCED = "forced"
NOTHING = "nothing to lose"
LABELS = (KEPT, GAVE, TOOK, FORCED, NOTHING)


@dataclass(frozen=True)
class Step:
    """One move: who made it, its label, and who was winning after it.

    A mistake also has the move that was right, and why.
    """

    player: int
    move: Move
    label: str
    winner_after: int
    better: Move | None = None
    why: str = ""


@dataclass(frozen=True)
class Review:
    """A match and what is true about each of its moves."""

    match: Match
    winner_at_start: int
    steps: tuple[Step, ...]

    @property
    def turned_at_end(self) -> bool:
        """Whether the loser was winning, and lost without a move: resigned, or out of time."""
        ended = self.match.ended
        winning = self.steps[-1].winner_after if self.steps else self.winner_at_start
        return ended is not None and winning != ended.winner

    @property
    def turning_point(self) -> int | None:
        """The number of the last move (from 1) that gave a win away, if it turned on a move."""
        if self.turned_at_end:
            return None
        gave = [n for n, step in enumerate(self.steps, start=1) if step.label == GAVE]
        return gave[-1] if gave else None

    def chances(self, player: int) -> tuple[int, int]:
        """How many wins a player could have kept by choosing well, and how many they kept."""
        labels = [step.label for step in self.steps if step.player == player]
        kept = sum(label in (KEPT, TOOK) for label in labels)
        ended = self.match.ended
        given_up = bool(ended and self.turned_at_end and ended.winner != player)
        return kept + labels.count(GAVE) + given_up, kept

    @property
    def strip(self) -> str:
        """Who was winning after each move, a mark each."""
        return "".join(MARKS[step.winner_after] for step in self.steps)


def review(match: Match) -> Review:
    """Every move of a match held against the truth."""
    position = match.game.start()
    verdict = solve(position)
    start = _winner(verdict)
    steps: list[Step] = []
    for move in match.moves:
        after = position.play(move)
        next_verdict = solve(after)
        label = _label(verdict, move, steps[-1].label if steps else "")
        better, why = (verdict.best_move, verdict.reason) if label == GAVE else (None, "")
        steps.append(
            Step(position.to_move, move, label, _winner(next_verdict), better=better, why=why)
        )
        position, verdict = after, next_verdict
    return Review(match, start, tuple(steps))


def review_data(review: Review) -> dict[str, Any]:
    """A review as plain data; a pair is a list of two."""
    return {
        "game": review.match.game.id,
        "options": dict(review.match.game.options),
        "players": list(review.match.names),
        "winner_at_start": review.winner_at_start,
        "turning_point": review.turning_point,
        "turned_at_end": review.turned_at_end,
        "outcome": review.match.outcome._asdict() if review.match.outcome else None,
        "chances": {
            str(player): dict(zip(("wins", "kept"), review.chances(player), strict=True))
            for player in (1, 2)
        },
        "moves": [
            {
                "player": step.player,
                "move": step.move,
                "label": step.label,
                "winner_after": step.winner_after,
                "better": step.better,
                "why": step.why,
            }
            for step in review.steps
        ],
    }


def review_lines(review: Review) -> list[str]:
    """The review in a few lines: the strip, the chances, the turning point."""
    match = review.match
    lines = [f"Who was winning after each move: {review.strip}"] if review.steps else []
    for player in (1, 2):
        wins, kept = review.chances(player)
        share = f"kept {kept} of {wins} wins" if wins else "had no win to keep"
        lines.append(f"{MARKS[player]} {match.name(player)} {share}.")
    turn = review.turning_point
    if match.ended and review.turned_at_end:
        loser, how = match.name(other(match.ended.winner)), ENDINGS[match.ended.reason]
        lines.append(f"It turned at the end: {loser} {how} in a won position.")
    elif turn is None:
        lines.append("Nobody gave a win away.")
    else:
        step = review.steps[turn - 1]
        written, better = match.game.format(step.move), match.game.format(step.better or step.move)
        lines.append(
            f"It turned on move {turn}: {match.name(step.player)} played {written}, "
            f"and {better} would have won."
        )
    return lines


def move_lines(review: Review) -> list[str]:
    """Every move with its label, and for each mistake what was right and why."""
    match = review.match
    width = max((len(match.game.format(step.move)) for step in review.steps), default=0)
    lines: list[str] = []
    for number, step in enumerate(review.steps, start=1):
        written = match.game.format(step.move)
        here = "  <- turning point" if number == review.turning_point else ""
        lines.append(f"{number:3}. {MARKS[step.player]} {written:{width}}  {step.label}{here}")
        if step.better is not None:
            lines.append(f"       better: {match.game.format(step.better)}. {step.why}")
    return lines


def _winner(verdict: Verdict[Position]) -> int:
    position: Position = verdict.position
    if position.outcome:
        return position.outcome.winner
    return position.to_move if verdict.wins else other(position.to_move)


def _label(verdict: Verdict[Position], move: Move, before: str) -> str:
    if len(verdict.position.legal_moves) == 1:
        return FORCED
    if not verdict.wins:
        return NOTHING
    if move not in verdict.winning_moves:
        return GAVE
    return TOOK if before == GAVE else KEPT
