"""Puzzles: a position with exactly one winning move, and enough wrong ones to be interesting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from duels.core.errors import DuelsError, OptionNameError
from duels.core.game import Game, Position
from duels.core.options import Option, OptionValue
from duels.core.states import TooLarge
from duels.core.words import listed
from duels.games import game as game_of
from duels.theory import theory_of, winning_moves

DIFFICULTY = {"novice": (3, 5), "casual": (3, 8), "skilled": (5, 15), "expert": (8, 10_000)}
"""By level: the fewest and the most wrong moves. Beyond novice the win is not there at once."""

FEWEST_WRONG = 2
TRIES = 3000
DRAWS = 40
"""How many boards are tried before we say that there is no puzzle."""


def find_puzzle(
    kinds: Sequence[type[Game]], chosen: Mapping[str, str], level: str, chance: Random
) -> Position:
    """A puzzle of one of these games with these options; DuelsError if there is none.

    What nobody chose, the game and options without a default, is drawn until there is one.
    """
    fitting = [kind for kind in kinds if kind.fields.keys() >= chosen.keys()]
    if not fitting and len(kinds) > 1:
        raise OptionNameError(f"No game has the options {listed([*chosen])} together.")
    left = fitting or list(kinds)
    trouble = "No puzzle was found on this board. Try another level or another size."
    for _ in range(DRAWS):
        kind = chance.choice(left)
        missing = _missing(kind, chosen)
        drawn = {name: _drawn(option, chance) for name, option in missing.items()}
        try:
            if found := puzzle(game_of(kind.id, **drawn, **chosen), level, chance):
                return found
        except TooLarge as error:
            trouble = f"There is no puzzle of {kind.title}. {error}"
            left.remove(kind)
        if not left or (len(kinds) == 1 and not missing):
            break
    raise DuelsError(trouble)


def puzzle(game: Game, level: str, chance: Random) -> Position | None:
    """A position of this game from random play, of this level or the nearest that was found."""
    fewest, most = DIFFICULTY[level]
    start = game.start()
    if start.outcome:  # some boards are over before the first move
        return None
    position, nearest, best = start, None, 0
    for _ in range(TRIES):
        if position.outcome:
            position = start
        wrong = len(position.legal_moves) - 1
        if max(best + 1, FEWEST_WRONG) <= wrong <= most and _is_puzzle(position, level):
            if wrong >= fewest:
                return position
            nearest, best = position, wrong
        position = position.play(chance.choice(position.legal_moves))
    return nearest


def _is_puzzle(position: Position, level: str) -> bool:
    if len(winning_moves(position)) != 1:
        return False
    return level == "novice" or not theory_of(position).wins_at_once(position)


def _missing(kind: type[Game], chosen: Mapping[str, str]) -> dict[str, Option]:
    """The options that somebody would have to choose, and did not."""
    return {
        name: option
        for name, option in kind.fields.items()
        if option.default is None and name not in chosen
    }


def _drawn(option: Option, chance: Random) -> OptionValue:
    """A number that is neither the least one nor far beyond the example."""
    high = max(3 * int(option.example), option.lowest + 1)
    if option.highest is not None:
        high = min(high, option.highest)
    return chance.randint(min(option.lowest + 1, high), high)
