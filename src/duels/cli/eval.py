"""The command `eval`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from duels.cli.models import (
    check_address,
    folder_name,
    model_options,
    read_settings,
    run_controls,
    seconds,
)
from duels.cli.options import json_option, print_json
from duels.cli.runs import Lists, check_runner, match_options, note, run_options
from duels.core.errors import OptionError

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
def eval(  # noqa: A001 (the name of the command)
    models: tuple[str, ...],
    base_url: str | None,
    exam: Path | None,
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
    """Let language models play, every move graded, or sit an exam.

    An answer that is no legal move is never replaced by another: after the retries the
    game is forfeited. The key is read from OPENAI_API_KEY and never written. Writes
    results.jsonl, transcripts.jsonl, score.json and score.html; for an exam sheet.json,
    report.md and report.html. With several models each has a folder of its own in DIR.
    """
    if exam:
        from duels.cli.sitting import sit_exam

        if cluster:
            raise click.UsageError("An exam does not need a --cluster: use --at-once and --jobs.")
        who = (models, base_url, players)
        sit_exam(exam, who, (splits, positions), time_limit, out, jobs, as_json, asked)
        return
    if players or splits or positions:
        raise click.UsageError("--player, --split and --positions are for an --exam.")
    if not models or not base_url:
        raise click.UsageError("Say which --model, and its --base-url.")
    from duels.arena.sheet import sheet_lines

    sheets: list[dict[str, Any]] = []
    troubles: list[str] = []
    for model in models:
        where = out if len(models) == 1 else out / folder_name(model)
        contest = (games, rounds, seed, seconds(time_limit, asked["preset"], SECONDS))
        sheet, trouble = _play(model, base_url, contest, opponent, where, jobs, cluster, asked)
        sheets.append(sheet)
        troubles += trouble
        if not as_json:
            click.echo("\n".join(sheet_lines(sheet)))
            note(f"The score sheet: {where / 'score.html'}")
    if as_json:
        print_json(sheets[0] if len(models) == 1 else sheets)
    for why in troubles:
        raise OptionError(f"The server at {base_url} failed in every match: {why}")


def _play(
    model: str,
    base_url: str,
    contest: tuple[Any, ...],
    opponent: str,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    asked: dict[str, Any],
) -> tuple[dict[str, Any], list[str]]:
    """The score sheet of one model, and why its server has failed if it never did anything."""
    from duels.arena.by_chance import by_chance
    from duels.arena.evaluation import Evaluation, score
    from duels.arena.folder import Folder
    from duels.arena.line import read_line
    from duels.arena.play import OLDER
    from duels.arena.run import never_served, run_pairings
    from duels.arena.sheet import sheet_page
    from duels.arena.tournament import read_games
    from duels.players.chat import openai_package

    check_address(model, base_url)
    games, rounds, seed, limit = contest
    settings = read_settings(asked, base_url)
    evaluation = Evaluation(read_games(games), rounds, seed, limit, settings, model, opponent)
    openai_package()
    controls = run_controls(asked, cluster)
    check_runner(cluster, evaluation.games.values(), [opponent])
    with Folder(out, evaluation.plan, read_line, OLDER) as folder:
        lines = run_pairings(
            folder,
            evaluation.pairings(),
            jobs=jobs,
            cluster=cluster,
            note=note,
            **controls,
        )
        chances = by_chance(evaluation.games, opponent, seed, jobs=jobs)
        sheet = score(evaluation, folder.plan, lines, chances)
        folder.write_data("score.json", sheet)
        folder.write("score.html", sheet_page(sheet))
    return sheet, [*never_served(lines).values()]
