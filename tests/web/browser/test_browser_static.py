"""The site without a server: from one place, without a network, and renewed as a whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser_static import READY, StaticSite

from rings import by_ring

FIRST = ".hero-picture .preview"
"""The server, or Python in its place, has listed the games."""
NEWER = "These words are newer."


@pytest.fixture
def own_site(tmp_path):
    """A site that a test may change."""
    site = StaticSite(tmp_path)
    site.start()
    yield site
    site.stop()


@pytest.fixture
def person(browser):
    """Somebody with a browser of their own; nothing may have gone wrong in its pages."""
    context = browser.new_context(reduced_motion="reduce")
    wrong: list[str] = []

    def watch(page):
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("console", lambda line: "Policy" in line.text and wrong.append(line.text))

    context.on("page", watch)
    yield context
    context.close()
    assert wrong == []


def test_everything_comes_from_one_place_and_is_there_without_a_network(own_site, person):
    asked = []
    person.on("request", lambda request: asked.append(request.url))
    page = person.new_page()
    page.goto(f"{own_site.address}/")
    page.wait_for_selector(FIRST)
    page.wait_for_function(READY)
    own_site.stop()
    page.goto(f"{own_site.address}/analysis?game=sequence-duel&numbers=10&moves=6")
    page.wait_for_selector(".tile.lose")
    if by_ring(False, long=True):
        page.goto(f"{own_site.address}/learn/sequence-duel/")
        page.wait_for_selector(".tile.lose")
    page.goto(f"{own_site.address}/no/such/page")
    assert page.inner_text("h1") == "There is nothing here."
    page.click("text=Go to the games")
    page.wait_for_selector(FIRST)
    assert [url for url in asked if not url.startswith((own_site.address, "data:", "blob:"))] == []
    own_site.start()


@pytest.mark.long
def test_an_open_page_is_offered_the_newer_version_and_is_never_half_of_it(own_site, person):
    page = person.new_page()
    page.goto(f"{own_site.address}/")
    page.wait_for_selector(FIRST)
    page.wait_for_function(READY)
    version = page.evaluate("document.documentElement.dataset.version")
    own_site.renew(NEWER)
    page.reload()  # what is kept is shown, while the newer version is put beside it
    page.wait_for_selector(FIRST)
    assert NEWER not in page.inner_text("footer")
    page.wait_for_selector(".update-note")
    assert page.evaluate("document.documentElement.dataset.version") == version
    page.click(".update-note button")
    page.wait_for_function(f"() => document.querySelector('footer')?.innerText.includes('{NEWER}')")
    page.wait_for_selector(FIRST)
    assert "newer version" in page.inner_text(".update-note")
    kept = page.evaluate("caches.keys().then(([name]) => caches.open(name)).then(c => c.keys())")
    listed = re.findall(r'": "([0-9a-f]{64})"', (own_site.place / "sw.js").read_text())
    assert len(kept) == len(set(listed))


@pytest.mark.long
def test_a_version_that_is_half_uploaded_is_not_taken(own_site, person):
    page = person.new_page()
    page.goto(f"{own_site.address}/")
    page.wait_for_selector(FIRST)
    page.wait_for_function(READY)
    before = (own_site.place / "index.html").read_bytes()
    own_site.renew(NEWER)
    (own_site.place / "index.html").write_bytes(before)
    page.evaluate(
        "navigator.serviceWorker.ready.then(one => one.update()).then("
        "one => new Promise(done => one.installing.onstatechange = event =>"
        " event.target.state === 'redundant' && done()))"
    )
    page.reload()
    page.wait_for_selector(FIRST)
    assert page.locator(".update-note").count() == 0
    assert NEWER not in page.inner_text("footer")


@pytest.mark.long
def test_a_browser_without_webassembly_says_so(static_site, person):
    page = person.new_page()
    person.route(
        "**/worker.*.js",
        lambda route: route.fulfill(
            path=Path(static_site.place / route.request.url.split("/duels/")[1]),
            headers={
                "Content-Security-Policy": "script-src 'self'",
                "Content-Type": "text/javascript",
            },
        ),
    )
    page.goto(f"{static_site.address}/")
    page.wait_for_selector("text=does not allow WebAssembly")
