"""Who moves first."""

from __future__ import annotations

from random import Random

from duels.core.errors import MatchError
from duels.core.words import quoted
from duels.match.match import DEFAULT_NAMES, Seat, Seats, read_seats

COIN = "coin"


def read_sides(seats: tuple[Seat | str, Seat | str]) -> Seats:
    """Two seats of which one can be named to begin."""
    one, two = read_seats(seats)
    if COIN in (one.name.casefold(), two.name.casefold()):
        raise MatchError(f"{quoted(COIN)} cannot be a name: it says that a coin is flipped.")
    return one, two


def order_players(
    seats: tuple[Seat | str, Seat | str], first: str | None, chance: Random
) -> tuple[Seats, list[str]]:
    """The seats in the order of play, and what there is to say about it."""
    one, two = read_sides(seats)
    starter = (first or one.name).strip().casefold()
    if starter == COIN:
        side = chance.choice(["heads", "tails"])
        if (one, two) == (Seat(DEFAULT_NAMES[0]), Seat(DEFAULT_NAMES[1])):
            # Without names the program cannot know who sits where; people can.
            return (one, two), [f"The coin shows {side}: whoever called it is Player 1 and begins."]
        begins, follows = (one, two) if side == "heads" else (two, one)
        return (begins, follows), [
            f"Heads for {one.name}, tails for {two.name}. "
            f"The coin shows {side}: {begins.name} moves first."
        ]
    if starter == one.name.casefold():
        return (one, two), []
    if starter == two.name.casefold():
        return (two, one), []
    raise MatchError(f"{quoted(first)} cannot move first: choose {one.name}, {two.name} or {COIN}.")
