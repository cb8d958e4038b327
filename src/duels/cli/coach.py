"""The command of the coach: review."""

from __future__ import annotations

from pathlib import Path

import click

from duels.cli.files import STANDARD, write_file
from duels.cli.options import json_option, print_json
from duels.cli.records import matches_of, play_on
from duels.coach.review import move_lines, review_data, review_lines
from duels.coach.review import review as review_match
from duels.core.errors import MatchError
from duels.core.progress import Progress
from duels.match.match import Match
from duels.terminal.stepper import Stepper, can_step
from duels.terminal.talk import Talk
from duels.terminal.words import describe

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
    On a terminal the arrow keys step through it, as in duels replay, from where it turned.
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
        elif can_step(talk) and not svg_file and len(matches) == 1:
            ply = Stepper(match, talk, found, found.turning_point or 0).run()
            if ply is not None:
                play_on(ctx, match, ply + 1, talk)
            lines += [describe(match), "", *review_lines(found)]
        else:
            lines += [describe(match), "", *review_lines(found), "", *move_lines(found)]
    talk.page(*lines)


def _last_turn(match: Match) -> int:
    with Progress("Reviewing") as progress:
        found = review_match(match, progress.share).again_at
    if found is None:
        raise MatchError(
            "Nobody gave a win away, so there is no turning point. "
            "Say from which move to try again, for example: --again 1"
        )
    return found
