"""Reviews: every move of a match with its exact label, and the turning points.

`duels.coach.summary` puts them into words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from duels.core.game import Move, Position, other
from duels.core.look import MARKS
from duels.match.match import Match
from duels.theory import solve, theory_of
from duels.theory.lookahead import SOON_VISITED, longest
from duels.theory.verdict import Verdict

KEPT = "kept"
GAVE = "gave-away"
TOOK = "took"
FORCED = "forced"
NOTHING = "nothing-to-lose"
AT_ONCE = "lost-at-once"
SOONER = "lost-sooner"
GIVEN = "given"
"""A move that was already made when the match began."""
LABELS = {
    KEPT: "kept the win",
    GAVE: "gave the win away",
    TOOK: "took the win",
    FORCED: "only move",
    NOTHING: "already lost",
    AT_ONCE: "lost at once",
    SOONER: "lost sooner",
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
        best = theory_of(verdict.position).instruction(verdict)
        return Judgement(GAVE, best.move, best.sentence)
    return Judgement(TOOK if after_mistake else KEPT)


def _judge_in_lost_position(position: Position, move: Move) -> Judgement:
    """Judge a move of a lost position: would another certainly have held out longer?"""
    theory, after, write = theory_of(position), position.play(move), position.game.in_words
    _, lost_in, is_known = longest(theory, position, [move], SOON_VISITED)
    if not is_known:
        return Judgement(NOTHING)
    moves, held_out, is_exact = longest(theory, position)
    if held_out <= lost_in:
        return Judgement(NOTHING)
    best = theory.hardest(position).move
    if lost_in > 1 and best not in moves:
        best = moves[0]
    played, better = write(move), write(best)
    if lost_in > 1:
        least = "" if is_exact else "at least "
        why = (
            f"After {played} the game can end in {lost_in} more moves; "
            f"after {better} it takes {least}{held_out}."
        )
        return Judgement(SOONER, best, why)
    wins = theory.wins_at_once(after)
    how = f"After {played}, {write(wins[0])} wins at once" if wins else f"{played} loses at once"
    return Judgement(AT_ONCE, best, f"{how}. After {better} nothing does.")


def why_lost(verdict: Verdict[Position]) -> str:
    """Say why a position is lost, to its player to move."""
    theory = theory_of(verdict.position)
    return theory.decided(verdict) or theory.why_lost(verdict)


def why_they_win(position: Position, move: Move) -> str:
    """Say why a winning move wins, to the opponent of the player who makes it."""
    why = why_lost(solve(position.play(move)))
    return f"Then {why[0].lower()}{why[1:]}"


# The review


@dataclass(frozen=True)
class ReviewedMove:
    """One move of a review: the player, its kind (see `LABELS`), who was winning after it.

    A mistake also has a better move, and the reason. It addresses the only person at the board, or
    else the player who made the mistake.
    """

    player: int
    move: Move
    kind: str
    winner_after: int
    better: Move | None = None
    why: str = ""

    @property
    def label(self) -> str:
        """The kind in words."""
        return LABELS[self.kind]

    @property
    def is_turning_point(self) -> bool:
        """Whether it gave a win away."""
        return self.kind == GAVE


@dataclass(frozen=True)
class Review:
    """A match with a label for each of its moves."""

    match: Match
    winner_at_start: int
    steps: tuple[ReviewedMove, ...]

    @property
    def turned_at_end(self) -> bool:
        """Whether the loser resigned or ran out of time in a won position."""
        ended = self.match.ended
        winning = self.steps[-1].winner_after if self.steps else self.winner_at_start
        return ended is not None and winning != ended.winner

    @property
    def turning_points(self) -> tuple[int, ...]:
        """The numbers of the moves (from 1) that gave a win away."""
        return tuple(n for n, step in enumerate(self.steps, start=1) if step.is_turning_point)

    @property
    def turning_point(self) -> int | None:
        """The last turning point, if the match turned on a move."""
        turns = self.turning_points
        return turns[-1] if turns and not self.turned_at_end else None

    @property
    def again_at(self) -> int | None:
        """The number of the move to try again: a person's last turning point, or None."""
        people = {player for player in (1, 2) if not self.match.computer(player)} or {1, 2}
        ended = self.match.ended
        if ended and self.turned_at_end and other(ended.winner) in people:
            return len(self.steps) + 1
        own = (n for n in reversed(self.turning_points) if self.steps[n - 1].player in people)
        return next(own, None)

    def chances(self, player: int) -> tuple[int, int]:
        """Return how often a player had to choose well to keep a win, and how often they did."""
        kinds = [step.kind for step in self.steps if step.player == player]
        kept = sum(kind in (KEPT, TOOK) for kind in kinds)
        return kept + kinds.count(GAVE) + self._gave_up(player), kept

    def winning_turns(self, player: int) -> tuple[int, int]:
        """Return on how many turns a player had a winning move, and on how many they found one."""
        before = [self.winner_at_start, *(step.winner_after for step in self.steps)]
        kept = [
            step.winner_after == player
            for winner, step in zip(before, self.steps, strict=False)
            if winner == player == step.player and step.kind != GIVEN
        ]
        return len(kept) + self._gave_up(player), sum(kept)

    def _gave_up(self, player: int) -> bool:
        ended = self.match.ended
        return bool(ended and self.turned_at_end and ended.winner != player)

    @property
    def strip(self) -> str:
        """A mark for each move: who was winning after it."""
        return "".join(MARKS[step.winner_after] for step in self.steps)

    def svg(self, title: str) -> str:
        """Return an SVG picture of the course of the match."""
        from duels.coach.pictures import review_svg  # rarely needed

        return review_svg(title, self.steps, self.match.game.format)

    def _repr_svg_(self) -> str:
        """Return the picture that a Jupyter notebook shows."""
        game, (one, two) = self.match.game, self.match.seats
        return self.svg(f"{game.title}, {game.options_in_words()}: {one.label} against {two.label}")


