"""A page's Python, with the part of the standard library that is packed for it, under Node."""

from __future__ import annotations

import json

import pytest
from agreement import disagreements, run_in_pages

import duels
from duels.site.browser import page_fragment
from duels.site.runtime import FIRST, FOR_OWN_GAMES, imports_of
from rings import by_ring

pytestmark = pytest.mark.slow
IMPORTS = """
import importlib
for name in {names!r}:
    importlib.import_module(name)
import json, sys, duels
texts = {{kind.id: [kind.rules_text(), kind.lesson_text()] for kind in duels.GAMES.values()}}
try:
    import pdb
except ImportError as error:
    missing = str(error)
specs = [spec for one in sys.modules.values() if (spec := getattr(one, "__spec__", None))]
sources = [spec.origin for spec in specs if (spec.origin or "").endswith(".py")]
print(json.dumps({{"texts": texts, "missing": missing, "sources": sources}}))
"""


PAGES = [
    *("learn/sequence-duel", "play/divisor-duel", "print/rules/number-line-duel"),
    *("print/plan/number-duel", "print/puzzles/number-line-duel/1"),
]
FRAGMENTS = f"""
import json
from duels.site.browser import page_fragment
print(json.dumps([page_fragment(path).content.decode() for path in {PAGES!r}]))
"""


def test_everything_that_a_page_can_import_is_packed_with_it(runtime, tmp_path):
    names = [*runtime.modules, *sorted(imports_of(*FIRST).standard), *FOR_OWN_GAMES]
    file = tmp_path / "imports.py"
    file.write_text(IMPORTS.format(names=names), encoding="utf-8")
    told = json.loads(run_in_pages(runtime, file, tmp_path))
    own = {kind.id: [kind.rules_text(), kind.lesson_text()] for kind in duels.GAMES.values()}
    assert told["texts"] == own
    assert "pdb" in told["missing"]  # the library is the trimmed one
    assert told["sources"] == []  # and nothing is compiled when a page starts


def test_pages_are_rendered_in_the_browser_as_here(runtime, tmp_path):
    file = tmp_path / "fragments.py"
    file.write_text(FRAGMENTS, encoding="utf-8")
    rendered = json.loads(run_in_pages(runtime, file, tmp_path))
    assert rendered == [page_fragment(path).content.decode() for path in PAGES]


def test_both_pythons_say_the_same(runtime, tmp_path):
    assert disagreements(runtime, tmp_path, by_ring(40, long=2000), seed=16) == []
