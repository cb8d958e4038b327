"""Hints, the reason why a move was right or wrong, and the refutation of a wrong move."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from duels.coach.review import AT_ONCE, FORCED, GAVE, NOTHING, SOONER, judge, why_lost, why_they_win
from duels.core.board import Drawing
from duels.core.game import Move, Position
from duels.core.look import LOSING
from duels.core.words import counted, in_words
from duels.match.match import Match
from duels.theory import solve, theory_of
from duels.theory.reasons import MOST_COMPARED, losing_at_once, move_to_try, moves_in_words
from duels.theory.theory import FEW
from duels.theory.verdict import Verdict

MOST_NAMED = 12
"""How many winning moves a hint names; if there are more, it names `FEW` of them."""


class Hint(NamedTuple):
    """One stage of help: the player's question, and the answer."""

    question: str
    text: str
    drawing: Drawing = Drawing()
    """What it shows on the board."""


def hints(position: Position) -> list[Hint]:
    """Return the stages of help for an unfinished position, from little to everything.

    In a won position: that it is won, a question that leads to the win, the winning moves, and
    why. In a lost one: that it is lost, what to avoid, what to try, and why.
    """
    verdict, theory = solve(position), theory_of(position)
    clue, drawing = theory.clue(verdict), theory.drawing(verdict)
    if verdict.wins:
        winning = clue._replace(winning=verdict.winning_moves)
        return [
            Hint("Can I win?", "You can win from here."),
            Hint("Where should I look?", theory.question(verdict), clue),
            Hint("Which moves win?", _which(verdict), winning),
            Hint("Why?", verdict.reason, drawing),
        ]
    return [
        Hint("Can I win?", "You cannot force a win from here."),
        Hint("What should I avoid?", _avoid(verdict), _avoided(verdict)),
        Hint("What can I try?", _try(verdict), _tried(verdict)),
        Hint("Why is it lost?", why_lost(verdict), drawing),
    ]


def puzzle_hints(position: Position) -> list[Hint]:
    """Return the hints of a puzzle, whose player knows that there is a win."""
    _, where, which, why = hints(position)
    avoid = theory_of(position).what_to_avoid(solve(position))
    return [where, *([Hint("What should I avoid?", avoid)] if avoid else []), which, why]


def _avoid(verdict: Verdict[Position]) -> str:
    position, theory = verdict.position, theory_of(verdict.position)
    if position.legal_count == 1:
        return "Nothing: you have only one move."
    if theory.decided(verdict):
        return "Nothing. It no longer matters what you do."
    if position.legal_count > MOST_COMPARED:
        return "There are too many moves to check which of them lose at once."
    return theory.what_to_avoid(verdict) or "No move lets them win at once."


def _avoided(verdict: Verdict[Position]) -> Drawing:
    """Mark the moves that lose at once, if others do not; a pair's numbers may be good moves."""
    position, theory = verdict.position, theory_of(verdict.position)
    quick = losing_at_once(theory, position)
    if theory.decided(verdict) or len(quick) == position.legal_count:
        return Drawing()
    return Drawing(labels=[(move, LOSING) for move in quick if isinstance(move, int)])


def _tried(verdict: Verdict[Position]) -> Drawing:
    position, theory = verdict.position, theory_of(verdict.position)
    if theory.decided(verdict) or position.legal_count == 1:
        return Drawing()
    move = move_to_try(theory, position)
    return Drawing(labels=[] if move is None else [(move, "try")])


def _try(verdict: Verdict[Position]) -> str:
    position, theory = verdict.position, theory_of(verdict.position)
    if position.legal_count == 1:
        only = f"You can only {position.game.verb.do} {moves_in_words(position)}."
        return only if theory.decided(verdict) else f"{only} {theory.try_this(verdict)}"
    return "Anything you like." if theory.decided(verdict) else theory.try_this(verdict)


