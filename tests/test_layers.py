"""Imports only point down the layers, and starting up stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "duels"
LAYERS = [
    {"core"},
    {"games"},
    {"theory", "testing"},
    {"match"},
    {"coach"},
    {"lab"},
    {"service"},
    {"pages"},
    {"terminal", "server", "site"},
    {"cli", "__main__"},
]
"""From the bottom up; `__init__` is the public surface of the lower ones."""

FAMILIES = {"chain", "line", "digits"}
FAMILY_FILES = {
    "theory": {
        *("theory", "search", "checker", "picture"),
        *("matching", "sparse", "dense", "compiled", "divisors"),
    },
    "match": {"dialogue"},
    "lab": {"environment", "atlas"},
    "games": {"__init__", "rules", "criteria"},
}
"""Which layer a file of a family belongs to, by its name."""

LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
OF_FILE = {name: layer for layer, names in FAMILY_FILES.items() for name in names}


def layer_of(parts):
    """The layer of a module by its dotted name, without the name of the package."""
    if parts[0] == "games" and len(parts) > 2 and parts[1] in FAMILIES:
        return OF_FILE[parts[2]]
    return parts[0]


def modules_of(path):
    """Which of our modules a file imports, as parts of their names."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "duels" and len(parts) > 1 and parts[1] in LEVEL:
                yield parts[1:]


def own_parts(path):
    parts = [*path.relative_to(SOURCE).with_suffix("").parts]
    return parts if parts[0] in LEVEL else None


def test_there_are_at_most_twelve_packages():
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages == LEVEL.keys() - {"testing", "__main__"}
    assert len(packages) <= 12


def test_every_file_of_a_family_belongs_to_a_layer():
    for family in FAMILIES:
        names = {path.stem for path in (SOURCE / "games" / family).glob("*.py")}
        assert names <= OF_FILE.keys()
        assert {"rules", "theory", "checker", "dialogue", "picture", "environment"} <= names


def test_imports_only_point_down():
    wrong = [
        f"{path.relative_to(SOURCE)} imports {'.'.join(imported)}"
        for path in SOURCE.rglob("*.py")
        if (own := own_parts(path))
        for imported in modules_of(path)
        if LEVEL[layer_of(imported)] > LEVEL[layer_of(own)]
    ]
    assert wrong == []


def test_core_needs_only_the_standard_library():
    for path in (SOURCE / "core").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                root = node.module.split(".")[0]
                assert root in {"duels", *sys.stdlib_module_names}, path


def test_a_checker_of_a_family_imports_nothing_of_its_solver():
    for family in FAMILIES:
        checker = SOURCE / "games" / family / "checker.py"
        own = [imported[2] for imported in modules_of(checker) if imported[:2] == ["games", family]]
        assert {*own} <= {"rules", "criteria"}


def test_a_query_imports_nothing_it_does_not_use():
    code = (
        "import sys; from duels.cli import main; "
        "main(['legal', 'number-duel', '28', '--json'], standalone_mode=False); "
        "print([m for m in sys.modules if m.startswith(('platformdirs', 'duels.terminal', "
        "'duels.match', 'hypothesis', 'numpy', 'msgspec', 'importlib.metadata', 'pathlib'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_assistants_are_served_without_the_packages_of_the_web():
    code = (
        "import sys; sys.modules |= dict.fromkeys(('starlette', 'uvicorn', 'sqlalchemy', 'jinja2', "
        "'markdown_it', 'segno', 'mcp', 'anyio')); import duels.server.mcp"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
