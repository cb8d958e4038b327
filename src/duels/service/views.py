"""Views: matches, positions and classes as clients see them, in responses and events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from duels.coach.hints import Hint
from duels.core.board import Drawing, board_data, computed, drawing_data
from duels.core.game import Game, Move, Outcome, Position
from duels.core.words import capital
from duels.games import all_games
from duels.match.dialogue import Dialogue, dialogue_of
from duels.match.match import Match, Seat, Seats
from duels.match.players.levels import figure_of
from duels.service import hosted as changes
from duels.service.hosted import PAUSED, Hosted
from duels.service.seats import players_invited, players_of

V = TypeVar("V", bound=Struct)
Player = Literal[1, 2]
GameOptions = dict[str, int | str]


class View(Struct, frozen=True):
    """The base of every view."""


def view_of(kind: type[V], value: object, **more: Any) -> V:
    """Return a view whose fields are attributes of a value, except for those given here."""
    names = (name for name in kind.__struct_fields__ if name not in more)
    return kind(**{name: getattr(value, name) for name in names}, **more)


class PlayerView(View, frozen=True):
    """A player's name as sentences begin with it, or "The computer".

    For a computer it also has its id, its level in words, and its figure, counted from 1, the
    weakest.
    """

    name: str
    kind: Literal["person", "computer"]
    computer: str | None
    level: str
    figure: int | None


class OutcomeView(View, frozen=True):
    """The winner and the reason."""

    winner: Player
    reason: str


class MoveTemplates(View, frozen=True):
    """Sentences about a move, in which {name} and {move} are to be filled in."""

    play: str
    played: str
    taken: str


class GameView(View, frozen=True):
    """A game with its options, and the words for its moves."""

    game: str
    title: str
    options: GameOptions
    options_words: str
    templates: MoveTemplates
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
    flows: bool


class PositionView(GameView, frozen=True):
    """A position. Moves are texts: "28", or "5-6" where a move is a pair.

    `moves_in_words` are the moves as a sentence has them: "5 and 6".
    """

    moves: list[str]
    moves_in_words: list[str]
    ply: int
    to_move: Player | None
    legal: list[str]
    board: BoardDescription
    outcome: OutcomeView | None


class StatusView(View, frozen=True):
    """The line above the board: whose turn it is and what fits, or who won and why.

    `played` is the last move in a sentence. After a rematch, `tally` is the score of the series.
    """

    status: str
    why: str
    played: str
    tally: str


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
    `status`, `why`, `played` and `tally` address a watcher, `seen_by` player 1 and player 2.
    The first `given` moves were made before the match began. Before any move, `rules` says in two
    sentences how to play.
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
    played: str
    tally: str
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
    rules: str | UnsetType = UNSET
    you: list[Player] | UnsetType = UNSET
    invited: list[Player] | UnsetType = UNSET


def match_view(hosted: Hosted, watching: int, now: int, token: str | None = None) -> MatchView:
    """Return the state of a match; with a token, also the seats it opens."""
    match, request = hosted.match, hosted.takeback
    text = changes.takeback_in_words(hosted, request) if request else ""
    invited = players_invited(hosted, token) if token else None
    limit, is_new = match.time_limit, not match.moves and not match.outcome
    words = dialogue_of(match.game)
    status, *seen_by = (_status(hosted, words, player) for player in (0, 1, 2))
    return view_of(
        MatchView,
        hosted,
        **position_fields(match.position, match.outcome),
        id=match.id,
        players=player_views(match.seats),
        seconds=match.seconds,
        given=match.given,
        **asdict(status),
        seen_by=seen_by,
        clock=None if limit is None else view_of(ClockView, hosted, limit=limit, now=now),
        takeback=view_of(TakebackView, request, text=text) if request else None,
        is_paused=hosted.paused is not None,
        score=hosted.new_score,
        watching=watching,
        hints=hosted.hints if match.outcome else None,
        rules=words.rules(match.game) if is_new else UNSET,
        you=(players_of(hosted, token) if token else ()) or UNSET,
        invited=UNSET if invited is None else invited,
    )


def _status(hosted: Hosted, words: Dialogue, you: int) -> StatusView:
    """Return the line above the board for player 1, player 2, or a watcher (0)."""
    match, mover = hosted.match, hosted.to_move
    waits = mover != you and not (match.outcome or hosted.joined[mover - 1])
    status = f"Waiting for {match.mover}." if waits else words.status(match, you)
    return StatusView(
        status=status if hosted.paused is None else PAUSED,
        why=words.why(match, you),
        played=_last_move(match, you),
        tally=_tally(hosted, you),
    )


def _last_move(match: Match, you: int) -> str:
    """Return the last move in a sentence; "" before the first one."""
    if not match.moves:
        return ""
    player = 2 - len(match.moves) % 2
    name = "You" if player == you else match.called(player)
    return f"{name} {match.game.verb.did} {match.game.in_words(match.moves[-1])}."


def _tally(hosted: Hosted, you: int) -> str:
    """Return the score after two or more matches of a series, in a sentence; otherwise ""."""
    one, two = hosted.new_score
    if not hosted.match.outcome or one + two < 2:
        return ""
    if one == two:
        return f"The score is {one} all."
    leader, high, low = (1, one, two) if one > two else (2, two, one)
    if leader == you:
        return f"You lead {high} to {low}."
    return f"{hosted.match.called(leader)} leads {high} to {low}."


def player_views(seats: Iterable[Seat]) -> list[PlayerView]:
    return [
        PlayerView(
            name=seat.called(),
            kind="computer" if seat.computer else "person",
            computer=seat.computer or None,
            level=seat.level,
            figure=figure_of(seat.computer) if seat.computer else None,
        )
        for seat in seats
    ]


class ListedMatchView(View, frozen=True):
    """A match in a list."""

    id: str
    game: str
    title: str
    players: list[PlayerView]
    ply: int
    status: str


def listed_match(match_id: str, game_id: str, seats: Seats, ply: int) -> ListedMatchView:
    """Return a match for a list, without replaying its moves."""
    status = f"{seats[ply % 2].called()} to move."
    title = all_games()[game_id].title
    return ListedMatchView(match_id, game_id, title, player_views(seats), ply, status)


def position_view(position: Position, outcome: Outcome | None) -> PositionView:
    """Return a position; its outcome may be that of a match."""
    return PositionView(**position_fields(position, outcome))


def position_fields(position: Position, outcome: Outcome | None) -> dict[str, Any]:
    game = position.game
    return {
        **game_fields(game),
        "moves": move_texts(game, position.moves),
        "moves_in_words": _moves_in_words(game, position.moves),
        "ply": len(position.moves),
        "to_move": None if outcome else position.to_move,
        "legal": move_texts(game, () if outcome else position.legal_moves),
        "board": board_data(position),
        "outcome": view_of(OutcomeView, outcome) if outcome else None,
    }


def game_fields(game: Game) -> dict[str, Any]:
    """Return the fields of a GameView, which never change."""
    if "game fields" not in game.memory:
        game.memory["game fields"] = _game_fields(game)
    fields: dict[str, Any] = game.memory["game fields"]
    return fields


def _game_fields(game: Game) -> dict[str, Any]:
    return {
        "game": game.id,
        "title": game.title,
        "options": game.options,
        "options_words": game.options_in_words(),
        "templates": _move_templates(game),
        "move_words": game.move_words,
        "pair_words": game.pair_words,
    }


def _move_templates(game: Game) -> MoveTemplates:
    do, did, done = game.verb
    return MoveTemplates(
        play=f"{capital(do)} {{move}}",
        played=f"{{name}} {did} {{move}}.",
        taken=f"{done} {{name}}",
    )


def move_texts(game: Game, moves: Iterable[Move]) -> list[str]:
    """Return moves as text; they are cached, because every state of a match repeats them."""
    return [*map(computed(game, "move texts", game.format).__getitem__, moves)]


def _moves_in_words(game: Game, moves: Iterable[Move]) -> list[str]:
    return [*map(computed(game, "moves in words", game.in_words).__getitem__, moves)]


class DrawingView(View, frozen=True):
    """What a hint shows on the board: winning moves, linked cells, and labels by move."""

    winning: list[str]
    links: list[LinkView]
    labels: dict[str, str]


class HintView(View, frozen=True):
    """One stage of help, how many there are, and the question that the next one answers."""

    stage: int
    stages: int
    question: str
    text: str
    drawing: DrawingView
    next: str


def hint_view(stages: Sequence[Hint], wanted: int, game: Game) -> HintView:
    """Return the requested stage of help, or the last one."""
    reached = min(wanted, len(stages))
    shown = stages[reached - 1]
    following = stages[reached].question if reached < len(stages) else ""
    return view_of(
        HintView,
        shown,
        stage=reached,
        stages=len(stages),
        next=following,
        drawing=drawing_view(shown.drawing, game),
    )


def drawing_view(drawing: Drawing, game: Game) -> DrawingView:
    return DrawingView(**drawing_data(drawing, game))
