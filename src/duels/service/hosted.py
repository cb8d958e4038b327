"""A hosted match: a match with seats, a clock, and offers between the players.

It is frozen like a match: each change is a function from one `Hosted` to the next, and nothing here
knows about databases or the network. A refused change raises a Problem.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeVar

from duels.core.errors import MatchError
from duels.core.game import Move, Outcome, other, read_move
from duels.core.words import listed
from duels.match.match import DEFAULT_NAMES, Match, Seat, new_match
from duels.match.players.levels import computer_move
from duels.service.problems import Problem
from duels.service.requests import NewMove, RematchReply, TakebackReply, TakebackRequest

T = TypeVar("T")
Players = tuple[int, ...]
"""The players that a client may move for."""

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 10
PAUSED = "The class is paused."
COMPUTER_GRACE = 2000
"""Milliseconds in which the process that took a move replies for the computer; then any process
may."""


class SeatToken(NamedTuple):
    """A device that may move for `player`. Only hashes of tokens are saved.

    An invitation has no device until it is used. Both hashes are saved then, so that the same
    device can join again after a lost response, and any other device gets a clear refusal.
    """

    player: int
    device: str = ""
    """The hash of the device's token; empty while an invitation is open."""
    invitation: str = ""
    """The hash of the invitation the device used; empty for the creator of the match."""


SeatTokens = tuple[SeatToken, ...]


class Takeback(NamedTuple):
    """Player `by` asks to take moves back; `ply` moves had been made when they asked."""

    by: int
    ply: int


class Help(NamedTuple):
    """A record that the coach helped with the move after `ply` others, up to this stage."""

    ply: int
    stage: int


@dataclass(frozen=True)
class Hosted:
    """A match, the tokens of its seats, and its open offers. Times are those of a Clock."""

    match: Match
    mode: Literal["computer", "friend", "here"]
    tokens: SeatTokens
    """The tokens that open the seats; a computer's seat has none."""
    updated: int
    joined: tuple[bool, bool] = (True, True)
    turn_started: int | None = None
    version: int = 1
    public: bool = False
    show_moves: bool = True
    coach: bool = True
    """Whether the players can have hints."""
    helped: tuple[Help, ...] = ()
    takeback: Takeback | None = None
    rematch_offer: int | None = None
    """The player who offers a rematch, until the opponent replies."""
    rematch: str | None = None
    """The id of the next match."""
    score: tuple[int, int] = (0, 0)
    """Matches each player has won before this one in a series of rematches."""
    class_code: str | None = None
    """The code of the class that plays the match, if any."""
    paused: int | None = None
    """Milliseconds of the turn used when the class was paused; None if it is not paused."""

    @property
    def ply(self) -> int:
        return len(self.match.moves)

    @property
    def to_move(self) -> int:
        return self.match.position.to_move

    @property
    def deadline(self) -> int | None:
        """When the player to move loses on time, if a clock is running."""
        limit, started = self.match.time_limit, self.turn_started
        if limit is None or started is None or self.paused is not None or self.match.outcome:
            return None
        return started + round(limit * 1000)

    @property
    def due(self) -> int | None:
        """When a server must act without a request: move for the computer, or end the match."""
        return self.updated + COMPUTER_GRACE if self.computer_moves else self.deadline

    @property
    def computer_moves(self) -> bool:
        """Whether it is a computer's turn."""
        is_on = not self.match.outcome and self.paused is None
        return is_on and bool(self.match.computer(self.to_move))

    @property
    def new_score(self) -> tuple[int, int]:
        """The score, including this match if it is over."""
        winner = self.match.outcome.winner if self.match.outcome else 0
        return self.score[0] + (winner == 1), self.score[1] + (winner == 2)

    @property
    def hints(self) -> tuple[int, int]:
        """The number of stages of help each player has had."""
        one, two = (sum(h.stage for h in self.helped if h.ply % 2 == side) for side in (0, 1))
        return one, two


class Rematch(NamedTuple):
    """A match whose players agreed to a rematch, and the next match, which begins now."""

    hosted: Hosted
    following: Hosted


def new_id(length: int = ID_LENGTH) -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(length))


def is_id(text: str) -> bool:
    """Whether this could be the id of a match."""
    return len(text) == ID_LENGTH and text.isascii() and text.isalnum()


def play(hosted: Hosted, players: Players, now: int, sent: NewMove) -> Hosted:
    """Play a move after the first `ply` moves; unchanged if that move was already played."""
    match, ply = hosted.match, sent.ply
    move = match.game.parse(sent.move) if isinstance(sent.move, str) else read_move(sent.move)
    if ply < hosted.ply and match.moves[ply] == move and 1 + ply % 2 in players:
        return hosted
    _check_ply(hosted, ply)
    if match.outcome:
        raise Problem(409, "The game is over.", stale=True)
    _check_paused(hosted)
    _check_turn(hosted, players)
    return _moved(hosted, match.play(move, time_used(hosted, now) / 1000), hosted.to_move, now)


