"""What a newcomer needs: rules at the board, a form that shows its board, the game they know."""

from __future__ import annotations

import json

import pytest
from browser_playing import scrolls_sideways, wait_for_turn

import duels
from rings import only_long

RULES = ".rules-panel:popover-open"
FROM_LINE = json.dumps({"number-line-duel": 5})
"""The steps of a lesson that are done: the next one has a list."""


def in_view(page, selector):
    """Whether all of an element is in the window, without scrolling."""
    return page.eval_on_selector(
        selector,
        "node => { const {top, bottom} = node.getBoundingClientRect();"
        " return top >= 0 && bottom <= innerHeight; }",
    )


def is_cut(page, selector):
    """Whether the text of any such element does not fit into it."""
    return page.eval_on_selector_all(
        selector,
        "nodes => nodes.some((node) => node.scrollHeight > node.clientHeight + 1"
        " || node.scrollWidth > node.clientWidth + 1)",
    )


def test_a_match_has_its_rules_with_a_drawn_example_over_the_board(site, visit):
    options = {"numbers": 30, "criteria": "factor,digit-sum"}
    page = visit(f"/m/{site.match('number-duel', options=options)['id']}")
    page.click(".bar >> text=Rules")
    page.wait_for_selector(f"{RULES} figure .tile.legal")
    said = page.inner_text(RULES)
    assert "Take a factor or a multiple of the last number, or a number that has the same" in said
    assert "If no number fits, you lose." in said
    legal = page.locator(f"{RULES} .tile.legal").all_inner_texts()
    assert [text.strip() for text in legal] == ["1", "8", "13", "16", "20"]
    page.keyboard.press("Escape")
    page.wait_for_selector(RULES, state="hidden")
    assert page.locator(".board .tile").count() == 30


@pytest.mark.parametrize("path", ["/puzzle?game=number-line-duel&seed=3", "/daily"])
def test_a_puzzle_has_its_rules_too(visit, path):
    page = visit(path, wide=320, high=640)
    page.click("button:text-is('Rules')")
    page.wait_for_selector(f"{RULES} figure .tile, {RULES} figure .digit")
    assert page.inner_text(f"{RULES} p").strip()
    assert not scrolls_sideways(page)
    page.click(f"{RULES} >> text=Close")
    page.wait_for_selector(RULES, state="hidden")


@pytest.mark.parametrize("wide", [1024, *only_long(1280)])
def test_both_names_fit_at_the_first_set_up_of_number_duel(visit, wide):
    page = visit("/play/number-duel", wide=wide)
    page.click("text=Start the game")
    page.wait_for_url("**/m/*")
    wait_for_turn(page)
    assert page.locator(".player-1 .who").inner_text() == "Player 1"
    assert page.locator(".player-2 .who").inner_text() == "The computer casual"
    assert not is_cut(page, ".who")


@pytest.mark.parametrize("size", [(1280, 800), (320, 640), *only_long((390, 844))])
def test_the_form_shows_its_board_and_its_button(visit, size):
    wide, high = size
    page = visit("/play/sequence-duel", wide=wide, high=high)
    page.wait_for_selector(".board-preview .tile:nth-child(40)")
    assert "The first number must be even" in page.inner_text(".board-preview")
    assert in_view(page, "button:text('Start the game')")
    page.click(".setups >> text=rule book")
    page.wait_for_selector(".board-preview .tile:nth-child(20):last-child")
    assert "even" not in page.inner_text(".board-preview")
    page.fill("input[name=numbers]", "12")
    page.wait_for_selector(".board-preview .tile:nth-child(12):last-child")
    page.fill("input[name=numbers]", "0")
    page.wait_for_selector(".board-preview:has-text('from 1 to')")
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("game", [*only_long("number-line-duel"), "number-duel", "chomp"])
def test_the_board_of_the_form_fits_a_small_phone(visit, game):
    page = visit(f"/play/{game}", wide=320, high=640)
    page.wait_for_selector(".board-preview .tile")
    if game == "number-duel":
        page.click(".setups >> text=rule book")
        page.wait_for_selector(".board-preview .tile:nth-child(100)")
    frame, *tiles = page.eval_on_selector_all(
        ".board-preview, .board-preview .tile",
        "all => all.map((one) => one.getBoundingClientRect().right)",
    )
    assert max(tiles) <= frame


