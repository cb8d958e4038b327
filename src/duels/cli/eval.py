"""The command `eval`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from duels.cli.models import model_options, read_settings, run_controls, seconds
from duels.cli.options import json_option, print_json
from duels.cli.runs import Lists, check_runner, match_options, note, run_options
from duels.core.errors import OptionError

SECONDS = 60.0


@click.command(cls=Lists)
@click.option("--model", required=True, help="The model's name on the server.")
@click.option("--base-url", required=True, help="An OpenAI-compatible server, http://host/v1.")
@match_options(rounds=5, seconds=SECONDS, answer="the server")
@model_options
@click.option("--opponent", default="perfect", show_default=True, metavar="PLAYER")
@run_options
@json_option
def eval(  # noqa: A001 (the name of the command)
    model: str,
    base_url: str,
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
    """Let a language model play, and grade every move.

    An answer that is no legal move is never replaced by another: after the retries the
    game is forfeited. The key is read from OPENAI_API_KEY and never written. Writes
    results.jsonl, transcripts.jsonl, score.json and score.html.
    """
    from duels.arena.evaluation import Evaluation, score
    from duels.arena.folder import Folder
    from duels.arena.line import read_line
    from duels.arena.play import OLDER
    from duels.arena.run import never_served, run_pairings
    from duels.arena.sheet import sheet_lines, sheet_page
    from duels.arena.tournament import read_games
    from duels.players.chat import address_of, openai_package

    if not base_url.startswith(("http://", "https://")):
        raise click.UsageError("--base-url begins with http:// or https://")
    address_of(model, base_url)
    settings = read_settings(asked, base_url)
    playing = read_games(games)
    limit = seconds(time_limit, asked["preset"], SECONDS)
    evaluation = Evaluation(playing, rounds, seed, limit, settings, model, opponent)
    openai_package()
    check_runner(cluster, evaluation.games.values(), [opponent])
    with Folder(out, evaluation.plan, read_line, OLDER) as folder:
        pairings = evaluation.pairings()
        lines = run_pairings(
            folder, pairings, jobs=jobs, cluster=cluster, note=note, **run_controls(asked)
        )
        sheet = score(evaluation, folder.plan, lines)
        folder.write_data("score.json", sheet)
        folder.write("score.html", sheet_page(sheet))
    if as_json:
        print_json(sheet)
    else:
        click.echo("\n".join(sheet_lines(sheet)))
        note(f"The score sheet: {out / 'score.html'}")
    for why in never_served(lines).values():
        raise OptionError(f"The server at {base_url} failed in every match: {why}")
