"""What all pages have in common.

Every address in a page is relative to the root of the site, which the page names (`data-root`): so
it works below any path, whether or not the server knows that path.
"""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from html import escape
from string import Template
from typing import NamedTuple

from duels.pages.files import STATIC, File, address, all_files, import_map, modules, packed
from duels.pages.page import Page

SECTIONS = {
    "": "Play",
    "learn": "Learn",
    "puzzle": "Puzzles",
    "analysis": "Analysis",
    "me": "You",
}
CARD = "card.png"
"""The picture of a link to any page that has none of its own; 1200 x 630, as previews want it."""


class Html(NamedTuple):
    """A page as it is sent, and the scripts inside it that may run, for its policy."""

    file: File
    scripts: str


class Host(NamedTuple):
    """Who answers a page: the words at its foot, and what the page is told of it."""

    foot: str
    told: str = ""
    """Attributes of the root element."""
    head: str = ""
    has_worker: bool = False
    """Whether the page asks a worker of its own, so that it needs every module at once."""


SERVER = Host(
    "No accounts, no tracking. The rules, the hints and the results come from one place: "
    "the server."
)


@lru_cache(maxsize=256)
def page_html(page: Page, root: str, public_url: str = "", host: Host = SERVER) -> Html:
    """The whole page; `root` leads from it to the root of the site: `./`, `../`."""
    needed = modules(page.kind, later=host.has_worker)
    mapped = import_map(page.kind, root) if needed else ""
    filled = Template((STATIC / "shell.html").read_text(encoding="utf-8")).substitute(
        root=root,
        title=escape(page.title),
        description=escape(page.description),
        picture=escape(f"{public_url}/" if public_url else root) + address(_card(page)),
        icon=root + address("favicon.svg"),
        style=root + address(f"{page.kind}.css"),
        public_url=f'<meta name="public-url" content="{public_url}">' if public_url else "",
        scripts=_scripts(needed, mapped, root),
        sections="".join(_link(root, path, page) for path in SECTIONS),
        kind=page.kind,
        game=f' data-game="{escape(page.game)}"' if page.game else "",
        content=page.content,
        foot=host.foot,
        told=f" {host.told}".rstrip(),
        head=host.head,
    )
    digest = base64.b64encode(hashlib.sha256(mapped.encode()).digest()).decode()
    return Html(packed(filled.encode(), "text/html"), f"'sha256-{digest}'" if mapped else "")


def _card(page: Page) -> str:
    """The picture of a link to it: the game's, if it has one."""
    return own if (own := f"cards/{page.game}.png") in all_files() else CARD


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
