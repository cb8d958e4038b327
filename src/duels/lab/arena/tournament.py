"""A tournament: everybody against everybody, at every game, each side moving first in turn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from duels.core.errors import OptionError, OptionNameError
from duels.core.game import Game
from duels.core.words import is_visible, printable, quoted
from duels.games import RULES_VERSION, game
from duels.lab.arena.folder import Plan
from duels.lab.arena.play import Contest
from duels.match.match import LONGEST_NAME, Seat, Seats
from duels.match.players.specs import read_spec

_BETWEEN_OPTIONS = re.compile(r"[:,](?=[\w-]+=)")
_NAMED = re.compile(r"([^:=]+)=(.*)", re.DOTALL)


@dataclass(frozen=True)
class Tournament(Contest):
    """Everybody meets everybody. Equal plans give equal results."""

    players: dict[str, str]

    @property
    def plan(self) -> Plan:
        has_models = any(read_spec(spec)[0] == "llm" for spec in self.players.values())
        return {
            "kind": "tournament",
            "players": self.players,
            "games": list(self.games),
            "rounds": self.rounds,
            "seed": self.seed,
            "time_limit": self.time_limit,
            "rules": RULES_VERSION,
            **({"models": self.asked} if has_models else {}),
        }

    @property
    def pairs(self) -> Iterable[Seats]:
        return combinations([Seat(name, spec) for name, spec in self.players.items()], 2)


def read_players(texts: Iterable[str]) -> dict[str, str]:
    """Specifications by the name that each player gets: SPEC, or NAME=SPEC."""
    players: dict[str, str] = {}
    for text in texts:
        named = _NAMED.fullmatch(text)
        spec = (named[2] if named else text).strip()
        kind, rest = read_spec(spec)
        spec = f"{kind}:{rest}" if rest else kind
        name = " ".join(printable(named[1] if named else spec).split())
        if not is_visible(name):
            raise OptionError(f"{quoted(text)} gives the player an empty name.")
        if len(name) > LONGEST_NAME:
            raise OptionError(
                f"{quoted(name)} is longer than {LONGEST_NAME} characters; give the player "
                f"a name, for example mine={kind}:…"
            )
        if name.casefold() in map(str.casefold, players):
            raise OptionError(f"{quoted(name)} plays already; give the second one another name.")
        players[name] = spec
    if len(players) < 2:
        raise OptionNameError("A tournament needs at least two players.")
    return players


def read_games(texts: Iterable[str]) -> dict[str, Game]:
    """Games by the way they are written: ID, or ID:option=value,option=value."""
    games: dict[str, Game] = {}
    for text in texts:
        game_id, *options = _BETWEEN_OPTIONS.split(text.strip())
        playing = game(game_id, **dict(option.partition("=")[::2] for option in options))
        label = game_label(playing)
        if label in games:
            raise OptionError(f"{label} is there twice.")
        games[label] = playing
    return games


def game_label(playing: Game) -> str:
    """The shortest way to write a game that `read_games` reads back."""
    fields, values = type(playing).fields, playing.options
    options = [f"{name}={values[name]}" for name in fields if values[name] != fields[name].default]
    return f"{playing.id}:{','.join(options)}" if options else playing.id
