"""Lessons: every claim and every accepted answer is true, and the idea that is taught wins."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

import duels
import naive
from duels.coach.lessons import TRIES, answer, lesson_match, lesson_of, winner
from duels.core.errors import DuelsError
from duels.match.players.levels import computer_move
from duels.theory import theory_of, winning_moves
from lesson_facts import (
    fit,
    free,
    is_true,
    length,
    numbers,
    ones_and_twos,
    pairs,
    rights,
    runs,
)
from rings import by_ring

LESSONS = {kind.id: lesson_of(kind) for kind in duels.GAMES.values()}
STEPS = [
    pytest.param(step, id=f"{game_id}-{number}")
    for game_id, lesson in LESSONS.items()
    for number, step in enumerate(lesson.steps, start=1)
]
QUESTIONS = [param for param in STEPS if not param.values[0].is_game]
GAMES_AT_THE_END = [
    pytest.param(lesson.steps[-1], id=game_id) for game_id, lesson in LESSONS.items()
]
JARGON = re.compile(
    r"match|parity|XOR|Nim|Grundy|graph|vertex|prime|optimal|mex|strateg|modul|congruen", re.I
)


def texts_of(step):
    """Every text of a step but its question, which may give an example of what to type."""
    return [*step.text, step.right, step.hint, step.otherwise, *step.wrong.values()]


# What is taught is true.


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_a_lesson_has_five_to_eight_steps_and_ends_with_a_game(lesson):
    assert 5 <= len(lesson.steps) <= 8
    assert [step.is_game for step in lesson.steps].index(True) == len(lesson.steps) - 1


@pytest.mark.parametrize("step", STEPS)
def test_every_fact_is_true(step):
    assert [fact for fact in step.facts if not is_true(fact, step)] == []


@pytest.mark.parametrize("step", STEPS)
def test_every_number_that_a_step_names_is_of_its_board_or_in_a_fact(step):
    known = {1, step.position.game.size, *numbers(" ".join(step.accepted))}
    known |= {*numbers(str(step.position.moves))}
    known |= {*numbers(" ".join(fact.value for fact in step.facts))}
    assert {*numbers(" ".join(texts_of(step)))} <= known


def test_a_wrong_number_in_a_fact_would_be_noticed():
    changed = missed = 0
    for param in STEPS:
        (step,) = param.values
        for fact in step.facts:
            for number in re.finditer(r"\d+", fact.value):
                begin, end = number.span()
                for other in (int(number[0]) - 1, int(number[0]) + 1):
                    value = f"{fact.value[:begin]}{other}{fact.value[end:]}"
                    changed += 1
                    missed += is_true(fact._replace(value=value), step)
    assert missed < changed / 10, "the rest are true by chance"


def plain_truth(game_id, options, moves):
    """The winning moves, by a search of its own."""
    known = {}

    def wins(moves):
        key = (frozenset(moves), moves[-1:], len(moves) % 2)
        if game_id == "divisor-duel":
            key = moves
        if key not in known:
            over = naive.outcome(game_id, options, list(moves))
            known[key] = (
                over[0] == naive.to_move(moves)
                if over
                else any(not wins((*moves, m)) for m in naive.legal_moves(game_id, options, moves))
            )
        return known[key]

    legal = naive.legal_moves(game_id, options, list(moves))
    return tuple(move for move in legal if not wins((*moves, move)))


def is_small(step):
    """Whether a search that knows nothing comes to an end soon."""
    return step.position.game.size <= 14


@pytest.mark.parametrize("step", [param for param in STEPS if is_small(param.values[0])])
def test_accepted_moves_are_those_of_a_plain_search(step):
    position = step.position
    game = position.game
    true = plain_truth(game.id, dict(game.options), position.moves)
    written = tuple(map(game.format, true))
    match step.kind:
        case "winning move":
            assert step.accepted == written
        case "ending move":
            assert {*step.accepted} <= {*written}
            assert all(after.outcome for after in rights(step))
        case "yes or no":
            assert step.accepted == ("yes" if true else "no",)
        case "game":
            assert winner(position) == (position.to_move if true else 3 - position.to_move)


@pytest.mark.parametrize("step", QUESTIONS)
def test_accepted_answers_of_other_kinds(step):
    position = step.position
    match step.kind:
        case "safe move":
            for move in position.legal_moves:
                after = position.play(move)
                gives = any(after.play(m).outcome for m in after.legal_moves)
                assert gives != (position.game.format(move) in step.accepted)
        case "all moves":
            assert numbers(step.accepted[0]) == [*position.legal_moves]
        case "moves left":
            assert theory_of(position).moves_left(position) == [int(step.accepted[0])]
        case "first or second":
            assert step.accepted == (("second", "first")[bool(winning_moves(position))],)
        case "numbers":
            (only,) = step.accepted
            left = free(position) - {number for pair in pairs(step) for number in pair}
            assert left == {*numbers(only)}, "all numbers that are in none of the pairs"


@pytest.mark.parametrize("step", [p for p in QUESTIONS if p.values[0].kind == "numbers"])
def test_numbers_without_a_partner_win_and_those_of_the_last_pair_fit(step):
    left, wins = numbers(step.accepted[0]), {*winning_moves(step.position)}
    if wins:
        assert {*left} & {*step.position.legal_moves} <= wins
    else:
        assert fit(step.position.game, *left)


@pytest.mark.parametrize("step", [p for p in QUESTIONS if p.values[0].asks.is_move])
def test_what_happens_after_a_wrong_move_is_true(step):
    position, game = step.position, step.position.game
    for move in position.legal_moves:
        said = game.format(move)
        if said in step.accepted:
            continue
        reply = answer(step, said)
        assert not reply.is_right
        after = position.play(move)
        they = re.search(
            rf"(?:[Tt]hen they|^They) {game.verb.do} (\d+(?: and \d+)?)(:?)", reply.lines[0]
        )
        if they and "ending" not in step.kind:
            best = game.parse(they[1])
            assert best in winning_moves(after)
            if they[2] or re.match(r"Then they.*(nothing|makes)", reply.lines[0]):
                assert after.play(best).outcome.winner == after.to_move
        elif not they:
            assert reply.lines[0] in {step.otherwise, step.wrong.get(said)} or (
                {*numbers(reply.lines[0])} <= {*after.legal_moves}
            )


def test_the_first_player_wins_on_every_line():
    for size in range(1, 100):
        assert winning_moves(duels.game("number-line-duel", numbers=size).start())


def test_a_four_is_worth_a_one_because_equal_runs_can_always_be_made():
    step = LESSONS["number-line-duel"].steps[3]
    before = step.position.game.position(step.position.moves[0])
    for move in before.legal_moves:
        after = before.play(move)
        left = [after.play(own) for own in after.legal_moves]
        assert any(ones_and_twos(here)[0] == 2 and bin(here.state).count("1") == 2 for here in left)


def test_a_three_is_a_one_and_a_two_because_equal_runs_can_always_be_made():
    step = LESSONS["number-line-duel"].steps[4]
    before = step.position.game.position(*step.position.moves[:-1])
    assert [length(*run) for run in runs(before)] == [3, 2, 1]
    for move in before.legal_moves:
        after = before.play(move)
        left = [Counter(length(*run) for run in runs(after.play(own))) for own in after.legal_moves]
        assert any(all(count % 2 == 0 for count in lengths.values()) for lengths in left)


def test_whatever_they_add_in_the_trap_can_be_answered():
    step = LESSONS["divisor-duel"].steps[5]
    trap = step.position.game.position(*step.position.moves[:-1])
    for move in trap.legal_moves:
        after = trap.play(move)
        assert not after.outcome
        assert theory_of(after).wins_at_once(after)


# The idea that is taught wins the game at the end.


def by_partners(step, position, chance):
    partner = dict(pairs(step))
    partner |= {two: one for one, two in partner.items()}
    if position.moves:
        return partner[position.moves[-1]]
    return chance.choice([n for n in position.legal_moves if n not in partner])


def by_balance(_, position, chance):
    legal = position.legal_moves
    balanced = [m for m in legal if not any(n % 2 for n in ones_and_twos(position.play(m)))]
    return chance.choice(balanced)


def by_waiting(step, position, chance):
    """Win at once; else a digit after whose remainder no number of the table begins."""
    table = next(numbers(fact.value)[3:] for fact in step.facts if fact.kind == "multiples")
    ends = [m for m in position.legal_moves if (10 * position.state + m) % 13 == 0]

    def is_safe(digit):
        rest = (10 * position.state + digit) % 13
        left = {*position.legal_moves} - {digit}
        return not any(n // 10 == rest and n % 10 in left for n in table)

    return chance.choice(ends or [m for m in position.legal_moves if is_safe(m)])


IDEAS = {"number-line-duel": by_balance, "divisor-duel": by_waiting}


@pytest.mark.parametrize("step", GAMES_AT_THE_END)
def test_the_idea_wins_the_game_at_the_end(step):
    idea = IDEAS.get(step.position.game.id, by_partners)
    for seed in range(by_ring(20, long=500)):
        match, chance = lesson_match(step, seed=seed), Random(seed)
        person = winner(step.position)
        assert match.computer(3 - person) == "skilled"
        while not match.outcome:
            if match.position.to_move == person:
                move = idea(step, match.position, chance)
            else:
                move = computer_move("skilled", match.position, match.seed)
            match = match.play(move)
        assert match.outcome.winner == person


@pytest.mark.parametrize("step", GAMES_AT_THE_END)
def test_the_game_at_the_end_has_more_than_one_move(step):
    lengths = set()
    for seed in range(5):
        match = lesson_match(step, seed=seed)
        while not match.outcome:
            match = match.play(computer_move("perfect", match.position, seed))
        lengths.add(len(match.moves) - len(step.position.moves))
    assert min(lengths) >= 4


@pytest.mark.parametrize("step", GAMES_AT_THE_END)
def test_what_was_played_before_the_game_was_right_on_your_side(step):
    """So that the review does not blame a player for a move that was given."""
    moves, own = step.position.moves, winner(step.position)
    for ply, move in enumerate(moves):
        before = step.position.game.position(*moves[:ply])
        if before.to_move == own:
            assert move in winning_moves(before)


# The words.


@pytest.mark.parametrize("step", STEPS)
def test_words_are_for_a_twelve_year_old(step):
    texts = [*texts_of(step), step.question]
    assert not [text for text in texts if JARGON.search(text)]
    for text in texts:
        for sentence in re.split(r"(?<=[.?!:]) ", text):
            words = re.sub(r"(\d+) with (\d+)", r"\1-\2", sentence).split()
            assert len(words) <= 20, sentence


@pytest.mark.parametrize("step", QUESTIONS)
def test_a_second_wrong_answer_gets_the_hint_and_the_third_the_answer(step):
    tried = [*step.position.game.all_moves()[:30]]
    typed = {"yes or no": "yes no", "first or second": "first second"}.get(step.kind, "").split()
    typed = typed or [*map(step.position.game.format, tried)]
    wrong = next(text for text in typed if is_wrong(step, text))
    one, two, three = (answer(step, wrong, before) for before in range(TRIES))
    assert len(one.lines) == 1
    assert step.hint
    assert two.lines[1] == f"Hint: {step.hint}"
    assert step.solution in three.lines[1]
    assert three.lines[1].endswith(step.right)
    for accepted in step.accepted:
        assert answer(step, accepted).is_right


def is_wrong(step, text):
    try:
        return not answer(step, text).is_right
    except DuelsError:
        return False


@pytest.mark.parametrize("step", QUESTIONS)
@pytest.mark.parametrize("typed", ["", "abc", "-", "🎲", "9" * 5000, "1 2 3 x"])
def test_an_unreadable_answer_gets_a_sentence(step, typed):
    with pytest.raises(DuelsError, match=r"[.]$"):
        answer(step, typed)


@pytest.mark.parametrize(
    ("game_id", "number", "typed"),
    [
        ("sequence-duel", 1, "6, 4, 3, 2 and 1"),
        ("sequence-duel", 4, "10-5"),
        ("number-duel", 5, "12 and 11"),
        ("number-line-duel", 1, "6 5"),
        ("number-line-duel", 6, "N"),
        ("number-duel", 7, "Second"),
    ],
)
def test_an_answer_may_be_written_in_many_ways(game_id, number, typed):
    assert answer(LESSONS[game_id].steps[number - 1], typed).is_right


def test_wrong_numbers_and_missing_numbers_get_different_sentences():
    step = LESSONS["sequence-duel"].steps[0]
    assert "5 is neither a factor nor a multiple" in answer(step, "1 2 5").lines[0]
    assert answer(step, "1 2 3").lines == ("Right so far, but two more numbers can be played.",)
