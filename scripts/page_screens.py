"""Make pictures of every page, at five widths, light and dark:

    python scripts/page_screens.py [FOLDER [SCENE ...]]

They are PNG files to look at and to compare; nothing of them is committed.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from screenshots import PUPILS, Site, a_class, class_pupil, friends, system_chromium
from screenshots import analysis as analyse
from screenshots import review as replay

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "web" / "browser"))

from browser_site import SQUARE

SIZES = ((320, 640), (390, 844), (768, 1024), (1280, 800), (1920, 1080))
THEMES = ("light", "dark")
Scene = Callable[[Site, Any], None]


def at(path: str, ready: str) -> Scene:
    """A scene of a single page, right after it has loaded."""

    def scene(site: Site, page: Any) -> None:
        page.goto(site.address + path)
        page.wait_for_selector(ready)

    return scene


def played(game: str, *moves: str, **more: Any) -> Scene:
    """A match of two friends, some moves on."""
    return lambda site, page: friends(site, page, game, moves, **more)


def puzzle(game: str) -> Scene:
    """A puzzle of a game with its last hint."""

    def scene(site: Site, page: Any) -> None:
        page.goto(f"{site.address}/puzzle?game={game}&difficulty=easy&seed=1")
        page.wait_for_selector(".board .tile")
        while page.locator(".actions >> text=/[Hh]int/").count():
            page.click(".actions >> text=/[Hh]int/")
            page.wait_for_timeout(300)

    return scene


def hinted(game: str, *moves: str, stages: int = 4, **more: Any) -> Scene:
    """A match with all that the coach says about the position, or its first stages."""

    def scene(site: Site, page: Any) -> None:
        friends(site, page, game, moves, **more)
        for count in range(1, stages + 1):
            page.click(".bar >> text=Hint")
            page.wait_for_selector(f".hints li:nth-child({count})")

    return scene


def on_one_screen(game: str, *moves: str, **more: Any) -> Scene:
    """A match on one screen: with all its moves given, its end."""

    def scene(site: Site, page: Any) -> None:
        made = site.played(game, *moves, **more)
        page.goto(f"{site.address}/m/{made['id']}#seat={made['token']}")
        page.wait_for_selector(".board")
        page.wait_for_timeout(1500)

    return scene


def ended(
    level: str, first: int, *, best: bool, game: str = "number-line-duel", **more: Any
) -> Scene:
    """A match against the computer that ends while its page is open, with the best or any moves."""

    def scene(site: Site, page: Any) -> None:
        made = site.match(game, "computer", level=level, first=first, names=["Mia"], **more)
        path, token = f"/api/matches/{made['id']}", made["token"]
        page.goto(f"{site.address}/m/{made['id']}#seat={token}")
        page.wait_for_selector(".board .tile")
        while not (state := site.call("GET", path))["outcome"]:
            if state["to_move"] == first:
                line = {name: state[name] for name in ("game", "options", "moves")}
                winning = site.call("POST", "/api/solve", line)["winning"] if best else []
                sent = {"ply": state["ply"], "move": [*winning, *state["legal"]][0]}
                site.call("POST", f"{path}/moves", sent, token)
            page.wait_for_timeout(100)
        page.wait_for_selector(".after .primary")

    return scene


def rematch_offered(site: Site, page: Any) -> None:
    first, second, path = site.friends("sequence-duel", options={"numbers": 40})
    page.goto(site.address + first)
    page.wait_for_selector(".board .tile")
    for action in ("resign", "rematch"):
        site.call("POST", f"/api/matches/{path[3:]}/{action}", {}, second.partition("=")[2])
    page.wait_for_selector("text=Accept")


def out_of_time(site: Site, page: Any) -> None:
    made = site.match("sequence-duel", "computer", time_limit=4, options={"numbers": 40})
    page.goto(f"{site.address}/m/{made['id']}#seat={made['token']}")
    page.wait_for_selector(".after .primary")


def low_clock(site: Site, page: Any) -> None:
    made = site.match("sequence-duel", "computer", time_limit=90, options={"numbers": 40})
    page.goto(f"{site.address}/m/{made['id']}#seat={made['token']}")
    page.wait_for_timeout(81_000)


def daily_over(site: Site, page: Any) -> None:
    page.goto(f"{site.address}/daily")
    page.wait_for_selector(".board .tile.legal")
    page.click("text=Hint")
    page.click("text=Give up")
    page.wait_for_selector(".share:visible")


def against_computer(site: Site, page: Any) -> None:
    page.goto(f"{site.address}/play/number-line-duel")
    page.click("text=Start the game")
    page.wait_for_selector(".board .tile")


def with_rules(scene: Scene, ready: str = ".rules-panel figure") -> Scene:
    """A scene with the rules opened."""

    def opened(site: Site, page: Any) -> None:
        scene(site, page)
        page.click("button:text-is('Rules')")
        page.wait_for_selector(ready)

    return opened


def numbers_against_computer(site: Site, page: Any) -> None:
    """Number Duel at its first set-up, with the longest words next to its title."""
    page.goto(f"{site.address}/play/number-duel")
    page.click("text=Start the game")
    page.wait_for_selector(".board .tile")


def last_lesson_step(site: Site, page: Any) -> None:
    page.goto(f"{site.address}/learn/number-line-duel")
    page.evaluate("localStorage.setItem('duels.lessons', '{\"number-line-duel\": 5}')")
    page.reload()
    page.wait_for_selector(".lesson .board .tile")


def chosen(site: Site, page: Any) -> None:
    against_computer(site, page)
    page.click("[data-number='12']")


def inviting(site: Site, page: Any) -> None:
    page.goto(f"{site.address}/play/sequence-duel")
    page.click("text=A friend, by link")
    page.click("text=Make the link")
    page.wait_for_selector(".invitation .link")


def inviting_by_code(site: Site, page: Any) -> None:
    inviting(site, page)
    page.click(".invitation >> text=QR code")
    page.wait_for_selector(".qr:visible")


def invited(site: Site, page: Any) -> None:
    made = site.match("sequence-duel", "friend", names=["Ann", "Bob"])
    page.goto(f"{site.address}/m/{made['id']}#seat={made['invite']['token']}")
    page.wait_for_selector("text=Join the game")


def teacher(site: Site, page: Any) -> None:
    code, token = a_class(site, 6)
    page.goto(f"{site.address}/class/{code}#teacher={token}")
    page.wait_for_selector(".setups")


def wall(game: str = "sequence-duel", boards: int = 6, **options: Any) -> Scene:
    """The wall of a class that plays this game on so many boards."""

    def scene(site: Site, page: Any) -> None:
        pupils = [f"Kid {number}" for number in range(1, 2 * boards + 1)] if boards > 6 else PUPILS
        code, token = a_class(site, boards, game, pupils, **options)
        page.goto(f"{site.address}/class/{code}#teacher={token}")
        page.click("text=Show the wall")
        page.wait_for_selector(f".wall-board >> nth={boards - 1}")

    return scene


def results(site: Site, page: Any) -> None:
    teacher(site, page)
    page.click("text=Show the results")
    page.wait_for_selector(".standings")
    page.eval_on_selector(".results", "results => results.scrollIntoView()")


SCENES: dict[str, Scene] = {
    "lobby": at("/", ".card .preview"),
    "set-up": at("/play/sequence-duel", "text=Start the game"),
    "set-up-number": at("/play/number-duel", "text=Start the game"),
    "set-up-line": at("/play/number-line-duel", ".board-preview .preview"),
    "set-up-divisor": at("/play/divisor-duel", ".board-preview .preview"),
    "computer": against_computer,
    "start-sequence": on_one_screen("sequence-duel", options={"numbers": 40}),
    "start-chain": on_one_screen("number-chain-duel", options={"numbers": 9}),
    "start-divisor": on_one_screen("divisor-duel", options={"divisor": 12}),
    "computer-numbers": numbers_against_computer,
    "rules": with_rules(numbers_against_computer),
    "rules-line": with_rules(against_computer),
    "rules-puzzle": with_rules(at("/puzzle", ".board .tile")),
    "invited": invited,
    "number-duel": hinted("number-duel", "28", "14", "41", "82", options={"numbers": 100}),
    "chosen": chosen,
    "inviting": inviting,
    "inviting-by-code": inviting_by_code,
    "won": ended("novice", 1, best=True, options={"numbers": 9}),
    "lost": ended("perfect", 1, best=False, options={"numbers": 9}),
    "no-chance": ended("perfect", 2, best=True, game="sequence-duel", options={"numbers": 40}),
    "won-square": ended("casual", 2, best=True, game="number-duel", options={"numbers": 100}),
    "won-digits": ended("casual", 2, best=True, game="divisor-duel", options={"divisor": 12}),
    "rematch-offered": rematch_offered,
    "out-of-time": out_of_time,
    "low-clock": low_clock,
    "divisor-duel": hinted("divisor-duel", "5", "2", options={"divisor": 7}),
    "number-line-duel": hinted("number-line-duel", "5-6", "8", options={"numbers": 15}),
    "sequence-duel": hinted("sequence-duel", "6", "3", options={"numbers": 20}),
    "number-chain-duel": hinted("number-chain-duel", "4", "12", options={"numbers": 16}),
    "square-duel": on_one_screen("square-duel", "9", options={"stones": 30}),
    "hundred": played("number-duel", "28", "14", options={"numbers": 100}),
    "line-of-twenty": played("number-line-duel", "5-6", "8", options={"numbers": 20}),
    "which-moves-win": hinted("number-line-duel", "5-6", "8", stages=3, options={"numbers": 15}),
    "chomp": on_one_screen("chomp", "2-3", options={}),
    "cram": on_one_screen("cram", "1-2", options={}),
    "end": on_one_screen("number-line-duel", "5", "3-4", "1-2", "6", options={"numbers": 6}),
    "end-digits": on_one_screen("divisor-duel", *"52147368", options={"divisor": 7}),
    "review": replay,
    "analysis": analyse,
    "puzzle": at("/puzzle", ".board .tile"),
    "puzzle-line": puzzle("number-line-duel"),
    "puzzle-digits": puzzle("divisor-duel"),
    "daily": at("/daily", ".board .tile"),
    "daily-over": daily_over,
    "learn": at("/learn", "main h1"),
    "lesson": at("/learn/number-line-duel", ".lesson .board .tile"),
    "lesson-list": last_lesson_step,
    "me": at("/me", "main h1"),
    "class-door": at("/class", "main h1"),
    "class-teacher": teacher,
    "class-wall": wall(),
    "class-wall-14": wall(boards=14),
    "class-wall-30": wall(boards=30),
    "class-wall-digits": wall("divisor-duel", divisor=7),
    "class-results": results,
    "class-wall-line": wall("number-line-duel", numbers=15),
    "class-wall-chomp": wall("chomp", high=3, wide=5),
    "class-pupil": class_pupil,
    "print": at("/print", "main h1"),
    "print-sheet": at("/print/rules/sequence-duel", ".sheet"),
    "missing": at("/nothing", "main h1"),
}


def main() -> None:
    folder = Path(sys.argv[1] if sys.argv[1:] else tempfile.mkdtemp())
    wanted = sys.argv[2:] or list(SCENES)
    folder.mkdir(parents=True, exist_ok=True)
    site = Site(Path(tempfile.mkdtemp()), game=SQUARE)
    site.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=system_chromium(), args=["--no-sandbox", "--disable-gpu"]
            )
            for name in wanted:
                take(browser, site, name, folder)
            browser.close()
    finally:
        site.stop()
        shutil.rmtree(site.folder, ignore_errors=True)
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


def take(browser: Any, site: Site, name: str, folder: Path) -> None:
    """A scene once, and a picture of it at every width and in both themes."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(15_000)
    try:
        SCENES[name](site, page)
        page.evaluate("document.activeElement?.blur()")
        for theme in THEMES:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                if name != "class-results":
                    page.evaluate("scrollTo(0, 0)")
                page.wait_for_timeout(250)
                page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
    except Exception as error:  # the other scenes are still worth having
        print(f"{name}: {error}", file=sys.stderr)
    context.close()


if __name__ == "__main__":
    main()
