"""Pages before they have their shell, and the Jinja2 templates that render them.

Every address in a page is relative to the root of the site, which the page names (`data-root`), so
pages work below any path, whether or not the server knows that path. Jinja2 and markdown-it are
imported when the first page is rendered.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment
    from markdown_it import MarkdownIt
    from markupsafe import Markup

SERVER_FOOT = (
    "No accounts, no tracking. The rules, the hints and the results come from one place: "
    "the server."
)


@dataclass(frozen=True)
class Page:
    """A page: `kind` names its script and its style sheet, `content` is the HTML inside `<main>`.

    Without content the page is filled by its script, and shows `loading` until then.
    """

    kind: str
    title: str
    description: str
    content: str = ""
    loading: str = ""
    section: str = "-"
    game: str = ""


@dataclass(frozen=True)
class Host:
    """Where a page is served, and how it links to the other pages.

    `paths` lists the pages of the static site, with `/*` where more may follow; it is empty on a
    server. `foot` is Markdown, `attributes` are those of the root element, and `head` is HTML.
    """

    root: str
    """Leads from the page to the root of the site: `./`, `../`."""
    public_url: str = ""
    paths: tuple[str, ...] = ()
    foot: str = SERVER_FOOT
    attributes: tuple[tuple[str, str], ...] = ()
    head: str = ""

    @property
    def has_server(self) -> bool:
        return not self.paths

    def link(self, path: str) -> str:
        """Return the address of the page at a path, as `root.js` does."""
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


def render(template: str, **values: Any) -> Markup:
    """Render a template; every value is escaped unless it is Markup."""
    from markupsafe import Markup

    return Markup(_environment().get_template(template).render(values).strip())


def markdown_html(tokens: list[Any]) -> Markup:
    """Render Markdown that `parse_markdown` has read."""
    from markupsafe import Markup

    reader = markdown()
    return Markup(reader.renderer.render(tokens, reader.options, {}).strip())


@cache
def markdown() -> MarkdownIt:
    """Return the Markdown reader: HTML in a text stays text, and a text loads no pictures."""
    from markdown_it import MarkdownIt

    return MarkdownIt("js-default").disable("image")


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
    environment.filters["markdown"] = lambda text: Markup(markdown().renderInline(text))
    return environment
