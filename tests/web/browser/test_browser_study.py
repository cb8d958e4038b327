"""The review after a game, the analysis board and the learn pages."""

from __future__ import annotations

import pytest
from browser_playing import OVER, scrolls_sideways, take, take_any, wait_for_ply
from browser_site import GAMES, OURS, number

from rings import all_if_long

JUNIPER = ("6", "3", "9", "1", "8", "4", "2", "10", "5")


def finished(site):
    return site.played("sequence-duel", *JUNIPER, options={"numbers": 10}, names=["Ann", "Bob"])


def test_review_is_one_tap_away_when_the_game_ends(site, visit):
    made = site.played("sequence-duel", *JUNIPER[:-1], options={"numbers": 10})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    take(page, "5")
    page.wait_for_selector(OVER)
    assert page.locator(".review-controls").is_hidden()
    page.click("text=Review")
    page.wait_for_selector("text=Move 9 of 9")
    assert page.locator(".strip-step").count() == 9
    assert page.locator(".move-row >> nth=0").inner_text().endswith("✕ lost sooner")
    assert "gave the win away" in page.locator(".move-row >> nth=1").inner_text()
    assert page.locator(".judged.bad").count() == 2
    assert page.locator(".move-row .turning").inner_text() == "turning point"


def test_review_is_stepped_by_buttons_keys_and_the_list(site, visit):
    page = visit(f"/m/{finished(site)['id']}/replay")
    page.wait_for_selector("text=Move 9 of 9")
    page.click("text='First'")
    page.wait_for_selector("text=Start of 9 moves")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=Move 1 of 9")
    page.wait_for_selector(".tile.win[data-number='2']")
    assert page.locator(".tile.lose[data-number='3']").count() == 1
    assert page.locator(".tile.last").get_attribute("data-number") == "6"
    page.click(".move-row >> nth=1")
    page.wait_for_selector(".about-move:has-text('2 would have won.')")
    page.wait_for_selector("text=The game turned here.")
    assert page.evaluate("document.activeElement.matches('.move-row.turns')")
    page.click("text=Next ▶")
    page.wait_for_selector("text=Move 3 of 9")
    page.keyboard.press("End")
    page.wait_for_selector("text=Move 9 of 9")


def test_strategy_picture_of_a_step_and_the_record(site, visit):
    page = visit(f"/m/{finished(site)['id']}/replay")
    page.click("text=◀ Back")
    page.click("text=Show the strategy as a picture")
    page.wait_for_function("() => document.querySelector('.review .picture').naturalWidth > 100")
    assert page.locator(".review .picture").get_attribute("src").endswith("ply=8")
    with page.expect_download() as download:
        page.click("text=Download the record")
    assert "Sequence Duel" in download.value.path().read_text() or "sequence-duel" in (
        download.value.path().read_text()
    )
    page.click("text=Analyse from here")
    page.wait_for_url("**/analysis?*moves=6.3.9.1.8.4.2.10")


def test_replay_link_gives_no_seat(site, visit):
    made = finished(site)
    page = visit(f"/m/{made['id']}/replay#seat={made['token']}")
    page.wait_for_selector("text=Move 9 of 9")
    assert page.locator("text='Rematch'").is_hidden()


@pytest.mark.parametrize("game", all_if_long(GAMES, "divisor-duel", "number-line-duel"))
def test_analysis_marks_moves_and_branches_freely(site, visit, game):
    query = "&".join(f"{name}={value}" for name, value in GAMES[game].items())
    page = visit(f"/analysis?game={game}&{query}")
    page.wait_for_selector(".tile.win, .tile.lose")
    take_any(page)
    page.wait_for_selector("text=Move 1 of 1")
    assert "moves=" in page.url
    first = page.url
    if page.locator(".tile.win, .tile.lose").count():
        take_any(page)
        page.wait_for_selector("text=Move 2 of 2")
        page.click("text=◀ Back")
        page.wait_for_selector("text=Move 1 of 2")
        assert page.url == first
        page.click("text=Next ▶")
        page.wait_for_selector("text=Move 2 of 2")
        page.go_back()
        page.wait_for_url(first)
    page.wait_for_function("() => document.querySelector('.picture').naturalWidth > 100")


def test_analysis_says_why_and_keeps_the_position_in_the_address(visit):
    page = visit("/analysis?game=number-line-duel&numbers=10&moves=5-6.8")
    page.wait_for_selector("text=Move 2 of 2")
    assert "Copy every move" in page.locator(".reason").inner_text()
    page.fill("#typed-moves", "5-6 8 2")
    page.keyboard.press("Enter")
    page.wait_for_url("**moves=5-6.8.2")
    page.select_option("label:has-text('Game') select", "divisor-duel")
    page.wait_for_url("**game=divisor-duel**")
    page.wait_for_selector(".pad .tile.lose, .pad .tile.win")
    page.fill("input[name=divisor]", "12")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.wait_for_url("**divisor=12**")


def test_analysis_explains_a_wrong_address(visit):
    page = visit("/analysis?game=sequence-duel&numbers=20&moves=6.5")
    page.wait_for_selector(".notice:has-text('5')")
    page.goto(page.url.split("?")[0] + "?game=chess")
    page.wait_for_selector(".notice:has-text('chess')")


def test_analysis_opens_a_record_file(site, visit, tmp_path):
    made = finished(site)
    page = visit(f"/m/{made['id']}/replay")
    with page.expect_download() as download:
        page.click("text=Download the record")
    path = tmp_path / "game.txt"
    download.value.save_as(path)
    page.goto(f"{site.address}/analysis")
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector("text=Move 0 of 9")
    page.click(".path .step >> nth=2")
    page.wait_for_selector("text=Move 3 of 9")
    assert "numbers=10" in page.url
    page.set_input_files(
        "input[type=file]", {"name": "x.txt", "mimeType": "text/plain", "buffer": b"nonsense"}
    )
    page.wait_for_selector(".side .notice")
    page.evaluate("() => void (File.prototype.text = async () => { throw Error('It is gone.'); })")
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector("main > .notice:text-is('It is gone.')")
    assert page.input_value("input[type=file]") == ""  # it may be chosen again
    page.fill("textarea", path.read_text())
    page.click(".side button:text-is('Show')")
    page.wait_for_selector("text=Move 0 of 9")


@pytest.mark.parametrize("game", all_if_long(OURS, "number-chain-duel", "divisor-duel"))
def test_learn_page_has_rules_theory_and_a_live_board(visit, game):
    page = visit(f"/learn/{game}", wide=320)
    page.wait_for_selector(".tile.win, .tile.lose")
    assert page.locator(".prose li").count() >= 9
    assert page.locator("h2", has_text="How to win").count() == 1
    assert page.locator("summary", has_text="The mathematics").count() == 1
    assert page.locator("text=Corrections to the printed rule book").count() == 0
    assert not scrolls_sideways(page)
    take_any(page.locator(".try"))
    page.wait_for_selector("text=Move 1 of 1")


def test_public_games_are_listed_to_watch(site, visit):
    site.played("sequence-duel", "6", "3", public=True, names=["Ann", "Zoë"])
    page = visit("/")
    row = page.locator(".watch .match-row:has-text('Zoë')")
    assert number(row.inner_text()) == 2
    row.click()
    page.wait_for_url("**/m/*")
    wait_for_ply(page, 2)
