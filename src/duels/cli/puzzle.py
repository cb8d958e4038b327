"""The command `puzzle`: one found by chance, one's own mistakes, or the puzzle of the day."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from random import Random, SystemRandom
from typing import Any

import click

from duels.cli.options import GAME, GameCommand, given, json_option, position_data, print_json
from duels.coach.daily import daily_puzzle, read_day
from duels.coach.puzzles import HIGHEST, Puzzle, mistakes
from duels.core.errors import DuelsError
from duels.core.game import Game
from duels.core.progress import Progress
from duels.games import all_games, find_game
from duels.match.match import Match
from duels.match.notebook import Notebook
from duels.match.saved_games import SavedGames
from duels.terminal.puzzle import SOLVED, USUAL, random_puzzles, solve_daily, solve_puzzle
from duels.terminal.talk import Talk


@click.command(cls=GameCommand)
@click.argument("game_id", metavar="[GAME]", type=GAME, required=False)
@click.option(
    "--difficulty",
    type=click.Choice(list(HIGHEST)),
    help=f"How far one has to see; {USUAL} if you do not say.",
)
@click.option("--seed", type=int, help="The same seed gives the same puzzle.")
@click.option("--mine", is_flag=True, help="From your own mistakes in the games kept here.")
@click.option("--daily", is_flag=True, help="The puzzle of the day, the same for everybody.")
@click.option("--date", "day", metavar="YYYY-MM-DD", help="With --daily: of another day.")
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
    """Find the only winning move.

    A wrong move is answered on the board, and you try again. Type hint for help, give up for
    the answer. Without GAME it is any game; without its options, one of its set-ups.

    \b
    duels puzzle                          any game
    duels puzzle GAME --difficulty hard   one that takes a longer look
    duels puzzle --mine                   what you missed, once more
    duels puzzle --daily                  easier on Monday, harder on Sunday

    Off a terminal the answers are read from standard input; --json prints the puzzle with
    its winning moves instead (docs/explanation/puzzles.md).
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
    """Those that are not solved yet come first."""
    solved = Notebook(SOLVED).read()
    with Progress("Looking through your games"):
        matches = [match for match in _kept(talk) if _fits(match.game, kinds, chosen)]
        found = sorted(mistakes(matches), key=lambda one: one.id in solved)
    if not found:
        raise DuelsError(
            "No mistake of yours is kept here: play a game, and what you miss comes back "
            "as a puzzle."
            if not matches
            else "In the games kept here you gave no win away."
        )
    return iter(found)


def _solve(talk: Talk, posed: Puzzle, more: Iterator[Puzzle]) -> None:
    """Solve a puzzle; on a terminal, offer others."""
    while True:
        attempt = solve_puzzle(posed, talk)
        if attempt.is_solved and posed.id:
            with suppress(OSError):  # then it comes again
                Notebook(SOLVED).note(**{posed.id: True})
        if not (attempt.is_over and talk.interactive):
            return
        try:
            if not talk.agree("Another puzzle?"):
                return
        except EOFError:
            return
        found = next(more, None)
        if found is None:
            talk.tell("That was the last one.")
            return
        posed = found
        talk.say("")


def _kept(talk: Talk) -> Iterator[Match]:
    """The games of the state folder, the latest first; what cannot be read is named."""
    for match in SavedGames().all():
        if isinstance(match, Match):
            yield match
        else:
            talk.note(f"Skipped: {match}")


def _fits(game: Game, kinds: list[type[Game]], chosen: dict[str, str]) -> bool:
    """Whether a game is one of these, with these options."""
    fields = type(game).fields
    if type(game) not in kinds or not fields.keys() >= chosen.keys():
        return False
    return all(game.options[name] == fields[name].read(name, chosen[name]) for name in chosen)


def _data(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as plain data, with its answer; a pair is a list of two."""
    return position_data(puzzle.position) | {
        "winning_moves": list(puzzle.winning_moves),
        "difficulty": puzzle.difficulty,
        "number": puzzle.number,
        "source": puzzle.source,
    }
