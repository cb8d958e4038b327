"""The commands `arena` and `atlas`, and the options that long-running commands share."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import click

from duels.cli.options import SizeCommand, game_argument, given, json_option, print_json
from duels.core.errors import DuelsError
from duels.core.game import Game
from duels.core.words import quoted
from duels.match.players.prompt import HOW_TO_ANSWER, PRESETS

LARGEST_EXTRA = 100_000


def model_options(command: F) -> F:
    """What is said about models; `read_settings` makes a value of it."""
    return _all(
        click.option(
            "--preset",
            type=click.Choice([*PRESETS]),
            help="Named conditions: legal moves shown, retries, seconds, form of the prompt.",
        ),
        click.option(
            "--show-legal/--hide-legal",
            default=None,
            help="Whether the prompt lists the legal moves; it does if not said.",
        ),
        click.option(
            "--form", type=click.Choice([*HOW_TO_ANSWER]), help="How the prompt asks for the move."
        ),
        click.option(
            "--retries",
            type=click.IntRange(min=0),
            help="How often a bad answer is asked for again, with the reason; 2 if not said.",
        ),
        click.option(
            "--server-retries",
            type=click.IntRange(min=0),
            default=3,
            show_default=True,
            help="How often a question is repeated that the server has failed to answer.",
        ),
        click.option("--temperature", type=Finite(min=0), help="Sent to the server if given."),
        click.option("--max-tokens", type=click.IntRange(min=1), help="Sent if given."),
        click.option(
            "--extra",
            type=Extra(),
            metavar="JSON",
            help="An object that is merged into each request; a key that is null goes.",
        ),
        click.option("--price-in", type=Finite(min=0), help="Price of a million tokens of prompt."),
        click.option(
            "--price-out", type=Finite(min=0), help="Price of a million tokens of answer."
        ),
        click.option(
            "--at-once",
            type=click.IntRange(1, 1000),
            help="Requests under way at the same time, from one process (not --jobs).",
        ),
        click.option(
            "--budget",
            type=Budgets(),
            metavar="AMOUNT",
            help="Stop before more is spent: 2.50 in the money of the prices, or 500000tokens.",
        ),
    )(command)


class Extra(click.ParamType[Any]):
    """A JSON object for the request."""

    name = "json"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            found = json.loads(value[: LARGEST_EXTRA + 1])
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            self.fail(f'{quoted(value)} is not a JSON object like {{"top_p": 0.9}}.', param, ctx)
        key = os.environ.get("OPENAI_API_KEY")
        if key and key in value:
            self.fail("What is sent is written down: put no key into it.", param, ctx)
        return found


class Budgets(click.ParamType[Any]):
    """An amount of money, or of tokens."""

    name = "amount"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        from duels.lab.arena.usage import Budget

        number = value.removesuffix("tokens").strip()
        try:
            amount = float(number)
        except ValueError:
            amount = -1.0
        if not 0 < amount < 2**53:
            self.fail(f"{quoted(value)} is no amount like 2.50 or 500000tokens.", param, ctx)
        return Budget(amount, in_tokens=number != value.strip())


def read_settings(asked: dict[str, Any], base_url: str | None = None) -> Any:
    """The settings of what was typed, or else of the preset."""
    from duels.match.players.llm import ModelSettings

    preset = PRESETS[asked["preset"] or "standard"]
    budget = asked["budget"]
    if budget and not budget.in_tokens and asked["price_in"] is None and asked["price_out"] is None:
        raise click.UsageError("A --budget in money needs --price-in and --price-out.")
    return ModelSettings(
        base_url=base_url,
        show_legal=_or(asked["show_legal"], preset.show_legal),
        retries=_or(asked["retries"], preset.retries),
        form=_or(asked["form"], preset.form),
        **{name: asked[name] for name in _AS_TYPED},
    )


_AS_TYPED = ("server_retries", "temperature", "max_tokens", "extra", "price_in", "price_out")


def run_controls(asked: dict[str, Any], cluster: str | None = None) -> dict[str, Any]:
    """How many requests at once, and for how much; one process counts both."""
    if cluster and (asked["at_once"] or asked["budget"]):
        raise click.UsageError("--at-once and --budget are for one machine, not for a --cluster.")
    return {"at_once": asked["at_once"], "budget": asked["budget"]}


def seconds(time_limit: float | None, preset: str | None, usual: float) -> float:
    """The seconds for one answer: as typed, or as a preset has them, or as usual."""
    if time_limit is not None:
        return time_limit
    return PRESETS[preset].time_limit if preset else usual


def _or(typed: Any, usual: Any) -> Any:
    return usual if typed is None else typed


def check_address(models: Sequence[str], base_url: str) -> None:
    """A sentence if that is no address, or one that should not be written down."""
    from duels.match.players.chat import address_of

    if not base_url.startswith(("http://", "https://")):
        raise click.UsageError("--base-url begins with http:// or https://")
    for model in models:
        address_of(model, base_url)


def folders(out: Path, models: Sequence[str]) -> list[Path]:
    """The folder of each model: one by itself has the whole."""
    if len(models) == 1:
        return [out]
    found = [out / (re.sub(r"[^\w.-]+", "_", model).strip("._") or "model") for model in models]
    for path, model in zip(found, models, strict=True):
        if found.count(path) > 1:
            raise click.UsageError(f"Two models would have the same folder: {quoted(model)}.")
    return found


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


SECONDS = 30.0


@click.command(cls=Lists)
@click.option(
    "--players",
    multiple=True,
    required=True,
    metavar="PLAYER...",
    help="Levels, random, ugi:COMMAND, py:MODULE:NAME, llm:MODEL, each also as NAME=PLAYER.",
)
@match_options(rounds=10, seconds=SECONDS, answer="a program or model")
@model_options
@run_options
@json_option
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
    **asked: Any,
) -> None:
    """Play a round-robin tournament and grade every move.

    In each round each pair plays each game twice, each side first. Writes results.jsonl
    (one match per line), summary.json and report.html. Ctrl-C is safe: run the same
    command again to continue.
    """
    from duels.lab.arena.matches import never_served, play_left, resume
    from duels.lab.arena.report import report, summarize, summary_lines
    from duels.lab.arena.results import read_result
    from duels.lab.arena.tournament import Tournament, read_games, read_players
    from duels.lab.results_folder import ResultsFolder

    settings = read_settings(asked)
    meeting = read_players(players)
    limit = seconds(time_limit, asked["preset"], SECONDS)
    tournament = Tournament(read_games(games), rounds, seed, limit, settings, meeting)
    controls = run_controls(asked, cluster)
    check_runner(cluster, tournament.games.values(), tournament.players.values())
    with ResultsFolder(out, tournament.plan, read_result) as folder:
        run = resume(folder, tournament.pairings(), budget=controls["budget"], note=note)
        results = play_left(run, jobs=jobs, cluster=cluster, note=note, **controls)
        summary = summarize(tournament, folder.plan, results)
        folder.write_data("summary.json", summary)
        folder.write("report.html", report(summary))
    if as_json:
        print_json(summary)
    else:
        click.echo("\n".join(summary_lines(summary)))
        note(f"Report: {out / 'report.html'}")
    for name, why in never_served(results).items():
        raise DuelsError(f"The server of {name} failed in every match: {why}")


@click.command(cls=SizeCommand)
@game_argument
@click.option(
    "--max", "highest", type=click.IntRange(min=1), required=True, help="The largest size."
)
@run_options
@json_option
def atlas(
    game_id: str,
    highest: int,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
    **options: str | None,
) -> None:
    """Compute who wins at every size of GAME, and how.

    The size is the option for the size of the board. Writes tables (CSV, and Parquet with
    pyarrow) and plots. Run the same command again to continue after a stop; a larger --max
    adds to what is there.
    """
    from duels.lab.atlas import make_atlas, read_atlas
    from duels.lab.results_folder import ResultsFolder

    atlas = read_atlas(game_id, given(options), highest)
    check_runner(cluster, [atlas.largest])
    with ResultsFolder(out, atlas.plan, atlas.read_row) as folder:
        rows, files = make_atlas(atlas, folder, jobs=jobs, cluster=cluster, note=note)
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
        note(f"Written: {file}")
