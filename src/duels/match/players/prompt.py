"""The prompt for a model, and the move in its answer.

The prompt has the rules, the position, what is scored, and how to answer; conditions vary it, and
any change of a word changes the hash.

Every accepted form of an answer is one line of `FORMS`. A move counts if the answer ends with it,
or if it is the only move in the answer. Anything else is unreadable: the parser never chooses
between two moves and never guesses a number. An answer that was cut off has no move, whatever it
ends with: the 1 at its end may be the first digit of 17.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from duels.core.errors import DuelsError, UnreadableMove
from duels.core.game import Game, Move, Position
from duels.core.words import KINDS, counted, rules_without

Message = dict[str, str]

PROMPT_VERSION = 4
"""Increases with every change of the prompt: results of different prompts cannot be compared."""

HOW_TO_ANSWER = {
    "think": (
        "Think as long as you like. End with one line that is only your move, like",
        "MOVE: ",
    ),
    "direct": ("Answer with one line that is only your move, and nothing else, like", "MOVE: "),
    "boxed": (
        "Think as long as you like. End with one line that is only your move, like",
        r"\boxed{",
    ),
}
"""The forms of a prompt: the instructions for the answer, and how its examples begin."""


class Conditions(NamedTuple):
    """What a model may see and do."""

    show_legal: bool = True
    retries: int = 2
    """How often a bad answer is asked for again, with the reason; never in an exam."""
    form: str = "think"

    def chance(self, position: Position, winning: int) -> float:
        """Return the probability that random answers end with one of the winning moves.

        An answer is one of the legal moves if they are shown. If they are hidden, it is any move
        that can be typed: every move that occurs in some game on this board (`Game.all_moves`).
        After an illegal one the model answers again, as often as it may.
        """
        if self.show_legal:
            return winning / position.legal_count
        typed = len(position.game.all_moves())
        illegal = 1 - position.legal_count / typed
        return winning / typed * sum(illegal**times for times in range(self.retries + 1))


def prompt(position: Position, conditions: Conditions, *, in_exam: bool = False) -> list[Message]:
    """Return the messages of a prompt: the rules, and the position."""
    game = position.game
    options = ", ".join(f"{name} = {value}" for name, value in game.options.items())
    lines = [
        *([f"This game is played with {options}."] if options else []),
        *position_lines(position, conditions),
        _scored(conditions, in_exam),
        *_answer(game, conditions.form),
    ]
    system = f"You are playing a game to win. Its rules:\n\n{rules_for_models(game)}"
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": "\n".join(lines)},
    ]


def position_lines(position: Position, conditions: Conditions) -> list[str]:
    """Return the position alone, for a model that has seen the rules."""
    game = position.game
    moves = ", ".join(game.format(move) for move in position.moves)
    lines = [
        f"Moves so far, in turn: {moves or 'none'}.",
        f"You are Player {position.to_move}, and it is your turn.",
    ]
    if conditions.show_legal:
        legal = ", ".join(game.format(move) for move in position.legal_moves)
        lines.append(f"Legal moves: {legal}.")
    return lines


def feedback(game: Game, form: str, answer: str | None, detail: str) -> list[Message]:
    """Return the messages after an answer that is not a legal move."""
    return [
        {"role": "assistant", "content": answer or "(nothing)"},
        {"role": "user", "content": "\n".join([detail, "Try again.", *_answer(game, form)])},
    ]


def digest(data: Any) -> str:
    """Return the SHA-256 of plain data in canonical JSON."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def rules_for_models(game: Game) -> str:
    """Return the numbered rules, without strategy and without rules for people only."""
    return rules_without(game.rules_text(), *KINDS)


