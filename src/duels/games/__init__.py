"""The five rule books, and the one registry of games: `GAMES`.

Other games are added by `register`, from a file (`duels --with FILE.py`), or by installed packages
with the entry point `duels.games`. Packages are searched only when an unknown game or a list of all
games is requested.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from duels.core.errors import MissingOption, OptionNameError
from duels.core.game import Game
from duels.core.words import closest, did_you_mean, listed, quoted
from duels.games.chain.rules import NumberChainDuel, NumberDuel, SequenceDuel
from duels.games.digits.rules import DivisorDuel
from duels.games.line.rules import NumberLineDuel

GAMES: dict[str, type[Game]] = {
    kind.id: kind
    for kind in (NumberDuel, DivisorDuel, NumberLineDuel, SequenceDuel, NumberChainDuel)
}
"""The games registered so far, by id, in the order of the menu."""

RULES_VERSION = 1
"""Increased when a rule changes, so that an old record is never replayed by different rules."""


def game(game_id: str, /, **options: Any) -> Game:
    """Return a game by its id with its options: `game("sequence-duel", numbers=10)`.

    Option values may be given as text. An invalid one raises OptionError (a ValueError).
    """
    return _kind(game_id, options)(**options)


def game_to_solve(game_id: str, /, **options: Any) -> Game:
    """Return a game like `game`, but allow boards that are too large to play on."""
    return _kind(game_id, options).to_solve(**options)


def _kind(game_id: str, options: Mapping[str, Any]) -> type[Game]:
    """Return the class of a game; OptionNameError if it does not have one of these options."""
    kind = find_game(game_id)
    known = kind.fields
    for name in sorted(options.keys() - known.keys()):
        has = f"it has {listed([*known])}" if known else "it has none"
        meant = did_you_mean(closest(name, known))
        raise OptionNameError(f"{game_id} has no option {quoted(name)}; {has}.{meant}")
    for name, option in known.items():
        if option.default is None and name not in options:
            raise MissingOption(game_id, name, option.example)
    return kind


def find_game(game_id: str) -> type[Game]:
    """Return the class of a game by its id; OptionNameError if there is none."""
    if game_id in GAMES or game_id in all_games():
        return GAMES[game_id]
    raise UnknownGame(game_id)


def games_called(typed: str) -> list[type[Game]]:
    """Return the games that match an id, a title, or the beginnings of words of a title."""
    said = _words(typed)
    named = [(kind, _words(kind.id), _words(kind.title)) for kind in all_games().values()]
    exact = [kind for kind, *names in named if said in names]
    return exact or [
        kind
        for kind, *names in named
        if said
        and all(any(word.startswith(part) for name in names for word in name) for part in said)
    ]


def _words(text: str) -> list[str]:
    return text.lower().replace("-", " ").split()


def all_games() -> dict[str, type[Game]]:
    """Return every game by id, including those from files and installed packages."""
    from duels.games.added import add_games

    add_games()
    return GAMES


def register(kind: type[Game]) -> type[Game]:
    """Add a game; OptionError if its id is taken or it breaks the contract."""
    from duels.games.added import check_kind

    check_kind(kind)
    GAMES[kind.id] = kind
    return kind


class UnknownGame(OptionNameError):
    """Unknown game id."""

    def __init__(self, game_id: str) -> None:
        super().__init__(game_id)
        self.game_id = str(game_id)

    def __str__(self) -> str:
        words = {word for game_id in GAMES for word in _words(game_id)}
        close = closest(self.game_id, [*GAMES, *words])
        meant = did_you_mean([game_id for game_id in GAMES if close and close[0] in game_id])
        return f"There is no game {quoted(self.game_id)}; there are {listed([*GAMES])}.{meant}"
