"""Strict JSON: what another reader could understand differently is rejected."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """Return plain data from JSON; ValueError for a duplicate key, NaN or Infinity."""
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f'the key "{twice[:40]}" is there twice')
    return found


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a number")
