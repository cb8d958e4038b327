"""Lessons, puzzles and the page "You", as a learner uses them."""

from __future__ import annotations

import json
from datetime import date

import pytest
from browser_playing import OVER, scrolls_sideways, status, take, wait_for_turn
from browser_site import OURS
from test_browser_room import BOXES, every_size, faults

import duels
from duels.coach.daily import daily_puzzle
from duels.coach.lessons import lesson_of
from rings import all_if_long

CHAIN = "/puzzle?game=number-chain-duel&difficulty=easy&seed=1"


def position_of(posed):
    return duels.game(posed["game"], **posed["options"]).position(*posed["moves"])


def sorted_moves(position):
    """The moves that win, and those that do not, as they are written."""
    wins = set(duels.solve(position).winning_moves)
    write = position.game.format
    right = [write(move) for move in position.legal_moves if move in wins]
    return right, [write(move) for move in position.legal_moves if move not in wins]


def give(page, step, answer):
    """Answer a step as a person would: with taps, a button or typed text."""
    lesson = page.locator(".lesson")
    if step.asks.is_move:
        take(lesson, answer)
    elif step.asks.choices:
        page.click(f".answer-controls >> text=/^{answer}$/i")
    else:
        page.fill("#lesson-answer", answer)
        page.keyboard.press("Enter")


def win(page, site, made):
    """Play the moves that win until the game is over."""
    while wait_for_turn(page):
        state = site.call("GET", f"/api/matches/{made}")
        (move, *_), _ = sorted_moves(position_of(state))
        take(page, move)
        page.wait_for_function(
            "before => document.querySelectorAll('.moves li').length > before", arg=state["ply"]
        )


def test_the_hint_of_a_step_draws_its_pairs_until_it_is_answered(visit):
    page = visit("/learn")
    done = json.dumps({"number-duel": 5})
    page.evaluate("done => localStorage.setItem('duels.lessons', done)", done)
    page.goto(page.url + "/number-duel")
    page.click(".lesson .actions >> text=Hint")
    page.wait_for_selector(".lesson .reply:has-text('Look for 6 in the pairs.')")
    assert page.locator(".lesson .board-drawing .arc:not(.halo)").count() == 6
    take(page.locator(".lesson"), "2")
    page.wait_for_selector(".lesson .reply.right")
    assert page.locator(".lesson .board-drawing .arc").count() == 0


@pytest.mark.long
@pytest.mark.parametrize("game", all_if_long(OURS, "number-line-duel"))
def test_a_lesson_is_taken_from_the_first_step_to_the_won_game(site, visit, game):
    *steps, last = lesson_of(duels.GAMES[game]).steps
    page = visit(f"/learn/{game}", wide=320)
    for number, step in enumerate(steps, start=1):
        page.wait_for_selector(f"text=Step {number} of {len(steps) + 1}")
        # buttons say how to answer
        question = step.question if step.asks.choices else step.full_question
        assert page.inner_text(".question-row .status") == question
        assert step.right not in page.inner_text("main")
        give(page, step, step.accepted[0])
        page.wait_for_selector(".reply.right")
        assert step.right in page.inner_text(".reply")
        page.click(".actions >> text=Next step")
    page.click("text=Play against the computer")
    page.wait_for_url("**/m/*")
    win(page, site, page.url.rpartition("/")[2])
    assert status(page) == "You win."
    page.click("text=Back to the lesson")
    page.wait_for_selector(".reply.right")
    lines = page.locator(".reply p").all_inner_texts()
    assert lines == ["You have finished this lesson!", last.right]
    assert page.locator(".actions .primary").all_inner_texts() == ["Play a whole game"]
    assert not scrolls_sideways(page)


