"""The layer below the framework: a host in memory answers as the server does."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest
from servers import Seat, create

from duels.service.hosted import choose_move
from duels.site.local import LocalServices, MemoryStore

NEW = {"game": "sequence-duel", "mode": "here", "options": {"numbers": 20}, "names": ["Ann", "Bob"]}
PER_MATCH = {"id", "clock", "watching", "seconds"}
QUESTIONS = [
    ("GET", "/api/games", None),
    ("GET", "/api/rules/number-duel", None),
    ("GET", "/api/rules/chess", None),
    ("POST", "/api/solve", {"game": "number-line-duel", "moves": ["5-6", "8"]}),
    ("POST", "/api/solve", {"game": "number-line-duel", "moves": ["11"]}),
    ("POST", "/api/solve", {"game": "number-line-duel", "moves": ["x"]}),
    ("POST", "/api/solve", {"game": "divisor-duel", "options": {"divisor": 2.5}}),
    ("POST", "/api/solve", {"moves": []}),
    ("POST", "/api/solve", [1]),
    ("GET", "/api/picture.svg?game=sequence-duel&moves=6.3&numbers=20", None),
    ("GET", "/api/picture.svg?game=sequence-duel&numbers=0", None),
    ("GET", "/api/matches/nothinghere", None),
    ("POST", "/api/matches", {**NEW, "mode": "alone"}),
    ("POST", "/api/matches", {**NEW, "colour": "red"}),
]


def ask(services, method, path, body=None, secret=None):
    content = b"" if body is None else json.dumps(body).encode()
    return asyncio.run(services.request(method, path, content, secret))


@pytest.mark.parametrize(("method", "path", "body"), QUESTIONS)
def test_memory_and_server_answer_alike(http, method, path, body):
    here = ask(LocalServices(), method, path, body)
    there = http.request(method, path, json=body)
    assert (here.status, here.media_type) == (
        there.status_code,
        there.headers["content-type"].partition(";")[0],
    )
    assert here.content == there.content


def test_a_match_in_memory_runs_as_on_the_server(http):
    services = LocalServices()
    made = json.loads(ask(services, "POST", "/api/matches", NEW).content)
    there = create(http, "sequence-duel", "here", names=["Ann", "Bob"], options={"numbers": 20})
    server = Seat(http, there["id"], there["token"])
    path = f"/api/matches/{made['id']}"
    steps = [("moves", {"ply": ply, "move": move}) for ply, move in enumerate(("6", "3", "9"))]
    steps += [
        ("moves", {"ply": 2, "move": "9"}),  # again
        ("moves", {"ply": 1, "move": "12"}),  # too late
        ("moves", {"ply": 3, "move": "7"}),
        ("takeback", {"ply": 3}),
        ("resign", {}),
        ("resign", {}),
    ]
    for step, body in steps:
        here = ask(services, "POST", f"{path}/{step}", body, made["token"])
        said = server.post(step, **body)
        assert here.status == said.status_code
        one, two = json.loads(here.content), said.json()
        for state in (one, two, one.get("state", {}), two.get("state", {})):
            for name in PER_MATCH:
                state.pop(name, None)
        assert one == two
    assert ask(services, "GET", f"{path}/review").status == 200
    assert ask(services, "POST", f"{path}/moves", {"ply": 0, "move": "1"}).status == 401


def test_the_computer_moves_in_memory_too():
    async def choose(match):
        return choose_move(match)

    services = LocalServices()
    made = json.loads(ask(services, "POST", "/api/matches", {**NEW, "mode": "computer"}).content)
    path = f"/api/matches/{made['id']}"
    ask(services, "POST", f"{path}/moves", {"ply": 0, "move": "6"}, made["token"])
    asyncio.run(services.matches.act(made["id"], choose))
    assert json.loads(ask(services, "GET", path).content)["ply"] == 2


def test_a_change_that_could_not_be_saved_did_not_happen():
    async def full(changed):
        raise OSError("no space left")

    store = MemoryStore()
    services = LocalServices(store)
    made = json.loads(ask(services, "POST", "/api/matches", NEW).content)
    store._save = full
    services.matches.publish = lambda topic, version, data: pytest.fail("published")
    path = f"/api/matches/{made['id']}"
    with pytest.raises(OSError, match="no space"):
        ask(services, "POST", f"{path}/moves", {"ply": 0, "move": "6"}, made["token"])
    assert json.loads(ask(services, "GET", path).content)["ply"] == 0


def test_the_state_is_composed_once_and_before_the_change_is_saved():
    composed, before_saving = [], []

    async def save(changed):
        before_saving.append(len(composed))

    services = LocalServices(MemoryStore(save))
    made = json.loads(ask(services, "POST", "/api/matches", NEW).content)
    compose = services.matches._state
    services.matches._state = lambda found: composed.append(found.hosted.ply) or compose(found)
    path = f"/api/matches/{made['id']}/moves"
    moved = ask(services, "POST", path, {"ply": 0, "move": "6"}, made["token"])
    assert json.loads(moved.content)["ply"] == 1
    assert (composed, before_saving) == ([1], [0, 1])


def test_it_needs_no_framework_and_no_database():
    foreign = "sqlalchemy", "starlette", "click"
    code = f"import sys, duels.service.routes; print({{*{foreign}}} & sys.modules.keys())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
