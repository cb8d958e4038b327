"""A results folder: the plan of a run, and its results so far, one JSON line each.

The arena, exams and the atlas share it. Each result is appended as soon as it is known, so a
run that was interrupted in any way can be resumed. The plan, each result and each table name their
`Origin`: the package with its version, the date, the seed, and the licence of the data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Annotated, Any, Generic, Protocol, Self, TypeVar

import msgspec
from msgspec import Meta, Struct

from duels import __version__
from duels.core.errors import DAMAGED, PACKAGE, DuelsError, install
from duels.core.files import (
    append_to,
    draft,
    lock_file,
    read_small,
    refuse_link,
    remove_stale_drafts,
    version_fault,
)
from duels.core.words import listed
from duels.lab.jobs import JobProgress, count, note, run_jobs

PLAN = "plan.json"
RESULTS = "results.jsonl"
LOCK = ".lock"
VERSION = 1
"""The version of plans and of their results."""
LARGEST = 2**30
"""The largest file of results that is read, in bytes."""
LARGEST_PLAN = 2**20
MOST_SHOWN = 24
GROWING_FIELDS = ("rounds", "positions")
"""Fields of a plan that may be larger than before: the results so far stay valid."""

Count = Annotated[int, Meta(ge=0, lt=2**53)]
"""A count in a result: any program can read it exactly, also as a float."""
Amount = Annotated[float, Meta(ge=0, lt=2**53)]
"""A cost or a time in a result."""

Data = dict[str, Any]
Plan = dict[str, Any]

LICENCE = "MIT"
"""The licence of the data that this package makes: its own."""


class Origin(Struct, frozen=True, forbid_unknown_fields=True):
    """The origin of data: package, date, seed and licence."""

    package: str
    """The package that made it, with its version."""
    date: str
    """When the run began, in UTC."""
    seed: int | None
    """None if nothing was drawn at random."""
    licence: str = LICENCE


def origin_now(seed: int | None = None) -> Origin:
    """Return the origin of what this program makes from now on."""
    date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Origin(f"{PACKAGE} {__version__}", date, seed)


class Result(Protocol):
    """One result. Its key says which part of the plan it is, and its data is one line."""

    @property
    def key(self) -> str: ...

    def data(self) -> Data: ...


R = TypeVar("R", bound=Result)
Task = TypeVar("Task")


def json_lines(lines: Iterable[Data]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def as_bytes(text: str) -> bytes:
    """Encode a text; half a character, which UTF-8 lacks, is written as JSON writes it: \\ud800."""
    return text.encode(errors="backslashreplace")


def has_parquet() -> bool:
    """Whether tables can be written as Parquet here; if not, say what to install."""
    if find_spec("pyarrow"):
        return True
    note(f"Without pyarrow there is no Parquet. {install('arena')}")
    return False


class FolderError(DuelsError):
    """A results folder belongs to another run, or cannot be read or written."""


class ResultsFolder(Generic[R]):
    """The results of one plan in a folder; a context manager that locks it against other runs."""

    def __init__(
        self,
        path: Path,
        plan: Plan,
        read: Callable[[Any], R],
        jobs: int | None = None,
        cluster: str | None = None,
    ) -> None:
        """`read` parses a line, or raises; `jobs` and `cluster` are those of `run_jobs`."""
        self.path = path
        self.jobs, self.cluster = jobs, cluster
        self.origin = origin_now(plan.get("seed"))
        self.plan = {"version": VERSION, **plan, "origin": msgspec.to_builtins(self.origin)}
        self.read = read
        self._origins: dict[str, Origin] = {}
        self.damaged = 0
        self._lock: IO[str] | None = None

    def __enter__(self) -> Self:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self.error(self.path, error) from None
        for name in (LOCK, PLAN, RESULTS):  # fail before hours of work, not after
            self.writable(name)
        remove_stale_drafts(self.path)
        with suppress(OSError):  # the file system has no locks
            self._lock = lock_file(self.path / LOCK)
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

    def complete(
        self,
        results: dict[str, R],
        function: Callable[[Task], Sequence[R]],
        tasks: Sequence[Task],
        what: str,
        done: int,
        total: int,
    ) -> None:
        """Run the tasks that are not done; save what each returns, and add it to the results."""
        if done or self.damaged:
            lines = "damaged line" if self.damaged == 1 else "damaged lines"
            again = f"; {self.damaged} {lines} will be replaced" if self.damaged else ""
            note(f"{count(done, total, what)} already saved{again}.")
        with JobProgress(what, total, done) as progress:
            for _, found in run_jobs(function, tasks, jobs=self.jobs, cluster=self.cluster):
                self.add(found)
                results |= {one.key: one for one in found}
                progress.step(len(found))

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

    def add(self, results: Sequence[R]) -> None:
        """Append results durably: all of them, or none if the disk is full."""
        path = self.writable(RESULTS)
        self._origins |= {result.key: self.origin for result in results}
        data = as_bytes(json_lines(map(self._line, results)))
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
        metadata = {"origin": msgspec.json.encode(self.origin)}
        table = arrow.Table.from_pylist(rows, schema=arrow.schema([*types.items()], metadata))
        with self.replaced(name) as file:
            parquet.write_table(table, file)

    def write_data(self, name: str, data: Any) -> None:
        """Replace a file with JSON."""
        self.write(name, json.dumps(data, ensure_ascii=False, indent=2) + "\n")

    def write_in_order(self, results: Iterable[R]) -> None:
        """Replace the complete results with the same ones in the order of the plan."""
        self.write(RESULTS, json_lines(map(self._line, results)))

    def _line(self, result: R) -> Data:
        """Return a line of the results; its origin is the run that first wrote it."""
        origin = self._origins.get(result.key, self.origin)
        return {"key": result.key, **result.data(), "origin": msgspec.to_builtins(origin)}

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
                data = json.loads(text)
                origin, key = msgspec.convert(data.pop("origin"), Origin), data.pop("key")
                result = self.read(data)
                is_as_written = (result.key, result.data()) == (key, data)
            except DAMAGED:
                is_as_written = False
            if is_as_written:
                found[key], self._origins[key] = result, origin
            else:
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
        # Another version, on another day, may resume what it would have begun in the same way.
        with suppress(KeyError, ValueError):
            self.plan["origin"] = msgspec.to_builtins(msgspec.convert(found["origin"], Origin))
        one, two, missing = json.loads(json.dumps(self.plan)), found, object()
        different = [name for name in one | two if one.get(name, missing) != two.get(name, missing)]
        if {*different} <= {*GROWING_FIELDS} and all(
            _has_grown(two[name], one[name]) for name in different
        ):
            if different:
                self.write_data(PLAN, one)
            return
        shown = ["kind of run"] if "kind" in different else different[:MOST_SHOWN]
        raise FolderError(
            f"{self.path} has the results of another run (different: {listed(shown)}). "
            "Choose another folder, or run the original command."
        )

    def error(self, path: Path, error: OSError) -> FolderError:
        return FolderError(f"{path} cannot be written: {error.strerror or error}.")


def _has_grown(before: Any, now: Any) -> bool:
    return type(before) is int and 0 < before <= now
