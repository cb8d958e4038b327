"""The pages of a site without a server: which files there are, and what is in them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from duels.games import GAMES
from duels.pages import paper
from duels.pages.contents import page_at
from duels.pages.files import packed
from duels.pages.page import FIXED, MATCH, Page, waiting
from duels.pages.shell import Host, Html, page_html

FOOT = (
    "No accounts, no tracking, no server: the rules, the hints and the results are worked out in "
    "your browser, and your games stay on this device. A friend by link, spectators and classes "
    "need a server: <code>duels serve</code>."
)
LATE = waiting("One moment …")
"""In the middle of a page that is written when it is opened, by the Python in the browser."""
OF_GAMES = ("play", "learn", "print/rules", "print/plan")
TAKE_MORE = {"m", "play", "learn", "print/rules", "print/plan", "print/puzzles"}
"""Below these there are paths without a file, like that of a match, or of a game of one's own."""

NEEDS_SERVER = re.compile(r'<p class="[^"]*needs-server">.*?</p>\n?', re.DOTALL)


class SitePage(NamedTuple):
    """A page: the folder in which it lies as `index.html`.

    With `takes_more` it is shown at every path below its own that has no file: `m/?ID`. Then there
    may be nothing at its own path.
    """

    path: str
    page: Page
    takes_more: bool = False
    is_at_path: bool = True

    @property
    def file(self) -> str:
        return f"{self.path}/index.html".lstrip("/")

    @property
    def root(self) -> str:
        """Leads from it to the root of the site."""
        return _root(self.path)


@cache
def site_pages() -> tuple[SitePage, ...]:
    """Every page that has a file; what is not there is `page.missing`."""
    boards = [f"print/board/{size}" for size in paper.BOARDS]
    of_games = [f"{what}/{game_id}" for what in OF_GAMES for game_id in GAMES]
    paths = [*FIXED, "learn", "print", "print/lines", *boards, *of_games]
    found = [SitePage(path, _written(path), path in TAKE_MORE) for path in paths]
    found.append(SitePage("m", _without_links(MATCH), True, False))
    for path in sorted(TAKE_MORE - {"m", *paths}):
        kind = "play" if path == "play" else "late"
        found.append(SitePage(path, Page(kind, "Number Duels", "", LATE), True, False))
    return tuple(found)


def site_html(one: SitePage, told: str = "", head: str = "") -> Html:
    """The whole page; `told` are more attributes of its root element, `head` more of its head."""
    host = Host(FOOT, f'data-pages="{known_paths()}" {told}'.strip(), head, True)
    html = page_html(one.page, one.root, host=host)
    text = _with_static_links(html.file.content.decode(), one.root)
    return html._replace(file=packed(text.encode(), html.file.media_type))


def known_paths() -> str:
    """The paths of all pages, as `root.js` wants to be told; a star where more may follow."""
    told = [one.path for one in site_pages() if one.is_at_path and one.path]
    return " ".join([*told, *(f"{one.path}/*" for one in site_pages() if one.takes_more)])


def static_address(path: str, root: str) -> str:
    """Where the page at a path lies, as `root.js` says it too."""
    known = known_paths().split()
    if not path or path in known:
        return f"{root}{path}/" if path else root
    parts = path.split("/")
    for cut in range(len(parts) - 1, 0, -1):
        head, rest = "/".join(parts[:cut]), "/".join(parts[cut:])
        if f"{head}/*" in known:
            return f"{root}{head}/?{rest}"
    return root + path


def _with_static_links(text: str, root: str) -> str:
    """Links that were written for a server lead to files; what only a server has is left out."""
    text = NEEDS_SERVER.sub("", text)
    link = re.compile(rf'<a\b[^>]*? href="{re.escape(root)}([\w/-]*)"')
    return link.sub(
        lambda found: found[0].replace(
            f'"{root}{found[1]}"', f'"{static_address(found[1], root)}"'
        ),
        text,
    )


def _root(path: str) -> str:
    return "../" * (path.count("/") + 1) if path else "./"


def _written(path: str) -> Page:
    found = page_at(path, _root(path))
    assert found, path
    return _without_links(found)


def _without_links(one: Page) -> Page:
    """The same description without what needs a server."""
    words = one.description
    for part in (", by link, or", ", with a friend by link, or"):
        words = words.replace(part, " or")
    return replace(one, description=words.replace(" Open the link to play or to watch;", ""))
