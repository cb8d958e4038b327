"""The middle of a page, written when it is opened, where no file has it."""

from __future__ import annotations

from html import escape

from duels.core.errors import DuelsError
from duels.core.words import whole_number
from duels.games import all_games
from duels.pages import paper
from duels.pages.contents import page_at
from duels.pages.page import Page
from duels.pages.puzzle_sheet import puzzle_sheet
from duels.service.problems import Problem
from duels.service.requests import Response, refuse


def content_at(path: str) -> Response:
    """The middle of the page at a path, as HTML whose links begin at `/`."""
    found = _puzzles(path) or page_at(path, "/")
    if not found:
        return refuse(Problem(404, "There is nothing here."))
    named = f' data-game="{escape(found.game)}"' if found.game else ""
    body = f'<main class="{found.kind}"{named}>\n{found.content}\n</main>'
    return Response(f"<title>{escape(found.title)}</title>{body}".encode(), 200, "text/html")


def _puzzles(path: str) -> Page | None:
    what, _, number = path.rpartition("/")
    kind = all_games().get(what.removeprefix("print/puzzles/"))
    sheet = whole_number(number) or 0
    if not kind or not what.startswith("print/puzzles/") or not 1 <= sheet <= paper.MOST_SHEETS:
        return None
    try:
        return paper.puzzles_page(kind, sheet, puzzle_sheet(kind.id, sheet), "/")
    except DuelsError as error:
        return paper.no_puzzles(kind, str(error), "/")
