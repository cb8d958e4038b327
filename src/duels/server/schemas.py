"""What the server answers about matches and classes: responses in the OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

Mode = Literal["computer", "friend", "here"]
Player = Literal[1, 2]


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
    computer: str | None


class OutcomeState(BaseModel):
    winner: Player
    reason: str


class ClockState(BaseModel):
    """Seconds a turn; times in milliseconds of the server's own time, which only `now` tells."""

    limit: float
    turn_started: int | None
    deadline: int | None
    now: int


class TakebackState(BaseModel):
    by: Player
    ply: int
    text: str


class Verb(BaseModel):
    """What a player does with a move: take 5, took 5, 5 is taken by."""

    do: str
    did: str
    done: str


class GameState(BaseModel):
    """A game with its options, and the words for its moves."""

    game: str
    title: str
    options: dict[str, int | str]
    options_words: str
    verb: Verb
    move_words: str
    pair_words: str


class PositionState(GameState):
    """What a page shows of a position. Moves are texts: "28", or "5-6" where a move is a pair.

    `board` has a `kind`, which chooses the board of the pages, and the facts that it shows.
    """

    moves: list[str]
    ply: int
    to_move: Player | None
    legal: list[str]
    board: dict[str, Any]
    outcome: OutcomeState | None


class Said(BaseModel):
    """The line over the board: whose turn it is and what fits, or who won and why."""

    status: str
    why: str


class State(PositionState, Said):
    """What everybody may know about a match; `you` only with the secret of a seat.

    `invited` only with an invitation: the seats that it opens, none once it has been used.
    `status` and `why` speak to whoever watches, `seen_by` to player 1 and to player 2.
    So many moves were `given` when the match began.
    `score` are the matches that each has won, of those that were rematches of each other;
    `hints` how many stages of help each has had, when it is over.
    """

    id: str
    version: int
    mode: Mode
    public: bool
    players: list[PlayerState]
    joined: list[bool]
    seconds: list[float]
    given: int
    seen_by: list[Said]
    clock: ClockState | None
    takeback: TakebackState | None
    rematch_offer: Player | None
    rematch: str | None
    school: str | None
    is_paused: bool
    score: list[int]
    watching: int
    show_moves: bool
    coach: bool
    hints: list[int] | None
    you: list[Player] | None = None
    invited: list[Player] | None = None


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


class Matches(BaseModel):
    matches: list[Listed]


class PlanState(GameState):
    """What a class plays."""

    coach: bool
    time_limit: float | None


class DeviceState(BaseModel):
    """A device that asks to be a pupil's; it shows the same words."""

    device: str
    words: str


class PupilState(BaseModel):
    id: str
    name: str
    points: int
    is_waiting: bool
    asking: list[DeviceState]


class BoardState(BaseModel):
    match: str
    pupils: list[str]
    state: State


class UnreadBoard(BaseModel):
    """A board that is kept and cannot be shown."""

    match: str
    names: list[str]
    why: str


class ClassState(BaseModel):
    """A class as its teacher, a pupil, or somebody at its door sees it: `role` says who."""

    code: str
    version: int
    role: Literal["teacher", "pupil", "asking", "door"]
    round: int
    is_paused: bool
    plan: PlanState | None
    why: str | None
    key: str | None
    name: str | None = None
    points: int | None = None
    match: str | None = None
    here: list[str] | None = None
    device: str | None = None
    pupils: list[PupilState] | None = None
    boards: list[BoardState] | None = None
    unread: list[UnreadBoard] | None = None


class ClassCreated(BaseModel):
    """The secret is the teacher's, and told once."""

    code: str
    token: str
    state: ClassState


class Standing(BaseModel):
    pupil: str
    name: str
    points: int
    games: int
    wins: int
    kept: int


class Turn(PositionState):
    source: str
    difficulty: str


class ClassResults(BaseModel):
    """Where the class stands, and the positions from which it can learn."""

    standings: list[Standing]
    turns: list[Turn]


class ClassEnded(BaseModel):
    ended: bool


class Health(BaseModel):
    status: str
