"""Which page is at which path, for all pages that need no match and no computation."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from duels.core.game import Game
from duels.core.words import whole_number
from duels.games import all_games
from duels.pages import print_sheets
from duels.pages.templates import Page, embedded, read_rules, readable_games
from duels.service.analysis import game_list

FIXED = {
    "analysis": Page(
        "analysis",
        "Analysis · Number Duels",
        "Any position of any game: who wins, by which moves, and why.",
        loading="Loading the board …",
        section="analysis",
    ),
    "puzzle": Page(
        "puzzle",
        "Puzzles · Number Duels",
        "A position, and a move that wins it. Find it; if a move is wrong, you see what refutes "
        "it.",
        loading="Looking for a puzzle …",
        section="puzzle",
    ),
    "daily": Page(
        "puzzle",
        "The puzzle of the day · Number Duels",
        "One puzzle a day, the same for everyone. Find the move that wins.",
        loading="Loading the puzzle of the day …",
        section="puzzle",
    ),
    "me": Page(
        "me",
        "You · Number Duels",
        "Your games, your puzzles and your progress, as this device remembers them.",
        loading="Loading your games …",
        section="me",
    ),
}
"""Pages that are filled by their scripts, by path."""
MATCH = Page(
    "match",
    "A game · Number Duels",
    "A number game for two. Open the link to play or to watch; no account is needed.",
    loading="Loading the game …",
    offline="A number game for two. No account is needed.",
)
CLASS = Page(
    "class",
    "A class · Number Duels",
    "Five letters on the board, and a whole class plays number games. No accounts.",
    loading="Loading the class …",
    section="class",
)
CLASS_ENTRANCE = replace(CLASS, template="class_entrance.html", loading="")
"""Without a code: type one, or start a class."""
LISTS_GAMES = {"lobby", "play", "learn", "analysis", "puzzle", "me"}
"""The kinds of pages whose scripts begin with the list of games."""
LEAD = "The rules of the games, and how each of them is won."


def page_at(path: str) -> Page | None:
    """Return the page at a path like `learn/GAME`, or None."""
    page = _page_at(path)
    if page and page.kind in LISTS_GAMES:
        return replace(page, responses=(embedded("api/games", game_list()),))
    return page


def _page_at(path: str) -> Page | None:
    folder, _, name = path.rpartition("/")
    if folder == "print/board":
        return print_sheets.board_page(whole_number(name) or 0)
    game_pages = {
        "play": set_up_page,
        "learn": rules_page,
        "print/rules": print_sheets.rules_page,
        "print/plan": print_sheets.plan_page,
    }
    if folder in game_pages:
        kind = all_games().get(name)
        return game_pages[folder](kind) if kind else None
    rendered = {
        "": lobby_page,
        "learn": learn_page,
        "print": print_sheets.index_page,
        "print/lines": print_sheets.lines_page,
    }
    if path in rendered:
        return rendered[path]()
    return FIXED.get(path)


def lobby_page() -> Page:
    """Return the first page: play now, or choose a game."""
    return Page(
        "lobby",
        "Number Duels: number games for two",
        "Number games for two: on one screen, by link, or against the computer. No account, "
        "and a coach who says why.",
        "lobby.html",
        {"games": json.loads(game_list())["games"]},
        section="",
        offline="Number games for two: on one screen or against the computer. No account, "
        "and a coach who says why.",
    )


def set_up_page(kind: type[Game]) -> Page:
    """Return the page on which a game is set up."""
    return Page(
        "play",
        f"Play {kind.title} · Number Duels",
        f"{kind.summary} Against the computer, with a friend by link, or two on one screen.",
        "set_up.html",
        {"kind": kind},
        section="",
        game=kind.id,
        offline=f"{kind.summary} Against the computer or two on one screen.",
    )


def learn_page() -> Page:
    """Return the page that lists all games."""
    values = {"games": easy_first(readable_games()), "lead": LEAD}
    return Page("learn", "Learn · Number Duels", LEAD, "learn.html", values, section="learn")


def easy_first(games: Iterable[type[Game]]) -> list[type[Game]]:
    """Return the games in the order of the first page: good ones to begin with first."""
    listed = [card["game"] for card in json.loads(game_list())["games"]]
    rank = {name: place for place, name in enumerate(listed)}
    return sorted(games, key=lambda kind: rank.get(kind.id, len(rank)))


def rules_page(kind: type[Game]) -> Page:
    """Return the page with a game's rules, how it is won, and places for lesson and board."""
    text = read_rules(kind)
    return Page(
        "learn",
        f"{kind.title}: rules, and how it is won · Number Duels",
        f"{text.summary} The rules, how it is won, and a board to try it on.",
        "rules.html",
        {"kind": kind, "games": easy_first(all_games().values()), "text": text},
        section="learn",
        game=kind.id,
    )


def unreadable_page(why: str) -> Page:
    """Return the page to show when a file of a game cannot be read."""
    return _error_page("Not readable", "This page cannot be shown.", why)


def missing_page() -> Page:
    """Return the page for an address that does not exist."""
    why = "The game may have been deleted, or part of the link is missing."
    return _error_page("Not found", "There is nothing here.", why)


def _error_page(title: str, heading: str, why: str) -> Page:
    values = {"heading": heading, "why": why}
    return Page("missing", f"{title} · Number Duels", heading, "error.html", values)
