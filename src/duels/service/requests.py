"""Requests and responses as plain data, and every body and query that a request can have.

Contents are declared once, as structs: types, bounds and words. Parsing, its error sentences and
the OpenAPI document are derived from the declarations. Unknown fields are refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from duels.core.errors import DuelsError, OptionError
from duels.core.files import parse_json
from duels.core.game import Game
from duels.core.options import OptionValue
from duels.core.words import quoted, whole_number
from duels.games import GAMES, game
from duels.match.players.levels import LEVELS, STRONGEST
from duels.match.strengths import BEGINS_AT, HIGHEST, LOWEST, RATINGS
from duels.service.problems import MEDIA_TYPE, Problem, number_fields, problem_of, read_as

T = TypeVar("T")

JSON = "application/json"
SVG = "image/svg+xml"
CLASS = "class "

LARGEST = 10**15
"""The largest integer that is read."""
MOST_MOVES = 1000
MOST_ROUNDS = 50


async def _never() -> None:
    await asyncio.Event().wait()  # a caller in the same process does not disconnect


class Request(NamedTuple):
    """A request: the names in its path, its query and body, and its sender."""

    names: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    body: bytes = b""
    media_type: str = JSON
    token: str | None = None
    """The token that opens a seat, or a place in a class."""
    client: str = ""
    """The client charged by rate limits."""
    address: str = ""
    """The client that waits in the solver's queue, if a class is charged instead."""
    disconnected: Callable[[], Awaitable[None]] = _never
    """Returns when the client no longer waits for the response."""

    @property
    def match_id(self) -> str:
        return self.names["match_id"]

    def charged_to(self, class_code: str | None) -> Request:
        """Return the request with a class as the client charged, if it concerns one."""
        if not class_code:
            return self
        client, address = class_client(class_code), self.address or self.client
        return self._replace(client=client, address=address)


def class_client(code: str) -> str:
    """Return the client charged for requests in a class, because a school may have one address."""
    return f"{CLASS}{code}"


def limit_scope(client: str) -> str:
    """Return where a limit applies, for its sentence."""
    return "in one class" if client.startswith(CLASS) else "from one address"


class Response(NamedTuple):
    """The response to a request."""

    content: bytes
    status: int = 200
    media_type: str = JSON
    headers: Mapping[str, str] = {}


def respond(view: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(view), status)


def refuse(error: Problem | DuelsError) -> Response:
    """Return a problem as a response, with the state of the match if the request was stale."""
    problem = problem_of(error)
    return Response(problem.content, problem.status, MEDIA_TYPE, problem.headers or {})


def read_body(kind: type[T], body: bytes) -> T:
    """Return the struct in a JSON body; a Problem if it is missing or invalid."""
    try:
        data = parse_json(body or b"{}")
    except (ValueError, RecursionError):
        raise Problem(400, "The body is not JSON.") from None
    if not isinstance(data, dict):
        raise Problem(422, "The body must be a JSON object.")
    try:
        msgspec.json.encode(data)
    except UnicodeEncodeError:
        raise Problem(422, "The body must be text: it contains half a character.") from None
    return read_as(kind, data)


def read_query(kind: type[T], query: Mapping[str, str]) -> T:
    """Return the struct in a query. A field `options` takes whatever no other field takes."""
    known: tuple[str, ...] = kind.__struct_encode_fields__  # type: ignore[attr-defined]
    data: dict[str, Any] = {name: value for name, value in query.items() if name in known}
    if "options" in known:
        data["options"] = {name: value for name, value in query.items() if name not in known}
    for name in number_fields(kind) & data.keys():  # type: ignore[arg-type]
        number = whole_number(data[name])  # msgspec would also read 1.0 and 1e3 as integers
        data[name] = data[name] if number is None else number
    return read_as(kind, data)


