"""The checker stands alone, and no forged proof gets past it."""

import ast
import json
import pickle
import random
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest

import duels
from duels.core.errors import DuelsError, ProofError
from duels.theory import check as checking
from duels.theory.verdict import Verdict, read_verdict, verdict_data

CHAIN_BOARDS = [
    ("number-duel", {"numbers": 12}),
    ("number-duel", {"numbers": 40}),
    ("number-duel", {"numbers": 25, "criteria": "digit-sum,square-sum"}),
    ("number-duel", {"numbers": 25, "criteria": "factor"}),
    ("number-duel", {"numbers": 25, "criteria": "neighbour,prime-factor"}),
    ("sequence-duel", {"numbers": 20}),
    ("sequence-duel", {"numbers": 60}),
    ("sequence-duel", {"numbers": 21, "opening": "even"}),
    ("number-chain-duel", {"numbers": 9}),
    ("number-chain-duel", {"numbers": 33}),
]
LINE_BOARDS = [("number-line-duel", {"numbers": numbers}) for numbers in (3, 10, 25, 90, 170)]
DIVISOR_BOARDS = [("divisor-duel", {"divisor": divisor}) for divisor in (2, 3, 7, 12, 13, 97)]
BOARDS = CHAIN_BOARDS + LINE_BOARDS + DIVISOR_BOARDS

every_board = pytest.mark.parametrize("board", BOARDS, ids=str)


def verdicts(board):
    """The verdicts on all positions of some random games, as they come out of a file."""
    return _verdicts(board[0], *board[1].items())


@cache
def _verdicts(game, *options):
    chance = random.Random(game)
    found = []
    while len(found) < 60:
        position = duels.game(game, **dict(options)).start()
        while position.legal_moves:
            found.append(through_a_file(duels.solve(position)))
            position = position.play(chance.choice(position.legal_moves))
    return tuple(found)


def through_a_file(verdict):
    return read_verdict(json.loads(json.dumps(verdict_data(verdict))))


def some(things, most=9):
    """A sample, the same every time."""
    things = list(things)
    return random.Random(len(things)).sample(things, min(most, len(things)))


def rejects(verdict):
    try:
        duels.check(verdict)
    except ProofError:
        return True
    return False


def with_proof(verdict, proof):
    return replace(verdict, prove=lambda: proof)


def assert_rejected(forge, boards):
    """Verdicts that can be forged in this way are rejected then, and there are some."""
    forged = 0
    for verdict in (verdict for board in boards for verdict in some(verdicts(board))):
        for lie in some(forge(verdict)):
            forged += 1
            lie = lie if isinstance(lie, Verdict) else with_proof(verdict, lie)
            assert rejects(lie), (verdict, lie)
    assert forged


def edited(verdict, **changes):
    return verdict.proof | changes


# The checker and the solver have nothing in common


