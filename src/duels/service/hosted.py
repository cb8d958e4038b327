"""A match as a server hosts it: with seats, a clock, and requests between the players.

Like a match it is frozen: each change is a function from one `Hosted` to the next, and nothing here
knows about databases or the network. A change that is refused is a Problem.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from duels.core.game import Move, Outcome, other
from duels.match.match import Match, Seat, read_seats
from duels.match.players.levels import computer_move
from duels.service import keys as opening
from duels.service.keys import Keys
from duels.service.problems import Problem

T = TypeVar("T")

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 10
PAUSED = "The class is paused."
COMPUTER_GRACE = 2000
"""Milliseconds in which the process that took a move answers for the computer; then any may."""


class Takeback(NamedTuple):
    """Player `by` asks to take moves back; `ply` is how many had been made when they asked."""

    by: int
    ply: int


class Help(NamedTuple):
    """The coach helped with the move behind so many others, up to this stage."""

    ply: int
    stage: int


@dataclass(frozen=True)
class Hosted:
    """A match, who may sit where, and what has been asked. Times are those of a Clock."""

    match: Match
    mode: str
    keys: Keys
    """What opens the seats; a computer's has none."""
    updated: int
    joined: tuple[bool, bool] = (True, True)
    turn_started: int | None = None
    version: int = 1
    public: bool = False
    show_moves: bool = True
    coach: bool = True
    """Whether there are hints."""
    helped: tuple[Help, ...] = ()
    takeback: Takeback | None = None
    rematch_offer: int | None = None
    """Who would like to play again, as long as the other has not answered."""
    rematch: str | None = None
    """The id of the next match."""
    score: tuple[int, int] = (0, 0)
    """Matches that each has won before this one, of those that were rematches of each other."""
    school: str | None = None
    """The code of the class that plays it, if one does."""
    paused: int | None = None
    """Milliseconds of the turn that had been used when the class was told to pause."""

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.match.moves)

    @property
    def to_move(self) -> int:
        return self.match.position.to_move

    @property
    def deadline(self) -> int | None:
        """When the player to move loses on time, if a clock is running."""
        is_off = self.turn_started is None or self.paused is not None
        if self.match.time_limit is None or is_off or self.match.outcome:
            return None
        return (self.turn_started or 0) + round(self.match.time_limit * 1000)

    @property
    def due(self) -> int | None:
        """When a server has to act by itself: for the computer, or when time runs out."""
        return self.updated + COMPUTER_GRACE if self.computer_moves else self.deadline

    @property
    def computer_moves(self) -> bool:
        """Whether it is a computer's turn."""
        is_on = not self.match.outcome and self.paused is None
        return is_on and bool(self.match.computer(self.to_move))

    @property
    def standing(self) -> tuple[int, int]:
        """The score, with this match if it is over."""
        winner = self.match.outcome.winner if self.match.outcome else 0
        return self.score[0] + (winner == 1), self.score[1] + (winner == 2)

    @property
    def hints(self) -> tuple[int, int]:
        """How many stages of help each player has had."""
        one, two = (sum(h.stage for h in self.helped if h.ply % 2 == side) for side in (0, 1))
        return one, two

    def seats_of(self, secret: str | None) -> tuple[int, ...]:
        """The players for whom somebody with this secret may move."""
        return opening.opened_by(self.keys, secret or "")

    def invited(self, secret: str | None) -> tuple[int, ...] | None:
        """The seats of an invitation, none once it has been used; None for any other secret."""
        return opening.invited_by(self.keys, secret or "")


def new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def is_id(text: str) -> bool:
    """Whether this could be the id of a match."""
    return len(text) == ID_LENGTH and text.isascii() and text.isalnum()


def sit(hosted: Hosted, secret: str | None) -> tuple[int, ...]:
    """The seats of this secret; a Problem if it opens none."""
    if not secret:
        raise Problem(
            401,
            "Only a player can do that: send the secret of a seat as a bearer token.",
            headers={"WWW-Authenticate": "Bearer"},
        )
    seats = hosted.seats_of(secret)
    if not seats:
        invited = hosted.invited(secret)
        if invited:
            raise Problem(403, "This is an invitation. Join with it, and a secret of your own.")
        used = opening.USED if invited is not None else ""
        raise Problem(403, used or "This secret opens no seat of this match.")
    return seats


def come(hosted: Hosted, secret: str | None, own: str | None, name: str | None, now: int) -> Hosted:
    """Sit down with the secret of a seat, or with an invitation and a secret of one's own."""
    if not secret or hosted.invited(secret) is None:
        return join(hosted, sit(hosted, secret), name, now)
    if not own:
        raise Problem(422, "An invitation works once: send a secret of your own as token.")
    keys = opening.redeem(hosted.keys, secret, own)
    seated = hosted if keys == hosted.keys else replace(hosted, keys=keys)
    return join(seated, sit(seated, own), name, now)


def invite_device(hosted: Hosted, seats: tuple[int, ...], invitation: str) -> Hosted:
    """Let another device of the same player sit down."""
    keys = opening.invite(hosted.keys, seats, invitation)
    return hosted if keys == hosted.keys else replace(hosted, keys=keys)