def test_a_wrong_answer_is_explained_and_the_lesson_continues_where_it_was_left(visit):
    page = visit("/learn/number-line-duel")
    page.click(".actions >> text=Hint")
    page.wait_for_selector(".reply:has-text('two neighbours at once')")
    take(page.locator(".lesson"), "5")
    page.wait_for_selector(".reply.wrong:has-text('Then they cross out 6.')")
    take(page.locator(".lesson"), "5-6")
    page.wait_for_selector(".reply.right")
    page.reload()
    page.wait_for_selector("text=Step 2 of 8")


def test_a_lesson_and_a_puzzle_by_keyboard_alone(visit):
    page = visit("/learn/number-line-duel")
    page.locator(".lesson [data-number='5']").focus()
    for key in ("Enter", "ArrowRight", "Enter", "Enter"):  # 5 and its neighbour, then go on
        page.keyboard.press(key)
        if key == "Enter" and page.locator(".tile.chosen").count() == 0:
            page.wait_for_selector(".reply.right, .lesson-head:has-text('Step 2')")
    page.wait_for_selector("text=Step 2 of 8")
    page.goto(page.url.replace("/learn/number-line-duel", CHAIN))
    page.wait_for_selector(".tile.legal")
    posed = page.evaluate("fetch(`/api${location.pathname}${location.search}`).then(a => a.json())")
    right, _ = sorted_moves(position_of(posed["position"]))
    page.locator(f".exercise [data-number='{right[0]}']").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".reply.right")
    page.keyboard.press("Enter")  # the focus is on the next one
    page.wait_for_selector(".exercise:not(:has(.reply.right))")


def test_a_wrong_move_is_refuted_on_the_board_and_taken_back(site, visit):
    page = visit(CHAIN)
    page.wait_for_selector(".tile.legal")
    posed = site.call("GET", "/api" + CHAIN)["position"]
    here = position_of(posed)
    (right, *_), (wrong, *_) = sorted_moves(here)
    assert page.locator(".tile.legal").count() == len(posed["legal"])
    take(page, wrong)
    page.wait_for_selector(f".reply.wrong:has-text('{wrong} loses.')")
    line = {name: posed[name] for name in ("game", "options", "moves")}
    tried = site.call("POST", "/api/puzzle/try", line | {"move": wrong})
    last = page.locator(".tile.last").get_attribute("data-number")
    assert last == tried["position"]["moves"][-1]
    page.click("text=Take it back and try again")
    take(page, right)
    page.wait_for_selector(".reply.right")
    before = page.url
    page.click("text=Next puzzle")
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_selector(".tile.legal")
    page.select_option(".toolbar select", "divisor-duel")
    page.wait_for_selector(".pad")
    page.click(".segments >> text=Hard")
    page.wait_for_function("() => location.search.includes('difficulty=hard')")


def test_the_puzzle_of_the_day_keeps_its_streak_here_and_is_shared_without_its_answer(visit):
    page = visit("/daily")
    page.wait_for_selector(".tile.legal")
    posed = daily_puzzle(date.today())
    write = posed.position.game.format
    take(page, write(posed.winning_moves[0]))
    page.wait_for_selector(".share:not([hidden])")
    page.evaluate("navigator.clipboard.writeText = async (text) => (window.copied = text)")
    page.click("text=Copy to share")
    page.wait_for_selector("text=Copied")
    title = f"Number Duels {date.today()}: {posed.position.game.title}, {posed.difficulty}"
    link = f"{page.url.partition('?')[0]}?date={date.today()}"
    assert page.evaluate("copied").split("\n") == [title, "🟦", "Solved in 1 try", link]
    page.reload()
    page.wait_for_selector(".daily:has-text('Your streak: 1 day.') .share:not([hidden])")
    yesterday = "new Date(Date.now() - 864e5).toISOString().slice(0, 10)"
    page.evaluate(
        f"""() => {{
            const kept = JSON.parse(localStorage.getItem('duels.daily'));
            kept[{yesterday}] = {{tries: 1, is_solved: true, counts: true}};
            localStorage.setItem('duels.daily', JSON.stringify(kept));
        }}"""
    )
    page.reload()
    page.wait_for_selector(".daily:has-text('Your streak: 2 days.')")


