"""The puzzles of a sheet of paper: which they are follows from the game and the sheet's number."""

from __future__ import annotations

from random import Random

from duels.coach.puzzles import Puzzle, find_puzzle
from duels.core.game import Position
from duels.games import find_game
from duels.pages import drawn
from duels.theory import solve

DIFFICULTIES = ("easy", "easy", "medium", "medium", "hard", "hard")
TRIES = 4
"""Draws for a puzzle that is not on the sheet yet."""


def puzzle_sheet(game_id: str, number: int) -> list[drawn.Task]:
    """Six puzzles, the easy ones first; DuelsError if the game has none."""
    kind = find_game(game_id)
    chance = Random(f"{game_id} {number}")
    found: list[Puzzle] = []
    seen: set[Position] = set()
    for difficulty in DIFFICULTIES:
        for _ in range(TRIES):
            puzzle = find_puzzle([kind], {}, difficulty, chance)
            if puzzle.position not in seen:
                break
        if puzzle.position not in seen:
            seen.add(puzzle.position)
            found.append(puzzle)
    return [_task(puzzle) for puzzle in found]


def _task(puzzle: Puzzle) -> drawn.Task:
    position = puzzle.position
    game = position.game
    (right,) = puzzle.winning_moves
    return drawn.Task(
        game.board(position).layout,
        drawn.board(position),
        f"{game.options_in_words()}, {puzzle.difficulty}",
        drawn.question(position),
        game.format(right),
        solve(position).reason,
    )
