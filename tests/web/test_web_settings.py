"""Headers, static files, settings, and the removal of abandoned matches."""

from __future__ import annotations

import sqlite3

import pytest
from servers import Seat, assert_problem, create, serving, wait_for

import duels
from duels.server import background
from duels.server.config import Config, from_environment, to_environment


def test_every_answer_has_the_security_headers(http):
    for path in ("/", "/api/games", "/nothing", "/static/nothing"):
        headers = http.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("page", ["/", "/analysis", "/learn", "/learn/sequence-duel"])
def test_pages_are_compressed_and_cached(http, page):
    first = http.get(page)
    assert first.status_code == 200
    assert first.headers["content-encoding"] == "gzip"
    again = http.get(page, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["../app.py", "..%2fapp.py", "%2e%2e/config.py", "/etc/passwd"])
def test_only_static_files_are_served(http, name):
    assert http.get(f"/static/{name}").status_code == 404


def test_limits_on_new_matches(tmp_path):
    config = Config(database=str(tmp_path / "few.sqlite3"), max_matches=3)
    with serving(config) as http:
        for _ in range(3):
            create(http)
        refused = http.post("/api/matches", json={"game": "number-duel", "mode": "here"})
        assert_problem(refused, 429)
        assert int(refused.headers["retry-after"]) > 0


def test_settings_travel_to_another_process_by_the_environment():
    config = Config(abandoned_days=0.5, max_matches=3)
    assert from_environment(to_environment(config)) == config


@pytest.mark.parametrize("days", ["0", "-1", "nan", "inf", "soon"])
def test_a_setting_that_makes_no_sense_is_refused(days):
    with pytest.raises(duels.OptionError, match="DUELS_FINISHED_DAYS must be a number"):
        from_environment({"DUELS_FINISHED_DAYS": days})


@pytest.mark.slow
def test_abandoned_matches_are_cleaned_up(tmp_path, monkeypatch):
    monkeypatch.setattr(background, "CLEAN_UP_SECONDS", 0.2)
    file = tmp_path / "old.sqlite3"
    with serving(Config(database=str(file), abandoned_days=0.5 / 86_400)) as http:
        old = create(http)["id"]
        finished = create(http, "sequence-duel", "here")
        Seat(http, finished["id"], finished["token"]).post("resign")
        database = sqlite3.connect(file, isolation_level=None)
        marked = "SELECT COUNT(marked) FROM matches"
        wait_for(lambda: database.execute(marked).fetchone() == (1,), 10)
        assert http.get(f"/api/matches/{old}").status_code == 200
        database.execute("UPDATE clock SET served = served + 86400000")
        database.execute("UPDATE matches SET expires = 0 WHERE marked > 0")
        database.close()
        wait_for(lambda: http.get(f"/api/matches/{old}").status_code == 404, 10)
        assert http.get(f"/api/matches/{finished['id']}").status_code == 200
