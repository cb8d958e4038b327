"""The board fills the room it has, a line is never torn, and hints are drawn on it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from browser_playing import scrolls_sideways, take, tap, wait_for_ply, wait_for_turn
from test_browser_everybody import axe_faults

from rings import only_long

PHONE, DESK = {"wide": 390, "high": 844}, {"wide": 1280, "high": 800}
TILES = """all => all.map(one => {
    const {left, right, top, bottom, width, height} = one.getBoundingClientRect();
    return {name: one.dataset.number, left, right, top, bottom, width, height};
})"""


def seat(made):
    return f"/m/{made['id']}#seat={made['token']}"


def board(site, visit, game, numbers, *moves, **size):
    page = visit(seat(site.played(game, *moves, options={"numbers": numbers})), **size)
    wait_for_turn(page)
    return page


def tiles(page):
    return page.eval_on_selector_all(".board .tile", TILES)


def rows_of(page):
    return len({round(one["top"]) for one in tiles(page)})


def test_the_number_of_columns_gives_large_tiles_in_rows_that_can_be_read(visit):
    page = visit("/learn")
    columns = page.evaluate(
        """async sizes => {
            const { columnsFor } = await import('/static/js/lib/tiles.js');
            return sizes.map(size => columnsFor(...size));
        }""",
        wanted := [
            (100, 880, 560),  # the hundred square on a desktop
            (100, 1450, 780),
            (20, 880, 560),
            (40, 880, 400),
            (20, 374, 560),  # a phone
            (100, 374, 400),  # does not fit: the longest row of tiles that a finger hits
            (9, 374, 560),
            (3, 374, 560),
            (200, 880, 560),
        ],
    )
    assert dict(zip(wanted, columns, strict=True)) == {
        (100, 880, 560): 10,
        (100, 1450, 780): 10,
        (20, 880, 560): 5,
        (40, 880, 400): 10,
        (20, 374, 560): 4,
        (100, 374, 400): 7,
        (9, 374, 560): 3,
        (3, 374, 560): 2,
        (200, 880, 560): 20,
    }


def test_a_short_line_is_not_broken_where_its_tiles_are_large_enough(visit):
    page = visit("/learn", wide=1280, high=800)
    columns = page.evaluate(
        """async () => {
            const { boardColumns } = await import('/static/js/lib/tiles.js');
            const line = { layout: 'line' };
            return [7, 10, 15].map(count => boardColumns(line, count, 780, 470));
        }"""
    )
    assert columns == [7, 5, 5]


@pytest.mark.parametrize(
    "played",
    [
        ("sequence-duel", 20),
        ("number-duel", 100),
        ("number-line-duel", 20),
        *only_long(("number-chain-duel", 9), ("number-duel", 60), ("number-line-duel", 60)),
    ],
)
@pytest.mark.parametrize("wide", [390, *only_long(320, 360, 430)])
def test_a_finger_hits_every_tile_of_a_phone(site, visit, played, wide):
    page = board(site, visit, *played, wide=wide, high=844)
    assert min(min(one["width"], one["height"]) for one in tiles(page)) >= 44
    assert not scrolls_sideways(page)


@pytest.mark.parametrize(("game", "numbers"), [("sequence-duel", 20), ("number-line-duel", 15)])
def test_the_board_fills_a_desktop_with_its_buttons_in_view(site, visit, game, numbers):
    page = board(site, visit, game, numbers, **DESK)
    boxes = tiles(page)
    high = max(one["bottom"] for one in boxes) - min(one["top"] for one in boxes)
    assert high > 400, "half of the window"
    assert min(one["width"] for one in boxes) > 100
    assert page.eval_on_selector(".bar", "bar => bar.getBoundingClientRect().bottom") <= 800
    page.set_viewport_size({"width": 1280, "height": 620})
    page.wait_for_function("document.querySelector('.bar').getBoundingClientRect().bottom <= 620")


def test_the_rows_of_a_line_are_joined_where_they_turn(site, visit):
    page = board(site, visit, "number-line-duel", 15, **PHONE)
    assert rows_of(page) == 3
    boxes = tiles(page)
    assert [one["name"] for one in boxes] == [str(n) for n in range(1, 16)]
    for one, two in pairwise(boxes):
        beside = one["top"] == two["top"] and abs(one["left"] - two["left"]) < one["width"] + 20
        below = one["left"] == two["left"] and 0 < two["top"] - one["bottom"] < 40
        assert beside or below, (one, two)
    joins = page.eval_on_selector_all(
        ".line .tile.from-above",
        """all => all.map(one => {
            const rail = getComputedStyle(one, '::before');
            return [one.dataset.number, parseFloat(rail.height), rail.bottom !== 'auto'];
        })""",
    )
    assert [name for name, _, _ in joins] == ["6", "11"]
    assert all(high >= 28 and is_above for _, high, is_above in joins)


def test_arrow_keys_follow_the_numbers_of_a_snake(site, visit):
    page = board(site, visit, "number-line-duel", 15, **PHONE)
    page.focus("[data-number='5']")
    for key, number in (
        ("ArrowRight", "6"),
        ("ArrowRight", "7"),
        ("ArrowUp", "4"),
        ("ArrowDown", "7"),
        ("ArrowDown", "14"),
        ("ArrowLeft", "13"),
        ("End", "15"),
        ("Home", "11"),
    ):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.number") == number


def test_small_drawings_show_the_joins_too_and_stay_in_their_cards(visit):
    page = visit("/", **DESK)
    page.wait_for_selector("[data-game=chomp] .preview .tile")
    outside = page.evaluate(
        """() => [...document.querySelectorAll('.card .preview .tile')].filter(tile => {
            const [text, box] = [tile.firstChild, tile].map(one => one.getBoundingClientRect());
            const card = tile.closest('.preview').getBoundingClientRect();
            return text.width > box.width || text.height > box.height
                || box.right > card.right || box.bottom > card.bottom || box.top < card.top;
        }).map(tile => tile.textContent)"""
    )
    assert outside == []
    torn = page.evaluate(
        """async () => {
            const { drawPosition } = await import('/static/js/lib/tiles.js');
            const rows = [Array.from({length: 15}, (_, at) => String(at + 1))];
            const board = {layout: 'line', rows, links: [], headline: [], flows: false};
            const drawn = drawPosition({board, legal: []});
            return [...drawn.querySelectorAll('.from-above')].map(tile => tile.textContent);
        }"""
    )
    assert torn == ["6", "11"]


def ask(page, stages):
    for stage in range(1, stages + 1):
        page.click(".bar >> text=Hint")
        page.wait_for_selector(f".hints li:nth-child({stage})")


def test_partners_are_joined_by_arcs_and_the_winning_number_glows(site, visit):
    page = board(site, visit, "sequence-duel", 20, "6", "3", **DESK)
    ask(page, 3)
    stars = page.eval_on_selector_all(".tile.win", "all => all.map(one => one.innerText)")
    assert [text.split() for text in stars] == [["9", "★"], ["12", "★"], ["15", "★"]]
    assert page.get_attribute(".tile.win >> nth=0", "aria-label") == "9, wins"
    page.click(".bar >> text=Hint")
    page.wait_for_selector(".board-drawing .arc", state="attached")
    assert page.locator(".board-drawing .dot").count() == 4, "1 with 19, 5 with 10"
    assert axe_faults(page) == []
    assert page.get_attribute(".board-drawing", "aria-hidden") == "true"
    ends = "all => all.map(one => one.getBoundingClientRect()).map(({x, y}) => [x, y])"
    before = page.eval_on_selector_all(".board-drawing .dot", ends)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(100)
    after = page.eval_on_selector_all(".board-drawing .dot", ends)
    assert before != after, "it is drawn again for the new size"
    take(page, "15")
    wait_for_ply(page, 3)
    assert page.locator(".board-drawing > *").count() == 0
    assert page.locator(".tile.win").count() == 0


def test_runs_are_bracketed_and_winning_pairs_joined(site, visit):
    page = board(site, visit, "number-line-duel", 15, "5-6", "8", **DESK)
    ask(page, 2)
    labels = page.eval_on_selector_all(
        ".board-drawing text", "all => all.map(one => one.textContent)"
    )
    assert labels == ["length 4", "length 1", "length 7"]
    assert page.locator(".board-drawing .bracket").count() == 4, "9 to 15 runs through two rows"
    page.click(".bar >> text=Hint")
    page.wait_for_selector(".board-drawing .join-star >> nth=1", state="attached")
    paired = page.eval_on_selector_all(".tile.pairs", "all => all.map(one => one.dataset.number)")
    assert paired == ["10", "11", "13", "14"]
    assert page.locator(".choice [data-move='10-11']").count() == 1


def test_the_keys_say_what_they_leave(site, visit):
    made = site.played("divisor-duel", "5", "2", options={"divisor": 7})
    page = visit(seat(made), **PHONE)
    wait_for_turn(page)
    ask(page, 4)
    assert page.inner_text(".pad [data-number='6'] .tile-label") == "leaves 1"
    label = page.get_attribute(".pad [data-number='6']", "aria-label")
    assert label.startswith("6, leaves 1")
    number = page.eval_on_selector(".digit", "one => one.getBoundingClientRect().height")
    assert number > 80, "the number is the hero"


def test_in_a_lost_position_what_to_avoid_and_what_to_try_stand_out(site, visit):
    page = board(site, visit, "number-chain-duel", 16, "5", "10", **PHONE)
    ask(page, 2)
    avoided = page.eval_on_selector_all(".tile.lose", "all => all.map(one => one.innerText)")
    assert [text.split() for text in avoided] == [["1", "✕"]]
    assert page.get_attribute(".tile.lose", "aria-label") == "1, loses"
    assert page.locator(".tile.pointed").count() == 0
    page.click(".bar >> text=Hint")
    page.wait_for_selector(".tile.pointed")
    tried = page.eval_on_selector_all(".tile.pointed", "all => all.map(one => one.innerText)")
    assert [text.split() for text in tried] == [["2", "try"]]
    assert page.locator(".tile.lose").count() == 0
    take(page, "2")
    wait_for_ply(page, 3)
    assert page.locator(".tile.pointed").count() == 0


def test_a_hint_brings_a_board_back_that_was_scrolled_out_of_view(site, visit):
    made = site.played("sequence-duel", "20", "10", options={"numbers": 40})
    page = visit(seat(made), **PHONE)
    wait_for_turn(page)
    page.evaluate("scrollTo(0, 999)")
    cut_off = """() => document.querySelector(".board .tile").getBoundingClientRect().top
        < document.querySelector(".status-line").getBoundingClientRect().bottom"""
    assert page.evaluate(cut_off)
    page.click(".bar >> text=Hint")
    page.wait_for_selector(".hints li")
    page.wait_for_function(f"() => !({cut_off})()")


def test_a_puzzles_hint_is_drawn_too(site, visit):
    page = visit("/puzzle?game=divisor-duel&difficulty=easy&seed=1", **PHONE)
    page.wait_for_selector(".board .tile")
    page.click(".actions >> text=Hint")
    page.wait_for_selector(".tile-label:has-text('leaves')")


def test_what_has_just_gone_is_seen_to_go(site, visit):
    page = visit(seat(site.match("chomp", options={"high": 3, "wide": 4})), **PHONE)
    page.emulate_media(reduced_motion="no-preference")
    wait_for_turn(page)
    tap(page, "2-3")
    wait_for_ply(page, 1)
    names = page.eval_on_selector_all(
        ".board .tile.leaving", "all => all.map(one => getComputedStyle(one).animationName)"
    )
    assert sorted(names) == ["arrive", "leave", "leave", "leave"]
    page.emulate_media(reduced_motion="reduce")
    assert page.eval_on_selector(".leaving", "one => getComputedStyle(one).animationName") == "none"


def test_choosing_a_number_on_a_phone_moves_nothing(site, visit):
    page = board(site, visit, "number-line-duel", 15, **PHONE)
    place = "document.querySelector('.bar').getBoundingClientRect().top"
    before = page.evaluate(place)
    tap(page, "5")
    page.wait_for_selector(".choice [data-move='5-6']")
    assert page.evaluate(place) == before


NOTE_SHIFTS = """window.shifted = []; new PerformanceObserver(list => {
    for (const { sources } of list.getEntries())
        for (const { node } of sources)
            if (node?.parentElement?.closest(".board")) window.shifted.push(node.className);
}).observe({type: "layout-shift", buffered: true})"""


@pytest.mark.parametrize(
    "path",
    ["/puzzle?game=sequence-duel&seed=1", "/learn/number-line-duel"],
    ids=["puzzle", "learn"],
)
def test_a_board_is_arranged_before_it_is_seen(site, visit, path):
    page = visit("/readyz", **PHONE, is_first=True)
    page.add_init_script(NOTE_SHIFTS)
    page.goto(site.address + path)
    page.wait_for_selector(".board .tile")
    page.wait_for_timeout(300)
    assert page.evaluate("window.shifted") == []


def test_a_second_tap_on_a_number_that_the_first_has_played_is_no_error(site, visit):
    page = board(site, visit, "number-line-duel", 6, "2", **DESK)
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.post_data))
    tap(page, 1)  # its only neighbour is gone, so one tap plays it
    wait_for_ply(page, 2)
    tap(page, 1)
    tap(page, 2)  # another number that is gone is named
    page.wait_for_selector("text=2 is crossed out already")
    assert len(sent) == 2
