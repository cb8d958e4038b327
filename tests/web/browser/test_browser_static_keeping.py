"""Storage, imports and failures without a server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser_alone import begin, move_and_wait, moves
from browser_playing import OVER, take, take_any, wait_for_ply, wait_for_turn
from browser_site import SQUARE

pytestmark = pytest.mark.long

OWN_FILE = ".game-files input[type=file]"
WRONG = ".game-files .notice"
IMPORT = ".panel input[type=file]"
SLOW = '''
from time import perf_counter
from duels import StateGame, whole

class SlowDuel(StateGame[int]):
    """Whoever thinks about it thinks for minutes."""
    id, title, summary = "slow-duel", "Slow Duel", "Take one or two, slowly."
    stones: int = whole("the stones", default=30, highest=100, is_size=True)
    sample_size = 4

    def first(self):
        return self.stones

    def allowed(self, state):
        end = perf_counter() + (0.5 if 1 < state < 28 else 0)
        while perf_counter() < end:
            pass
        return tuple(n for n in (1, 2) if n <= state)

    def after(self, state, move):
        return state - move
'''
BAD_FILES = {
    "broken.py": ("class X(", "broken.py cannot be used as a game. Line 1: SyntaxError"),
    "none.py": ("x = 1", "none.py has no game in it"),
    "huge.py": ("x = [0] * 10**9\ny = x * 100", "huge.py cannot be used as a game."),
    "endless.py": ("while True: pass", "endless.py did not come to an end within 10 seconds."),
}
ASK_FOR_ROOM = """() => new Promise((done) => {
    indexedDB.open('number-duels').onsuccess = ({ target: { result } }) => {
        const change = result.transaction('games', 'readwrite');
        change.objectStore('games').put({ name: 'large.py', source: 'x'.repeat(3e7) });
        change.onabort = () => done(true);
        change.oncomplete = () => done(false);
    };
})"""
"""Chromium looks only now and then how much room there is; for so much it does, and refuses."""


def open_file(page, site, name, source, how="Open it in this tab"):
    page.goto(f"{site.address}/")
    page.wait_for_selector(".hero-picture .preview")
    given = {"name": name, "mimeType": "text/x-python", "buffer": source.encode()}
    page.set_input_files(OWN_FILE, given)
    page.wait_for_selector(f"text={name} is a program")
    page.click(f"text={how}")


def export(page, site, path):
    page.goto(f"{site.address}/me/")
    page.wait_for_selector(".by-game th a")
    with page.expect_download() as download:
        page.click("text=Export everything")
    download.value.save_as(path)


def test_everything_moves_to_another_device_in_one_file(static_site, alone, browser, tmp_path):
    page, path = alone.new_page(), tmp_path / "all.json"
    begin(page, static_site)
    while move_and_wait(page):
        pass
    page.wait_for_function("() => localStorage['duels.games']")
    begin(page, static_site, "divisor-duel", mode="here", options={"divisor": 7})
    take(page, "5")
    wait_for_ply(page, 1)
    going_on = page.url
    export(page, static_site, path)

    other = browser.new_context().new_page()
    other.set_default_timeout(20_000)
    other.goto(f"{static_site.address}/me/")
    other.wait_for_selector(".by-game th a")
    kept = path.read_text()
    for damaged in (kept[:-30], "{}", kept.replace('"ply": 1', '"ply": 2')):
        given = {"name": "all.json", "mimeType": "application/json", "buffer": damaged.encode()}
        other.set_input_files(IMPORT, given)
        other.wait_for_selector(".panel .notice:visible")
        assert "Nothing was changed." in other.inner_text(".panel .notice")
        assert not other.evaluate("'duels.games' in localStorage")
    other.set_input_files(IMPORT, path)
    other.wait_for_selector(".own-game")
    other.goto(going_on)
    assert wait_for_turn(other)
    assert moves(other) == 1
    take_any(other)
    wait_for_ply(other, 2)
    other.goto(f"{static_site.address}/me/")  # the older one is brought again: what is here stays
    other.wait_for_selector(".own-game")
    other.set_input_files(IMPORT, path)
    other.wait_for_function("() => document.body.innerText.includes('Your finished games')")
    other.goto(going_on)
    wait_for_turn(other)
    assert moves(other) == 2
    assert other.evaluate("JSON.parse(localStorage['duels.games']).length") == 1
    other.context.close()


def test_deleting_everything_leaves_unfinished_games(static_site, alone, tmp_path):
    page, path = alone.new_page(), tmp_path / "all.json"
    begin(page, static_site)
    while move_and_wait(page):
        pass
    page.wait_for_function("() => localStorage['duels.games']")
    begin(page, static_site, mode="here")
    page.goto(f"{static_site.address}/me/")
    page.wait_for_selector(".own-game")
    page.click("text=Delete everything")
    page.click("text=Yes, delete everything")
    page.wait_for_selector("text=None yet.")
    export(page, static_site, path)
    kept = json.loads(path.read_text())
    assert [one["is_over"] for one in kept["matches"]] == [False]


def test_your_own_game_is_played_and_stored_only_with_consent(static_site, alone, tmp_path):
    page = alone.new_page()
    open_file(page, static_site, "square_duel.py", SQUARE.read_text())
    page.wait_for_url("**/play/?square-duel")
    page.click("text=Start the game")
    page.wait_for_url("**/m/?*")
    while wait_for_turn(page):
        move_and_wait(page)
    page.click(f"{OVER} >> text=Review")
    page.wait_for_selector(".panel.review:not([hidden])")
    match = page.url
    page.click(".bar >> text=Rules")
    page.wait_for_selector(".rules-panel figure .tile")
    page.click("text=All rules, and how to win")
    page.wait_for_url("**/learn/?square-duel")
    page.wait_for_selector(".try .tile.lose, .try .tile.win")
    page.click("text=Open in analysis")
    page.wait_for_selector(".tile.lose, .tile.win")
    elsewhere = alone.new_page()
    elsewhere.goto(f"{static_site.address}/")
    elsewhere.wait_for_selector(".hero-picture .preview")
    assert elsewhere.locator("text=Square Duel").count() == 0
    elsewhere.goto(match)
    elsewhere.wait_for_selector("text=This match is saved, but its game, square-duel, is not here.")


def test_a_stored_game_file_can_be_removed(static_site, alone):
    page = alone.new_page()
    how = "Open it, and keep it here"
    open_file(page, static_site, "square_duel.py", SQUARE.read_text(), how)
    page.wait_for_url("**/play/?square-duel")
    page.close()
    page = alone.new_page()
    page.goto(f"{static_site.address}/")
    page.wait_for_selector(".card >> text=Square Duel")
    page.click("text=Forget it")
    page.wait_for_function("() => document.querySelectorAll('.card').length === 5")
    assert page.locator("text=Square Duel").count() == 0


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_named_and_nothing_else_suffers(static_site, alone, name):
    page = alone.new_page()
    source, sentence = BAD_FILES[name]
    open_file(page, static_site, name, source)
    page.wait_for_selector(WRONG)
    assert sentence in page.inner_text(WRONG)
    page.click(".card >> nth=0")
    page.wait_for_selector(".setup")


def test_a_stored_file_that_never_ends_is_left_out(static_site, alone):
    page = alone.new_page()
    page.goto(f"{static_site.address}/")
    page.wait_for_selector(".hero-picture .preview")
    page.evaluate(
        """() => new Promise((done) => {
            indexedDB.open('number-duels').onsuccess = ({ target: { result } }) => {
                const change = result.transaction('games', 'readwrite');
                change.objectStore('games').put({ name: 'endless.py', source: 'while 1: pass' });
                change.oncomplete = done;
            };
        })"""
    )
    page.reload()
    page.wait_for_selector(".progress-bar.wrong >> text=endless.py did not come to an end")
    page.wait_for_selector(".hero-picture .preview")
    page.click("text=Forget it")
    page.wait_for_selector(".hero-picture .preview")
    assert page.locator(".progress-bar.wrong:visible").count() == 0


def test_a_long_thought_is_shown_and_can_be_stopped(static_site, alone):
    page = alone.new_page()
    open_file(page, static_site, "slow.py", SLOW)
    page.wait_for_url("**/play/?slow-duel")
    page.click("label >> text=expert")
    page.click("text=Start the game")
    page.wait_for_url("**/m/?*")
    wait_for_turn(page)
    take_any(page) if page.locator(".board [data-number]").count() else page.click(".tile.legal")
    page.wait_for_selector(".progress-bar >> text=The computer is thinking … 4 s")
    page.click(".progress-bar >> text=Stop")
    page.wait_for_function("() => document.querySelectorAll('.moves li').length === 2")
    assert wait_for_turn(page)


def test_a_window_without_storage_says_so_and_plays(static_site, browser):
    context = browser.new_context(service_workers="block", reduced_motion="reduce")
    offline = Path(static_site.place, "static", "js", "offline")
    (database,) = offline.glob("database.*.js")
    context.route(
        "**/database.*.js",
        lambda route: route.fulfill(
            body=f"const indexedDB = undefined;\n{database.read_text()}",
            content_type="text/javascript",
        ),
    )
    context.add_init_script(
        """for (const name of ["localStorage", "sessionStorage"])
            Object.defineProperty(window, name, { get() { throw new DOMException("no") } });"""
    )
    page = context.new_page()
    page.set_default_timeout(20_000)
    begin(page, static_site)
    assert "This private window saves nothing" in page.inner_text(".progress-bar.wrong")
    assert move_and_wait(page)
    page.reload()
    assert wait_for_turn(page)
    assert moves(page) == 2
    context.close()


def test_a_full_disk_is_a_sentence_and_the_move_did_not_happen(static_site, alone):
    page = alone.new_page()
    begin(page, static_site, mode="here")
    take(page, "1")
    wait_for_ply(page, 1)
    origin = static_site.address.removesuffix("/duels")
    tools = alone.new_cdp_session(page)
    tools.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    while not page.evaluate(ASK_FOR_ROOM):  # as long as what it had seen before holds
        page.wait_for_timeout(500)
    take(page, "3")
    page.wait_for_selector("text=There is no room left on this device")
    assert moves(page) == 1
    page.reload()
    wait_for_turn(page)
    assert moves(page) == 1
    tools.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    page.reload()
    wait_for_turn(page)
    take(page, "3")
    wait_for_ply(page, 2)
