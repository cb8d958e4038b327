"""Pages before they have their shell, and what fills them: Jinja2 templates, and games' rules.

Every address in a page is relative to the root of the site, which the page names (`data-root`), so
pages work below any path, whether or not the server knows that path. Jinja2 and markdown-it are
imported when the first page is rendered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from duels.core.game import Game
from duels.core.words import MATHEMATICS, STRATEGY, sections
from duels.games import all_games
from duels.service import logs

if TYPE_CHECKING:
    from jinja2 import Environment
    from markdown_it import MarkdownIt
    from markupsafe import Markup

SERVER_FOOT = "No accounts, no ads, no tracking."


@dataclass(frozen=True)
class Page:
    """A page: `kind` names its script and its style sheet, `template` is for what is in `<main>`.

    Without a template the page is filled by its script, and shows `loading` until then. `offline`
    is the description on the static site, where there are no links to share, if it differs.
    """

    kind: str
    title: str
    description: str
    template: str = ""
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What the template is filled with, besides `page` and `host`."""
    loading: str = ""
    section: str = "-"
    game: str = ""
    offline: str = ""
    responses: tuple[tuple[str, str], ...] = ()
    """First responses of a server's API by path: the script need not wait for a round trip."""


@dataclass(frozen=True)
class Host:
    """Where a page is served, and how it links to the other pages.

    `paths` lists the pages of the static site, with `/*` where more may follow; it is empty on a
    server. `foot` is Markdown, `attributes` are those of the root element, and `policy` says what
    the page may load, where no server sends it.
    """

    root: str
    """Leads from the page to the root of the site: `./`, `../`."""
    public_url: str = ""
    origin: str = ""
    """The absolute root of the site for link previews, whose pictures need one; "" if unknown."""
    paths: tuple[str, ...] = ()
    foot: str = SERVER_FOOT
    attributes: tuple[tuple[str, str], ...] = ()
    policy: str = ""

    @property
    def has_server(self) -> bool:
        return not self.paths

    def link(self, path: str) -> str:
        """Return the address of the page at a path, as `urls.js` does."""
        if self.has_server or not path:
            return self.root + path
        if path in self.paths:
            return f"{self.root}{path}/"
        parts = path.split("/")
        for cut in range(len(parts) - 1, 0, -1):
            folder, rest = "/".join(parts[:cut]), "/".join(parts[cut:])
            if f"{folder}/*" in self.paths:
                return f"{self.root}{folder}/?{rest}"
        return self.root + path


def embedded(path: str, response: bytes) -> tuple[str, str]:
    """Return a JSON response of the API in a form that can be part of a page."""
    return path, response.decode().replace("<", "\\u003c")


def render(template: str, **values: Any) -> Markup:
    """Render a template; every value is escaped unless it is Markup."""
    from markupsafe import Markup

    return Markup(_environment().get_template(template).render(values).strip())


class RulesText(NamedTuple):
    """The parts of a game's rules, as HTML but for the summary; a missing part is empty."""

    summary: str
    """The first paragraph, as plain text."""
    lead: Markup
    rules: Markup
    how: Markup
    """How the game is won, with its heading."""
    mathematics: Markup


def read_rules(kind: type[Game]) -> RulesText:
    """Return the parts of a game's rules; its summary is the lead if they have none."""
    first, *others = sections(kind.rules_text())
    start = _markdown().parse(first.text)
    if start and start[0].tag == "h1":
        del start[: _end_of_block(start)]
    parts: defaultdict[str, list[Any]] = defaultdict(list)
    for section in others:
        parts[section.kind] += _markdown().parse(section.text)
    cut = _end_of_block(start)
    lead = _html(start[:cut] or _markdown().parse(kind.summary))
    return RulesText(
        lead.striptags(),
        lead,
        _html([*start[cut:], *parts[""]]),
        _html(parts[STRATEGY]),
        _html(parts[MATHEMATICS][_end_of_block(parts[MATHEMATICS]) :]),
    )


def _end_of_block(tokens: list[Any]) -> int:
    """Return how many tokens the first block has."""
    depth = 0
    for place, token in enumerate(tokens, start=1):
        depth += token.nesting
        if depth == 0:
            return place
    return 0


def _html(tokens: list[Any]) -> Markup:
    from markupsafe import Markup

    reader = _markdown()
    return Markup(reader.renderer.render(tokens, reader.options, {}).strip())


@cache
def _markdown() -> MarkdownIt:
    """Return the Markdown reader: HTML in a text stays text, and a text loads no pictures."""
    from markdown_it import MarkdownIt

    return MarkdownIt("js-default").disable("image")


def readable_games() -> list[type[Game]]:
    """Return the games whose rules can be read, and log the others."""
    readable = []
    for kind in all_games().values():
        try:
            kind.rules_text()
            readable.append(kind)
        except Exception as error:
            logs.error("a game's rules cannot be read", error, game=kind.id)
    return readable


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        auto_reload=False,
    )
    environment.filters["markdown"] = lambda text: Markup(_markdown().renderInline(text))
    environment.filters["sentence"] = lambda words: f"{words[:1].upper()}{words[1:]}."
    return environment
