"""Files of every released version are read: tests/old has them, as `old_files.py` wrote them."""

from __future__ import annotations

import json
import sqlite3

import old_files
import pytest
from servers import Seat, serving

import duels
from duels.lab.exam.dataset import read_exam
from duels.match.match import Match
from duels.match.records import read_records
from duels.match.saved_games import SavedGames
from duels.server.config import Config
from duels.server.database import Database
from duels.theory.verdict import read_verdict

pytestmark = pytest.mark.slow

VERSIONS = sorted(old_files.OLD.iterdir())


@pytest.fixture(params=VERSIONS, ids=lambda folder: folder.name)
def old(request):
    return request.param


def test_saved_games_can_be_continued(old):
    found = [*SavedGames(old / "games").all()]
    assert [one for one in found if not isinstance(one, Match)] == []
    assert {match.game.id for match in found if match.outcome is None} == duels.GAMES.keys()
    assert {match.game.id for match in found if match.outcome} == duels.GAMES.keys()


@pytest.mark.parametrize("name", ["records.txt", "records.jsonl"])
def test_records_are_read(old, name):
    found = [*read_records(old / name)]
    assert [one for one in found if not isinstance(one, Match)] == []
    assert [match.game.id for match in found] == [*duels.GAMES]
    assert all(match.outcome and match.names == old_files.NAMES for match in found)


def test_proofs_are_accepted(old):
    lines = (old / "verdicts.jsonl").read_text("utf-8").splitlines()
    verdicts = [read_verdict(json.loads(line)) for line in lines]
    assert {verdict.position.game.id for verdict in verdicts} == duels.GAMES.keys()
    for verdict in verdicts:
        duels.check(verdict)


def test_an_exam_is_read(old):
    exam = read_exam(old / "exam")
    assert len(exam.items([*exam.manifest.splits], None)) == 10


def read_database(old, file):
    database = sqlite3.connect(file)
    database.executescript((old / "web.sql").read_text("utf-8"))
    database.close()


def schema(file):
    database = sqlite3.connect(file)
    version = database.execute("SELECT version FROM schema_version").fetchone()
    found = database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    database.close()
    return version, {" ".join(text.split()) for (text,) in found}


def test_a_change_of_a_table_has_a_new_schema_version(old, tmp_path):
    read_database(old, tmp_path / "old")
    database = Database(f"sqlite:///{tmp_path / 'new'}")
    database.prepare()
    database.close()
    then, now = schema(tmp_path / "old"), schema(tmp_path / "new")
    assert then[0] != now[0] or then[1] == now[1]


def test_a_database_is_served(old, tmp_path):
    file = tmp_path / "web.sqlite3"
    read_database(old, file)
    saved = json.loads((old / "seats.json").read_text("utf-8"))
    with serving(Config(database=str(file))) as http:
        ann, bob = (Seat(http, saved["match"], token) for token in saved["tokens"])
        assert ann.state()["moves"] == ["6", "3"]
        assert ann.move(2, 12).status_code == 200
        assert bob.state()["ply"] == 3
