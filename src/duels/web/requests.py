"""What somebody sends: the requests in the OpenAPI document. Nothing unknown is let through."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from duels.games import GAMES
from duels.players.levels import LEVELS

LARGEST = 10**15
"""Whole numbers that are read lie between this and its negative."""
MOST_MOVES = 1000
MOST_OPTIONS = 20
LONGEST_TEXT = 200
"""Characters of a name, and of an option's value."""

Mode = Literal["computer", "friend", "here"]
GameId = Annotated[str, Field(max_length=40, examples=list(GAMES))]
Name = Annotated[str, Field(max_length=LONGEST_TEXT)]
Ply = Annotated[
    int, Field(ge=0, le=MOST_MOVES, description="How many moves have been made before.")
]
Whole = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
MoveData = Whole | Annotated[list[Whole], Field(min_length=2, max_length=2)]
MoveText = Annotated[str, Field(max_length=64)]
OptionName = Annotated[str, Field(max_length=40)]
OptionText = Annotated[str, Field(max_length=LONGEST_TEXT)]
Player = Literal[1, 2]


def _few(options: Any) -> Any:
    """Counted before each of them is looked at: thousands of wrong ones take long to name."""
    if isinstance(options, dict) and len(options) > MOST_OPTIONS:
        raise ValueError(f"at most {MOST_OPTIONS} options are read")
    return options


Options = Annotated[
    dict[OptionName, Whole | OptionText],
    BeforeValidator(_few),
    Field(max_length=MOST_OPTIONS, description="By name, as GET /api/games lists them."),
]


class Sent(BaseModel):
    """What somebody sends: nothing is guessed, nothing unknown is let through."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class NewMatch(Sent):
    """A match to be created. `names[0]` is the creator; `first` is 1 when the creator begins."""

    game: GameId
    options: Options = {}
    mode: Mode
    level: Annotated[str, Field(max_length=20, examples=list(LEVELS))] = "casual"
    names: Annotated[list[Name | None], Field(max_length=2)] = []
    first: Literal[1, 2, "coin"] = 1
    time_limit: Annotated[float, Field(ge=0.1, le=86_400)] | None = None
    public: bool = False
    show_moves: bool = True


class Join(Sent):
    name: Name | None = None


class NewMove(Sent):
    """A move and the number of moves that it answers. Sent twice, it counts once."""

    ply: Ply
    move: MoveText | MoveData


class AskTakeback(Sent):
    ply: Ply


class AnswerTakeback(Sent):
    ply: Ply
    agree: bool


class Line(Sent):
    """A position: a game and the moves that lead there."""

    game: GameId
    options: Options = {}
    moves: Annotated[list[MoveText], Field(max_length=MOST_MOVES)] = []
