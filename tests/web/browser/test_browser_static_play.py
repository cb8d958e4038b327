"""Playing without a server: what a page's worker answers, stores and takes over."""

from __future__ import annotations

from contextlib import suppress

import pytest
from browser_alone import LINE, begin, moves, play_to_the_end
from browser_playing import (
    OVER,
    open_menu,
    scrolls_sideways,
    status,
    take,
    take_any,
    wait_for_ply,
    wait_for_turn,
)
from browser_site import OURS
from browser_static import READY, StaticSite
from playwright.sync_api import Error as PlaywrightError

import duels
from duels.match.records import read_records
from rings import only_long

REVIEW = ".panel.review:not([hidden])"
SERVICE_WORKER_GONE = 1000
"""Milliseconds after which Chromium knows that a crash has ended the service worker, too.

Until then it sends requests to the dead one, and they are never answered.
"""
NEEDS_SERVER = ("by link", "QR code", "to watch", "A class", "another device")


def test_a_visit_from_the_first_page_to_the_review(static_site, alone):
    """One pass: nothing that needs a server is shown, and a closed page is found again."""
    page = alone.new_page()
    page.goto(f"{static_site.address}/")
    page.wait_for_selector(".hero-picture .preview")
    assert not [words for words in NEEDS_SERVER if words in page.inner_text("main")]
    assert "need a server." in page.inner_text("footer")
    page.click("text=Play now")
    page.wait_for_url("**/m/?*")
    wait_for_turn(page)
    take_any(page)
    page.wait_for_function("() => document.querySelectorAll('.moves li').length")
    url = page.url
    page.close()  # perhaps before the computer has answered
    page = alone.new_page()
    page.goto(url)
    wait_for_turn(page)
    assert moves(page) == 2
    open_menu(page)
    assert not [words for words in NEEDS_SERVER if words in page.inner_text("#menu")]
    page.click("#menu >> text=Resign")
    page.click("text=Yes, resign")
    page.click(f"{OVER} >> text=Review")
    page.wait_for_selector(REVIEW)
    page.click("text=Show the strategy as a picture")
    page.wait_for_function("() => document.querySelector('.picture')?.naturalWidth > 0")
    with page.expect_download() as download:
        page.click("text=Download the record")
    (match,) = read_records(download.value.path())
    assert len(match.moves) == 2


@pytest.mark.long
@pytest.mark.parametrize("game", OURS)
def test_every_game_is_played_to_its_end_and_reviewed(static_site, alone, game):
    page = alone.new_page()
    begin(page, static_site, game, level="expert")
    play_to_the_end(page)
    assert status(page) in ("You win!", "You win.", "You lose.")
    page.click(f"{OVER} >> text=Review")
    page.wait_for_selector(REVIEW)
    for _ in range(moves(page)):
        page.click("text=◀ Back")
    page.wait_for_selector(".board .win, .board .lose")
    page.click(f"{OVER} >> text='Rematch'")
    page.wait_for_function("() => !document.querySelectorAll('.moves li').length")
    page.goto(f"{static_site.address}/me/")
    page.wait_for_selector(".own-game")
    assert duels.GAMES[game].title in page.inner_text(".own-game")


@pytest.mark.long
def test_two_people_on_one_screen_with_a_clock_hints_and_a_takeback(static_site, alone):
    page = alone.new_page()
    page.goto(f"{static_site.address}/play/{LINE}/")
    page.click("text=Two on this screen")
    page.fill("input[autocomplete=nickname]", "Ann")
    page.click("text=More choices")
    page.select_option(".more select", "30")
    page.click("text=Start the game")
    page.wait_for_url("**/m/?*")
    wait_for_turn(page)
    page.click(".bar >> text=Hint")
    page.wait_for_selector(".hints li")
    take_any(page)
    wait_for_ply(page, 1)
    page.click(".bar >> text=Take back")
    wait_for_ply(page, 0)
    assert page.locator(".clock:visible").count()
    page.reload()
    wait_for_turn(page)
    assert "Ann" in page.inner_text(".match-head")


@pytest.mark.long
def test_a_clock_that_runs_out_ends_the_game_also_behind_a_reload(static_site, alone):
    page = alone.new_page()
    begin(page, static_site, mode="here", time_limit=4)
    page.wait_for_timeout(2500)  # so long that the clock has been kept
    page.reload()
    wait_for_turn(page)
    page.wait_for_selector(OVER, timeout=3500)
    assert "ran out of time" in page.inner_text(".stage") or "time" in status(page)


