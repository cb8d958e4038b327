"""Every page on a phone: layout shift, requests, bytes, and how soon it can be used on a slow line.

A real Chromium of 390 x 844 px opens each page as a new visitor, on a fast line and on a slow one
(1.6 Mbit/s, 150 ms). Layout shift is the sum of all shifts that no input caused, and the worse of
the two lines counts. The time is given in seconds and as a multiple of the time that an empty page
of the same server takes on the same line: on a busy machine look at the multiple.

python benchmarks/pages.py                 every page
python benchmarks/pages.py lobby match     only these
"""

from __future__ import annotations

import argparse
import json
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, sync_playwright
from web_load import start_server

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 390, "height": 844}
SLOW = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 0.75e6 / 8,
}
MOST_SHIFT, MOST_REQUESTS, MOST_BYTES, MOST_TIME = 0.05, 35, 100_000, 3.5
"""The aims, the last one as a multiple of an empty page."""
SETTLED = 1500
"""Milliseconds after a page can be used in which nothing may move either."""
EMPTY = "an empty page"
PLAN = {"game": "sequence-duel", "options": {"numbers": 40, "opening": "even"}, "coach": False}
WATCH = """([selector, items]) => {
  window.measured = { shift: 0, ready: null, moved: [] };
  try {
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
  } catch {} // about:blank stores nothing
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      measured.shift += value;
      measured.moved.push(...sources.map(({ node }) => `${node?.nodeName}.${node?.className}`));
    }
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    if (document.querySelector(selector)) measured.ready = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}"""


@dataclass(frozen=True)
class Visit:
    """A page to open: `ready` matches when it can be used, `items` are stored on the device."""

    name: str
    path: str
    ready: str
    items: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """What one visit cost; `moved` names the elements that were shifted."""

    shift: float
    requests: int
    size: int
    seconds: float
    moved: tuple[str, ...] = ()


