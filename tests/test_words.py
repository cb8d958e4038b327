"""Every sentence of the coach, over thousands of positions: no word that does not fit."""

import random
import re

import pytest

import duels
from duels.coach.hints import hints
from duels.core.game import other
from duels.core.words import short_number
from duels.match.dialogue import dialogue_of
from duels.match.match import new_match
from duels.theory import theory_of
from own_games import EuclidDuel, LastStoneLoses, square_duel
from rings import by_ring

GAMES = [
    *[duels.game("number-duel", numbers=n) for n in (2, 7, 12, 30, 100)],
    duels.game("number-duel", numbers=30, criteria="factor,digit-sum"),
    duels.game("number-duel", numbers=40, criteria="neighbour,square-sum"),
    *[duels.game("number-chain-duel", numbers=n) for n in (1, 3, 9, 16)],
    *[duels.game("sequence-duel", numbers=n) for n in (2, 10, 20, 60, 200)],
    duels.game("sequence-duel", numbers=40, opening="even"),
    *[duels.game("number-line-duel", numbers=n) for n in (1, 2, 5, 10, 15, 20, 90, 300)],
    *[duels.game("divisor-duel", divisor=n) for n in (2, 7, 10, 11, 12, 13, 15, 27, 36, 77, 1001)],
    duels.game("divisor-duel", divisor=10**9 + 7),
    *[square_duel()(stones=n) for n in (1, 3, 8, 30, 100)],
    EuclidDuel(),
    *[LastStoneLoses(stones=n) for n in (1, 2, 9)],
]

UNFIT = [
    r"  ",
    r"\b(1|one) (more )?(moves|digits|numbers|answers|stones|pairs)\b",
    r"\b(0|no) (of|moves|digits)\b",
    r"\b(\d+) of (their )?\1\b",
    r"\b[Oo]nly \d+ of \d+",
    r"\b(\w+) \1\b(?! ->)",
    r"[:,;]\s*[.,;]",
    r"\(\)|\[\]|None|Ellipsis",
    r"\. [a-z]|: [A-Z](?!\w+ out)",
    r"\bOnly [\d-]+ do not\b",
    r"\b(left|are) one\b",
    r"\d-\d",
]
MOST_WORDS = 25


@pytest.fixture(scope="module", params=GAMES, ids=str)
def verdicts(request):
    """What is known of the positions of some random games, lost and won ones."""
    game = request.param
    return [duels.solve(position) for position in positions(game, random.Random(str(game)))]


def positions(game, chance):
    for _ in range(by_ring(1, long=80)):
        here = game.start()
        share = min(1, 12 / (1 + game.size))  # as many of a long game as of a short one
        while not here.outcome:
            if not here.moves or here.legal_count < 9 or chance.random() < share:
                yield here
            here = here.play(chance.choice(here.legal_moves))


def sentences(text):
    return re.split(r"(?<=[.?])\s+", text)


def words(sentence):
    """The words of a sentence; a pair of partners, a range or a move is one."""
    return re.sub(r"(\d+) (with|to|and) (\d+)( together)?", r"\1-\3", sentence).split()


MOVE = r"\d+(?:-\d+)?"
MOVES = r"\d[\d-]*(?:, | or | and | together|[\d-])*"


def said(verdict):
    """Everything that the coach says about a position, but for tables."""
    yield verdict.reason
    for hint in hints(verdict.position):
        yield hint.question
        yield hint.text


@pytest.mark.slow
def test_no_word_that_does_not_fit(verdicts):
    for verdict in verdicts:
        for text in said(verdict):
            assert text[0].isupper() or text[0].isdigit(), text
            assert text[-1] in ".?", text
            assert text.isprintable(), text
            for pattern in UNFIT:
                assert not re.search(pattern, text), (pattern, text)
            for sentence in sentences(text):
                assert len(words(sentence)) <= MOST_WORDS, sentence
        assert all(line and line.isprintable() for line in verdict.explanation)


@pytest.mark.slow
def test_every_claim_is_true(verdicts):
    for verdict in verdicts:
        position, reason = verdict.position, verdict.reason
        if verdict.wins:
            check_won(position, verdict, reason)
        else:
            assert reason.startswith("You cannot force a win.")
            assert verdict.best_move is None
            check_lost(position, reason)
        check_ends(position, verdict, reason)


def check_won(position, verdict, reason):
    game, do = position.game, position.game.verb.do
    assert verdict.best_move in verdict.winning_moves
    assert ("Every move wins" in reason) <= (len(verdict.winning_moves) == position.legal_count)
    order = rf"{do.capitalize()} {re.escape(game.in_words(verdict.best_move))}"
    if re.match(rf"(?:Every move wins here\. )?{do.capitalize()} \d", reason):
        assert re.match(rf"(?:Every move wins here\. )?{order}(, for example)?[:.]", reason), reason
        after = position.play(verdict.best_move)
        if re.match(rf"{order}: ", reason):
            assert after.outcome, reason
            assert after.outcome.winner == position.to_move
        only = re.match(rf"{order}\. They can only {do} ({MOVES})[.,]", reason)
        if only and not after.outcome:
            assert only[1] == game.list_moves(after.legal_moves, "or"), reason


