"""Three rings of tests: `pytest --quick`, `pytest`, and `pytest --long`, which has everything.

A test is in all of them unless a mark says otherwise. What needs a browser, a database server, a
cluster or other programs is marked by the fixture that it asks for.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings

from duels.core.words import listed

T = TypeVar("T")

MARKS = {
    "long": "long",
    "browser": "browser",
    "postgres": "database server",
    "cluster": "cluster",
    "slow": "slow",
    "library": "with libraries that are not installed",
}
"""Why a test may be left out, and how that is said; the first mark of a test counts."""
LEFT_OUT = {"quick": set(MARKS), "landing": {"long", "cluster"}, "long": set()}
NEEDS = {
    "browser": "browser",
    "postgres": "postgres",
    "cluster": "cluster",
    "server": "slow",
    "start_server": "slow",
    "spawn": "slow",
    "engine": "slow",
    "evaluate": "slow",
}
"""Fixtures, and the mark of every test that uses one."""

WAITING = {"slow", "browser", "postgres", "cluster"}
"""What waits for other programs may be late on a busy machine: run again, and counted."""

UNMEASURED = {
    "test_a_query_imports_nothing_it_does_not_use",
    "test_a_worker_that_is_killed_loses_nothing",
    "test_a_full_disk_is_a_sentence_and_results_so_far_stay_saved",
    "test_a_full_disk_is_a_warning_and_leaves_the_old_file",
    "test_a_file_is_replaced_as_a_whole_or_not_at_all",
}
"""Left out by `scripts/test --coverage`: it imports and writes in the processes they watch."""

ADAPTERS = (
    *(f"envs/test_envs_{name}.py" for name in ("gymnasium", "openspiel", "pettingzoo", "vector")),
    "arena/test_models.py",
    "test_mcp.py",
    "web/test_web_fuzz.py",
)
"""Tests of what libraries of others make of the games; test_adapters.py has one of each."""
NOT_READ = {"quick": ("web/browser", "web/test_web_fuzz.py"), "landing": ADAPTERS, "long": ()}
"""What takes seconds to read alone, and has nothing for a ring; a file that is named is run."""
LIBRARIES = (
    *("brotli", "distributed", "gymnasium", "inspect_ai", "matplotlib", "mcp", "numba"),
    *("numpy", "open_spiel", "pettingzoo", "psycopg", "pyarrow", "pyspiel", "scipy", "textarena"),
)
"""What the quick ring does without: the dependency group `quick` does not install it."""
if sys.platform == "win32":
    names = ("progress", "terminal", "truth_cli", "foreign_files", "menu", "learn")
    NOT_READ["quick"] += tuple(f"test_{name}.py" for name in names)
    NOT_READ["quick"] += ("arena/test_arena_tournament.py", "arena/test_atlas_tables.py")
    """Pseudo-terminals, pipes in folders, limits and signals, as Windows has none of them."""

# What must pass before a change lands is the same every time, however busy the machine is.
settings.register_profile("quick", max_examples=30, deadline=None, derandomize=True)
settings.register_profile("landing", max_examples=30, deadline=None, derandomize=True)
settings.register_profile("long", max_examples=2000, deadline=None)

_ring = "landing"
_left_out: Counter[str] = Counter()
_missing = {name for name in LIBRARIES if find_spec(name) is None}


def by_ring(usual: T, *, long: T) -> T:
    """Return the usual number of examples, rounds or players, or `long` in the long ring."""
    return long if _ring == "long" else usual


def only_long(*values: Any) -> list[Any]:
    """More values for a test's parameter, for the long ring."""
    return [pytest.param(value, marks=pytest.mark.long) for value in values]


def all_if_long(values: Iterable[Any], *usual: Any) -> list[Any]:
    """The values of a test's parameter: some of them are usual, the long ring has all."""
    return [*usual, *only_long(*(value for value in values if value not in usual))]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rings of tests")
    for ring, what in (("quick", "only what is soon done"), ("long", "everything")):
        group.addoption(
            f"--{ring}", action="store_const", const=ring, dest="ring", default="landing", help=what
        )


def pytest_configure(config: pytest.Config) -> None:
    global _ring
    _ring = config.option.ring
    settings.load_profile(_ring)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    here = Path(__file__).parent
    return True if collection_path in map(here.joinpath, NOT_READ[_ring]) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    """Keep the garbage collector from looking at thousands of tests again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    for fixture in getattr(item, "fixturenames", ()):
        if fixture in NEEDS:
            item.add_marker(NEEDS[fixture])


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[Any]:
    """Leave out a file that imports a library which only the other rings install."""
    report: pytest.CollectReport = yield
    if _ring == "quick" and report.failed and _lacks_a_library(report.longreprtext):
        report.outcome, report.longrepr, report.result = "passed", None, []
        _left_out["library"] += 1
    return report


def _lacks_a_library(trouble: str) -> bool:
    """Python says which one is missing; our own modules say how to install it."""
    hint = "DuelsError" in trouble and "pip install" in trouble
    return hint or any(f"No module named '{name}" in trouble for name in _missing)


@pytest.hookimpl(trylast=True)  # behind -k and -m, so that only what was asked for is counted
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kept, left = [], []
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        if "COVERAGE_RUN" in os.environ and item.name.partition("[")[0] in UNMEASURED:
            left.append(item)
        elif why := next((mark for mark in MARKS if mark in marks & LEFT_OUT[_ring]), None):
            left.append(item)
            _left_out[why] += 1
        else:
            kept.append(item)
            if marks & WAITING and config.pluginmanager.hasplugin("rerunfailures"):
                item.add_marker(pytest.mark.flaky(reruns=1))
    items[:] = kept
    if left:
        config.hook.pytest_deselected(items=left)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(_left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every worker collects the same tests: what one of them left out is the whole."""
    _left_out.update(getattr(node, "workeroutput", {}).get("left_out", {}) if not _left_out else {})


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if _left_out:
        told = ", ".join(f"{_left_out[mark]} {MARKS[mark]}" for mark in MARKS if _left_out[mark])
        if NOT_READ[_ring]:
            told += f", and all of {listed(NOT_READ[_ring])}"
        more = " (scripts/test has all but the long ones)" if _ring == "quick" else ""
        terminalreporter.write_line(f"Left out: {told}{more}; scripts/test --long has everything.")
