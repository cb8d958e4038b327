"""Games without a match: their list, verdicts, pictures, records and reviews."""

from __future__ import annotations

import time
from functools import lru_cache

import msgspec

from duels.coach.puzzles import mistakes
from duels.coach.review import review
from duels.coach.summary import NOTE, SummaryLine, summary
from duels.core.errors import RecordError, TooLarge
from duels.core.game import Game, Position
from duels.core.options import Option
from duels.games import all_games
from duels.match.match import Match
from duels.match.players.levels import LEVELS
from duels.match.record_data import result
from duels.match.records import is_json, read_lines
from duels.match.strengths import BEGINS_AT, Standing
from duels.service import logs, views
from duels.service.match_handlers import Chances, SummaryLineView, summary_lines
from duels.service.matches import Services
from duels.service.practice import PuzzleView, puzzle_view
from duels.service.requests import (
    SVG,
    GameLine,
    GameResult,
    PositionQuery,
    Request,
    Response,
    web_game,
)
from duels.service.views import View, view_of
from duels.theory import solve
from duels.theory.pictures import verdict_svg
from duels.theory.verdict import Verdict

LONGEST_RECORD = 20_000
"""The most characters of one record; a match on a board of the web has far fewer."""
SECONDS_FOR_RECORDS = 1.5
SECONDS_FOR_REVIEWS = 3.0
"""Seconds of computing; the client sends any games not reviewed by then again."""
seconds_worked = getattr(time, "thread_time", time.process_time)
"""Returns the seconds this thread has computed; in a browser, those of the process."""


class ChoiceView(View, frozen=True):
    """One choice of an option."""

    value: str
    words: str


class OptionView(View, frozen=True):
    """An option of a game: a whole number from `lowest` to `highest`, or one of some choices."""

    name: str
    label: str
    words: str
    default: int | str | None
    example: int | str
    lowest: int | None
    highest: int | None
    choices: list[ChoiceView]
    several: bool
    is_size: bool


class SetUpView(View, frozen=True):
    """A named choice of options, and how many matches to play with the sides swapped."""

    name: str
    words: str
    options: views.GameOptions
    matches: int
    is_rule_book: bool


class GameCard(View, frozen=True):
    """A game as a lobby shows it; `preview` is a position on a small board."""

    game: str
    title: str
    summary: str
    lead: str
    is_first: bool
    has_lesson: bool
    options: list[OptionView]
    setups: list[SetUpView]
    preview: views.PositionView


class LevelView(View, frozen=True):
    """A level of the computer, with a sentence that says how well it plays."""

    name: str
    words: str


class GameList(View, frozen=True):
    """The games, the levels of the computer, and the strength it begins with."""

    games: list[GameCard]
    levels: list[LevelView]
    begins_at: int


class VerdictView(View, frozen=True):
    """The verdict on a position; `wins` is null when the game is over."""

    position: views.PositionView
    wins: bool | None
    winning: list[str]
    reason: str
    explanation: list[str]
    status: str


class RecordView(views.GameView, frozen=True):
    """A match from a record file."""

    moves: list[str]
    players: list[views.PlayerView]
    result: str


class RecordList(View, frozen=True):
    """The matches of a record file, and what is wrong with the others."""

    matches: list[RecordView]
    problems: list[str]


class ReviewedGame(View, frozen=True):
    """A short review of one game, with its mistakes as puzzles."""

    id: str
    chances: dict[str, Chances]
    lines: list[SummaryLineView]
    puzzles: list[PuzzleView]


class ReviewList(View, frozen=True):
    """Reviews of the games that were sent, from the first on, as far as time allowed."""

    matches: list[ReviewedGame]
    problems: list[str]


class StrengthView(View, frozen=True):
    """A player's rating after a game, and the computer's strength in the next one."""

    rating: int
    games: int
    strength: int


async def list_games(services: Services, request: Request) -> Response:
    """The games with their options, and the levels of the computer."""
    return Response(game_list())


def game_list() -> bytes:
    """Return the games and the levels as JSON, computed once for the same games."""
    return _game_list(tuple(all_games().items()))


@lru_cache(maxsize=4)
def _game_list(games: tuple[tuple[str, type[Game]], ...]) -> bytes:
    """Return the games, good ones to begin with first; a broken one is logged and left out."""
    ranked = []
    for game_id, kind in games:
        try:
            ranked.append((_newcomer_rank(kind), _card(kind)))
        except Exception as error:
            logs.error("a game cannot be listed", error, game=game_id)
    cards = [card for _, card in sorted(ranked, key=lambda one: one[0])]
    cards[:1] = [msgspec.structs.replace(card, is_first=True) for card in cards[:1]]
    levels = [LevelView(name, f"The computer {level.words}.") for name, level in LEVELS.items()]
    return msgspec.json.encode(GameList(games=cards, levels=levels, begins_at=BEGINS_AT))


def _newcomer_rank(kind: type[Game]) -> tuple[bool, int]:
    """Return a sort key: games for newcomers first, then those with fewer moves."""
    return not kind.for_newcomers, kind.all_setups()[0].game(kind).start().legal_count