def web_game(
    game_id: str,
    options: Mapping[str, OptionValue],
    *,
    is_text: bool = False,
    where: str = "on the web",
) -> Game:
    """Return a game whose board is not too large for the web.

    In a query all options are text; anywhere else a number must not be text.
    """
    chosen = game(game_id, **options)
    for name, option in chosen.fields.items():
        if option.choices:
            continue
        if isinstance(options.get(name), str) and not is_text:
            raise OptionError(f"{name} must be a whole number, not {quoted(options[name])}.")
        highest = LARGEST if option.web_highest is None else option.web_highest
        if int(chosen.options[name]) > highest:
            raise OptionError(f"{name} may be at most {highest:,} {where}.")
    return chosen


def about(words: str) -> Meta:
    """Return a description for the OpenAPI document."""
    return Meta(description=words)


GameId = Annotated[str, Meta(max_length=40, examples=[*GAMES])]
Text = Annotated[str, Meta(max_length=200)]
Whole = Annotated[
    int, Meta(ge=-LARGEST, le=LARGEST, extra={"words": "a whole number of at most 15 digits"})
]
Count = Annotated[int, Meta(ge=0, le=MOST_MOVES)]
Ply = Annotated[Count, about("The number of moves made before.")]
Stage = Annotated[int, Meta(ge=1, le=4)]
Day = Annotated[str, Meta(max_length=10, examples=["2027-01-31"])]
MoveText = Annotated[str, Meta(max_length=64)]
Pair = Annotated[list[Whole], Meta(min_length=2, max_length=2)]
Options = Annotated[
    dict[Annotated[str, Meta(max_length=40)], Whole | Text],
    Meta(
        max_length=20,
        description="By name, as GET /api/games lists them.",
        extra={"words": "an object with at most 20 options"},
    ),
]
OptionsInQuery = Annotated[
    dict[str, Text], about("The options of the game, each under its own name.")
]
Token = Annotated[
    str,
    Meta(
        min_length=20,
        max_length=100,
        pattern=r"^[A-Za-z0-9_-]+$(?!\n)",
        examples=["random-and-made-on-the-device"],
        extra={"words": "20 to 100 letters, digits, - or _"},
    ),
]
PupilId = Annotated[str, Meta(max_length=20)]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a request, from its body or its query."""


class NewMatch(Body, frozen=True):
    """A match to create. `names[0]` is the creator; `first` is 1 when the creator moves first."""

    game: GameId
    mode: Literal["computer", "friend", "here"]
    options: Options = {}
    moves: Annotated[
        list[MoveText],
        Meta(max_length=MOST_MOVES, description="Made before the match begins, by both in turn."),
    ] = []
    level: Annotated[str, Meta(max_length=20, examples=[*LEVELS])] = "casual"
    names: Annotated[list[Text | None], Meta(max_length=2)] = []
    first: Literal[1, 2, "coin"] = 1
    time_limit: Annotated[float, Meta(ge=0.1, le=86_400)] | None = None
    public: bool = False
    show_moves: bool = True
    coach: Annotated[bool, about("Whether the players can have hints.")] = True


class JoinMatch(Body, frozen=True):
    """Take a seat."""

    name: Text | None = None
    token: Annotated[
        Token | None,
        about("With an invitation: a token made on the device, which opens the seat from now on."),
    ] = None


class NewInvitation(Body, frozen=True):
    """An invitation to your own seat, for another device."""

    token: Annotated[Token, about("The invitation, made by the client; it works once.")]


class NewMove(Body, frozen=True):
    """A move and the number of moves before it. Sent twice, it is played once."""

    ply: Ply
    move: MoveText | Whole | Pair


class TakebackRequest(Body, frozen=True):
    """A request to take your last move back."""

    ply: Ply


class TakebackReply(TakebackRequest, frozen=True):
    """Whether the opponent agrees to a takeback; the player who asked can withdraw it."""

    agree: bool


class RematchReply(Body, frozen=True):
    """Whether the opponent agrees to a rematch; the player who offered it can withdraw it."""

    agree: bool


class GameLine(Body, frozen=True):
    """A position: a game and the moves that lead to it."""

    game: GameId
    options: Options = {}
    moves: Annotated[list[MoveText], Meta(max_length=MOST_MOVES)] = []


class PositionQuery(Body, frozen=True):
    """A position in an address."""

    game: Annotated[str, Meta(max_length=40)]
    moves: Annotated[str, Meta(max_length=3000, description="Joined by dots: 28.14.41")] = ""
    options: OptionsInQuery = {}


class RulesQuery(Body, frozen=True):
    """The options of a game; an option that is left out has its usual value."""

    options: OptionsInQuery = {}


class HintQuery(Body, frozen=True):
    """How much help."""

    stage: Stage = 1


class PlyQuery(Body, frozen=True):
    """A moment of a match."""

    ply: Annotated[Count, about("The position after this many moves.")] = 0


class RecordQuery(Body, frozen=True):
    """The format of a record."""

    format: Literal["text", "json"] = "text"


class StepQuery(Body, frozen=True):
    """A step of a lesson, counted from 1."""

    step: Annotated[int, Meta(ge=1, le=MOST_MOVES)]


class StepAnswer(StepQuery, frozen=True):
    """An answer to a step. For the game at the end of a lesson it is "won" or "lost"."""

    answer: Text
    wrong: Annotated[Count, about("The number of wrong answers to this step before.")] = 0


class PuzzleQuery(Body, frozen=True):
    """Which puzzle; the same query always gives the same one."""

    game: Annotated[str, Meta(max_length=40, description="Any game if empty.")] = ""
    difficulty: Literal["easy", "medium", "hard"] = "easy"
    seed: Annotated[int, Meta(ge=0, le=LARGEST)] = 0


class PuzzleMove(GameLine, frozen=True):
    """A move to try in a puzzle; without one, the puzzle is given up."""

    move: MoveText | None = None


class PuzzleHint(GameLine, frozen=True):
    """How much help with a puzzle."""

    stage: Stage = 1


class DailyAttempt(Body, frozen=True):
    """How an attempt at a daily puzzle went, and the days that counted before."""

    today: Annotated[Day, about("The date where the player is.")]
    tries: Count = 0
    hints: Count = 0
    is_solved: bool = False
    gave_up: bool = False
    counted: Annotated[list[Day], Meta(max_length=4000)] = []


class GameResult(Body, frozen=True):
    """The result of a game against the computer at a strength that follows the player's."""

    strength: Annotated[int, Meta(ge=0, le=STRONGEST, description="The computer's strength.")]
    won: bool
    rating: Annotated[
        int, Meta(ge=LOWEST, le=HIGHEST, description="The player's rating before the game.")
    ] = RATINGS[BEGINS_AT]
    games: Annotated[int, Meta(ge=0, le=LARGEST, description="Games that counted before.")] = 0
    hints: Annotated[Count, about("Hints that the player had.")] = 0


