"""Views: what a match, a position and a class look like from outside, in responses and events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from duels.coach.hints import Hint
from duels.coach.review import SummaryLine, review, review_data, summary
from duels.core.board import board_data
from duels.core.game import Game, Move, Outcome, Position
from duels.match.dialogue import dialogue_of
from duels.match.match import Match, Seat
from duels.service import hosted as changes
from duels.service.hosted import PAUSED, Hosted
from duels.service.seats import seats_invited, seats_of

V = TypeVar("V", bound=Struct)
Player = Literal[1, 2]
GameOptions = dict[str, int | str]


class View(Struct, frozen=True):
    """Something that is shown."""


def view_of(kind: type[V], value: object, **more: Any) -> V:
    """Return a view whose fields are attributes of a value, but for those given here."""
    names = (name for name in kind.__struct_fields__ if name not in more)
    return kind(**{name: getattr(value, name) for name in names}, **more)


class PlayerView(View, frozen=True):
    """A player's name, and for a computer which one it is."""

    name: str
    kind: Literal["person", "computer"]
    computer: str | None


class OutcomeView(View, frozen=True):
    """The winner and the reason."""

    winner: Player
    reason: str


class VerbView(View, frozen=True):
    """What a player does with a move: take 5, took 5, 5 is taken by."""

    do: str
    did: str
    done: str


class GameView(View, frozen=True):
    """A game with its options, and the words for its moves."""

    game: str
    title: str
    options: GameOptions
    options_words: str
    verb: VerbView
    move_words: str
    pair_words: str


class CellView(View, frozen=True):
    """One place of a board. Without `move`, its text is its move; null if it is none."""

    text: str
    move: str | UnsetType | None = UNSET
    gone: bool | UnsetType = UNSET
    by: Player | UnsetType = UNSET
    last: bool | UnsetType = UNSET
    label: str | UnsetType = UNSET


class LinkView(View, frozen=True):
    """Cells that belong together, by their numbers from 0; with `move` if one move takes them."""

    cells: list[int]
    kind: str | UnsetType = UNSET
    move: str | UnsetType = UNSET
    label: str | UnsetType = UNSET


class HeadlineCell(View, frozen=True):
    """A part of the headline; `by` is the player who added it, or 0."""

    text: str
    by: int
    last: bool


class BoardDescription(View, frozen=True):
    """A board as its game describes it. A cell that is only a text is the move of that text."""

    layout: Literal["grid", "line", "keypad", "tiles"]
    rows: list[list[str | CellView | None]]
    links: list[LinkView]
    headline: list[HeadlineCell]
    caption: str


class PositionView(GameView, frozen=True):
    """A position. Moves are texts: "28", or "5-6" where a move is a pair."""

    moves: list[str]
    ply: int
    to_move: Player | None
    legal: list[str]
    board: BoardDescription
    outcome: OutcomeView | None


class StatusView(View, frozen=True):
    """The line above the board: whose turn it is and what fits, or who won and why."""

    status: str
    why: str


class ClockView(View, frozen=True):
    """Seconds for a turn; times are milliseconds of the server's clock, which is now at `now`."""

    limit: float
    turn_started: int | None
    deadline: int | None
    now: int


class TakebackView(View, frozen=True):
    """An open request to take moves back."""

    by: Player
    ply: int
    text: str


class MatchView(PositionView, frozen=True):
    """The public state of a match; `you` only with the token of a seat.

    `invited` only with an invitation: the seats it opens, none once it has been used.
    `status` and `why` address a watcher, `seen_by` player 1 and player 2.
    The first `given` moves were made before the match began.
    `score` counts the matches each player has won in a series of rematches, `hints` the stages of
    help each player had (after the game).
    """

    id: str
    version: int
    mode: Literal["computer", "friend", "here"]
    public: bool
    players: list[PlayerView]
    joined: list[bool]
    seconds: list[float]
    given: int
    status: str
    why: str
    seen_by: list[StatusView]
    clock: ClockView | None
    takeback: TakebackView | None
    rematch_offer: Player | None
    rematch: str | None
    class_code: str | None
    is_paused: bool
    score: list[int]
    watching: int
    show_moves: bool
    coach: bool
    hints: list[int] | None
    you: list[Player] | UnsetType = UNSET
    invited: list[Player] | UnsetType = UNSET


