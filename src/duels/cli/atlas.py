"""The command `atlas`."""

from __future__ import annotations

from pathlib import Path

import click

from duels.cli.options import SizeCommand, game_argument, given, json_option, print_json
from duels.cli.runs import check_runner, note, run_options


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
