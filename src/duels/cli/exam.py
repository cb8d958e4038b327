"""The commands `exam` and `eval`: exams of positions, and models graded in matches or exams."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from duels.cli.options import json_option, print_json
from duels.cli.runs import (
    Lists,
    check_address,
    check_runner,
    folders,
    match_options,
    model_options,
    note,
    read_settings,
    run_controls,
    run_options,
    seconds,
)
from duels.core.errors import DuelsError


@click.group()
def exam() -> None:
    """Make exams: many positions with exact labels, each asked once.

    To let a model or a player take an exam: duels eval --exam DIR
    """


@exam.command(cls=Lists)
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
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder to write.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Number of processes (default: all cores)."
)
@json_option
def make(
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

    The positions are balanced by game, board, phase and difficulty, and in each a choice
    matters. No position is in two splits: train and test share their boards, test_sizes
    and test_options have boards that train does not have.
    """
    from importlib.util import find_spec

    from duels.core.errors import DuelsError, install
    from duels.lab.arena.tournament import game_label, read_games
    from duels.lab.exam.dataset import MANIFEST, write_exam
    from duels.lab.exam.sampling import default_games, make_items

    if out.exists() and any(out.iterdir()) and not (out / MANIFEST).exists():
        raise DuelsError(f"{out} holds something else. Choose another folder.")
    boards = read_games(games) if games else {}
    playing = list(boards.values()) or default_games()
    items = make_items(playing, positions, seed, search=search, jobs=jobs)
    labels = [*map(game_label, playing)]
    whole = write_exam(out, items, games=labels, seed=seed, search=search, proofs=proofs)
    if len(items) < positions:
        note(f"These boards have only {len(items):,} such positions.")
    if not find_spec("pyarrow"):
        note(f"Without pyarrow there is no Parquet. {install('arena')}")
    if as_json:
        print_json({"positions": len(items), "hash": whole, "out": str(out)})
    else:
        click.echo(f"{len(items):,} positions in {out}. The hash of the whole: {whole}")


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
    help="More players for the exam: levels, random, ugi:COMMAND, py:MODULE:NAME.",
)
@click.option(
    "--split",
    "splits",
    multiple=True,
    metavar="SPLIT...",
    help="Splits of the exam (default: test).",
)
@click.option(
    "--positions", type=click.IntRange(min=1), help="Positions of the exam (default: all)."
)
@match_options(rounds=5, seconds=SECONDS, answer="the server")
@model_options
@click.option("--opponent", default="perfect", show_default=True, metavar="PLAYER")
@run_options
@json_option
def eval(exam: Path | None, **typed: Any) -> None:  # noqa: A001 (the name of the command)
    """Grade every move of language models in matches, or let them take an exam.

    An answer that is not a legal move is never replaced by another: after the retries the
    game is forfeited. The key is read from OPENAI_API_KEY and never written. Writes
    results.jsonl, transcripts.jsonl, score.json and score.html; for an exam summary.json,
    report.md and report.html. With several models each has a folder of its own in DIR.
    """
    if exam:
        _answer_exam(exam, **typed)
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
    """Play the matches of each model; all folders are opened before anything is played."""
    if players or splits or positions:
        raise click.UsageError("--player, --split and --positions are for an --exam.")
    if not models or not base_url:
        raise click.UsageError("Say which --model, and its --base-url.")
    from duels.lab.arena.evaluation import (
        Evaluation,
        random_scores,
        score,
        score_lines,
        score_page,
    )
    from duels.lab.arena.matches import never_served, play_left, resume
    from duels.lab.arena.results import read_result
    from duels.lab.arena.tournament import read_games
    from duels.lab.results_folder import ResultsFolder
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
            folder = stack.enter_context(ResultsFolder(path, evaluation.plan, read_result))
            budget = controls["budget"]
            runs.append(resume(folder, evaluation.pairings(), budget=budget, note=note))
        scores: list[dict[str, Any]] = []
        errors: list[str] = []
        chances: dict[str, Any] = {}
        for evaluation, run in zip(evaluations, runs, strict=True):
            results = play_left(run, jobs=jobs, cluster=cluster, note=note, **controls)
            chances = chances or random_scores(evaluation.games, opponent, seed, jobs=jobs)
            found = score(evaluation, run.folder.plan, results, chances)
            run.folder.write_data("score.json", found)
            run.folder.write("score.html", score_page(found))
            scores.append(found)
            errors += never_served(results).values()
            if not as_json:
                click.echo("\n".join(score_lines(found)))
                note(f"Report: {run.folder.path / 'score.html'}")
    if as_json:
        print_json(scores[0] if len(models) == 1 else scores)
    for why in errors:
        raise DuelsError(f"The server at {base_url} failed in every match: {why}")


def _answer_exam(
    path: Path,
    *,
    models: Sequence[str],
    base_url: str | None,
    players: Sequence[str],
    splits: Sequence[str],
    positions: int | None,
    time_limit: float | None,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Ask every player each question once, and write the report."""
    if cluster:
        raise click.UsageError("An exam does not need a --cluster: use --at-once and --jobs.")
    from duels.lab.exam.answers import ExamRun, read_answer_line, run_exam
    from duels.lab.exam.dataset import read_exam
    from duels.lab.exam.items import check_labels
    from duels.lab.exam.report import markdown, report, summarize, summary_lines
    from duels.lab.results_folder import ResultsFolder

    exam = read_exam(path)
    chosen = tuple(dict.fromkeys(splits)) or ("test",)
    items = tuple(exam.items(chosen, positions))
    for item in items:
        check_labels(item)
    # The first answer counts: a second one, with a hint, would be another exam.
    settings = replace(read_settings(asked, base_url), retries=0)
    limit = seconds(time_limit, asked["preset"], SECONDS)
    taking = _exam_players(models, base_url, players)
    run = ExamRun(exam.manifest.hash, exam.games, chosen, items, taking, settings, limit)
    with ResultsFolder(out, run.plan, read_answer_line) as folder:
        answers = run_exam(run, folder, jobs=jobs, note=note, **run_controls(asked))
        summary = summarize(folder.plan, items, answers)
        folder.write_data("summary.json", summary)
        folder.write("report.md", markdown(summary))
        folder.write("report.html", report(summary))
    if as_json:
        print_json(summary)
    else:
        click.echo("\n".join(summary_lines(summary)))
        note(f"Report: {out / 'report.html'}")
    for row in summary["players"]:
        if row["failed"] and not row["positions"]:
            mine = (a for a in answers if a.player == row["player"] and not a.is_graded)
            why = next(mine).detail
            raise DuelsError(f"The server of {row['player']} failed at every question: {why}")


def _exam_players(
    models: Sequence[str], base_url: str | None, players: Sequence[str]
) -> dict[str, str]:
    """Return the specifications of all players by name; the levels always take part."""
    from duels.lab.exam.answers import BASELINES
    from duels.match.players.chat import openai_package
    from duels.match.players.specs import check_ready, read_spec

    found: dict[str, str] = {}
    if models:
        if not base_url:
            raise click.UsageError("Models need their --base-url.")
        check_address(models, base_url)
        openai_package()
    for model in models:
        found[f"llm:{model}" if model in BASELINES else model] = f"llm:{model}"
    for text in players:
        kind, rest = read_spec(text)
        check_ready(text)
        found[text] = f"{kind}:{rest}" if rest else kind
    return found | {level: level for level in BASELINES}
