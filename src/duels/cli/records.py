"""The commands for saved games and records: resume, replay and review."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from duels.cli.options import STANDARD, json_option, print_json, write_file
from duels.cli.play import run
from duels.coach.review import review as review_match
from duels.coach.review import review_data
from duels.coach.summary import move_lines, review_lines
from duels.core.console import Progress, shell_command
from duels.core.errors import MatchError, RecordError
from duels.match.match import Match
from duels.match.record_data import record_data
from duels.match.saved_games import SavedGames
from duels.terminal.records import Given, ask_consent, find_matches, in_a_line, saved_games
from duels.terminal.table import Table
from duels.terminal.talk import QUITTING, Left, Talk, ask_number
from duels.terminal.transcript import Session, transcript
from duels.terminal.words import describe

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

ALL = "all"
LAST_TURN = 0
"""Stands for the last turning point, in place of the number of a move."""


def _unfinished_ids(_context: click.Context, _argument: click.Parameter, begun: str) -> list[str]:
    saved = saved_games(SavedGames()).unfinished
    return [match.duel_id for match in saved if match.duel_id.startswith(begun)]


def _ids_or_files(
    _context: click.Context, _argument: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Offer the saved games of that id, or else files."""
    from click.shell_completion import CompletionItem

    saved = [match for match in SavedGames().all() if isinstance(match, Match)]
    found = [match for match in saved if match.id.startswith(begun)]
    items = [CompletionItem(match.id, help=describe(match)) for match in found]
    return items or [CompletionItem(begun, type="file")]


source_argument = click.argument(
    "source",
    metavar="[FILE|ID]",
    required=False,
    type=click.Path(),
    shell_complete=_ids_or_files,
)
number_option = click.option(
    "--number", type=click.IntRange(min=1), help="Which record of the file, counted from 1."
)


@click.command()
@source_argument
@number_option
@click.option(
    "--svg",
    "svg_file",
    type=click.Path(),
    help="Write a chart of who was winning to this file.",
)
@click.option(
    "--again",
    metavar="[MOVE]",
    is_flag=False,
    flag_value=LAST_TURN,
    type=int,
    help="Play again from this move, or from the last turning point.",
)
@json_option
@click.pass_context
def review(
    ctx: click.Context,
    source: str | None,
    number: int | None,
    svg_file: str | None,
    again: int | None,
    as_json: bool,
) -> None:
    """Find the mistakes of a match, and its turning point.

    FILE is a record (- for standard input), ID a saved game; without either, the latest finished
    game is reviewed. The app (bare duels) steps through your games with the arrow keys.
    """
    talk = Talk()
    matches = matches_of(source, number, talk)
    if (svg_file or again is not None) and len(matches) > 1:
        raise click.UsageError(f"There are {len(matches)} records; choose one with --number.")
    if again is not None:
        if svg_file or as_json:
            raise click.UsageError("--again cannot be combined with --svg or --json.")
        play_on(ctx, matches[0], again or _last_turn(matches[0]), talk)
    for match in _one_by_one(matches, talk):
        with Progress("Reviewing") as progress:
            found = review_match(match, progress.share)
        if svg_file:
            write_file(svg_file, found.svg(describe(found.match)))
        if svg_file == STANDARD:
            continue
        if as_json:
            print_json(review_data(found))
        else:
            talk.page(describe(match), "", *review_lines(found), "", *move_lines(found))


def _one_by_one(matches: list[Match], talk: Talk) -> Iterator[Match]:
    """Yield matches; at a terminal, ask before each one after the first."""
    for number, match in enumerate(matches):
        if number and talk.interactive:
            talk.tell("", f"Next game: {describe(match)}.")
            try:
                if talk.ask("(Press Enter to see it, or type quit.) ").strip() in QUITTING:
                    return
            except EOFError:
                return
            talk.say("")
        yield match


def _last_turn(match: Match) -> int:
    with Progress("Reviewing") as progress:
        found = review_match(match, progress.share).again_at
    if found is None:
        raise MatchError(
            "Neither player made a losing mistake, so there is no turning point. "
            "Choose a move to try again from, for example: --again 1"
        )
    return found


