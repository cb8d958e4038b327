"""Make the pictures of the pages for the README and the docs, those of links, and the icons:

    python scripts/screenshots.py

Needs what the browser tests need (playwright, Chromium), and for the sheets of paper pdftoppm
(poppler-utils). With Pillow the files get smaller.
Names of pictures after the command make only those.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import duels
from duels.pages.shell import GROUND, ICONS

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "duels"
PICTURES = ROOT / "docs" / "pictures"
sys.path.insert(0, str(ROOT / "tests" / "web" / "browser"))

from browser_site import Site, system_chromium  # noqa: E402

CHAIN = ("28", "14", "41", "82", "2", "52", "25", "75")
LINE = ("5-6", "8", "2", "9-10", "3-4", "7", "1")
JUNIPER = ("10", "5", "20", "1", "12", "3", "18", "6", "2", "4", "8", "16")
PUPILS = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gül", "Hugo", "Ida", "Jon", "Kim")
MOVING = "web-game"
SIZE = (1200, 840)
PHONE = (360, 740)
CARD_SIZE = (1200, 630)
CARD_LOOK = """
    body { display: block; overflow: hidden; }
    .link-card { position: fixed; inset: 0; z-index: 99; padding: 110px 80px 60px;
        display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 60px;
        background: var(--ground); }
    .link-card h1 { font-size: 62px; }
    .link-card p { margin-top: 26px; font-size: 34px; line-height: 1.35; color: var(--quiet); }
    .link-card .brand { position: absolute; left: 80px; top: 48px; font-size: 30px; }
    .link-card .preview { transform: scale(1.9); width: 520px; height: 400px; margin: 0;
        border: 0; background: none; }
    .link-card .preview > * { max-width: 270px; text-wrap: balance; }
    .link-card .preview-cells { --side: min(2.1rem, 266px / var(--columns) - var(--gap)); }
"""
DRAW_CARD = """game => {
    document.querySelector(".link-card")?.remove();
    const shown = document.querySelector(game ? `.card[data-game="${game}"]` : ".card");
    const [title, words, preview] = ["title", "words", ""].map((part) =>
        shown.querySelector(part ? `.card-${part}` : ".preview").cloneNode(true));
    const card = document.createElement("div");
    card.className = "link-card";
    const [side, heading, text] = ["div", "h1", "p"].map((tag) => document.createElement(tag));
    heading.append(game ? title.textContent : "Number games for two");
    text.append(game ? words.textContent
        : "On one screen, by link, or against the computer. With a coach who says why.");
    side.append(heading, text);
    const brand = document.querySelector(".brand").cloneNode(true);
    card.append(brand, side, preview);
    document.body.append(card);
}"""


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    site = Site(Path(tempfile.mkdtemp()))
    site.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=system_chromium(), args=["--no-sandbox", "--disable-gpu"]
            )
            wanted = sys.argv[1:]
            for name, scene in SCENES.items():
                if not wanted or name in wanted:
                    take(browser, site, name, scene)
            for name, path in PAPER.items():
                if not wanted or name in wanted:
                    make_paper(browser, site, name, path)
            if not wanted or MOVING in wanted:
                make_moving(browser, site)
            if not wanted:
                make_cards(browser, site)
                make_icons(browser)
            browser.close()
    finally:
        site.stop()
        shutil.rmtree(site.folder, ignore_errors=True)


def take(browser: Any, site: Site, name: str, scene: Callable[[Site, Any], None]) -> None:
    """One picture: a fresh browser, a scene in it, a file."""
    wide, high = PHONE if name in {"web-phone", "class-pupil"} else SIZE
    context = browser.new_context(
        viewport={"width": wide, "height": high},
        color_scheme="dark" if name == "web-dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    scene(site, page)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)")
    page.wait_for_timeout(300)
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path)
    context.close()
    smaller(path)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def make_moving(browser: Any, site: Site) -> None:
    """A whole game in the browser as a moving picture; it needs Pillow."""
    from PIL import Image

    page = browser.new_page(
        viewport={"width": 900, "height": 560}, color_scheme="light", reduced_motion="reduce"
    )
    frames: list[tuple[Any, int]] = []

    def show(milliseconds: int) -> None:
        page.wait_for_timeout(400)
        picture = Image.open(BytesIO(page.screenshot()))
        few_colours = picture.convert("RGB").quantize(64, dither=Image.Dither.NONE)
        frames.append((few_colours.convert("RGB"), milliseconds))

    made = site.match("number-line-duel", "friend", names=["Ann", "Bob"], options={"numbers": 10})
    path, tokens = f"/api/matches/{made['id']}", (made["token"], site.join(made, "Bob"))
    page.goto(f"{site.address}/m/{made['id']}#seat={made['token']}")
    page.wait_for_selector(".board .tile")
    show(1500)
    for count in (1, 2, 3):
        page.click(".bar >> text=Hint")
        page.wait_for_selector(f".hints li:nth-child({count})")
        show(2000)
    for ply, move in enumerate(LINE):
        site.call("POST", f"{path}/moves", {"ply": ply, "move": move}, tokens[ply % 2])
        page.wait_for_timeout(1000)
        show(1200)
    page.wait_for_timeout(1000)
    show(4000)
    page.close()
    path = PICTURES / f"{MOVING}.webp"
    (first, *others), times = zip(*frames, strict=True)
    moving = {"save_all": True, "append_images": others, "duration": times, "loop": 0}
    first.save(path, **moving, lossless=True, method=6, minimize_size=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def make_paper(browser: Any, site: Site, name: str, sheet: str) -> None:
    """The first page of a sheet as a printer would have it, on A4."""
    page = browser.new_page()
    page.goto(site.address + sheet)
    with tempfile.TemporaryDirectory() as folder:
        printed = Path(folder, "sheet.pdf")
        page.pdf(path=printed, format="A4")
        picture = ["pdftoppm", "-png", "-singlefile", "-r", "75", str(printed)]
        subprocess.run([*picture, str(PICTURES / name)], check=True)
    page.close()
    path = PICTURES / f"{name}.png"
    smaller(path)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def make_cards(browser: Any, site: Site) -> None:
    """What a messenger shows of a link: a game's title and preview; one for all other pages."""
    width, height = CARD_SIZE
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="light",
        reduced_motion="reduce",
        bypass_csp=True,
    )
    page = context.new_page()
    page.goto(site.address)
    page.wait_for_selector(".card .preview")
    page.add_style_tag(content=CARD_LOOK)
    texts = {path.stem: path.parent for path in (SOURCES / "games").glob("*/texts/*.md")}
    cards = {game_id: texts[game_id] / f"{game_id}.png" for game_id in duels.GAMES}
    for game, path in [*cards.items(), ("", SOURCES / "pages" / "static" / "card.png")]:
        page.evaluate(DRAW_CARD, game)
        page.screenshot(path=path)
        smaller(path)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
    context.close()


