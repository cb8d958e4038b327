"""What a browser loads: little, once, in one go, below any path, and enough without JavaScript."""

from __future__ import annotations

import pytest
from browser_playing import wait_for_turn
from browser_site import SQUARE, Site

from rings import all_if_long

SEEN = {
    "/": ".card",
    "/analysis": ".tile.lose",
    "/learn": ".preview .tile",
    "/learn/sequence-duel": ".tile.lose",
    "/puzzle": ".tile.legal",
    "/me": ".by-game th a",
    "/play/sequence-duel": ".setup",
}


@pytest.fixture(scope="module")
def below(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("below"), SQUARE, "/some/duels")
    site.start()
    yield site
    site.stop()


@pytest.mark.parametrize("path", all_if_long(SEEN, "/learn/sequence-duel"))
def test_a_second_visit_requests_no_file(site, visit, path):
    page = visit(path)
    page.wait_for_selector(SEEN[path])
    assert any(asked.startswith("/static/js/") for asked in site.requests())
    page.goto("about:blank")
    before = len(site.requests())
    page.goto(site.address + path)
    page.wait_for_selector(SEEN[path])
    asked = site.requests()[before:]
    assert path in asked
    assert [one for one in asked if one.startswith("/static")] == []


def test_modules_do_not_wait_for_each_other(site, visit):
    """The page names every module that is loaded, each of them once."""
    page = visit("/analysis")
    page.wait_for_selector(".tile.lose")
    loaded = page.evaluate(
        """() => performance.getEntriesByType('resource').map(({name}) => name)
            .filter((name) => name.endsWith('.js'))"""
    )
    named = page.eval_on_selector_all(
        "link[rel=modulepreload], script[src]", "all => all.map((one) => one.href ?? one.src)"
    )
    assert len(loaded) > 8
    assert sorted(loaded) == sorted(named)


def test_a_game_is_played_below_a_path(below, browser):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("response", lambda answer: answer.ok or wrong.append(answer.url))
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{below.address}/")
    page.click("text=Play now")
    page.wait_for_url(f"{below.address}/m/*")
    wait_for_turn(page)
    page.click(".bar >> text=Rules")
    page.wait_for_selector(".popover:popover-open p")
    page.click("text=All rules, and how to win")
    page.wait_for_url(f"{below.address}/learn/*")
    page.wait_for_selector(".try .tile.lose, .try .tile.win")
    page.click("text=Open in analysis")
    page.wait_for_url(f"{below.address}/analysis?*")
    page.wait_for_function("() => document.querySelector('.picture').naturalWidth > 0")
    page.click("header .brand")
    page.click(".own .match-row")
    page.wait_for_url(f"{below.address}/m/*")
    wait_for_turn(page)
    page.click(".bar >> text=Menu")
    page.evaluate("navigator.clipboard.writeText = async (text) => (window.copied = text)")
    page.click("text=Copy link to watch")
    assert page.evaluate("copied") == page.url.partition("#")[0]
    context.close()
    assert wrong == []
    assert all(url.startswith(f"{below.address}/") for url in asked)


@pytest.mark.parametrize("path", ["/learn", "/learn/sequence-duel"])
def test_what_there_is_to_learn_is_read_without_javascript(visit, path):
    page = visit(path, java_script_enabled=False)
    assert page.locator("h1:visible").count() == 1
    assert page.locator(".card-words:visible, .prose li:visible").count() >= 5
    assert page.locator(".notice:visible, .loading:visible").count() == 0
    page.locator("text=Number Line Duel").first.click()
    assert page.inner_text("h1") == "Number Line Duel"
