"""The board has the room, and the line over it is always in view."""

from __future__ import annotations

from itertools import product

import pytest
from browser_playing import scrolls_sideways, take, wait_for_ply, wait_for_turn
from browser_site import GAMES

from rings import only_long

MORE_SCREENS = [(768, 1024), (820, 1180), (1024, 768), (1920, 1080), (2560, 1440)]
MORE_SIZES = [(320, 568), (390, 844), *MORE_SCREENS]
SCREENS = [(1280, 800), *only_long(*MORE_SCREENS)]
SIZES = [(360, 740), *only_long((1280, 800), *MORE_SIZES)]
every_screen = pytest.mark.parametrize("size", SCREENS, ids="{0[0]}x{0[1]}".format)
every_size = pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
LARGE = {
    "number-duel": ({"numbers": 100}, ("28", "14")),
    "sequence-duel": ({"numbers": 40}, ("6", "3")),
    "number-chain-duel": ({"numbers": 9}, ("4", "2")),
    "number-line-duel": ({"numbers": 12}, ("5-6", "8")),
    "divisor-duel": ({"divisor": 7}, ("5", "2")),
    "square-duel": ({"stones": 30}, ("9", "4")),
}
"""Every game with its usual options, after a few moves."""

BOXES = """all => all.map(one => {
    const {left, right, top, bottom} = one.getBoundingClientRect();
    return {name: one.dataset.number, left, right, top, bottom};
})"""


def tiles(page):
    return page.eval_on_selector_all(".board .tile", BOXES)


def box(page, what):
    (found,) = page.eval_on_selector_all(what, BOXES)
    return found


def faults(boxes, wide):
    """What is wrong with the tiles of a board: too small, outside, or over one another."""
    wrong = [
        one
        for one in boxes
        if one["right"] - one["left"] < 24
        or one["bottom"] - one["top"] < 24
        or one["left"] < 0
        or one["right"] > wide
    ]
    for index, one in enumerate(boxes):
        for two in boxes[index + 1 :]:
            across = max(one["left"], two["left"]) - min(one["right"], two["right"])
            down = max(one["top"], two["top"]) - min(one["bottom"], two["bottom"])
            if max(across, down) < 1:
                wrong.append((one, two))
    return wrong


def seat(made):
    return f"/m/{made['id']}#seat={made['token']}"


def test_every_game_is_tried():
    assert LARGE.keys() == GAMES.keys()


@every_size
def test_tiles_never_touch_and_the_line_stays_in_view(site, visit, size):
    wide, high = size
    page = visit("/readyz", wide=wide, high=high)
    for game, (options, moves) in LARGE.items():
        page.goto(site.address + seat(site.played(game, *moves, options=options)))
        wait_for_turn(page)
        assert faults(tiles(page), wide) == [], game
        assert not scrolls_sideways(page)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        line = box(page, ".status-line")
        assert line["top"] >= 0, game
        assert line["bottom"] <= high


@every_screen
def test_the_hundred_square_is_ten_wide_and_whole_on_a_screen(site, visit, size):
    wide, high = size
    made = site.played("number-duel", "28", "14", options={"numbers": 100}, time_limit=600)
    page = visit(seat(made), wide=wide, high=high)
    wait_for_turn(page)
    boxes = tiles(page)
    assert len({round(one["top"]) for one in boxes}) == 10
    board, bar = box(page, ".board"), box(page, ".bar")
    assert board["bottom"] <= high
    if high >= 700:
        assert bar["bottom"] <= high
    filled = max(
        (boxes[-1]["right"] - boxes[0]["left"]) / wide, (board["bottom"] - board["top"]) / high
    )
    assert filled > 0.65, "the board is the hero"


@pytest.mark.parametrize(
    "page_at",
    [
        ((360, 740), "analysis"),
        ((1280, 800), "learn"),
        *only_long(((360, 740), "learn"), ((1280, 800), "analysis")),
        *only_long(*product(MORE_SIZES, ("analysis", "learn"))),
    ],
    ids="{0[1]} {0[0][0]}x{0[0][1]}".format,
)
def test_boards_to_try_have_room_too(site, visit, page_at):
    (wide, high), page_of = page_at
    page = visit("/readyz", wide=wide, high=high)
    for game, (options, moves) in LARGE.items():
        query = "&".join(f"{name}={value}" for name, value in options.items())
        analysis = f"/analysis?game={game}&{query}&moves={'.'.join(moves)}"
        page.goto(site.address + (analysis if page_of == "analysis" else f"/learn/{game}"))
        page.wait_for_selector(".tile.win, .tile.lose")
        assert faults(tiles(page), wide) == [], game
        assert not scrolls_sideways(page)


