"""What there is to read about a game: its rules, how it is won, and a lesson plan."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from duels.coach.lessons import lesson_of
from duels.core.errors import LessonError
from duels.core.game import Game, Position
from duels.core.words import MATHEMATICS, STRATEGY, sections
from duels.games import all_games
from duels.pages.templates import Host, Page, markdown, markdown_html, render
from duels.service import logs

if TYPE_CHECKING:
    from markupsafe import Markup

QUESTIONS = 4
"""Questions in a lesson plan: more would not fit on the page."""
LEAD = "The rules of the games, and how each of them is won."


class RulesText(NamedTuple):
    """The parts of a game's rules, as HTML but for the summary; a missing part is empty."""

    summary: str
    """The first paragraph, as plain text."""
    lead: Markup
    rules: Markup
    how: Markup
    """How the game is won, with its heading."""
    mathematics: Markup


def learn_page(host: Host) -> Page:
    """Return the page that lists all games."""
    content = render("learn.html", games=readable_games(), lead=LEAD, host=host)
    return Page("learn", "Learn · Number Duels", LEAD, content, section="learn")


def rules_page(kind: type[Game], host: Host) -> Page:
    """Return the page with a game's rules, how it is won, and places for lesson and board."""
    text = read_rules(kind)
    return Page(
        "learn",
        f"{kind.title}: rules, and how it is won · Number Duels",
        f"{text.summary} The rules, how it is won, and a board to try it on.",
        render(
            "rules.html",
            kind=kind,
            games=[*all_games().values()],
            text=text,
            host=host,
        ),
        section="learn",
        game=kind.id,
    )


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


def read_rules(kind: type[Game]) -> RulesText:
    """Return the parts of a game's rules; its summary is the lead if they have none."""
    parts = _tokens(kind.rules_text())
    start, rules, how, mathematics = (parts[name] for name in ("start", "", STRATEGY, MATHEMATICS))
    cut = _end_of_block(start)
    lead = start[:cut] or markdown().parse(kind.summary)
    rules = [*start[cut:], *rules]
    return RulesText(
        _plain_text(lead),
        markdown_html(lead),
        markdown_html(rules),
        markdown_html(how),
        markdown_html(mathematics[_end_of_block(mathematics) :]),
    )


def _tokens(text: str) -> dict[str, list[Any]]:
    """Return the tokens of a text by the kinds of its sections, and of its start."""
    first, *more = sections(text)
    start = markdown().parse(first.text)
    if start and start[0].tag == "h1":
        del start[: _end_of_block(start)]
    found: dict[str, list[Any]] = defaultdict(list, start=start)
    for section in more:
        found[section.kind] += markdown().parse(section.text)
    return found


def _end_of_block(tokens: list[Any]) -> int:
    """Return how many tokens the first block has."""
    depth = 0
    for place, token in enumerate(tokens, start=1):
        depth += token.nesting
        if depth == 0:
            return place
    return 0


def _plain_text(tokens: list[Any]) -> str:
    """Return the words of inline Markdown, without its signs."""
    words = []
    for token in tokens:
        for part in token.children or ():
            words.append(" " if part.type in {"softbreak", "hardbreak"} else part.content)
    return "".join(words)


def lesson_questions(kind: type[Game]) -> list[dict[str, str]]:
    """Return the first questions of a game's lesson, for a lesson plan; none without a lesson."""
    try:
        lesson = lesson_of(kind)
    except LessonError as error:
        logs.error("a game's lesson cannot be read", error, game=kind.id)
        return []
    steps = [step for step in lesson.steps if not step.is_game] if lesson else []
    return [
        {
            "title": step.title,
            "board": _board_words(step.position),
            "question": step.question,
            "right": step.right,
        }
        for step in steps[:QUESTIONS]
    ]


def _board_words(position: Position) -> str:
    game, moves = position.game, ", ".join(map(position.game.format, position.moves))
    return game.options_in_words() + (f", after {moves}" if moves else "")
