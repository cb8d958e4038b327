"""What somebody can send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from duels.coach.puzzles import HIGHEST
from duels.core.game import Move
from duels.core.options import OptionValue
from duels.games import GAMES
from duels.match.players.levels import LEVELS, STRONGEST
from duels.service.reading import (
    FLAG,
    either,
    list_of,
    named,
    number,
    one_of,
    rest,
    secret,
    sent,
    text,
    whole,
)

LARGEST = 10**15
"""Whole numbers that are read lie between this and its negative."""
MOST_MOVES = 1000
MOST_OPTIONS = 20
LONGEST_TEXT = 200
"""Characters of a name, and of an option's value."""
MOST_STAGES = 4

GAME = text(40, tuple(GAMES))
NAME = either(text(LONGEST_TEXT), None)
PLY = whole(0, MOST_MOVES)
WHOLE = whole(-LARGEST, LARGEST)
WHOLE_FROM_0 = whole(0, LARGEST)
DAY = text(10, ("2027-01-31",))
MOVE = either(text(64), WHOLE, list_of(WHOLE, 2, 2))
OPTIONS = named(either(WHOLE, text(LONGEST_TEXT)), MOST_OPTIONS, 40, "options")
OPTION_WORDS = "By name, as GET /api/games lists them."
PLY_WORDS = "How many moves have been made before."


@dataclass(frozen=True, kw_only=True)
class NewMatch:
    """A match to be created. `names[0]` is the creator; `first` is 1 when the creator begins."""

    game: str = sent(GAME)
    options: Mapping[str, OptionValue] = sent(OPTIONS, OPTION_WORDS, default={})
    moves: list[str] = sent(
        list_of(text(64), MOST_MOVES), "Made before the match begins, by both in turn.", default=[]
    )
    mode: str = sent(one_of("computer", "friend", "here"))
    level: str = sent(text(20, tuple(LEVELS)), default="casual")
    names: list[str | None] = sent(list_of(NAME, 2), default=[])
    first: int | str = sent(one_of(1, 2, "coin"), default=1)
    time_limit: float | None = sent(either(number(0.1, 86_400), None), default=None)
    public: bool = sent(FLAG, default=False)
    show_moves: bool = sent(FLAG, default=True)
    coach: bool = sent(FLAG, "Whether there are hints, for both players.", default=True)


@dataclass(frozen=True, kw_only=True)
class Join:
    """Sitting down."""

    name: str | None = sent(NAME, default=None)
    token: str | None = sent(
        either(secret(), None),
        "With an invitation: a secret that the device has made, which opens the seat from now on.",
        default=None,
    )


@dataclass(frozen=True, kw_only=True)
class NewDevice:
    """An invitation to one's own seat."""

    token: str = sent(secret(), "The invitation, as whoever asks has made it; it works once.")


@dataclass(frozen=True, kw_only=True)
class NewMove:
    """A move and the number of moves that it answers. Sent twice, it counts once."""

    ply: int = sent(PLY, PLY_WORDS)
    move: str | Move = sent(MOVE)


@dataclass(frozen=True, kw_only=True)
class AskTakeback:
    """A wish to take one's last move back."""

    ply: int = sent(PLY, PLY_WORDS)


@dataclass(frozen=True, kw_only=True)
class AnswerTakeback:
    """What the other player says to that wish, or who asked, to withdraw it."""

    ply: int = sent(PLY, PLY_WORDS)
    agree: bool = sent(FLAG)


@dataclass(frozen=True, kw_only=True)
class AnswerRematch:
    """What the other player says to an offered rematch, or who offered it, to withdraw it."""

    agree: bool = sent(FLAG)


@dataclass(frozen=True, kw_only=True)
class Line:
    """A position: a game and the moves that lead there."""

    game: str = sent(GAME)
    options: Mapping[str, OptionValue] = sent(OPTIONS, OPTION_WORDS, default={})
    moves: list[str] = sent(list_of(text(64), MOST_MOVES), default=[])


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """The same in an address."""

    game: str = sent(text(40))
    moves: str = sent(text(3000), "Joined by dots: 28.14.41", default="")
    options: Mapping[str, str] = sent(
        rest(text(LONGEST_TEXT)), "The options of the game, each under its own name.", default={}
    )


@dataclass(frozen=True, kw_only=True)
class Stage:
    """How much help."""

    stage: int = sent(whole(1, MOST_STAGES), default=1)


@dataclass(frozen=True, kw_only=True)
class Step:
    """A moment of a match."""

    ply: int = sent(PLY, "After how many moves.", default=0)


@dataclass(frozen=True, kw_only=True)
class Form:
    """How a record is written."""

    format: str = sent(one_of("text", "json"), default="text")


@dataclass(frozen=True, kw_only=True)
class LessonStep:
    """A step of a lesson, counted from 1."""

    step: int = sent(whole(1, MOST_MOVES))


@dataclass(frozen=True, kw_only=True)
class LessonAnswer(LessonStep):
    """What somebody answers there. Of the game at the end it is "won" or "lost"."""

    answer: str = sent(text(LONGEST_TEXT))
    wrong: int = sent(PLY, "Wrong answers to this step before.", default=0)


@dataclass(frozen=True, kw_only=True)
class AnyPuzzle:
    """Which puzzle: the same words give the same one."""

    game: str = sent(text(40), "Any game without one.", default="")
    difficulty: str = sent(one_of(*HIGHEST), default="easy")
    seed: int = sent(whole(0, LARGEST), default=0)


@dataclass(frozen=True, kw_only=True)
class Tried(Line):
    """A move that is tried in a puzzle; without one it is given up."""

    move: str | None = sent(either(text(64), None), default=None)


@dataclass(frozen=True, kw_only=True)
class PuzzleStage(Line):
    """How much help with a puzzle."""

    stage: int = sent(whole(1, MOST_STAGES), default=1)


@dataclass(frozen=True, kw_only=True)
class Attempted:
    """How far somebody has got with the puzzle of a day, and the days that counted before."""

    tries: int = sent(PLY, default=0)
    hints: int = sent(PLY, default=0)
    is_solved: bool = sent(FLAG, default=False)
    gave_up: bool = sent(FLAG, default=False)
    today: str = sent(DAY, "The date where they are.")
    counted: list[str] = sent(list_of(DAY, 4000), default=[])


@dataclass(frozen=True, kw_only=True)
class Result:
    """A game against the computer that is matched to somebody, and where its strength was."""

    strength: int = sent(whole(0, STRONGEST))
    games: int = sent(WHOLE_FROM_0, "Games that have counted before.")
    won: bool = sent(FLAG)
