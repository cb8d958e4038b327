"""A class as plain data, to be kept and read again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from duels.service.classes import Board, Plan, Pupil, SchoolClass


def to_data(it: SchoolClass) -> dict[str, Any]:
    """A class as plain data, to be kept."""
    plan = it.plan._asdict() if it.plan else None
    return {
        "teacher": it.teacher,
        "pupils": [pupil._asdict() for pupil in it.pupils],
        "plan": plan,
        "round": it.round,
        "boards": [board._asdict() for board in it.boards],
        "is_paused": it.is_paused,
    }


def from_data(code: str, version: int, updated: int, data: Mapping[str, Any]) -> SchoolClass:
    """A class that was kept."""
    return SchoolClass(
        code=code,
        teacher=data["teacher"],
        updated=updated,
        version=version,
        pupils=tuple(
            Pupil(**{**one, "keys": tuple(one["keys"]), "asking": tuple(one["asking"])})
            for one in data["pupils"]
        ),
        plan=Plan(**data["plan"]) if data["plan"] else None,
        round=data["round"],
        boards=tuple(
            Board(one["round"], tuple(one["pupils"]), one["match_id"]) for one in data["boards"]
        ),
        is_paused=data["is_paused"],
    )
