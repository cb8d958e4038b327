"""Who moves first."""

from __future__ import annotations

from random import Random

from duels.core.errors import MatchError
from duels.core.words import quoted
from duels.match import DEFAULT_NAMES, read_names
from duels.players.levels import SECOND, level_of

COIN = "coin"


def read_sides(players: tuple[str, str]) -> tuple[str, str]:
    """Two names of which one can be told to begin."""
    one, two = read_names(players)
    if COIN in (one.casefold(), two.casefold()):
        raise MatchError(f"{quoted(COIN)} cannot be a name: it says that a coin is flipped.")
    return one, two


def order_players(
    players: tuple[str, str], first: str | None, chance: Random
) -> tuple[tuple[str, str], list[str]]:
    """The players in the order of play, and what there is to say about it."""
    one, two = players
    if one == two and level_of(one):
        two += SECOND
    one, two = read_sides((one, two))
    wanted = (first or one).strip().casefold()
    if wanted == COIN:
        side = chance.choice(["heads", "tails"])
        if (one, two) == DEFAULT_NAMES:
            # Without names the program cannot know who sits where; people can.
            return (one, two), [f"The coin shows {side}: whoever called it is Player 1 and begins."]
        starter = one if side == "heads" else two
        said = [f"Heads for {one}, tails for {two}. The coin shows {side}: {starter} moves first."]
        return ((one, two) if starter == one else (two, one)), said
    if wanted not in (one.casefold(), two.casefold()):
        raise MatchError(f"{quoted(first)} cannot move first: choose {one}, {two} or {COIN}.")
    return ((one, two) if wanted == one.casefold() else (two, one)), []
