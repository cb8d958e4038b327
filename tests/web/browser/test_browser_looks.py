"""What a designer looks for: nothing is cut, broken or out of line, and the room is used."""

from __future__ import annotations

import pytest
from browser_playing import take_any, wait_for_turn
from browser_site import Site
from test_browser_room import BOXES

from rings import by_ring, only_long

PHONES = [320, *only_long(390)]
WIDTHS = [*PHONES, 1280, *only_long(768, 1920)]
TOPS = "all => [...new Set(all.map(one => Math.round(one.getBoundingClientRect().top)))]"
CUT = """all => all.filter(one => one.scrollWidth > one.clientWidth + 1
    || one.scrollHeight > one.clientHeight + 1).map(one => one.textContent)"""
MOVING = """() => {
    window.moved = [];
    for (const kind of ["animationstart", "transitionrun"])
        document.addEventListener(kind, event => window.moved.push(kind), true);
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        window.moved.push("animate");
        return animate.apply(this, how);
    };
    const scroll = Element.prototype.scrollIntoView;
    Element.prototype.scrollIntoView = function (how) {
        if (how?.behavior === "smooth") window.moved.push("scroll");
        return scroll.call(this, how);
    };
}"""


def seat(made):
    return f"/m/{made['id']}#seat={made['token']}"


def tops(page, what):
    return page.eval_on_selector_all(what, TOPS)


def against_computer(site: Site, visit, wide, level="perfect", **more):
    made = site.match("sequence-duel", "computer", level=level, names=["Mia"], **more)
    page = visit(seat(made), wide=wide, high=844)
    wait_for_turn(page)
    return page


def resign(page):
    page.click(".bar >> text=Menu")
    page.click("text=Resign")
    page.click("text=Yes, resign")
    page.wait_for_selector(".after .primary")


@pytest.mark.parametrize("wide", WIDTHS)
def test_a_growing_number_stays_on_one_line(site, visit, wide):
    digits = ("5", "6", "3", "1", "7", "2", "9")
    for length in by_ring((7,), long=(3, 5, 7)):
        made = site.played("divisor-duel", *digits[:length], options={"divisor": 18})
        page = visit(seat(made), wide=wide)
        wait_for_turn(page)
        assert page.locator(".digit").count() == length
        assert len(tops(page, ".digit")) == 1, length
        first, *_, last, pad = page.eval_on_selector_all(".digit, .pad", BOXES)
        assert first["left"] >= 0
        if pad["top"] < first["top"]:  # next to each other
            assert last["right"] <= pad["left"]


@pytest.mark.parametrize("wide", PHONES)
def test_no_name_is_cut_on_a_phone(site, visit, wide):
    page = against_computer(site, visit, wide, time_limit=600)
    assert page.locator(".clock:visible").count() == 2
    assert page.eval_on_selector_all(".who", CUT) == []
    resign(page)
    assert "★" in page.inner_text(".player-2 .who")
    assert page.eval_on_selector_all(".who", CUT) == []


@pytest.mark.parametrize("wide", [1024, *only_long(1280)])
def test_the_agreed_options_are_not_cut(site, visit, wide):
    options = {"numbers": 30, "criteria": "factor,digit-sum"}
    made = site.match("number-duel", "computer", options=options)
    page = visit(seat(made), wide=wide)
    wait_for_turn(page)
    assert "the same digit sum" in page.inner_text(".match-head .quiet")
    assert page.eval_on_selector_all(".match-head .quiet, .who", CUT) == []


@pytest.mark.parametrize("wide", [320, 1000, *only_long(390, 768, 1280, 1920)])
def test_the_levels_of_the_computer_form_full_rows(visit, wide):
    page = visit("/play/sequence-duel", wide=wide)
    page.wait_for_selector(".segments:has(.figure) label")
    rows: dict[int, int] = {}
    for box in (one.bounding_box() for one in page.locator(".segments:has(.figure) label").all()):
        rows[round(box["y"])] = rows.get(round(box["y"]), 0) + 1
    assert len(set(rows.values())) == 1, rows


@pytest.mark.parametrize(
    ("game", "numbers"),
    [
        ("number-duel", 30),
        ("number-line-duel", 20),
        pytest.param("number-chain-duel", 16, marks=pytest.mark.long),
    ],
)
def test_a_board_uses_a_large_screen(site, visit, game, numbers):
    made = site.match(game, options={"numbers": numbers})
    page = visit(seat(made), wide=1920, high=1080)
    wait_for_turn(page)
    first, last = (page.locator(".board .tile").nth(at).bounding_box() for at in (0, numbers - 1))
    assert last["y"] + last["height"] - first["y"] > 540, "half of the window is empty"
    assert last["y"] + last["height"] < 1080


