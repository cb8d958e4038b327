"""Takebacks, resigning, rematches and hints on the page."""

from __future__ import annotations

from browser_playing import (
    OVER,
    open_menu,
    play_out,
    status,
    take,
    take_any,
    wait_for_ply,
    wait_for_turn,
)


def test_a_takeback_between_people_needs_consent(site, visit):
    first, second, _ = site.friends()
    ann, bob = visit(first), visit(second)
    wait_for_turn(ann)
    take(ann, "6")
    ann.click("[aria-label='Ask to take back 6']")
    ann.wait_for_selector(".status:has-text('You asked to take back 6. No answer yet.')")
    bob.wait_for_selector(".status:has-text('Ann asks to take back 6.')")
    bob.click("text=Refuse")
    ann.wait_for_selector(".status:has-text('Bob refused: the move stays.')")
    ann.wait_for_selector(".unseen:has-text('Bob refused: the move stays.')", state="attached")
    wait_for_ply(ann, 1)
    ann.click("text=Take back 6")
    ann.click("text=Withdraw")
    bob.wait_for_selector("text=Agree", state="detached")
    ann.wait_for_selector("text=Take back 6")
    assert status(ann) == "Bob is thinking."
    ann.click("text=Take back 6")
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


def test_resigning_needs_confirmation(site, visit):
    first, second, _ = site.friends()
    ann, bob = visit(first), visit(second)
    open_menu(ann)
    ann.click("text=Resign")
    ann.click("text=Keep playing")
    ann.click("text=Resign")
    ann.click("text=Yes, resign")
    bob.wait_for_selector(OVER)
    assert (status(bob), bob.inner_text(".why")) == ("You win.", "Ann resigned.")
    ann.wait_for_selector(OVER)
    assert (status(ann), ann.inner_text(".why")) == ("You lose.", "You resigned.")


def test_a_rematch_is_offered_and_accepted(site, visit):
    first, second, public = site.friends("number-chain-duel")
    ann, bob, spectator, reader = visit(first), visit(second), visit(public), visit(public)
    play_out(ann, bob)
    reader.click("text=Review")
    reader.wait_for_selector(".review-controls:visible")
    ann.click("text='Rematch'")
    ann.wait_for_selector(".challenge:has-text('You offered a rematch. No answer yet.')")
    for page in (bob, spectator):
        page.wait_for_selector(".challenge:has-text('Ann offers a rematch.')")
        page.wait_for_selector("[role=status]:has-text('Ann offers a')", state="attached")
    bob.click("text='Not now'")
    ann.wait_for_selector(".why:has-text('Bob does not want a rematch now.')")
    ann.wait_for_selector("[role=status]:has-text('Bob does not want')", state="attached")
    assert bob.url.endswith(public)
    bob.click("text='Rematch'")
    ann.click("text='Accept'")
    for page in (ann, bob, spectator):
        page.wait_for_selector(".player-1 >> text=Bob")
        page.wait_for_selector(".player .player-note:has-text('1 win')")
    assert ann.url == bob.url == spectator.url
    reader.wait_for_selector(".challenge:has-text('There is a rematch.')")
    assert reader.url.endswith(public), "who reads the review is not torn away from it"
    reader.click("text='Watch it'")
    reader.wait_for_url(ann.url)
    assert wait_for_turn(bob)
    take_any(bob)
    wait_for_ply(ann, 1)
    assert wait_for_turn(ann)


def test_hints_come_one_stage_at_a_time(site, visit):
    made = site.played("sequence-duel", "6", "3", options={"numbers": 20})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    page.click(".bar >> text=Hint")
    page.wait_for_selector(".hints li:has-text('You can win from here.')")
    for asked, answer in (
        ("Where should I look?", "Which number can you take so that every answer has a partner?"),
        ("Which moves win?", "Three of five moves win: 9, 12 and 15."),
        ("Why?", "Take 15."),
    ):
        page.click(f".hint-panel button:has-text('{asked}')")
        page.wait_for_selector(f".hints li:has-text('{answer}')")
    assert page.locator(".hint-panel .wide").is_hidden()
    take(page, "9")
    wait_for_ply(page, 3)
    assert page.locator(".hints li").count() == 0


def test_on_a_phone_each_hint_is_in_view_and_covers_no_button(site, visit):
    made = site.played("divisor-duel", options={"divisor": 7})
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=390, high=844)
    page.wait_for_selector(".side h2:text-is('How to play')")
    covers_none = """() => document.querySelector('.bar').getBoundingClientRect().bottom
        <= document.querySelector('.hint-panel').getBoundingClientRect().top"""
    page.click(".bar >> text=Hint")
    for stage in range(1, 4):
        page.wait_for_selector(f".hints li:nth-child({stage})")
        assert page.eval_on_selector(
            ".hints li:last-child",
            "node => node.getBoundingClientRect().bottom <= innerHeight && node.offsetHeight > 0",
        )
        page.wait_for_function(covers_none)
        page.click(".hint-panel .wide")


def test_a_damaged_link_does_not_cost_the_seat(site, visit):
    made = site.match("sequence-duel", "computer", level="novice", options={"numbers": 20})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    page.goto("about:blank")
    page.goto(f"{site.address}/m/{made['id']}#seat=broken")
    assert wait_for_turn(page), "the seat that was kept here is still ours"
    stranger = visit(f"/m/{made['id']}#seat=broken")
    stranger.wait_for_selector("text=This link opens no seat here. You are watching.")
    assert stranger.locator("text=Play on another device").is_hidden()
    assert stranger.locator("text=Resign").is_hidden()


def test_links_can_be_copied(site, visit):
    first, _, public = site.friends()
    page = visit(first, permissions=["clipboard-read", "clipboard-write"])
    open_menu(page)
    page.click("text=Copy link to watch")
    page.wait_for_selector("text=Copied")
    assert page.evaluate("navigator.clipboard.readText()") == site.address + public
