"""The commands `arena` and `atlas`, and the options that long-running commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from duels.cli.options import (
    GameWithOptions,
    SizeCommand,
    game_argument,
    given,
    json_option,
    print_json,
)
from duels.core.errors import DuelsError
from duels.core.game import Game

if TYPE_CHECKING:
    from duels.lab.reports import Report
    from duels.lab.results_folder import ResultsFolder

F = TypeVar("F", bound=Callable[..., Any])


class Lists(click.Command):
    """A command whose repeatable options take all words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        lists = {
            name
            for option in self.params
            if isinstance(option, click.Option) and option.multiple
            for name in option.opts
        }
        return super().parse_args(ctx, _spread(args, lists))


def _spread(args: list[str], lists: set[str]) -> list[str]:
    """Rewrite --games a b as --games a --games b, which click can parse."""
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


class Finite(click.FloatRange):
    """A range of finite numbers: click would accept "nan" and "inf"."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        found = float(super().convert(value, param, ctx))
        if not isfinite(found):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found


def options(*several: Callable[[F], F]) -> Callable[[F], F]:
    """Combine several options into one decorator, in the order of the help."""

    def decorate(command: F) -> F:
        for option in reversed(several):
            command = option(command)
        return command

    return decorate


def match_options(rounds: int) -> Callable[[F], F]:
    """Add the options for games, rounds and the seed."""
    return options(
        click.option(
            "--games",
            type=GameWithOptions(),
            multiple=True,
            metavar="GAME...",
            help="Games, also as GAME:OPTION=VALUE,OPTION=VALUE (default: all).",
        ),
        click.option(
            "--rounds",
            type=click.IntRange(min=1),
            default=rounds,
            show_default=True,
            help="Number of rounds.",
        ),
        click.option(
            "--seed",
            type=int,
            default=0,
            show_default=True,
            help="Make the results repeatable.",
        ),
    )


time_limit_option = click.option(
    "--time-limit",
    type=Finite(0.1, 86_400),
    help="Seconds for one answer (default: 30 for a program, 600 for a model).",
)


def folder_options(folder: str) -> Callable[[F], F]:
    """Add --out, with the help text `folder`, --jobs and --json."""
    return options(
        click.option(
            "--out",
            type=click.Path(file_okay=False, path_type=Path),
            required=True,
            help=folder,
        ),
        click.option(
            "--jobs", type=click.IntRange(min=1), help="Number of processes (default: all cores)."
        ),
        json_option,
    )


run_options = folder_options("Folder for the results; run the same command again to continue.")
cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Dask scheduler, tcp://host:8786. You must trust it and its workers.",
)


def check_runner(cluster: str | None, games: Iterable[Game], specs: Iterable[str] = ()) -> None:
    """Raise an error before anything is played if the cluster or a player cannot be used."""
    from duels.lab.jobs import check_cluster
    from duels.match.players.specs import check_ready

    if cluster:
        check_cluster(cluster, games)
        return
    for spec in specs:
        check_ready(spec)


def finish_run(
    folder: ResultsFolder[Any],
    summary: dict[str, Any],
    report_of: Callable[[dict[str, Any]], Report],
    *,
    as_json: bool,
) -> None:
    """Write the report of a run, and print it, or its summary as JSON."""
    from duels.lab.reports import write_report

    report = write_report(folder, summary, report_of)
    if as_json:
        print_json(report.summary)
        return
    click.echo("\n".join(report.lines()))
    click.echo(f"Report: {folder.path / 'report.html'}", err=True)


def check_served(where: str, errors: Iterable[tuple[str, str | None]]) -> None:
    """Raise DuelsError if a player's server failed every time; None means no error."""
    found: dict[str, list[str | None]] = {}
    for name, error in errors:
        found.setdefault(name, []).append(error)
    for name, each in found.items():
        if None not in each:
            raise DuelsError(f"The server of {name} failed {where}: {each[-1]}")


@click.command(cls=Lists)
@click.option(
    "--players",
    multiple=True,
    required=True,
    metavar="PLAYER...",
    help="Levels, random, ugi:COMMAND, py:MODULE:NAME, llm:MODEL, each also as NAME=PLAYER.",
)
@match_options(rounds=10)
@time_limit_option
@cluster_option
@run_options
def arena(
    players: tuple[str, ...],
    games: tuple[str, ...],
    rounds: int,
    seed: int,
    time_limit: float | None,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Play a round-robin tournament and grade every move.

    In each round, every pair plays every game twice and swaps sides. Writes results.jsonl
    (one match per line), summary.json, report.md and report.html. Ctrl-C is safe: run the
    same command again to continue.
    """
    from duels.lab.arena.matches import play_matches, read_result
    from duels.lab.arena.report import report, summarize
    from duels.lab.arena.tournament import Tournament, read_games, read_players
    from duels.lab.results_folder import ResultsFolder

    boards, meeting = read_games(games), read_players(players)
    tournament = Tournament(boards, rounds, seed, meeting, time_limit=time_limit)
    check_runner(cluster, tournament.games.values(), tournament.players.values())
    with ResultsFolder(out, tournament.plan, read_result, jobs, cluster) as folder:
        results = play_matches(folder, tournament.pairings())
        finish_run(folder, summarize(tournament, results), report, as_json=as_json)
    check_served("in every match", [error for one in results for error in one.server_errors])


@click.command(cls=SizeCommand)
@game_argument
@click.option(
    "--max", "highest", type=click.IntRange(min=1), required=True, help="The largest size."
)
@click.option(
    "--min",
    "lowest",
    type=click.IntRange(min=0),
    default=0,
    help="The smallest size (default: the smallest that the game allows).",
)
@cluster_option
@run_options
def atlas(
    game_id: str,
    highest: int,
    lowest: int,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
    **options: str | None,
) -> None:
    """Compute who wins at every size of GAME, and how.

    The size of a game is one of its options, such as --numbers or --divisor. Writes tables (CSV,
    and Parquet with pyarrow) and plots. Run the same command again to continue; a larger --max
    adds more sizes.
    """
    from duels.lab.atlas import make_atlas, read_atlas, read_row
    from duels.lab.results_folder import ResultsFolder

    atlas = read_atlas(game_id, given(options), highest, lowest)
    check_runner(cluster, [atlas.largest])
    with ResultsFolder(
        out, atlas.plan, partial(read_row, more=atlas.more), jobs, cluster
    ) as folder:
        rows, files = make_atlas(atlas, folder)
    wins = sum(row.winner == 1 for row in rows)
    if as_json:
        data = {"game": game_id, "options": atlas.options, "sizes": len(rows)}
        counts = {"player_1_wins": wins, "player_2_wins": len(rows) - wins}
        print_json(data | counts | {"files": [str(file) for file in files]})
        return
    click.echo(
        f"{game_id}, {len(rows):,} sizes up to {highest:,}: "
        f"Player 1 wins {wins:,}, Player 2 wins {len(rows) - wins:,}."
    )
    for file in files:
        click.echo(f"Written: {file}", err=True)
