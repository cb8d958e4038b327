"""The commands for practice: learn and puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from random import Random, SystemRandom
from typing import Any

import click

from duels.cli.options import GAME, GameCommand, given, json_option, position_data, print_json
from duels.coach.daily import daily_puzzle, read_day
from duels.coach.lessons import Lesson, lesson_data, lesson_of
from duels.coach.puzzles import HIGHEST, Puzzle, mistakes
from duels.core.console import Progress, shell_command
from duels.core.errors import DuelsError, LessonError, OptionNameError
from duels.core.game import Game
from duels.games import all_games, find_game
from duels.match.match import Match
from duels.match.saved_games import Notebook, SavedGames
from duels.terminal.lesson import LessonSession, StepsDone, find_lesson
from duels.terminal.puzzle import SOLVED, USUAL, random_puzzles, solve_daily, solve_puzzle
from duels.terminal.talk import Left, Talk, ask_number


@click.command()
@click.argument("game_id", metavar="[GAME]", type=GAME, required=False)
@click.option("--step", type=click.IntRange(min=1), help="Start at this step.")
@click.option("--again", is_flag=True, help="Start again at the first step.")
@json_option
@click.pass_context
def learn(
    ctx: click.Context, game_id: str | None, step: int | None, again: bool, as_json: bool
) -> None:
    """Learn how to win a game, in a few steps.

    Each step is a board with a question; the last one is a game against the computer. The lesson
    continues where you left off. --json prints the whole lesson with its answers.
    """
    if again and step:
        raise click.UsageError("Use either --again or --step.")
    talk, done = Talk(), StepsDone()
    try:
        kind = find_game(game_id) if game_id else _ask_game(talk, done)
        lesson = find_lesson(kind)
        if step and step > len(lesson.steps):
            raise click.UsageError(f"The lesson of {kind.title} has {len(lesson.steps)} steps.")
        if as_json:
            print_json(lesson_data(lesson))
            return
        first = 1 if again else step
        LessonSession(lesson, talk, SavedGames(), done, step=first).run()
    except (Left, EOFError):
        ctx.exit(0)


def _ask_game(talk: Talk, steps_done: StepsDone) -> type[Game]:
    """Ask which game to learn, of those with a lesson."""
    lessons = [*_lessons(talk)]
    if not talk.interactive:
        raise OptionNameError(f"Which game? {', '.join(one.game.id for one in lessons)}.")
    lines = [f"{one.game.title:18} {_how_far(one, steps_done)}" for one in lessons]
    return lessons[ask_number(talk, "Which game do you want to learn?", lines)].game


def _lessons(talk: Talk) -> Iterator[Lesson]:
    """Yield every lesson that can be read, and say what is wrong with the others."""
    for kind in all_games().values():
        try:
            if lesson := lesson_of(kind):
                yield lesson
        except LessonError as error:
            talk.note(f"Skipped: {error}")


def _how_far(lesson: Lesson, steps_done: StepsDone) -> str:
    done, steps = steps_done.of(lesson), len(lesson.steps)
    if not done:
        return f"{steps} steps"
    return "done" if done == steps else f"{done} of {steps} steps done"


@click.command(cls=GameCommand)
@click.argument("game_id", metavar="[GAME]", type=GAME, required=False)
@click.option(
    "--difficulty",
    type=click.Choice(list(HIGHEST)),
    help=f"How far ahead you have to look (default: {USUAL}).",
)
@click.option("--seed", type=int, help="Choose the puzzle by a seed.")
@click.option(
    "--mine", is_flag=True, help="Solve positions from your own games in which you missed a win."
)
@click.option("--daily", is_flag=True, help="Solve the puzzle of the day.")
@click.option(
    "--date", "day", metavar="YYYY-MM-DD", help="With --daily: the puzzle of another day."
)
@json_option
def puzzle(
    game_id: str | None,
    difficulty: str | None,
    seed: int | None,
    mine: bool,
    daily: bool,
    day: str | None,
    as_json: bool,
    **options: str | None,
) -> None:
    """Find the winning move.

    After a wrong move you see the reply and try again. Type hint for help, or give up for the
    answer. Without GAME the puzzle is from any game. The puzzle of the day is the same for
    everyone, easy on Monday and hard on Sunday. --json prints a puzzle with its winning moves.
    """
    kinds = [find_game(game_id)] if game_id else [*all_games().values()]
    chosen, talk = given(options), Talk()
    if day and not daily:
        raise click.UsageError("--date goes with --daily.")
    if daily:
        if mine or game_id or chosen or difficulty or seed is not None:
            raise click.UsageError("--daily takes no other option but --date and --json.")
        _daily(read_day(day) if day else date.today(), talk, as_json)
        return
    if mine:
        if difficulty or seed is not None:
            raise click.UsageError("--mine takes neither --difficulty nor --seed.")
        puzzles = _mine(kinds, chosen, talk)
    else:
        chance = SystemRandom() if seed is None else Random(seed)
        puzzles = random_puzzles(talk.note, kinds, chosen, difficulty or USUAL, chance)
    posed = next(puzzles)
    if as_json:
        print_json(_data(posed))
    else:
        _solve(talk, posed, puzzles)


def _daily(day: date, talk: Talk, as_json: bool) -> None:
    if as_json:
        print_json(_data(daily_puzzle(day)) | {"date": day.isoformat()})
    else:
        solve_daily(talk, day)


def _mine(kinds: list[type[Game]], chosen: dict[str, str], talk: Talk) -> Iterator[Puzzle]:
    """Return the mistakes in games against the computer, unsolved ones first.

    In a game of two people the program does not know which of them you are.
    """
    solved = Notebook(SOLVED).read()
    with Progress("Looking through your games"):
        matches = [
            match
            for match in _saved_matches(talk)
            if _fits(match.game, kinds, chosen) and any(seat.computer for seat in match.seats)
        ]
        found = sorted(mistakes(matches), key=lambda one: one.id in solved)
    if not found:
        raise DuelsError(
            "There are no saved games of yours against the computer: play one, and your mistakes "
            "come back as puzzles."
            if not matches
            else "You made no losing mistake in your saved games."
        )
    return iter(found)


def _solve(talk: Talk, posed: Puzzle, more: Iterator[Puzzle]) -> None:
    """Solve a puzzle; on a terminal, offer others."""
    while True:
        attempt = solve_puzzle(posed, talk)
        if attempt.is_solved and posed.id:
            with suppress(OSError):  # if it is not saved, the puzzle is offered again later
                Notebook(SOLVED).note(**{posed.id: True})
        if not (attempt.is_over and talk.interactive):
            return
        try:
            if not talk.agree("Another puzzle?"):
                return
        except (EOFError, Left):
            return
        found = next(more, None)
        if found is None:
            talk.tell(f"That was your last mistake. For other puzzles: {shell_command('puzzle')}")
            return
        posed = found
        talk.say("")


def _saved_matches(talk: Talk) -> Iterator[Match]:
    """Yield the saved matches, newest first, and name those that cannot be read."""
    for match in SavedGames().all():
        if isinstance(match, Match):
            yield match
        else:
            talk.note(f"Skipped: {match}")


def _fits(game: Game, kinds: list[type[Game]], chosen: dict[str, str]) -> bool:
    """Say whether a game is one of these, with these options."""
    fields = type(game).fields
    if type(game) not in kinds or not fields.keys() >= chosen.keys():
        return False
    return all(game.options[name] == fields[name].read(name, chosen[name]) for name in chosen)


def _data(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as plain data with its winning moves; a pair is a list of two."""
    return position_data(puzzle.position) | {
        "winning_moves": list(puzzle.winning_moves),
        "difficulty": puzzle.difficulty,
        "number": puzzle.number,
        "source": puzzle.source,
    }