def _which(verdict: Verdict[Position]) -> str:
    """Say how many moves win, and which."""
    position, winning = verdict.position, verdict.winning_moves
    legal, is_long = position.legal_count, len(winning) > MOST_NAMED
    shown = sorted(winning[:FEW] if is_long else winning, key=lambda move: isinstance(move, tuple))
    named = position.game.list_moves(shown, "" if isinstance(shown[-1], tuple) else "and")
    if legal == 1:
        return f"You have only one move, {named}, and it wins."
    if len(winning) == legal:
        return f"Every move wins: {position.game.verb.do} what you like."
    if len(winning) == 1:
        return f"Only one of {counted(legal, 'move')} wins: {named}."
    count = f"{in_words(len(winning)).capitalize()} of {counted(legal, 'move')} win"
    return f"{count}, for example {named}." if is_long else f"{count}: {named}."


# Why a move was right or wrong


IN_LOST_POSITION = {
    NOTHING: "No move could force a win there.",
    AT_ONCE: "No move could force a win there, but {} would not have lost at once.",
    SOONER: "No move could force a win there, but {} would have lasted longer.",
}


def why_lines(match: Match) -> list[str]:
    """Explain the last two moves; "you" are the only person, or else the player to move."""
    if not match.moves:
        return ["No move has been made yet."]
    count = len(match.moves)
    return [_why(match, number) for number in range(max(count - 2, 0), count)]


def _why(match: Match, number: int) -> str:
    """Say who made the move after `number` others, whether it was right, and why."""
    game, move = match.game, match.moves[number]
    before: Position = game.position(*match.moves[:number])
    is_yours = before.to_move == (match.person or match.position.to_move)
    name = "You" if is_yours and not match.outcome else match.name(before.to_move)
    done = f"{name} {game.verb.did} {game.in_words(move)}."
    verdict = solve(before)
    judged = judge(verdict, move)
    if judged.kind == FORCED:
        return f"{done} It was the only move."
    if judged.kind in IN_LOST_POSITION:
        better = "" if judged.better is None else game.in_words(judged.better)
        said = f"{IN_LOST_POSITION[judged.kind].format(better)} {judged.why}"
        return f"{done} {said.strip()}"
    theory = theory_of(before)
    if judged.kind == GAVE:
        best = theory.instruction(verdict)
        named = game.in_words(best.move)
        it = f"The move was {named}" if isinstance(best.move, tuple) else f"{named} was the move"
        right = f"{done} That gave the win away. {it}"
        if best.ends or is_yours:
            return f"{right}{best.after_move}"
        return f"{right}. {why_they_win(before, best.move)}"
    after = before.play(move)
    if after.outcome:
        return f"{done[:-1]}: {theory.ending(before, move)}."
    if not is_yours:
        return f"{done} That was right. {why_lost(solve(after))}"
    if theory.decided(verdict):
        return f"{done} That was right, and so was every other move."
    best = theory.instruction(replace(verdict, winning_moves=(move,)))
    if best.move == move:
        return f"{done} That was right{best.after_move}"
    but = f", but {game.in_words(best.move)} would have won at once" if best.ends else ""
    return f"{done} That was right{but}."


# Refutations


class Refutation(NamedTuple):
    """The opponent's winning reply to a losing move, the position after it, and why it wins."""

    answer: Move | None
    """None if the move itself lost the game."""
    position: Position
    words: str


def refute(position: Position, move: Move) -> Refutation:
    """Return the refutation of a move that does not win."""
    game, after = position.game, position.play(move)
    if outcome := after.outcome:
        how = game.endings.get(outcome.reason, outcome.reason)
        return Refutation(None, after, f"That ends the game, and you lose: {how}.")
    answer = solve(after).best_move
    assert answer is not None, "this move wins"
    theory, then = theory_of(after), after.play(answer)
    they = f"They {game.verb.do} {game.in_words(answer)}"
    if then.outcome:
        return Refutation(answer, then, f"{they}: {theory.ending(after, answer)}.")
    return Refutation(answer, then, f"{they}. {why_lost(solve(then))}")
