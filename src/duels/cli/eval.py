"""The command `eval`."""

from __future__ import annotations

from pathlib import Path

import click

from duels.cli.options import json_option, print_json
from duels.cli.runs import Finite, Lists, check_runner, match_options, note, run_options
from duels.core.errors import OptionError


@click.command(cls=Lists)
@click.option("--model", required=True, help="The model's name on the server.")
@click.option("--base-url", required=True, help="An OpenAI-compatible server, http://host/v1.")
@match_options(rounds=5, seconds=60.0, answer="the server")
@click.option(
    "--show-legal/--hide-legal",
    default=True,
    show_default=True,
    help="Whether the prompt lists the legal moves.",
)
@click.option(
    "--retries",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    help="How often a bad answer is asked for again, with the reason.",
)
@click.option("--opponent", default="perfect", show_default=True, metavar="PLAYER")
@click.option("--temperature", type=Finite(min=0), help="Sent to the server if given.")
@click.option("--max-tokens", type=click.IntRange(min=1), help="Sent to the server if given.")
@click.option("--price-in", type=Finite(min=0), help="Price of a million tokens of prompt.")
@click.option("--price-out", type=Finite(min=0), help="Price of a million tokens of answer.")
@run_options
@json_option
def eval(  # noqa: A001 (the name of the command)
    model: str,
    base_url: str,
    games: tuple[str, ...],
    show_legal: bool,
    retries: int,
    opponent: str,
    rounds: int,
    seed: int,
    time_limit: float,
    temperature: float | None,
    max_tokens: int | None,
    price_in: float | None,
    price_out: float | None,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Let a language model play, and grade every move.

    An answer that is no legal move is never replaced by another: after the retries the
    game is forfeited. The key is read from OPENAI_API_KEY and never written. Writes
    results.jsonl, transcripts.jsonl, score.json and score.html.
    """
    from duels.arena.evaluation import Evaluation, score
    from duels.arena.folder import Folder
    from duels.arena.line import read_line
    from duels.arena.run import never_served, run_pairings
    from duels.arena.sheet import sheet_lines, sheet_page
    from duels.arena.tournament import read_games
    from duels.players.chat import address_of, openai_package
    from duels.players.llm import ModelSettings

    if not base_url.startswith(("http://", "https://")):
        raise click.UsageError("--base-url begins with http:// or https://")
    address_of(model, base_url)
    settings = ModelSettings(
        base_url, show_legal, retries, temperature, max_tokens, price_in, price_out
    )
    playing = read_games(games)
    evaluation = Evaluation(playing, rounds, seed, time_limit, settings, model, opponent)
    openai_package()
    check_runner(cluster, evaluation.games.values(), [opponent])
    with Folder(out, evaluation.plan, read_line) as folder:
        pairings = evaluation.pairings()
        lines = run_pairings(folder, pairings, jobs=jobs, cluster=cluster, note=note)
        sheet = score(evaluation, lines)
        folder.write_data("score.json", sheet)
        folder.write("score.html", sheet_page(sheet))
    if as_json:
        print_json(sheet)
    else:
        click.echo("\n".join(sheet_lines(sheet)))
        note(f"The score sheet: {out / 'score.html'}")
    for why in never_served(lines).values():
        raise OptionError(f"The server at {base_url} failed in every match: {why}")