@pytest.mark.long
def test_without_a_network_one_plays_solves_and_learns(tmp_path, alone):
    site = StaticSite(tmp_path)
    site.start()
    page = alone.new_page()
    page.goto(f"{site.address}/")
    page.wait_for_function(READY)
    site.stop()
    page.reload()
    begin(page, site)
    play_to_the_end(page)
    page.click(f"{OVER} >> text=Review")
    page.wait_for_selector(REVIEW)
    page.goto(f"{site.address}/puzzle/")
    page.wait_for_selector(".tile.legal")
    page.goto(f"{site.address}/daily/")
    page.wait_for_selector(".tile.legal")
    page.click("text=Give up")
    page.wait_for_selector(".share-lines")
    page.goto(f"{site.address}/learn/")
    page.locator(".card").first.click()
    page.wait_for_selector(".lesson h2")
    page.wait_for_selector(".try .tile.lose, .try .tile.win")
    page.goto(f"{site.address}/print/")
    page.locator("a[href*='print/puzzles']").first.click()
    page.wait_for_selector(".task")
    page.click("text=Another sheet")
    page.wait_for_function("() => document.querySelector('h1')?.innerText.includes('sheet 2')")


@pytest.mark.parametrize("what", ["**/offline/worker.*.js", *only_long("**/*.wasm")])
def test_a_worker_that_stays_silent_is_replaced(static_site, alone, what):
    """As after a crash, when the browser sends requests to a service worker that is dead."""
    page = alone.new_page()
    unanswered = []

    def answer(route):
        if unanswered:
            route.continue_()
        else:
            unanswered.append(route)

    alone.route(what, answer)
    begin(page, static_site)
    assert unanswered
    take_any(page)
    wait_for_ply(page, 1)


@pytest.mark.long
@pytest.mark.parametrize("delay", [0, 5, 30, 100, 400])
def test_a_crash_in_mid_move_loses_nothing_that_was_acknowledged(static_site, alone, delay):
    page = alone.new_page()
    begin(page, static_site, options={"numbers": 40})
    url, acknowledged = page.url, 0
    for _ in range(4):
        wait_for_turn(page)
        acknowledged = moves(page)
        take_any(page)
        page.wait_for_timeout(delay)
        seen = moves(page)
        with suppress(PlaywrightError):  # the page is gone, and says so
            page.goto("chrome://crash")
        page = alone.new_page()
        page.wait_for_timeout(SERVICE_WORKER_GONE)
        page.goto(url)
        wait_for_turn(page)
        assert moves(page) >= max(acknowledged, seen)
        assert moves(page) <= acknowledged + 2


@pytest.mark.long
def test_a_second_tab_follows_and_a_late_move_is_refused(static_site, alone):
    one, two = alone.new_page(), alone.new_page()
    begin(one, static_site, mode="here")
    two.goto(one.url)
    wait_for_turn(two)
    take(one, "1")
    wait_for_ply(two, 1)
    take(two, "2")
    wait_for_ply(one, 2)
    late = two.evaluate(
        """async () => {
            const { postAction } = await import('/duels/static/js/lib/api.js');
            const { loadSeat } = await import('/duels/static/js/match/seats.js');
            const id = location.search.slice(1);
            const sent = postAction(id, loadSeat(id).token, "moves", { ply: 1, move: "5" });
            return sent.catch(({ message, state }) => [message, state.moves]);
        }"""
    )
    assert late == ["The match is at move 2, not 1.", ["1", "2"]]


@pytest.mark.long
@pytest.mark.parametrize("wide", [390, 1100])
def test_every_page_is_shown_and_fits(static_site, alone, wide):
    page = alone.new_page()
    page.set_viewport_size({"width": wide, "height": 800})
    for path, seen in {
        "": ".card",
        "analysis/?game=sequence-duel&numbers=10&moves=6.3": ".tile.win, .tile.lose",
        "learn/": ".preview .tile",
        "learn/divisor-duel/": ".lesson h2",
        "puzzle/": ".tile.legal",
        "daily/": ".tile.legal",
        "me/": ".by-game th a",
        "play/number-duel/": ".setup",
        "print/": ".listing",
        "print/plan/number-duel/": "h1",
        "print/rules/?number-duel": ".sheet",
        "print/puzzles/?number-duel/3": ".task",
    }.items():
        page.goto(f"{static_site.address}/{path}")
        page.wait_for_selector(seen)
        assert not scrolls_sideways(page), path
        assert page.locator(".notice:visible").count() == 0, path
    page.goto(f"{static_site.address}/analysis/?game=sequence-duel&numbers=10&moves=6.3")
    page.wait_for_function("() => document.querySelector('.picture')?.naturalWidth > 0")
    page.goto(f"{static_site.address}/m/?nothinghere")
    page.wait_for_selector("text=There is no match with this id.")


@pytest.mark.long
def test_records_go_out_and_in(static_site, alone, tmp_path):
    page = alone.new_page()
    begin(page, static_site)
    play_to_the_end(page)
    played = moves(page)
    page.click(f"{OVER} >> text=Review")
    with page.expect_download() as download:
        page.click("text=Download the record")
    path = tmp_path / "game.txt"
    download.value.save_as(path)
    page.goto(f"{static_site.address}/analysis/")
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector(f"text=Move 0 of {played}")
    page.fill("textarea", "nonsense")
    page.click(".side button:text-is('Show')")
    page.wait_for_selector(".side .notice")
