"""The server's site as an app: it says when it is offline, and notifies a player who looks away."""

from __future__ import annotations

import re

from browser_playing import open_menu, take_any, wait_for_ply, wait_for_turn

ACTIVE = "() => navigator.serviceWorker.ready.then((found) => found.active.state === 'activated')"
NOTIFY = "text=Notify me when it is my turn"
PRETEND = """(permission) => {
  window.notified = [];
  let current = "default";
  Notification.requestPermission = async () => (current = permission);
  Object.defineProperty(Notification, "permission", { get: () => current });
  const show = (title, { body, tag }) => notified.push([title, body, tag]);
  ServiceWorkerRegistration.prototype.showNotification = show;
}"""
"""A browser without a window has no notifications."""
LOOK_AWAY = "Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })"


def test_without_the_server_there_is_one_page_that_says_so_and_leads_back(site, visit):
    page = visit("/learn")
    page.wait_for_function(ACTIVE)
    site.kill()
    page.goto(f"{site.address}/learn/number-duel#seat=kept")
    assert page.locator("h1").inner_text() == "No connection"
    site.start()
    page.click("text=Try again")
    page.wait_for_selector("h1:has-text('Number Duel')")
    assert page.url.endswith("/learn/number-duel#seat=kept")


def test_a_page_and_a_response_are_never_those_of_an_earlier_visit(site, visit):
    created = site.match("sequence-duel")
    page = visit(f"/m/{created['id']}")
    page.wait_for_function(ACTIVE)
    site.call(
        "POST", f"/api/matches/{created['id']}/moves", {"ply": 0, "move": "6"}, created["token"]
    )
    page.goto(f"{site.address}/m/{created['id']}")
    wait_for_ply(page, 1)
    assert page.evaluate("() => caches.keys()") == []


def test_a_player_who_looks_away_is_notified_of_the_turn(site, visit):
    first, second, public = site.friends()
    ann, bob = visit(first), visit(second)
    wait_for_turn(ann)
    bob.evaluate(PRETEND, "granted")
    bob.wait_for_function(ACTIVE)
    open_menu(bob)
    bob.click(NOTIFY)
    bob.evaluate(LOOK_AWAY)
    take_any(ann)
    bob.wait_for_function("() => notified.length")
    [[title, body, tag]] = bob.evaluate("notified")
    assert title == "Your turn in Sequence Duel"
    assert re.fullmatch(r"Ann took \d+\.", body)
    assert tag == public.removeprefix("/m/")


def test_nothing_is_notified_unless_it_is_wanted_allowed_and_out_of_view(site, visit):
    first, second, _ = site.friends()
    ann, bob = visit(first), visit(second)
    wait_for_turn(ann)
    for page in (ann, bob):
        page.evaluate(PRETEND, "granted" if page is ann else "denied")
        page.wait_for_function(ACTIVE)
        open_menu(page)
        page.click(NOTIFY)
    bob.wait_for_selector("text=does not allow this site")
    assert not bob.get_by_label("Notify me when it is my turn").is_checked()
    bob.evaluate(LOOK_AWAY)
    ann.keyboard.press("Escape")
    take_any(ann)
    wait_for_ply(bob, 1)
    bob.keyboard.press("Escape")
    take_any(bob)
    wait_for_ply(ann, 2)
    assert [page.evaluate("notified") for page in (ann, bob)] == [[], []]


def test_against_the_computer_no_notification_is_offered(site, visit):
    created = site.match("sequence-duel", "computer", first=1)
    page = visit(f"/m/{created['id']}#seat={created['token']}")
    wait_for_turn(page)
    open_menu(page)
    assert page.locator(NOTIFY).is_hidden()
