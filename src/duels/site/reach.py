"""Which modules a module can import, in its functions too: no more of them than these is packed."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[2]
"""The folder in which `duels` lies."""
ELSEWHERE = re.compile(
    r"duels\.(arena|atlas|cli|envs|exam|jobs|terminal|players\.(chat|grading|llm|prompt|python|ugi))\b"
)
"""What no page needs, though a game may name its parts there."""
PART = re.compile(r"(duels(?:\.\w+)+):\w+")


class Reached(NamedTuple):
    """The modules by name: ours, and those of the standard library."""

    ours: dict[str, Path]
    standard: set[str]


def reached_from(*first: str) -> Reached:
    """Everything that these modules can lead to."""
    ours: dict[str, Path] = {}
    standard: set[str] = set()
    waiting = [*first]
    while waiting:
        name = waiting.pop()
        if name.split(".")[0] != "duels":
            if name.split(".")[0] in sys.stdlib_module_names:
                standard.add(name)
            continue
        path = _file(name)
        if path is None or name in ours or ELSEWHERE.match(name):
            continue
        ours[name] = path
        waiting += [name.rpartition(".")[0]] if "." in name else []
        waiting += _imported(ast.parse(path.read_text(encoding="utf-8")))
    return Reached(dict(sorted(ours.items())), standard)


def _file(name: str) -> Path | None:
    path = SOURCE / name.replace(".", "/")
    return next(filter(Path.is_file, (path / "__init__.py", path.with_suffix(".py"))), None)


def _imported(tree: ast.AST) -> Iterator[str]:
    """The modules that a module names, but for those that only a type checker reads."""
    if isinstance(tree, ast.If) and ast.unparse(tree.test) == "TYPE_CHECKING":
        return
    if isinstance(tree, ast.Import):
        yield from (alias.name for alias in tree.names)
    elif isinstance(tree, ast.ImportFrom) and tree.module:
        yield tree.module
        if tree.module.split(".")[0] == "duels":
            yield from (f"{tree.module}.{alias.name}" for alias in tree.names)
    elif isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield from PART.findall(tree.value)
    for child in ast.iter_child_nodes(tree):
        yield from _imported(child)
