"""Packs modules as bytecode. It runs in the browser's Python, whose bytecode no other can write.

It takes a file with a plan, and leaves `library.zip`, the modules of the standard library that are
imported by those in the plan, and `duels.zip`, our own modules and the files beside them.
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
"""Where our modules will lie: what goes wrong in them is told by this path."""
UNCHECKED = (1).to_bytes(4, "little")
"""Bytecode that stands for itself: there is no source to compare it with."""


def pack(plan: dict[str, Any]) -> None:
    out, source = Path(plan["out"]), Path(plan["source"])
    sys.path.append(str(source))
    for name in (*plan["standard"], *plan["ours"]):
        importlib.import_module(name)
    with zipfile.ZipFile(out / "library.zip", "w") as library:
        for name in sorted(sys.modules):
            _add_standard(library, name)
    with zipfile.ZipFile(out / "duels.zip", "w") as ours:
        for path in plan["files"]:
            content = (source / path).read_bytes()
            if path.endswith(".py"):
                _write(ours, f"{path}c", _bytecode(content, f"{PLACE}/{path}", optimize=0))
            else:
                _write(ours, path, content)


def _add_standard(library: zipfile.ZipFile, name: str) -> None:
    """A module, if it comes from the archive of the standard library."""
    spec = getattr(sys.modules[name], "__spec__", None)
    archive = getattr(getattr(spec, "loader", None), "archive", None)
    if spec is None or archive is None:
        return
    source = spec.loader.get_source(name).encode()
    path = spec.origin.removeprefix(f"{archive}/")
    _write(library, f"{path}c", _bytecode(source, spec.origin, optimize=2))


def _bytecode(source: bytes, name: str, *, optimize: int) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    head = importlib.util.MAGIC_NUMBER + UNCHECKED + importlib.util.source_hash(source)
    # Written twice: what is marshalled must not depend on who else holds a string of it.
    return head + marshal.dumps(marshal.loads(marshal.dumps(code)))


def _write(archive: zipfile.ZipFile, path: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(path), content)  # as it is: the whole is compressed later


if __name__ == "__main__":
    pack(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
