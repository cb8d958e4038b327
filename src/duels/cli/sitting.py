"""How `eval --exam` is run: who sits, what is asked, and where the sheet goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from duels.cli.models import check_address, read_settings, run_controls, seconds
from duels.cli.options import print_json
from duels.cli.runs import note
from duels.core.errors import DuelsError

SECONDS = 60.0


def sit_exam(
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
    """Ask everybody each question once, and write the sheet."""
    if cluster:
        raise click.UsageError("An exam does not need a --cluster: use --at-once and --jobs.")
    from duels.lab.arena.folder import Folder
    from duels.lab.exam.answer import read_line
    from duels.lab.exam.files import read_exam
    from duels.lab.exam.item import check_labels
    from duels.lab.exam.report import report
    from duels.lab.exam.sheet import make_sheet, sheet_lines, sheet_markdown
    from duels.lab.exam.sit import Sitting, sit

    exam = read_exam(path)
    chosen = tuple(dict.fromkeys(splits)) or ("test",)
    items = tuple(exam.items(chosen, positions))
    for item in items:
        check_labels(item)
    # The first answer counts: a second one, with a hint, would be another exam.
    settings = replace(read_settings(asked, base_url), retries=0)
    limit = seconds(time_limit, asked["preset"], SECONDS)
    sitters = _sitters(models, base_url, players)
    sitting = Sitting(exam.manifest["hash"], exam.games, chosen, items, sitters, settings, limit)
    with Folder(out, sitting.plan, read_line) as folder:
        answers = sit(sitting, folder, jobs=jobs, note=note, **run_controls(asked))
        sheet = make_sheet(folder.plan, items, answers)
        folder.write_data("sheet.json", sheet)
        folder.write("report.md", sheet_markdown(sheet))
        folder.write("report.html", report(sheet))
    if as_json:
        print_json(sheet)
    else:
        click.echo("\n".join(sheet_lines(sheet)))
        note(f"The report: {out / 'report.html'}")
    for row in sheet["sitters"]:
        if row["spoilt"] and not row["positions"]:
            why = next(a.detail for a in answers if a.sitter == row["sitter"] and not a.counts)
            raise DuelsError(f"The server of {row['sitter']} failed at every question: {why}")


def _sitters(models: Sequence[str], base_url: str | None, players: Sequence[str]) -> dict[str, str]:
    """Everybody who sits, by name: the levels always, so that a score says something."""
    from duels.lab.exam.sit import BASELINES
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