def make_icons(browser: Any) -> None:
    """The mark as an icon of the installed site; a maskable one has room for a system to cut."""
    mark = (SOURCES / "pages" / "static" / "favicon.svg").read_text(encoding="utf-8")
    for name, side, maskable in ICONS:
        page = browser.new_page(viewport={"width": side, "height": side})
        room, ground = (side // 10, GROUND) if maskable else (0, "none")
        look = f"body {{ margin: {room}px; background: {ground} }}"
        page.set_content(f"<style>{look}</style>{mark}")
        page.screenshot(path=SOURCES / "pages" / "static" / "icons" / name, omit_background=True)
        page.close()


def smaller(path: Path) -> None:
    """A palette is enough for flat pages."""
    try:
        from PIL import Image
    except ModuleNotFoundError:
        return
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def friends(site: Site, page: Any, game: str, moves: tuple[str, ...], **more: Any) -> None:
    """Ann's page of a match with Bob, some moves on."""
    made = site.match(game, "friend", names=["Ann", "Bob"], **more)
    path, tokens = f"/api/matches/{made['id']}", (made["token"], site.join(made, "Bob"))
    for ply, move in enumerate(moves):
        site.call("POST", f"{path}/moves", {"ply": ply, "move": move}, tokens[ply % 2])
    page.goto(f"{site.address}/m/{made['id']}#seat={made['token']}")
    page.wait_for_selector(".board .tile")


def lobby(site: Site, page: Any) -> None:
    site.played("number-duel", *CHAIN[:5], options={}, public=True, names=["Mia", "Noah"])
    page.goto(site.address)
    page.wait_for_selector(".watch .match-row")


def match(site: Site, page: Any) -> None:
    friends(site, page, "number-duel", CHAIN, options={"numbers": 100}, time_limit=60)
    for count in (1, 2):
        page.click(".bar >> text=Hint")
        page.wait_for_selector(f".hints li:nth-child({count})")


def line(site: Site, page: Any) -> None:
    friends(site, page, "number-line-duel", ("5-6", "8"), options={"numbers": 12})
    page.click("[data-number='2']")


def digits(site: Site, page: Any) -> None:
    friends(site, page, "divisor-duel", ("5", "2", "1", "4"), options={"divisor": 7})


def review(site: Site, page: Any) -> None:
    made = site.played("sequence-duel", *JUNIPER, options={"numbers": 20}, names=["Ann", "Bob"])
    page.goto(f"{site.address}/m/{made['id']}/replay")
    page.wait_for_selector(".review-controls")
    page.click(".move-row:has(.turning) >> nth=-1")
    page.wait_for_selector(".tile.win")


def analysis(site: Site, page: Any) -> None:
    page.goto(f"{site.address}/analysis?game=sequence-duel&numbers=20&opening=any&moves=6.3")
    page.wait_for_selector(".tile.win")
    page.wait_for_function("() => document.querySelector('.picture').naturalWidth > 0")


def phone(site: Site, page: Any) -> None:
    friends(site, page, "number-duel", ("28", "14", "41", "4"), options={"numbers": 50})


def a_class(
    site: Site,
    games: int,
    game: str = "sequence-duel",
    pupils: Sequence[str] = PUPILS,
    **options: Any,
) -> tuple[str, str]:
    """The code and the teacher's token of a class with this many unfinished games."""
    options = options or {"numbers": 40, "opening": "even"}
    made = site.call("POST", "/api/classes", {})
    path, token = f"/api/classes/{made['code']}", made["token"]
    for name in pupils:
        site.call("POST", f"{path}/join", {"name": name, "token": secret_of(name)})
    plan = {"game": game, "options": options, "coach": False}
    site.call("POST", f"{path}/plan", plan, token)
    state = site.call("POST", f"{path}/rounds", {"round": 1}, token)
    names = {pupil["id"]: pupil["name"] for pupil in state["pupils"]}
    for number, board in enumerate(state["boards"][:games]):
        secrets = [secret_of(names.get(pupil, "")) for pupil in board["pupils"]]
        play_some(site, board["state"], secrets, 3 * number)
    return made["code"], token


def secret_of(name: str) -> str:
    return f"the-secret-of-{name.encode().hex()}"


def play_some(site: Site, state: Any, secrets: list[str], moves: int) -> None:
    """Up to this many moves; a different game on every board."""
    path = f"/api/matches/{state['id']}"
    for ply in range(moves):
        if state["outcome"] or state["mode"] != "friend":
            return
        move = state["legal"][(7 * moves + ply) % len(state["legal"])]
        state = site.call("POST", f"{path}/moves", {"ply": ply, "move": move}, secrets[ply % 2])


def class_teacher(site: Site, page: Any) -> None:
    code, token = a_class(site, 6)
    page.goto(f"{site.address}/class/{code}#teacher={token}")
    page.wait_for_selector(".joining .qr:visible")
    page.wait_for_selector(".setups")


def class_wall(site: Site, page: Any) -> None:
    code, token = a_class(site, 6)
    page.set_viewport_size({"width": 1600, "height": 900})
    page.goto(f"{site.address}/class/{code}#teacher={token}")
    page.click("text=Show the wall")
    page.wait_for_selector(".wall-board >> nth=5")


def class_pupil(site: Site, page: Any) -> None:
    made = site.call("POST", "/api/classes", {})
    path = f"/api/classes/{made['code']}"
    for name in PUPILS[1:]:
        site.call("POST", f"{path}/join", {"name": name, "token": secret_of(name)})
    plan = {"game": "number-line-duel", "options": {"numbers": 15}}
    site.call("POST", f"{path}/plan", plan, made["token"])
    page.goto(f"{site.address}/class/{made['code']}")
    page.fill("[name=name]", PUPILS[0])
    page.click("button:has-text('Join')")
    page.wait_for_selector(".board-preview .tile")


SCENES: dict[str, Callable[[Site, Any], None]] = {
    "web-lobby": lobby,
    "web-match": match,
    "web-line": line,
    "web-digits": digits,
    "web-review": review,
    "web-analysis": analysis,
    "web-phone": phone,
    "web-dark": match,
    "class-teacher": class_teacher,
    "class-wall": class_wall,
    "class-pupil": class_pupil,
}
PAPER = {
    "paper-boards": "/print/board/24",
    "paper-puzzles": "/print/puzzles/sequence-duel/1",
    "paper-plan": "/print/plan/sequence-duel",
}

if __name__ == "__main__":
    main()