def post(address: str, path: str, body: object, token: str = "") -> Any:
    """Post to the API, and return the JSON of the response."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    with urlopen(Request(address + path, json.dumps(body).encode(), headers)) as response:
        return json.load(response)


def new_match(address: str, mode: str, **more: Any) -> Any:
    """Create a match of the first game."""
    return post(address, "api/matches", {"game": "number-duel", "mode": mode, **more})


def seat(created: Any) -> dict[str, str]:
    """Return what the device of the player who created a match has stored."""
    invite = created["invite"] and created["invite"]["token"]
    you = [created["seat"]] if created["seat"] else [1, 2]
    stored = {"token": created["token"], "invite": invite, "you": you}
    return {f"duels.seat.{created['id']}": json.dumps(stored)}


def visits(address: str) -> list[Visit]:
    """Create a match and a class, and return what is opened."""
    match = new_match(address, "computer", first=1)
    invited = new_match(address, "friend")
    over = new_match(address, "here")
    for ply, move in enumerate(("6", "12", "24", "8")):
        sent = {"ply": ply, "move": move}
        post(address, f"api/matches/{over['id']}/moves", sent, over["token"])
    post(address, f"api/matches/{over['id']}/resign", {}, over["token"])
    taught = post(address, "api/classes", {})
    of_class, pupil = f"api/classes/{taught['code']}", secrets.token_urlsafe(24)
    post(address, f"{of_class}/plan", PLAN, taught["token"])
    post(address, f"{of_class}/join", {"name": "Ann", "token": pupil})
    for number in range(1, 12):
        joining = {"name": f"Kid {number}", "token": secrets.token_urlsafe(24)}
        post(address, f"{of_class}/join", joining)
    stored = f"duels.class.{taught['code']}"
    playable = ".board .tile.legal:not([aria-disabled])"
    class_path = f"class/{taught['code']}"
    return [
        Visit(EMPTY, "no-such-page", "footer"),
        Visit("lobby", "", ".hero .button.primary:enabled"),
        Visit("lobby-open-game", "", ".own a.match-row", seat(match)),
        Visit("set-up", "play/number-duel", ".setup .button.primary"),
        Visit("match", f"m/{match['id']}", f"main.my-turn {playable}", seat(match)),
        Visit("invitation", f"m/{invited['id']}", ".board .tile", seat(invited)),
        Visit("review", f"m/{over['id']}", ".board .tile.win, .board .tile.lose", seat(over)),
        Visit("puzzle", "puzzle", playable),
        Visit("daily", "daily", playable),
        Visit("learn", "learn", ".card .preview .number, .card .preview .digit"),
        Visit(
            "lesson",
            "learn/number-duel",
            ".lesson-area button:enabled",
        ),
        Visit("analysis", "analysis", ".board .tile.win, .board .tile.lose"),
        Visit("class-door", "class", ".entrance .primary:enabled"),
        Visit(
            "class-teacher",
            class_path,
            ".joining ~ * .button.primary:enabled",
            {stored: json.dumps({"teacher": taught["token"], "at": 0})},
        ),
        Visit(
            "class-pupil", class_path, ".people", {stored: json.dumps({"pupil": pupil, "at": 0})}
        ),
    ]


def measure(browser: Browser, address: str, visit: Visit, line: Mapping[str, Any]) -> Measured:
    """Open a page as a new visitor on a line; without conditions the line is fast."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True)
    page = context.new_page()
    network = context.new_cdp_session(page)
    requests: list[str] = []
    sizes: list[float] = []

    def count(event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            requests.append(event["request"]["url"])

    network.on("Network.requestWillBeSent", count)
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    network.send("Network.enable")
    if line:
        network.send("Network.emulateNetworkConditions", dict(line))
    page.add_init_script(f"({WATCH})({json.dumps([visit.ready, dict(visit.items)])})")
    page.goto(address + visit.path)
    page.wait_for_function("() => measured.ready !== null", timeout=60_000)
    page.wait_for_timeout(SETTLED)
    found = page.evaluate("measured")
    context.close()
    moved = tuple(dict.fromkeys(found["moved"]))
    shift, seconds = found["shift"], found["ready"] / 1000
    return Measured(shift, len(requests), int(sum(sizes)), seconds, moved)


@contextmanager
def server() -> Iterator[str]:
    """A server of our own, and its address."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        process, address = start_server(f"sqlite:///{folder / 'pages.sqlite3'}", folder)
        try:
            yield address.rstrip("/") + "/"
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def report(visit: Visit, fast: list[Measured], slow: list[Measured], empty: float) -> None:
    """Print one line."""
    shift = max(one.shift for one in (*fast, *slow))
    requests, size = (
        median(values) for values in zip(*((one.requests, one.size) for one in fast), strict=True)
    )
    seconds = median(one.seconds for one in slow)
    numbers = f"{shift:>8.3f}{requests:>10.0f}{size / 1000:>9.1f} kB{seconds:>9.2f} s"
    print(f"{visit.name:<16}{numbers}{seconds / empty:>8.1f} x", flush=True)
    moved = list(dict.fromkeys(name for one in (*fast, *slow) for name in one.moved))
    if shift > MOST_SHIFT:
        print(f"    moved: {', '.join(moved[:8])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", help="names of pages; all without them")
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    with server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        all_visits = visits(address)
        chosen = [one for one in all_visits if not wanted.pages or one.name in wanted.pages]
        if not chosen:
            parser.error(f"the pages are: {', '.join(one.name for one in all_visits)}")
        heads = f"{'shift':>8}{'requests':>10}{'bytes':>12}{'slow line':>11}{'':>10}"
        aims = f"{MOST_SHIFT:>8}{MOST_REQUESTS:>10}{MOST_BYTES / 1000:>9.0f} kB{'':>11}"
        print(f"{'':<16}{heads}\n{'at most':<16}{aims}{MOST_TIME:>8.1f} x")
        times = {EMPTY: [measure(browser, address, all_visits[0], SLOW) for _ in range(3)]}
        empty = median(one.seconds for one in times[EMPTY])
        for visit in chosen:
            fast = [measure(browser, address, visit, {}) for _ in range(wanted.rounds)]
            slow = [measure(browser, address, visit, SLOW) for _ in range(wanted.rounds)]
            report(visit, fast, slow, empty)
        browser.close()


if __name__ == "__main__":
    main()
