"""What is in a page: its kind, its words, and what stands in its middle."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from duels.core.game import Game

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
    game: str = ""


def waiting(words: str) -> str:
    return f'<p class="loading">{words}</p>\n{NEEDS_SCRIPT}'


FIXED = {
    "": Page(
        "lobby",
        "Number Duels: number games for two",
        "Number games for two: on one screen, by link, or against the computer. No account, "
        "and a coach who says why.",
        NEEDS_SCRIPT,
        section="",
    ),
    "analysis": Page(
        "analysis",
        "Analysis · Number Duels",
        "Any position of any game: who wins, by which moves, and why.",
        waiting("The board is being set up …"),
        section="analysis",
    ),
    "puzzle": Page(
        "puzzle",
        "Puzzles · Number Duels",
        "A position, and a move that wins it. Find it; a wrong move is answered by what refutes "
        "it.",
        waiting("A puzzle is being looked for …"),
        section="puzzle",
    ),
    "daily": Page(
        "puzzle",
        "The puzzle of the day · Number Duels",
        "One puzzle a day, the same for everybody. Find the move that wins.",
        waiting("The puzzle of the day is being fetched …"),
        section="puzzle",
    ),
    "me": Page(
        "me",
        "You · Number Duels",
        "Your games, your puzzles and how far you have got. All of it is kept on this device only.",
        waiting("Your games are being looked up …"),
        section="me",
    ),
}
"""By their paths."""
MATCH = Page(
    "match",
    "A game · Number Duels",
    "A number game for two. Open the link to play or to watch; no account is needed.",
    waiting("The game is being fetched …"),
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
        game=kind.id,
    )


def unreadable(why: str, root: str) -> Page:
    """A page that cannot be shown, because a file of its game cannot be read."""
    return Page(
        "missing",
        "Not readable · Number Duels",
        "This page cannot be shown.",
        f'<h1>This page cannot be shown.</h1><p class="lead">{escape(why)}</p>'
        f'<p><a class="button primary" href="{root}">Go to the games</a></p>',
    )


def missing(root: str) -> Page:
    return Page(
        "missing",
        "Not found · Number Duels",
        "There is nothing at this address.",
        '<h1>There is nothing here.</h1><p class="lead">The game may have been cleaned up, '
        "or the link was cut short.</p>"
        f'<p><a class="button primary" href="{root}">Go to the games</a></p>',
    )
