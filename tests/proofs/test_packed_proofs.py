"""Proofs as arrays: as strict as lists, in memory and in a file."""

from __future__ import annotations

import json
import random
import re
import sys
from contextlib import suppress

import pytest

import duels
from duels.core import fast
from duels.core.errors import DuelsError, ProofError
from duels.games import game_to_solve
from duels.games.chain import checker, matching
from duels.games.chain.compiled import PackedProof
from duels.theory import theory_of
from duels.theory.check import check_packed, is_packed
from duels.theory.verdict import MAGIC, PackedVerdict, write_packed
from rings import by_ring

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

BOARDS = [
    ("sequence-duel", {"numbers": 20}),
    ("sequence-duel", {"numbers": 61, "opening": "even"}),
    ("number-chain-duel", {"numbers": 33}),
    ("number-duel", {"numbers": 25, "criteria": "factor"}),
]


@pytest.fixture(autouse=True)
def _compiled(monkeypatch):
    """Small boards are solved by compiled code too."""
    monkeypatch.setattr(matching, "COMPILED_FROM", 0)


def positions():
    """The positions of some random games."""
    chance = random.Random(5)
    for game_id, options in BOARDS:
        for _ in range(3):
            position = duels.game(game_id, **options).start()
            while position.legal_moves:
                yield position
                position = position.play(chance.choice(position.legal_moves))


def packed(position):
    proof = theory_of(position).pack(position, duels.solve(position).winning_moves)
    assert isinstance(proof, PackedProof)
    return proof


def proved(position, proof):
    """The bit set of the moves that a proof shows to win, or None if it shows nothing."""
    with suppress(ProofError, OverflowError, TypeError):
        return checker.proved(position, proof)
    return None