def imported_by(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, path
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_checker_imports_nothing_of_the_solver():
    allowed = ("duels.core.", "duels.games.", "duels.theory.verdict.", "duels.theory.check.")
    for path in Path(checking.__file__).parent.glob("*.py"):
        ours = [name for name in imported_by(path) if name.startswith("duels")]
        assert [name for name in ours if not name.startswith(allowed)] == [], path


@every_board
def test_every_genuine_proof_passes(board):
    for verdict in verdicts(board):
        duels.check(verdict)


@every_board
def test_a_file_keeps_the_claims_of_a_verdict(board):
    for verdict in some(verdicts(board)):
        truth = duels.solve(verdict.position)
        assert (verdict.wins, verdict.winning_moves) == (truth.wins, truth.winning_moves)


# False claims with a genuine proof


def says_the_opposite(verdict):
    yield replace(verdict, wins=not verdict.wins)


def says_neither(verdict):
    yield replace(verdict, wins=None)


def says_it_is_over(verdict):
    yield replace(verdict, wins=None, winning_moves=(), prove=lambda: None)


def drops_a_winning_move(verdict):
    for move in verdict.winning_moves:
        rest = tuple(other for other in verdict.winning_moves if other != move)
        yield replace(verdict, winning_moves=rest)
        yield replace(verdict, winning_moves=rest, wins=bool(rest))


def adds_a_move(verdict):
    for move in {0, -1, 10**40, *verdict.position.legal_moves[:9]} - {*verdict.winning_moves}:
        more = (*verdict.winning_moves, move)
        yield replace(verdict, winning_moves=more, wins=True)


def replaces_a_winning_move(verdict):
    for move in {*verdict.position.legal_moves[:9]} - {*verdict.winning_moves}:
        for at in range(len(verdict.winning_moves)):
            moves = list(verdict.winning_moves)
            moves[at] = move
            yield replace(verdict, winning_moves=tuple(sorted(moves, key=str)))


def has_no_proof(verdict):
    for proof in (None, {}, [], "proof", 7, float("nan"), {"kind": verdict.proof["kind"]}):
        yield with_proof(verdict, proof)


def has_a_proof_of_another_kind(verdict):
    for kind in {"matching", "runs", "strategy", None, 3, "x"} - {verdict.proof["kind"]}:
        yield edited(verdict, kind=kind)
    for board in (CHAIN_BOARDS[0], LINE_BOARDS[0], DIVISOR_BOARDS[0]):
        if board[0] != verdict.position.game.id and "numbers" in board[1]:
            other = verdicts(board)[0].proof
            if other["kind"] != verdict.proof["kind"]:
                yield other
                yield other | {"kind": verdict.proof["kind"]}


CLAIMS = [
    says_the_opposite,
    says_neither,
    says_it_is_over,
    drops_a_winning_move,
    adds_a_move,
    replaces_a_winning_move,
    has_no_proof,
    has_a_proof_of_another_kind,
]


@pytest.mark.parametrize("boards", [CHAIN_BOARDS, LINE_BOARDS[:3], DIVISOR_BOARDS])
@pytest.mark.parametrize("forge", CLAIMS)
def test_a_false_claim_is_rejected(forge, boards):
    assert_rejected(forge, boards)


@every_board
def test_a_finished_game_can_claim_nothing(board):
    position = verdicts(board)[-1].position
    while not position.outcome:
        position = position.play(position.legal_moves[0])
    genuine = duels.solve(position)
    duels.check(genuine)
    for claim in ({"wins": True}, {"wins": False}, {"winning_moves": (1,)}, {"prove": dict}):
        assert rejects(replace(genuine, **claim))


# Forged matchings


def drops_a_pair(verdict):
    pairs = verdict.proof["pairs"]
    for at in range(len(pairs)):
        yield edited(verdict, pairs=pairs[:at] + pairs[at + 1 :])


def repeats_a_pair(verdict):
    for pair in verdict.proof["pairs"]:
        yield edited(verdict, pairs=[*verdict.proof["pairs"], pair])


def adds_a_pair(verdict):
    """Of numbers that have a partner, are used, do not fit, are equal, or are too high."""
    position, pairs = verdict.position, verdict.proof["pairs"]
    numbers = range(1, position.game.numbers + 2)
    for one in numbers:
        for two in range(one, numbers.stop):
            if [one, two] not in pairs and (one + two) % 7 == 0:
                yield edited(verdict, pairs=[*pairs, [one, two]])


def swaps_partners_that_do_not_fit(verdict):
    neighbours, pairs = verdict.position.game.neighbours, verdict.proof["pairs"]
    for (a, b), (c, d) in combinations(pairs[:8], 2):
        if not (neighbours[a] >> c & 1 and neighbours[b] >> d & 1):
            rest = [pair for pair in pairs if pair not in ([a, b], [c, d])]
            yield edited(verdict, pairs=[*rest, sorted([a, c]), sorted([b, d])])


def drops_a_barrier_number(verdict):
    barrier = verdict.proof["barrier"]
    for number in barrier:
        yield edited(verdict, barrier=[other for other in barrier if other != number])


def adds_a_barrier_number(verdict):
    for number in range(-1, verdict.position.game.numbers + 2):
        yield edited(verdict, barrier=[*verdict.proof["barrier"], number])


def drops_a_blossom(verdict):
    blossoms = verdict.proof["blossoms"]
    for at in range(len(blossoms)):
        yield edited(verdict, blossoms=blossoms[:at] + blossoms[at + 1 :])


def repeats_a_blossom(verdict):
    for blossom in verdict.proof["blossoms"]:
        yield edited(verdict, blossoms=[*verdict.proof["blossoms"], blossom])


def drops_an_edge_of_a_blossom(verdict):
    for number, blossom in enumerate(verdict.proof["blossoms"]):
        for at in range(0, len(blossom), 2):
            blossoms = deepcopy(verdict.proof["blossoms"])
            del blossoms[number][at : at + 2]
            yield edited(verdict, blossoms=blossoms)
            blossoms[number].insert(at, blossom[at])
            yield edited(verdict, blossoms=blossoms)


def bends_an_edge_of_a_blossom(verdict):
    for number, blossom in enumerate(verdict.proof["blossoms"]):
        for at in range(1, len(blossom), 2):
            for end in (blossom[at - 1], 0, -1, verdict.position.game.numbers + 1):
                blossoms = deepcopy(verdict.proof["blossoms"])
                blossoms[number][at] = end
                yield edited(verdict, blossoms=blossoms)


def adds_a_round_trip_to_a_blossom(verdict):
    """As many edges as numbers, an odd number of them, each number met twice: and no cycle."""
    proof = verdict.proof
    met = {number for blossom in proof["blossoms"] for number in blossom}
    for pair in proof["pairs"]:
        if met and not met.union(proof["barrier"]).intersection(pair):
            first, *rest = proof["blossoms"]
            yield edited(verdict, blossoms=[[*first, *pair, *pair], *rest])
            yield edited(verdict, blossoms=[[*pair, *pair, *first], *rest])


def hangs_a_path_on_a_blossom(verdict):
    proof, neighbours = verdict.proof, verdict.position.game.neighbours
    free = [pair for pair in proof["pairs"] if not {*pair} & {*proof["barrier"]}]
    for at, blossom in enumerate(proof["blossoms"]):
        for number, (one, two) in product(blossom[::2], free):
            if neighbours[number] >> one & 1:
                blossoms = [*proof["blossoms"]]
                blossoms[at] = [*blossom, number, one, one, two]
                yield edited(verdict, blossoms=blossoms)


def begins_with_another_move(verdict):
    covered = {number for pair in verdict.proof["pairs"] for number in pair}
    for move in {0, -1, 10**40, *verdict.position.legal_moves}:
        if move in covered or move not in verdict.winning_moves:
            yield edited(verdict, move=move)


def begins_with_no_move_in_a_won_position(verdict):
    if verdict.wins:
        yield edited(verdict, move=None)


MATCHING_FORGERIES = [
    drops_a_pair,
    repeats_a_pair,
    adds_a_pair,
    swaps_partners_that_do_not_fit,
    drops_a_barrier_number,
    adds_a_barrier_number,
    drops_a_blossom,
    repeats_a_blossom,
    drops_an_edge_of_a_blossom,
    bends_an_edge_of_a_blossom,
    adds_a_round_trip_to_a_blossom,
    hangs_a_path_on_a_blossom,
    begins_with_another_move,
    begins_with_no_move_in_a_won_position,
]


@pytest.mark.parametrize("forge", MATCHING_FORGERIES)
def test_a_forged_matching_is_rejected(forge):
    assert_rejected(forge, CHAIN_BOARDS)


# Forged runs


def drops_a_run(verdict):
    runs = verdict.proof["runs"]
    for at in range(len(runs)):
        yield edited(verdict, runs=runs[:at] + runs[at + 1 :])


def repeats_a_run(verdict):
    for run in verdict.proof["runs"]:
        yield edited(verdict, runs=[*verdict.proof["runs"], run])


def miscounts_a_run(verdict):
    runs = verdict.proof["runs"]
    for at, (first, last, count) in enumerate(runs[:9]):
        for wrong in (count + 1, count ^ 1, -count - 1, 10**40, None, float("nan")):
            yield edited(verdict, runs=[*runs[:at], [first, last, wrong], *runs[at + 1 :]])


def splits_a_run(verdict):
    runs = verdict.proof["runs"]
    for at, (first, last, count) in enumerate(runs):
        if first < last:
            parts = [[first, first, 1], [first + 1, last, count]]
            yield edited(verdict, runs=runs[:at] + parts + runs[at + 1 :])


def moves_a_run(verdict):
    runs = verdict.proof["runs"]
    for at, (first, last, count) in enumerate(runs[:9]):
        for ends in ([first + 1, last], [first, last + 1], [first - 1, last - 1], [last, first]):
            if ends != [first, last]:
                yield edited(verdict, runs=[*runs[:at], [*ends, count], *runs[at + 1 :]])


def miscounts_a_length(verdict):
    counts = verdict.proof["counts"]
    for length, count in enumerate(counts[:40]):
        yield edited(verdict, counts=[*counts[:length], count + 1, *counts[length + 1 :]])


def tells_of_too_many_lengths(verdict):
    yield edited(verdict, counts=[*verdict.proof["counts"], 99])
    yield edited(verdict, counts=[0] * 10_000)


def tells_of_a_run_without_end(verdict):
    yield edited(verdict, runs=[*verdict.proof["runs"], [1, 10**15, 0]])
    yield edited(verdict, runs=[[-(10**15), 10**15, 0]])


RUN_FORGERIES = [
    drops_a_run,
    repeats_a_run,
    miscounts_a_run,
    splits_a_run,
    moves_a_run,
    miscounts_a_length,
    tells_of_too_many_lengths,
    tells_of_a_run_without_end,
]


@pytest.mark.parametrize("forge", RUN_FORGERIES)
def test_a_forged_line_is_rejected(forge):
    assert_rejected(forge, LINE_BOARDS[:3])


@pytest.mark.parametrize("numbers", [2, 5])
def test_a_run_that_is_not_there_changes_nothing(numbers):
    truth = duels.solve(duels.game("number-line-duel", numbers=numbers).start().play(1))
    around = range(-2, numbers + 4)
    for run in ([first, last, count] for first in around for last in around for count in range(9)):
        for runs in ([run, *truth.proof["runs"]], [*truth.proof["runs"], run]):
            assert proves(truth.position, edited(truth, runs=runs)) in (None, truth.winning_moves)


# Forged strategies


def drops_a_digit(verdict):
    for digit in verdict.proof["after"]:
        rest = {other: how for other, how in verdict.proof["after"].items() if other != digit}
        yield edited(verdict, after=rest)


def adds_a_digit(verdict):
    used = {*"0123456789", "10", "-1", "", "x"} - verdict.proof["after"].keys()
    for digit in used:
        for strategy in ([], {}, [1]):
            yield edited(verdict, after=verdict.proof["after"] | {digit: strategy})


def calls_a_win_a_loss(verdict):
    """A list is the opponent's strategy, a dictionary ours."""
    for digit, strategy in verdict.proof["after"].items():
        other = [] if isinstance(strategy, dict) else {}
        yield edited(verdict, after=verdict.proof["after"] | {digit: other})


def nodes(tree, path=()):
    """The ways to every strategy of a tree."""
    yield path
    branches = tree.items() if isinstance(tree, dict) else list(enumerate(tree))[1:]
    for step, branch in branches:
        yield from nodes(branch, (*path, step))


def changed(verdict, path, change):
    """A proof with one node of its tree changed."""
    after = deepcopy(verdict.proof["after"])
    node = after
    for step in path:
        node = node[step]
    change(node)
    return edited(verdict, after=after)


def drops_an_answer(verdict):
    for path in some(nodes(verdict.proof["after"])):
        if path and isinstance(path[-1], str):
            yield changed(verdict, path[:-1], lambda node, answer=path[-1]: node.pop(answer))


def answers_against_the_rules(verdict):
    for path in some(nodes(verdict.proof["after"])):
        node = verdict.proof["after"]
        for step in path:
            node = node[step]
        if node and isinstance(node, list):
            used = {int(step) for step in path if isinstance(step, str)}
            for digit in some((*used, 0, -1, 10**40, None, "1", 1.0, [1]), 2):
                yield changed(verdict, path, lambda node, digit=digit: node.__setitem__(0, digit))


STRATEGY_FORGERIES = [
    drops_a_digit,
    adds_a_digit,
    calls_a_win_a_loss,
    drops_an_answer,
    answers_against_the_rules,
]


@pytest.mark.parametrize("forge", STRATEGY_FORGERIES)
def test_a_forged_strategy_is_rejected(forge):
    assert_rejected(forge, DIVISOR_BOARDS)


# Whatever a forged proof proves is true


GARBAGE = [None, True, 0, 1, -1, 2.0, float("nan"), 10**40, "", "7", [], [[]], {}, {"1": []}]


def proves(position, proof):
    """The winning moves with which a verdict would pass, or None if there are none."""
    _, checker = checking.CHECKERS[type(position)]
    with suppress(Exception):
        return tuple(checker(position, proof))
    return None


def places(tree, path=()):
    """The ways to everything in plain data."""
    if path:
        yield path
    if isinstance(tree, dict | list):
        for step in tree if isinstance(tree, dict) else range(len(tree)):
            yield from places(tree[step], (*path, step))


def mutated(data, chance):
    """Plain data with something in it dropped, repeated, replaced, moved or counted up or down."""
    data = deepcopy(data)
    for _ in range(chance.choice([1, 1, 2, 3])):
        if not (found := [*places(data)]):
            break
        *way, step = chance.choice(found)
        node = data
        for one in way:
            node = node[one]
        match chance.randrange(5):
            case 0:
                del node[step]
            case 1 if isinstance(node, list):
                node.insert(chance.randrange(len(node) + 1), deepcopy(node[step]))
            case 2 if isinstance(node[step], int):
                node[step] += chance.choice([-12, -2, -1, 1, 2, 12])
            case 3 if isinstance(node, list):
                other = chance.randrange(len(node))
                node[step], node[other] = node[other], node[step]
            case _:
                node[step] = deepcopy(chance.choice(GARBAGE))
    return data


@every_board
def test_a_mutated_proof_proves_nothing_false(board):
    chance = random.Random(str(board))
    for _ in range(150):
        truth = chance.choice(verdicts(board))
        proof = mutated(truth.proof, chance)
        assert proves(truth.position, proof) in (None, truth.winning_moves), proof
        rejects(with_proof(truth, proof))  # or not, but no other error


@every_board
def test_the_proof_of_another_position_proves_nothing_false(board):
    chance = random.Random(str(board))
    for _ in range(150):
        truth, other = chance.choices(verdicts(board), k=2)
        assert proves(truth.position, other.proof) in (None, truth.winning_moves)
        if other.winning_moves != truth.winning_moves:
            assert rejects(replace(other, position=truth.position))


@pytest.mark.parametrize("criteria", ["factor", "factor,neighbour", "factor,neighbour,square-sum"])
def test_no_small_proof_at_all_proves_anything_false(criteria):
    game = duels.game("number-duel", numbers=5, criteria=criteria)
    numbers = range(1, 6)
    edges = [list(pair) for pair in combinations(numbers, 2)]
    triangles = [[a, b, b, c, c, a] for a, b, c in combinations(numbers, 3)]
    for moves in ((), (1,), (5,), (2, 1)):
        position = game.start()
        for move in moves:
            position = position.play(move)
        truth = duels.solve(position)
        for pairs in (some for size in range(3) for some in combinations(edges, size)):
            for barrier in (some for size in range(3) for some in combinations(numbers, size)):
                for blossoms in ([], *([triangle] for triangle in triangles)):
                    proof = {"pairs": pairs, "barrier": barrier, "blossoms": blossoms}
                    for move in (None, *truth.winning_moves, *position.legal_moves[:1]):
                        found = proves(position, proof | {"move": move})
                        assert found in (None, truth.winning_moves), proof


# Damaged files


@every_board
def test_a_damaged_file_is_no_verdict_or_a_true_one(board):
    chance = random.Random(str(board))
    for _ in range(150):
        data = mutated(verdict_data(chance.choice(verdicts(board))), chance)
        with suppress(DuelsError):
            verdict = read_verdict(data)
            duels.check(verdict)
            truth = duels.solve(verdict.position)
            assert (verdict.wins, verdict.winning_moves) == (truth.wins, truth.winning_moves)


@pytest.mark.parametrize("data", [*GARBAGE, {"game": "number-duel"}, {"game": []}])
def test_other_data_is_no_verdict(data):
    with pytest.raises(ProofError, match="This is not a verdict"):
        read_verdict(data)


def test_a_verdict_can_be_pickled():
    start = duels.game("sequence-duel", numbers=1).start()
    for position in (start, start.play(1)):
        verdict = duels.solve(position)
        assert pickle.loads(pickle.dumps(verdict)).proof == verdict.proof
        read = read_verdict(verdict_data(verdict))
        assert pickle.loads(pickle.dumps(read)) == read
