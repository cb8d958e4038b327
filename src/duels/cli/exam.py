"""The command `exam`: make exams, let models and players take them, and play matches."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duels.cli.options import GameWithOptions, completing, print_json
from duels.cli.runs import (
    F,
    Finite,
    Lists,
    check_served,
    finish_run,
    folder_options,
    match_options,
    options,
    run_options,
    time_limit_option,
)
from duels.core.errors import DuelsError
from duels.core.words import listed, quoted

if TYPE_CHECKING:
    from duels.lab.exam.model_runs import ModelSettings

TYPED = click.core.ParameterSource.COMMANDLINE


class ExamCommands(click.Group):
    """The commands of `exam`, with our own sentence for an unknown one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands and not ctx.resilient_parsing:
            words = f"There is no command {quoted(f'exam {args[0]}')}; there are "
            raise click.UsageError(f"{words}{listed(self.list_commands(ctx))}.", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=ExamCommands)
def exam() -> None:
    """Test language models and players against exact verdicts.

    Inspect (extra llm) sends the questions. Name a model as Inspect does, such as openai/gpt-5.
    duels/mock needs no server. Inspect's logs are in the results folder; inspect view shows them.
    """


FIXED = ("games", "positions", "seed")
"""The options that a preset replaces."""


@exam.command(cls=Lists)
@click.option(
    "--preset",
    type=click.Choice(["hard"]),
    help="Write a frozen exam: hard has 400 positions, with the legal moves hidden.",
)
@click.option(
    "--games",
    type=GameWithOptions(),
    multiple=True,
    metavar="GAME...",
    help="Boards, also as GAME:OPTION=VALUE (default: several boards of every game).",
)
@click.option(
    "--positions",
    type=click.IntRange(10, 1_000_000),
    default=1_000,
    show_default=True,
    help="Number of positions.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Make the exam repeatable.")