def _scored(conditions: Conditions, in_exam: bool) -> str:
    """Return the sentence about scoring and bad answers."""
    if in_exam:
        return (
            "You answer once. It counts as right if you can still force a win after your move. "
            "An answer that is not a legal move counts as wrong."
        )
    if not conditions.retries:
        return "An answer that is not a legal move loses the game."
    more = counted(conditions.retries, "more time")
    return (
        f"If your answer is not a legal move, you can try again, at most {more} for each move; "
        "after that the game is lost."
    )


def _answer(game: Game, form: str) -> list[str]:
    """Return the instructions for the answer, with examples on lines of their own."""
    said, begin = HOW_TO_ANSWER[form]
    end = "}" if begin.endswith("{") else ""
    lines = [said, f"{begin}5{end}"]
    return (
        [*lines, f"or, for {game.pair_words}, like", f"{begin}5-6{end}"]
        if game.pair_words
        else lines
    )


# Answers


MOVE = "move"
ILLEGAL = "illegal"
UNREADABLE = "unreadable"
REFUSED = "refused"
CUT_OFF = "cut off"
LATE = "late"
ANSWERS = (MOVE, ILLEGAL, UNREADABLE, REFUSED, CUT_OFF, LATE)
"""The kinds of answers. A server error is none of them: it says nothing about the model."""
LONGEST_LINE = 200
"""A longer line is not a move."""

_NUMBER = r"-?\d+"
_MOVE = rf"[(\[]?\s*({_NUMBER}(?:\s*(?:\band\b|[\s,-])\s*{_NUMBER})?)\s*[)\]]?"
_FINAL = r"(?:(?:so|thus|therefore|hence)\W+)?(?:(?:my|the)\s+)?(?:(?:final|best)\s+)?"


class Form(NamedTuple):
    """One way to write a move on a line of its own, after marks of emphasis are removed."""

    example: str
    pattern: re.Pattern[str]
    counts_anywhere: bool = True
    """Whether it counts as a move also if the answer continues below it."""


def _form(example: str, pattern: str, *, anywhere: bool = True) -> Form:
    return Form(example, re.compile(pattern, re.IGNORECASE | re.ASCII), anywhere)


FORMS = (
    _form("MOVE: 5", rf"(?:{_FINAL}(?:answer|choice)?\W*(?:is)?\W*)?move\s*[:=]\s*{_MOVE}"),
    _form("Final answer: 5", rf"{_FINAL}answer\s*(?:[:=]|is:?)\s*{_MOVE}"),
    _form(r"\boxed{5}", rf".*\\boxed\{{\s*(?:move\s*[:=]\s*)?{_MOVE}\s*\}}"),
    _form('{"move": 5}', rf"\{{\s*move\s*:\s*{_MOVE}\s*\}}"),
    _form("<move>5</move>", rf"<(?:move|answer)>\s*(?:move\s*[:=]\s*)?{_MOVE}\s*</\w+>"),
    _form("**5**", rf"<strong>\s*{_MOVE}\s*</strong>", anywhere=False),
)
"""A bare number is read only if it is the whole answer."""
_BARE = re.compile(_MOVE, re.ASCII)

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−﹘﹣-", "-") | dict.fromkeys("\u00a0\u202f", " "))
_THOUGHT_BEGINS = re.compile(r"<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_STRONG = re.compile(r"\W*(\*\*|__|`)(?=[^*_`])(.+)\1\W*")
_IN_LATEX = re.compile(r"\\(?:text|textbf|mathbf|mathrm)\{([^{}]*)\}")
_BRACES = re.compile(r"\{[^{}]{0,80}\}")
_DECLINES = r"help|assist|comply|play(?! move| \d)|participate|take part|answer|do (?:that|so)"
_REFUSAL = re.compile(
    rf"\W*(?:(?:i'?m |i am )?(?:very |so |truly )?sorry\b"
    rf"|(?:unfortunately,? )?i (?:can'?t|cannot|can not|won'?t|will not) (?:{_DECLINES})"
    rf"|(?:unfortunately,? )?(?:i'?m|i am) (?:unable|not able|not allowed) to (?:{_DECLINES})"
    r"|i (?:must |have to )?(?:decline|refuse)\b|as an ai\b)",
    re.IGNORECASE,
)
"""How a refusal begins; an answer that has a move is not a refusal."""


