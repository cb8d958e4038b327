"""What the server answers: the responses in the OpenAPI document."""

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


class Hint(BaseModel):
    """One stage of help, how many there are here, and what the next one answers."""

    stage: int
    stages: int
    question: str
    text: str
    next: str


class ReviewedMove(BaseModel):
    player: Player
    move: str
    label: str
    winner_after: Player
    better: str | None
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
    turning_points: list[int]
    chances: dict[str, Chances]
    moves: list[ReviewedMove]
    lines: list[str]
    strip: str


class Solved(BaseModel):
    """The truth about a position; `wins` is null when the game is over."""

    position: PositionState
    wins: bool | None
    winning: list[str]
    reason: str
    explanation: list[str]
    status: str


class Choice(BaseModel):
    value: str
    words: str


class OptionWords(BaseModel):
    """An option of a game: a whole number from `lowest` to `highest`, or one of some choices."""

    name: str
    label: str
    words: str
    default: int | str | None
    example: int | str
    lowest: int | None
    highest: int | None
    choices: list[Choice]
    several: bool
    is_size: bool


class SetUpWords(BaseModel):
    """A choice of options that makes a good game, in so many matches with the sides swapped."""

    name: str
    words: str
    options: dict[str, int | str]
    matches: int
    is_rule_book: bool


class GameWords(BaseModel):
    """A game as a lobby shows it; `preview` is a position on a board that is small."""

    game: str
    title: str
    summary: str
    lead: str
    is_first: bool
    has_lesson: bool
    options: list[OptionWords]
    setups: list[SetUpWords]
    preview: PositionState


class LevelWords(BaseModel):
    name: str
    words: str


class Games(BaseModel):
    games: list[GameWords]
    levels: list[LevelWords]
    begins_at: int


class Rules(BaseModel):
    game: str
    title: str
    markdown: str


class ReadRecord(GameState):
    moves: list[str]
    players: list[PlayerState]
    result: str


class Records(BaseModel):
    matches: list[ReadRecord]
    problems: list[str]


class LessonStep(BaseModel):
    """A board and a question; a tap on the board is an answer, a part of one, or nothing.

    The last step is a game against an opponent: `you` is the side that wins with best play.
    """

    title: str
    text: list[str]
    position: PositionState
    question: str
    you: Player
    opponent: str | None
    taps: Literal["answer", "part", "none"]
    choices: list[str]
    shows_moves: bool
    has_hint: bool


class Lesson(BaseModel):
    game: str
    title: str
    steps: list[LessonStep]


class LessonHint(BaseModel):
    text: str


class LessonReply(BaseModel):
    """What is said to an answer; `is_shown` where the right one was told in the end."""

    is_right: bool
    lines: list[str]
    is_shown: bool
    position: PositionState


class PuzzleState(BaseModel):
    id: str
    position: PositionState
    difficulty: str
    source: str
    question: str


class PuzzleReply(BaseModel):
    """What a tried move leads to: the position after it, or after its refutation."""

    is_right: bool
    words: str
    position: PositionState


class Shared(BaseModel):
    """Two lines to show to others; whether the day counts, and the days in a row."""

    lines: list[str]
    counts: bool
    in_a_row: int
    most: int


class ReviewedGame(BaseModel):
    id: str
    chances: dict[str, Chances]
    lines: list[str]
    puzzles: list[PuzzleState]


class Reviews(BaseModel):
    """As many of the games that were sent, from the first on, as there was time for."""

    matches: list[ReviewedGame]
    problems: list[str]


class Strength(BaseModel):
    strength: int
    games: int


class PlanState(GameState):
    """What a class plays."""

    coach: bool
    time_limit: float | None


class PupilState(BaseModel):
    id: str
    name: str
    points: int
    is_waiting: bool
    asks: int


class BoardState(BaseModel):
    match: str
    pupils: list[str]
    state: State


class ClassState(BaseModel):
    """A class as its teacher, a pupil, or somebody at its door sees it: `role` says who."""

    code: str
    version: int
    role: Literal["teacher", "pupil", "asking", "door"]
    round: int
    is_paused: bool
    plan: PlanState | None
    name: str | None = None
    points: int | None = None
    match: str | None = None
    here: list[str] | None = None
    wall: str | None = None
    pupils: list[PupilState] | None = None
    boards: list[BoardState] | None = None


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
