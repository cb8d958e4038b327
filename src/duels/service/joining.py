"""Who is in a class: coming in with a name, by another device, renamed, removed."""

from __future__ import annotations

from dataclasses import replace

from duels.match.match import Seat, read_seats
from duels.service.classes import Pupil, SchoolClass
from duels.service.hosted import new_id
from duels.service.keys import hash_secret
from duels.service.problems import Problem

MOST_PUPILS = 60
MOST_DEVICES = 4
"""Of one pupil: those that are let in, and those that ask."""
ADJECTIVES = ("Bold", "Calm", "Eager", "Gentle", "Happy", "Kind", "Lucky", "Merry", "Quick", "Wise")
ANIMALS = ("Badger", "Bison", "Falcon", "Koala", "Lynx", "Otter", "Panda", "Robin", "Seal", "Tiger")


def join(it: SchoolClass, name: str | None, token: str) -> SchoolClass:
    """Come in with a name, or a made-up one; the same device is the same pupil."""
    if it.pupil_of(token):
        return it
    key = hash_secret(token)
    shown = read_name(name) if name else _made_up(it, key)
    if there := _named(it, shown):
        return _asking(it, there, key)
    if len(it.here) >= MOST_PUPILS:
        raise Problem(409, f"This class is full: it has {MOST_PUPILS} pupils.")
    return _with(_not_asking(it, key), Pupil(new_id(), shown, (key,)))


def _asking(it: SchoolClass, pupil: Pupil, key: str) -> SchoolClass:
    """Another device with a name that is taken: the teacher knows whose it is."""
    if key in pupil.asking:
        return it
    if len(pupil.asking) >= MOST_DEVICES:
        raise Problem(409, f"Somebody here is called {pupil.name} already: take another name.")
    return _with(_not_asking(it, key), pupil._replace(asking=(*pupil.asking, key)))


def _not_asking(it: SchoolClass, key: str) -> SchoolClass:
    """A device is one pupil's: what it asked before it does not ask any more."""
    for pupil in it.pupils:
        if key in pupil.asking:
            it = _with(it, pupil._replace(asking=_without(pupil.asking, key)))
    return it


def let_in(it: SchoolClass, pupil_id: str, device: str) -> SchoolClass:
    """A device that asks is this pupil's; the oldest of too many is theirs no more."""
    pupil = it.pupil_here(pupil_id)
    if any(device_id(key) == device for key in pupil.keys):
        return it
    if not (key := _asked_by(pupil, device)):
        raise Problem(409, "This device does not ask any more.")
    keys = (*pupil.keys, key)[-MOST_DEVICES:]
    return _with(it, pupil._replace(keys=keys, asking=_without(pupil.asking, key)))


def refuse(it: SchoolClass, pupil_id: str, device: str) -> SchoolClass:
    """A device that asks is somebody else's."""
    pupil = it.pupil_here(pupil_id)
    key = _asked_by(pupil, device)
    return _with(it, pupil._replace(asking=_without(pupil.asking, key))) if key else it


def rename(it: SchoolClass, pupil_id: str, name: str) -> SchoolClass:
    pupil, shown = it.pupil_here(pupil_id), read_name(name)
    there = _named(it, shown)
    if there and there.id != pupil_id:
        raise Problem(409, f"Somebody here is called {there.name} already.")
    return _with(it, pupil._replace(name=shown))


def remove(it: SchoolClass, pupil_id: str) -> SchoolClass:
    """The pupil's games stay; their devices open nothing any more."""
    return _with(it, it.pupil(pupil_id)._replace(keys=(), asking=(), is_here=False))


def device_id(key: str) -> str:
    """A device as the teacher names it; it opens nothing."""
    return hash_secret(f"device {key}")[:10]


def device_words(key: str, step: int = 0) -> str:
    """A device as people call it: it says so itself while it asks, and the teacher reads it."""
    one, two = divmod(int(key[:8], 16) + 7 * step, len(ANIMALS))
    return f"{ADJECTIVES[one % len(ADJECTIVES)]} {ANIMALS[two]}"


def read_name(name: str) -> str:
    """A name as every player's is read."""
    return read_seats((name, Seat("x", "x")))[0].name


def _made_up(it: SchoolClass, key: str) -> str:
    """A name for somebody who takes any; the same for the same device."""
    taken = {pupil.name.casefold() for pupil in it.pupils}
    for step in range(len(ADJECTIVES) * len(ANIMALS)):
        if (name := device_words(key, step)).casefold() not in taken:
            return name
    raise Problem(409, "All made-up names are taken: type a name.")


def _named(it: SchoolClass, name: str) -> Pupil | None:
    return next((one for one in it.here if one.name.casefold() == name.casefold()), None)


def _asked_by(pupil: Pupil, device: str) -> str:
    return next((key for key in pupil.asking if device_id(key) == device), "")


def _without(keys: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(key for key in keys if key != gone)


def _with(it: SchoolClass, pupil: Pupil) -> SchoolClass:
    """The class with this pupil, in place of themselves if they are there."""
    others = [pupil if one.id == pupil.id else one for one in it.pupils]
    return replace(it, pupils=(*others, *(() if pupil in others else (pupil,))))
