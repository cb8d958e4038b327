"""A whole class of 28 pupils in a real browser, from the code on the board to the results."""

from __future__ import annotations

import pytest
from browser_playing import take_any, wait_for_ply, wait_for_turn
from browser_site import number
from test_browser_class import WALL, by_seat, come_all, start_class, start_round

MINUTES = 180_000  # milliseconds


@pytest.mark.long
def test_a_class_of_28_plays_from_the_code_to_the_results(site, visit):
    visit = patient(visit)
    teacher, code = start_class(visit, "/class")
    pupils = come_all(visit, teacher, code, *(f"Kid {number}" for number in range(1, 29)))
    teacher.select_option("label:has-text('The game') select", "number-line-duel")
    teacher.click("text=More choices")
    teacher.fill("input[name=numbers]", "5")
    wall = teacher.context.new_page()
    wall.set_default_timeout(MINUTES)
    wall.set_viewport_size(WALL)
    wall.goto(f"{teacher.url}/wall")
    matches = start_round(teacher, 1, *pupils)
    wall.wait_for_selector(".wall-board >> nth=13")
    assert whole_boards(wall) == 14
    for match in sorted(set(matches)):
        at_board = [page for page, own in zip(pupils, matches, strict=True) if own == match]
        play_by_taps(*by_seat(site, code, match, *at_board))
    wall.wait_for_function("document.querySelectorAll('.wall-board.over').length === 14")
    assert whole_boards(wall) == 14
    wall.wait_for_selector("text=0 games in progress, 14 finished")
    for page in pupils:
        page.wait_for_selector(".after >> text=Back to the class")
    teacher.wait_for_selector("text=Round 1 is finished.")
    teacher.click("text=Show the results")
    teacher.wait_for_selector(".standings tbody tr >> nth=27")
    rows = teacher.locator(".standings tbody tr").all_inner_texts()
    points = [row.split("\t")[1:3] for row in rows]
    assert sorted(points) == [["0", "1"]] * 14 + [["1", "1"]] * 14
    for names in (roster(teacher), [row.split("\t")[0] for row in rows]):
        for half in (names[:14], names[14:]):  # winners first, and each half as people count
            assert half == sorted(half, key=number)
    printed = teacher.pdf(format="A4")
    assert printed.count(b"/Type /Page\n") <= 3, "only the results are printed"


def patient(visit):
    """Pages that wait for each other: all 29 of them share the machine."""

    def visit_page(*where, **room):
        page = visit(*where, **room)
        page.set_default_timeout(MINUTES)
        return page

    return visit_page


def roster(teacher):
    return teacher.locator(".roster .roster-name").all_inner_texts()


def whole_boards(wall):
    """How many boards of the wall are on the screen with all of their edges."""
    boxes = [board.bounding_box() for board in wall.locator(".wall-board").all()]
    return sum(
        box["x"] >= 0
        and box["x"] + box["width"] <= WALL["width"]
        and box["y"] + box["height"] <= WALL["height"]
        for box in boxes
    )


def play_by_taps(*pupils):
    """Two pupils play to the end on their phones."""
    while wait_for_turn(mover := pupils[0]):
        moves = mover.locator(".moves li").count()
        take_any(mover)
        for page in pupils:
            wait_for_ply(page, moves + 1)
        pupils = pupils[::-1]
