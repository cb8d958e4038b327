"""A match: a game between two seats, with a clock and a referee.

A match is frozen like a position. Every change returns a new match, so a terminal, a record or a
server can save it, step back, or continue from it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from duels.core.errors import IllegalMove, MatchError
from duels.core.game import Game, Move, Outcome, Position, other
from duels.core.options import read_seconds
from duels.core.words import is_visible, printable, quoted, whole_number

if TYPE_CHECKING:
    from duels.match.players.specs import Forfeit

DEFAULT_NAMES = ("Player 1", "Player 2")
LONGEST_NAME = 40
LONGEST_COMMAND = 400
SECOND = " (2)"
"""Added to the name of a computer whose opponent has the same name."""
MOST_MATCHES = 100
"""The most matches in one duel."""
UNFINISHED = "unfinished"
ENDINGS = {
    "resigned": "resigned",
    "time": "ran out of time",
    "forfeit": "gave no legal move",
    "ruled": "lost by the teacher's decision",
}
"""How a player can lose without a move, with words for what the loser did. Other endings belong to
the games."""


class Seat(NamedTuple):
    """One side of the board: a name, and the computer that plays there ("" for a person).

    The computer is a specification as in `duels.match.players.specs`. Only `computer` makes a seat
    a computer, never its name.
    """

    name: str
    computer: str = ""

    @property
    def label(self) -> str:
        """The name; for a computer, with words that no person's name can have."""
        if self.name == COMPUTER_NAME and self.computer:
            return f"{self.name} ({self.level})"
        return f"{self.name} {COMPUTER}" if self.computer else self.name

    def called(self, *, inside: bool = False) -> str:
        """Return what a sentence calls the player, at its start or `inside` it."""
        if not self.computer or self.name not in (COMPUTER_NAME, COMPUTER_NAME + SECOND):
            return self.name
        return THE_COMPUTER.lower() if inside else THE_COMPUTER

    @property
    def level(self) -> str:
        """The computer that plays here: "casual", "strength 37"; "" for a person."""
        return f"strength {self.computer}" if self.computer.isdigit() else self.computer


COMPUTER = "(computer)"
COMPUTER_NAME = "Computer"
"""What the rule book's announcements call our computer when it plays against a person."""
THE_COMPUTER = "The computer"
"""What all other sentences call the computer."""
Seats = tuple[Seat, Seat]


class Duel(NamedTuple):
    """The number of this match in a duel between the same two players, who swap sides each time."""

    number: int
    of: int
    score: tuple[int, int] = (0, 0)
    """The matches won before this one, by the player who begins this one and by the other."""