def match_view(hosted: Hosted, watching: int, now: int, token: str | None = None) -> MatchView:
    """Return the state of a match; with a token, also the seats it opens."""
    match, request = hosted.match, hosted.takeback
    text = changes.takeback_in_words(hosted, request) if request else ""
    invited = seats_invited(hosted, token) if token else None
    limit = match.time_limit
    status, *seen_by = (_status(hosted, player) for player in (0, 1, 2))
    return view_of(
        MatchView,
        hosted,
        **position_fields(match.position, match.outcome),
        id=match.id,
        players=player_views(match.seats),
        seconds=match.seconds,
        given=match.given,
        status=status.status,
        why=status.why,
        seen_by=seen_by,
        clock=None if limit is None else view_of(ClockView, hosted, limit=limit, now=now),
        takeback=view_of(TakebackView, request, text=text) if request else None,
        is_paused=hosted.paused is not None,
        score=hosted.standing,
        watching=watching,
        hints=hosted.hints if match.outcome else None,
        you=(seats_of(hosted, token) if token else ()) or UNSET,
        invited=UNSET if invited is None else invited,
    )


def _status(hosted: Hosted, you: int) -> StatusView:
    """Return the line above the board for player 1, player 2, or a watcher (0)."""
    match, mover = hosted.match, hosted.to_move
    words = dialogue_of(match.game)
    waits = mover != you and not (match.outcome or hosted.joined[mover - 1])
    status = f"Waiting for {match.mover}." if waits else words.status(match, you)
    return StatusView(status=status if hosted.paused is None else PAUSED, why=words.why(match, you))


def player_views(seats: Iterable[Seat]) -> list[PlayerView]:
    """Return the players at some seats."""
    return [
        PlayerView(seat.name, "computer" if seat.computer else "person", seat.computer or None)
        for seat in seats
    ]


def position_view(position: Position, outcome: Outcome | None) -> PositionView:
    """Return a position; its outcome may be that of a match."""
    return PositionView(**position_fields(position, outcome))


def position_fields(position: Position, outcome: Outcome | None) -> dict[str, Any]:
    """Return the fields of a PositionView."""
    game = position.game
    return {
        **game_fields(game),
        "moves": move_texts(game, position.moves),
        "ply": len(position.moves),
        "to_move": None if outcome else position.to_move,
        "legal": move_texts(game, () if outcome else position.legal_moves),
        "board": board_data(position),
        "outcome": view_of(OutcomeView, outcome) if outcome else None,
    }


def game_fields(game: Game) -> dict[str, Any]:
    """Return the fields of a GameView."""
    return {
        "game": game.id,
        "title": game.title,
        "options": game.options,
        "options_words": game.options_in_words(),
        "verb": view_of(VerbView, game.verb),
        "move_words": game.move_words,
        "pair_words": game.pair_words,
    }


def move_texts(game: Game, moves: Iterable[Move]) -> list[str]:
    """Return moves as they are written."""
    return [game.format(move) for move in moves]


class HintView(View, frozen=True):
    """One stage of help, how many there are, and the question that the next one answers."""

    stage: int
    stages: int
    question: str
    text: str
    next: str


def hint_view(stages: Sequence[Hint], wanted: int) -> HintView:
    """Return the stage of help that is wanted, or the last one."""
    reached = min(wanted, len(stages))
    shown = stages[reached - 1]
    following = stages[reached].question if reached < len(stages) else ""
    return view_of(HintView, shown, stage=reached, stages=len(stages), next=following)


class ReviewedMove(View, frozen=True):
    """A move, its kind, and the kind in words; `better` is a move that would have won."""

    player: Player
    move: str
    kind: str
    label: str
    winner_after: Player
    better: str | None
    why: str


class Chances(View, frozen=True):
    """How many turns began with a winning move, and on how many one was played."""

    wins: int
    kept: int


class SummaryLineView(View, frozen=True):
    """A line of a review's summary: `turn`, `why`, `chances` (of a player), `strip`, …"""

    kind: str
    text: str
    player: int


class ReviewView(View, frozen=True):
    """Every move of a finished match labelled, and the moves on which the game turned."""

    game: str
    options: GameOptions
    players: list[str]
    winner_at_start: Player
    turning_point: int | None
    turning_points: list[int]
    turned_at_end: bool
    again_at: int | None
    outcome: OutcomeView | None
    chances: dict[str, Chances]
    moves: list[ReviewedMove]
    lines: list[SummaryLineView]
    strip: str


def review_match(match: Match) -> ReviewView:
    """Review a finished match."""
    found = review(match)
    data, write = review_data(found), match.game.format
    for step, shown in zip(found.steps, data["moves"], strict=True):
        shown["move"] = write(step.move)
        shown["better"] = None if step.better is None else write(step.better)
    lines = summary_lines(summary(found))
    return msgspec.convert(data | {"lines": lines, "strip": found.strip}, ReviewView)


def summary_lines(lines: list[SummaryLine]) -> list[SummaryLineView]:
    """Return the lines of a review's summary."""
    return [view_of(SummaryLineView, line) for line in lines]
