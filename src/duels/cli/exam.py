"""The command `exam`: make exams, let models and players take them, and play matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duels.cli.options import print_json
from duels.cli.runs import (
    F,
    Finite,
    Lists,
    check_served,
    finish_run,
    match_options,
    note,
    options,
    run_options,
    time_limit_option,
)
from duels.core.errors import DuelsError
from duels.core.words import listed

if TYPE_CHECKING:
    from duels.lab.exam.model_runs import ModelSettings

TYPED = click.core.ParameterSource.COMMANDLINE


@click.group()
def exam() -> None:
    """Examine language models and players, with exact verdicts.

    Inspect (extra llm) asks the models; name them as it does: openai/gpt-5, or duels/mock,
    which needs no server. Its logs are in the results folder; inspect view shows them.
    """


FIXED = ("games", "positions", "seed", "search")
"""The options that a preset replaces."""


@exam.command(cls=Lists)
@click.option(
    "--preset",
    type=click.Choice(["hard"]),
    help="A frozen exam: hard has 400 positions, the legal moves hidden.",
)
@click.option(
    "--games",
    multiple=True,
    metavar="GAME...",
    help="Boards, also as GAME:OPTION=VALUE (default: small, usual and set-ups of all games).",
)
@click.option("--positions", type=click.IntRange(10, 1_000_000), default=1_000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--search",
    type=click.IntRange(0, 10_000_000),
    default=200_000,
    show_default=True,
    help="States to search for the length of a win; 0 skips it.",
)
@click.option("--proofs", is_flag=True, help="Also write a proof of every label, for duels check.")
@run_options
@click.pass_context
def make(
    context: click.Context,
    preset: str | None,
    games: tuple[str, ...],
    positions: int,
    seed: int,
    search: int,
    proofs: bool,
    out: Path,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Write an exam as a dataset: JSON lines, Parquet (extra arena) and a card.

    In every position some moves win and others do not. Games, boards, phases and
    difficulties take turns, as far as the boards have enough positions of each kind; the
    card has the counts. The mix is easy. No position is in two splits: train and test share
    their boards, test_sizes and test_options have boards that train does not have.
    """
    from importlib.util import find_spec

    from duels.core.errors import install
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
        recipe = Recipe(games=labels, seed=seed, search=search, selection=SELECTION)
        frozen, items = "", make_items(playing, positions, seed, search=search, jobs=jobs)
    whole = write_exam(out, items, recipe, proofs=proofs, frozen=frozen)
    if not preset and len(items) < positions:
        note(f"These boards have only {len(items):,} such positions.")
    if not find_spec("pyarrow"):
        note(f"Without pyarrow there is no Parquet. {install('arena')}")
    if as_json:
        print_json({"positions": len(items), "hash": whole, "out": str(out)})
    else:
        click.echo(f"{len(items):,} positions in {out}. The hash of the whole: {whole}")


def model_options(command: F) -> F:
    """Add the options for models, which `read_settings` reads."""
    return options(
        click.option(
            "--model", "models", multiple=True, metavar="NAME...", help="Models, as in Inspect."
        ),
        click.option("--base-url", help="The address of the models, if the provider needs one."),
        click.option("--hide-legal", is_flag=True, help="Leave the legal moves out of the prompt."),
        time_limit_option,
        click.option(
            "--generate",
            multiple=True,
            metavar="KEY=VALUE...",
            help="Inspect's options for a request: temperature=0.5 reasoning_effort=low.",
        ),
        click.option(
            "--at-once",
            type=click.IntRange(1, 1000),
            default=10,
            show_default=True,
            help="Questions under way at the same time.",
        ),
        click.option("--price-in", type=Finite(min=0), help="Price of a million tokens in."),
        click.option("--price-out", type=Finite(min=0), help="Price of a million tokens out."),
        click.option(
            "--budget",
            metavar="AMOUNT",
            help="Stop asking when it is spent: 2.50 (needs prices), or 500000tokens.",
        ),
    )(command)


