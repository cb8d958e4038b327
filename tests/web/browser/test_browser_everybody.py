"""Keyboards, screen readers, any name, any colour scheme, and pages that are quickly there."""

from __future__ import annotations

import pytest
from browser_playing import OVER, scrolls_sideways, wait_for_ply, wait_for_turn

from duels.core.look import COLOURS, COLOURS_ON_DARK
from rings import all_if_long, by_ring

NAMES = ["<script>document.title='x'</script>", "שלום\u202eevil", "👩🏽‍🚀🎲 " + "long " * 5]


def focused(page, what):
    return page.evaluate(f"document.activeElement.{what}")


def tab_to(page, test):
    """Press Tab until the focus is where it should be."""
    for _ in range(60):
        if page.evaluate(f"(one => {test})(document.activeElement)"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {test}")


def test_a_game_from_the_lobby_to_the_review_by_keyboard_alone(visit):
    page = visit("/")
    page.wait_for_selector("text=Play now")
    tab_to(page, "one.textContent === 'Play now'")
    page.keyboard.press("Enter")
    page.wait_for_url("**/m/*")
    while wait_for_turn(page):
        before = page.locator(".moves li").count()
        tab_to(page, "one.matches('.board .tile')")
        page.keyboard.press("Home")
        while not page.evaluate("document.activeElement.matches('.legal')"):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        if page.evaluate("document.activeElement.matches('.chosen')"):
            page.keyboard.press("Enter")
        page.wait_for_function(
            "before => document.querySelectorAll('.moves li').length > before", arg=before
        )
    page.wait_for_selector(OVER)
    tab_to(page, "one.textContent === 'Review'")
    page.keyboard.press("Enter")
    page.wait_for_selector(".review-controls:not([hidden])")
    tab_to(page, "one.textContent === '◀ Back'")
    page.keyboard.press("Enter")
    count = page.locator(".moves li").count()
    page.wait_for_selector(f"text=Move {count - 1} of {count}")


def test_arrow_keys_walk_on_the_grid_and_the_board_is_one_stop(site, visit):
    made = site.match("number-duel", "here", options={"numbers": 100})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    assert page.locator(".grid .tile[tabindex='0']").count() == 1
    page.focus(".grid .tile[tabindex='0']")
    for key, number in (("ArrowRight", "2"), ("ArrowDown", "12"), ("End", "20"), ("ArrowUp", "10")):
        page.keyboard.press(key)
        assert focused(page, "dataset.number") == number
    page.keyboard.press("Space")
    wait_for_ply(page, 1)
    assert focused(page, "dataset.number") == "10"
    page.keyboard.press("2")
    page.keyboard.press("0")
    assert focused(page, "value") == "20"
    page.keyboard.press("Enter")
    wait_for_ply(page, 2)


def test_neighbours_are_crossed_out_by_keys(site, visit):
    made = site.match("number-line-duel", "here")
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    page.focus(".line [data-number='3']")
    page.keyboard.press("Enter")
    assert "chosen" in focused(page, "ariaLabel")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert "together with 3" in focused(page, "ariaLabel")
    page.keyboard.press("Enter")
    wait_for_ply(page, 1)
    assert page.locator(".moves .move").inner_text() == "3 and 4"


def test_tiles_have_names_and_moves_are_announced(site, visit):
    first, second, _ = site.friends()
    ann, bob = visit(first), visit(second)
    wait_for_turn(ann)
    ann.click("[data-number='6']")
    bob.wait_for_selector(
        ".unseen[role=status]:has-text('Ann took 6. Your turn: a factor or a multiple of 6.')",
        state="attached",
    )
    assert bob.get_by_role("button", name="6, taken by Ann, last move", exact=True).count() == 1
    assert bob.get_by_role("button", name="3, can be played", exact=True).count() == 1
    assert bob.get_by_role("button", name="5", exact=True).count() == 1


@pytest.mark.parametrize("name", NAMES, ids=["markup", "right-to-left", "emoji"])
def test_any_name_is_shown_unchanged_and_breaks_nothing(site, visit, name):
    made = site.played(
        "number-chain-duel", "4", "2", names=[name, "Bob"], public=True, time_limit=90
    )
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=320)
    wait_for_turn(page)
    assert page.locator("main script").count() == 0
    assert page.locator("bdi").first.inner_text() in made["state"]["players"][0]["name"]
    assert page.locator(".status").inner_text().endswith("turn: a factor or a multiple of 2.")
    assert "Number Chain Duel" in page.title()
    assert not scrolls_sideways(page)
    page.goto(site.address)
    page.wait_for_selector(".watch .match-row")
    assert not scrolls_sideways(page)


