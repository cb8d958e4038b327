"""The theorems of docs/explanation/theory.md, against the solver and against search without theory.

They are proved, so a failure here means that the games do not play by the rules of the proofs.
"""

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from duels.core.errors import OptionError, ProofError, TooLarge
from duels.core.fast import members
from duels.games import game, game_to_solve
from duels.games.chain.criteria import CRITERIA
from duels.games.chain.matching import outer_of
from duels.games.chain.theory import recipe, start_proof
from duels.games.digits.search import Search
from duels.games.digits.theory import DIVISOR, LARGE
from duels.theory import solve, theory_of, winning_moves
from duels.theory.check import check

INTERESTING = {12, 13, 14, 18, 21, 27, 36, 54, 63}
"""The divisors from 10 on with which Divisor Duel is not decided at once."""


def openings(game_id, **options):
    start = game(game_id, **options).start()
    return {*start.legal_moves}, {*winning_moves(start)}


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


def primes_between(n, j):
    """The primes above n/(j+1), up to n/j."""
    return [p for p in range(n // (j + 1) + 1, n // j + 1) if is_prime(p)]


def finishing(position):
    """The digits that win at once."""
    ends = {move: position.play(move).outcome for move in position.legal_moves}
    return [move for move, end in ends.items() if end and end.winner == position.to_move]


# Divisor Duel


@pytest.mark.parametrize("divisor", [*range(2, 140), 997, 1_000, 123_456, 987_654_321])
def test_the_first_player_wins_divisor_duel_with_2_to_9_and_12(divisor):
    _, winning = openings("divisor-duel", divisor=divisor)
    assert bool(winning) == (divisor <= 9 or divisor == 12)


def positions_of(divisor, depth, chance, count):
    """Positions after so many digits that are not over, each digit drawn at random."""
    start = game("divisor-duel", divisor=divisor).start()
    for _ in range(count):
        position = start
        for _ in range(depth):
            if position.outcome:
                break
            position = position.play(chance.choice(position.legal_moves))
        if not position.outcome:
            yield position


@pytest.mark.parametrize("divisor", [10, 11, 15, 20, 37, 64, 86, 87, 90, 100, 111, 321, 10_001])
def test_in_divisor_duel_the_second_player_wins_unless_the_first_can_finish(divisor):
    assert divisor not in INTERESTING
    chance = Random(divisor)
    for depth in range(1, 9):
        for position in positions_of(divisor, depth, chance, 20):
            finish = finishing(position)
            winning = [*winning_moves(position)]
            if depth % 2:  # the second player moves
                assert winning
                answered = [
                    move
                    for move in position.legal_moves
                    if not position.play(move).outcome and finishing(position.play(move))
                ]
                assert len(answered) <= 1 or divisor < 87
                assert {*winning} == {*position.legal_moves} - {*answered}
            else:
                assert winning == finish


@pytest.mark.parametrize("divisor", sorted(INTERESTING))
def test_nine_divisors_have_positions_that_the_second_player_loses(divisor):
    chance = Random(divisor)
    found = (
        position
        for depth in (3, 5, 7)
        for position in positions_of(divisor, depth, chance, 3_000)
        if not winning_moves(position)
    )
    assert next(found, None), "every position of this divisor is as simple as of the others"


@pytest.mark.parametrize("divisor", [87, 88, 90, 91, 97, 111, 1_001, 12_345, 98_765_432])
def test_a_large_divisor_has_the_verdicts_of_search(divisor):
    chance = Random(divisor)
    for depth in range(9):
        for position in positions_of(divisor, depth, chance, 12):
            assert theory_of(position) is LARGE
            assert winning_moves(position) == DIVISOR.winning_moves(position)
            check(solve(position))


def test_the_theorem_begins_at_87():
    assert theory_of(game("divisor-duel", divisor=86).start()) is DIVISOR
    assert theory_of(game("divisor-duel", divisor=87).start()) is LARGE


def test_a_large_divisor_is_not_searched(monkeypatch):
    monkeypatch.setattr(Search, "wins", None)
    position = game("divisor-duel", divisor=10**3_000 + 7).position(1, 2, 3)
    verdict = solve(position)
    check(verdict)
    assert verdict.winning_moves == position.legal_moves
    assert len(str(verdict.proof)) < 100
    for moves in ((), (1,), (5, 2, 1)):
        assert solve(game("divisor-duel", divisor=97).position(*moves)).reason


def test_the_coach_names_the_one_digit_to_avoid():
    reason = solve(game("divisor-duel", divisor=97).position(1)).reason
    avoid = "At most one digit lets them finish: avoid that one. Now it is 9: after 9 they make 194"
    assert avoid in reason


# Number Duel


@pytest.mark.parametrize("numbers", [*range(1, 60), 100, 101, 199, 200, 300])
def test_number_duel_is_decided_by_whether_the_board_is_even(numbers):
    legal, winning = openings("number-duel", numbers=numbers)
    is_simple = winning == (legal if numbers % 2 else set())
    assert is_simple == (numbers not in {3, 5, 7, 8, 9, 11, 13})


# Sequence Duel


def winning_numbers(n):
    return openings("sequence-duel", numbers=n)[1]


def check_copies(n, j):
    """Whether the board has enough primes for the theorem about copies, which then holds."""
    primes = primes_between(n, j)
    if len(primes) <= j:
        return False
    winning = winning_numbers(n)
    for a in winning_numbers(j):
        assert a not in winning
        assert all(a * p in winning for p in primes)
    return True


def test_openings_of_small_boards_times_a_large_prime_win_on_large_boards():
    checked = [(n, j) for n in range(2, 400, 3) for j in range(1, 6) if check_copies(n, j)]
    assert {j for _, j in checked} >= {1, 2, 3}


@pytest.mark.parametrize("seed", range(8))
def test_the_same_on_random_large_boards(seed):
    chance = Random(seed)
    n = chance.randint(1_000, 6_000)
    assert all(check_copies(n, j) for j in range(1, 5))


def sets_of(n):
    """The numbers that win first (D), their neighbours (A), and the rest (C)."""
    start = game("sequence-duel", numbers=n).start()
    outer = {*winning_moves(start)}
    inner = {a for a in range(1, n + 1) if a not in outer and any(fits(a, d) for d in outer)}
    return outer, inner, {*range(1, n + 1)} - outer - inner


def fits(a, b):
    return a != b and (a % b == 0 or b % a == 0)


@pytest.mark.parametrize("n", [*range(12, 120, 7), 350, 700])
def test_copies_have_the_sets_of_the_small_board_once_its_numbers_are_inner(n):
    large = sets_of(n)
    for j in range(1, 7):
        if n < j * (j + 1) or not {*range(1, j + 1)} <= large[1]:
            continue
        small = sets_of(j)
        for p in primes_between(n, j):
            copy = {k * p for k in range(1, j + 1)}
            assert [one & copy for one in large] == [{k * p for k in one} for one in small]


@pytest.mark.parametrize("n", [213, 214, 220, 251, 300, 365, 500, 999, 2_000, 5_000])
def test_twice_a_prime_between_a_quarter_and_a_third_wins(n):
    primes = primes_between(n, 3)
    assert len(primes) >= 4
    assert {2 * p for p in primes} <= winning_numbers(n)
    assert {2 * p for p in primes} <= openings("sequence-duel", numbers=n, opening="even")[1]


def test_the_recipe_also_works_at_100_below_the_theorem():
    assert len(primes_between(100, 3)) < 4
    assert {58, 62} == {2 * p for p in primes_between(100, 3)} & winning_numbers(100)


def test_four_such_primes_exist_from_213_on():
    assert [n for n in range(100, 3_000) if len(primes_between(n, 3)) < 4][-1] == 212


def test_who_wins_sequence_duel_on_small_boards():
    lost = [n for n in range(1, 213) if not winning_numbers(n)]
    assert lost == [2, 4, 6, 10]
    even = [n for n in range(2, 213) if not openings("sequence-duel", numbers=n, opening="even")[1]]
    assert (len(even), even[-1]) == (43, 118)


# Search without theory


def brute_force(position, known):
    """The winning moves, by trying everything."""
    return {move for move in position.legal_moves if not is_won(position.play(move), known)}


def is_won(position, known):
    if outcome := position.outcome:
        return outcome.winner == position.to_move
    if position not in known:
        known[position] = any(not is_won(position.play(m), known) for m in position.legal_moves)
    return known[position]


@pytest.mark.parametrize("numbers", range(1, 12))
@pytest.mark.parametrize("game_id", ["sequence-duel", "number-duel"])
def test_the_solver_agrees_with_plain_search_on_small_boards(game_id, numbers):
    start = game(game_id, numbers=numbers).start()
    assert {*winning_moves(start)} == brute_force(start, {})


@pytest.mark.parametrize("divisor", [12, 13, 97])
def test_the_solver_agrees_with_plain_search_at_the_end_of_divisor_duel(divisor):
    board = game("divisor-duel", divisor=divisor)
    for digits in [*permutations(range(1, 10), 5)][::997]:
        position = board.start()
        for digit in digits:
            if position.outcome:
                break
            position = position.play(digit)
        if not position.outcome:
            assert {*winning_moves(position)} == brute_force(position, {})


# The theorems at work


@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
def test_two_numbers_fit_as_their_neighbourhoods_say(criterion):
    neighbours = criterion.neighbours(120)
    for one in range(1, 121):
        for two in {*range(1, 121)} - {one}:
            assert criterion.fits(one, two) == bool(neighbours(one) >> two & 1)


@pytest.mark.parametrize("numbers", [*range(19, 70), 100, 101, 999, 1_000, 9_999, 12_345, 20_000])
def test_the_pairing_of_number_duel_is_a_proof(numbers):
    verdict = solve(game_to_solve("number-duel", numbers=numbers).start())
    assert verdict.wins == (numbers % 2 == 1)
    assert verdict.proof == start_proof(numbers)
    check(verdict)


@pytest.mark.parametrize("numbers", [*range(14, 50), 100, 101, 333])
def test_the_graph_says_the_same_as_the_pairing(numbers):
    start = game("number-duel", numbers=numbers).start()
    assert members(outer_of(start) & start.legal) == winning_moves(start)


def test_a_pairing_that_leaves_out_a_number_or_does_not_fit_is_rejected():
    verdict = solve(game("number-duel", numbers=100).start())
    pairs = verdict.proof["pairs"]
    for lie in (pairs[1:], [*pairs[1:], (1, 10), (1, 10)], [(11, 20), *pairs], [*pairs, (3, 3)]):
        with pytest.raises(ProofError):
            check(replace(verdict, given=verdict.proof | {"pairs": lie}))


def test_beyond_the_largest_board_only_the_start_is_solved():
    start = game_to_solve("number-duel", numbers=50_000).start()
    assert not solve(start).wins
    assert solve(start).reason.endswith("so you run out first.")
    assert solve(start).explanation == []
    with pytest.raises(TooLarge, match="Beyond 15,000 numbers only the start is solved"):
        solve(start.play(7))
    other = game_to_solve("number-duel", numbers=50_000, criteria="digit").start()
    with pytest.raises(TooLarge):
        solve(other)
    with pytest.raises(OptionError, match="from 1 to 15,000"):
        game("number-duel", numbers=50_000)
    with pytest.raises(OptionError, match="from 1 to 1,000,000"):
        game_to_solve("number-duel", numbers=1_000_001)


def test_the_reason_says_why_number_duel_can_be_paired_up():
    even = solve(game("number-duel", numbers=100).start()).reason
    assert "begin with the same digit fit each other. 100 is even" in even
    odd = solve(game("number-duel", numbers=101).start()).reason
    assert odd.startswith("Every move wins here. Take 1, for example. Numbers that begin with")


@pytest.mark.parametrize("numbers", [*range(213, 240), 365, 1_000, 4_321])
@pytest.mark.parametrize(
    ("game_id", "options"),
    [("sequence-duel", {}), ("sequence-duel", {"opening": "even"}), ("number-chain-duel", {})],
)
def test_the_recipe_is_an_opening_that_the_solver_confirms(game_id, options, numbers):
    start = game(game_id, numbers=numbers, **options).start()
    move = recipe(start, ())
    assert move in members(outer_of(start) & start.legal)
    assert numbers < 4 * (move // 2) <= 4 * numbers / 3
    assert is_prime(move // 2)


@pytest.mark.parametrize("numbers", [213, 300, 1_000])
def test_with_an_even_opening_the_reason_is_the_recipe(numbers):
    verdict = solve(game("sequence-duel", numbers=numbers, opening="even").start())
    move = verdict.best_move
    assert move == recipe(verdict.position, ())
    rule = "Open with twice a prime between a quarter and a third of the board"
    assert f"{rule}: {move} = 2 × {move // 2}." in verdict.reason
    assert "on every board of 213 numbers or more" in verdict.reason
    check(verdict)


def test_with_any_opening_a_large_prime_is_a_simpler_reason():
    reason = solve(game("sequence-duel", numbers=300).start()).reason
    assert reason.startswith("Take 293. Only 1 fits 293")


@pytest.mark.parametrize("numbers", range(4, 213))
def test_below_213_the_recipe_is_given_only_if_it_wins(numbers):
    verdict = solve(game("sequence-duel", numbers=numbers).start())
    move = recipe(verdict.position, verdict.winning_moves)
    assert move is None or move in verdict.winning_moves
    assert "of 213 numbers or more" not in verdict.reason


def test_the_recipe_at_100_is_58_and_the_reason_says_how_far_it_is_proved():
    verdict = solve(game("sequence-duel", numbers=100, opening="even").start())
    assert verdict.best_move == 58
    assert "Open with twice a prime between a quarter and a third" in verdict.reason
    assert "58 = 2 × 29. That wins on every board from 213 on (machine-checked" in verdict.reason
    assert "and the solver confirms it here." in verdict.reason
    assert "twice a prime" in theory_of(verdict.position).question(verdict)


def test_there_is_no_recipe_after_the_first_move():
    verdict = solve(game("sequence-duel", numbers=300).position(7))
    assert recipe(verdict.position, verdict.winning_moves) is None
    assert "twice a prime" not in verdict.reason
