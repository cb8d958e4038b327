"""A lesson is data: what a page gets, and what is wrong with a file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import duels
from duels.coach.lessons import KEYS, KINDS, answer, lesson_data, lesson_of
from duels.core.errors import LessonError
from duels.core.states import StateGame

FIRST_STEP = """
[[step]]
title = "One"
text = "Take all."
moves = "1"
options = { stones = 5 }
question = "How many?"
answer = "winning move"
right = "Nothing is left."
"""
LAST_STEP = """
[[step]]
title = "A game"
text = "Win it."
answer = "game"
right = "Won."
"""


def test_a_lesson_as_data_has_all_that_a_page_needs():
    for lesson in map(lesson_of, duels.GAMES.values()):
        data = json.loads(json.dumps(lesson_data(lesson)))
        for step, found in zip(lesson.steps, data["steps"], strict=True):
            moves = [tuple(m) if isinstance(m, list) else m for m in found["moves"]]
            assert duels.game(data["game"], **found["options"]).position(*moves) == step.position
            if not step.is_game:
                assert found["accepted"] == [*step.accepted]
            if not step.is_game and step.asks.is_move:
                assert found["wrong"].keys() | {*step.accepted} == {
                    *map(step.position.game.format, step.position.legal_moves)
                }


class Stones(StateGame[int]):
    """A pile."""

    id, title, summary = "stones", "Stones", "Take stones."
    stones: int = duels.whole("the stones", default=7, highest=100, is_size=True)

    def first(self):
        return self.stones

    def allowed(self, state):
        return tuple(range(1, min(state, 4) + 1))

    def after(self, state, move):
        return state - move


@pytest.fixture
def taught_by(monkeypatch):
    """An added game with its own lesson."""

    def teach(text):
        monkeypatch.setitem(duels.GAMES, Stones.id, Stones)
        monkeypatch.setattr(Stones, "lesson_text", classmethod(lambda cls: text))
        return lesson_of(Stones)

    return teach


def test_a_game_without_a_theory_of_its_own_can_have_a_lesson(taught_by):
    step, last = taught_by(FIRST_STEP + LAST_STEP).steps
    assert step.accepted == ("4",)
    assert answer(step, "1").lines == ("They take 3: that ends the game.",)
    assert answer(step, "4").lines == ("Right. Nothing is left.",)
    assert last.is_game


def test_a_game_without_a_lesson_has_none(taught_by):
    assert taught_by("") is None
    assert taught_by('game = "another-game"\n') is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x", "The lesson of Stones cannot be read"),
        ("a = 1", "The lesson of Stones has no [[step]]."),
        ("step = 1", "The lesson of Stones has no [[step]]."),
        ("step = [1]", "The lesson of Stones, step 1:"),
        (FIRST_STEP, "step 1: the last step, and only that one"),
        (LAST_STEP + LAST_STEP, "step 1: the last step, and only that one"),
        (FIRST_STEP.replace("title", "titel") + LAST_STEP, "step 1: title is missing."),
        (FIRST_STEP + "hnt = 'x'" + LAST_STEP, 'step 1: unknown key "hnt"; a step has answer'),
        (FIRST_STEP.replace("winning move", "best move") + LAST_STEP, "step 1: an answer is "),
        (FIRST_STEP.replace('"winning move"', "[]") + LAST_STEP, "step 1: this board has no"),
        (FIRST_STEP.replace('"1"', '"5"') + LAST_STEP, "step 1: "),
        (FIRST_STEP.replace("stones = 5", "stones = 6") + LAST_STEP, "no winning move"),
        (FIRST_STEP.replace("stones = 5", "size = 6") + LAST_STEP, "stones has no option"),
        (FIRST_STEP + "facts = [1]" + LAST_STEP, "step 1: "),
        (FIRST_STEP + "facts = [{ kind = 'moves' }]" + LAST_STEP, "step 1: a fact has the texts"),
        (
            FIRST_STEP + "facts = [{ kind = 'moves', value = 3 }]" + LAST_STEP,
            "step 1: a fact has the texts kind and value, and perhaps moves.",
        ),
        (
            FIRST_STEP + "facts = [{ kind = 'moves', value = '', moves = '9' }]" + LAST_STEP,
            "step 1: ",
        ),
        (FIRST_STEP + "wrong.4 = 'x'" + LAST_STEP, "step 1: 4 is both right and listed"),
        (FIRST_STEP + "wrong.x = 'x'" + LAST_STEP, 'step 1: "x" is not a whole number'),
        (FIRST_STEP.replace("question = ", "hint = ") + LAST_STEP, "a question is missing"),
        (FIRST_STEP.replace('"Take all."', "3") + LAST_STEP, "step 1: "),
    ],
)
def test_an_error_in_a_lesson_names_its_step(taught_by, text, sentence):
    with pytest.raises(LessonError, match=re.escape(sentence)):
        taught_by(text)


def test_the_kinds_and_keys_are_documented():
    text = Path("docs/how-to/lessons.md").read_text()
    for word in [*KEYS, *KINDS.keys() - {"numbers"}]:
        assert f"`{word}`" in text or f'`"{word}"`' in text, word
