"""What can be asked about a match. A handler takes the desk, the request, and what was sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from duels.coach.hints import hints
from duels.coach.review import review, review_data, review_lines
from duels.core.game import read_move
from duels.games import all_games
from duels.match.match import Match
from duels.match.records import write_record
from duels.service import hosted as changes
from duels.service import rematches, takebacks
from duels.service.asking import SVG, Answer, Asked, answer
from duels.service.hosted import Hosted, sit
from duels.service.making import make
from duels.service.matches import Matches, Shown
from duels.service.problems import Problem
from duels.service.requests import (
    AnswerRematch,
    AnswerTakeback,
    AskTakeback,
    Form,
    Join,
    NewDevice,
    NewMatch,
    NewMove,
    Stage,
    Step,
)
from duels.service.state import hint_state, players_state, state_of
from duels.service.store import Listed
from duels.theory import solve
from duels.theory.pictures import verdict_svg

T = TypeVar("T")
Seats = tuple[int, ...]
ChangeBySeat = Callable[[Hosted, Seats, int], Hosted | rematches.Again]


class Study(Protocol):
    """Works out what takes a while: calls a module's function with plain data."""

    def run(self, asked: Asked, function: Callable[..., T], *args: Any) -> Awaitable[T]: ...


class Desk(Protocol):
    """Who answers: the matches, and where things are worked out."""

    @property
    def matches(self) -> Matches: ...

    @property
    def study(self) -> Study: ...


async def move(desk: Desk, asked: Asked, sent: NewMove) -> Answer:
    """Play a move. Sent twice it counts once; sent late it is a 409 with the current state."""
    said = sent.move if isinstance(sent.move, str) else read_move(sent.move)
    changed = await _change(desk, asked, partial(changes.play, ply=sent.ply, said=said))
    if changed.hosted.ply == sent.ply:
        raise Problem(409, "The time for this move has run out.", state=changed.state)
    return Answer(changed.state)


async def _change(desk: Desk, asked: Asked, change: ChangeBySeat) -> Shown:
    """Change a match as the seats may that the secret opens."""
    return await desk.matches.change(
        asked.match_id, lambda it, now: change(it, sit(it, asked.secret), now), asked.client
    )


async def create(desk: Desk, asked: Asked, sent: NewMatch) -> Answer:
    """Create a match. The secrets are in this answer and nowhere else."""
    made = make(sent, desk.matches.clock.now())
    await desk.matches.create(made.hosted, asked.client)
    invite = None
    if made.seat and made.invitation:
        invite = {"seat": 3 - made.seat, "token": made.invitation}
    data = {
        "id": made.hosted.match.id,
        "seat": made.seat,
        "token": made.secret,
        "invite": invite,
        "state": state_of(made.hosted, 0, made.hosted.updated),
        "said": made.said,
    }
    return answer(data, 201)


async def list_public(desk: Desk, asked: Asked) -> Answer:
    """The public matches that are being played, the latest first, at most 50."""
    found = await desk.matches.store.read(lambda shelf: list(shelf.listed()))
    return answer({"matches": [_listed(match) for match in found]})


def _listed(match: Listed) -> dict[str, Any]:
    return {
        "id": match.id,
        "game": match.game,
        "title": all_games()[match.game].title,
        "players": players_state(match.seats),
        "ply": match.ply,
        "status": f"{match.seats[match.ply % 2].name} to move.",
    }


async def state(desk: Desk, asked: Asked) -> Answer:
    """The state of a match; with the secret of a seat, or an invitation, which seats it opens."""
    hosted, watching = await desk.matches.get(asked.match_id)
    data = state_of(hosted, watching, desk.matches.clock.now())
    if seats := hosted.seats_of(asked.secret):
        data["you"] = seats
    if (invited := hosted.invited(asked.secret)) is not None:
        data["invited"] = invited
    return answer(data)


async def join(desk: Desk, asked: Asked, sent: Join) -> Answer:
    """Sit down, and choose a name as long as the seat has not moved and the game goes on.

    With an invitation `token` is a secret that the device has made; it opens the seat from then on.
    Sent again with the same token it succeeds again; with another one the invitation is used up.
    """
    changed = await desk.matches.change(
        asked.match_id, lambda it, now: changes.come(it, asked.secret, sent.token, sent.name, now)
    )
    return Answer(changed.state)


