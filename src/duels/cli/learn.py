"""The command `learn`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from duels.cli.options import GAME, json_option, print_json
from duels.coach.lessons import Lesson, lesson_data, lesson_of
from duels.core.errors import LessonError, OptionNameError
from duels.core.game import Game
from duels.games import all_games, find_game
from duels.match.saved_games import SavedGames
from duels.terminal.lesson import LessonSession, StepsDone, find_lesson
from duels.terminal.questions import ask_number
from duels.terminal.talk import Left, Talk


@click.command()
@click.argument("game_id", metavar="[GAME]", type=GAME, required=False)
@click.option("--step", type=click.IntRange(min=1), help="Begin at this step.")
@click.option("--again", is_flag=True, help="Begin at the first step.")
@json_option
@click.pass_context
def learn(
    ctx: click.Context, game_id: str | None, step: int | None, again: bool, as_json: bool
) -> None:
    """Learn how a game is won, in a few steps.

    Each step is a board and a question; the last one is a game against the computer. The lesson
    goes on where you left it. A part of the game's name is enough. --json prints the
    whole lesson with its answers.
    """
    if again and step:
        raise click.UsageError("--again begins at the first step; --step at another.")
    talk, done = Talk(), StepsDone()
    try:
        kind = find_game(game_id) if game_id else _asked(talk, done)
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


def _asked(talk: Talk, steps_done: StepsDone) -> type[Game]:
    """The game that somebody chooses from those with a lesson."""
    lessons = [*_lessons(talk)]
    if not talk.interactive:
        raise OptionNameError(f"Say which game: {', '.join(one.game.id for one in lessons)}.")
    lines = [f"{one.game.title:18} {_how_far(one, steps_done)}" for one in lessons]
    return lessons[ask_number(talk, "Which game do you want to learn?", lines)].game


def _lessons(talk: Talk) -> Iterator[Lesson]:
    """Every lesson that can be taught; what is wrong with another is noted."""
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
