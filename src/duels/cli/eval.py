"""The command `eval`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from duels.cli.models import (
    check_address,
    folders,
    model_options,
    read_settings,
    run_controls,
    seconds,
)
from duels.cli.options import json_option, print_json
from duels.cli.runs import Lists, check_runner, match_options, note, run_options
from duels.core.errors import DuelsError

SECONDS = 60.0


@click.command(cls=Lists)
@click.option("--model", "models", multiple=True, metavar="NAME...", help="Models, by their names.")
@click.option("--base-url", help="An OpenAI-compatible server, http://host/v1.")
@click.option(
    "--exam",
    type=click.Path(file_okay=False, path_type=Path),
    help="Ask the questions of an exam, each once, instead of playing.",
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="PLAYER...",
    help="Who sits the exam besides models: levels, random, ugi:COMMAND, py:MODULE:NAME.",
)
@click.option("--split", "splits", multiple=True, metavar="SPLIT...", help="Of the exam: test.")
@click.option("--positions", type=click.IntRange(min=1), help="Of the exam; all if not said.")
@match_options(rounds=5, seconds=SECONDS, answer="the server")
@model_options
@click.option("--opponent", default="perfect", show_default=True, metavar="PLAYER")
@run_options
@json_option
def eval(exam: Path | None, **typed: Any) -> None:  # noqa: A001 (the name of the command)
    """Let language models play, every move graded, or sit an exam.

    An answer that is no legal move is never replaced by another: after the retries the
    game is forfeited. The key is read from OPENAI_API_KEY and never written. Writes
    results.jsonl, transcripts.jsonl, score.json and score.html; for an exam sheet.json,
    report.md and report.html. With several models each has a folder of its own in DIR.
    """
    if exam:
        from duels.cli.sitting import sit_exam

        sit_exam(exam, **typed)
    else:
        _play(**typed)


def _play(
    models: tuple[str, ...],
    base_url: str | None,
    players: tuple[str, ...],
    splits: tuple[str, ...],
    positions: int | None,
    games: tuple[str, ...],
    opponent: str,
    rounds: int,
    seed: int,
    time_limit: float | None,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Matches of each model, in folders that are all opened before anything is played."""
    if players or splits or positions:
        raise click.UsageError("--player, --split and --positions are for an --exam.")
    if not models or not base_url:
        raise click.UsageError("Say which --model, and its --base-url.")
    from duels.lab.arena.by_chance import by_chance
    from duels.lab.arena.evaluation import Evaluation, score
    from duels.lab.arena.folder import Folder
    from duels.lab.arena.line import read_line
    from duels.lab.arena.run import never_served, play_left, resume
    from duels.lab.arena.sheet import sheet_lines, sheet_page
    from duels.lab.arena.tournament import read_games
    from duels.match.players.chat import openai_package

    check_address(models, base_url)
    settings, controls = read_settings(asked, base_url), run_controls(asked, cluster)
    contest = (read_games(games), rounds, seed, seconds(time_limit, asked["preset"], SECONDS))
    evaluations = [Evaluation(*contest, settings, model, opponent) for model in models]
    openai_package()
    check_runner(cluster, contest[0].values(), [opponent])
    with ExitStack() as stack:
        runs = []
        for evaluation, path in zip(evaluations, folders(out, models), strict=True):
            folder = stack.enter_context(Folder(path, evaluation.plan, read_line))
            budget = controls["budget"]
            runs.append(resume(folder, evaluation.pairings(), budget=budget, note=note))
        sheets: list[dict[str, Any]] = []
        troubles: list[str] = []
        chances: dict[str, Any] = {}
        for evaluation, run in zip(evaluations, runs, strict=True):
            lines = play_left(run, jobs=jobs, cluster=cluster, note=note, **controls)
            chances = chances or by_chance(evaluation.games, opponent, seed, jobs=jobs)
            sheet = score(evaluation, run.folder.plan, lines, chances)
            run.folder.write_data("score.json", sheet)
            run.folder.write("score.html", sheet_page(sheet))
            sheets.append(sheet)
            troubles += never_served(lines).values()
            if not as_json:
                click.echo("\n".join(sheet_lines(sheet)))
                note(f"The score sheet: {run.folder.path / 'score.html'}")
    if as_json:
        print_json(sheets[0] if len(models) == 1 else sheets)
    for why in troubles:
        raise DuelsError(f"The server at {base_url} failed in every match: {why}")
