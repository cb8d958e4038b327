"""The five rule books. `GAMES` is the one list of them."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any

from duels.core.errors import OptionNameError
from duels.core.game import Game, Position
from duels.core.words import listed, quoted
from duels.games.divisor_duel import DivisorDuel
from duels.games.number_chain_duel import NumberChainDuel
from duels.games.number_duel import NumberDuel
from duels.games.number_line_duel import NumberLineDuel
from duels.games.sequence_duel import SequenceDuel

GameType = (
    type[NumberDuel]
    | type[DivisorDuel]
    | type[NumberLineDuel]
    | type[SequenceDuel]
    | type[NumberChainDuel]
)

GAMES: dict[str, GameType] = {
    kind.id: kind
    for kind in (NumberDuel, DivisorDuel, NumberLineDuel, SequenceDuel, NumberChainDuel)
}
"""The games by id, in the order of the menu."""

RULES_VERSION = 1
"""Goes up when a rule changes, so that an old record is never replayed by other rules."""


def game(game_id: str, /, **options: Any) -> Game:
    """A game by its id with its options: `game("sequence-duel", numbers=10)`.

    Values may be given as text too. A bad one is an OptionError (a ValueError).
    """
    if game_id not in GAMES:
        raise OptionNameError(f"There is no game {quoted(game_id)}; there are {listed([*GAMES])}.")
    known = option_fields(game_id)
    for name in sorted(options.keys() - known.keys()):
        raise OptionNameError(f"{game_id} has no option {quoted(name)}; it has {listed([*known])}.")
    for name, option in known.items():
        if option.default is MISSING and name not in options:
            raise OptionNameError(f"{game_id} needs the option {name}, for example 7.")
    return GAMES[game_id](**options)


def position(game_id: str, moves: tuple[str, ...] = (), **options: Any) -> Position:
    """The position after some moves in their written form."""
    here = game(game_id, **options).start()
    for move in moves:
        here = here.play(here.game.parse(move))
    return here


def option_fields(game_id: str) -> dict[str, Field[Any]]:
    """The options of a game by name, with their defaults."""
    return {option.name: option for option in fields(GAMES[game_id])}
