"""What all pages have in common; a page is its kind, its words and what stands in its middle.

Every address in a page is relative to the root of the site, which the page names (`data-root`): so
it works below any path, whether or not the server knows that path.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from string import Template
from typing import NamedTuple

from duels.core.game import Game
from duels.web.files import STATIC, File, address, all_files, import_map, modules, packed

SECTIONS = {
    "": "Play",
    "learn": "Learn",
    "puzzle": "Puzzles",
    "analysis": "Analysis",
    "me": "You",
}
CARD = "card.png"
"""The picture of a link to any page that has none of its own; 1200 x 630, as previews want it."""
NEEDS_SCRIPT = (
    '<noscript><p class="notice">This page needs JavaScript. Without it, play at the terminal: '
    "<code>duels play</code>.</p></noscript>"
)


@dataclass(frozen=True)
class Page:
    """A page; `kind` names its script and its style sheet, and `content` is HTML."""

    kind: str
    title: str
    description: str
    content: str
    section: str = "-"
    card: str = CARD
    game: str = ""


class Html(NamedTuple):
    """A page as it is sent, and the scripts inside it that may run, for its policy."""

    file: File
    scripts: str


def waiting(words: str) -> str:
    return f'<p class="loading">{words}</p>\n{NEEDS_SCRIPT}'


LOBBY = Page(
    "lobby",
    "Number Duels: number games for two",
    "Number games for two: on one screen, by link, or against the computer. No account, "
    "and a coach who says why.",
    NEEDS_SCRIPT,
    section="",
)
MATCH = Page(
    "match",
    "A game · Number Duels",
    "A number game for two. Open the link to play or to watch; no account is needed.",
    waiting("The game is being fetched …"),
)
ANALYSIS = Page(
    "analysis",
    "Analysis · Number Duels",
    "Any position of any game: who wins, by which moves, and why.",
    waiting("The board is being set up …"),
    section="analysis",
)

PUZZLE = Page(
    "puzzle",
    "Puzzles · Number Duels",
    "A position, and a move that wins it. Find it; a wrong move is answered by what refutes it.",
    waiting("A puzzle is being looked for …"),
    section="puzzle",
)
DAILY = Page(
    "puzzle",
    "The puzzle of the day · Number Duels",
    "One puzzle a day, the same for everybody. Find the move that wins.",
    waiting("The puzzle of the day is being fetched …"),
    section="puzzle",
)
ME = Page(
    "me",
    "You · Number Duels",
    "Your games, your puzzles and how far you have got. All of it is kept on this device only.",
    waiting("Your games are being looked up …"),
    section="me",
)
CLASS = Page(
    "class",
    "A class · Number Duels",
    "Five letters on the board, and a whole class plays number games. No accounts.",
    waiting("The class is being fetched …"),
)


def set_up(kind: type[Game], root: str) -> Page:
    """A game to be set up."""
    return Page(
        "play",
        f"Play {kind.title} · Number Duels",
        f"{kind.summary} Against the computer, with a friend by link, or two on one screen.",
        f"<h1>{escape(kind.title)}</h1>\n"
        f'<p class="lead">{escape(kind.summary)} '
        f'<a href="{root}learn/{kind.id}">How it is played</a></p>\n'
        f'<div class="setup-place">{NEEDS_SCRIPT}</div>',
        section="",
        card=card_of(kind),
        game=kind.id,
    )


def card_of(kind: type[Game]) -> str:
    """The picture of a link to a game."""
    return card if (card := f"cards/{kind.id}.png") in all_files() else CARD


def missing(root: str) -> Page:
    return Page(
        "missing",
        "Not found · Number Duels",
        "There is nothing at this address.",
        '<h1>There is nothing here.</h1><p class="lead">The game may have been cleaned up, '
        "or the link was cut short.</p>"
        f'<p><a class="button primary" href="{root}">Go to the games</a></p>',
    )


@lru_cache(maxsize=256)
def page_html(page: Page, root: str, public_url: str = "") -> Html:
    """The whole page; `root` leads from it to the root of the site: `./`, `../`."""
    needed = modules(page.kind)
    mapped = import_map(page.kind, root) if needed else ""
    filled = Template((STATIC / "shell.html").read_text(encoding="utf-8")).substitute(
        root=root,
        title=escape(page.title),
        description=escape(page.description),
        picture=escape(f"{public_url}/" if public_url else root) + address(page.card),
        icon=root + address("favicon.svg"),
        style=root + address(f"{page.kind}.css"),
        public_url=f'<meta name="public-url" content="{public_url}">' if public_url else "",
        scripts=_scripts(needed, mapped, root),
        sections="".join(_link(root, path, page) for path in SECTIONS),
        kind=page.kind,
        game=f' data-game="{escape(page.game)}"' if page.game else "",
        content=page.content,
    )
    digest = base64.b64encode(hashlib.sha256(mapped.encode()).digest()).decode()
    return Html(packed(filled.encode(), "text/html"), f"'sha256-{digest}'" if mapped else "")


def _scripts(needed: list[str], mapped: str, root: str) -> str:
    """The map stands before what it maps; naming all modules here keeps them out of a chain."""
    if not needed:
        return ""
    own, *others = (root + address(name) for name in needed)
    lines = [f'<script type="importmap">{mapped}</script>']
    lines += [f'<link rel="modulepreload" href="{module}">' for module in others]
    return "\n".join([*lines, f'<script type="module" src="{own}"></script>'])


def _link(root: str, path: str, page: Page) -> str:
    current = ' aria-current="page"' if path == page.section else ""
    return f'<a href="{root}{path}"{current}>{SECTIONS[path]}</a>'
