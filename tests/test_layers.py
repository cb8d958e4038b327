"""Imports only point down the layers, and starting up stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "duels"
LAYERS = [
    {"core", "look"},
    {"games"},
    {"testing", "theory"},
    {"players", "pictures"},
    {"match"},
    {"record", "coach", "dialogue"},
    {"terminal", "jobs", "envs", "hosting"},
    {"web", "arena", "atlas", "exam"},
    {"site"},
    {"cli", "__main__"},
]
"""From the bottom up; `__init__` is the public surface of the lower ones."""

LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def imports_of(path):
    """Which of our layers a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
            if node.module == "duels":
                names = [f"duels.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "duels" and len(parts) > 1 and parts[1] in LEVEL:
                yield parts[1]


def test_every_module_has_a_layer():
    found = {path.stem for path in SOURCE.iterdir() if path.name not in {"py.typed", "__pycache__"}}
    assert found - {"__init__"} == LEVEL.keys()


def test_imports_only_point_down():
    wrong = [
        f"{path.relative_to(SOURCE)} imports {layer}"
        for path in SOURCE.rglob("*.py")
        if (own := path.relative_to(SOURCE).parts[0].removesuffix(".py")) in LEVEL
        for layer in imports_of(path)
        if LEVEL[layer] > LEVEL[own]
    ]
    assert wrong == []


def test_core_needs_only_the_standard_library():
    for path in (SOURCE / "core").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                root = node.module.split(".")[0]
                assert root in {"duels", *sys.stdlib_module_names}, path


def test_a_query_imports_nothing_it_does_not_use():
    code = (
        "import sys; from duels.cli import main; "
        "main(['legal', 'number-duel', '28', '--json'], standalone_mode=False); "
        "print([m for m in sys.modules if m.startswith(('platformdirs', 'duels.terminal', "
        "'duels.record', 'duels.match', 'hypothesis', 'numpy', 'importlib.metadata', 'pathlib'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
