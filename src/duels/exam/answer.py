"""One answer of an exam, as it is written down; `read_line` reads what `Answer.data` wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from duels.arena.folder import MOST_COUNTED, read_count
from duels.exam.item import Item
from duels.players.answers import MOVE
from duels.players.specs import FORFEITS


@dataclass(frozen=True)
class Answer:
    """What somebody has said to a question, and what that came to."""

    sitter: str
    item: str
    """The hash of the question."""
    kind: str
    """A move, or why there is none: one of `FORFEITS`."""
    move: str | None = None
    detail: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: int = 0
    cost: float | None = None
    seconds: float = 0.0

    @property
    def key(self) -> str:
        return key_of(self.sitter, self.item)

    @property
    def counts(self) -> bool:
        """What a server has spoilt says nothing about the model, and is asked again."""
        return self.kind != "failed"

    def is_right(self, item: Item) -> bool:
        """Whether the win was kept."""
        game = item.position.game
        return self.move is not None and game.parse(self.move) in item.winning_moves

    def data(self) -> dict[str, Any]:
        return {"key": self.key, **vars(self)}


def key_of(sitter: str, item: str) -> str:
    return f"{sitter} | {item}"


def read_line(data: Any) -> Answer:
    """The answer of a line; some error if it would be written otherwise."""
    cost, seconds = data["cost"], data["seconds"]
    answer = Answer(
        sitter=str(data["sitter"]),
        item=str(data["item"]),
        kind=str(data["kind"]),
        move=None if data["move"] is None else str(data["move"]),
        detail=str(data["detail"]),
        tokens_in=read_count(data["tokens_in"]),
        tokens_out=read_count(data["tokens_out"]),
        uncounted=read_count(data["uncounted"]),
        cost=None if cost is None else _amount(cost),
        seconds=_amount(seconds),
    )
    is_move = answer.kind == MOVE
    if answer.data() != data or is_move != (answer.move is not None):
        raise ValueError("It contradicts itself.")
    if not is_move and answer.kind not in FORFEITS:
        raise ValueError("There is no such answer.")
    return answer


def _amount(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < MOST_COUNTED:
        raise ValueError("That is no amount.")
    return float(value)
