"""A results folder: what was asked for, and what has come so far, a line each.

Lines are added as they come. Whatever ends the run, they are there when it goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Generic, Protocol, Self, TypeVar

from duels.core.errors import DAMAGED, DuelsError
from duels.core.files import (
    append_to,
    draft,
    hold,
    read_small,
    refuse_link,
    remove_stale_drafts,
    version_fault,
)
from duels.core.words import listed

PLAN = "plan.json"
RESULTS = "results.jsonl"
TRANSCRIPTS = "transcripts.jsonl"
LOCK = ".lock"
VERSION = 1
"""The version of plans and of the lines that belong to them."""
LARGEST = 2**30
"""Bytes of results that we are willing to read."""
LARGEST_PLAN = 2**20
MOST_SHOWN = 24
MOST_COUNTED = 2**53
"""No count in a line is larger: whoever reads the tables can still write it exactly."""
ASKED = ("prompt", "prompt_hash")
"""The words that models were asked with: where they are no longer ours, nothing can be added."""
GROWS = ("rounds", "positions")
"""What may be more than it was: what is there already stays as it is."""

Data = dict[str, Any]
Plan = dict[str, Any]


class Line(Protocol):
    """What a line of the results says. The key is which part of the plan it is."""

    @property
    def key(self) -> str: ...


L = TypeVar("L", bound=Line)


def read_count(value: Any) -> int:
    """A count of a line; ValueError if it is none."""
    if type(value) is not int or not 0 <= value < MOST_COUNTED:
        raise ValueError("It is not a count.")
    return value


def read_amount(value: Any) -> float | None:
    """A cost or a time of a line, where there is one; ValueError if it is none."""
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 <= value < MOST_COUNTED:
        raise ValueError("It is not an amount.")
    return float(value)


def json_lines(lines: Iterable[Data]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def as_bytes(text: str) -> bytes:
    """Encode a text; half a character, which UTF-8 lacks, is written as JSON writes it: \\ud800."""
    return text.encode(errors="backslashreplace")


class FolderError(DuelsError):
    """A results folder is somebody else's, or cannot be read or written."""


