"""Reads what somebody sent: nothing is guessed, nothing unknown is let through.

A request is a frozen dataclass. Each of its fields says what kind of value it takes, which reads
the value and describes itself for the OpenAPI document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from math import isfinite
from typing import Any, Protocol, TypeVar

from duels.core.words import listed, printable, whole_number
from duels.hosting.problems import Problem

T = TypeVar("T")
Schema = dict[str, Any]


class Wrong(Exception):
    """What is wrong with a value, as the rest of a sentence: "must be a whole number"."""


class Kind(Protocol):
    """A kind of value."""

    def read(self, value: Any) -> Any:
        """The value, if it is of this kind; Wrong if not."""

    @property
    def schema(self) -> Schema:
        """The same for programs."""


def sent(kind: Kind, words: str = "", *, default: Any = MISSING) -> Any:
    """A field of a request; `words` are for the OpenAPI document."""
    return field(
        default=default if default.__hash__ else MISSING,
        default_factory=MISSING if default.__hash__ else lambda: default,
        metadata={"kind": kind, "words": words},
    )


@dataclass(frozen=True)
class Whole:
    """A whole number."""

    lowest: int
    highest: int

    def read(self, value: Any) -> int:
        if type(value) is not int or not self.lowest <= value <= self.highest:
            raise Wrong(f"must be a whole number from {self.lowest:,} to {self.highest:,}")
        return value

    @property
    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.lowest, "maximum": self.highest}


@dataclass(frozen=True)
class Number:
    """A number, whole or not."""

    lowest: float
    highest: float

    def read(self, value: Any) -> float:
        is_number = type(value) in (int, float) and isfinite(value)
        if not is_number or not self.lowest <= value <= self.highest:
            raise Wrong(f"must be a number from {self.lowest:,} to {self.highest:,}")
        return float(value)

    @property
    def schema(self) -> Schema:
        return {"type": "number", "minimum": self.lowest, "maximum": self.highest}


@dataclass(frozen=True)
class Text:
    """Characters."""

    most: int
    examples: tuple[str, ...] = ()

    def read(self, value: Any) -> str:
        if not isinstance(value, str) or any("\ud800" <= char <= "\udfff" for char in value):
            raise Wrong("must be text")  # and half a character is none
        if len(value) > self.most:
            raise Wrong(f"may have at most {self.most:,} characters")
        return value

    @property
    def schema(self) -> Schema:
        more: Schema = {"examples": list(self.examples)} if self.examples else {}
        return {"type": "string", "maxLength": self.most, **more}


@dataclass(frozen=True)
class Secret:
    """A secret that somebody made: nobody guesses it, and it can stand in a link and a header."""

    def read(self, value: Any) -> str:
        if not isinstance(value, str) or not re.fullmatch("[A-Za-z0-9_-]{20,100}", value):
            raise Wrong("must be 20 to 100 letters, digits, - or _")
        return value

    @property
    def schema(self) -> Schema:
        return {
            "type": "string",
            "minLength": 20,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "examples": ["made-on-the-device-by-chance"],
        }


@dataclass(frozen=True)
class OneOf:
    """One of a few values."""

    values: tuple[Any, ...]

    def read(self, value: Any) -> Any:
        if not any(type(value) is type(one) and value == one for one in self.values):
            raise Wrong(f"must be {listed([str(one) for one in self.values], 'or')}")
        return value

    @property
    def schema(self) -> Schema:
        return {"enum": list(self.values)}


FLAG = OneOf((True, False))


@dataclass(frozen=True)
class ListOf:
    """Values of one kind, in their order."""

    kind: Kind
    most: int
    least: int = 0

    def read(self, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise Wrong("must be a list")
        if not self.least <= len(value) <= self.most:
            least = f"at least {self.least} and " if self.least else ""
            raise Wrong(f"may have {least}at most {self.most:,} items")
        return [self.kind.read(item) for item in value]

    @property
    def schema(self) -> Schema:
        bounds = {"minItems": self.least, "maxItems": self.most}
        return {"type": "array", "items": self.kind.schema, **bounds}


@dataclass(frozen=True)
class Named:
    """Values of one kind by name."""

    kind: Kind
    most: int
    longest: int
    what: str

    def read(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Wrong("must be an object")
        if len(value) > self.most:
            raise Wrong(f"may have at most {self.most} {self.what}")
        if any(len(name) > self.longest for name in value):
            raise Wrong(f"may have names of at most {self.longest} characters")
        return {name: self.kind.read(item) for name, item in value.items()}

    @property
    def schema(self) -> Schema:
        names = {"type": "string", "maxLength": self.longest}
        items = {"propertyNames": names, "additionalProperties": self.kind.schema}
        return {"type": "object", "maxProperties": self.most, **items}


@dataclass(frozen=True)
class Either:
    """A value of one of some kinds; None where it may be null."""

    kinds: tuple[Kind | None, ...]

    def read(self, value: Any) -> Any:
        wrong: list[str] = []
        for kind in self.kinds:
            try:
                if kind is not None:
                    return kind.read(value)
                if value is None:
                    return None
            except Wrong as error:
                wrong.append(str(error))
        raise Wrong(" or ".join(wrong))

    @property
    def schema(self) -> Schema:
        return {"anyOf": [kind.schema if kind else {"type": "null"} for kind in self.kinds]}


@dataclass(frozen=True)
class Rest:
    """All of a query that no other field takes, by name."""

    most: int

    def read(self, value: Any) -> Any:
        return value

    @property
    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": Text(self.most).schema}


def read_body(kind: type[T], body: bytes) -> T:
    """The request in a body of JSON; a Problem if it is none."""
    try:
        data = json.loads(body or b"{}", parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Problem(400, "The body is not JSON.") from None
    if not isinstance(data, dict):
        raise Problem(422, "The body must be a JSON object.")
    known = {one.name for one in fields(kind)}  # type: ignore[arg-type]
    for name in data.keys() - known:
        raise Problem(422, f"{_clean(name)}: nothing of this name is read here.")
    return _made(kind, data, lambda one, value: one.metadata["kind"].read(value))


def read_query(kind: type[T], query: Mapping[str, str]) -> T:
    """The request in a query, where a number is text like everything else."""
    known = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    data: dict[str, Any] = {name: text for name, text in query.items() if name in known}
    for one in known.values():
        if isinstance(one.metadata["kind"], Rest):
            data[one.name] = {name: text for name, text in query.items() if name not in known}
    return _made(kind, data, _read_text)


def _read_text(one: Field[Any], value: Any) -> Any:
    kind = one.metadata["kind"]
    if isinstance(kind, Whole):
        number = whole_number(value)
        return kind.read(value if number is None else number)
    return kind.read(value)


def _made(kind: type[T], data: dict[str, Any], read: Callable[[Field[Any], Any], Any]) -> T:
    values = {}
    for one in fields(kind):  # type: ignore[arg-type]
        if one.name in data:
            try:
                values[one.name] = read(one, data[one.name])
            except Wrong as error:
                raise Problem(422, f"{one.name}: this {error}.") from None
        elif one.default is MISSING and one.default_factory is MISSING:
            raise Problem(422, f"{one.name}: this is missing.")
    return kind(**values)


def schema_of(kind: type[Any]) -> Schema:
    """A request as JSON Schema."""
    named = {one.name: _described(one) for one in fields(kind)}
    needed = [n for n, one in zip(named, fields(kind), strict=True) if is_needed(one)]
    more: Schema = {"required": needed} if needed else {}
    about = {"title": kind.__name__, "description": kind.__doc__}
    return {"type": "object", **about, "properties": named, "additionalProperties": False, **more}


def is_needed(one: Field[Any]) -> bool:
    """Whether a field has no default."""
    return one.default is MISSING and one.default_factory is MISSING


def _described(one: Field[Any]) -> Schema:
    words = one.metadata["words"]
    schema: Schema = one.metadata["kind"].schema
    if one.default is not MISSING:
        schema = {**schema, "default": one.default}
    return {**schema, "description": words} if words else schema


def _clean(text: str) -> str:
    return printable(text, "�")[:200]


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