async def invite_device(desk: Desk, asked: Asked, sent: NewDevice) -> Answer:
    """Make an invitation to one's own seat for another device; `token` becomes its secret."""
    changed = await _change(
        desk, asked, lambda it, seats, _: changes.invite_device(it, seats, sent.token)
    )
    return Answer(changed.state)


async def resign(desk: Desk, asked: Asked) -> Answer:
    """Give the match up."""
    return Answer((await _change(desk, asked, changes.resign)).state)


async def takeback(desk: Desk, asked: Asked, sent: AskTakeback) -> Answer:
    """Ask to take one's last move back; where nobody has to agree, it happens at once."""
    return Answer((await _change(desk, asked, partial(takebacks.ask, ply=sent.ply))).state)


async def answer_takeback(desk: Desk, asked: Asked, sent: AnswerTakeback) -> Answer:
    """Agree to a takeback or not; whoever asked may withdraw."""
    said = partial(takebacks.answer, ply=sent.ply, agree=sent.agree)
    return Answer((await _change(desk, asked, said)).state)


async def rematch(desk: Desk, asked: Asked) -> Answer:
    """Offer a rematch: the sides are swapped, and the same secrets open it.

    It begins when the other player offers one too or agrees; against the computer and on one screen
    at once. Its id is then the `rematch` of the state.
    """
    return Answer((await _change(desk, asked, rematches.ask)).state)


async def answer_rematch(desk: Desk, asked: Asked, sent: AnswerRematch) -> Answer:
    """Agree to a rematch or not; whoever offered it may withdraw."""
    said = partial(rematches.answer, agree=sent.agree)
    return Answer((await _change(desk, asked, said)).state)


async def hint(desk: Desk, asked: Asked, sent: Stage) -> Answer:
    """Help for the player to move, in stages: what is asked, the answer, what to ask next.

    It is counted: both players are told after the game.
    """
    hosted = (await desk.matches.get(asked.match_id)).hosted
    changes.check_hint(hosted, sit(hosted, asked.secret))
    stages = await desk.study.run(asked.about(hosted.school), hints, hosted.match.position)
    shown = hint_state(stages, sent.stage)
    await desk.matches.change(
        asked.match_id, lambda it, _: changes.note_hint(it, hosted.ply, shown["stage"])
    )
    return answer(shown)


async def get_review(desk: Desk, asked: Asked) -> Answer:
    """Every move of a finished match labelled exactly, and the move on which it turned."""
    hosted = (await desk.matches.get(asked.match_id)).hosted
    if not hosted.match.outcome:
        raise Problem(409, "The review is for finished games.")
    return answer(await desk.study.run(asked.about(hosted.school), _reviewed, hosted.match))


def _reviewed(match: Match) -> dict[str, Any]:
    """A review with its moves as they are written."""
    found = review(match)
    data, write = review_data(found), match.game.format
    for step, shown in zip(found.steps, data["moves"], strict=True):
        shown["move"] = write(step.move)
        shown["better"] = None if step.better is None else write(step.better)
    return data | {"lines": review_lines(found), "strip": found.strip}


async def record(desk: Desk, asked: Asked, sent: Form) -> Answer:
    """The match written down, as text for people or JSON for programs."""
    match = (await desk.matches.get(asked.match_id)).hosted.match
    is_json = sent.format == "json"
    name = f"{match.game.id}-{match.id}.{'jsonl' if is_json else 'txt'}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    media_type = "application/jsonl" if is_json else "text/plain; charset=utf-8"
    return Answer(write_record(match, Path(name)).encode(), 200, media_type, headers)


async def picture(desk: Desk, asked: Asked, sent: Step) -> Answer:
    """The truth about a finished match after `ply` moves, drawn."""
    hosted = (await desk.matches.get(asked.match_id)).hosted
    match = hosted.match
    if not match.outcome:
        raise Problem(409, "Pictures are for finished games.")
    if sent.ply > len(match.moves):
        raise Problem(422, f"The match has {len(match.moves)} moves.")
    drawn = await desk.study.run(asked.about(hosted.school), _picture, match, sent.ply)
    return Answer(drawn.encode(), 200, SVG)


def _picture(match: Match, ply: int) -> str:
    return verdict_svg(solve(match.game.position(*match.moves[:ply])))
