"""What somebody sends: the requests in the OpenAPI document. Nothing unknown is let through."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from duels.games import GAMES
from duels.players.levels import LEVELS

Mode = Literal["computer", "friend", "here"]
GameId = Annotated[str, Field(max_length=40, examples=list(GAMES))]
Name = Annotated[str, Field(max_length=200)]
Ply = Annotated[int, Field(ge=0, le=1000, description="How many moves have been made before.")]
Whole = Annotated[int, Field(ge=-(10**15), le=10**15)]
MoveData = Whole | Annotated[list[Whole], Field(min_length=2, max_length=2)]
MoveText = Annotated[str, Field(max_length=64)]
Player = Literal[1, 2]


class Request(BaseModel):
    """What somebody sends: nothing is guessed, nothing unknown is let through."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class Options(Request):
    """The options of all games; each game takes its own."""

    numbers: Whole | None = None
    criteria: Annotated[str, Field(max_length=200)] | None = None
    divisor: Whole | None = None
    opening: Annotated[str, Field(max_length=20)] | None = None

    def given(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


class NewMatch(Request):
    """A match to be created. `names[0]` is the creator; `first` is 1 when the creator begins."""

    game: GameId
    options: Options = Options()
    mode: Mode
    level: Annotated[str, Field(max_length=20, examples=list(LEVELS))] = "casual"
    names: Annotated[list[Name | None], Field(max_length=2)] = []
    first: Literal[1, 2, "coin"] = 1
    time_limit: Annotated[float, Field(ge=0.1, le=86_400)] | None = None
    public: bool = False
    show_moves: bool = True


class Join(Request):
    name: Name | None = None


class NewMove(Request):
    """A move and the number of moves that it answers. Sent twice, it counts once."""

    ply: Ply
    move: MoveText | MoveData


class AskTakeback(Request):
    ply: Ply


class AnswerTakeback(Request):
    ply: Ply
    agree: bool


class Line(Request):
    """A position: a game and the moves that lead there."""

    game: GameId
    options: Options = Options()
    moves: Annotated[list[MoveText], Field(max_length=200)] = []
