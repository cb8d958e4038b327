"""One answer of an exam, as it is written down; `read_line` reads what `Answer.data` wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from duels.lab.arena.folder import read_amount, read_count
from duels.lab.arena.usage import NOTHING, Usage
from duels.lab.exam.item import Item
from duels.match.players.answers import MOVE
from duels.match.players.specs import FORFEITS


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
    used: Usage = NOTHING
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
        data = {"key": self.key} | vars(self) | vars(self.used)
        return {name: data[name] for name in _WRITTEN}


_WRITTEN = (
    *("key", "sitter", "item", "kind", "move", "detail"),
    *("tokens_in", "tokens_out", "uncounted", "cost", "seconds"),
)


def key_of(sitter: str, item: str) -> str:
    return f"{sitter} | {item}"


def read_line(data: Any) -> Answer:
    """The answer of a line; some error if it would be written otherwise."""
    kind = str(data["kind"])
    answer = Answer(
        sitter=str(data["sitter"]),
        item=str(data["item"]),
        kind=kind,
        move=None if data["move"] is None else str(data["move"]),
        detail=str(data["detail"]),
        used=Usage(
            {kind: 1},
            read_count(data["tokens_in"]),
            read_count(data["tokens_out"]),
            read_count(data["uncounted"]),
            read_amount(data["cost"]),
        ),
        seconds=read_amount(data["seconds"]) or 0.0,
    )
    is_move = answer.kind == MOVE
    if answer.data() != data or is_move != (answer.move is not None):
        raise ValueError("It contradicts itself.")
    if not is_move and answer.kind not in FORFEITS:
        raise ValueError("There is no such answer.")
    return answer
