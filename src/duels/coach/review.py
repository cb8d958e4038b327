"""Reviews: every move of a match with its exact label, and the turning points."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from duels.core.game import Move, Position, other
from duels.core.look import MARKS
from duels.core.words import counted, in_words
from duels.match.match import ENDINGS, Match
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


def why_lost(position: Position) -> str:
    """Say why a position is lost, to its player to move."""
    verdict, theory = solve(position), theory_of(position)
    return theory.decided(verdict) or theory.why_lost(verdict)


def why_they_win(position: Position, move: Move) -> str:
    """Say why a winning move wins, to the opponent of the player who makes it."""
    why = why_lost(position.play(move))
    return f"Then {why[0].lower()}{why[1:]}"


# The review


TELLING = (GAVE, TOOK, AT_ONCE, SOONER)
"""Kinds of moves that are listed in a long game; the others are folded."""
LONGEST_LISTED = 24
"""The most moves of a game that are all listed."""
FEWEST_FOLDED = 6
"""In a longer game, this many moves in a row that changed nothing are folded into one line."""
MOST_TURNS = 5
"""How many turning points are explained, from the last one back."""
LONGEST_STRIP = 60
TURN, WHY, CHANCES, STRIP, ENDING, NOTE = "turn", "why", "chances", "strip", "ending", "note"
LOST, ADVICE = "lost", "advice"
"""The kinds of lines in a summary."""


@dataclass(frozen=True)
class ReviewedMove:
    """One move of a review: the player, its kind (see `LABELS`), who was winning after it.

    A mistake also has a better move, and the reason: told to the only person at the board, or
    else to the player who made the mistake.
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


class SummaryLine(NamedTuple):
    """A line of a summary; `player` is the player whose chances it counts, otherwise 0."""

    kind: str
    text: str
    player: int = 0


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
            judged = _told_to_opponent(position, judged)
        steps.append(
            ReviewedMove(position.to_move, move, judged.kind, _winner(next_verdict), *judged[1:])
        )
        position, verdict = after, next_verdict
        if progress:
            progress(number / len(match.moves))
    return Review(match, start, tuple(steps))


def _told_to_opponent(position: Position, judged: Judgement) -> Judgement:
    """Return a judgement whose reason is told to the opponent of the player who moved."""
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


def review_lines(review: Review, most: int = MOST_TURNS, *, reasons: bool = True) -> list[str]:
    """Return the summary as lines of text; without `reasons`, turning points are not explained."""
    return _texts(summary(review, most, review.match.person), reasons)


def turning_lines(review: Review, most: int = MOST_TURNS, *, reasons: bool = True) -> list[str]:
    """Return the last turning points as lines of text."""
    return _texts(_turns(review, most, review.match.person), reasons)


def _texts(lines: Iterable[SummaryLine], reasons: bool) -> list[str]:
    return [
        f"{MARKS[player]} {text}" if kind == CHANCES else f"  {text}" if kind == WHY else text
        for kind, text, player in lines
        if reasons or kind != WHY
    ]


def summary(review: Review, most: int = MOST_TURNS, you: int = 0) -> list[SummaryLine]:
    """Summarize a review: where the game turned and why, who had chances, the strip.

    It speaks to player `you`; with 0, both players are called by their names.
    """
    lines = _turns(review, most, you)
    if all(line.kind != LOST for line in lines):
        for player in (1, 2):
            lines.append(SummaryLine(CHANCES, _winning_turns(review, player, you), player))
    if 0 < len(review.steps) <= LONGEST_STRIP:
        lines.append(SummaryLine(STRIP, f"Who was winning after each move: {review.strip}"))
    return lines


def move_in_words(review: Review, step: ReviewedMove, you: int = 0) -> str:
    """Return a sentence about a move and its label, for a player (`you`) or for a watcher."""
    game, name = review.match.game, _named(review.match, step.player, you)
    return f"{name} {game.verb.did} {game.in_words(step.move)}: {step.label}."


def _named(match: Match, player: int, you: int) -> str:
    """Return what a summary calls a player at the start of a sentence."""
    if player == you:
        return "You"
    return "The computer" if you and match.computer(player) else match.called(player)


