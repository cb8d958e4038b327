"""Problems: refused requests with a status and a sentence (RFC 9457), and words for bad values."""

from __future__ import annotations

import re
from functools import cache
from http import HTTPStatus
from threading import Lock
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, inspect

from duels.core.errors import DuelsError, UnreadableMove
from duels.core.words import listed, printable

MEDIA_TYPE = "application/problem+json"
T = TypeVar("T")

_READY: set[Any] = set()
_LOCK = Lock()


class Problem(Exception):
    """A refused request; if `stale`, the response includes the current state of the match."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        stale: bool = False,
        headers: dict[str, str] | None = None,
        state: bytes | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.stale = stale
        self.headers = headers
        self.state = state

    @property
    def content(self) -> bytes:
        """The body of the response, as JSON."""
        body = ProblemBody(
            title=HTTPStatus(self.status).phrase,
            status=self.status,
            detail=self.detail.encode("utf-8", "replace").decode(),
            state=Raw(self.state) if self.state else UNSET,
        )
        return msgspec.json.encode(body)


def problem_of(error: Problem | DuelsError) -> Problem:
    """Return an error of the library as a Problem: 400 if unreadable, else 422."""
    if isinstance(error, Problem):
        return error
    return Problem(400 if isinstance(error, UnreadableMove) else 422, str(error))


class ProblemBody(Struct, frozen=True, kw_only=True):
    """What is wrong, in a sentence (RFC 9457); `state` if the request came too late for it."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    state: Raw | UnsetType = UNSET


def ready(kind: type[T]) -> type[T]:
    """Return a type that several threads can safely parse with msgspec at once.

    msgspec prepares a struct type when it first reads one, and the whole process crashes if another
    thread reads one meanwhile (seen with 0.22). So the type is prepared here, once.
    """
    if kind not in _READY:
        with _LOCK:
            msgspec.json.Decoder(kind)
            _READY.add(kind)
    return kind


def read_as(kind: type[T], data: dict[str, Any]) -> T:
    """Return data as the declared struct; a Problem names the first field that is wrong."""
    for name in data.keys() - set(kind.__struct_encode_fields__):  # type: ignore[attr-defined]
        raise Problem(422, f"Unknown field: {printable(name, '�')[:200]}.")
    try:
        return msgspec.convert(data, ready(kind))
    except msgspec.ValidationError as error:
        raise Problem(422, _sentence(kind, str(error))) from None


@cache
def number_fields(kind: type[Any]) -> frozenset[str]:
    """Return the names of the integer fields."""
    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]
    return frozenset(
        field.encode_name
        for field in fields
        if isinstance(getattr(field.type, "type", field.type), inspect.IntType)
    )


_MISSING = re.compile(r"Object missing required field `(\w+)`")
_PATH = re.compile(r" - at (`key` in )?`\$\.(\w+)(?:\[(\d+|\.\.\.)\])?.*`$")


def _sentence(kind: type[Any], error: str) -> str:
    """Return what msgspec found wrong with a struct, in the words of its declaration."""
    if missing := _MISSING.match(error):
        return f"Missing field: {missing[1]}."
    found = _PATH.search(error)
    if not found:
        return f"{error}."
    is_key, name, index = found.groups()
    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]
    node = next(field.type for field in fields if field.encode_name == name)
    if is_key:
        return f"{name}: each name must be {_words(_part(node, 'key_type'))}."
    if index is None:
        return f"{name}: must be {_words(node)}."
    if index.isdigit():
        return f"{name}: item {int(index) + 1} must be {_words(_part(node, 'item_type'))}."
    return f"{name}: each value must be {_words(_part(node, 'value_type'))}."


def _part(node: Any, part: str) -> Any:
    """Return the type of the items, keys or values of a collection, also inside a union."""
    if isinstance(node, inspect.Metadata):
        return _part(node.type, part)
    if isinstance(node, inspect.UnionType):
        return next(_part(one, part) for one in node.types if hasattr(one, part))
    return getattr(node, part)


def _words(node: Any) -> str:
    """Describe the values of a declared type: "a whole number from 0 to 1,000"."""
    match node:
        case inspect.Metadata():
            return (node.extra or {}).get("words") or _words(node.type)
        case inspect.IntType(ge=int(), le=int()):
            return f"a whole number from {node.ge:,} to {node.le:,}"
        case inspect.IntType():
            return "a whole number"
        case inspect.FloatType():
            return f"a number from {node.ge:,} to {node.le:,}"
        case inspect.StrType():
            return f"text of at most {node.max_length:,} characters" if node.max_length else "text"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType():
            return listed(node.values, "or")
        case inspect.ListType():
            if node.max_length is None:
                return "a list"
            few = node.max_length == node.min_length
            return f"a list of {'' if few else 'at most '}{node.max_length:,} items"
        case inspect.DictType():
            most = f" with at most {node.max_length} entries" if node.max_length else ""
            return f"an object{most}"
        case inspect.UnionType():
            return listed(
                [_words(one) for one in node.types if not isinstance(one, inspect.NoneType)], "or"
            )
    return "something else"
