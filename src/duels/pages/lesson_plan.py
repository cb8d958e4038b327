"""One lesson with a game on one page: what to do when, and questions from the game's own lesson."""

from __future__ import annotations

from html import escape

from duels.coach.lessons import Step, lesson_of
from duels.core.errors import LessonError
from duels.core.game import Game
from duels.pages.learn import HOW, read_rules
from duels.pages.prose import html
from duels.service import logs

QUESTIONS = 4
"""Of the game's lesson: more would not fit on the page."""
STEPS = (
    ("0–5", "<strong>The rules.</strong> {lead} Play a few moves on the board, you against all."),
    (
        "5–15",
        "<strong>First games</strong>, in pairs: {first}. On paper (blank boards and the sheet "
        "with the rules), or as a class with the coach off. Nobody says how it is won.",
    ),
    (
        "15–20",
        "<strong>Talk.</strong> Who won, and with which move? Was there a move after which "
        "nothing helped? Collect guesses, and leave them on the board.",
    ),
    ("20–30", "<strong>The questions below</strong>, each first alone, then in pairs, then all."),
    (
        "30–40",
        "<strong>Second games</strong>, against somebody else{second}. As a class: the next "
        "round pairs those with equal points, and the wall shows all boards.",
    ),
    (
        "40–45",
        "<strong>The end.</strong> Everybody writes one sentence: “I win if …”. "
        "A sheet of puzzles is the homework.",
    ),
)


def plan(kind: type[Game]) -> str:
    """The page as HTML."""
    lead, _, parts = read_rules(kind)
    setups = kind.all_setups()
    second = f": {escape(setups[1].words)}" if len(setups) > 2 else ""
    rows = "".join(
        f'<tr><th scope="row">{minutes}</th><td>'
        + words.format(lead=escape(lead), first=escape(setups[0].words), second=second)
        + "</td></tr>\n"
        for minutes, words in STEPS
    )
    return (
        f"<h1>A lesson with {escape(kind.title)}</h1>\n"
        '<p class="lead">45 minutes, any number of pupils.</p>\n'
        '<table class="steps"><thead><tr><th scope="col">Minutes</th>'
        f'<th scope="col">What happens</th></tr></thead>\n<tbody>\n{rows}</tbody></table>\n'
        f"{_questions(kind)}{html(parts.get(HOW, []))}"
    )


def _questions(kind: type[Game]) -> str:
    try:
        lesson = lesson_of(kind)
    except LessonError as error:
        logs.error("a game's lesson cannot be read", error, game=kind.id)
        return ""
    asked = [step for step in lesson.steps if not step.is_game] if lesson else []
    items = "".join(f"<li>{_question(step)}</li>\n" for step in asked[:QUESTIONS])
    return f"<h2>Questions for the board</h2>\n<ol>\n{items}</ol>\n" if items else ""


def _question(step: Step) -> str:
    game = step.position.game
    moves = ", ".join(game.format(move) for move in step.position.moves)
    board = game.options_in_words() + (f", after {moves}" if moves else "")
    asked = step.question.partition("?")[0]  # behind it stands how to type the answer
    return (
        f"<strong>{escape(step.title)}</strong> ({escape(board)}). {escape(asked)}? "
        f"<em>{escape(step.right)}</em>"
    )
