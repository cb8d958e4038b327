"""The prompt for a model: the rules, the position, what is scored, and how to answer.

Conditions vary it. Any change of a word changes the hash.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from duels.core.game import Game, Position
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
