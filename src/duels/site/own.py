"""What somebody brings along: a game of their own, or everything from another device."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from duels.core.errors import DuelsError
from duels.core.files import version_fault
from duels.games import GAMES
from duels.games.added import add_file
from duels.service.problems import Problem
from duels.service.rows import from_document

FORMAT = "number-duels"
VERSION = 1
"""The version of exports, which portable.js writes."""
DAMAGED = "This file cannot be taken over: {}. Nothing was changed."


def add_game(name: str, source: str) -> dict[str, Any]:
    """Run a file of games: {games: their ids and titles}, or {trouble: sentence}."""
    known = {*GAMES}
    folder = Path(gettempdir()) / "own-games"
    folder.mkdir(exist_ok=True)
    path = folder / (re.sub(r"[^\w.-]", "_", Path(name).name) or "game.py")
    path.write_text(source, encoding="utf-8")
    try:
        add_file(path)
    except (DuelsError, MemoryError) as error:
        return {"trouble": str(error).replace(f"{folder}/", "") or f"{name} needs too much memory."}
    return {"games": {one: GAMES[one].title for one in GAMES if one not in known}}


def check_export(text: str) -> dict[str, Any]:
    """What an exported file holds; a match whose game is not here is taken as it is."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {"trouble": DAMAGED.format("it is damaged, or it is no export")}
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return {"trouble": DAMAGED.format("it is no export of Number Duels")}
    if fault := version_fault(data, VERSION):
        return {"trouble": DAMAGED.format(fault)}
    kept, matches, games = (data.get(name) for name in ("kept", "matches", "games"))
    if not (_is_text_by_name(kept) and _is_text_by_name(games) and isinstance(matches, list)):
        return {"trouble": DAMAGED.format("parts of it are missing")}
    for number, one in enumerate(matches, start=1):
        try:
            from_document(one)
        except Problem:
            pass
        except ValueError:
            return {"trouble": DAMAGED.format(f"match {number} in it is damaged")}
    return {"kept": kept, "matches": matches, "games": games}


def _is_text_by_name(data: Any) -> bool:
    return isinstance(data, dict) and all(isinstance(text, str) for text in data.values())