@pytest.mark.parametrize("wide", [320, *only_long(1280)])
def test_the_links_after_a_game_are_in_one_row(site, visit, wide):
    page = against_computer(site, visit, wide)
    resign(page)
    assert page.locator(".other-actions .button:visible").count() == 4
    assert len(tops(page, ".other-actions .button")) == 1


def test_rules_and_menu_leave_the_board_in_view_on_a_wide_page(site, visit):
    page = against_computer(site, visit, 1280)
    board = page.locator(".board .grid").bounding_box()
    for opener in ("Rules", "Menu"):
        page.click(f".bar >> text={opener}")
        panel = page.locator(".popover:popover-open").bounding_box()
        last = page.locator(".board .tile").last.bounding_box()
        assert panel["x"] >= max(board["x"], last["x"] + last["width"])
        page.keyboard.press("Escape")


def test_the_board_stays_where_it_is_when_the_friend_comes(site, visit):
    page = visit("/play/sequence-duel", wide=1280)
    page.click("text=A friend, by link")
    page.click("text=Make the link")
    page.wait_for_selector(".invitation .link")
    before = page.locator(".board .tile").first.bounding_box()
    link = page.locator(".invitation .link").input_value()
    match, _, token = link.rpartition("/m/")[2].partition("#seat=")
    site.join({"id": match, "invite": {"token": token}}, "Bob")
    page.wait_for_selector(".invitation", state="hidden")
    assert page.locator(".board .tile").first.bounding_box() == before


def test_players_do_not_see_their_own_presence(site, visit):
    made = site.match("sequence-duel", "friend", names=["Ann"])
    bob = visit(f"/m/{made['id']}#seat={made['invite']['token']}")
    bob.fill("label:has-text('Your name') input", "Bob")
    bob.click("text=Join the game")
    bob.wait_for_selector(".player-2 >> text=Bob")
    assert bob.inner_text(".status") == "Ann is thinking."


def test_games_of_a_phone_begin_with_the_one_that_is_read(visit):
    page = visit("/learn/number-line-duel", wide=390)
    assert len(tops(page, ".tabs a")) == 1
    assert page.locator(".tabs [aria-current]").bounding_box()["x"] < 100


def test_a_long_game_has_one_row_for_two_moves(site, visit):
    page = visit("/readyz", wide=1280)
    page.goto(site.address + seat(site.match("number-duel", options={"numbers": 100})))
    wait_for_turn(page)
    page.evaluate(
        """() => document.querySelector(".moves").replaceChildren(...[99, 100].map(count => {
            const row = document.createElement("li");
            row.innerHTML = `<span class="count">${count}.</span><span class="mark mark-1"></span>
                <span class="move">100</span><span class="seconds">0.1 s</span>`;
            return row;
        }))"""
    )
    assert len(tops(page, ".moves li")) == 1
    assert page.eval_on_selector_all(".moves li", CUT) == []
    heights = [one.bounding_box()["height"] for one in page.locator(".moves li").all()]
    assert max(heights) < 40


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_with_reduced_motion(site, visit, motion):
    made = site.match("number-line-duel", "computer", level="novice", options={"numbers": 3})
    page = visit("/readyz")
    page.emulate_media(reduced_motion=motion)
    page.add_init_script(f"({MOVING})()")
    moved = []
    more = ("/play/number-line-duel", "/learn/number-line-duel", "/class")
    for path in ("/", "/puzzle", *by_ring((), long=more)):
        page.goto(site.address + path)
        page.wait_for_selector("main h1")
        page.hover("main .button:visible, main button:visible")
        page.wait_for_timeout(200)
        moved += page.evaluate("window.moved")
    page.goto(site.address + seat(made))
    wait_for_turn(page)
    page.click(".bar >> text=Hint")
    page.wait_for_selector(".hints li")
    while wait_for_turn(page):
        ply = page.locator(".moves li").count()
        take_any(page)
        page.wait_for_function(
            "ply => document.querySelectorAll('.moves li').length > ply", arg=ply
        )
    page.wait_for_selector(".after .primary")
    page.click("text=Review")
    page.wait_for_selector(".review-controls:visible")
    moved += page.evaluate("window.moved")
    assert bool(moved) == (motion == "no-preference"), moved
