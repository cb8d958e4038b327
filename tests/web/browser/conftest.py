"""A real server process on a free port, and a real Chromium that looks at it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_site import SQUARE, Site, system_chromium
from browser_static import StaticSite

from rings import by_ring

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install playwright"
)

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

FRUGAL = [
    "--renderer-process-limit=1",
    "--in-process-gpu",
    "--js-flags=--single-threaded --liftoff-only",
]
"""A quarter less processor time: one process and few threads for all pages, and WebAssembly is
compiled once. The long ring tests pages in the browser as people have it: there one crashes."""

MISSING = (
    "There is no Chromium: install the package chromium (scripts/test does it), "
    "or run: playwright install chromium"
)

Visit = Callable[..., Any]


class Chromium:
    """The browser, started when the first test needs it and shared by all tests of this folder."""

    def __init__(self) -> None:
        self.playwright: Any = None
        self.browser: Any = None
        self.contexts: list[Any] = []
        self.is_missing = False

    def start(self) -> Any:
        if self.browser:
            return self.browser
        if self.is_missing:
            pytest.skip(MISSING)
        self.playwright = sync_api.sync_playwright().start()
        chromium = self.playwright.chromium
        found = system_chromium()
        if not found and not Path(chromium.executable_path).exists():
            self.stop()
            if os.environ.get("CI"):
                pytest.fail(MISSING)
            self.is_missing = True
            pytest.skip(MISSING)
        arguments = [*ARGUMENTS, *by_ring(FRUGAL, long=[])]
        self.browser = chromium.launch(executable_path=found, args=arguments)
        return self.browser

    def stop(self) -> None:
        if self.browser:
            self.browser.close()
        if self.playwright:
            self.playwright.stop()
        self.playwright = self.browser = None
        self.contexts = []


CHROMIUM = Chromium()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Stop the browser behind the last test: while it runs, other tests cannot use asyncio."""
    here = Path(__file__).parent
    if item.path.parent == here and (nextitem is None or nextitem.path.parent != here):
        CHROMIUM.stop()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site, with a database of its own and a game from elsewhere."""
    site = Site(tmp_path_factory.mktemp("site"), SQUARE)
    site.start()
    yield site
    site.stop()


@pytest.fixture(scope="session")
def static_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticSite]:
    """The site without a server, which tests may stop and start."""
    site = StaticSite(tmp_path_factory.mktemp("static"))
    site.start()
    yield site
    site.stop()


@pytest.fixture
def browser() -> Any:
    return CHROMIUM.start()


@pytest.fixture
def visit(browser: Any, site: Site) -> Iterator[Visit]:
    """Open a page as a person of their own; at the end nothing may have gone wrong in it.

    The browser may have files in its cache, but nothing else from the person before; with
    `is_first` it is new.
    """
    contexts: list[Any] = []
    own_contexts: list[Any] = []
    wrong: list[str] = []

    def watch(page: Any) -> None:
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        page.on("console", lambda line: "Security Policy" in line.text and wrong.append(line.text))
        page.on(
            "request",
            lambda request: (
                request.url.startswith((site.address, "data:", "blob:"))
                or wrong.append(f"third party: {request.url}")
            ),
        )

    def visit_page(
        path: str = "/",
        *,
        wide: int = 1100,
        high: int = 800,
        is_first: bool = False,
        **options: Any,
    ) -> Any:
        if is_first or options:
            context = browser.new_context(reduced_motion="reduce", **options)
            own_contexts.append(context)
        else:
            idle = CHROMIUM.contexts
            context = idle.pop() if idle else browser.new_context(reduced_motion="reduce")
            contexts.append(context)
        page = context.new_page()
        page.set_viewport_size({"width": wide, "height": high})
        forget(page, site.address)
        watch(page)
        page.goto(site.address + path)
        return page

    yield visit_page
    for context in own_contexts:
        context.close()
    for context in contexts:
        for page in context.pages:
            page.close()
        context.set_offline(False)
        CHROMIUM.contexts.append(context)
    assert wrong == []


def forget(page: Any, origin: str) -> None:
    """Delete what a site has stored in the browser; only the cached files stay."""
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.detach()


@pytest.fixture
def alone(browser: Any, static_site: StaticSite) -> Iterator[Any]:
    """Somebody at the site without a server: a context in which nothing may have gone wrong."""
    context = browser.new_context(
        viewport={"width": 1100, "height": 800}, reduced_motion="reduce", accept_downloads=True
    )
    wrong: list[str] = []

    def watch(page: Any) -> None:
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("console", lambda line: "Security Policy" in line.text and wrong.append(line.text))

    context.on("page", watch)
    context.on(
        "request",
        lambda request: (
            request.url.startswith(("http://127.0.0.1:", "data:", "blob:", "chrome:"))
            or wrong.append(f"third party: {request.url}")
        ),
    )
    yield context
    context.close()
    assert wrong == []
