"""Two people who play by link: who sits down, on which device, and who watches."""

from __future__ import annotations

import pytest
from browser_playing import MY_TURN, open_menu, take_any, wait_for_ply, wait_for_turn

CALL = ".invitation:has(input.link)"


def secret_of(page):
    """What the address bar shows behind the address of the match."""
    return page.evaluate("location.hash")


def invited(site, **more):
    """A new match of Ann: the path of her seat, and of the invitation."""
    made = site.match("sequence-duel", "friend", names=["Ann"], **more)
    path = f"/m/{made['id']}#seat="
    return path + made["token"], path + made["invite"]["token"]


def come_in(page, name):
    page.fill(".invitation [name=name]", name)
    page.click("text=Join the game")


def test_an_invitation_works_once_and_leaves_the_address_bar(site, visit):
    seat, invitation = invited(site)
    ann, bob = visit(seat), visit(invitation)
    wait_for_turn(ann)
    bob.wait_for_selector("text=You are invited")
    assert (secret_of(ann), secret_of(bob)) == ("", "")
    bob.reload()  # nothing is used up by looking
    come_in(bob, "Bob")
    ann.wait_for_selector(".status:has-text('Bob is here.')")
    late = visit(invitation)
    late.wait_for_selector(".status:has-text('This invitation has been used. You are watching.')")
    late.wait_for_selector("[role=status]:has-text('has been used')", state="attached")
    assert late.locator("text=Resign").is_hidden()
    assert late.locator(MY_TURN).count() == 0
    take_any(ann)
    assert wait_for_turn(bob)
    bob.reload()
    assert wait_for_turn(bob), "this device keeps its seat"
    bob.goto("about:blank")
    bob.goto(site.address + invitation)
    assert wait_for_turn(bob), "its own invitation, opened again, is no other person's"
    take_any(bob)
    wait_for_ply(late, 2)


def test_of_two_at_the_door_one_comes_in(site, visit):
    _, invitation = invited(site)
    bob, eve = visit(invitation), visit(invitation)
    eve.wait_for_selector("text=You are invited")
    come_in(bob, "Bob")
    bob.wait_for_selector("text=You are invited", state="hidden")
    eve.wait_for_selector(".status:has-text('This invitation has been used. You are watching.')")
    assert eve.locator("text=You are invited").is_hidden()
    assert eve.locator(".player-2 >> text=Bob").count() == 1
    eve.reload()
    eve.wait_for_selector(".why:has-text('You are watching.')")


def test_an_answer_that_was_lost_costs_no_seat(site, visit):
    _, invitation = invited(site)
    bob = visit(invitation)
    bob.wait_for_selector("text=You are invited")
    bob.route("**/join", lambda route: (route.fetch(), route.abort()), times=1)
    come_in(bob, "Bob")
    bob.wait_for_selector(".player-2 >> text=Bob")
    bob.wait_for_selector("text=You are invited", state="hidden")
    bob.reload()
    bob.wait_for_selector(".status:has-text('Ann is thinking.')")


def test_every_link_has_a_code_and_says_who_can_open_it(site, visit):
    page = visit("/")
    page.click("[data-game=sequence-duel]")
    page.click("text=A friend, by link")
    page.click("text=Make the link")
    page.wait_for_selector(".invitation input.link:visible")
    link = page.input_value(".invitation input.link")
    assert link.startswith(f"{site.address}/m/")
    assert "Only this computer can open links from here" in page.inner_text(CALL)
    page.click(f"{CALL} >> text='QR code'")
    page.wait_for_function("() => document.querySelector('.invitation .qr').naturalWidth > 0")
    assert page.locator(f"{CALL} .qr").bounding_box()["width"] > 100
    page.click(f"{CALL} >> text='QR code'")
    assert page.locator(f"{CALL} .qr").is_hidden()
    open_menu(page)
    page.click("#menu >> text=Play on another device")
    page.wait_for_selector("[aria-label='My link for another device']:visible")
    for button in page.locator("#menu >> text='QR code' >> visible=true").all():
        button.click()
    page.wait_for_selector("#menu .qr:visible >> nth=1")
    assert "Only this computer can open links from here" in page.inner_text("#menu")


@pytest.mark.long
def test_the_form_switches_the_coach_off_for_both(site, visit):
    ann = visit("/")
    ann.click("[data-game=sequence-duel]")
    ann.click("text=Two on this screen")
    ann.click("text=More choices")
    assert ann.locator("text=Hints for both of you").is_hidden()
    ann.click("text=A friend, by link")
    ann.uncheck("label:has-text('Hints for both of you') input")
    ann.click("text=Make the link")
    link = ann.wait_for_selector(".invitation input.link:visible").input_value()
    assert wait_for_turn(ann)
    assert ann.locator(".bar >> text=Hint").is_hidden()
    assert "no hints" in ann.inner_text(".match-head")
    bob = visit(link.removeprefix(site.address))
    bob.wait_for_selector("text=There are no hints in this game.")


@pytest.mark.long
def test_hints_are_shown_to_both_after_the_game(site, visit):
    first, second, _ = site.friends()
    ann, bob = visit(first), visit(second)
    wait_for_turn(ann)
    ann.click(".bar >> text=Hint")
    ann.wait_for_selector(".hints li")
    open_menu(ann)
    ann.click("text=Resign")
    ann.click("text=Yes, resign")
    for page in (ann, bob):
        page.wait_for_selector(".player-1 .player-note:has-text('1 hint')")
        page.wait_for_selector(".player-2 .player-note:has-text('0 hints')")


def test_a_player_continues_on_another_device(site, visit):
    first, second, _ = site.friends()
    ann, bob = visit(first), visit(second)
    open_menu(ann)
    ann.click("text=Play on another device")
    link = ann.wait_for_selector("[aria-label='My link for another device']:visible").input_value()
    assert link.startswith(site.address)
    phone = visit(link.removeprefix(site.address), wide=360)
    assert wait_for_turn(phone)
    assert secret_of(phone) == ""
    take_any(phone)
    wait_for_ply(ann, 1)
    stranger = visit(link.removeprefix(site.address))
    stranger.wait_for_selector("text=This invitation has been used. You are watching.")
    assert wait_for_turn(bob)