def test_a_turning_point_can_be_tried_again_and_the_game_is_on_your_page(site, visit):
    made = site.match("number-chain-duel", "computer", level="perfect", names=["Ann"])
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    take(page, "4")  # 5 and 7 win
    while wait_for_turn(page):
        ply = page.locator(".moves li").count()
        take(page, page.locator(".board .tile.legal").first.get_attribute("data-number"))
        page.wait_for_function(
            "before => document.querySelectorAll('.moves li').length > before", arg=ply
        )
    page.wait_for_selector("text=Try move 1 again")
    page.goto(f"{site.address}/puzzle?own={made['id']}")
    page.wait_for_selector("text=2 moves win. Find one.")
    assert "you took 4 here" in page.inner_text(".title-line")
    take(page, "7")
    page.wait_for_selector(".reply.right")
    page.goto(site.address + "/me")
    page.wait_for_selector(".by-game tr:has-text('Number Chain Duel'):has-text('0% (0 of 1)')")
    page.click(".own-game")
    page.wait_for_selector(".own-row:has-text('7 would have won')")


def test_a_player_with_results_is_matched_and_can_export_and_delete_everything(site, visit):
    page = visit("/play/number-chain-duel")
    assert page.locator("input[value=casual]").is_checked()
    page.click("text=match me")
    page.click("text=Start the game")
    page.wait_for_url("**/m/*")
    wait_for_turn(page)
    assert site.call("GET", f"/api/matches/{page.url.rpartition('/')[2]}")["players"][1][
        "computer"
    ] == str(duels.match.players.levels.LEVELS["casual"].strength)
    page.click(".bar >> text=Menu")
    page.click("text=Resign")
    page.click("text=Yes, resign")
    page.wait_for_selector(OVER)
    page.wait_for_function("() => localStorage.getItem('duels.standings')")
    page.goto(f"{site.address}/play/number-chain-duel")
    page.wait_for_selector(".level-words:has-text('now 6 of 100')")
    assert page.locator("input[value=matched]").is_checked()
    page.goto(f"{site.address}/me")
    page.wait_for_selector(".by-game tr:has-text('Number Chain Duel') td:has-text('6')")
    with page.expect_download() as download:
        page.click("text=Export everything")
    kept = json.loads(download.value.path().read_text())
    assert kept["standings"]["number-chain-duel"] == {"rating": 94, "games": 1, "strength": 6}
    assert json.loads(kept["games"][0]["record"])["termination"] == "resigned"
    page.click("text=Delete everything")
    page.click("text=Keep everything")
    assert page.evaluate("localStorage.getItem('duels.games')") is not None
    page.click("text=Delete everything")
    page.click("text=Yes, delete everything")
    page.wait_for_selector("text=None yet.")
    assert page.evaluate("localStorage.getItem('duels.games')") is None


@every_size
def test_lessons_and_puzzles_have_room(site, visit, size):
    wide, high = size
    page = visit("/learn/number-duel", wide=wide, high=high)
    done = {"number-duel": 6, "sequence-duel": 6}
    page.evaluate(f"localStorage.setItem('duels.lessons', '{json.dumps(done)}')")
    for path in (
        *(f"/learn/{game}" for game in ("number-duel", "sequence-duel", "number-line-duel")),
        *(f"/puzzle?game={game}&difficulty=hard&seed=2" for game in ("number-duel", "square-duel")),
    ):
        page.goto(site.address + path)
        page.wait_for_selector(".exercise .tile")
        boxes = page.eval_on_selector_all(".exercise .board .tile", BOXES)
        assert faults(boxes, wide) == [], path
        assert not scrolls_sideways(page)
    for path, there in (("/me", ".by-game th a"), ("/play/number-duel", ".setup"), ("/", ".card")):
        page.goto(site.address + path)
        page.wait_for_selector(there)
        assert not scrolls_sideways(page), path
