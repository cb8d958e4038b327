"""A results folder: the plan of a run, and its results so far, one JSON line each.

The arena, exams and the atlas share it. Results are appended as they come, so a run that was
interrupted in any way can be resumed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Annotated, Any, Generic, Protocol, Self, TypeVar

from msgspec import Meta

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
"""The version of plans and of their results."""
LARGEST = 2**30
"""The largest file of results that is read, in bytes."""
LARGEST_PLAN = 2**20
MOST_SHOWN = 24
PROMPT_FIELDS = ("prompt", "prompt_hash")
"""The version of the prompt: to a folder with another prompt nothing can be added."""
GROWING_FIELDS = ("rounds", "positions")
"""Fields of a plan that may be larger than before: the results so far stay valid."""

Count = Annotated[int, Meta(ge=0, lt=2**53)]
"""A count in a result: any program can read it exactly, also as a float."""
Amount = Annotated[float, Meta(ge=0, lt=2**53)]
"""A cost or a time in a result."""

Data = dict[str, Any]
Plan = dict[str, Any]


class Result(Protocol):
    """One result. Its key says which part of the plan it is."""

    @property
    def key(self) -> str: ...


R = TypeVar("R", bound=Result)


def json_lines(lines: Iterable[Data]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def as_bytes(text: str) -> bytes:
    """Encode a text; half a character, which UTF-8 lacks, is written as JSON writes it: \\ud800."""
    return text.encode(errors="backslashreplace")


class FolderError(DuelsError):
    """A results folder belongs to another run, or cannot be read or written."""


class ResultsFolder(Generic[R]):
    """The results of one plan in a folder; a context manager that locks it against other runs."""

    def __init__(
        self,
        path: Path,
        plan: Plan,
        read: Callable[[Any], R],
    ) -> None:
        """`read` returns the result of a line of plain data, and raises if it is damaged."""
        self.path = path
        self.plan = {"version": VERSION, **plan}
        self.read = read
        self.damaged = 0
        self.is_closed = False
        """Whether nothing can be added, because models were asked with another prompt."""
        self._lock: IO[str] | None = None

    def __enter__(self) -> Self:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self.error(self.path, error) from None
        for name in (LOCK, PLAN, RESULTS, TRANSCRIPTS):  # fail before hours of work, not after
            self.writable(name)
        remove_stale_drafts(self.path)
        with suppress(OSError):  # the file system has no locks
            self._lock = hold(self.path / LOCK)
            if not self._lock:
                raise FolderError(
                    f"Another run is writing into {self.path}. "
                    "Wait for it, or choose another folder."
                )
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock:
            self._lock.close()

    def open(self) -> dict[str, R]:
        """Return the results so far by key; FolderError if the folder has another plan."""
        try:
            if (self.path / PLAN).exists() and self._has_results():
                self._compare(self._found_plan())
            elif self._has_results():
                raise FolderError(f"{self.path} has results but no {PLAN}. Choose another folder.")
            else:
                self.write_data(PLAN, self.plan)
            return self._read()
        except OSError as error:
            raise FolderError(f"{self.path} cannot be used: {error.strerror or error}.") from None

    def note_resumed(self, what: str, done: int, missing: int, note: Callable[[str], None]) -> None:
        """Tell the user what is there already; FolderError if the rest can no longer be added."""
        if done or self.damaged:
            lines = "damaged line" if self.damaged == 1 else "damaged lines"
            again = f"; {self.damaged} {lines} will be replaced" if self.damaged else ""
            note(f"{what} are there already{again}.")
        if missing and self.is_closed:
            raise FolderError(
                f"{self.path} was made with an older prompt and is incomplete: {missing:,} results "
                "are missing. Choose another folder."
            )

    def _found_plan(self) -> Any:
        try:
            return json.loads(read_small(self.path / PLAN, LARGEST_PLAN).decode())
        except (ValueError, RecursionError):
            raise FolderError(f"{self.path / PLAN} cannot be read: it is not JSON.") from None

    def _has_results(self) -> bool:
        """Whether there are results; a plan without any can be replaced."""
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
                raise self.error(path, error) from None
        return path

    def add(self, lines: Iterable[Data], name: str = RESULTS) -> None:
        """Append lines durably: all of them, or none if the disk is full."""
        path = self.writable(name)
        data = as_bytes(json_lines(lines))
        try:
            with append_to(path) as file:
                size = file.tell()
                try:
                    while data:  # a write may be partial if the disk is almost full
                        data = data[file.write(data) :]
                except OSError:
                    file.truncate(size)
                    raise
        except OSError as error:
            raise self.error(path, error) from None

    @contextmanager
    def replaced(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file that replaces the old one once all of it is written."""
        path = self.writable(name)
        try:
            path.parent.mkdir(exist_ok=True)
            with draft(path) as file:
                yield file
        except OSError as error:
            raise self.error(path, error) from None

    def write(self, name: str, text: str) -> None:
        """Replace a file with a text."""
        with self.replaced(name) as file:
            file.write(as_bytes(text))

    def write_parquet(self, name: str, rows: Sequence[Data], types: Mapping[str, Any]) -> None:
        """Replace a Parquet table; `types` are the pyarrow types of its columns."""
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        table = arrow.Table.from_pylist(rows, schema=arrow.schema([*types.items()]))
        with self.replaced(name) as file:
            parquet.write_table(table, file)

    def write_data(self, name: str, data: Any) -> None:
        """Replace a file with JSON."""
        self.write(name, json.dumps(data, ensure_ascii=False, indent=2) + "\n")

    def write_in_order(self, lines: Iterable[Data]) -> None:
        """Replace the complete results with the same lines in the order of the plan."""
        self.write(RESULTS, json_lines(lines))

    def lines(self, name: str) -> Iterator[Data]:
        """Yield the readable lines of another file of the folder as plain data."""
        try:
            content = read_small(self.path / name, LARGEST).decode(errors="replace")
        except OSError:
            return
        for text in content.split("\n"):
            with suppress(ValueError, RecursionError):
                if isinstance(line := json.loads(text), dict):
                    yield line

    def _read(self) -> dict[str, R]:
        """Return the readable results by key; of two with the same key, the later one."""
        path = self.path / RESULTS
        if not path.exists():
            return {}
        found: dict[str, R] = {}
        content = read_small(path, LARGEST).decode(errors="replace")
        for text in content.split("\n"):  # splitlines also splits at characters that JSON allows
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
            raise FolderError(f"{self.path / PLAN} is not a plan. Choose another folder.")
        if fault := version_fault(found, VERSION):
            raise FolderError(f"{self.path / PLAN} cannot be read: {fault}.")
        plan, missing = json.loads(json.dumps(self.plan)), object()
        one, two = _flat(plan), _flat(found)
        different = [name for name in one | two if one.get(name, missing) != two.get(name, missing)]
        if {*different} <= {*GROWING_FIELDS} and all(
            _has_grown(two[name], one[name]) for name in different
        ):
            if different:
                self.write_data(PLAN, plan)
            return
        if {*different} <= {*PROMPT_FIELDS}:
            self.plan, self.is_closed = found, True
            return
        what = str(found.get("kind", "something"))[:MOST_SHOWN]
        raise FolderError(
            f"{self.path} holds another {what} (different: {listed(different[:MOST_SHOWN])}). "
            "Choose another folder, or run the original command."
        )

    def error(self, path: Path, error: OSError) -> FolderError:
        return FolderError(f"{path} cannot be written: {error.strerror or error}.")


def _flat(plan: Plan) -> Plan:
    """Return a plan with the fields of its models among the others."""
    models = plan.get("models")
    if isinstance(models, dict):
        return {name: value for name, value in plan.items() if name != "models"} | models
    return plan


def _has_grown(before: Any, now: Any) -> bool:
    return type(before) is int and 0 < before <= now