def read_answer(
    position: Position, answer: str, *, cut_off: bool = False
) -> tuple[str, str, Move | None]:
    """Return the kind of an answer, its fault if it has one, and its move if not."""
    if cut_off:
        return CUT_OFF, "The answer was cut off before its end.", None
    try:
        move = position.game.parse(_move_text(answer))
    except UnreadableMove as error:
        if is_refusal(answer):
            return REFUSED, "The answer is a refusal.", None
        detail = str(error) if isinstance(error, _Unreadable) else _NO_LINE
        return UNREADABLE, detail, None
    try:
        position.play(move)
    except UnreadableMove:
        return UNREADABLE, _NO_LINE, None
    except DuelsError as error:
        return ILLEGAL, str(error), None
    return MOVE, "", move


_NO_LINE = "The answer has no line of the form MOVE: 5."


class _Unreadable(UnreadableMove):
    """Why an answer has no move, in a sentence for the model."""


def is_refusal(answer: str) -> bool:
    """Whether an answer without a move is a refusal, judging by its first words."""
    lines = _lines(answer.replace("’", "'"))
    return bool(lines and _REFUSAL.match(lines[0][:LONGEST_LINE]))


def _move_text(answer: str) -> str:
    """Return the one move of an answer, as it is written."""
    lines = _lines(answer)
    if len(lines) == 1 and (bare := _BARE.fullmatch(_plain(lines[0][: LONGEST_LINE + 1]))):
        return _tidy(bare[1])
    named = [*_named(lines)]
    at_the_end: set[str] = set()
    for place, (line, move, _) in enumerate(reversed(named)):
        if line != len(lines) - 1 - place:
            break
        at_the_end.add(move)
    if len(at_the_end) == 1:
        return at_the_end.pop()
    anywhere = {move for _, move, form in named if form.counts_anywhere}
    if len(anywhere) > 1 or at_the_end:
        raise _Unreadable("The answer names several moves, and does not end with one of them.")
    if not anywhere:
        raise _Unreadable(_NO_LINE)
    return anywhere.pop()


def _lines(answer: str) -> list[str]:
    """Return the lines after all reasoning blocks; an unclosed block takes the rest."""
    said = _THOUGHT_BEGINS.split(_THOUGHT_ENDS.split(answer)[-1])[0].translate(_DASHES)
    said = _BRACES.sub(lambda found: " ".join(found[0].split()), said)
    return [line.strip() for line in said.splitlines() if line.strip("`*_ \t")]


def _named(lines: Sequence[str]) -> Iterator[tuple[int, str, Form]]:
    """Yield the lines that name a move: the line number, the move and its form."""
    for number, line in enumerate(lines):
        if len(line) <= LONGEST_LINE:
            plain = _plain(line)
            for form in FORMS:
                if found := form.pattern.fullmatch(plain):
                    yield number, _tidy(found[1]), form
                    break


def _plain(line: str) -> str:
    """Return a line without marks of emphasis; a line that is only a bold move stays marked."""
    if strong := _STRONG.fullmatch(line.strip()):
        inner = _plain(strong[2])
        return f"<strong>{inner}</strong>" if _BARE.fullmatch(inner) else inner
    line = re.sub(r"\\[()\[\]]", "", _IN_LATEX.sub(r"\1", line))
    line = re.sub(r"[*`$\"'“”‘’]|(?<!\w)_+|_+(?!\w)", "", line)
    return line.strip().lstrip("#>- ").rstrip(".!; ") if not _BARE.fullmatch(line) else line.strip()


def _tidy(move: str) -> str:
    return re.sub(r"\s*(?:\band\b|[\s,-])\s*(?=-?\d)", "-", move) if move[0] != "-" else move
