"""The site without a server, beside `duels serve` on this machine: how soon it is ready, how quick.

A real Chromium looks at both. What is sent is compressed, and goes over a line of 10 Mbit/s or at
once. "Processor" is what the browser has worked for it: on a busy machine look at that.

python benchmarks/site.py            everything
python benchmarks/site.py --sizes    only the bytes

The last column is the aim.
"""

from __future__ import annotations

import argparse
import gzip
import random
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import NamedTuple

import brotli
import psutil
from aims import judge
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from web_load import start_server

import duels
from duels.site.build import NOT_CACHED, build
from duels.site.runtime import ENGINE, packed_runtime

ROOT = Path(__file__).parents[1]
CACHE = ROOT / "build" / "python"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SLOW = 10e6 / 8
"""Bytes a second of a line with 10 Mbit/s."""
WAY = 0.02
"""Seconds from asking to the first byte on such a line."""
PIECE = 8192
TYPES = {".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript"}
TYPES |= {".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml"}
READY = ".hero-picture .preview"
"""The games of the lobby: Python, or the server, has answered."""
BARE_PAGE = b"""<!doctype html><body><script type="module">
import { loadPyodide } from "./pyodide.mjs";
await loadPyodide();
document.body.innerHTML = '<p class="started">Python has started.</p>';
</script>"""
"""Python as it is published, and nothing else."""
BARE_FILES = (*ENGINE, "pyodide-lock.json", "python_stdlib.zip")
STARTED = ".started"
MOST_TIMES_BARE = 1.5
KEPT = "() => navigator.serviceWorker.controller?.state === 'activated'"
ASK = """async (games) => {
  const root = new URL(document.documentElement.dataset.root, location);
  const api = await import(new URL("static/js/lib/api.js", root));
  const took = [];
  for (const one of games) {
    const answers = await (%s)(api, one);
    const start = performance.now();
    await answers();
    took.push(performance.now() - start);
  }
  return took;
}"""
VERDICT = ASK % "async (api, moves) => () => api.solve('number-duel', {}, moves)"
REVIEW = (
    ASK
    % """async (api, moves) => {
    const begun = { game: "number-duel", mode: "here", moves: moves.slice(0, -1) };
    const made = await api.createMatch(begun);
    const move = { ply: moves.length - 1, move: moves.at(-1) };
    await api.postAction(made.id, made.token, "moves", move);
    return () => api.fetchReview(made.id);
  }"""
)


class Host(ThreadingHTTPServer):
    """Serves files compressed, at once or over a slow line, and counts the bytes sent."""

    daemon_threads = True

    def __init__(self, files: dict[str, bytes], speed: float = 0) -> None:
        self.files = {path: gzip.compress(content, 6) for path, content in files.items()}
        self.speed, self.sent, self.free = speed, 0, 0.0
        self.lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/below/"

    def wait_for_line(self, size: int) -> None:
        with self.lock:
            self.sent += size
            if not self.speed:
                return
            now = time.perf_counter()
            self.free = max(self.free, now) + size / self.speed
            until = self.free
        time.sleep(max(0.0, until - now))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Host

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].removeprefix("/below/")
        path += "index.html" if path.endswith("/") or not path else ""
        content = self.server.files.get(path)
        tag = f'"{hash(content)}"'
        if self.server.speed:
            time.sleep(WAY)
        is_known = content is not None and self.headers.get("If-None-Match") == tag
        self.send_response(304 if is_known else 200 if content is not None else 404)
        self.send_header("ETag", tag)
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("Content-Type", TYPES.get(Path(path).suffix, "application/octet-stream"))
        if content is None or is_known:
            content = b""
        else:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.server.wait_for_line(200)
        self.end_headers()
        for start in range(0, len(content), PIECE):
            piece = content[start : start + PIECE]
            self.server.wait_for_line(len(piece))
            self.wfile.write(piece)

    def handle(self) -> None:
        with suppress(ConnectionError):  # a browser that has seen enough
            super().handle()

    def log_message(self, *_: object) -> None:
        pass


class Took(NamedTuple):
    """Elapsed seconds, and the processor seconds of the browser in that time."""

    clock: float
    worked: float


def worked() -> float:
    """Processor seconds of all browsers that this program has started."""
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            total += sum(process.cpu_times()[:2]) if "chrom" in process.name() else 0.0
    return total


def ready(page: Page, address: str, shown: str = READY) -> Took:
    start, before = time.perf_counter(), worked()
    page.goto(address)
    page.wait_for_selector(shown, timeout=60_000)
    return Took(time.perf_counter() - start, worked() - before)