def join(hosted: Hosted, seats: tuple[int, ...], name: str | None, now: int) -> Hosted:
    """Sit down, with a name if the seat has not moved yet and the game is not over."""
    if len(seats) > 1:
        return hosted
    (player,) = seats
    joined = _with(hosted.joined, player, True)
    is_settled = hosted.ply >= player or hosted.match.outcome
    seated = hosted.match.seats
    if name and not is_settled and not hosted.school:  # a class knows what its pupils are called
        seated = read_seats(_with(seated, player, Seat(name)))
    if (joined, seated) == (hosted.joined, hosted.match.seats):
        return hosted
    starts = all(joined) and not all(hosted.joined)
    return replace(
        hosted,
        joined=joined,
        match=replace(hosted.match, seats=seated),
        turn_started=now if starts else hosted.turn_started,
    )


def play(hosted: Hosted, seats: tuple[int, ...], now: int, ply: int, said: Move | str) -> Hosted:
    """A move that answers the first `ply` moves; the same hosted match if it is there already."""
    match = hosted.match
    move = match.game.parse(said) if isinstance(said, str) else said
    if ply < hosted.ply and match.moves[ply] == move and 1 + ply % 2 in seats:
        return hosted
    if ply != hosted.ply:
        raise Problem(409, f"The match is at move {hosted.ply}, not {ply}.", stale=True)
    if match.outcome:
        raise Problem(409, "The game is over.", stale=True)
    if hosted.paused is not None:
        raise Problem(409, PAUSED, stale=True)
    if hosted.to_move not in seats:
        raise Problem(403, f"It is the turn of {match.mover}.")
    return _moved(hosted, match.play(move, used(hosted, now) / 1000), hosted.to_move, now)


def play_computer(hosted: Hosted, ply: int, move: Move, now: int) -> Hosted:
    """The computer's move, unless another process was first. It never runs out of time."""
    match = hosted.match
    if ply != hosted.ply or not hosted.computer_moves:
        return hosted
    seconds = used(hosted, now) / 1000
    seconds = min(seconds, match.time_limit or seconds)
    return _moved(hosted, match.play(move, seconds), 0, now)


def choose(match: Match) -> Move:
    """The computer's move: a function of the seed and the moves, so that it can be repeated."""
    computer = match.computer(match.position.to_move)
    return computer_move(computer, match.position, match.seed)


def used(hosted: Hosted, now: int) -> int:
    """Milliseconds that the turn has taken so far."""
    return 0 if hosted.turn_started is None else max(0, now - hosted.turn_started)


def _moved(hosted: Hosted, match: Match, player: int, now: int) -> Hosted:
    joined = _with(hosted.joined, player, True) if player else hosted.joined
    started = now if all(joined) else None
    return replace(hosted, match=match, joined=joined, turn_started=started, takeback=None)


def check_hint(hosted: Hosted, seats: tuple[int, ...]) -> None:
    """A Problem unless these seats may have a hint now."""
    if hosted.match.outcome:
        raise Problem(409, "The game is over.")
    if not hosted.coach:
        raise Problem(403, "This game is played without the coach.")
    if hosted.to_move not in seats:
        raise Problem(403, f"It is the turn of {hosted.match.mover}.")


def note_hint(hosted: Hosted, ply: int, stage: int) -> Hosted:
    """Remember help that was given; the same help twice counts once."""
    known = dict(hosted.helped)
    if known.get(ply, 0) >= stage:
        return hosted
    return replace(hosted, helped=tuple(Help(*one) for one in (known | {ply: stage}).items()))


def run_out(hosted: Hosted, now: int) -> Hosted:
    """Lost on time, if the time is over."""
    if hosted.deadline is None or now < hosted.deadline or hosted.computer_moves:
        return hosted
    return replace(hosted, match=hosted.match.out_of_time(), takeback=None)


def resign(hosted: Hosted, seats: tuple[int, ...], _now: int) -> Hosted:
    """Give up, also when it is the other player's turn."""
    player = hosted.to_move if len(seats) > 1 else seats[0]
    lost = Outcome(other(player), "resigned")
    if hosted.match.ended == lost:
        return hosted
    if hosted.match.outcome:
        raise Problem(409, "The game is over.", stale=True)
    return replace(hosted, match=replace(hosted.match, ended=lost), takeback=None, paused=None)


def pause(hosted: Hosted, now: int) -> Hosted:
    """Nobody moves, and the clock stands."""
    return hosted if hosted.match.outcome else replace(hosted, paused=used(hosted, now))


def go_on(hosted: Hosted, now: int) -> Hosted:
    """With the time that the turn had taken before."""
    if hosted.paused is None:
        return hosted
    return replace(hosted, paused=None, turn_started=now - hosted.paused)


def rule(hosted: Hosted, winner: int) -> Hosted:
    """The teacher says who has won."""
    won = replace(hosted.match, ended=Outcome(winner, "ruled"))
    return replace(hosted, match=won, takeback=None, paused=None)


def _with(pair: tuple[T, T], player: int, value: T) -> tuple[T, T]:
    return (value, pair[1]) if player == 1 else (pair[0], value)