def axe_faults(page, schemes=("light", "dark")):
    """What axe finds; the dark colour scheme can only change the contrast."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    options = {"resultTypes": ["violations"]}
    faults = []
    for scheme in schemes:
        only = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
        page.emulate_media(color_scheme=scheme)
        found = axe.run(page, options=options | only).response["violations"]
        faults += [
            f"{scheme}, {fault['id']}: {node['html'][:160]}"
            for fault in found
            for node in fault["nodes"]
        ]
    return faults


def test_axe_finds_no_fault_on_any_page(site, visit):
    over = site.played("number-chain-duel", "4", "2", "8", "1", "5", names=["Ann", "Bob"])
    waiting = site.match("sequence-duel", "friend", names=["Ann"], time_limit=60)
    line = site.played("number-line-duel", "4-5")
    digits = site.played("divisor-duel", "5", "2")
    grid = site.played("number-duel", "28", "14", options={"numbers": 40})
    seats = [(f"/m/{made['id']}#seat={made['token']}", ".board") for made in (waiting, line, grid)]
    seats.append((f"/m/{waiting['id']}#seat={waiting['invite']['token']}", ".invitation .field"))
    page = visit("/")
    page.click("[data-game=number-duel]")
    page.click("text=More choices")
    assert axe_faults(page) == []
    for path, there in (
        *seats,
        (f"/m/{digits['id']}", ".pad"),
        (f"/m/{over['id']}#seat={over['token']}", ".review-controls"),
        ("/analysis?game=number-line-duel&numbers=10&moves=2", ".tile.lose"),
        ("/learn", ".card"),
        ("/learn/sequence-duel", ".tile.lose"),
        ("/puzzle?game=sequence-duel&seed=3", ".tile.legal"),
        ("/daily?date=2027-01-31", ".share, .tile.legal"),
        ("/me", ".by-game th a"),
        ("/nothing-here", "h1"),
    ):
        page.goto("about:blank")
        page.goto(site.address + path)
        page.wait_for_selector(there)
        dark = there == ".review-controls" or by_ring(False, long=True)
        schemes = ("light", "dark")[: 1 + dark]
        assert axe_faults(page, schemes) == [], path
        for opener in ("Menu", "Rules") if there == ".pad" else ():
            page.click(f".bar >> text={opener}")
            page.wait_for_selector(".popover:popover-open a, #menu:popover-open")
            assert axe_faults(page, schemes) == [], opener
            page.keyboard.press("Escape")


def test_targets_are_large_enough_for_fingers(site, visit):
    grid = site.played("number-duel", "28", options={"numbers": 100})
    boards = (f"/m/{grid['id']}#seat={grid['token']}", "/analysis", "/puzzle", "/learn/number-duel")
    page = visit("/readyz", wide=320)
    for path in ("/", "/me", *boards):
        page.goto(site.address + path)
        page.wait_for_selector(".tile.legal, .card, .tile.lose, .by-game th a")
        small = page.eval_on_selector_all(
            "button, .button, select, summary, input:not([type=radio], [type=checkbox]), nav a",
            """all => all.map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
                .filter(([, box]) => box.width && (box.width < 24 || box.height < 24))""",
        )
        assert small == []


@pytest.mark.parametrize(("scheme", "colours"), [("light", COLOURS), ("dark", COLOURS_ON_DARK)])
def test_pages_have_the_colours_of_the_look(visit, scheme, colours):
    page = visit("/", color_scheme=scheme)
    for player, colour in colours.items():
        found = page.evaluate(
            f"getComputedStyle(document.documentElement).getPropertyValue('--player-{player}')"
        )
        assert found.strip().lower() == colour.lower()


LAST = {
    "/": "/api/matches",
    "/match": "/match-page",
    "/analysis?game=number-duel": "/api/picture.svg",
    "/learn/number-duel": "/api/solve",
    "/puzzle": "/api/puzzle",
    "/me": "/api/daily/",
    "/play/number-duel": "/play-page",
}
"""What each page requests last."""


@pytest.mark.parametrize("path", all_if_long(LAST, "/", "/match", "/learn/number-duel"))
def test_first_load_is_small(site, visit, path):
    last = LAST[path]
    if path == "/match":
        path = f"/m/{site.match('number-duel', options={'numbers': 100})['id']}"
    page = visit(path, is_first=True)
    page.wait_for_load_state("load")
    page.wait_for_selector(".board, .cards, .by-game, .setup")
    page.wait_for_function(
        "last => performance.getEntriesByType('resource').some(({name}) => name.includes(last))",
        arg=last,
    )
    total = page.evaluate(
        """() => [...performance.getEntriesByType('navigation'),
                  ...performance.getEntriesByType('resource')]
                  .reduce((sum, entry) => sum + entry.transferSize, 0)"""
    )
    assert 10_000 < total < 100_000


def test_an_unknown_match_is_a_page_with_a_way_home(site, visit):
    page = visit("/m/nosuchgame")
    assert page.locator("h1").inner_text() == "There is nothing here."
    page.click("text=Go to the games")
    page.wait_for_selector("text=Play now")


def test_pages_print_whole_and_without_the_chrome(site, visit):
    long = site.played("number-line-duel", *map(str, range(1, 40)), options={"numbers": 40})
    over = site.played("number-chain-duel", "4", "2", "8", "1", "5", names=["Ann", "Bob"])
    page = visit("/readyz")
    for path, there in (
        (f"/m/{long['id']}#seat={long['token']}", ".tile.legal"),
        (f"/m/{over['id']}/replay", ".about-move p"),
        ("/analysis?game=number-line-duel&numbers=10&moves=2", ".tile.lose"),
        ("/learn/sequence-duel", ".prose"),
    ):
        page.emulate_media(media="screen")
        page.goto(site.address + path)
        page.wait_for_selector(there)
        page.emulate_media(media="print")
        for hidden in ("header.site", ".bar", ".typed", ".stepper", ".try", "nav"):
            assert page.locator(f"{hidden}:visible").count() == 0, (path, hidden)
        assert page.locator(".board .tile:visible, .prose li:visible").count() > 0
        clipped = "all => all.filter(one => one.scrollHeight > one.clientHeight + 1).length"
        assert page.eval_on_selector_all(".moves, .explanation, .status-row", clipped) == 0, path
        empty = "all => all.filter(one => one.offsetHeight && !one.innerText.trim()).length"
        assert page.eval_on_selector_all(".panel", empty) == 0, path
