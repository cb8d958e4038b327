"""The command `arena`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from duels.cli.options import json_option, print_json

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_GAMES = ("number-duel", "divisor-duel:divisor=13", "number-line-duel:numbers=20")


class Lists(click.Command):
    """A command whose repeatable options take all the words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        lists = {
            name
            for option in self.params
            if isinstance(option, click.Option) and option.multiple
            for name in option.opts
        }
        return super().parse_args(ctx, _spread(args, lists))


def _spread(args: list[str], lists: set[str]) -> list[str]:
    """--games a b as --games a --games b, which is what click can read."""
    spread: list[str] = []
    option = ""
    for word in args:
        if word.startswith("-"):
            option = word if word in lists else ""
            spread.append(word)
        elif option and spread[-1] != option:
            spread += [option, word]
        else:
            spread.append(word)
    return spread


def run_options(command: F) -> F:
    """What every long run can be told: where the results go, and what runs it."""
    for option in (
        click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler, tcp://host:8786."),
        click.option(
            "--jobs", type=click.IntRange(min=1), help="Processes; all cores if not said."
        ),
        click.option(
            "--out",
            type=click.Path(file_okay=False, path_type=Path),
            required=True,
            help="The folder of the results; the same command goes on where it stopped.",
        ),
    ):
        command = option(command)
    return command


@click.command(cls=Lists)
@click.option(
    "--players",
    multiple=True,
    required=True,
    metavar="PLAYER...",
    help="Levels, random, ugi:COMMAND, llm:MODEL, each also as NAME=PLAYER.",
)
@click.option(
    "--games",
    multiple=True,
    default=DEFAULT_GAMES,
    metavar="GAME...",
    help="Games with their options, like divisor-duel:divisor=13.",
)
@click.option("--rounds", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--time-limit",
    type=click.FloatRange(0.1, 86_400),
    default=30.0,
    show_default=True,
    help="Seconds for an answer of a program or model.",
)
@run_options
@json_option
def arena(
    players: tuple[str, ...],
    games: tuple[str, ...],
    rounds: int,
    seed: int,
    time_limit: float,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Let players meet: everybody against everybody, each side first, every move graded.

    In each round each pair plays each game twice. Writes results.jsonl (a match a line),
    summary.json and report.html. Ctrl-C is safe: the same command goes on.
    """
    from duels.arena.folder import Folder
    from duels.arena.ratings import require_ratings
    from duels.arena.report import report
    from duels.arena.summary import summarize, summary_lines
    from duels.arena.tournament import Tournament, read_games, read_players, run_pairings
    from duels.players.specs import check_ready

    tournament = Tournament(read_players(players), read_games(games), rounds, seed, time_limit)
    require_ratings()
    for spec in tournament.players.values() if not cluster else ():
        check_ready(spec)
    folder = Folder(out, tournament.plan)
    lines = run_pairings(
        folder, list(tournament.pairings()), jobs=jobs, cluster=cluster, note=_note
    )
    summary = summarize(tournament, lines)
    folder.write("summary.json", json.dumps(summary, ensure_ascii=False, indent=2) + "\n")
    folder.write("report.html", report(summary))
    if as_json:
        print_json(summary)
    else:
        click.echo("\n".join(summary_lines(summary)))
        _note(f"The report: {out / 'report.html'}")


def _note(words: str) -> None:
    click.echo(words, err=True)
