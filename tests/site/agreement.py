"""Asks two Pythons the same: this one, and the one that runs in a page, under Node."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import positions

from built_site import CACHE
from duels.site.runtime import Runtime, run_python

IN_PAGES = """
import sys, zipfile
sys.path[:0] = ["/host{here}"]
zipfile.ZipFile("/host{duels}").extractall(sys.path[-1])
exec(open("/host{here}/{file}", encoding="utf-8").read())
"""


def run_in_pages(runtime: Runtime, file: Path, folder: Path, *given: Path) -> str:
    """What a file prints that runs in a page's Python, with nothing but what a page has."""
    script = folder / "in_pages.py"
    here, duels = file.parent.resolve(), runtime.duels.resolve()
    script.write_text(IN_PAGES.format(here=here, duels=duels, file=file.name), encoding="utf-8")
    return run_python(CACHE, runtime.library, script, *given)


def disagreements(
    runtime: Runtime, folder: Path, count: int, seed: int = 0
) -> list[tuple[dict[str, Any], Any, Any]]:
    """Of so many positions those that are answered differently: asked, here, in a page."""
    asked = positions.questions(count, Random(seed))
    paper, answers = folder / "questions.json", folder / "answers.json"
    paper.write_text(json.dumps(asked), encoding="utf-8")
    answers.touch()
    run_in_pages(runtime, Path(positions.__file__), folder, paper, answers)
    there = json.loads(answers.read_text(encoding="utf-8"))
    here = json.loads(json.dumps([positions.answer(one) for one in asked]))
    found = zip(asked, here, there, strict=True)
    return [(one, this, that) for one, this, that in found if this != that]
