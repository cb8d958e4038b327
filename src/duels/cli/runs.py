"""Options and helpers of the long-running commands: `arena`, `eval` and `atlas`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import click

from duels.core.game import Game

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


def match_options(rounds: int, seconds: float, answer: str) -> Callable[[F], F]:
    """Add the options for games, rounds, seed and the time limit (default: `seconds`)."""
    return _all(
        click.option(
            "--games",
            multiple=True,
            default=every_game,
            metavar="GAME...",
            help="Games, also as GAME:OPTION=VALUE,OPTION=VALUE (default: all).",
        ),
        click.option("--rounds", type=click.IntRange(min=1), default=rounds, show_default=True),
        click.option("--seed", type=int, default=0, show_default=True),
        click.option(
            "--time-limit",
            type=Finite(0.1, 86_400),
            help=f"Seconds for one answer of {answer} (default: {seconds:g}).",
        ),
    )


def every_game() -> list[str]:
    """Return all games with their usual options."""
    from duels.games import all_games
    from duels.lab.arena.tournament import game_label

    return [game_label(kind.usual()) for kind in all_games().values()]


def run_options(command: F) -> F:
    """Add the options for the results folder, the processes and the cluster."""
    return _all(
        click.option(
            "--out",
            type=click.Path(file_okay=False, path_type=Path),
            required=True,
            help="Folder for the results; run the same command again to continue.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(min=1),
            help="Number of processes (default: all cores).",
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Dask scheduler, tcp://host:8786. It can run any code on its workers: trust both.",
        ),
    )(command)


def _all(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Combine several options into one decorator, in the order of the help."""

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def check_runner(cluster: str | None, games: Iterable[Game], specs: Iterable[str] = ()) -> None:
    """Raise an error before anything is played if the cluster or a player cannot be used."""
    from duels.lab.jobs import check_cluster
    from duels.match.players.specs import check_ready

    if cluster:
        check_cluster(cluster, games)
        return
    for spec in specs:
        check_ready(spec)


def note(words: str) -> None:
    """Print a message for the user on standard error."""
    click.echo(words, err=True)