class Folder(Generic[L]):
    """A folder of results for one plan.

    Enter it before anything is written: no other program can then, until it is left.
    """

    def __init__(
        self,
        path: Path,
        plan: Plan,
        read: Callable[[Any], L],
    ) -> None:
        """`read` makes a line of plain data, and fails if it is damaged."""
        self.path = path
        self.plan = {"version": VERSION, **plan}
        self.read = read
        self.damaged = 0
        self.is_closed = False
        """Whether all is written that can be: models were asked in words that are gone."""
        self._held: IO[str] | None = None

    def __enter__(self) -> Self:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self.trouble(self.path, error) from None
        for name in (LOCK, PLAN, RESULTS, TRANSCRIPTS):  # before hours of work, not after them
            self.writable(name)
        remove_stale_drafts(self.path)
        with suppress(OSError):  # a file system without locks cannot be guarded
            self._held = hold(self.path / LOCK)
            if not self._held:
                raise FolderError(
                    f"Another run is writing into {self.path}. "
                    "Wait for it, or choose another folder."
                )
        return self

    def __exit__(self, *_: object) -> None:
        if self._held:
            self._held.close()

    def open(self) -> dict[str, L]:
        """The lines so far by key; FolderError if the folder belongs to another plan."""
        try:
            if (self.path / PLAN).exists() and self._has_results():
                self._compare(self._found_plan())
            elif self._has_results():
                raise FolderError(
                    f"{self.path} has results, but nothing says of what. Choose another folder."
                )
            else:
                self.write_data(PLAN, self.plan)
            return self._read()
        except OSError as error:
            raise FolderError(f"{self.path} cannot be used: {error.strerror or error}.") from None

    def _found_plan(self) -> Any:
        try:
            return json.loads(read_small(self.path / PLAN, LARGEST_PLAN).decode())
        except (ValueError, RecursionError):
            raise FolderError(f"{self.path / PLAN} cannot be understood: not JSON.") from None

    def _has_results(self) -> bool:
        """A plan of which nothing was done gives way to another."""
        results = self.path / RESULTS
        return results.exists() and results.stat().st_size > 0

    def writable(self, name: str) -> Path:
        """Return where to write a file; FolderError if a link there leads out of the folder."""
        path = self.path
        for part in Path(name).parts:
            path /= part
            try:
                refuse_link(path)
            except OSError as error:
                raise self.trouble(path, error) from None
        return path

    def add(self, lines: Iterable[Data], name: str = RESULTS) -> None:
        """Put lines on disk before returning: all of them, or (a full disk) none."""
        path = self.writable(name)
        data = as_bytes(json_lines(lines))
        try:
            with append_to(path) as file:
                size = file.tell()
                try:
                    while data:  # a disk that is almost full takes a part of it
                        data = data[file.write(data) :]
                except OSError:
                    file.truncate(size)
                    raise
        except OSError as error:
            raise self.trouble(path, error) from None

    @contextmanager
    def replaced(self, name: str) -> Iterator[IO[bytes]]:
        """A file that is replaced as a whole when all of it is written; its folder is made."""
        path = self.writable(name)
        try:
            path.parent.mkdir(exist_ok=True)
            with draft(path) as file:
                yield file
        except OSError as error:
            raise self.trouble(path, error) from None

    def write(self, name: str, text: str) -> None:
        """Replace a file by a text."""
        with self.replaced(name) as file:
            file.write(as_bytes(text))

    def write_parquet(self, name: str, rows: Sequence[Data], types: Mapping[str, Any]) -> None:
        """Replace a table: `types` are those of its columns, as pyarrow has them."""
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        table = arrow.Table.from_pylist(rows, schema=arrow.schema([*types.items()]))
        with self.replaced(name) as file:
            parquet.write_table(table, file)

    def write_data(self, name: str, data: Any) -> None:
        """Replace a file by JSON."""
        self.write(name, json.dumps(data, ensure_ascii=False, indent=2) + "\n")

    def in_order(self, lines: Iterable[Data]) -> None:
        """Replace the lines, when all are there, by the same in the order of the plan."""
        self.write(RESULTS, json_lines(lines))

    def lines(self, name: str) -> Iterator[Data]:
        """The readable lines of a file beside the results, if it is there, as plain data."""
        try:
            content = read_small(self.path / name, LARGEST).decode(errors="replace")
        except OSError:
            return
        for text in content.split("\n"):
            with suppress(ValueError, RecursionError):
                if isinstance(line := json.loads(text), dict):
                    yield line

    def _read(self) -> dict[str, L]:
        """Every readable line; a later one with the same key counts, a damaged one does not."""
        path = self.path / RESULTS
        if not path.exists():
            return {}
        found: dict[str, L] = {}
        content = read_small(path, LARGEST).decode(errors="replace")
        for text in content.split("\n"):  # splitlines knows ends of lines that JSON does not
            if not text.strip():
                continue
            try:
                line = self.read(json.loads(text))
                found[line.key] = line
            except DAMAGED:
                self.damaged += 1
        if content and not content.endswith("\n"):
            with append_to(self.writable(RESULTS)) as file:
                file.write(b"\n")
        return found

    def _compare(self, found: Any) -> None:
        if not isinstance(found, dict):
            raise FolderError(f"{self.path / PLAN} is not a plan of ours. Choose another folder.")
        if fault := version_fault(found, VERSION):
            raise FolderError(f"{self.path / PLAN} cannot be read: {fault}.")
        plan, missing = json.loads(json.dumps(self.plan)), object()
        one, two = _flat(plan), _flat(found)
        different = [name for name in one | two if one.get(name, missing) != two.get(name, missing)]
        if {*different} <= {*GROWS} and all(_has_grown(two[name], one[name]) for name in different):
            if different:
                self.write_data(PLAN, plan)
            return
        if {*different} <= {*ASKED}:
            self.plan, self.is_closed = found, True
            return
        what = str(found.get("kind", "something"))[:MOST_SHOWN]
        raise FolderError(
            f"{self.path} holds another {what} (different: {listed(different[:MOST_SHOWN])}). "
            "Choose another folder, or run the command that began it."
        )

    def trouble(self, path: Path, error: OSError) -> FolderError:
        return FolderError(f"{path} cannot be written: {error.strerror or error}.")


def _flat(plan: Plan) -> Plan:
    """Return a plan with the fields of its models beside the others."""
    models = plan.get("models")
    if isinstance(models, dict):
        return {name: value for name, value in plan.items() if name != "models"} | models
    return plan


def _has_grown(before: Any, now: Any) -> bool:
    return type(before) is int and 0 < before <= now
