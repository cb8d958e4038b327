"""The prompt, and answers of models: each is read as what it is, and none is guessed."""

from __future__ import annotations

import hashlib
import json

import pytest

import duels
from duels.match.players.prompt import (
    FORMS,
    HOW_TO_ANSWER,
    PROMPT_VERSION,
    Conditions,
    prompt,
    read_answer,
)


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("MOVE: 5", 5),
        ("**Move: 5**", 5),
        ("**MOVE:** 5", 5),
        ("> MOVE: `5`", 5),
        ("I thought of MOVE: 3\nbut no.\nMOVE: 4.", 4),
        ("MOVE: 5\n\nThat leaves two equal runs.", 5),
        ("move = 5-6", (5, 6)),
        ("MOVE: 5, 6", (5, 6)),
        ("MOVE: (5, 6)", (5, 6)),
        ("MOVE: 5 and 6", (5, 6)),
        ("`MOVE: 5-6`", (5, 6)),
        *((f"MOVE: 5{dash}6", (5, 6)) for dash in "-‐‑‒–—−"),
        ("5", 5),
        ("5-6", (5, 6)),
        ("5–6", (5, 6)),
        ("**5**", 5),
        ("I think so.\n**5**", 5),
        (r"\boxed{5}", 5),
        (r"So it is $\boxed{5-6}$.", (5, 6)),
        (r"\[\boxed{\text{MOVE: 5}}\]", 5),
        ("Final answer: MOVE: 5", 5),
        ("**Final answer:** MOVE: 5", 5),
        ("My final answer is MOVE: 5.", 5),
        ("Final answer: 5", 5),
        ('```json\n{\n  "move": [5, 6]\n}\n```', (5, 6)),
        ("<answer>5</answer>", 5),
        ("<think>MOVE: 3</think>MOVE: 5", 5),
        ("and so MOVE: 3</think>\nMOVE: 5", 5),
        ("<think>MOVE: 3\nMOVE: 5", None),
        ("MOVE: 5\nMOVE: 6", None),
        ("MOVE: 5\nor\nMOVE: 6\nWho knows?", None),
        ("MOVE: 5\nMOVE: 5", 5),
        ("MOVE: 5 or 6", None),
        ("I will not play MOVE: 5", None),
        ("**5** or **6**", None),
        ("There are three left:\n5", None),
        ("The best move is 5", None),
        ("", None),
        ("MOVE: five", None),
        ("MOVE: 5 because 6 loses", None),
        ("MOVE: 5 6 7", None),
        ("Sorry, I was wrong: MOVE: 3\nMOVE: 5", 5),
        ("I cannot decide between 5 and 6.", None),
        ("*" * 100_000 + "5", None),
        ("<think>" * 50_000, None),
    ],
)
def test_an_answer_is_read_and_never_guessed(answer, move):
    kind, _, read = read_answer(duels.game("number-line-duel").start(), answer)
    assert read == move
    assert kind == ("unreadable" if move is None else "move")


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, but I can't help with that.",
        "I’m sorry, I can’t do that.",
        "Sorry. Games are not for me.",
        "I cannot participate in this game.",
        "Unfortunately, I am unable to assist with games.",
        "I must decline.",
        "<think>MOVE: 5</think>\nI won't play.",
    ],
)
def test_a_refusal_that_arrives_as_text_is_a_refusal(answer):
    kind, _, move = read_answer(duels.game("number-line-duel").start(), answer)
    assert (kind, move) == ("refused", None)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.example)
def test_an_answer_that_was_cut_off_has_no_move(form):
    """A 1 at its end may be the first digit of 17."""
    here = duels.game("number-line-duel", numbers=20).start()
    for answer in ("MOVE: 1", form.example, f"{form.example}\nbut"):
        assert read_answer(here, answer, cut_off=True)[::2] == ("cut off", None)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.example)
def test_every_form_of_the_table_is_read(form):
    here = duels.game("number-line-duel").start()
    assert read_answer(here, form.example)[2] == 5
    assert read_answer(here, f"It wins.\n{form.example.replace('5', '5-6')}")[2] == (5, 6)


@pytest.mark.parametrize("game_id", list(duels.GAMES))
def test_the_prompt_has_the_rules_and_the_position(game_id):
    position = duels.GAMES[game_id].usual().start().play(4)
    system, user = prompt(position, Conditions())
    assert "**R1**" in system["content"]
    assert "Moves so far, in turn: 4." in user["content"]
    assert "You are Player 2" in user["content"]
    assert "Legal moves: 1" in user["content"]


@pytest.mark.parametrize("game_id", list(duels.GAMES))
@pytest.mark.parametrize("form", HOW_TO_ANSWER)
def test_the_prompt_explains_the_score_and_its_examples_are_readable(game_id, form):
    start = duels.GAMES[game_id].usual().start()
    for retries in (0, 1, 2):
        system, user = prompt(start, Conditions(retries=retries, form=form))
        assert "costs nothing" not in system["content"] + user["content"]
        assert "loses the game" in user["content"] or "the game is lost" in user["content"]
    examples = [line for line in user["content"].splitlines() if line.startswith(("MOVE:", "\\"))]
    assert len(examples) == 1 + bool(start.game.pair_words)
    for example in examples:
        assert read_answer(start, example)[0] == "move"
    assert "counts as right" in prompt(start, Conditions(), in_exam=True)[1]["content"]


@pytest.mark.parametrize("game_id", list(duels.GAMES))
def test_no_prompt_speaks_of_a_clock(game_id):
    start = duels.GAMES[game_id].usual().start()
    for in_exam in (False, True):
        system, user = prompt(start, Conditions(), in_exam=in_exam)
        words = f"{system['content']} {user['content']}".lower()
        assert not {"seconds", "clock", "minutes"} & {*words.split()}
        assert "time limit" not in words


PROMPTS = {
    "number-duel": "46fd150468d2dab1",
    "divisor-duel": "f61045a4b4f01cd9",
    "number-line-duel": "b98b7a8e45a2d6e1",
    "sequence-duel": "f173c1cb4c7e16ad",
    "number-chain-duel": "a07ed4ff5ce50e3c",
}
"""The words of version 4 of the prompt, shortened."""


@pytest.mark.parametrize("game_id", list(duels.GAMES))
def test_another_prompt_needs_another_version(game_id):
    start = duels.GAMES[game_id].usual().start()
    words = [
        prompt(position, conditions, in_exam=in_exam)
        for position in (start, start.play(4))
        for conditions in (Conditions(), Conditions(False), Conditions(True, 0, "boxed"))
        for in_exam in (False, True)
    ]
    digest = hashlib.sha256(json.dumps(words).encode()).hexdigest()
    assert (PROMPT_VERSION, digest[:16]) == (4, PROMPTS[game_id])
