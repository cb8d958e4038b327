"""A user's Python file: run it as a module, and say in a sentence what is wrong with it."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from zlib import crc32

from duels.core.errors import DuelsError, OptionError


def run_file(path: Path, what: str) -> ModuleType:
    """A file as a module; OptionError with the line if it cannot be run. `what` it shall be."""
    name = f"{path.stem}_{crc32(str(path).encode())}"  # a module that nothing else is called
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise OptionError(f"{path} cannot be used as {what}: it is not a Python file.")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, DuelsError | KeyboardInterrupt):
            raise
        raise OptionError(f"{path} cannot be used as {what}. {fault(error, path)}") from None
    return module


def fault(error: BaseException, path: Path | None = None) -> str:
    """What went wrong in a user's code, and in which line."""
    what = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError) and error.lineno:
        return f"Line {error.lineno}: {what}"
    ours = str(Path(__file__).parent.parent)
    frames = [f for f in extract_tb(error.__traceback__) if not f.filename.startswith((ours, "<"))]
    frames = [f for f in frames if path is None or f.filename == str(path)] or frames
    if not frames:
        return what
    return f"{frames[-1].filename}, line {frames[-1].lineno}: {what}"
