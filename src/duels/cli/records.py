"""The commands for matches that are written down: resume, replay, review."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from duels.cli.files import STANDARD, write_file
from duels.cli.options import json_option, print_json
from duels.cli.play import run
from duels.coach.review import move_lines, review_data, review_lines
from duels.coach.review import review as review_match
from duels.core.errors import MatchError, RecordError
from duels.core.progress import Progress
from duels.match.match import Match
from duels.match.records import record_data
from duels.match.saved_games import SavedGames
from duels.terminal.consent import Given, ask_consent
from duels.terminal.questions import ask_number
from duels.terminal.records import find_matches, in_a_line, saved_games
from duels.terminal.talk import Left, Talk
from duels.terminal.transcript import Session, transcript
from duels.terminal.words import describe

ALL = "all"
LAST_TURN = 0
"""Instead of the number of a move: the last turning point."""


@click.command()
@click.argument("source", metavar="[FILE|ID]", required=False, type=click.Path())
@click.option("--number", type=click.IntRange(min=1), help="Which record of the file, from 1.")
@click.option("--svg", "svg_file", type=click.Path(path_type=Path), help="Draw the strip.")
@click.option(
    "--again",
    metavar="[MOVE]",
    is_flag=False,
    flag_value=LAST_TURN,
    type=int,
    help="Play on from before that move; without a number, from your last turning point.",
)
@json_option
@click.pass_context
def review(
    ctx: click.Context,
    source: str | None,
    number: int | None,
    svg_file: Path | None,
    again: int | None,
    as_json: bool,
) -> None:
    """Label every move of a match, and find where it turned.

    FILE may be - for standard input. Without a file or an id, the latest finished game is reviewed.
    The app (bare duels) steps through your games with the arrow keys.
    """
    talk = Talk()
    matches = matches_of(source, number, talk)
    if (svg_file or again is not None) and len(matches) > 1:
        raise click.UsageError(f"There are {len(matches)} records; say which with --number.")
    if again is not None:
        if svg_file or as_json:
            raise click.UsageError("--again plays; it cannot be combined with --svg or --json.")
        play_on(ctx, matches[0], again or _last_turn(matches[0]), talk)
    lines: list[str] = []
    for match in matches:
        with Progress("Reviewing") as progress:
            found = review_match(match, progress.share)
        if svg_file:
            write_file(svg_file, found.svg(describe(found.match)))
        if svg_file == STANDARD:
            continue
        if as_json:
            print_json(review_data(found))
        else:
            lines += [describe(match), "", *review_lines(found), "", *move_lines(found)]
    talk.page(*lines)


def _last_turn(match: Match) -> int:
    with Progress("Reviewing") as progress:
        found = review_match(match, progress.share).again_at
    if found is None:
        raise MatchError(
            "Neither player made a losing mistake, so there is no turning point. "
            "Say from which move to try again, for example: --again 1"
        )
    return found


def _unfinished(_context: click.Context, _argument: click.Parameter, begun: str) -> list[str]:
    """The ids that a shell offers."""
    saved = saved_games(SavedGames()).unfinished
    return [match.id for match in saved if match.id.startswith(begun)]


@click.command()
@click.argument("match_ids", metavar="[ID]...", nargs=-1, shell_complete=_unfinished)
@click.option(
    "--forget", is_flag=True, help="Remove the saved games ID... for good; all: every unfinished."
)
@click.option(
    "--vs",
    metavar="PLAYER",
    multiple=True,
    help="The program or model of the game: then it is started without a question.",
)
@click.option(
    "--record",
    "record_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The record file of the game: then it is written without a question.",
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
    """List the unfinished games, or go on with one.

    A saved game that runs a program, talks to a model or writes a record does so only
    if you say yes: anybody could have put its file there. Off a terminal --vs and
    --record say it, in the words with which the game was begun.
    """
    store, talk = SavedGames(), Talk()
    if forget:
        _forget(store, match_ids, talk)
        return
    if len(match_ids) > 1:
        raise click.UsageError("One game can be gone on with at a time; --forget takes several.")
    match_id = match_ids[0] if match_ids else _choose(store, talk, as_json)
    if match_id is None:
        return
    if as_json:
        print_json(record_data(store.load(match_id)[0]))
        return
    run(ctx, Session.resume(match_id, talk, store, Given(vs, record_file)))


@click.command()
@click.argument("source", metavar="[FILE|ID]", required=False, type=click.Path())
@click.option("--number", type=click.IntRange(min=1), help="Which record of the file, from 1.")
@json_option
def replay(source: str | None, number: int | None, as_json: bool) -> None:
    """Print the dialogue of a match: of a record file (- is standard input) or a saved game.

    Without either, the latest finished game. The app (bare duels) steps through your games with
    the arrow keys.
    """
    talk = Talk()
    for match in matches_of(source, number, talk):
        if as_json:
            print_json(record_data(match))
            continue
        end = [] if match.outcome else ["", "The match was not finished."]
        talk.page(describe(match), "", *transcript(match, talk.style.bold), *end)


def play_on(ctx: click.Context, match: Match, number: int, talk: Talk) -> NoReturn:
    """Play a match again from before that move, if what it would start may be started."""
    ask_consent(talk, match)
    run(ctx, Session.begin(match.again_from(number), talk, SavedGames()))
    ctx.exit()


def matches_of(source: str | None, number: int | None, talk: Talk) -> list[Match]:
    """The matches of a record file or the saved game of that id, or only one of them."""
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
    """Remove each of them; those that cannot be are named in the end."""
    if not match_ids:
        raise click.UsageError("Say which games to forget: duels resume --forget ID... (or all)")
    if match_ids == (ALL,):
        match_ids = tuple(match.id for match in saved_games(store).unfinished)
        if not match_ids:
            talk.note("There is no unfinished game.")
    errors = []
    for match_id in match_ids:
        try:
            store.forget(match_id)
            talk.note(f"Game {match_id} is forgotten.")
        except MatchError as error:
            errors.append(str(error))
    if errors:
        raise MatchError(" ".join(errors))


def _choose(store: SavedGames, talk: Talk, as_json: bool) -> str | None:
    """The id of the unfinished game to go on with; off a terminal they are only listed."""
    unfinished, _, missing, damaged = saved_games(store)
    talk.note(*(f"Skipped: {error} (duels resume ID --forget removes it)" for error in damaged))
    talk.note(*map(str, missing))
    if as_json:
        print_json([record_data(match) for match in unfinished])
        return None
    if not unfinished:
        if not missing:
            talk.note("There is no unfinished game. Start one with: duels")
        return None
    if not talk.interactive:
        talk.say(*(f"{match.id}  {in_a_line(match, store)}" for match in unfinished))
        return None
    room = talk.size.columns - len(str(len(unfinished))) - 5
    lines = [in_a_line(match, store, room) for match in unfinished]
    try:
        return unfinished[ask_number(talk, "Which game?", lines)].duel_id
    except (Left, EOFError):
        return None