def read_settings(
    models: Sequence[str],
    generate: Iterable[str],
    price_in: float | None,
    price_out: float | None,
    hide_legal: bool,
    budget: str | None,
    **rest: Any,
) -> ModelSettings:
    """Return the settings for models; raise an error if a model or an option cannot be used."""
    from duels.lab.exam.model_runs import Budget, ModelSettings

    url, prices = rest["base_url"], (price_in, price_out)
    amount = Budget(budget) if budget else None
    if url and not url.startswith(("http://", "https://")):
        raise click.UsageError("--base-url begins with http:// or https://")
    if amount and not amount.in_tokens and prices == (None, None):
        raise click.UsageError("A --budget in money needs --price-in and --price-out.")
    if not models:
        return ModelSettings()
    from duels.match.players.models import find_model, read_generate

    extra = read_generate(generate)
    rest |= {"prices": prices, "generate": extra, "budget": amount}
    settings = ModelSettings(show_legal=not hide_legal, **rest)
    for name in models:
        find_model(settings.full_name(name))
    return settings


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
    "--split", "splits", multiple=True, metavar="SPLIT...", help="Splits (default: test)."
)
@click.option("--positions", type=click.IntRange(min=1), help="Positions (default: all).")
@model_options
@run_options
def run(
    folder: Path,
    players: tuple[str, ...],
    splits: tuple[str, ...],
    positions: int | None,
    models: tuple[str, ...],
    time_limit: float | None,
    out: Path,
    jobs: int | None,
    as_json: bool,
    **typed: Any,
) -> None:
    """Ask every question of an exam once, and compare with the levels and with chance.

    Answers that are in --out already count, so you can add models and players later, from
    any address and at any price. Keys are read from the environment. Writes summary.json,
    report.md, report.html, and the logs of Inspect.
    """
    from duels.lab.exam.dataset import read_exam
    from duels.lab.exam.model_runs import ask_exam
    from duels.lab.exam.results import ExamRun, read_answer, report, run_exam, summarize
    from duels.lab.results_folder import ResultsFolder

    found = read_exam(folder)
    chosen = tuple(dict.fromkeys(splits)) or ("test",)
    items = tuple(found.items(chosen, positions))
    typed["hide_legal"] |= not found.manifest.show_legal
    settings = read_settings(models, time_limit=time_limit, **typed)
    taking = ExamRun(found.manifest, chosen, items, _players(players), time_limit)
    with ResultsFolder(out, taking.plan, read_answer, jobs) as results:
        answers = run_exam(taking, results)
        of_models = ask_exam(out, folder, taking, models, settings)
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
@click.option("--opponent", default="perfect", show_default=True, metavar="LEVEL")
@match_options(rounds=5)
@model_options
@run_options
def play(
    opponent: str,
    games: tuple[str, ...],
    rounds: int,
    seed: int,
    models: tuple[str, ...],
    time_limit: float | None,
    out: Path,
    jobs: int | None,
    as_json: bool,
    **typed: Any,
) -> None:
    """Let models play whole matches against a level, and grade every move.

    After a bad answer the model may try twice more; then it forfeits the match. A random
    player plays the same matches, to compare with. Matches that are in --out already count.
    Writes summary.json, report.md, report.html, and the logs of Inspect.
    """
    from dataclasses import replace

    from duels.lab.arena.matches import play_matches, read_result
    from duels.lab.arena.report import report, summarize
    from duels.lab.arena.tournament import matches_against
    from duels.lab.exam.model_runs import answers_by_model, ask_matches
    from duels.lab.results_folder import ResultsFolder
    from duels.match.players.levels import RANDOM

    settings = read_settings(models, time_limit=time_limit, **typed)
    contest = matches_against(opponent, games, rounds, seed, {"random player": RANDOM})
    with ResultsFolder(out, contest.plan, read_result, jobs) as folder:
        results = play_matches(folder, contest.pairings())
        played = ask_matches(out, contest, models, settings)
        names = {one.answer.player: "" for one in played if one.match}
        contest = replace(contest, players=names | contest.players)
        summary = summarize(contest, results + [one.match for one in played if one.match])
        summary["models"] = answers_by_model(played)
        finish_run(folder, summary, report, as_json=as_json)
    check_served("in every match", [(one.answer.player, one.answer.error) for one in played])
    if failed := sum(one.match is None for one in played):
        note(f"{failed} matches ended with a server error: run the same command again.")
