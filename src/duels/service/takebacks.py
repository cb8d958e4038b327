"""Taking moves back: at once where nobody has to agree, else asked for and answered."""

from __future__ import annotations

from dataclasses import replace

from duels.core.errors import MatchError
from duels.core.game import other
from duels.core.words import listed
from duels.service.hosted import PAUSED, Hosted, Takeback, run_out, used
from duels.service.problems import Problem


def ask(hosted: Hosted, seats: tuple[int, ...], now: int, ply: int) -> Hosted:
    """Take one's last move back where nobody has to agree; ask where somebody has to."""
    if run_out(hosted, now).match.outcome:
        raise Problem(409, "The game is over; there is nothing to take back.", stale=True)
    if hosted.paused is not None:
        raise Problem(409, PAUSED, stale=True)
    if ply != hosted.ply:
        raise Problem(409, f"The match is at move {hosted.ply}, not {ply}.", stale=True)
    player = other(hosted.to_move) if len(seats) > 1 else seats[0]
    request = Takeback(player, ply)
    plies = _plies_back(hosted, request)
    if len(seats) == 1 and not hosted.match.computer(other(player)):
        return hosted if hosted.takeback == request else replace(hosted, takeback=request)
    return _taken_back(hosted, plies, now)


def answer(hosted: Hosted, seats: tuple[int, ...], now: int, ply: int, agree: bool) -> Hosted:
    """Agree to a takeback or not; whoever asked may only withdraw."""
    request = hosted.takeback
    if request is None or request.ply != ply or run_out(hosted, now).match.outcome:
        raise Problem(409, "Nobody is asking to take that move back.", stale=True)
    if agree and other(request.by) not in seats:
        raise Problem(403, f"{hosted.match.name(other(request.by))} has to agree to that.")
    if not agree:
        return replace(hosted, takeback=None)
    if hosted.paused is not None:
        raise Problem(409, PAUSED, stale=True)
    return _taken_back(hosted, _plies_back(hosted, request), now)


def in_words(hosted: Hosted, request: Takeback) -> str:
    """Who asks for which moves."""
    match = hosted.match
    moves = [match.game.format(move) for move in match.moves[-_plies_back(hosted, request) :]]
    return f"{match.name(request.by)} asks to take back {listed(moves)}."


def _plies_back(hosted: Hosted, request: Takeback) -> int:
    """How many moves go back so that it is the asker's turn again."""
    plies = 2 if hosted.to_move == request.by else 1
    if plies > hosted.ply - hosted.match.given:
        raise MatchError("There is no move to take back.")
    return plies


def _taken_back(hosted: Hosted, plies: int, now: int) -> Hosted:
    """The turn goes on with the time that its player has used for it: nothing is given back."""
    spent = round(1000 * hosted.match.seconds[-plies]) + (used(hosted, now) if plies == 2 else 0)
    limit = hosted.match.time_limit
    if limit is not None and spent >= 1000 * limit:
        raise MatchError("There is no time left to take a move back.")
    return replace(
        hosted,
        match=hosted.match.undo(plies),
        takeback=None,
        turn_started=now - spent if all(hosted.joined) else None,
    )
