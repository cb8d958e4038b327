"""What a class takes home: the standings, and the positions from which all can learn."""

from __future__ import annotations

import csv
import io
from typing import Any

from duels.coach.puzzles import mistakes
from duels.coach.review import review
from duels.match.match import Match
from duels.service.asking import Answer, Asked, answer
from duels.service.class_door import seen_by_teacher
from duels.service.class_views import points
from duels.service.play import Desk
from duels.service.state import position_state
from duels.service.teaching import Seen

MOST_TURNS = 6
"""Turning points that a class looks at together."""
CSV = "text/csv; charset=utf-8"


async def results(desk: Desk, asked: Asked) -> Answer:
    """The standings with the share of wins kept, and what the class can learn from its games."""
    seen = await seen_by_teacher(desk, asked)
    judged = await _judge(desk, asked, seen)
    return answer({"standings": _standings(seen, judged["kept"]), "turns": judged["turns"]})


async def results_file(desk: Desk, asked: Asked) -> Answer:
    """The standings as a table for a spreadsheet."""
    seen = await seen_by_teacher(desk, asked)
    judged = await _judge(desk, asked, seen)
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["name", "points", "games", "wins to keep", "wins kept"])
    for one in _standings(seen, judged["kept"]):
        table.writerow([_cell(one["name"]), one["points"], one["games"], one["wins"], one["kept"]])
    headers = {"Content-Disposition": f'attachment; filename="class-{seen.school.code}.csv"'}
    return Answer(text.getvalue().encode("utf-8-sig"), 200, CSV, headers)


async def _judge(desk: Desk, asked: Asked, seen: Seen) -> dict[str, Any]:
    played = [hosted.match for hosted in seen.boards.values() if hosted.match.outcome]
    return await desk.study.run(asked.about(seen.school.code), _judged, played)


def _cell(text: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t" else text


def _judged(matches: list[Match]) -> dict[str, Any]:
    """By match and player: how many wins there were to keep, and how many were kept."""
    reviews = {match.id: review(match) for match in matches}
    kept = {name: [one.chances(1), one.chances(2)] for name, one in reviews.items()}
    turns = [
        {
            **position_state(puzzle.position, None),
            "source": puzzle.source,
            "difficulty": puzzle.difficulty,
        }
        for puzzle in mistakes(matches)[:MOST_TURNS]
    ]
    return {"kept": kept, "turns": turns}


def _standings(seen: Seen, kept: dict[str, list[Any]]) -> list[dict[str, Any]]:
    rows = []
    for pupil in seen.school.pupils:
        boards = [board for board in seen.school.boards if pupil.id in board.pupils]
        chances = [
            kept[board.match_id][board.pupils.index(pupil.id)]
            for board in boards
            if board.match_id in kept
        ]
        rows.append(
            {
                "pupil": pupil.id,
                "name": pupil.name,
                "points": points(seen, pupil),
                "games": len(boards),
                "wins": sum(wins for wins, _ in chances),
                "kept": sum(kept for _, kept in chances),
            }
        )
    return sorted(rows, key=lambda row: -row["points"])