def test_puzzles_open_with_the_easiest_game_or_with_the_one_last_played(site, visit):
    page = visit("/puzzle")
    page.wait_for_selector(".exercise .tile")
    first = next(kind for kind in duels.GAMES.values() if kind.for_newcomers)
    assert page.locator(".toolbar select").input_value() == first.id
    made = site.match("divisor-duel", options={"divisor": 12})
    page.goto(f"{site.address}/m/{made['id']}#seat={made['token']}")
    page.wait_for_selector(".board .tile")
    page.goto(f"{site.address}/puzzle")
    page.wait_for_selector(".exercise .tile")
    assert page.locator(".toolbar select").input_value() == "divisor-duel"
    page.select_option(".toolbar select", "")
    page.goto(f"{site.address}/puzzle")
    page.wait_for_selector(".exercise .tile")
    assert page.locator(".toolbar select").input_value() == "", "what was chosen here stays"


def test_items_of_a_lesson_are_a_list(visit):
    page = visit("/learn/number-line-duel")
    page.evaluate(f"localStorage.setItem('duels.lessons', '{FROM_LINE}')")
    page.reload()
    page.wait_for_selector(".lesson-text li >> nth=3")
    assert page.locator(".lesson-text li").first.inner_text() == "a run of one number is worth 1"
    assert not any(
        text.startswith("-") for text in page.locator(".lesson-text p").all_inner_texts()
    )


def test_the_row_of_the_reviewed_move_is_in_view_and_the_page_stays(site, visit):
    moves = [str(number) for number in range(1, 41)]
    made = site.played("number-line-duel", *moves, options={"numbers": 40})
    page = visit(f"/m/{made['id']}/replay", wide=1280, high=800)
    page.wait_for_selector(".move-row[aria-current]")
    for step in (40, 12, 25):
        page.click(f".strip-step >> nth={step - 1}")
        page.wait_for_selector(f".moves li:nth-child({step}) [aria-current]")
        assert in_view(page, ".move-row[aria-current]")
        assert in_view(page, ".about-move .headline")
        assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("size", [(390, 844), *only_long((320, 640))])
def test_on_a_phone_the_value_of_the_move_is_below_the_board(site, visit, size):
    wide, high = size
    moves = ("10", "5", "20", "1", "12", "3", "18", "6", "2", "4", "8", "16")
    made = site.played("sequence-duel", *moves, options={"numbers": 20}, names=["Ann", "Bob"])
    page = visit(f"/m/{made['id']}/replay", wide=wide, high=high)
    page.click(".strip-step >> nth=6")
    page.wait_for_selector(".about-move .headline:has-text('Ann took 18. That gave the win away.')")
    page.wait_for_selector("text=Move 7 of 12")
    assert in_view(page, ".about-move .headline")
    assert in_view(page, ".board .tile.last")
    assert page.evaluate("scrollY") == 0


def test_on_a_phone_the_review_opens_with_its_board_in_view(site, visit):
    made = site.match("sequence-duel", options={"numbers": 40})
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=390, high=844)
    page.wait_for_selector(".board .tile.legal")
    for ply, move in enumerate(("39", "1", "23")):
        sent = {"ply": ply, "move": move}
        site.call("POST", f"/api/matches/{made['id']}/moves", sent, made["token"])
    page.click(".after button:text-is('Review')")
    page.wait_for_selector("text=Move 3 of 3")
    page.wait_for_function("scrollY === 0")
    assert in_view(page, ".board .tile.last")


def test_a_sheet_has_a_button_that_prints_it(visit):
    page = visit("/print")
    assert page.locator("text='Print'").count() == 0
    page.goto(page.url + "/rules/sequence-duel")
    page.evaluate("window.print = () => (window.printed = true)")
    page.click("button:text-is('Print')")
    assert page.evaluate("window.printed") is True
    page.emulate_media(media="print")
    assert page.locator("button:text-is('Print')").is_hidden()


def test_the_classroom_is_in_the_navigation(visit):
    page = visit("/", wide=1280)
    page.click("header nav >> text=Classroom")
    page.wait_for_url("**/class")
    assert page.locator("header nav [aria-current]").inner_text() == "Classroom"
    phone = visit("/", wide=320, high=640)
    phone.wait_for_selector(".card")
    assert not scrolls_sideways(phone)