@click.command()
@click.argument("match_ids", metavar="[ID]...", nargs=-1, shell_complete=_unfinished_ids)
@click.option(
    "--forget", is_flag=True, help="Delete these saved games; all deletes every unfinished one."
)
@click.option(
    "--vs",
    metavar="PLAYER",
    multiple=True,
    help="Allow the game to start this program or model.",
)
@click.option(
    "--record",
    "record_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Allow the game to write this record file.",
)
@json_option
@click.pass_context
def resume(
    ctx: click.Context,
    match_ids: tuple[str, ...],
    forget: bool,
    vs: tuple[str, ...],
    record_file: Path | None,
    as_json: bool,
) -> None:
    """Continue an unfinished game, or list them.

    Before a saved game runs a program, talks to a model or writes a record, you have to agree,
    because its file may come from someone else. Without a terminal, repeat the --vs and --record
    that the game was started with.
    """
    store, talk = SavedGames(), Talk()
    if forget:
        _forget(store, match_ids, talk)
        return
    if len(match_ids) > 1:
        raise click.UsageError("You can resume one game at a time; --forget takes several.")
    match_id = match_ids[0] if match_ids else _choose(store, talk, as_json)
    if match_id is None:
        return
    if as_json:
        print_json(record_data(store.load_current(match_id)[0]))
        return
    table = Table(store.load_current(match_id)[0], store, talk.note)
    run(ctx, Session(table, talk, given=Given(vs, record_file)))


@click.command()
@source_argument
@number_option
@json_option
def replay(source: str | None, number: int | None, as_json: bool) -> None:
    """Print the dialogue of a match.

    FILE is a record (- for standard input), ID a saved game; without either, the latest finished
    game is shown. The app (bare duels) steps through your games with the arrow keys.
    """
    talk = Talk()
    for match in _one_by_one(matches_of(source, number, talk), talk):
        if as_json:
            print_json(record_data(match))
            continue
        end = [] if match.outcome else ["", "The match was not finished."]
        talk.page(describe(match), "", *transcript(match, talk.style.bold), *end)


def play_on(ctx: click.Context, match: Match, number: int, talk: Talk) -> NoReturn:
    """Play a match again from that move, if the user allows the programs it needs."""
    ask_consent(talk, match)
    run(ctx, Session(Table(match.again_from(number), SavedGames(), talk.note), talk))
    ctx.exit()


def matches_of(source: str | None, number: int | None, talk: Talk) -> list[Match]:
    """Return the matches of a record file, or the saved game of that id."""
    if number and source is None:
        raise click.UsageError("--number needs a FILE to choose from.")
    matches = find_matches(source or "", SavedGames(), talk)
    if number is None:
        return matches
    if number > len(matches):
        count = f"{len(matches)} readable record{'' if len(matches) == 1 else 's'}"
        raise RecordError(f"{source} has {count}, and no number {number}.")
    return matches[number - 1 : number]


def _forget(store: SavedGames, match_ids: tuple[str, ...], talk: Talk) -> None:
    """Delete saved games; MatchError names those that cannot be deleted."""
    if not match_ids:
        forget = shell_command("resume", "--forget", "ID")
        raise click.UsageError(f"Which games? {forget}, or all instead of ID.")
    if match_ids == (ALL,):
        match_ids = tuple(match.duel_id for match in saved_games(store).unfinished)
        if not match_ids:
            talk.note("There is no unfinished game.")
    errors = []
    for match_id in match_ids:
        try:
            store.forget(match_id)
            talk.note(f"Game {match_id} is deleted.")
        except MatchError as error:
            errors.append(str(error))
    if errors:
        raise MatchError(" ".join(errors))


def _choose(store: SavedGames, talk: Talk, as_json: bool) -> str | None:
    """Return the id of the unfinished game to resume; without a terminal, only list them."""
    unfinished, _, missing, damaged = saved_games(store)
    forget = shell_command("resume", "ID", "--forget")
    talk.note(*(f"Skipped: {error} (delete it with: {forget})" for error in damaged))
    talk.note(*map(str, missing))
    if as_json:
        print_json([record_data(match) for match in unfinished])
        return None
    if not unfinished:
        if not missing:
            talk.note(f"There is no unfinished game. To start one: {shell_command('play')}")
        return None
    if not talk.interactive:
        talk.say(*(f"{match.duel_id}  {in_a_line(match, store)}" for match in unfinished))
        return None
    room = talk.size.columns - len(str(len(unfinished))) - 5
    lines = [in_a_line(match, store, room) for match in unfinished]
    try:
        return unfinished[ask_number(talk, "Which game?", lines)].duel_id
    except (Left, EOFError):
        return None
