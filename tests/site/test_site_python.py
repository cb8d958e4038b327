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
PAGES = [
    *("learn/sequence-duel", "play/divisor-duel", "print/rules/number-line-duel"),
    *("print/plan/number-duel", "print/puzzles/number-line-duel/1"),
]
SCRIPT = """
import importlib
for name in {names!r}:
    importlib.import_module(name)
import json, sys, duels
from duels.site.browser import page_fragment
texts = {{kind.id: [kind.rules_text(), kind.lesson_text()] for kind in duels.GAMES.values()}}
try:
    import pdb
except ImportError as error:
    missing = str(error)
rendered = [page_fragment(path).content.decode() for path in {pages!r}]
specs = [spec for one in sys.modules.values() if (spec := getattr(one, "__spec__", None))]
sources = [spec.origin for spec in specs if (spec.origin or "").endswith(".py")]
found = {{"texts": texts, "missing": missing, "rendered": rendered, "sources": sources}}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(runtime, tmp_path_factory):
    """What the script finds in a page's Python, which takes seconds to start."""
    folder = tmp_path_factory.mktemp("page")
    names = [*runtime.modules, *sorted(imports_of(*FIRST).standard), *FOR_OWN_GAMES]
    file = folder / "script.py"
    file.write_text(SCRIPT.format(names=names, pages=PAGES), encoding="utf-8")
    return json.loads(run_in_pages(runtime, file, folder))


def test_everything_that_a_page_can_import_is_packed_with_it(found):
    own = {kind.id: [kind.rules_text(), kind.lesson_text()] for kind in duels.GAMES.values()}
    assert found["texts"] == own
    assert "pdb" in found["missing"]  # the library is the trimmed one
    assert found["sources"] == []  # and nothing is compiled when a page starts


def test_pages_are_rendered_in_the_browser_as_here(found):
    assert found["rendered"] == [page_fragment(path).content.decode() for path in PAGES]


def test_both_pythons_say_the_same(runtime, tmp_path):
    assert disagreements(runtime, tmp_path, by_ring(40, long=2000), seed=16) == []
