"""Sheets of paper for a classroom: HTML that needs no script and fits on A4 and on Letter."""

from __future__ import annotations

from html import escape

from duels.core.game import Game
from duels.pages import drawn
from duels.pages.learn import read_rules, readable_games
from duels.pages.lesson_plan import plan
from duels.pages.page import Page
from duels.pages.privacy import PRIVACY
from duels.pages.prose import html

BOARDS = {24: 4, 40: 3, 50: 2, 100: 1}
"""Blank boards by their highest number, and how many of them a sheet has room for."""
LINES = {10: 3, 15: 3, 20: 3}
"""Number lines of one sheet, by their highest number."""
MOST_SHEETS = 9999
"""Sheets of puzzles of one game."""
LEAD = (
    "To play without a screen. Made for A4 and Letter: open a sheet, and let your browser print it."
)


def index_page(root: str) -> Page:
    """Every sheet there is."""
    boards = "".join(
        f'<li><a href="{root}print/board/{size}">1 to {size}</a></li>' for size in BOARDS
    )
    rows = "".join(_row(kind, root) for kind in readable_games())
    return _page(
        "Sheets to print",
        f'<h1>Sheets to print</h1>\n<p class="lead">{LEAD}</p>\n'
        f'<section><h2>Blank boards</h2><ul class="choices row">{boards}'
        f'<li><a href="{root}print/lines">Number lines</a></li></ul></section>\n'
        '<section><h2>For each game</h2><table class="listing">'
        '<thead><tr><th scope="col">Game</th><th scope="col">Rules</th>'
        '<th scope="col">Puzzles</th><th scope="col">Lesson plan</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></section>\n"
        '<p class="quiet needs-server">With phones or computers in the room, everybody can play in '
        f'<a href="{root}class">a class</a>.</p>',
    )


def _row(kind: type[Game], root: str) -> str:
    link = f"{root}print/{{}}/{kind.id}"
    cells = [
        (link.format("rules"), "Rules"),
        (f"{link.format('puzzles')}/1", "Puzzles"),
        (link.format("plan"), "Lesson plan"),
    ]
    title = escape(kind.title)
    return (
        f'<tr><th scope="row">{title}</th>'
        + "".join(
            f'<td><a href="{address}">{word}<span class="unseen"> of {title}</span></a></td>'
            for address, word in cells
        )
        + "</tr>"
    )


def board_page(size: int, root: str) -> Page | None:
    """Blank boards of one size, as many as a sheet holds."""
    if size not in BOARDS:
        return None
    body = f"<h1>1 to {size}</h1>\n" + _to_play("grid", size) * BOARDS[size]
    return _page(f"Boards from 1 to {size}", _way_back(root) + _sheet(body, f"boards-{size}"))


def lines_page(root: str) -> Page:
    """Number lines of three lengths."""
    lines = (_to_play("line", size) * count for size, count in LINES.items())
    body = f"<h1>Number lines</h1>\n{''.join(lines)}"
    return _page("Number lines", _way_back(root) + _sheet(body, "lines"))


def _to_play(kind: str, size: int) -> str:
    return f'<section class="play">{drawn.names()}{drawn.blank(kind, size)}</section>\n'


def rules_sheet(kind: type[Game], root: str) -> Page:
    """The rules of a game, and not how it is won: that is for pupils to find out."""
    lead, rules, _ = read_rules(kind)
    head = f'<h1>{escape(kind.title)}</h1>\n<div class="lead">{html([lead])}</div>\n'
    body = f"{head}{html(rules)}\n{_sample(kind)}"
    return _page(f"{kind.title}: the rules", _way_back(root) + _sheet(body, "rules"))


def plan_sheet(kind: type[Game], root: str) -> Page:
    """One lesson with a game."""
    return _page(f"A lesson with {kind.title}", _way_back(root) + _sheet(plan(kind), "plan"))


def privacy_page(root: str) -> Page:
    """What a class leaves behind, for teachers and parents."""
    way = f'<nav class="row way" aria-label="Class"><a href="{root}class">A class</a></nav>\n'
    return _page("A class: what is stored, and for how long", way + _sheet(PRIVACY, "privacy"))


def puzzles_page(kind: type[Game], number: int, found: list[drawn.Task], root: str) -> Page:
    """Puzzles on the first sheet, what wins and why on the second."""
    title = f"{escape(kind.title)}: puzzles, sheet {number}"
    wide = " wide" if any(task.layout == "line" for task in found) else ""
    tasks = "".join(drawn.task(place, task) for place, task in enumerate(found, start=1))
    answers = "".join(
        f"<li><strong>{escape(task.answer)}.</strong> {escape(task.reason)}</li>\n"
        for task in found
    )
    another = f'<a href="{root}print/puzzles/{kind.id}/{number + 1}">Another sheet</a>'
    return _page(
        f"{kind.title}: puzzles, sheet {number}",
        _way_back(root, another)
        + _sheet(
            f'<h1>{title}</h1>\n<p class="lead">In each of them, exactly one move wins. '
            f'Which?</p>\n<div class="tasks{wide}">\n{tasks}</div>',
            "puzzles",
        )
        + _sheet(f"<h2>{title}: answers</h2>\n<ol>\n{answers}</ol>", "solutions"),
    )


def no_puzzles(kind: type[Game], why: str, root: str) -> Page:
    """Why there is no sheet."""
    words = f"<h1>{escape(kind.title)}: no puzzles</h1><p>{escape(why)}</p>"
    return _page(f"{kind.title}: no puzzles", _way_back(root) + words)


def _sample(kind: type[Game]) -> str:
    """The board of a short example, for whoever has never seen one."""
    game = kind.small()
    position = game.position(*game.sample)
    if not position.moves:
        return ""
    moves = ", ".join(game.format(move) for move in position.moves)
    return (
        f"<figure><figcaption>An example: {escape(moves)}.</figcaption>"
        f"{drawn.board(position)}</figure>"
    )


def _page(title: str, content: str) -> Page:
    words = f"{title}: to print on A4 or Letter, and to play on paper."
    return Page("print", f"{title} · Number Duels", words, content)


def _sheet(content: str, kind: str) -> str:
    return f'<article class="sheet {kind}">\n{content}\n</article>\n'


def _way_back(root: str, more: str = "") -> str:
    back = f'<a href="{root}print">All sheets</a>'
    return f'<nav class="row way" aria-label="Sheets">{back}{more}</nav>\n'
