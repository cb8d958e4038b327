"""Small things that were wrong: a mark over a number, rules over a board, a row out of view."""

from __future__ import annotations

import pytest
from browser_playing import open_menu

from rings import only_long

MARKS = """tiles => tiles.map(tile => {
    const [number, mark] = [".number", ".badge"].map((part) =>
        tile.querySelector(part).getBoundingClientRect());
    const size = parseFloat(getComputedStyle(tile).fontSize);
    const middle = (box) => box.left + box.width / 2;
    return {
        aside: Math.abs(middle(mark) - middle(number)),
        below: mark.top - (number.top + number.height / 2 + 0.4 * size),
        room: tile.getBoundingClientRect().bottom - mark.bottom,
    };
})"""
OVERLAP = """([panel, tile]) => {
    const over = document.querySelector(panel).getBoundingClientRect();
    return [...document.querySelectorAll(tile)].map((one) => one.getBoundingClientRect())
        .filter((box) => box.left < over.right && over.left < box.right
            && box.top < over.bottom && over.top < box.bottom).length;
}"""


def is_in_view(page, what):
    box = page.locator(what).bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


@pytest.mark.parametrize("wide", [320, *only_long(390, 768, 1280, 1920)])
@pytest.mark.parametrize(
    ("game", "options", "moves"),
    [
        ("number-duel", {"numbers": 100}, ("28", "14", "100", "10")),
        ("number-line-duel", {"numbers": 15}, ("5-6", "8", "15")),
        ("divisor-duel", {"divisor": 7}, ("5", "2", "1")),
    ],
)
def test_the_mark_of_a_player_is_below_the_number_and_does_not_touch_it(
    site, visit, game, options, moves, wide
):
    made = site.played(game, *moves, options=options)
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=wide)
    page.wait_for_selector(".board .tile.gone .badge .mark")
    for place in page.eval_on_selector_all(".board .tile.gone:has(.mark)", MARKS):
        assert place["aside"] < 1, place
        assert place["below"] > 0, place
        assert place["room"] > 0, place


@pytest.mark.parametrize("path", ["/puzzle?game=number-line-duel&seed=1", "/daily"])
def test_the_rules_of_a_puzzle_leave_its_board_in_view_on_a_wide_page(visit, path):
    page = visit(path, wide=1280)
    page.wait_for_selector(".board .tile")
    page.click("button:text-is('Rules')")
    page.wait_for_selector(".rules-panel figure")
    assert page.evaluate(OVERLAP, [".rules-panel", ".board .tile"]) == 0


def test_the_result_of_the_day_is_in_view_on_a_phone(visit):
    page = visit("/daily", wide=390, high=844)
    page.wait_for_selector(".board .tile.legal")
    page.click("text=Give up")
    page.wait_for_selector(".share:not([hidden]) .square")
    assert page.inner_text(".question-row") == "Here is the answer."
    page.evaluate("scrollTo(0, 0)")
    assert is_in_view(page, ".squares")


def test_partners_on_a_large_board_carry_each_others_numbers(site, visit):
    made = site.played("number-duel", "28", "14", "41", "82", options={"numbers": 100})
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=390)
    page.wait_for_selector(".board .tile.legal")
    for count in range(1, 5):
        page.click(".bar >> text=Hint")
        page.wait_for_selector(f".hints li:nth-child({count})", state="attached")
    labels = page.locator(".board-drawing .partner-number").all_text_contents()
    assert labels[:2] == ["↔3", "↔1"]  # "1 with 3" is the first pair of the sentence
    assert "1 with 3" in page.locator(".hints li").last.inner_text()
    assert page.locator(".board-drawing .arc").count() == 0


def test_a_hint_on_a_phone_leaves_the_buttons_free_and_can_be_closed_and_opened_again(site, visit):
    made = site.played("number-duel", "28", "14", "41", "82", options={"numbers": 100})
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=390, high=844)
    page.wait_for_selector(".board .tile.legal")
    for count in range(1, 5):
        page.click(".bar >> text=Hint")
        page.wait_for_selector(f".hints li:nth-child({count})", state="attached")
    uncovered = f"names => ({OVERLAP})(names) === 0"
    page.wait_for_function(uncovered, arg=[".hint-panel", ".bar .button"])
    last = page.locator(".hints li").last.inner_text()
    page.click(".hint-panel >> text=Close")
    assert page.is_hidden(".hint-panel")
    page.click(".bar >> text=Hint")
    assert page.locator(".hints li").last.inner_text() == last
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.is_hidden(".hint-panel >> text=Close")


def test_a_pair_is_written_in_words_in_the_list_of_moves_and_on_the_button(site, visit):
    made = site.played("number-line-duel", "5-6", options={"numbers": 15})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    assert page.inner_text(".moves .move") == "5 and 6"
    assert page.text_content(".bar >> text=/^Take back/") == "Take back 5 and 6"


def test_the_keyboard_reaches_a_list_of_moves_that_scrolls(site, visit):
    moves = map(str, range(1, 41))
    made = site.played("number-line-duel", *moves, options={"numbers": 60})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    page.focus(".moves[tabindex='0']")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('.moves').scrollTop === 0")


def test_the_example_of_a_typed_move_is_not_cut_off_in_the_menu(site, visit):
    made = site.played("sequence-duel", "6", "3", options={"numbers": 20})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    page.wait_for_selector(".board .tile.legal")
    open_menu(page)
    room = page.eval_on_selector(
        "#typed-move",
        """input => {
            const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(input);
            const pen = document.createElement("canvas").getContext("2d");
            pen.font = `${fontSize} ${fontFamily}`;
            const padding = parseFloat(paddingLeft) + parseFloat(paddingRight);
            return input.clientWidth - padding - pen.measureText(input.placeholder).width;
        }""",
    )
    assert room > 0