@dataclass(frozen=True)
class Match:
    """The players, every move with the seconds it took, and how the match ended."""

    id: str
    date: str
    seats: Seats
    position: Position
    seconds: tuple[float, ...] = ()
    time_limit: float | None = None
    seed: int = 0
    ended: Outcome | None = None
    duel: Duel | None = None
    given: int = 0
    """How many of the moves were already made when the match began."""

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.position.moves

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why: by the rules, or because a player resigned or ran out of time."""
        return self.ended or self.position.outcome

    @property
    def termination(self) -> str:
        """Why the match is over, or "unfinished"."""
        return self.outcome.reason if self.outcome else UNFINISHED

    @property
    def termination_words(self) -> str:
        """Why the match is over, in words."""
        reason = self.termination
        words = {how: f"the other player {did}" for how, did in ENDINGS.items()}
        return {**self.game.endings, **words, UNFINISHED: UNFINISHED}.get(reason, reason)

    @property
    def names(self) -> tuple[str, str]:
        """The names of the player who began and of the other."""
        return self.seats[0].name, self.seats[1].name

    def name(self, player: int) -> str:
        """Return the name of player 1 (who began) or 2."""
        return self.seats[player - 1].name

    def called(self, player: int, *, inside: bool = False) -> str:
        """Return what a sentence calls player 1 or 2, at its start or `inside`."""
        return self.seats[player - 1].called(inside=inside)

    def computer(self, player: int) -> str:
        """Return the computer that plays for player 1 or 2; "" for a person."""
        return self.seats[player - 1].computer

    @property
    def person(self) -> int:
        """The side of the only person at the board; 0 if there are two, or none."""
        people = [player for player in (1, 2) if not self.computer(player)]
        return people[0] if len(people) == 1 else 0

    @property
    def mover(self) -> str:
        """The name of the player whose turn it is."""
        return self.name(self.position.to_move)

    @property
    def opponent(self) -> str:
        """The name of the player whose turn it is not."""
        return self.name(other(self.position.to_move))

    def play(self, move: Move, seconds: float = 0) -> Match:
        """Return the match after a move; a move that took longer than the limit loses on time."""
        if self.outcome:
            raise IllegalMove("The game is over.")
        if self.time_limit is not None and seconds > self.time_limit:
            return self.out_of_time()
        position = self.position.play(move)
        return replace(self, position=position, seconds=(*self.seconds, round(seconds, 1)))

    def undo(self, plies: int = 1) -> Match:
        """Return the match without its last moves; MatchError if there are none to take back."""
        if self.ended:
            raise MatchError("The game is over; there is nothing to take back.")
        played = len(self.moves) - self.given
        if not played or plies < 1:
            raise MatchError("There is no move to take back.")
        if plies > played:
            made = "1 move was" if played == 1 else f"{played} moves were"
            raise MatchError(f"Only {made} made, so no more can be taken back.")
        kept = len(self.moves) - plies
        position = self.game.position(*self.moves[:kept])
        return replace(self, position=position, seconds=self.seconds[:kept])

    def again_from(self, number: int) -> Match:
        """Return a new match of the same players, from before move `number` (counted from 1)."""
        last = len(self.moves) + (self.position.outcome is None)
        if not 1 <= number <= last:
            raise MatchError(f"The game can be tried again from move 1 to {last}, not {number}.")
        given = self.game.position(*self.moves[: number - 1])
        limit, seed = self.time_limit, self.seed
        return new_match(self.game, self.seats, time_limit=limit, seed=seed, given=given)

    def rewound(self, ply: int) -> Match:
        """Return the match after its first `ply` moves, without its clock."""
        if ply == len(self.moves):
            return self
        position = self.game.position(*self.moves[:ply])
        return replace(self, position=position, seconds=(), ended=None, time_limit=None)

    def resign(self) -> Match:
        """Return the match, lost by the player to move, who resigns."""
        return self._lost_by_mover("resigned")

    def out_of_time(self) -> Match:
        """Return the match, lost by the player to move, whose time is up."""
        return self._lost_by_mover("time")

    def forfeit(self, lost: Forfeit) -> Match:
        """Return the match, lost by the program to move, which did not give a legal move."""
        return self._lost_by_mover("time" if lost.reason == "late" else "forfeit")

    @property
    def duel_id(self) -> str:
        """The id of the first match of the duel, which identifies the duel."""
        return self.id.removesuffix(f"g{self.duel.number}") if self.duel else self.id

    @property
    def score(self) -> tuple[int, int]:
        """Matches of the duel that player 1 and player 2 have won, this one included."""
        one, two = self.duel.score if self.duel else (0, 0)
        winner = self.outcome.winner if self.outcome else 0
        return one + (winner == 1), two + (winner == 2)

    def next(self) -> Match | None:
        """Return the next match of the duel, with sides swapped; None if there is none yet."""
        if not self.outcome or not self.duel or self.duel.number == self.duel.of:
            return None
        number = self.duel.number + 1
        return replace(
            self,
            id=f"{self.duel_id}g{number}",
            date=_now(),
            seats=self.seats[::-1],
            position=self.game.start(),
            seconds=(),
            seed=self.seed + 1,
            ended=None,
            given=0,
            duel=Duel(number, self.duel.of, self.score[::-1]),
        )

    def _lost_by_mover(self, reason: str) -> Match:
        if self.outcome:
            raise MatchError("The game is over.")
        return replace(self, ended=Outcome(other(self.position.to_move), reason))


def new_match(
    game: Game,
    seats: tuple[Seat | str, Seat | str] = DEFAULT_NAMES,
    *,
    time_limit: float | str | None = None,
    seed: int | None = None,
    matches: int | str = 1,
    given: Position | None = None,
) -> Match:
    """Return a new match. The first seat moves first; a plain name is a person's.

    With several `matches` it is the first of a duel. It may begin from a given position.

    All randomness follows from the seed: the same moves get the same replies.
    """
    return Match(
        id=secrets.token_hex(3),
        date=_now(),
        seats=read_seats(seats),
        position=given or game.start(),
        seconds=(0.0,) * len(given.moves) if given else (),
        time_limit=read_time_limit(time_limit),
        seed=secrets.randbits(32) if seed is None else seed,
        duel=Duel(1, several) if (several := read_matches(matches)) > 1 else None,
        given=len(given.moves) if given else 0,
    )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_seats(seats: tuple[Seat | str, Seat | str]) -> Seats:
    """Return two seats with clean, different names; MatchError if two people share a name."""
    one, two = map(_read_seat, seats)
    if one.name.casefold() == two.name.casefold():
        if two.computer:
            two = two._replace(name=two.name + SECOND)
        elif one.computer:
            one = one._replace(name=one.name + SECOND)
        else:
            raise MatchError(f"The players need two different names, not {quoted(one.name)} twice.")
    return one, two


def _read_seat(seat: Seat | str) -> Seat:
    name, computer = (seat, "") if isinstance(seat, str) else seat
    room = LONGEST_COMMAND if computer else LONGEST_NAME
    name = " ".join(printable(name).split())[:room].strip()
    if not is_visible(name):
        raise MatchError("A player's name cannot be empty.")
    folded = name.casefold()
    is_like_a_label = folded.startswith(f"{COMPUTER_NAME.casefold()} (")
    is_like_a_label |= folded.endswith(COMPUTER) or folded == THE_COMPUTER.casefold()
    if not computer and is_like_a_label:
        raise MatchError(f"{quoted(name)} would be taken for a computer; choose another name.")
    return Seat(name, computer)


def read_matches(matches: int | str) -> int:
    """Return the number of matches of a duel; MatchError if it is not allowed."""
    number = whole_number(str(matches))
    if number is None or not 1 <= number <= MOST_MATCHES:
        raise MatchError(
            f"The number of games must be from 1 to {MOST_MATCHES}, not {quoted(matches)}."
        )
    return number


def read_time_limit(seconds: float | str | None) -> float | None:
    """Return the seconds for one turn, from a number or a text like 1m30s; None for no limit."""
    if seconds is None:
        return None
    try:
        limit = read_seconds(seconds) if isinstance(seconds, str) else float(seconds)
    except (TypeError, OverflowError):
        limit = None
    if limit is None or not 0.1 <= limit <= 86_400:
        raise MatchError(
            "The time limit must be from 0.1 to 86,400 seconds a turn, like 90, 90s or 1m30s, "
            f"not {quoted(seconds)}."
        )
    return limit
