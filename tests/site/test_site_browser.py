"""Python in a page's worker, without the page: a disk in memory replaces the browser's."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import msgspec
import pytest

from duels.service.matches import document, read_document
from duels.site.browser import BrowserService

NEW = {"game": "sequence-duel", "mode": "computer", "options": {"numbers": 20}}


class Disk:
    """Like `database.js`, with a list of the messages to pages."""

    def __init__(self):
        self.kept = {}
        self.news = []
        self.trouble = ""

    async def load(self, match_id):
        found = self.kept.get(match_id)
        return json.dumps(found) if found else None

    async def save(self, documents):
        await asyncio.sleep(0)
        if self.trouble:
            return json.dumps({"trouble": self.trouble})
        read = json.loads(documents)
        newest = {one["id"]: self.kept.get(one["id"]) for one in read}
        if any(
            (newest[one["id"]] or {"version": 0})["version"] != one["version"] - 1 for one in read
        ):
            return json.dumps({"newest": newest})
        self.kept |= {one["id"]: one for one in read}
        return "{}"

    def send(self, news):
        self.news.append(json.loads(news))

    def states(self):
        return [news["state"] for news in self.news if "state" in news]


class Page:
    """Asks as `worker-client.js` does."""

    def __init__(self, disk, start=0):
        self.disk = disk
        self.service = BrowserService(disk, start)

    async def ask(self, method, path, body=None, token=None):
        asked = {"method": method, "path": path.lstrip("/"), "token": token}
        asked |= {} if body is None else {"body": json.dumps(body), "type": "application/json"}
        answer = json.loads(await self.service.handle(json.dumps(asked)))
        return answer["status"], json.loads(answer["content"])

    async def create(self, **more):
        status, made = await self.ask("POST", "/api/matches", NEW | more)
        assert status == 201
        return made["id"], made["token"]

    async def move(self, match_id, token, ply, move):
        path = f"/api/matches/{match_id}/moves"
        return await self.ask("POST", path, {"ply": ply, "move": move}, token)

    async def state(self, match_id):
        return (await self.ask("GET", f"/api/matches/{match_id}"))[1]

    async def until(self, match_id, ply):
        async with asyncio.timeout(10):
            while (state := await self.state(match_id))["ply"] < ply:
                await asyncio.sleep(0.01)
        return state


def run(job):
    return asyncio.run(job(Disk()))


def test_a_match_is_saved_before_its_response_and_found_by_the_next_page():
    async def job(disk):
        match_id, token = await Page(disk).create(mode="here")
        assert disk.kept[match_id]["version"] == 1
        page = Page(disk)
        status, state = await page.move(match_id, token, 0, "6")
        assert (status, state["moves"]) == (200, ["6"])
        assert disk.kept[match_id]["moves"][0][0] == "6"
        assert (await Page(disk).state(match_id))["moves"] == ["6"]

    run(job)


def test_the_computer_moves_by_itself_and_the_page_gets_an_event():
    async def job(disk):
        page = Page(disk)
        match_id, token = await page.create()
        await page.move(match_id, token, 0, "6")
        assert (await page.until(match_id, 2))["to_move"] == 1
        assert [state["ply"] for state in disk.states()] == [1, 2]
        thoughts = [news["thinking"] for news in disk.news if "thinking" in news]
        assert thoughts == [{"match": match_id, "ply": 1, "title": "Sequence Duel"}, None]

    run(job)


def test_a_page_that_was_closed_in_mid_move_shows_the_confirmed_state():
    async def job(disk):
        match_id, token = await Page(disk).create()
        page = Page(disk)
        page.service._act = lambda match_id: None  # closed before the computer has answered
        assert (await page.move(match_id, token, 0, "6"))[0] == 200
        again = Page(disk)
        assert (await again.state(match_id))["moves"] == ["6"]
        first = (await again.until(match_id, 2))["moves"]
        assert first[0] == "6"

    run(job)


def test_a_change_that_cannot_be_saved_did_not_happen_and_says_so():
    async def job(disk):
        page = Page(disk)
        match_id, token = await page.create(mode="here")
        disk.trouble = "There is no room."
        status, said = await page.move(match_id, token, 0, "6")
        assert (status, said["detail"]) == (507, "There is no room.")
        assert (await page.state(match_id))["ply"] == 0
        disk.trouble = ""
        assert (await page.move(match_id, token, 0, "6"))[0] == 200

    run(job)


def test_two_tabs_on_one_match_never_lose_a_move():
    async def job(disk):
        one, two = Page(disk), Page(disk)
        match_id, token = await one.create(mode="here")
        await two.state(match_id)
        assert (await one.move(match_id, token, 0, "6"))[0] == 200
        status, said = await two.move(match_id, token, 0, "12")  # it had seen no move yet
        assert (status, said["detail"]) == (409, "The match is at move 1, not 0.")
        assert said["state"]["moves"] == ["6"]
        assert (await two.move(match_id, token, 1, "3"))[0] == 200
        disk.news.clear()
        await one.service.match_changed(match_id)
        assert [state["moves"] for state in disk.states()] == [["6", "3"]]

    run(job)


def test_two_moves_at_once_in_one_page_are_one_after_the_other():
    async def job(disk):
        page = Page(disk)
        match_id, token = await page.create(mode="here")
        both = [page.move(match_id, token, 0, move) for move in ("6", "4")]
        assert sorted(status for status, _ in await asyncio.gather(*both)) == [200, 409]
        assert len(disk.kept[match_id]["moves"]) == 1

    run(job)


def test_a_clock_continues_where_it_was_and_ends_the_match():
    async def job(disk):
        page = Page(disk)
        match_id, token = await page.create(mode="here", time_limit=60)
        assert page.service.running_clock() >= 0
        await page.move(match_id, token, 0, "6")
        later = Page(disk, start=disk.kept[match_id]["turn_started"] + 59_950)
        assert (await later.state(match_id))["outcome"] is None
        assert later.service.running_clock() > 59_000
        async with asyncio.timeout(5):
            while not disk.kept[match_id]["is_over"]:
                await asyncio.sleep(0.01)
        assert disk.kept[match_id]["ended"][1] == "time"
        assert later.service.running_clock() == 0

    run(job)


def test_a_computer_that_was_stopped_moves_without_thinking(monkeypatch):
    def never(match):
        raise AssertionError("It was told not to think.")

    async def job(disk):
        page = Page(disk)
        match_id, token = await page.create()
        page.service.hurry(match_id, 1)
        monkeypatch.setattr("duels.site.browser.choose_move", never)
        await page.move(match_id, token, 0, "6")
        assert (await page.until(match_id, 2))["ply"] == 2

    run(job)


def test_a_damaged_match_is_a_sentence_and_stays_as_it_is():
    async def job(disk):
        match_id, _ = await Page(disk).create(mode="here")
        disk.kept[match_id]["moves"] = [["7", 1.0], ["8", 1.0]]
        damaged = dict(disk.kept[match_id])
        status, said = await Page(disk).ask("GET", f"/api/matches/{match_id}")
        assert (status, said["detail"]) == (409, "This match is saved, but it is damaged.")
        assert disk.kept[match_id] == damaged

    run(job)


def test_a_document_is_the_match_again():
    async def job(disk):
        page = Page(disk)
        match_id, token = await page.create(mode="here", names=["Ann", "Bob"], time_limit=30)
        for ply, move in enumerate(("6", "3", "9")):
            await page.move(match_id, token, ply, move)
        hosted = page.service.store.matches[match_id]
        kept = json.loads(msgspec.json.encode(document(hosted)))
        assert read_document(kept) == hosted

    run(job)


EMPTY = {"format": "number-duels", "version": 1, "kept": {}, "games": {}, "matches": []}


@pytest.mark.parametrize(
    "change",
    [
        {"moves": [["99", 1.0]]},
        {"moves": [["6"]]},
        {"moves": 5},
        {"seats": [["Ann", ""], [7, ""]]},
        {"seats": [["Ann", ""]]},
        {"options": "{"},
        {"options": {"numbers": -1}},
        {"options": {"numbers": [1]}},
        {"date": "yesterday"},
        {"tokens": [[1, 2, 3, 4, 5]]},
        {"ply": 3},
        {"more": 1},
        {"version": "1"},
        {"form": 2},
    ],
)
def test_a_damaged_export_is_refused(change):
    async def job(disk):
        page = Page(disk)
        match_id, _ = await page.create(mode="here")
        good = EMPTY | {"matches": [disk.kept[match_id]]}
        assert json.loads(page.service.check_export(json.dumps(good)))["matches"]
        bad = good | {"matches": [disk.kept[match_id] | change]}
        told = json.loads(page.service.check_export(json.dumps(bad)))
        assert "match 1 in it is damaged. Nothing was changed." in told["trouble"]

    run(job)


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_an_export_of_another_version_is_refused(version):
    async def job(disk):
        text = json.dumps(EMPTY | {"version": version})
        assert "version" in json.loads(BrowserService(disk).check_export(text))["trouble"]

    run(job)


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", '{"format": "chess"}', "[" * 100_000, '{"format": "number-duels"}']
)
def test_a_file_that_is_not_an_export_is_refused(text):
    async def job(disk):
        told = json.loads(BrowserService(disk).check_export(text))
        assert told["trouble"].startswith("This file cannot be taken over: ")

    run(job)


def test_it_needs_only_the_standard_library_and_msgspec():
    code = (
        "import sys; before = {*sys.modules}; import duels.site.browser; "
        "own = {name.partition('.')[0] for name in {*sys.modules} - before}; "
        "allowed = {'duels', 'msgspec', 'typing_extensions'} | sys.stdlib_module_names; "
        "print(sorted(own - allowed))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
