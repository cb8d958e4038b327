"""What is said to somebody at a puzzle: the question, a right move, a wrong one, the answer."""

from __future__ import annotations

from typing import NamedTuple

from duels.coach.puzzles import Puzzle
from duels.coach.refutation import refute
from duels.core.errors import DuelsError
from duels.core.game import Move, Position
from duels.core.words import listed
from duels.theory import solve, winning_moves


class Tried(NamedTuple):
    """What a move leads to: the position after it, or after its refutation."""

    is_right: bool
    words: str
    position: Position


def puzzle_at(position: Position) -> Puzzle:
    """A position as a puzzle, however it was found; DuelsError if no move wins there."""
    winning = () if position.outcome else winning_moves(position)
    if not winning:
        raise DuelsError("No move wins here, so there is nothing to find.")
    return Puzzle(position, winning, "")


def question(puzzle: Puzzle) -> str:
    """What is asked."""
    count = len(puzzle.winning_moves)
    return "One move wins. Which?" if count == 1 else f"{count} moves win. Find one."


def try_move(puzzle: Puzzle, said: str) -> Tried:
    """A move as somebody wrote it; UnreadableMove or IllegalMove if it is none."""
    position = puzzle.position
    after = position.play(position.game.parse(said))
    move = after.moves[-1]
    if move in puzzle.winning_moves:
        return Tried(True, _praise(position, move), after)
    refuted = refute(position, move)
    words = f"{position.game.format(move)} loses. {refuted.words}"
    return Tried(False, words, refuted.position)


def give_up(puzzle: Puzzle) -> str:
    """The answer, for somebody who has looked long enough."""
    game, reason = puzzle.position.game, solve(puzzle.position).reason
    right = [game.format(move) for move in puzzle.winning_moves]
    if len(right) > 1:
        return f"{listed(right, 'or')} would have won. {reason}"
    said = reason.removeprefix(f"{game.verb.do.capitalize()} {right[0]}")
    return f"The answer is {right[0]}{said if said != reason else '. ' + reason}"


def _praise(position: Position, move: Move) -> str:
    verdict = solve(position)
    if move == verdict.best_move:
        return f"Right! {verdict.reason}"
    return f"Right, {position.game.format(move)} wins. So does this: {verdict.reason}"