def test_the_number_line_has_as_few_rows_as_large_tiles_allow(site, visit):
    page = visit("/readyz")
    for numbers, wide, rows in (
        (3, 320, 1),
        (10, 320, 2),
        (12, 360, 3),
        (7, 1280, 1),
        (20, 1280, 3),
        (20, 360, 4),
        (60, 1280, 4),
    ):
        made = site.match("number-line-duel", options={"numbers": numbers})
        page.set_viewport_size({"width": wide, "height": 800})
        page.goto(site.address + seat(made))
        wait_for_turn(page)
        assert len({one["top"] for one in tiles(page)}) == rows
        assert faults(tiles(page), wide) == []


def test_a_focused_number_is_not_crossed_out_by_the_line(site, visit):
    page = visit(seat(site.match("number-line-duel", options={"numbers": 10})))
    wait_for_turn(page)
    page.focus(".line [data-number='3']")
    page.keyboard.press("ArrowRight")
    rail, tile = page.evaluate(
        """() => [parseFloat(getComputedStyle(document.activeElement, "::before").right),
                  document.activeElement.clientWidth]"""
    )
    assert rail > tile - 1, "the rail ends where the tile begins"  # a client width is rounded


def test_what_goes_wrong_is_in_view_moves_nothing_and_stays_until_the_next_act(site, visit):
    made = site.played("number-duel", "28", options={"numbers": 200})
    page = visit(seat(made), wide=360, high=600)
    wait_for_turn(page)
    page.locator("[data-number='195']").scroll_into_view_if_needed()
    before = tiles(page)
    page.click("[data-number='195']")
    page.wait_for_selector(".notice:has-text('195')")
    assert tiles(page) == before
    notice = box(page, ".notice")
    assert 0 <= notice["top"] < notice["bottom"] <= 600
    page.wait_for_timeout(300)
    assert page.locator(".notice").is_visible()
    take(page, "196")
    wait_for_ply(page, 2)
    assert page.locator(".notice").is_hidden()
    assert page.inner_text(".status").startswith("Player 1's turn: ")


def test_the_rule_and_who_wins_are_one_tap_away(site, visit):
    for game, rule in (("sequence-duel", "you lose"), ("square-duel", "you win")):
        page = visit(f"/m/{site.match(game)['id']}")
        page.click(".bar >> text=Rules")
        page.wait_for_selector(f".popover p:has-text('{rule}')")
        page.keyboard.press("Escape")
        page.wait_for_selector(".popover p", state="hidden")


def test_the_computers_answer_is_seen_to_come(site, visit):
    made = site.match("number-duel", "computer", level="novice", options={"numbers": 60})
    page = visit(seat(made))
    wait_for_turn(page)
    arrival = "getComputedStyle(document.querySelector('.tile.last')).animationName"
    for motion, shown in (("reduce", "none"), ("no-preference", "arrive")):
        page.emulate_media(reduced_motion=motion)
        page.evaluate(
            """() => { window.plies = {}; new MutationObserver(() => {
                window.plies[document.querySelectorAll('.moves li').length] ??= performance.now();
            }).observe(document.querySelector('.moves'), {childList: true}); }"""
        )
        ply = page.locator(".moves li").count()
        take(page, page.locator(".board .tile.legal").first.get_attribute("data-number"))
        wait_for_ply(page, ply + 2)
        assert page.evaluate(arrival) == shown
        plies = page.evaluate("window.plies")
        if motion != "reduce":
            assert plies[str(ply + 2)] - plies[str(ply + 1)] > 400


def test_a_friends_arrival_and_a_low_clock_are_announced(site, visit):
    made = site.match("sequence-duel", "friend", names=["Ann"], time_limit=4)
    page = visit(seat(made))
    page.wait_for_selector(".status:has-text('Your turn: ')")
    site.join(made, "Bob")
    page.wait_for_selector(".status:has-text('Bob is here. Your turn: ')")
    page.wait_for_selector("[role=status]:has-text('Bob is here.')", state="attached")
    page.wait_for_selector(".status:has-text('Your time is running out. Your turn: ')")
    page.wait_for_selector("[role=status]:has-text('2 seconds left.')", state="attached")