def _turns(review: Review, most: int, you: int) -> list[SummaryLine]:
    """Return the last turning points: the move, what was right, and why."""
    match, turns = review.match, review.turning_points
    lines = []
    if match.ended and review.turned_at_end:
        loser = _named(match, other(match.ended.winner), you)
        how = ENDINGS[match.ended.reason]
        lines.append(SummaryLine(ENDING, f"{loser} {how} in a winning position."))
    elif not turns:
        return _without_turns(review, you)
    if 1 < most < len(turns):
        lines.append(SummaryLine(NOTE, f"The game turned {len(turns)} times. The last {most}:"))
    start = (
        f"The last of {len(turns)} turning points" if 1 == most < len(turns) else "Turning point"
    )
    for turn in turns[-most:]:
        step = review.steps[turn - 1]
        assert step.better is not None
        played, better = match.game.in_words(step.move), match.game.in_words(step.better)
        name = _named(match, step.player, you)
        text = f"{start}: move {turn}. {name} played {played}; {better} would have won."
        lines.append(SummaryLine(TURN, text))
        lines.append(SummaryLine(WHY, f"Why {better}? {_why_better(review, turn, you)}"))
    return lines


def _why_better(review: Review, turn: int, you: int) -> str:
    """Return the reason of a turning point for player `you`; with 0, say whose side it is from."""
    match, step = review.match, review.steps[turn - 1]
    before: Position = match.game.position(*match.moves[: turn - 1])
    told = match.person or step.player
    if you == told or before.play(step.better).outcome:
        return step.why
    if not you:
        return f"From {match.called(told, inside=True)}'s side: {step.why}"
    own = judge(solve(before), step.move)
    return (own if you == step.player else _told_to_opponent(before, own)).why


def _without_turns(review: Review, you: int) -> list[SummaryLine]:
    """Neither player made a mistake: say what the winner's plan was, and what to do about it."""
    match, outcome = review.match, review.match.outcome
    if not outcome or you == outcome.winner:
        return [SummaryLine(NOTE, "Neither player made a losing mistake.")]
    loser = other(outcome.winner)
    here: Position = match.game.position(*match.moves[: match.given])
    starts = here.to_move == loser
    where = "on this board" if not match.given else "from this position"
    order, swap = ("first", "second") if starts else ("second", "first")
    name = _named(match, loser, you)
    text = f"{name} could not force a win: {where}, going {order} loses against good play."
    lines = [SummaryLine(LOST, text)]
    if not starts and len(match.moves) > match.given:
        here = here.play(match.moves[match.given])
    if not here.outcome and here.to_move == loser:
        certain = theory_of(here).decided(solve(here))
        if you:
            start = "Why?" if certain else "Their plan:"
        else:
            side = f"{match.called(loser, inside=True)}'s side:"
            plan = f"{match.name(outcome.winner)}'s plan"
            start = f"Why? From {side}" if certain else f"{plan}, from {side}"
        lines.append(SummaryLine(WHY, f"{start} {why_lost(here)}"))
    if not match.given:
        lines.append(SummaryLine(ADVICE, f"To win, go {swap} on this board."))
    return lines


def _winning_turns(review: Review, player: int, you: int) -> str:
    name, (turns, kept) = _named(review.match, player, you), review.winning_turns(player)
    if not turns:
        return f"{name} never had a chance to win."
    had = f"{name} had {counted(turns, 'chance')} to win"
    if turns == 1:
        return f"{had} and {'took' if kept else 'missed'} it."
    every = "both" if turns == 2 else "them all"
    often = {0: f"missed {every}", turns: f"took {every}"}
    return f"{had} and {often.get(kept, f'took {in_words(kept)}')}."


def move_lines(review: Review) -> list[str]:
    """Return the moves with their labels; many in a row that changed nothing are one line."""
    steps = list(enumerate(review.steps, start=1))
    width = max((len(review.match.game.format(step.move)) for step in review.steps), default=0)
    lines: list[str] = []
    for is_telling, group in groupby(steps, key=lambda item: item[1].kind in TELLING):
        stretch = list(group)
        (first, step), (last, _) = stretch[0], stretch[-1]
        if not is_telling and len(stretch) >= FEWEST_FOLDED and len(steps) > LONGEST_LISTED:
            winner = _named(review.match, step.winner_after, review.match.person)
            was = "were" if step.winner_after == review.match.person else "was"
            lines.append(f"Moves {first} to {last}: nothing changed; {winner} {was} winning.")
        else:
            for number, step in stretch:
                lines += _step_lines(review, number, step, width)
    return lines


def _step_lines(review: Review, number: int, step: ReviewedMove, width: int) -> list[str]:
    write = review.match.game.format
    here = "  <- turning point" if step.kind == GAVE else ""
    line = f"{number:3}. {MARKS[step.player]} {write(step.move):{width}}  {step.label}{here}"
    if step.better is None:
        return [line]
    why = "" if step.kind == GAVE else f" {step.why}"  # a turning point has its reason above
    return [line, f"       better: {review.match.game.in_words(step.better)}.{why}"]
