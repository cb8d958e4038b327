"""The server goes away and comes back: nothing is lost, and the pages find it again."""

from __future__ import annotations

from browser_playing import BANNER, take_any, wait_for_ply, wait_for_turn


def test_pages_reconnect_after_a_kill_and_the_waiting_move_counts_once(site, visit):
    first, second, public = site.friends()
    ann, bob = visit(first), visit(second)
    wait_for_turn(ann)
    take_any(ann)
    wait_for_ply(bob, 1)
    site.kill()
    bob.wait_for_selector(BANNER)
    ann.wait_for_selector(BANNER)
    take_any(bob)
    bob.wait_for_selector(".banner:has-text('is saved')")
    site.start()
    for page in (ann, bob):
        page.wait_for_selector(BANNER, state="detached", timeout=15_000)
        wait_for_ply(page, 2)
    state = site.call("GET", f"/api/matches/{public.removeprefix('/m/')}")
    assert state["ply"] == 2
    assert wait_for_turn(ann)
    take_any(ann)
    wait_for_ply(bob, 3)


def test_what_was_missed_while_offline_is_shown(site, visit):
    first, second, _ = site.friends("number-chain-duel")
    ann, bob = visit(first), visit(second)
    wait_for_turn(ann)
    with bob.expect_response("**/events?role=player"):
        bob.reload()
    bob.context.set_offline(True)
    bob.wait_for_selector(BANNER)
    take_any(ann)
    wait_for_ply(ann, 1)
    bob.context.set_offline(False)
    wait_for_ply(bob, 1)
    bob.wait_for_selector(BANNER, state="detached")
    assert wait_for_turn(bob)


def test_a_page_that_opens_while_the_server_is_away_waits_for_it(site, visit):
    made = site.match()
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    page.route("**/api/matches/*", lambda route: route.abort())
    page.reload()
    page.wait_for_selector(BANNER)
    page.unroute("**/api/matches/*")
    assert wait_for_turn(page)
    page.wait_for_selector(BANNER, state="detached")


def test_without_a_stream_the_page_polls_the_state(site, visit):
    first, second, _ = site.friends()
    ann, bob = visit(first), visit("/readyz")
    bob.route("**/events", lambda route: route.fulfill(status=429))
    bob.goto(site.address + second)
    bob.wait_for_selector(".board")
    wait_for_turn(ann)
    take_any(ann)
    wait_for_ply(bob, 1)
    assert bob.locator(BANNER).count() == 0