def review(match: Match, progress: Callable[[float], None] | None = None) -> Review:
    """Return the review of a match; `progress` is called with the share that is done."""
    position = match.game.start()
    verdict = solve(position)
    start = _winner(verdict)
    steps: list[ReviewedMove] = []
    for number, move in enumerate(match.moves, start=1):
        after = position.play(move)
        next_verdict = solve(after)
        after_mistake = bool(steps) and steps[-1].kind == GAVE
        is_given = number <= match.given
        judged = Judgement(GIVEN) if is_given else judge(verdict, move, after_mistake=after_mistake)
        if match.person not in (0, position.to_move):
            judged = for_opponent(position, judged)
        steps.append(
            ReviewedMove(position.to_move, move, judged.kind, _winner(next_verdict), *judged[1:])
        )
        position, verdict = after, next_verdict
        if progress:
            progress(number / len(match.moves))
    return Review(match, start, tuple(steps))


def for_opponent(position: Position, judged: Judgement) -> Judgement:
    """Return a judgement whose reason addresses the opponent of the player who moved."""
    better = judged.better
    if judged.kind != GAVE or better is None or position.play(better).outcome:
        return judged
    return judged._replace(why=why_they_win(position, better))


def _winner(verdict: Verdict[Position]) -> int:
    position: Position = verdict.position
    if position.outcome:
        return position.outcome.winner
    return position.to_move if verdict.wins else other(position.to_move)


def review_data(review: Review) -> dict[str, Any]:
    """Return a review as plain data; a pair is a list of two."""
    return {
        "game": review.match.game.id,
        "options": dict(review.match.game.options),
        "players": list(review.match.names),
        "winner_at_start": review.winner_at_start,
        "turning_point": review.turning_point,
        "turning_points": list(review.turning_points),
        "turned_at_end": review.turned_at_end,
        "again_at": review.again_at,
        "outcome": review.match.outcome._asdict() if review.match.outcome else None,
        "chances": {
            str(player): dict(zip(("wins", "kept"), review.chances(player), strict=True))
            for player in (1, 2)
        },
        "moves": [{**vars(step), "label": step.label} for step in review.steps],
    }