@click.option("--proofs", is_flag=True, help="Also write a proof of every label, for duels check.")
@folder_options("Folder for the exam: new, empty, or with the same exam.")
@click.pass_context
def make(
    context: click.Context,
    preset: str | None,
    games: tuple[str, ...],
    positions: int,
    seed: int,
    proofs: bool,
    out: Path,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Write an exam as a dataset: JSON lines, Parquet (extra arena) and a card.

    In every position some moves win and others do not. Games, boards, phases and
    difficulties are mixed evenly, as far as the boards have enough positions of each kind;
    the card has the counts. Most positions are easy; for hard ones, use --preset hard. No
    position is in two splits: train and test share their boards, test_sizes and test_options
    have boards that train does not have.
    """
    from duels.lab.arena.tournament import game_label, read_games
    from duels.lab.exam.dataset import MANIFEST, Recipe, write_exam
    from duels.lab.exam.sampling import HARD, HASH, SELECTION, default_games, make_hard, make_items

    if preset and any(context.get_parameter_source(name) is TYPED for name in FIXED):
        raise click.UsageError(f"A preset decides {listed(FIXED)}.")
    if out.exists() and any(out.iterdir()) and not (out / MANIFEST).exists():
        raise DuelsError(f"{out} holds something else. Choose another folder.")
    if preset:
        recipe, frozen, items = HARD, HASH, make_hard(jobs)
    else:
        playing = [*read_games(games).values()] if games else default_games()
        labels = [*map(game_label, playing)]
        recipe = Recipe(games=labels, seed=seed, selection=SELECTION)
        frozen, items = "", make_items(playing, positions, seed, jobs=jobs)
    whole = write_exam(out, items, recipe, proofs=proofs, frozen=frozen)
    if not preset and len(items) < positions:
        noun = "position" if len(items) == 1 else "positions"
        click.echo(f"These boards have only {len(items):,} such {noun}.", err=True)
    if as_json:
        print_json({"positions": len(items), "hash": whole, "out": str(out)})
    else:
        click.echo(f"{len(items):,} positions in {out}. Hash of the exam: {whole}")


def model_options(command: F) -> F:
    """Add the options for models, which `read_settings` reads."""
    return options(
        click.option(
            "--model",
            "models",
            multiple=True,
            metavar="NAME...",
            help="Models, as in Inspect; on a server of your own NAME@http://host/v1.",
        ),
        click.option("--hide-legal", is_flag=True, help="Leave the legal moves out of the prompt."),
        time_limit_option,
        click.option(
            "--generate",
            multiple=True,
            metavar="KEY=VALUE...",
            help="Inspect's options for a request: temperature=0.5 max_connections=20.",
        ),
        click.option(
            "--price",
            type=(Finite(min=0), Finite(min=0)),
            metavar="IN OUT",
            help="Price of a million input tokens, and of a million output tokens.",
        ),
        click.option(
            "--budget",
            metavar="AMOUNT",
            help="Stop before more than this is spent: 2.50 (needs --price), or 500000tokens.",
        ),
    )(command)


def read_settings(
    out: Path,
    models: Iterable[str],
    hide_legal: bool,
    time_limit: float | None,
    generate: Iterable[str],
    price: tuple[float, float] | None,
    budget: str | None,
) -> ModelSettings | None:
    """Return the settings for models; None if there are none, and no logs of earlier ones."""
    if not models and not (out / "logs").is_dir():
        return None
    from duels.match.players.models import find_model, read_generate

    found, extra = [*map(find_model, models)], read_generate(generate)
    from duels.lab.exam.model_runs import Budget, ModelSettings  # needs Inspect

    amount = Budget(budget) if budget else None
    if amount and not amount.in_tokens and not price:
        raise click.UsageError("A --budget in money needs --price.")
    return ModelSettings(found, not hide_legal, time_limit, extra, price, amount)


@exam.command(cls=Lists)
@click.argument("folder", metavar="EXAM", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="PLAYER...",
    help="Players to add to the five levels: random, ugi:COMMAND, py:MODULE:NAME.",
)
@click.option(
    "--split",
    "splits",
    multiple=True,
    metavar="SPLIT...",
    help="Splits (default: test).",
    shell_complete=completing("train", "test", "test_sizes", "test_options"),
)
@click.option("--positions", type=click.IntRange(min=1), help="Number of positions (default: all).")
@model_options
@run_options
def run(
    folder: Path,
    players: tuple[str, ...],
    splits: tuple[str, ...],
    positions: int | None,
    time_limit: float | None,
    out: Path,
    jobs: int | None,
    as_json: bool,
    hide_legal: bool,
    **typed: Any,
) -> None:
    """Ask every question of an exam once, and compare with the levels and with chance.

    Questions that have an answer in --out are not asked again, so you can add models and
    players later, each with its own address and price. Keys are read from the environment.
    Writes summary.json, report.md, report.html, and the logs of Inspect.
    """
    from msgspec import convert

    from duels.lab.exam.dataset import read_exam
    from duels.lab.exam.results import Answer, exam_plan, report, run_exam, summarize
    from duels.lab.results_folder import ResultsFolder

    taken = read_exam(folder)
    chosen = tuple(dict.fromkeys(splits)) or ("test",)
    items, exam = taken.items(chosen, positions), taken.manifest
    hidden = hide_legal or not exam.show_legal
    settings = read_settings(out, hide_legal=hidden, time_limit=time_limit, **typed)
    all_players, plan = _players(players), exam_plan(exam, chosen, len(items))
    of_models = []
    with ResultsFolder(out, plan, partial(convert, type=Answer), jobs) as results:
        answers = run_exam(results, items, all_players, time_limit)
        if settings:
            from duels.lab.exam import model_runs, tasks

            asked = (str(folder.absolute()), [*chosen], len(items), not hidden)
            found = model_runs.ask_models(out, settings, tasks.exam(*asked))
            of_models = [one.answer for one in found]
        finish_run(results, summarize(items, answers + of_models), report, as_json=as_json)
    check_served("at every question", [(one.player, one.error) for one in of_models])


def _players(texts: Iterable[str]) -> dict[str, str]:
    """Return the specifications of all players by name; the levels always take part."""
    from duels.lab.exam.results import BASELINES
    from duels.match.players.specs import check_ready, read_spec

    found: dict[str, str] = {}
    for text in texts:
        kind, rest = read_spec(text)
        if kind == "llm":
            raise click.UsageError(f"Models are named with --model: {rest}")
        check_ready(text)
        found[text] = f"{kind}:{rest}" if rest else kind
    return found | {level: level for level in BASELINES}


@exam.command(cls=Lists)
@click.option(
    "--opponent",
    default="perfect",
    show_default=True,
    metavar="LEVEL",
    help="The level to play against.",
)
@match_options(rounds=5)
@model_options
@run_options
def play(
    opponent: str,
    games: tuple[str, ...],
    rounds: int,
    seed: int,
    out: Path,
    jobs: int | None,
    as_json: bool,
    **typed: Any,
) -> None:
    """Let models play whole matches against a level, and grade every move.

    After a bad answer the model may try twice more; then it forfeits the match. A random
    player plays the same matches for comparison. Matches in --out are not played again.
    Writes summary.json, report.md, report.html, and the logs of Inspect.
    """
    from dataclasses import replace

    from duels.lab.arena.matches import play_matches, read_result
    from duels.lab.arena.report import report, summarize
    from duels.lab.arena.tournament import matches_against
    from duels.lab.results_folder import ResultsFolder
    from duels.match.players.levels import RANDOM

    settings = read_settings(out, **typed)
    contest = matches_against(opponent, games, rounds, seed, {"random player": RANDOM})
    played, models = [], []
    with ResultsFolder(out, contest.plan, read_result, jobs) as folder:
        results = play_matches(folder, contest.pairings())
        if settings:
            from duels.lab.exam import model_runs, tasks

            asked = ([*contest.games], opponent, rounds, seed, settings.show_legal)
            played = model_runs.ask_models(out, settings, tasks.play(*asked))
            models = model_runs.answers_by_model(played)
        names = {one.answer.player: "" for one in played if one.match}
        contest = replace(contest, players=names | contest.players)
        summary = summarize(contest, results + [one.match for one in played if one.match])
        finish_run(folder, summary | {"models": models}, report, as_json=as_json)
    check_served("in every match", [(one.answer.player, one.answer.error) for one in played])
    if failed := sum(one.match is None for one in played):
        matches = "match" if failed == 1 else "matches"
        words = f"{failed} {matches} ended with a server error: run the same command again."
        click.echo(words, err=True)
