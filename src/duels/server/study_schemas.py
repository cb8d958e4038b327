"""What the server answers to those who learn: games, verdicts, reviews, lessons, puzzles."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from duels.server.schemas import GameState, Player, PlayerState, PositionState


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