@contextmanager
def person(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


def first_visit(browser: Browser, address: str, shown: str = READY) -> Took:
    with person(browser) as context:
        return ready(context.new_page(), address, shown)


def bare_python() -> dict[str, bytes]:
    """Return a page that starts Python, and its files."""
    engine = packed_runtime(CACHE).engine
    return {"index.html": BARE_PAGE} | {name: (engine / name).read_bytes() for name in BARE_FILES}


def again(context: BrowserContext, address: str) -> Took:
    page = context.new_page()
    took = ready(page, address)
    page.close()
    return took


def games(count: int, length: int) -> list[list[str]]:
    """Openings of so many moves, each of its own; with `length` 0 whole games of 90 moves."""
    found, chance = [], random.Random(0)
    while len(found) < count:
        position = duels.game("number-duel").start()
        while not position.outcome and (not length or len(position.moves) < length):
            position = position.play(chance.choice(position.legal_moves))
        if len(position.moves) == (length or 90):
            found.append([str(move) for move in position.moves])
    return found


def print_row(name: str, here: str, processor: str = "", server: str = "", aim: str = "") -> None:
    print(f"{name:<42}{here:>12}{processor:>12}{server:>12}{aim:>12}", flush=True)


def timed(name: str, here: list[Took], server: list[Took], aim: str) -> None:
    there = f"{median(took.clock for took in server):.2f} s" if server else ""
    clock, own = (median(values) for values in zip(*here, strict=True))
    print_row(name, f"{clock:.2f} s", f"{own:.2f} s", there, aim)


def sizes(files: dict[str, bytes]) -> None:
    loaded = [content for path, content in files.items() if not path.startswith(NOT_CACHED)]
    print_row(
        "everything, gzip", _mb(sum(len(gzip.compress(one, 9)) for one in loaded)), aim="5.8 MB"
    )
    print_row(
        "everything, brotli", _mb(sum(len(brotli.compress(one)) for one in loaded)), aim="5.0 MB"
    )


def _mb(size: float) -> str:
    return f"{size / 1e6:.2f} MB"


def _kb(size: float) -> str:
    return f"{size / 1e3:.1f} kB"


def _ms(values: list[float]) -> str:
    return f"{median(values):.0f} ms"


def measure(browser: Browser, files: dict[str, bytes], server: str, rounds: int) -> None:
    quick, slow = Host(files), Host(files, SLOW)
    bare = Host(bare_python())
    firsts, bares = [], []
    for _ in range(rounds):  # in turns, so that a busy moment of the machine hits both alike
        bares.append(first_visit(browser, bare.address, STARTED).clock)
        firsts.append(first_visit(browser, quick.address))
    there = [first_visit(browser, server) for _ in range(rounds)]
    timed("ready at a first visit", firsts, there, "2.5 s")
    ratio = median(took.clock for took in firsts) / median(bares)
    print_row("the same, in times of starting bare Python", f"{ratio:.2f} x")
    print(f"  {judge(ratio, at_most=MOST_TIMES_BARE)}")
    slows = [first_visit(browser, slow.address) for _ in range(rounds)]
    timed("the same at 10 Mbit/s", slows, [], "6 s")
    with person(browser) as context, person(browser) as other:
        page, beside = context.new_page(), other.new_page()
        before = quick.sent
        ready(page, quick.address)
        page.wait_for_function(KEPT, timeout=60_000)
        print_row(
            "sent at a first visit, until all is saved", _mb(quick.sent - before), aim="5.8 MB"
        )
        page.close()
        before = quick.sent
        laters = [again(context, quick.address) for _ in range(rounds)]
        ready(beside, server)
        timed("ready at a later visit", laters, [again(other, server) for _ in laters], "1.5 s")
        print_row("sent at a later visit", _kb((quick.sent - before) / rounds), aim="100 kB")
        quick.shutdown()
        quick.server_close()
        offline = [again(context, quick.address) for _ in range(rounds)]
        timed("ready without a network", offline, [], "1.5 s")
        page = context.new_page()
        ready(page, quick.address)
        for name, script, posed in (
            ("verdict at 100 numbers", VERDICT, games(20, 6)),
            ("review of a match of 90 moves", REVIEW, games(7, 0)),
        ):
            here, at_server = page.evaluate(script, posed), beside.evaluate(script, posed)
            print_row(name, _ms(here), "", _ms(at_server), "100 ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", action="store_true", help="only the bytes")
    parser.add_argument("--rounds", type=int, default=5)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = build(folder / "site", CACHE)
        print_row("", "the site", "processor", "a server", "at most")
        sizes(files)
        if wanted.sizes:
            return
        server, address = start_server(f"sqlite:///{folder / 'matches.sqlite3'}", folder)
        found = next(filter(None, map(shutil.which, BROWSERS)), None)
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
                measure(browser, files, address, wanted.rounds)
                browser.close()
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()


if __name__ == "__main__":
    main()