def _card(kind: type[Game]) -> GameCard:
    preview = kind.small().example()
    return view_of(
        GameCard,
        kind,
        game=kind.id,
        lead=kind.rules_lead(),
        is_first=False,
        has_lesson=kind.has_lesson(),
        options=[_option(name, option) for name, option in kind.fields.items()],
        setups=[view_of(SetUpView, setup) for setup in kind.all_setups()],
        preview=views.position_view(preview, preview.outcome),
    )


def _option(name: str, option: Option) -> OptionView:
    return view_of(
        OptionView,
        option,
        name=name,
        lowest=None if option.choices else option.lowest,
        highest=option.highest if option.web_highest is None else option.web_highest,
        choices=[ChoiceView(value, words) for value, words in option.choices.items()],
    )


def solve_line(sent: GameLine) -> VerdictView:
    """The verdict on any position: who wins, by which moves, and why."""
    position = web_game(sent.game, sent.options).position(*sent.moves)
    verdict = solve(position)
    return view_of(
        VerdictView,
        verdict,
        position=views.position_view(position, position.outcome),
        winning=views.move_texts(position.game, verdict.winning_moves),
        status=verdict_status(verdict),
    )


def verdict_status(verdict: Verdict[Position]) -> str:
    """Say who wins a position."""
    position = verdict.position
    if position.outcome:
        return f"The game is over: Player {position.outcome.winner} has won."
    if verdict.wins:
        return f"Player {position.to_move}, to move, wins with best play."
    return f"Player {position.to_move}, to move, loses against best play."


async def position(services: Services, request: Request, sent: PositionQuery) -> views.PositionView:
    """Any position: its board and its legal moves."""
    here = _position_in(sent)
    return views.position_view(here, here.outcome)


def picture(sent: PositionQuery) -> Response:
    """The verdict on any position, as a picture."""
    return Response(verdict_svg(solve(_position_in(sent))).encode(), 200, SVG)


def _position_in(sent: PositionQuery) -> Position:
    moves = [move for move in sent.moves.split(".") if move]
    return web_game(sent.game, sent.options, is_text=True).position(*moves)


def records(sent: bytes) -> RecordList:
    """The matches of a record file, and what is wrong with the damaged ones."""
    found, problems = _read_matches(sent)
    shown = [
        RecordView(
            **views.game_fields(match.game),
            moves=views.move_texts(match.game, match.moves),
            players=views.player_views(match.seats),
            result=result(match),
        )
        for match in found
    ]
    return RecordList(matches=shown, problems=problems)


def _read_matches(body: bytes) -> tuple[list[Match], list[str]]:
    """Return the matches of a record file, and what is wrong with it."""
    found: list[Match] = []
    problems = _too_long(body.decode("utf-8-sig", errors="replace").splitlines())
    began = seconds_worked()
    for match in () if problems else read_lines(body):
        if isinstance(match, RecordError):
            problems.append(f"line {match.line}: {match}")
        else:
            found.append(match)
        if seconds_worked() - began > SECONDS_FOR_RECORDS:
            problems.append("The rest of the file was not read: it is too long.")
            break
    return found, problems


def _too_long(lines: list[str]) -> list[str]:
    """Return a sentence if one record is too long to be a match of this site."""
    one_a_line = is_json(lines)
    length, in_moves = 0, False
    for number, line in enumerate(lines, start=1):
        is_tag = line.lstrip().startswith("[")
        if one_a_line or (is_tag and in_moves):
            length = 0
        in_moves = not is_tag and (in_moves or bool(line.strip()))
        length += len(line)
        if length > LONGEST_RECORD:
            return [f"line {number}: this record is longer than {LONGEST_RECORD:,} characters."]
    return []


def reviews(sent: bytes) -> ReviewList:
    """Reviews of the finished games in a record file, with their mistakes as puzzles."""
    found, problems = _read_matches(sent)
    began = seconds_worked()
    reviewed: list[ReviewedGame] = []
    for match in found:
        if reviewed and seconds_worked() - began > SECONDS_FOR_REVIEWS:
            break
        reviewed.append(_reviewed(match))
    return ReviewList(matches=reviewed, problems=problems)


def _reviewed(match: Match) -> ReviewedGame:
    try:
        found = review(match)
    except TooLarge as error:
        return ReviewedGame(match.id, {}, summary_lines([SummaryLine(NOTE, str(error))]), [])
    return ReviewedGame(
        id=match.id,
        chances={str(player): Chances(*found.chances(player)) for player in (1, 2)},
        lines=summary_lines(summary(found, you=match.person)),
        puzzles=[puzzle_view(puzzle) for puzzle in mistakes([match])],
    )


async def strength(services: Services, request: Request, sent: GameResult) -> StrengthView:
    """The computer's strength after a game, chosen so that the player wins about half of them."""
    before = Standing(sent.rating, sent.games)
    return view_of(StrengthView, before.after(sent.won, sent.hints, sent.strength))