def forged(proof, size, chance):
    """Something in an array is dropped, repeated, moved or changed, or the move is."""
    move, *arrays = proof
    arrays = [array.tolist() for array in arrays]
    for _ in range(chance.choice([1, 1, 2, 3])):
        array = chance.choice(arrays)
        at = chance.randrange(len(array) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            move = chance.choice([None, 0, -1, 2**40, *range(1, size + 2)])
        elif kind == 1:
            array.insert(at, chance.randrange(-1, size + 2))
        elif at < len(array):
            if kind == 2:
                del array[at : at + chance.choice([1, 2])]
            elif kind == 3:
                array[at] += chance.choice([-2, -1, 1, 2])
            else:
                other = chance.randrange(len(array))
                array[at], array[other] = array[other], array[at]
    return PackedProof(move, *(np.array(array, np.int32) for array in arrays))


def test_a_proof_as_arrays_shows_the_same_as_lists():
    for position in positions():
        proof, winning = packed(position), duels.solve(position).winning_moves
        assert checker.check_matching(position, proof) == [*winning]
        assert checker.check_matching(position, proof.data()) == [*winning]


@pytest.mark.slow
def test_forged_arrays_show_nothing_that_is_not_true(monkeypatch):
    """Both checkers judge alike; what they accept is true. In the long ring 100,000 are forged."""
    monkeypatch.setattr(checker, "COMPILED_FROM", 10**9)
    chance, here = random.Random(7), [*positions()]
    proofs = [(position, packed(position)) for position in here]
    truth = [proved(position, proof) for position, proof in proofs]
    refused = compared = 0
    for _ in range(by_ring(2_000, long=100_000)):
        at = chance.randrange(len(proofs))
        position, proof = proofs[at]
        forgery = forged(proof, position.game.size, chance)
        shown = proved(position, forgery)
        assert shown in (None, truth[at])
        refused += shown is None
        same_ends = forgery.ends.tolist() == proof.ends.tolist()
        if same_ends and len(forgery.edges) == len(proof.edges) and len(forgery.pairs) % 2 == 0:
            compared += 1
            assert proved(position, forgery.data()) == shown  # in plain Python
    assert refused
    assert compared


def test_arrays_of_another_form_are_refused():
    position = duels.game("sequence-duel", numbers=20).start()
    proof = packed(position)
    for array in (proof.pairs.astype("i8"), proof.pairs.reshape(-1, 2), proof.pairs.astype("f4")):
        assert proved(position, proof._replace(pairs=array)) is None
    other = duels.game("number-duel", numbers=20).start()
    assert proved(other, proof) is None


@pytest.fixture
def proof_file(tmp_path):
    """The file of a proof on a small board."""
    position = duels.game("sequence-duel", numbers=61).start().play(58)
    winning = sum(1 << move for move in duels.solve(position).winning_moves)
    path = tmp_path / "proof.bin"
    with path.open("wb") as file:
        write_packed(PackedVerdict(position, winning, packed(position)), file)
    return path


def test_a_file_is_checked_without_the_solver(proof_file):
    verdict = check_packed(proof_file)
    assert is_packed(proof_file)
    assert verdict.position.moves == (58,)
    assert verdict.winning_count == len(duels.solve(verdict.position).winning_moves)


def changed_claims(claim):
    yield claim | {"winning_count": claim["winning_count"] + 1}
    yield claim | {"winning_count": True}
    yield claim | {"moves": [57]}
    yield claim | {"moves": [58, 58]}
    yield claim | {"move": 1}
    yield claim | {"game": "number-line-duel", "options": {"numbers": 61}}
    yield claim | {"options": {"numbers": 60, "opening": "any"}}
    yield claim | {"options": {"numbers": 61}}
    yield claim | {"options": {"numbers": 10**12, "opening": "any"}}
    yield claim | {"lengths": claim["lengths"][:3]}
    yield claim | {"lengths": [*claim["lengths"][:3], -1]}
    yield claim | {"lengths": 7}
    yield {}
    yield []


def test_a_changed_file_is_refused(proof_file):
    data = proof_file.read_bytes()
    head, rest = data.removeprefix(MAGIC).split(b"\n", 1)
    claim = json.loads(head)
    texts = [json.dumps(other).encode() for other in changed_claims(claim)]
    texts += [b"{", b'{"move": 1, "move": 2}', b"\xff", head[:-1] + b', "move": 1}']
    files = [MAGIC + text + b"\n" + rest for text in texts]
    files += [data[:-1], data[:-4], data + b"\0\0\0\0", MAGIC, MAGIC + head]
    for changed in files:
        proof_file.write_bytes(changed)
        with pytest.raises(ProofError):
            check_packed(proof_file)


@pytest.mark.slow
def test_a_board_above_a_million_is_solved_and_checked_in_counts(tmp_path, call):
    file = str(tmp_path / "proof.bin")
    solved = call("solve", "sequence-duel", "--numbers", "1000002", "--proof", file)
    assert solved.returncode == 0, solved.stderr
    checked = call("check", file, "--json")
    found = json.loads(checked.stdout)
    assert (found["valid"], found["wins"]) == (True, True)
    assert f"{found['winning_count']:,} of 1,000,002" in solved.stdout
    assert "legal_moves" not in found


def test_only_the_solver_takes_more_than_a_million():
    with pytest.raises(DuelsError, match="from 1 to 1,000,000, not 1000001"):
        duels.game("sequence-duel", numbers=1_000_001)
    assert game_to_solve("sequence-duel", numbers=1_000_001).size == 1_000_001
    with pytest.raises(DuelsError, match="from 1 to 100,000,000, not"):
        game_to_solve("number-chain-duel", numbers=100_000_001)
    with pytest.raises(DuelsError, match="from 1 to 1,000,000, not"):
        game_to_solve("number-line-duel", numbers=1_000_001)


def test_too_little_memory_is_reported_before_the_work_begins(tmp_path, monkeypatch):
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable:   2000000 kB\n")
    monkeypatch.setattr(fast, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(fast, "CGROUP", tmp_path)
    start = game_to_solve("sequence-duel", numbers=50_000_000).start()
    with pytest.raises(DuelsError, match=r"needs 3\.2 GB of memory, and 2\.0 GB are free"):
        theory_of(start).solve_packed(start)
    (tmp_path / "memory.max").write_text("600\n")
    (tmp_path / "memory.current").write_text("100\n")
    assert fast.free_memory() == 500
    (tmp_path / "memory.max").write_text("max\n")
    assert fast.free_memory() == 2_048_000_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits of this kind")
def test_memory_that_runs_out_is_a_sentence(run):
    from resource import RLIMIT_AS, setrlimit

    def limit():
        setrlimit(RLIMIT_AS, (10**9, 10**9))

    done = run("solve", "sequence-duel", "--numbers", "100000000", preexec_fn=limit)
    assert done.returncode == 1
    assert re.fullmatch(r"Error: .*memory.*\.\n", done.stderr)  # one sentence, no traceback