def check_lost(position, reason):
    game, theory = position.game, theory_of(position)
    if tried := re.search(r"Try ([^:]+): they have to find ([^.]+)\.", reason):
        after = position.play(game.parse(tried[1]))
        winning = duels.solve(after).winning_moves
        assert tried[2] == game.list_moves(winning, "or"), reason
        assert len(winning) < after.legal_count
    if count := re.search(r"([\d,]+) of their ([\d,]+) replies win", reason):
        after = position.play(theory.hardest(position).move)
        numbers = [int(part.replace(",", "")) for part in count.groups()]
        assert numbers == [len(duels.solve(after).winning_moves), after.legal_count]
    if quick := re.search(rf"\. ({MOVES}) loses? at once: ", reason):
        losing = [
            move
            for move in position.legal_moves
            if not position.play(move).outcome and theory.wins_at_once(position.play(move))
        ]
        assert quick[1] == game.list_moves(losing), reason
    if "can win with their next move" in reason:
        assert all(theory.wins_at_once(position.play(move)) for move in position.legal_moves)
    answered = rf"after ({MOVE}) they {game.verb.do} ({MOVE})\b(?! and)"
    for move, answer in re.findall(answered, reason):
        after = position.play(game.parse(move))
        assert game.parse(answer) in duels.solve(after).winning_moves, reason


def check_ends(position, verdict, reason):
    """Who is said to move last does so in every game from here, as far as random games show."""
    last = re.search(r"so (you|they) (?:make|add) the last one", reason)
    if not last:
        return
    chance = random.Random(1)
    for _ in range(5):
        here = position
        while not here.outcome:
            here = here.play(chance.choice(here.legal_moves))
        mover = other(here.to_move)
        assert (mover == position.to_move) == (last[1] == "you"), reason
        winner = position.to_move if verdict.wins else other(position.to_move)
        assert here.outcome.winner == winner, reason


def test_simple_truths_come_alone():
    def reason(name, *moves, **options):
        return duels.solve(duels.game(name, **options).position(*moves)).reason

    assert reason("divisor-duel", 3, divisor=10) == (
        "Every multiple of 10 ends in 0, and there is no 0. "
        "Eight digits are left, so they add the last one. "
        "The player who adds the last digit loses. Add any digit you like."
    )
    assert "larger than any number" in reason("divisor-duel", divisor=10**9 + 7)
    assert "The 5 is used" in reason("divisor-duel", 5, divisor=15)
    assert reason("sequence-duel", 1) == "Take 11: nothing can follow it."
    assert reason("number-line-duel") == (
        "Cross out 5 and 6. That leaves two equal halves, 1 to 4 and 7 to 10. "
        "Copy every move in the other half: whenever they can move, so can you."
    )
    assert reason("number-line-duel", 2, 4, numbers=5) == (
        "Any move wins: three moves are left, so you make the last one."
    )
    assert reason("number-chain-duel") == (
        "Take 7. Only 1 fits 7, so they have to take it. Then take 5: nothing can follow it."
    )
    assert "the runs 1 to 13 and 15 are each worth 1, so they cancel." in reason(
        "number-line-duel", 14, numbers=15
    )


@pytest.mark.slow
def test_a_large_board_has_a_short_reason_too():
    after = duels.game("sequence-duel", numbers=20_000).start().play(1)
    assert re.fullmatch(r"Take \d+: nothing can follow it\.", duels.solve(after).reason)


def test_a_lost_position_says_what_to_avoid_what_to_try_and_how_long_it_lasts():
    why = duels.solve(duels.game("divisor-duel", divisor=13).start()).reason
    assert "Most moves lose at once: after 1 they make 13, after 2 they make 26, and so on." in why
    assert "Only 4 and 8 do not." in why
    assert "Try 8: they have to find 2, 5 or 6." in why
    assert "With best play the game lasts nine more moves." in why


def test_a_very_long_number_is_shortened_in_sentences():
    assert short_number(10**24 - 1) == "9" * 24
    assert short_number(10**4000 - 1) == "9999…9999 (4,000 digits)"
    assert short_number(-(10**30)) == "-100…0000 (31 digits)"
    assert short_number(12345, ",") == "12,345"
    assert short_number(10**5000) == "a number of more than 4,000 digits"
    game = duels.game("divisor-duel", divisor="9" * 4000)
    match = new_match(game).play(5)
    said = [*dialogue_of(game).opening(match), *dialogue_of(game).played(match)]
    said += [duels.solve(match.position).reason, match.game.options_in_words()]
    said += [hint.text for hint in hints(match.position)]
    assert max(map(len, said)) < 250
    assert "Target Divisor: 9999…9999 (4,000 digits)" in said


def test_a_pair_is_distinguished_from_two_numbers():
    game = duels.game("number-line-duel")
    assert game.in_words((5, 6)) == "5 and 6"
    assert game.format((5, 6)) == "5-6"
    assert game.parse("5 and 6") == (5, 6)
    assert game.list_moves([3, 5, 8]) == "3, 5 and 8"
    assert game.list_moves([(5, 6), 8], "or") == "5 and 6 together, or 8"
    assert game.list_moves([(5, 6), 8]) == "5 and 6 together, and 8"
    assert game.list_moves([3, (5, 6), 8], "or") == "3; 5 and 6 together; or 8"
    assert game.list_moves([3, 4, (5, 6)], "or") == "3; 4; or 5 and 6 together"
    assert game.list_moves([3, 4, (5, 6)]) == "3; 4; and 5 and 6 together"
    assert (
        game.list_moves([12, 14, (1, 2), (6, 7)], "")
        == "12; 14; 1 and 2 together; 6 and 7 together"
    )
    assert game.list_moves([12, 14], "") == "12, 14"


def test_a_hint_lists_pairs_apart_from_numbers():
    game = duels.game("number-line-duel", numbers=15)
    said = [hint.text for hint in hints(game.position(8, (9, 10)))]
    assert "Four of 22 moves win: 12; 14; 1 and 2 together; 6 and 7 together." in said
