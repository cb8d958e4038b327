"""The summary of a review in words: where the game turned and why, who had chances, every move."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from duels.coach.review import (
    AT_ONCE,
    FORCED,
    GAVE,
    GIVEN,
    KEPT,
    NOTHING,
    SOONER,
    TOOK,
    Review,
    ReviewedMove,
    for_opponent,
    judge,
    why_lost,
)
from duels.core.game import Position, other
from duels.core.look import MARKS
from duels.core.words import counted, in_words
from duels.match.match import ENDINGS, Match
from duels.theory import solve, theory_of

TELLING = (GAVE, TOOK, AT_ONCE, SOONER)
"""Kinds of moves that are listed in a long game; the others are folded."""
JUDGED = {
    KEPT: "That kept the win.",
    GAVE: "That gave the win away.",
    TOOK: "That took the win.",
    FORCED: "It was the only move.",
    NOTHING: "The game was already lost.",
    AT_ONCE: "That lost at once.",
    SOONER: "That lost sooner than necessary.",
    GIVEN: "This move was made before the game began.",
}
"""The labels of moves as sentences, for the page that shows one move."""
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


class SummaryLine(NamedTuple):
    """A line of a summary; `player` is the player whose chances it counts, otherwise 0."""

    kind: str
    text: str
    player: int = 0


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
    """Say what a player did and how good it was, to a player (`you`) or to a watcher."""
    game, name = review.match.game, _named(review.match, step.player, you)
    return f"{name} {game.verb.did} {game.in_words(step.move)}. {JUDGED[step.kind]}"


def better_in_words(review: Review, number: int, you: int = 0) -> str:
    """Name the better move, if move `number` was a mistake, and say why it is better."""
    step = review.steps[number - 1]
    if step.better is None:
        return ""
    better = review.match.game.list_moves([step.better])
    was = f"{better} would have won." if step.kind == GAVE else f"Better: {better}."
    return f"{was} {_why_better(review, number, you)}".rstrip()


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
        played, better = (match.game.list_moves([move]) for move in (step.move, step.better))
        name = _named(match, step.player, you)
        text = f"{start}: move {turn}. {name} played {played}; {better} would have won."
        lines.append(SummaryLine(TURN, text))
        lines.append(SummaryLine(WHY, f"Why {better}? {_why_better(review, turn, you)}"))
    return lines


def _why_better(review: Review, number: int, you: int) -> str:
    """Return the reason of a mistake for player `you`; with 0, say whose side it is from."""
    match, step = review.match, review.steps[number - 1]
    assert step.better is not None
    before: Position = match.game.position(*match.moves[: number - 1])
    reader = match.person or step.player
    if you == reader or step.kind != GAVE or before.play(step.better).outcome:
        return step.why
    if not you:
        return f"From {match.called(reader, inside=True)}'s side: {step.why}"
    own = judge(solve(before), step.move)
    return (own if you == step.player else for_opponent(before, own)).why


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
        verdict = solve(here)
        certain = theory_of(here).decided(verdict)
        if you:
            start = "Why?" if certain else "Their plan:"
        else:
            side = f"{match.called(loser, inside=True)}'s side:"
            plan = f"{match.name(outcome.winner)}'s plan"
            start = f"Why? From {side}" if certain else f"{plan}, from {side}"
        lines.append(SummaryLine(WHY, f"{start} {why_lost(verdict)}"))
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