def _check_ply(hosted: Hosted, ply: int) -> None:
    if ply != hosted.ply:
        raise Problem(409, f"The match is at move {hosted.ply}, not {ply}.", stale=True)


def _check_paused(hosted: Hosted) -> None:
    if hosted.paused is not None:
        raise Problem(409, PAUSED, stale=True)


def _check_turn(hosted: Hosted, players: Players) -> None:
    if hosted.to_move not in players:
        raise Problem(403, f"It is {hosted.match.mover}'s turn.")


def play_computer(hosted: Hosted, ply: int, move: Move, now: int) -> Hosted:
    """Play the computer's move, unless another process was first; it never loses on time."""
    match = hosted.match
    if ply != hosted.ply or not hosted.computer_moves:
        return hosted
    seconds = time_used(hosted, now) / 1000
    seconds = min(seconds, match.time_limit or seconds)
    return _moved(hosted, match.play(move, seconds), 0, now)


def choose_move(match: Match) -> Move:
    """Return the computer's move, a function of the seed and the moves: it is repeatable."""
    computer = match.computer(match.position.to_move)
    return computer_move(computer, match.position, match.seed)


def time_used(hosted: Hosted, now: int) -> int:
    """Return the milliseconds the turn has taken so far."""
    return 0 if hosted.turn_started is None else max(0, now - hosted.turn_started)


def _moved(hosted: Hosted, match: Match, player: int, now: int) -> Hosted:
    joined = with_player(hosted.joined, player, True) if player else hosted.joined
    started = now if all(joined) else None
    return replace(hosted, match=match, joined=joined, turn_started=started, takeback=None)


def check_hint(hosted: Hosted, players: Players) -> None:
    """Raise a Problem unless these players may have a hint now."""
    if hosted.match.outcome:
        raise Problem(409, "The game is over.")
    if not hosted.coach:
        raise Problem(403, "This game is played without the coach.")
    _check_turn(hosted, players)


def note_hint(hosted: Hosted, ply: int, stage: int) -> Hosted:
    """Record that help was given; the same help counts once."""
    known = dict(hosted.helped)
    if known.get(ply, 0) >= stage:
        return hosted
    return replace(hosted, helped=tuple(Help(*one) for one in (known | {ply: stage}).items()))


def end_if_out_of_time(hosted: Hosted, now: int) -> Hosted:
    """End the match if the player to move has run out of time."""
    if hosted.deadline is None or now < hosted.deadline or hosted.computer_moves:
        return hosted
    return replace(hosted, match=hosted.match.out_of_time(), takeback=None)


def resign(hosted: Hosted, players: Players, _now: int) -> Hosted:
    """Resign the match, even if it is the opponent's turn."""
    player = hosted.to_move if len(players) > 1 else players[0]
    lost = Outcome(other(player), "resigned")
    if hosted.match.ended == lost:
        return hosted
    if hosted.match.outcome:
        raise Problem(409, "The game is over.", stale=True)
    return replace(hosted, match=replace(hosted.match, ended=lost), takeback=None, paused=None)


def pause(hosted: Hosted, now: int) -> Hosted:
    """Stop the clock and refuse moves until `resume`."""
    return hosted if hosted.match.outcome else replace(hosted, paused=time_used(hosted, now))


def resume(hosted: Hosted, now: int) -> Hosted:
    """End a pause; the turn continues with the time it had used."""
    if hosted.paused is None:
        return hosted
    return replace(hosted, paused=None, turn_started=now - hosted.paused)


def rule_winner(hosted: Hosted, winner: int) -> Hosted:
    """End the match with the winner the teacher has named."""
    won = replace(hosted.match, ended=Outcome(winner, "ruled"))
    return replace(hosted, match=won, takeback=None, paused=None)


def takeback(hosted: Hosted, players: Players, now: int, sent: TakebackRequest) -> Hosted:
    """Ask to take your last move back; if no opponent has to agree, it happens at once."""
    if end_if_out_of_time(hosted, now).match.outcome:
        raise Problem(409, "The game is over; there is nothing to take back.", stale=True)
    _check_paused(hosted)
    _check_ply(hosted, sent.ply)
    player = other(hosted.to_move) if len(players) > 1 else players[0]
    request = Takeback(player, sent.ply)
    plies = _plies_back(hosted, request)
    if len(players) == 1 and not hosted.match.computer(other(player)):
        return hosted if hosted.takeback == request else replace(hosted, takeback=request)
    return _taken_back(hosted, plies, now)


