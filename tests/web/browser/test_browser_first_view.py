"""The first view of a page on a phone: nothing moves while it is being filled."""

from __future__ import annotations

import json

import pytest

from rings import all_if_long, by_ring

PHONE = {"wide": 390, "high": 844, "is_first": True}
MOST_SHIFT = 0.05
SHIFT = """() => new Promise((resolve) => {
  let [shift, moved] = [0, []];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      shift += value;
      moved.push(...sources.map(({ node }) => `${node?.nodeName}.${node?.className}`));
    }
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve([shift, moved]), 500);
})"""
"""Adds up the shifts since the page was opened; the observer gets them a little later."""
PAGES = {
    "/": ".hero .primary:enabled",
    "/play/number-duel": ".setup .button.primary",
    "/puzzle": ".board .tile.legal",
    "/daily": ".board .tile.legal",
    "/learn": ".card .preview .number",
    "/learn/number-duel": ".lesson-area .tile",
    "/analysis": ".board .tile.win, .board .tile.lose",
    "/me": "h1",
    "/class": ".code-field",
}


def assert_still(page, ready):
    page.wait_for_selector(ready)
    shift, moved = page.evaluate(SHIFT)
    assert shift < MOST_SHIFT, moved


@pytest.mark.parametrize("path", all_if_long(PAGES, "/", "/play/number-duel", "/learn/number-duel"))
def test_nothing_moves_while_a_page_is_filled(visit, path):
    assert_still(visit(path, **PHONE), PAGES[path])


def test_nothing_moves_in_the_lobby_of_a_player_with_open_games(visit, site):
    page = visit("/readyz", **PHONE)
    for _ in range(2):
        match = site.match("number-duel", "computer", options={}, first=1)
        seat = json.dumps({"token": match["token"], "you": [1]})
        page.evaluate("item => localStorage.setItem(...item)", [f"duels.seat.{match['id']}", seat])
    page.goto(f"{site.address}/")
    assert_still(page, ".own a.match-row >> nth=1")


def test_nothing_moves_while_a_match_or_its_review_is_opened(visit, site):
    playing = site.match("number-duel", "computer", options={}, first=1)
    over = site.played("number-duel", "6", "12", "24", options={})
    site.call("POST", f"/api/matches/{over['id']}/resign", {}, over["token"])
    seat = f"/m/{playing['id']}#seat={playing['token']}"
    assert_still(visit(seat, **PHONE), ".my-turn .tile.legal")
    assert_still(visit(f"/m/{over['id']}", **PHONE), ".strip-step")


def test_nothing_moves_on_the_page_of_a_teacher(visit, site):
    taught = site.call("POST", "/api/classes", {})
    page = visit(f"/class/{taught['code']}#teacher={taught['token']}", **PHONE)
    page.wait_for_selector(".qr[src]")
    assert_still(page, "main select")


def test_little_moves_in_the_waiting_room_of_a_pupil(visit, site):
    taught = site.call("POST", "/api/classes", {})
    path, own = f"/api/classes/{taught['code']}", "the-token-of-ada-on-this-device"
    plan = {"game": "sequence-duel", "options": {"numbers": 40, "opening": "even"}}
    site.call("POST", f"{path}/plan", plan, taught["token"])
    for name, token in {"Ada": own, **{f"Kid {n}": f"{n:032}" for n in range(11)}}.items():
        site.call("POST", f"{path}/join", {"name": name, "token": token})
    page = visit("/readyz", **PHONE)
    stored = [f"duels.class.{taught['code']}", json.dumps({"pupil": own, "at": 0})]
    page.evaluate("item => localStorage.setItem(...item)", stored)
    page.goto(f"{site.address}/class/{taught['code']}")
    assert_still(page, ".people ~ *, .board-preview .tile")


def test_the_list_of_games_is_in_the_page_and_not_requested(visit, site):
    before = site.requests().count("/api/games")
    for path in by_ring(("/", "/play/number-duel", "/analysis"), long=PAGES):
        visit(path).wait_for_selector(PAGES[path])
    assert site.requests().count("/api/games") == before