def test_the_board_of_the_analysis_is_near_the_top_of_a_phone(visit):
    page = visit(
        "/analysis?game=sequence-duel&numbers=20&opening=any&moves=6.3", high=844, wide=390
    )
    page.wait_for_selector(".board .tile.win")
    assert page.locator(".board .tile").first.bounding_box()["y"] < 420
    page.fill("[name=numbers]", "24")
    page.press("[name=numbers]", "Tab")
    page.wait_for_selector(".board [data-number='24']")


@pytest.mark.parametrize("wide", [320, *only_long(390)])
def test_the_class_is_in_the_navigation_of_a_phone(visit, wide):
    page = visit("/", wide=wide)
    header = page.locator("header.site").bounding_box()
    assert header["height"] < 80  # one row
    page.click("header nav >> text=Class")
    page.wait_for_url("**/class")


def a_wall(site, visit, boards, wide=1920, high=1080):
    made = site.call("POST", "/api/classes", {})
    path, token = f"/api/classes/{made['code']}", made["token"]
    for number in range(1, 2 * boards + 1):
        joined = {"name": f"Kid {number}", "token": f"{number:032}"}
        site.call("POST", f"{path}/join", joined)
    plan = {"game": "sequence-duel", "options": {"numbers": 40}}
    site.call("POST", f"{path}/plan", plan, token)
    state = site.call("POST", f"{path}/rounds", {"round": 1}, token)
    wall = visit(f"/class/{made['code']}#teacher={token}", wide=wide, high=high)
    wall.click("text=Show the wall")
    wall.wait_for_selector(f".wall-board >> nth={boards - 1}")
    return wall, state


@pytest.mark.parametrize("boards", [6, *only_long(14, 30)])
def test_the_boards_fill_the_wall_and_no_name_is_cut(site, visit, boards):
    wall, _ = a_wall(site, visit, boards)
    boxes = [board.bounding_box() for board in wall.locator(".wall-board").all()]
    assert 1040 < max(box["y"] + box["height"] for box in boxes) <= 1080
    assert 1880 < max(box["x"] + box["width"] for box in boxes) <= 1920
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    assert wall.eval_on_selector_all(".wall-name", cut) == 0
    assert wall.eval_on_selector_all(".wall-board .preview", cut) == 0


def test_a_wall_that_gets_narrow_rearranges_its_boards(site, visit):
    wall, _ = a_wall(site, visit, 14)
    columns = "cells => getComputedStyle(cells).getPropertyValue('--columns')"
    wall.set_viewport_size({"width": 390, "height": 844})
    wall.wait_for_timeout(300)
    resized = wall.eval_on_selector(".wall-board .preview-cells", columns)
    wall.reload()
    wall.wait_for_selector(".wall-board >> nth=13")
    assert wall.eval_on_selector(".wall-board .preview-cells", columns) == resized


def test_the_page_of_a_teacher_loads_the_wall_only_when_it_is_shown(site, visit):
    taught = site.call("POST", "/api/classes", {})
    page = visit("/readyz")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"{site.address}/class/{taught['code']}#teacher={taught['token']}")
    page.wait_for_selector(".setups")
    assert not [url for url in loaded if "/class/wall." in url]
    page.goto(f"{site.address}/class/{taught['code']}/wall")
    page.wait_for_selector(".wall-code")
    assert [url for url in loaded if "/class/wall." in url]


def test_the_wall_says_who_leads_in_words(site, visit):
    wall, state = a_wall(site, visit, 2)
    names = {pupil["id"]: pupil["name"] for pupil in state["pupils"]}
    winners = []
    for board in state["boards"]:
        loser, winner = (names[pupil] for pupil in board["pupils"])
        winners.append(winner)
        match = board["state"]["id"]
        token = f"{int(loser.split()[1]):032}"
        site.call("POST", f"/api/matches/{match}/resign", {}, token)
        count = len(winners)
        wall.wait_for_selector(f"text={count} finished")
        words = "with 1 point" if count == 1 else "with 1 point each"
        wall.wait_for_function(
            "words => document.querySelector('.wall-leaders').textContent === words",
            arg=f"In the lead: {' and '.join(winners)} {words}",
        )


def test_if_many_pupils_lead_the_wall_says_how_many(site, visit):
    wall, state = a_wall(site, visit, 6)
    names = {pupil["id"]: pupil["name"] for pupil in state["pupils"]}
    for board in state["boards"]:
        token = f"{int(names[board['pupils'][0]].split()[1]):032}"
        site.call("POST", f"/api/matches/{board['state']['id']}/resign", {}, token)
    wall.wait_for_selector("text=6 finished")
    wall.wait_for_selector("text='In the lead: 6 pupils with 1 point each'")


def test_on_a_large_board_of_the_wall_legal_moves_stand_out(site, visit):
    wall, _ = a_wall(site, visit, 1)
    on_the_wall = wall.locator(".wall-board .tile.legal").count()
    wall.click(".wall-board")
    wall.wait_for_selector(".large-board .tile.legal")
    assert wall.locator(".large-board .tile.legal").count() == on_the_wall
    assert wall.locator(".large-board .tile:not([aria-disabled])").count() == 0