def reply_takeback(hosted: Hosted, players: Players, now: int, sent: TakebackReply) -> Hosted:
    """Agree to a takeback or decline it; the player who asked can withdraw it."""
    request = hosted.takeback
    if request is None or request.ply != sent.ply or end_if_out_of_time(hosted, now).match.outcome:
        raise Problem(409, "There is no request to take that move back.", stale=True)
    if sent.agree and other(request.by) not in players:
        raise Problem(403, f"{hosted.match.name(other(request.by))} has to agree to that.")
    if not sent.agree:
        return replace(hosted, takeback=None)
    _check_paused(hosted)
    return _taken_back(hosted, _plies_back(hosted, request), now)


def takeback_in_words(hosted: Hosted, request: Takeback) -> str:
    """Return a sentence that says which player asks to take back which moves."""
    match = hosted.match
    moves = [match.game.format(move) for move in match.moves[-_plies_back(hosted, request) :]]
    return f"{match.name(request.by)} asks to take back {listed(moves)}."


def _plies_back(hosted: Hosted, request: Takeback) -> int:
    """Return how many moves to undo so that it is the asking player's turn again."""
    plies = 2 if hosted.to_move == request.by else 1
    if plies > hosted.ply - hosted.match.given:
        raise MatchError("There is no move to take back.")
    return plies


def _taken_back(hosted: Hosted, plies: int, now: int) -> Hosted:
    """Undo moves; the turn continues with the time already used for it."""
    used = time_used(hosted, now) if plies == 2 else 0
    spent = round(1000 * hosted.match.seconds[-plies]) + used
    limit = hosted.match.time_limit
    if limit is not None and spent >= 1000 * limit:
        raise MatchError("There is no time left to take a move back.")
    return replace(
        hosted,
        match=hosted.match.undo(plies),
        takeback=None,
        turn_started=now - spent if all(hosted.joined) else None,
    )


def rematch(hosted: Hosted, players: Players, now: int) -> Hosted | Rematch:
    """Offer a rematch with sides swapped; the same tokens open it.

    It begins when the other player agrees or offers one too; against the computer and on one screen
    it begins at once. Its id is then the `rematch` of the state.
    """
    if not hosted.match.outcome:
        raise Problem(409, "The game is not over yet.", stale=True)
    if hosted.class_code:
        raise Problem(409, "In a class the teacher starts the next round.", stale=True)
    if hosted.rematch:
        return hosted
    needs_consent = hosted.mode == "friend" and len(players) == 1 and all(hosted.joined)
    if needs_consent and hosted.rematch_offer != other(players[0]):
        is_offered = hosted.rematch_offer == players[0]
        return hosted if is_offered else replace(hosted, rematch_offer=players[0])
    following = next_match(hosted, players, now)
    return Rematch(replace(hosted, rematch=following.match.id, rematch_offer=None), following)


def reply_rematch(
    hosted: Hosted, players: Players, now: int, sent: RematchReply
) -> Hosted | Rematch:
    """Agree to a rematch or decline it; the player who offered it can withdraw it."""
    if not sent.agree and hosted.rematch:
        raise Problem(409, "The rematch has begun.", stale=True)
    if hosted.rematch or (not sent.agree and hosted.rematch_offer is None):
        return hosted
    if hosted.rematch_offer is None:
        raise Problem(409, "No rematch has been offered.", stale=True)
    if not sent.agree:
        return replace(hosted, rematch_offer=None)
    if other(hosted.rematch_offer) not in players:
        name = hosted.match.name(other(hosted.rematch_offer))
        raise Problem(403, f"{name} has to agree to that.")
    return rematch(hosted, players, now)


def next_match(hosted: Hosted, players: Players, now: int) -> Hosted:
    """Return the rematch with sides swapped; in a friend's match the other player has to join."""
    match = hosted.match
    one, two = DEFAULT_NAMES  # of the sides, not of the people
    renamed = {Seat(one): Seat(two), Seat(two): Seat(one)}
    first, second = (renamed.get(seat, seat) for seat in match.seats[::-1])
    again = new_match(match.game, (first, second), time_limit=match.time_limit)
    joined = (2 in players, 1 in players) if hosted.mode == "friend" else (True, True)
    score = hosted.new_score[::-1]
    return Hosted(
        match=replace(again, id=new_id()),
        mode=hosted.mode,
        tokens=tuple(one._replace(player=other(one.player)) for one in hosted.tokens),
        updated=now,
        joined=joined,
        turn_started=now if all(joined) else None,
        public=hosted.public,
        show_moves=hosted.show_moves,
        coach=hosted.coach,
        score=score,
    )


def with_player(pair: tuple[T, T], player: int, value: T) -> tuple[T, T]:
    """Return two values with that of one player replaced."""
    return (value, pair[1]) if player == 1 else (pair[0], value)
