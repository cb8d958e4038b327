"""Nothing that runs in a page imports a module that is not packed for it."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from duels.site.runtime import FIRST, FOR_OWN_GAMES, IMPORTED_LATE, imports_of

IMPORTED_BY_C = {"strptime": "_strptime"}
"""Methods written in C that import a module of the standard library when they are called."""

PAGE = """
import importlib, json, sys
for name in {names!r}:
    importlib.import_module(name)  # as `packing.py` does: what is loaded now is packed

late = []
class Noting:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in sys.stdlib_module_names:
            late.append(name)
sys.meta_path.insert(0, Noting())

import asyncio
from duels.site.browser import BrowserService, add_game, check_export

class Disk:
    matches = {{}}
    async def load(self, match_id):
        return json.dumps(self.matches[match_id]) if match_id in self.matches else None
    async def save(self, documents):
        self.matches |= {{one["id"]: one for one in json.loads(documents)}}
        return "{{}}"
    def send(self, event):
        pass

async def page():
    disk = Disk()
    service = BrowserService(disk)
    statuses = {{}}
    async def ask(method, path, body=None, token=None, **more):
        sent = body if isinstance(body, str) else json.dumps(body or {{}})
        request = {{"method": method, "path": path, "body": sent, "token": token, **more}}
        response = json.loads(await service.handle(json.dumps(request)))
        statuses[method + " " + path] = response["status"]
        is_json = "json" in response["headers"]["Content-Type"] and response["status"] < 300
        return json.loads(response["content"]) if is_json else response["content"]
    line = {{"game": "sequence-duel", "options": {{"numbers": 20}}, "moves": ["6", "3"]}}
    games = await ask("GET", "api/games")
    for game in games["games"]:
        lesson = "api/lessons/" + game["game"]
        await ask("GET", "api/rules/" + game["game"])
        await ask("GET", lesson + "/hint?step=1")
        step = (await ask("GET", lesson))["steps"][0]
        answer = (step["choices"] or step["position"]["legal"])[0]
        await ask("POST", lesson + "/answer", {{"step": 1, "answer": answer}})
        await ask("GET", "api/puzzle?game=" + game["game"])
        for folder in ("learn/", "play/", "print/rules/", "print/plan/"):
            await ask("GET", folder + game["game"])
    for path in ("learn", "print", "print/lines", "print/board/24", "print/puzzles/divisor-duel/1"):
        await ask("GET", path)
    await ask("POST", "api/solve", line)
    await ask("GET", "api/picture.svg?game=sequence-duel&numbers=20&moves=6.3")
    await ask("POST", "api/strength", {{"strength": 25, "games": 1, "won": True}})
    await ask("GET", "api/daily/2027-01-31")
    await ask("POST", "api/daily/2027-01-31/share", {{"today": "2027-01-31", "is_solved": True}})
    await ask("POST", "api/puzzle/try", line)
    await ask("POST", "api/puzzle/hint", line)
    new = {{"game": "sequence-duel", "options": {{"numbers": 20}}}}
    made = await ask("POST", "api/matches", new | {{"mode": "computer", "time_limit": 60}})
    match, token = "api/matches/" + made["id"], made["token"]
    await ask("GET", match + "/hint", token=token)
    await ask("POST", match + "/moves", {{"ply": 0, "move": 6}}, token)
    while (await ask("GET", match))["ply"] < 2:
        await asyncio.sleep(0.01)
    await ask("POST", match + "/takeback", {{"ply": 2}}, token)
    await ask("POST", match + "/resign", token=token)
    await ask("GET", match + "/review")
    await ask("GET", match + "/picture.svg?ply=0")
    record = await ask("GET", match + "/record?format=text")
    records = await ask("POST", "api/records", record, type="text/plain")
    assert records["matches"] and not records["problems"], records
    await ask("POST", "api/reviews", record, type="text/plain")
    await ask("POST", match + "/rematch", token=token)
    service = BrowserService(disk)
    await ask("GET", match + "?again")
    export = {{"format": "number-duels", "version": 1, "kept": {{}}, "games": {{}},
               "matches": [*disk.matches.values()]}}
    assert "trouble" not in check_export(json.dumps(export))
    assert "trouble" in add_game("broken.py", "1 / 0")
    wrong = {{path: status for path, status in statuses.items() if status not in (200, 201)}}
    return {{"late": late, "wrong": wrong}}

print(json.dumps(asyncio.run(page())))
"""


@cache
def packed() -> tuple[list[str], dict[str, Path]]:
    """The modules of the standard library, and the files of the others by name."""
    found = imports_of(*FIRST)
    return sorted({*found.standard, *FOR_OWN_GAMES, *IMPORTED_LATE}), found.files


def test_a_page_imports_nothing_late_that_is_not_packed():
    standard, files = packed()
    script = PAGE.format(names=[*standard, *files])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"late": [], "wrong": {}}


@pytest.mark.parametrize(("method", "module"), IMPORTED_BY_C.items())
def test_what_c_imports_when_it_is_called_is_packed(method, module):
    standard, files = packed()
    users = [
        name for name, path in files.items() if f".{method}(" in path.read_text(encoding="utf-8")
    ]
    assert module in standard or users == []
