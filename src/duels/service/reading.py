"""Reads what somebody sent: nothing is guessed, nothing unknown is let through.

A request is a frozen dataclass. Each of its fields says what kind of value it takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, field, fields
from math import isfinite
from typing import Any, NamedTuple, TypeVar

from duels.core.data import parse_json
from duels.core.words import listed, printable, whole_number
from duels.service.problems import Problem

T = TypeVar("T")
Schema = dict[str, Any]


class Wrong(Exception):
    """What is wrong with a value, as the rest of a sentence: "must be a whole number"."""


class Kind(NamedTuple):
    """A kind of value: `read` gives the value, if it is of this kind, and is Wrong if not."""

    read: Callable[[Any], Any]
    schema: Schema
    """The same for the OpenAPI document."""


def sent(kind: Kind, words: str = "", *, default: Any = MISSING) -> Any:
    """A field of a request; `words` are for the OpenAPI document."""
    return field(
        default=default if default.__hash__ else MISSING,
        default_factory=MISSING if default.__hash__ else lambda: default,
        metadata={"kind": kind, "words": words},
    )


def whole(lowest: int, highest: int) -> Kind:
    """A whole number."""

    def read(value: Any) -> int:
        if type(value) is not int or not lowest <= value <= highest:
            raise Wrong(f"must be a whole number from {lowest:,} to {highest:,}")
        return value

    return Kind(read, {"type": "integer", "minimum": lowest, "maximum": highest})


def number(lowest: float, highest: float) -> Kind:
    """A number, whole or not."""

    def read(value: Any) -> float:
        is_number = type(value) in (int, float) and isfinite(value)
        if not is_number or not lowest <= value <= highest:
            raise Wrong(f"must be a number from {lowest:,} to {highest:,}")
        return float(value)

    return Kind(read, {"type": "number", "minimum": lowest, "maximum": highest})


def text(most: int, examples: tuple[str, ...] = ()) -> Kind:
    """Characters."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or any("\ud800" <= char <= "\udfff" for char in value):
            raise Wrong("must be text")  # and half a character is none
        if len(value) > most:
            raise Wrong(f"may have at most {most:,} characters")
        return value

    more: Schema = {"examples": list(examples)} if examples else {}
    return Kind(read, {"type": "string", "maxLength": most, **more})


def secret() -> Kind:
    """A secret that somebody made: nobody guesses it, and it can stand in a link and a header."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or not re.fullmatch("[A-Za-z0-9_-]{20,100}", value):
            raise Wrong("must be 20 to 100 letters, digits, - or _")
        return value

    look = {"minLength": 20, "maxLength": 100, "pattern": "^[A-Za-z0-9_-]+$"}
    return Kind(read, {"type": "string", **look, "examples": ["made-on-the-device-by-chance"]})


def one_of(*values: Any) -> Kind:
    """One of a few values."""

    def read(value: Any) -> Any:
        if not any(type(value) is type(one) and value == one for one in values):
            raise Wrong(f"must be {listed([str(one) for one in values], 'or')}")
        return value

    return Kind(read, {"enum": list(values)})


FLAG = one_of(True, False)


def list_of(kind: Kind, most: int, least: int = 0) -> Kind:
    """Values of one kind, in their order."""

    def read(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise Wrong("must be a list")
        if not least <= len(value) <= most:
            at_least = f"at least {least} and " if least else ""
            raise Wrong(f"may have {at_least}at most {most:,} items")
        return [kind.read(item) for item in value]

    bounds = {"minItems": least, "maxItems": most}
    return Kind(read, {"type": "array", "items": kind.schema, **bounds})


def named(kind: Kind, most: int, longest: int, what: str) -> Kind:
    """Values of one kind by name."""

    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Wrong("must be an object")
        if len(value) > most:
            raise Wrong(f"may have at most {most} {what}")
        if any(len(name) > longest for name in value):
            raise Wrong(f"may have names of at most {longest} characters")
        return {name: kind.read(item) for name, item in value.items()}

    names = {"type": "string", "maxLength": longest}
    items = {"propertyNames": names, "additionalProperties": kind.schema}
    return Kind(read, {"type": "object", "maxProperties": most, **items})


def either(*kinds: Kind | None) -> Kind:
    """A value of one of some kinds; None where it may be null."""

    def read(value: Any) -> Any:
        wrong: list[str] = []
        for kind in kinds:
            try:
                if kind is not None:
                    return kind.read(value)
                if value is None:
                    return None
            except Wrong as error:
                wrong.append(str(error))
        raise Wrong(" or ".join(wrong))

    return Kind(read, {"anyOf": [kind.schema if kind else {"type": "null"} for kind in kinds]})


def rest(kind: Kind) -> Kind:
    """All of a query that no other field takes, by name."""

    def read(value: dict[str, str]) -> dict[str, Any]:
        return {name: kind.read(item) for name, item in value.items()}

    return Kind(read, {"type": "object", "additionalProperties": kind.schema})


def is_rest(kind: Kind) -> bool:
    """Whether a field of a query is a `rest`: OpenAPI knows no other object in a query."""
    return kind.schema.get("type") == "object"


def read_body(kind: type[T], body: bytes) -> T:
    """The request in a body of JSON; a Problem if it is none."""
    try:
        data = parse_json(body or b"{}")
    except (ValueError, RecursionError):
        raise Problem(400, "The body is not JSON.") from None
    if not isinstance(data, dict):
        raise Problem(422, "The body must be a JSON object.")
    known = {one.name for one in fields(kind)}  # type: ignore[arg-type]
    for name in data.keys() - known:
        shown = printable(name, "�")[:200]
        raise Problem(422, f"{shown}: nothing of this name is read here.")
    return _made(kind, data)


def read_query(kind: type[T], query: Mapping[str, str]) -> T:
    """The request in a query, where a number is text like everything else."""
    known = {one.name: one.metadata["kind"] for one in fields(kind)}  # type: ignore[arg-type]
    data: dict[str, Any] = {}
    for name, one in known.items():
        if is_rest(one):
            data[name] = {name: value for name, value in query.items() if name not in known}
        elif name in query:
            is_whole = one.schema.get("type") == "integer"
            found = whole_number(query[name]) if is_whole else None
            data[name] = query[name] if found is None else found
    return _made(kind, data)


def _made(kind: type[T], data: dict[str, Any]) -> T:
    values = {}
    for one in fields(kind):  # type: ignore[arg-type]
        if one.name in data:
            try:
                values[one.name] = one.metadata["kind"].read(data[one.name])
            except Wrong as error:
                raise Problem(422, f"{one.name}: this {error}.") from None
        elif is_needed(one):
            raise Problem(422, f"{one.name}: this is missing.")
    return kind(**values)


def is_needed(one: Field[Any]) -> bool:
    """Whether a field has no default."""
    return one.default is MISSING and one.default_factory is MISSING


def schema_of(kind: type[Any]) -> Schema:
    """A request as JSON Schema."""
    described = {one.name: _described(one) for one in fields(kind)}
    needed = [one.name for one in fields(kind) if is_needed(one)]
    more: Schema = {"required": needed} if needed else {}
    about = {"title": kind.__name__, "description": kind.__doc__}
    shape = {"properties": described, "additionalProperties": False}
    return {"type": "object", **about, **shape, **more}


def _described(one: Field[Any]) -> Schema:
    words = one.metadata["words"]
    schema: Schema = one.metadata["kind"].schema
    if one.default is not MISSING:
        schema = {**schema, "default": one.default}
    return {**schema, "description": words} if words else schema
