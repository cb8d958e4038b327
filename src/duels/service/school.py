"""What can be asked of a class: by its teacher, by its pupils, and at its door."""

from __future__ import annotations

import secrets
from dataclasses import replace

from duels.service import classes, joining, teaching, truth
from duels.service.asking import Answer, Asked, answer
from duels.service.class_boards import late_pair
from duels.service.class_door import code_of, knock, seen_by_teacher
from duels.service.class_requests import ChangePupil, Come, NewPlan, Pairing, Pause, Round, Ruling
from duels.service.class_views import teachers_view, view
from duels.service.classes import Plan, SchoolClass, taught_by
from duels.service.keys import hash_secret
from duels.service.making import web_game
from duels.service.play import Desk
from duels.service.requests import Line
from duels.service.teaching import Change, Seen, look_at, winners_of


async def create(desk: Desk, asked: Asked) -> Answer:
    """Start a class: its code is for the board, its secret for the teacher alone."""
    token = secrets.token_urlsafe(24)
    now = desk.matches.clock.now()
    it = SchoolClass(classes.new_code(), hash_secret(token), now)
    await desk.matches.store.write(lambda shelf: shelf.insert_class(it, asked.client))
    state = teachers_view(Seen(it, {}), now)
    return answer({"code": it.code, "token": token, "state": state}, 201)


async def look(desk: Desk, asked: Asked) -> Answer:
    """A class as its teacher, one of its pupils, or somebody at its door sees it."""
    seen = await knock(desk, asked, asked.secret)
    return answer(view(seen, asked.secret, desk.matches.clock.now()))


async def join(desk: Desk, asked: Asked, sent: Come) -> Answer:
    """Come into a class with a secret that the device has made; sent again it is the same pupil."""
    await knock(desk, asked, sent.token)
    seen = await teaching.change(
        desk.matches, code_of(asked), lambda it: late_pair(joining.join(it, sent.name, sent.token))
    )
    return answer(view(seen, sent.token, desk.matches.clock.now()))


async def plan(desk: Desk, asked: Asked, sent: NewPlan) -> Answer:
    """What is played from the next round on."""
    playing = web_game(sent.game, sent.options)
    chosen = Plan(playing.id, playing.options, sent.coach, sent.time_limit)
    return await _taught(desk, asked, lambda it: replace(it, plan=chosen))


async def start_round(desk: Desk, asked: Asked, sent: Round) -> Answer:
    """Begin a round: everybody is paired at once. Begun twice it is begun once."""
    winners = winners_of(await look_at(desk.matches, code_of(asked)))
    return await _taught(desk, asked, lambda it: classes.next_round(it, sent.round, winners))


async def pause(desk: Desk, asked: Asked, sent: Pause) -> Answer:
    """All boards stand still with their clocks, or go on."""
    return await _taught(desk, asked, lambda it: classes.paused(it, sent.paused))


async def change_pupil(desk: Desk, asked: Asked, sent: ChangePupil) -> Answer:
    """Rename a pupil, remove one, let one of the devices that ask to be theirs in, or refuse it."""

    def change(it: SchoolClass) -> SchoolClass:
        if sent.remove:
            return joining.remove(it, sent.pupil)
        if sent.let_in is not None:
            return joining.let_in(it, sent.pupil, sent.let_in)
        if sent.refuse is not None:
            return joining.refuse(it, sent.pupil, sent.refuse)
        return joining.rename(it, sent.pupil, sent.name or "")

    return await _taught(desk, asked, change)


async def pair(desk: Desk, asked: Asked, sent: Pairing) -> Answer:
    """Pair two who wait by hand, or one and the computer."""
    one, two = sent.pupils
    return await _taught(desk, asked, lambda it: classes.pair(it, one, two))


async def rule(desk: Desk, asked: Asked, sent: Ruling) -> Answer:
    """End a game, and say who has won it."""
    code = code_of(asked)
    seen = await teaching.rule(desk.matches, code, asked.secret, sent.match, sent.winner)
    return _for_teacher(desk, seen)


async def solved(desk: Desk, asked: Asked, sent: Line) -> Answer:
    """The truth about a position that the class looks at, counted to the class."""
    seen = await seen_by_teacher(desk, asked)
    return answer(await desk.study.run(asked.about(seen.school.code), truth.solved, sent))


async def end(desk: Desk, asked: Asked) -> Answer:
    """End the lesson: the class, its pupils and their games are removed."""
    await teaching.end(desk.matches, code_of(asked), asked.secret)
    return answer({"ended": True})


async def _taught(desk: Desk, asked: Asked, change: Change) -> Answer:
    """A change that only the teacher makes."""
    seen = await teaching.change(
        desk.matches, code_of(asked), lambda it: change(taught_by(it, asked.secret))
    )
    return _for_teacher(desk, seen)


def _for_teacher(desk: Desk, seen: Seen) -> Answer:
    return answer(teachers_view(seen, desk.matches.clock.now()))
