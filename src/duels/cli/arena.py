"""The command `arena`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from duels.cli.models import model_options, read_settings, run_controls, seconds
from duels.cli.options import json_option, print_json
from duels.cli.runs import Lists, check_runner, match_options, note, run_options
from duels.core.errors import DuelsError

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
