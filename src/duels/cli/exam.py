"""The command `exam`."""

from __future__ import annotations

from pathlib import Path

import click

from duels.cli.options import json_option, print_json
from duels.cli.runs import Lists, note


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
