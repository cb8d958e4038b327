"""The learn pages as HTML: what there is to read needs no script; the boards come on top."""

from __future__ import annotations

from html import escape

from duels.core.game import Game
from duels.games import all_games
from duels.pages.page import Page
from duels.pages.prose import blocks, html, sections
from duels.service import logs

HOW = "How it is won"
DEEPER = "The mathematics"
LEFT_OUT = {"", "Corrections to the printed rule book", HOW, DEEPER}
SCRIPTS_HELP = (
    '<noscript><p class="quiet">With JavaScript there is a board here to try it on.</p></noscript>'
)

LESSON_HELP = '<noscript><p class="quiet">With JavaScript there is a lesson here.</p></noscript>'


def learn_page(root: str) -> Page:
    """All games, each with a link to its page."""
    return Page(
        "learn",
        "Learn · Number Duels",
        "The rules of the games, and how each of them is won.",
        "<h1>Learn</h1>\n"
        '<p class="lead">The rules of the games, and how each of them is won.</p>\n'
        f'<div class="cards">\n{"".join(_card(kind, root) for kind in readable_games())}</div>\n'
        f'<p class="quiet">For the classroom: <a href="{root}print">sheets to print</a>.</p>',
        section="learn",
    )


def rules_page(kind: type[Game], root: str) -> Page:
    """The rules of a game, how it is won, and a place for the board."""
    lead, rules, parts = read_rules(kind)
    return Page(
        "learn",
        f"{kind.title}: rules, and how it is won · Number Duels",
        f"{lead} The rules, how it is won, and a board to try it on.",
        f'<nav class="tabs" aria-label="Games">{_tabs(kind, root)}</nav>\n'
        f"<h1>{escape(kind.title)}</h1>\n"
        f'<div class="lead">{html([lead])}</div>\n'
        f"{_lesson(kind)}"
        f'<p><a class="button" href="{root}play/{kind.id}">Play {escape(kind.title)}</a></p>\n'
        '<div class="lessons">\n'
        + (f'<section class="prose">\n{html(rules)}\n</section>\n' if rules else "")
        + f"<div>\n{_how(parts)}"
        f'<section class="try stack loose">{SCRIPTS_HELP}</section>\n</div>\n</div>',
        section="learn",
        game=kind.id,
    )


def read_rules(kind: type[Game]) -> tuple[str, list[str], dict[str, list[str]]]:
    """What a game is, its rules as blocks, and all parts of their text by heading."""
    parts = {name: blocks(text) for name, text in sections(kind.rules_text()).items()}
    lead, *more = [line for line in parts[""] if not line.startswith("# ")] or [kind.summary]
    rules = (block for name in parts if name not in LEFT_OUT for block in parts[name])
    return lead, [*more, *rules], parts


def _lesson(kind: type[Game]) -> str:
    """A place for the lesson, if the game has one."""
    return f'<div class="lesson-place">{LESSON_HELP}</div>\n' if kind.has_lesson() else ""


def readable_games() -> list[type[Game]]:
    """Those whose rules can be read; what is wrong with another is written down."""
    readable = []
    for kind in all_games().values():
        try:
            kind.rules_text()
            readable.append(kind)
        except Exception as error:
            logs.error("a game's rules cannot be read", error, game=kind.id)
    return readable


def _card(kind: type[Game], root: str) -> str:
    return (
        f'<a class="card" href="{root}learn/{kind.id}" data-game="{kind.id}">'
        '<span class="preview" aria-hidden="true"></span>'
        f'<span class="card-title">{escape(kind.title)}</span>'
        f'<span class="card-words">{escape(kind.summary)}</span></a>\n'
    )


def _tabs(shown: type[Game], root: str) -> str:
    current = ' aria-current="page"'
    return "".join(
        f'<a href="{root}learn/{kind.id}"{current if kind is shown else ""}>'
        f"{escape(kind.title)}</a>"
        for kind in all_games().values()
    )


def _how(parts: dict[str, list[str]]) -> str:
    """How it is won, if the rules say it, and what lies behind it, folded up."""
    if HOW not in parts:
        return ""
    deeper = html(parts.get(DEEPER, [])[1:])
    folded = f"<details><summary>{DEEPER}</summary>\n{deeper}\n</details>\n" if deeper else ""
    return f'<section class="prose">\n{html(parts[HOW])}\n{folded}</section>\n'
