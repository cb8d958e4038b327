"""Packs modules as bytecode; a script that runs in the browser's Python, which must compile them.

Its argument is a file with a plan. It writes `library.zip` (the modules of the standard library
that those in the plan import, and third-party packages) and `duels.zip` (our modules and data).
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import marshal
import sys
import zipfile
from pathlib import Path
from typing import Any

PLACE = f"/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
"""Where the modules will be in the browser; tracebacks name this path."""
UNCHECKED = (1).to_bytes(4, "little")
"""The flag of bytecode that is used without comparing it with a source."""


def pack(plan: dict[str, Any]) -> None:
    """Import everything in the plan, and write `library.zip` and `duels.zip`."""
    out = Path(plan["out"])
    sys.path += dict.fromkeys((*plan["duels"], *plan["library"]))
    for name in (*plan["standard"], *plan["modules"]):
        importlib.import_module(name)
    with zipfile.ZipFile(out / "library.zip", "w") as library:
        for name in sorted(sys.modules):
            _add_standard(library, name)
        _add_files(library, plan["library"])
    with zipfile.ZipFile(out / "duels.zip", "w") as duels:
        _add_files(duels, plan["duels"])


def _add_standard(library: zipfile.ZipFile, name: str) -> None:
    """Add a module if it was imported from the archive of the standard library."""
    spec = getattr(sys.modules[name], "__spec__", None)
    archive = getattr(getattr(spec, "loader", None), "archive", None)
    if spec is None or archive is None:
        return
    source = spec.loader.get_source(name).encode()
    path = spec.origin.removeprefix(f"{archive}/")
    _write(library, f"{path}c", _bytecode(source, spec.origin))


def _add_files(archive: zipfile.ZipFile, folders: dict[str, list[str]]) -> None:
    """Add files by the folder from which they are imported, modules as bytecode."""
    for folder, paths in folders.items():
        for path in paths:
            content = Path(folder, path).read_bytes()
            if path.endswith(".py"):
                content = _bytecode(content, f"{PLACE}/{path}")
            _write(archive, f"{path}c" if path.endswith(".py") else path, content)


def _bytecode(source: bytes, name: str) -> bytes:
    """Compile a module without its docstrings and assertions, so that less is sent."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    head = importlib.util.MAGIC_NUMBER + UNCHECKED + importlib.util.source_hash(source)
    # Marshalled twice, because the first result depends on which strings are shared in memory.
    return head + marshal.dumps(marshal.loads(marshal.dumps(code)))


def _write(archive: zipfile.ZipFile, path: str, content: bytes) -> None:
    archive.writestr(
        zipfile.ZipInfo(path), content
    )  # stored: the whole archive is compressed later


if __name__ == "__main__":
    pack(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
