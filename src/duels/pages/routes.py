"""Which page is at which path, for all pages that need no match and no computation."""

from __future__ import annotations

from dataclasses import replace

from duels.core.game import Game
from duels.core.words import whole_number
from duels.games import all_games
from duels.pages import learn, print_sheets
from duels.pages.templates import Host, Page, render

FIXED = {
    "": Page(
        "lobby",
        "Number Duels: number games for two",
        "Number games for two: on one screen, by link, or against the computer. No account, "
        "and a coach who says why.",
        section="",
    ),
    "analysis": Page(
        "analysis",
        "Analysis · Number Duels",
        "Any position of any game: who wins, by which moves, and why.",
        loading="The board is being set up …",
        section="analysis",
    ),
    "puzzle": Page(
        "puzzle",
        "Puzzles · Number Duels",
        "A position, and a move that wins it. Find it; a wrong move is answered by what refutes "
        "it.",
        loading="A puzzle is being looked for …",
        section="puzzle",
    ),
    "daily": Page(
        "puzzle",
        "The puzzle of the day · Number Duels",
        "One puzzle a day, the same for everyone. Find the move that wins.",
        loading="The puzzle of the day is being fetched …",
        section="puzzle",
    ),
    "me": Page(
        "me",
        "You · Number Duels",
        "Your games, your puzzles and your progress. All of it is saved on this device only.",
        loading="Your games are being looked up …",
        section="me",
    ),
}
"""Pages that are filled by their scripts, by path."""
MATCH = Page(
    "match",
    "A game · Number Duels",
    "A number game for two. Open the link to play or to watch; no account is needed.",
    loading="The game is being fetched …",
)
CLASS = Page(
    "class",
    "A class · Number Duels",
    "Five letters on the board, and a whole class plays number games. No accounts.",
    loading="The class is being fetched …",
)
WITHOUT_SERVER = {
    FIXED[""]: "Number games for two: on one screen or against the computer. No account, "
    "and a coach who says why.",
    MATCH: "A number game for two. No account is needed.",
}
"""Descriptions for the static site, where there are no links to share."""


def page_at(path: str, host: Host) -> Page | None:
    """Return the page at a path like `learn/GAME`, or None."""
    folder, _, name = path.rpartition("/")
    if folder == "print/board":
        return print_sheets.board_page(whole_number(name) or 0, host)
    game_pages = {
        "play": set_up_page,
        "learn": learn.rules_page,
        "print/rules": print_sheets.rules_page,
        "print/plan": print_sheets.plan_page,
    }
    if folder in game_pages:
        kind = all_games().get(name)
        return game_pages[folder](kind, host) if kind else None
    rendered = {
        "learn": learn.learn_page,
        "print": print_sheets.index_page,
        "print/lines": print_sheets.lines_page,
    }
    if path in rendered:
        return rendered[path](host)
    return described(FIXED[path], host) if path in FIXED else None


def described(page: Page, host: Host) -> Page:
    """Return the page with the description that holds for its host."""
    if host.has_server or page not in WITHOUT_SERVER:
        return page
    return replace(page, description=WITHOUT_SERVER[page])


def set_up_page(kind: type[Game], host: Host) -> Page:
    """Return the page on which a game is set up."""
    against = "Against the computer or two on one screen."
    if host.has_server:
        against = "Against the computer, with a friend by link, or two on one screen."
    return Page(
        "play",
        f"Play {kind.title} · Number Duels",
        f"{kind.summary} {against}",
        render("set_up.html", kind=kind, host=host),
        section="",
        game=kind.id,
    )


def unreadable_page(why: str, host: Host) -> Page:
    """Return the page to show when a file of a game cannot be read."""
    return _error_page("Not readable", "This page cannot be shown.", why, host)


def missing_page(host: Host) -> Page:
    """Return the page to show where there is none."""
    why = "The game may have been cleaned up, or the link was cut short."
    return _error_page("Not found", "There is nothing here.", why, host)


def _error_page(title: str, heading: str, why: str, host: Host) -> Page:
    content = render("error.html", heading=heading, why=why, host=host)
    return Page("missing", f"{title} · Number Duels", heading, content)