class JoinClass(Body, frozen=True):
    """Join a class; without a name, one is made up."""

    token: Annotated[Token, about("A token made on the device; it opens the pupil's boards.")]
    name: Text | None = None


class Plan(Body, frozen=True):
    """What a class plays: a game with its options, with or without hints and a clock."""

    game: GameId
    options: Options = {}
    coach: bool = True
    time_limit: Annotated[float, Meta(ge=1, le=3600)] | None = None

    def load_game(self) -> Game:
        """Return the game; a Problem if it is no longer on this server."""
        try:
            return web_game(self.game, self.options)
        except DuelsError:
            detail = f"The game {self.game} is no longer on this server: choose another one."
            raise Problem(409, detail) from None


class NewRound(Body, frozen=True):
    """The number of the round to start: one more than the last."""

    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]


class Pause(Body, frozen=True):
    """Whether the boards are paused."""

    paused: bool


class PupilChange(Body, frozen=True):
    """A new name for a pupil, their removal, or the teacher's decision about a waiting device."""

    pupil: PupilId
    name: Text | None = None
    remove: bool = False
    let_in: Annotated[PupilId | None, about("A waiting device that is this pupil's.")] = None
    refuse: Annotated[PupilId | None, about("A waiting device that is not.")] = None


class NewPair(Body, frozen=True):
    """Two waiting pupils to pair; an empty id is the computer."""

    pupils: Annotated[list[PupilId], Meta(min_length=2, max_length=2)]


class Ruling(Body, frozen=True):
    """The winner of a game that the teacher ends."""

    match: Annotated[str, Meta(max_length=20)]
    winner: Literal[1, 2]
