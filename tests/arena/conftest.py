"""Reports without charts, which take most of the time of a small tournament."""

from __future__ import annotations

import pytest


@pytest.fixture
def charts() -> None:
    """Draw the charts of reports in this test."""


@pytest.fixture(autouse=True)
def no_charts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "charts" not in request.fixturenames:
        monkeypatch.setattr("duels.lab.reports.has_charts", lambda: False)
