"""The atlas: every size as the verdicts say, in tables and plots, and never worked out twice."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from functools import cache

import pexpect
import pytest

import duels
from duels.games.chain import matching
from duels.lab.atlas import Block, block_rows, game_of_size, read_atlas, read_row
from duels.theory import solve, winning_moves
from rings import by_ring

pytestmark = pytest.mark.slow


def atlas(call, *args, code=0):
    done = call("atlas", "--jobs", "1", *args)
    assert done.returncode == code, done.stderr
    return done


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        *((game_id, {}) for game_id in duels.GAMES),
        ("sequence-duel", {"opening": "even"}),
        ("sequence-duel", {"opening": "even-below-half"}),
        ("number-duel", {"criteria": "digit-sum"}),
    ],
)
def test_every_row_is_the_verdict_of_its_size(game_id, options):
    sizes = read_atlas(game_id, options, 60).sizes
    rows = block_rows(Block(game_id, options, sizes))
    assert [row.size for row in rows] == list(sizes)
    for row in rows:
        start = game_of_size(game_id, options, row.size).start()
        winning = [start.game.format(move) for move in winning_moves(start)]
        assert row.data()["winning_openings"] == winning
        assert row.data()["winning"] == len(winning)
        assert row.winner == (1 if winning else 2)
        assert row.openings == len(start.legal_moves)


@pytest.mark.parametrize(
    ("game_id", "options", "smallest"),
    [
        ("number-chain-duel", {}, 1),
        ("divisor-duel", {}, 2),
        ("sequence-duel", {"opening": "any"}, 1),
        ("sequence-duel", {"opening": "even"}, 2),
        ("sequence-duel", {"opening": "even-below-half"}, 5),
    ],
)
def test_the_smallest_size_is_the_first_that_the_game_accepts(game_id, options, smallest):
    assert read_atlas(game_id, options, 9).sizes == range(smallest, 10)


def test_with_the_opening_of_nrich_one_number_more_changes_who_wins():
    rows = block_rows(Block("sequence-duel", {"opening": "even-below-half"}, range(99, 101)))
    assert [(row.winner, row.data()["winning"], row.openings) for row in rows] == [
        (2, 0, 24),
        (1, 23, 24),
    ]
    assert "2" not in rows[1].data()["winning_openings"]


def test_classes_are_those_of_the_proof():
    for row in block_rows(Block("sequence-duel", {"opening": "any"}, range(1, 61))):
        verdict = solve(duels.game("sequence-duel", numbers=row.size).start())
        duels.check(verdict)
        assert row.more["smallest"] == min(verdict.winning_moves, default=0)
        assert row.more["inner"] == len(verdict.proof["barrier"])
        assert row.more["outer"] == len(verdict.winning_moves)
        missed = row.size - 2 * len(verdict.proof["pairs"])
        assert row.more["pairs"] == len(verdict.proof["pairs"])
        assert sum(row.more[name] for name in ("outer", "inner", "rest")) == row.size
        assert bool(missed) == (row.winner == 1)


def test_pairs_are_the_matching_numbers_of_oeis():
    """A344497, all terms of the page."""
    rows = block_rows(Block("sequence-duel", {}, range(1, 72)))
    assert [row.more["pairs"] for row in rows] == [
        *(0, 1, 1, 2, 2, 3, 3, 3, 4, 5, 5, 5, 5, 6, 7, 7, 7, 8, 8, 8, 9, 10, 10, 10, 11, 12, 12),
        *(13, 13, 13, 13, 14, 14, 15, 16, 16, 16, 17, 17, 18, 18, 19, 19, 19, 20, 21, 21, 21, 21),
        *(22, 23, 23, 23, 24, 24, 25, 25, 26, 26, 26, 26, 27, 28, 28, 28, 29, 29, 30, 30, 31, 31),
    ]


def test_pairs_are_the_most_there_can_be():
    """By trying all pairings, which knows nothing of forests."""

    @cache
    def most(unused):
        if not unused:
            return 0
        first, *rest = sorted(unused, reverse=True)
        fitting = [other for other in rest if first % other == 0]
        return max(
            most(frozenset(rest)),
            *(1 + most(frozenset(rest) - {other}) for other in fitting),
            0,
        )

    for row in block_rows(Block("sequence-duel", {}, range(1, 25))):
        assert row.more["pairs"] == most(frozenset(range(1, row.size + 1)))


@pytest.mark.parametrize("compiled_from", [10**9, 0])
def test_large_boards_are_counted_and_not_listed(compiled_from, monkeypatch):
    monkeypatch.setattr(matching, "COMPILED_FROM", compiled_from)
    sizes = by_ring(range(4_000, 4_004), long=range(3_996, 4_005))
    block = Block("sequence-duel", {"opening": "even"}, sizes)
    for row in block_rows(block):
        winning = winning_moves(block.board(row.size).start())
        assert row.winning == len(winning)
        listed = tuple(map(str, winning)) if row.openings <= 2_000 else None
        assert row.winning_openings == listed
        assert row.openings == row.size // 2


def test_a_row_without_one_of_its_columns_is_damaged():
    (row,) = block_rows(Block("sequence-duel", {}, range(30, 31)))
    more = ("outer", "inner", "rest", "pairs", "smallest")
    assert read_row(row.data(), more) == row
    for name in row.data():
        with pytest.raises(KeyError):
            read_row({key: cell for key, cell in row.data().items() if key != name}, more)


def test_the_line_has_its_grundy_values():
    rows = block_rows(Block("number-line-duel", {}, range(1, 13)))
    assert [row.more["grundy"] for row in rows] == [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]  # A002186


def test_tables_and_plots_are_written(call, tmp_path):
    done = atlas(call, "sequence-duel", "--max", "60", "--out", str(tmp_path / "a"), "--json")
    answer = json.loads(done.stdout)
    assert answer["sizes"] == 60
    rows = table(tmp_path / "a" / "sequence-duel.csv")
    assert rows[2] == {
        "size": "3",
        "winner": "1",
        "openings": "3",
        "winning": "2",
        "outer": "2",
        "inner": "1",
        "rest": "0",
        "pairs": "1",
        "smallest": "2",
        "winning_openings": "2 3",
    }
    assert answer["player_1_wins"] == sum(row["winner"] == "1" for row in rows)
    for name in ("openings", "classes"):
        assert "<svg" in (tmp_path / "a" / f"sequence-duel-{name}.svg").read_text()


def rows_of(folder):
    """The rows of the results, without the date on which each was worked out."""
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    return [{name: cell for name, cell in row.items() if name != "origin"} for row in rows]


def test_parquet_has_the_same_rows_as_csv(call, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    atlas(call, "number-line-duel", "--max", "30", "--out", str(tmp_path / "a"))
    rows = parquet.read_table(tmp_path / "a" / "number-line-duel.parquet").to_pylist()
    for row, cells in zip(rows, table(tmp_path / "a" / "number-line-duel.csv"), strict=True):
        cells["winning_openings"] = cells["winning_openings"].split()
        assert {name: str(value) for name, value in row.items()} == {
            name: str(value) for name, value in cells.items()
        }


@pytest.mark.parametrize(
    ("game_id", "openings"), [("sequence-duel", "int64"), ("number-line-duel", "string")]
)
def test_parquet_has_the_types_that_one_expects(call, tmp_path, game_id, openings):
    parquet = pytest.importorskip("pyarrow.parquet")
    atlas(call, game_id, "--max", "2", "--out", str(tmp_path / "a"))
    schema = parquet.read_schema(tmp_path / "a" / f"{game_id}.parquet")
    types = {name: str(kind) for name, kind in zip(schema.names, schema.types, strict=True)}
    assert types.pop("winning_openings") == f"list<element: {openings}>"
    assert {*types.values()} == {"int64"}


def test_a_larger_atlas_extends_a_smaller_one_and_is_the_same(run, call, tmp_path):
    args = ["number-chain-duel"]
    atlas(call, *args, "--max", "70", "--out", str(tmp_path / "steps"))
    more = atlas(call, *args, "--max", "120", "--out", str(tmp_path / "steps"))
    assert "70 of 120 sizes are already saved." in more.stderr
    atlas(run, "number-chain-duel", "--max", "120", "--jobs", "2", "--out", str(tmp_path / "once"))
    for name in ("number-chain-duel.csv", "number-chain-duel-openings.svg"):
        assert (tmp_path / "steps" / name).read_bytes() == (tmp_path / "once" / name).read_bytes()
    assert rows_of(tmp_path / "steps") == rows_of(tmp_path / "once")


def test_a_run_that_was_cut_off_is_resumed(call, tmp_path):
    args = ["divisor-duel", "--max", "30", "--out", str(tmp_path / "a")]
    atlas(call, *args)
    results = tmp_path / "a" / "results.jsonl"
    whole, rows = results.read_text(), rows_of(tmp_path / "a")
    row = json.loads(whole.splitlines()[0])
    foreign = [{"size": "2"}, {"size": 3}, {"winner": 3}, {"openings": None}, {"winning": 9}]
    damaged = "".join(f"{json.dumps(row | damage)}\n" for damage in foreign)
    damaged += '{"key": "x"}\n{"key": "200"}\n{"key": "1'
    results.write_text("".join(whole.splitlines(keepends=True)[3:12]) + damaged)
    assert "9 of 29 sizes are already saved; 8 damaged" in atlas(call, *args).stderr
    assert rows_of(tmp_path / "a") == rows


def test_ctrl_c_saves_the_results_so_far_and_says_how_to_continue(spawn, tmp_path):
    child = spawn("atlas", "sequence-duel", "--max", "9000", "--out", str(tmp_path / "a"))
    child.expect(r"[1-9][\d,]* of 9,000 sizes \(\d+%\)")
    child.sendintr()
    child.expect(
        r"Stopped. ([\d,]+) of 9,000 sizes (?:is|are) saved. To continue:\s+duels atlas sequence-"
    )
    kept = int(child.match[1].replace(",", ""))
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
    assert len((tmp_path / "a" / "results.jsonl").read_text().splitlines()) == kept > 0


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("number-duel", "--max", "15001"), 1, "Beyond 15,000 numbers only the start is solved"),
        (("number-line-duel", "--max", "1000000000"), 2, "at most 1,000,000 sizes"),
        (("divisor-duel", "--max", "1"), 2, "2 or more"),
        (("sequence-duel", "--max", "9", "--opening", "odd"), 2, "any, even or even-below-half"),
        (("sequence-duel", "--max", "9", "--criteria", "digit"), 2, "no option"),
        (("chess", "--max", "9"), 2, "chess"),
        (("number-duel",), 2, "--max"),
    ],
)
def test_an_error_is_a_sentence(call, tmp_path, args, code, sentence):
    assert sentence in atlas(call, *args, "--out", str(tmp_path / "a"), code=code).stderr


def test_a_folder_of_another_atlas_is_refused(call, tmp_path):
    atlas(call, "sequence-duel", "--max", "9", "--out", str(tmp_path / "a"))
    args = ["sequence-duel", "--max", "9", "--opening", "even", "--out", str(tmp_path / "a")]
    assert (
        "has the results of another run (different: options)" in atlas(call, *args, code=1).stderr
    )


def test_without_matplotlib_the_tables_are_there_and_a_kind_sentence(run, environment, tmp_path):
    code = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda n, *a: None if n in ('matplotlib', 'pyarrow') else find(n, *a)\n"
        "from duels.cli import main; main(sys.argv[1:])"
    )
    args = ["atlas", "sequence-duel", "--max", "5", "--out", str(tmp_path / "a")]
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "pip install '.[arena]'" in done.stderr
    assert (tmp_path / "a" / "sequence-duel.csv").exists()


def b_file(path):
    """The values of a b-file by index; its comments come first."""
    lines = path.read_text().splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert lines[: len(head)] == head
    return {int(n): int(value) for n, value in (line.split() for line in lines[len(head) :])}


@cache
def is_lost(unused, last):
    """Whether no factor or multiple of the last number leaves a lost position, by trying all."""
    fits = [n for n in unused if n % last == 0 or last % n == 0]
    return not any(is_lost(unused - {n}, n) for n in fits)


@cache
def openings_that_win(numbers):
    unused = frozenset(range(1, numbers + 1))
    return [n for n in sorted(unused) if is_lost(unused - {n}, n)]


def test_b_files_agree_with_brute_force(call, tmp_path):
    atlas(call, "sequence-duel", "--max", "14", "--out", str(tmp_path))
    values = {
        name: b_file(tmp_path / f"b-sequence-duel-{name}.txt")
        for name in ("outer", "smallest", "first", "pairs")
    }
    sizes = range(1, 15)
    assert values["outer"] == {n: len(openings_that_win(n)) for n in sizes}
    assert values["smallest"] == {n: min(openings_that_win(n), default=0) for n in sizes}
    first = {k: next((n for n in sizes if k in openings_that_win(n)), None) for k in sizes}
    assert values["first"] == {k: first[k] for k in range(1, len(values["first"]) + 1)}
    assert first[len(values["first"]) + 1] is None
    assert [*values["pairs"].values()] == [0, 1, 1, 2, 2, 3, 3, 3, 4, 5, 5, 5, 5, 6]


def test_a_b_file_says_how_its_values_are_proved(call, tmp_path):
    atlas(call, "sequence-duel", "--opening", "even", "--max", "20", "--out", str(tmp_path))
    text = (tmp_path / "b-sequence-duel-outer.txt").read_text()
    assert "duels solve sequence-duel --numbers n --opening even --proof FILE" in text
    assert b_file(tmp_path / "b-sequence-duel-smallest.txt")[4] == 0
    assert not (tmp_path / "b-sequence-duel-first.txt").exists(), "1 never opens"


def test_the_line_has_its_grundy_values_as_a_b_file(call, tmp_path):
    atlas(call, "number-line-duel", "--max", "12", "--out", str(tmp_path))
    values = b_file(tmp_path / "b-number-line-duel-grundy.txt")
    assert [*values.values()] == [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4], "A002186"


def test_an_atlas_may_begin_at_a_larger_size(call, folder):
    """The rows are those of the whole atlas."""
    out = folder / "part"
    done = call("atlas", "sequence-duel", "--min", "31", "--max", "40", "--out", str(out))
    assert "10 sizes up to 40" in done.stdout
    whole = folder / "whole"
    call("atlas", "sequence-duel", "--max", "40", "--out", str(whole))
    part, rows = ((path / "sequence-duel.csv").read_text().splitlines() for path in (out, whole))
    assert part == [rows[0], *rows[-10:]]


def test_the_range_of_an_atlas_is_not_empty(call, folder):
    done = call("atlas", "sequence-duel", "--min", "9", "--max", "8", "--out", str(folder / "a"))
    assert "must not be above the largest" in done.stderr
