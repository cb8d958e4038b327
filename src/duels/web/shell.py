"""What all pages have in common; a page is its title, its style sheets, its script and one line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from string import Template

STATIC = Path(__file__).parent / "static"
SECTIONS = {"/": "Play", "/learn": "Learn", "/analysis": "Analysis"}
NEEDS_SCRIPT = (
    '<noscript><p class="notice">These pages need JavaScript. Without it, play at the terminal: '
    "<code>duels play</code>.</p></noscript>"
)


@dataclass(frozen=True)
class Page:
    """A page; `kind` names its script and its part of the style sheets."""

    kind: str
    title: str
    styles: str
    waiting: str = ""
    section: str = ""


LOBBY = Page("lobby", "Number Duels", "board preview lobby", section="/")
MATCH = Page("match", "A game · Number Duels", "board match review", "The game is being fetched …")
ANALYSIS = Page(
    "analysis",
    "Analysis · Number Duels",
    "board lobby match review study",
    "The board is being set up …",
    section="/analysis",
)
LEARN = Page(
    "learn",
    "Learn · Number Duels",
    "board preview lobby match review study",
    "The rules are being fetched …",
    section="/learn",
)
MISSING = Page("missing", "Not found · Number Duels", "")
NOTHING_HERE = (
    '<h1>There is nothing here.</h1><p class="lead">The game may have been cleaned up, '
    'or the link was cut short.</p><p><a class="button primary" href="/">Go to the games</a></p>'
)


@cache
def page_html(page: Page, public_url: str = "") -> bytes:
    """The whole page; its script fills it."""
    script = f'<script type="module" src="/static/js/{page.kind}-page.js"></script>'
    waiting = f'<p class="loading">{escape(page.waiting)}</p>' if page.waiting else ""
    has_script = page is not MISSING
    return (
        Template((STATIC / "shell.html").read_text(encoding="utf-8"))
        .substitute(
            title=escape(page.title),
            styles="\n".join(
                f'<link rel="stylesheet" href="/static/css/{name}.css">'
                for name in ("look", "controls", "site", *page.styles.split())
            ),
            public_url=f'<meta name="public-url" content="{public_url}">' if public_url else "",
            script=script if has_script else "",
            sections="".join(
                f'<a href="{address}"{_current(address, page)}>{name}</a>'
                for address, name in SECTIONS.items()
            ),
            kind=page.kind,
            content=f"{waiting}\n{NEEDS_SCRIPT}" if has_script else NOTHING_HERE,
        )
        .encode()
    )


def _current(address: str, page: Page) -> str:
    return ' aria-current="page"' if address == page.section else ""
