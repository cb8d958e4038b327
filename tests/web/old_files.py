"""Writes files of this version into tests/old: PYTHONPATH=tests python tests/web/old_files.py

Run it once for each release; never edit what it wrote. Later versions must read these files, or
reject them with a sentence (test_web_old_files.py).
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import tempfile
from pathlib import Path

from servers import friends, serving

import duels
from duels.cli import main
from duels.match.match import Match, Seat, new_match
from duels.match.records import write_json, write_text
from duels.match.saved_games import SavedGames
from duels.server.config import Config
from duels.theory.verdict import verdict_data

OLD = Path(__file__).parents[1] / "old"
GAMES = [*(kind.usual().small() for kind in duels.GAMES.values())]
NAMES = ("Mia", "Ben")


def matches() -> list[Match]:
    """One finished and one unfinished match of each game, the second against a computer."""
    made = []
    for number, game in enumerate(GAMES):
        rng = random.Random(number)
        finished = new_match(game, NAMES)
        while finished.outcome is None:
            finished = finished.play(rng.choice(finished.position.legal_moves), 1.5)
        seats = (Seat("Mia"), Seat("casual", "casual"))
        begun = new_match(game, seats, time_limit=60, seed=number)
        made += [finished, begun.play(begun.position.legal_moves[0], 2.0)]
    return made


def verdicts() -> list[str]:
    """A won and a lost position of each game, with their proofs."""
    lines = []
    for game in GAMES:
        start = game.start()
        after = [start, *(start.play(move) for move in start.legal_moves)]
        found = {verdict.wins: verdict for verdict in map(duels.solve, after)}
        lines += [json.dumps(verdict_data(found[wins])) for wins in (True, False) if wins in found]
    return lines


def write_database(folder: Path) -> None:
    """A server's database with a match between two people, as SQL, and their tokens."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "web.sqlite3")
        with serving(Config(database=str(file))) as http:
            ann, bob = friends(http)
            assert ann.move(0, 6).status_code == bob.move(1, 3).status_code == 200
        database = sqlite3.connect(file)
        (folder / "web.sql").write_text("\n".join(database.iterdump()) + "\n", encoding="utf-8")
        database.close()
    tokens = {"match": ann.id, "tokens": [ann.token, bob.token]}
    (folder / "seats.json").write_text(json.dumps(tokens) + "\n", encoding="utf-8")


def write(folder: Path) -> None:
    """Write one file of each kind."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for match in matches():
        SavedGames(folder / "games").save(match)
    records = [match for match in matches() if match.outcome]
    (folder / "records.txt").write_text("\n".join(map(write_text, records)), encoding="utf-8")
    (folder / "records.jsonl").write_text("".join(map(write_json, records)), encoding="utf-8")
    (folder / "verdicts.jsonl").write_text("\n".join([*verdicts(), ""]), encoding="utf-8")
    exam = ["exam", "make", "--positions", "10", "--jobs", "1"]
    main([*exam, "--out", str(folder / "exam")], standalone_mode=False)
    write_database(folder)
    for extra in (*folder.rglob("*.parquet"), *folder.rglob(".*")):
        extra.unlink()


if __name__ == "__main__":
    write(OLD / duels.__version__)
