"""What the server answers: the responses in the OpenAPI document."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from duels.web.wanted import Mode, MoveData, Player


class Problem(BaseModel):
    """What is wrong, in a sentence (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    state: State | None = None


class PlayerState(BaseModel):
    name: str
    kind: Literal["person", "computer"]


class OutcomeState(BaseModel):
    winner: Player
    reason: Literal["no-moves", "divisible", "digits-used", "resigned", "time"]


class ClockState(BaseModel):
    """Seconds a turn; times in epoch milliseconds, null before both players are there."""

    limit: float
    turn_started: int | None
    deadline: int | None
    now: int


class TakebackState(BaseModel):
    by: Player
    ply: int
    text: str


class DivisorState(BaseModel):
    number: str
    remainder: int


class PositionState(BaseModel):
    """What a board shows. A move is a number, or a pair on the number line."""

    game: str
    options: dict[str, int | str]
    moves: list[MoveData]
    moves_text: list[str]
    ply: int
    to_move: Player | None
    legal_moves: list[MoveData]
    legal_text: list[str]
    last: MoveData | None
    divisor: DivisorState | None
    outcome: OutcomeState | None


class State(PositionState):
    """What everybody may know about a match; `you` only with the secret of a seat."""

    id: str
    version: int
    title: str
    mode: Mode
    public: bool
    players: list[PlayerState]
    joined: list[bool]
    seconds: list[float]
    status: str
    prompt: str
    clock: ClockState | None
    takeback: TakebackState | None
    rematch: str | None
    watching: int
    show_moves: bool
    you: list[Player] | None = None


class Seat(BaseModel):
    seat: Player
    token: str


class Created(BaseModel):
    """The secrets are told once, to whoever created the match."""

    id: str
    seat: Player | None
    token: str
    invite: Seat | None
    state: State
    said: list[str]


class Listed(BaseModel):
    id: str
    game: str
    title: str
    players: list[PlayerState]
    ply: int
    status: str
    updated: int


class Matches(BaseModel):
    matches: list[Listed]


class Rematch(BaseModel):
    id: str


class Hint(BaseModel):
    """One stage of help, and how many there are here."""

    stage: int
    stages: int
    text: str


class ReviewedMove(BaseModel):
    player: Player
    move: MoveData
    label: str
    winner_after: Player
    better: MoveData | None
    why: str


class Chances(BaseModel):
    wins: int
    kept: int


class Review(BaseModel):
    game: str
    options: dict[str, int | str]
    players: list[str]
    winner_at_start: Player
    turning_point: int | None
    chances: dict[str, Chances]
    moves: list[ReviewedMove]
    lines: list[str]
    strip: str


class Solved(BaseModel):
    """The truth about a position; `wins` is null when the game is over."""

    position: PositionState
    wins: bool | None
    winning_text: list[str]
    reason: str
    explanation: list[str]
    status: str


class OptionWords(BaseModel):
    name: str
    words: str
    default: int | str | None
    choices: list[str] | None = None
    lowest: int | None = None
    highest: int | None = None


class GameWords(BaseModel):
    game: str
    title: str
    summary: str
    options: list[OptionWords]


class LevelWords(BaseModel):
    name: str
    words: str


class Games(BaseModel):
    games: list[GameWords]
    levels: list[LevelWords]


class Rules(BaseModel):
    game: str
    title: str
    markdown: str


class ReadRecord(BaseModel):
    game: str
    options: dict[str, int | str]
    moves_text: list[str]
    players: list[str]
    result: str


class Records(BaseModel):
    matches: list[ReadRecord]
    problems: list[str]


class Health(BaseModel):
    status: str
