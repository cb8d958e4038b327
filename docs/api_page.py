"""The entries of the API page, written as Markdown from the docstrings in the source.

Nothing is imported for it, so the page needs none of the optional packages.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import duels

SOURCE = Path(duels.__file__).parent.parent
LONGEST_HEAD = 88
OWN = ("self", "cls")
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


def entries(names: list[str]) -> str:
    """Return one section for each dotted name, with its public members as a list."""
    return "\n".join(line for name in names for line in _entry(name))


def _entry(name: str) -> Iterator[str]:
    node, docs = _find(name)
    yield from (f"### `{name}`", "")
    if isinstance(node, ast.FunctionDef):
        yield from _code(_signature(node))
    yield from (docs, "")
    if isinstance(node, ast.ClassDef):
        members = [f"- `{head}`: {' '.join(text.split())}" for head, text in _members(node.body)]
        if fields := _fields(node):
            members.insert(0, f"- Fields: {', '.join(fields)}")
        yield from [*members, ""] if members else []


def _find(name: str) -> tuple[Definition, str]:
    module, _, last = name.rpartition(".")
    for node, docs in _definitions(_tree(module).body):
        if _name(node) == last:
            return node, docs
    return _find(f"{_imported(module, last)}.{last}")


@cache
def _tree(module: str) -> ast.Module:
    path = SOURCE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text("utf-8"))


def _imported(module: str, name: str) -> str:
    for node in _tree(module).body:
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return str(node.module)
    raise LookupError(f"{module} has no {name}")


def _definitions(body: list[ast.stmt]) -> Iterator[tuple[Definition, str]]:
    """Yield what a module or class defines with a docstring, or with a string below it."""
    for node, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node, ast.get_docstring(node) or ""
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            match below:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield node, inspect.cleandoc(text)
                case _:
                    yield node, ""


def _name(node: Definition) -> str:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    return ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])


def _members(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for node, docs in _definitions(body):
        name = _name(node)
        if not docs or name.startswith("_"):
            continue
        if isinstance(node, ast.FunctionDef) and not _is_property(node):
            given = [part for part in _parameters(node.args, typed=False) if part not in OWN]
            name = f"{name}({', '.join(given)})"
        yield name, docs


def _is_property(node: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def _fields(node: ast.ClassDef) -> list[str]:
    """The fields without a docstring of their own, with their types."""
    return [
        f"`{_name(item)}: {ast.unparse(item.annotation)}`"
        for item, docs in _definitions(node.body)
        if isinstance(item, ast.AnnAssign) and not docs and not _name(item).startswith("_")
    ]


def _signature(node: ast.FunctionDef) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{node.name}({ast.unparse(node.args)}){returns}"
    if len(line) <= LONGEST_HEAD:
        return line
    inner = "".join(f"    {part},\n" for part in _parameters(node.args, typed=True))
    return f"{node.name}(\n{inner}){returns}"


def _parameters(given: ast.arguments, *, typed: bool) -> list[str]:
    """Each parameter, and the `*` where keywords begin."""
    first = [*given.posonlyargs, *given.args]
    defaults = [*[None] * (len(first) - len(given.defaults)), *given.defaults]
    star = [f"*{_parameter(given.vararg, None, typed)}"] if given.vararg else []
    return [
        *(_parameter(arg, value, typed) for arg, value in zip(first, defaults, strict=True)),
        *(star or ["*"] * bool(given.kwonlyargs)),
        *(
            _parameter(arg, value, typed)
            for arg, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        ),
        *([f"**{_parameter(given.kwarg, None, typed)}"] if given.kwarg else []),
    ]


def _parameter(arg: ast.arg, default: ast.expr | None, typed: bool) -> str:
    if not typed:
        return arg.arg
    return ast.unparse(arg) + (f" = {ast.unparse(default)}" if default else "")


def _code(text: str) -> list[str]:
    return ["```python", text, "```", ""]
