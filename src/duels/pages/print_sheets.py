"""Sheets to print for a classroom: pages that need no script and fit on A4 and on Letter."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from duels.coach.lessons import Step, lesson_of
from duels.coach.puzzles import Puzzle, find_puzzle
from duels.core.board import Board, Cell, describe, in_rows
from duels.core.errors import LessonError
from duels.core.game import Game, Position
from duels.core.words import listed
from duels.games import find_game
from duels.pages.templates import Page, read_rules, readable_games
from duels.service import logs
from duels.theory import solve

BOARDS = {24: 4, 40: 3, 50: 2, 100: 1}
"""By the highest number of a blank board: how many boards fit on a sheet."""
LINES = (10, 10, 10, 15, 15, 15, 20, 20, 20)
"""The highest numbers of the number lines on a sheet."""
PRINTS = "Prints on A4 or Letter paper."
OTHER_SHEETS = "Other sheets print on A4 or Letter paper."
NO_ACCOUNTS = "Pupils need no accounts, and a class is deleted at its end or a day later."
"""What the description of a page says after its title."""
QUESTIONS = 4
"""Questions in a lesson plan: more would not fit on the page."""
LAST_SHEET = 9999
"""The highest number of a sheet of puzzles."""
DIFFICULTIES = ("easy", "easy", "medium", "medium", "hard", "hard")
TRIES = 4
"""Attempts to find a puzzle that is not on the sheet yet."""


class SheetPuzzle(NamedTuple):
    """A puzzle as it is printed; plain data, because a worker process finds it."""

    board: Board
    heading: str
    to_move: int
    choices: str
    """The legal moves in words: `cross out 1, 2 or 1-2`."""
    answer: str
    reason: str


def index_page() -> Page:
    """Return the list of all sheets."""
    return _page("Sheets to print", "print_index.html", sizes=BOARDS, games=readable_games())


def board_page(size: int) -> Page | None:
    """Return a sheet full of blank boards of one size, or None if there is none of that size."""
    if size not in BOARDS:
        return None
    boards = [_blank_board("grid", size)] * BOARDS[size]
    return _boards(f"Boards from 1 to {size}", f"1 to {size}", f"boards-{size}", boards)


def lines_page() -> Page:
    lines = [_blank_board("line", size) for size in LINES]
    return _boards("Number lines", "Number lines", "lines", lines)


def rules_page(kind: type[Game]) -> Page:
    """Return a game's rules without how to win: that is for the pupils to find out."""
    example = kind.small().example()
    return _page(
        f"{kind.title}: the rules",
        "print_rules.html",
        kind=kind,
        text=read_rules(kind),
        moves=example.game.list_moves(example.moves) if example.moves else "",
        board=describe(example),
    )


def plan_page(kind: type[Game]) -> Page:
    """Return a plan for one lesson with a game, with questions from the game's own lesson."""
    steps = _questions(kind)
    return _page(
        f"A lesson with {kind.title}",
        "lesson_plan.html",
        kind=kind,
        text=read_rules(kind),
        games=_games_before(kind, steps),
        questions=[(step, _board_words(step.position)) for step in steps],
    )


def _games_before(kind: type[Game], steps: list[Step]) -> list[str]:
    """Return each set-up in words, with the options that the lesson's questions use."""
    asked = steps[0].position.game.options if steps else {}
    rules = {name: value for name, value in asked.items() if name != kind.size_option()}
    return [
        kind.usual(**{**setup.options, **rules}).options_in_words()
        if any(setup.options.get(name, value) != value for name, value in rules.items())
        else setup.words
        for setup in kind.all_setups()
    ]


def _questions(kind: type[Game]) -> list[Step]:
    """Return the first questions of a game's lesson."""
    try:
        lesson = lesson_of(kind)
    except LessonError as error:
        logs.error("a game's lesson cannot be read", error, game=kind.id)
        return []
    steps = [step for step in lesson.steps if not step.is_game] if lesson else []
    return steps[:QUESTIONS]


def _board_words(position: Position) -> str:
    game, moves = position.game, ", ".join(map(position.game.format, position.moves))
    return game.options_in_words() + (f", after {moves}" if moves else "")


def privacy_page() -> Page:
    """Return what is stored about a class, for teachers and parents."""
    return _page("A class: what is stored, and for how long", "privacy.html", NO_ACCOUNTS)


def puzzles_page(kind: type[Game], number: int, puzzles: list[SheetPuzzle]) -> Page:
    """Return a sheet of puzzles, and a second sheet with their solutions."""
    return _page(
        f"{kind.title}: puzzles, sheet {number}",
        "print_puzzles.html",
        kind=kind,
        number=number,
        tasks=puzzles,
        is_wide=any(puzzle.board.layout == "line" for puzzle in puzzles),
    )


def no_puzzles_page(kind: type[Game], why: str) -> Page:
    """Return a page that says why there is no sheet of puzzles."""
    return _page(f"{kind.title}: no puzzles", "no_puzzles.html", OTHER_SHEETS, kind=kind, why=why)


def puzzle_sheet(game_id: str, number: int) -> list[SheetPuzzle]:
    """Find up to six puzzles for a sheet, easy ones first; a number always gives the same sheet.

    DuelsError if the game has no puzzles.
    """
    kind = find_game(game_id)
    chance = Random(f"{game_id} {number}")
    found: dict[Position, SheetPuzzle] = {}
    for difficulty in DIFFICULTIES:
        for _ in range(TRIES):
            puzzle = find_puzzle([kind], {}, difficulty, chance)
            if puzzle.position in found:
                continue
            printed = _sheet_puzzle(puzzle)
            if not any(_is_printed_alike(printed, other) for other in found.values()):
                found[puzzle.position] = printed
                break
    return [*found.values()]


def _is_printed_alike(puzzle: SheetPuzzle, other: SheetPuzzle) -> bool:
    """Return whether two puzzles differ at most in whose turn it is."""
    return puzzle._replace(to_move=other.to_move) == other


def _sheet_puzzle(puzzle: Puzzle) -> SheetPuzzle:
    position = puzzle.position
    game = position.game
    (winning,) = puzzle.winning_moves
    moves = listed([game.format(move) for move in position.legal_moves], "or")
    return SheetPuzzle(
        describe(position),
        f"{game.options_in_words()}, {puzzle.difficulty}",
        position.to_move,
        f"{game.verb.do} {moves}",
        game.format(winning),
        solve(position).reason,
    )


def _blank_board(layout: str, size: int) -> Board:
    return Board(in_rows((Cell(str(number)) for number in range(1, size + 1)), 10), layout)


def _boards(title: str, heading: str, layout: str, boards: list[Board]) -> Page:
    return _page(title, "print_boards.html", heading=heading, layout=layout, boards=boards)


def _page(title: str, template: str, about: str = PRINTS, **values: Any) -> Page:
    description = f"{title}. {about}"
    return Page("print", f"{title} · Number Duels", description, template, values)
