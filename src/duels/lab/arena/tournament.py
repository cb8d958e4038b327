"""Tournaments: the players, the games, and every pairing with all that its match depends on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations, cycle, islice
from random import Random

from duels.core.errors import OptionError, OptionNameError
from duels.core.game import Game, Move, Position
from duels.core.words import closest, did_you_mean, is_visible, listed, printable, quoted
from duels.games import RULES_VERSION, all_games, game
from duels.lab.results_folder import Plan
from duels.match.match import LONGEST_NAME, Match, Seat, Seats
from duels.match.players.levels import BUILT_IN, strength_of
from duels.match.players.specs import read_spec

Opening = tuple[Move, ...]

_BETWEEN_OPTIONS = re.compile(r"[:,](?=[\w-]+=)")
_NAMED = re.compile(r"([^:=]+)=(.*)", re.DOTALL)


def match_key(label: str, names: tuple[str, str], round_: int) -> str:
    """Return the key of a match in a plan and in the results."""
    return " | ".join([label, *names, str(round_)])


@dataclass(frozen=True)
class Pairing:
    """A match of a plan, with everything that it depends on."""

    label: str
    seats: Seats
    round: int
    seed: int
    time_limit: float | None = None
    """Seconds for one answer; None is the default of each kind of player."""
    opening: Opening = ()
    """The moves that were drawn as an opening; the players move after them."""

    @property
    def names(self) -> tuple[str, str]:
        return self.seats[0].name, self.seats[1].name

    @property
    def key(self) -> str:
        return match_key(self.label, self.names, self.round)

    @property
    def id(self) -> str:
        return self._digest[8:20]

    @property
    def _digest(self) -> str:
        specs = tuple(seat.computer for seat in self.seats)
        return hashlib.sha256(f"{self.seed} {specs} {self.key}".encode()).hexdigest()

    def new_match(self) -> Match:
        """Return the match before its first move, without a clock.

        Its seed follows from the plan's seed and the pairing, so it is the same on every machine.
        """
        return Match(
            id=self.id,
            date=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            seats=self.seats,
            position=read_game(self.label).position(*self.opening),
            seconds=(0.0,) * len(self.opening),
            seed=int(self._digest[:8], 16),
            given=len(self.opening),
        )


@dataclass(frozen=True)
class Tournament:
    """A round robin, or matches of all players against one; equal plans have equal results.

    Players are specifications by name.
    """

    games: dict[str, Game]
    rounds: int
    seed: int
    players: dict[str, str]
    opponent: str | None = None
    """The name of the one opponent, if it is not a round robin."""
    time_limit: float | None = None

    @property
    def plan(self) -> Plan:
        """The plan. Players against one opponent are left out: a later run may add some."""
        who: Plan = {"kind": "matches", "opponent": self.opponent}
        if self.opponent is None:
            who = {"kind": "tournament", "players": self.players, "time_limit": self.time_limit}
        return who | {
            "games": list(self.games),
            "rounds": self.rounds,
            "seed": self.seed,
            "rules": RULES_VERSION,
        }

    @property
    def pairs(self) -> Iterable[Seats]:
        pairs = combinations([Seat(name, spec) for name, spec in self.players.items()], 2)
        if self.opponent is None:
            return pairs
        return (pair for pair in pairs if self.opponent in (pair[0].name, pair[1].name))

    def pairings(self) -> Iterator[Pairing]:
        """Yield every match in the order of the results; in each round each player opens once.

        Two programs might repeat themselves, so each round of theirs has an opening of its own.
        Built-in players vary by their seeds.
        """
        for label, playing in self.games.items():
            drawn: list[Opening] = []
            for one, two in self.pairs:
                openings: list[Opening] = [()] * self.rounds
                if is_program(one) and is_program(two):
                    drawn = drawn or draw_openings(playing, self.rounds, self.seed)
                    openings = drawn
                for round_, opening in enumerate(openings, start=1):
                    for seats in ((one, two), (two, one)):
                        rest = (self.seed, self.time_limit, opening)
                        yield Pairing(label, seats, round_, *rest)


def is_program(seat: Seat) -> bool:
    """Whether an engine, Python code or a model plays here, which may be deterministic."""
    return ":" in seat.computer


def matches_against(
    opponent: str, games: Iterable[str], rounds: int, seed: int, players: dict[str, str]
) -> Tournament:
    """Return the matches of some players against one level."""
    if opponent not in BUILT_IN and strength_of(opponent) is None:
        known = listed([*BUILT_IN, "a strength from 0 to 100"], "or")
        meant = did_you_mean(closest(opponent, BUILT_IN))
        raise OptionError(f"The opponent must be {known}, not {quoted(opponent)}.{meant}")
    return Tournament(read_games(games), rounds, seed, players | {opponent: opponent}, opponent)


def read_players(texts: Iterable[str]) -> dict[str, str]:
    """Return the specification of each player by name, from texts SPEC or NAME=SPEC."""
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
    """Return the games by label, from texts as in `read_game`; without any, all usual games."""
    games: dict[str, Game] = {}
    for playing in [*map(read_game, texts)] or [kind.usual() for kind in all_games().values()]:
        label = game_label(playing)
        if label in games:
            raise OptionError(f"{label} is listed twice.")
        games[label] = playing
    return games


def read_game(text: str) -> Game:
    """Return the game of a text ID or ID:option=value,option=value."""
    game_id, *options = _BETWEEN_OPTIONS.split(text.strip())
    return game(game_id, **dict(option.partition("=")[::2] for option in options))


def game_label(playing: Game) -> str:
    """Return the shortest text that `read_game` reads back as this game."""
    fields, values = type(playing).fields, playing.options
    options = [f"{name}={values[name]}" for name in fields if values[name] != fields[name].default]
    return f"{playing.id}:{','.join(options)}" if options else playing.id


# Openings
#
# Two programs may be deterministic, and would repeat one game forever. An opening is balanced if
# either side wins often when both play at random from there, so that the result depends on how well
# each player plays and not on the side. Each is played twice, with each player on each side.

TRIALS, LEAST = 20, 6
"""The random games from a position, and how many of them each side must win."""
PART = 3
"""An opening is at most this part of a random game: the first third."""
MOST_TRIED = 50
"""The most random games that are played to find another opening; small boards have few."""


def draw_openings(game: Game, count: int, seed: int) -> list[Opening]:
    """Return the openings of the rounds: the start first, then balanced ones drawn by the seed.

    More rounds begin with the same openings. If the board has too few, they are used again.
    """
    return list(islice(cycle([(), *islice(_balanced(game, seed), count - 1)]), count))


def is_balanced(position: Position, chance: Random) -> bool:
    """Whether each side wins often enough when both play at random."""
    outcomes = [_play_out(position, chance).outcome for _ in range(TRIALS)]
    wins = sum(outcome is not None and outcome.winner == 1 for outcome in outcomes)
    return LEAST <= wins <= TRIALS - LEAST


def _balanced(game: Game, seed: int) -> Iterator[Opening]:
    """Yield different openings, each the beginning of a random game."""
    chance, seen, missed = Random(f"openings {seed}"), set[Position](), 0
    while missed < MOST_TRIED:
        missed += 1
        moves = _play_out(game.start(), chance).moves
        # After an even number of moves the player who moves first is to move again.
        longest = max(len(moves) // PART, 2)
        position = game.position(*moves[: 2 * chance.randint(1, longest // 2)])
        if position.outcome or position in seen or not is_balanced(position, chance):
            continue
        seen.add(position)
        missed = 0
        yield position.moves


def _play_out(position: Position, chance: Random) -> Position:
    while not position.outcome:
        position = position.play(chance.choice(position.legal_moves))
    return position
