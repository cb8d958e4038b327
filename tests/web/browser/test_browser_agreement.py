"""Takebacks, resigning, rematches and hints on the page."""

from __future__ import annotations

from browser_playing import OVER, play_out, status, take, take_any, wait_for_ply, wait_for_turn


def test_a_takeback_between_people_needs_consent(site, visit):
    first, second, _ = site.friends()
    ann, bob = visit(first), visit(second)
    wait_for_turn(ann)
    take(ann, "6")
    ann.click("text=Ask to take back 6")
    bob.wait_for_selector(".call:has-text('6')")
    bob.click("text=Refuse")
    ann.wait_for_selector("text=Ask to take back 6")
    wait_for_ply(ann, 1)
    ann.click("text=Ask to take back 6")
    bob.click("text=Agree")
    wait_for_ply(ann, 0)
    wait_for_ply(bob, 0)
    assert wait_for_turn(ann)


def test_against_the_computer_a_takeback_takes_both_moves(site, visit):
    made = site.match("number-duel", "computer", level="novice", options={"numbers": 60})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    take(page, "12")
    wait_for_ply(page, 2)
    page.click("text=Take back 12")
    wait_for_ply(page, 0)
    assert site.call("GET", f"/api/matches/{made['id']}")["moves"] == []


def test_resigning_asks_once_more(site, visit):
    first, second, _ = site.friends()
    ann, bob = visit(first), visit(second)
    ann.click("text=Resign")
    ann.click("text=Keep playing")
    ann.click("text=Resign")
    ann.click("text=Yes, resign")
    bob.wait_for_selector(OVER)
    assert status(bob).startswith("Ann resigned.")
    assert "Bob wins" in status(bob)


def test_rematch_swaps_the_sides_and_both_pages_follow(site, visit):
    first, second, public = site.friends("number-chain-duel")
    ann, bob, spectator = visit(first), visit(second), visit(public)
    play_out(ann, bob)
    ann.wait_for_selector(".review-controls")
    ann.click("text=Rematch, sides swapped")
    for page in (ann, bob, spectator):
        page.wait_for_function("old => !location.pathname.startsWith(old)", arg=public)
        page.wait_for_selector(".player-1 >> text=Bob")
    assert ann.url.split("#")[0] == bob.url.split("#")[0] == spectator.url
    assert wait_for_turn(bob)
    take_any(bob)
    wait_for_ply(ann, 1)
    assert wait_for_turn(ann)


def test_hints_come_one_stage_at_a_time(site, visit):
    made = site.played("sequence-duel", "6", "3", options={"numbers": 20})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    for asked, answer in (
        ("Can I win?", "You can win from here."),
        ("Where should I look?", "Which number can you take so that every answer has a partner?"),
        ("Which moves win?", "Three of five moves win: 9, 12 and 15."),
        ("Why?", "Take 15."),
    ):
        page.click(f".hint-panel button:has-text('{asked}')")
        page.wait_for_selector(f".hints li:has-text('{answer}')")
    assert page.locator(".hint-panel button").is_hidden()
    take(page, "9")
    wait_for_ply(page, 3)
    assert page.locator(".hints li").count() == 0


def test_a_damaged_link_does_not_cost_the_seat(site, visit):
    made = site.match("sequence-duel", "computer", level="novice", options={"numbers": 20})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    page.goto("about:blank")
    page.goto(f"{site.address}/m/{made['id']}#seat=broken")
    assert wait_for_turn(page), "the seat that was kept here is still ours"
    stranger = visit(f"/m/{made['id']}#seat=broken")
    stranger.wait_for_selector("text=This link opens no seat here. You are watching.")
    assert stranger.locator("text=Copy my link").count() == 0


def test_links_can_be_copied(site, visit):
    first, _, public = site.friends()
    page = visit(first, permissions=["clipboard-read", "clipboard-write"])
    page.click("text=Copy link to watch")
    page.wait_for_selector("text=Copied")
    assert page.evaluate("navigator.clipboard.readText()") == site.address + public
    page.click("text=Copy my link for another device")
    page.wait_for_function(
        "link => navigator.clipboard.readText().then(text => text === link)",
        arg=site.address + first,
    )
