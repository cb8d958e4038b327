"""The matches of a plan, and one of them: played, graded and written down."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from time import monotonic

from duels.core.errors import TooLarge
from duels.core.game import Game, Move
from duels.core.options import OptionValue
from duels.games import game
from duels.lab.arena.folder import Plan
from duels.lab.arena.line import Forfeited, Grade, Played, key_of
from duels.lab.arena.under_way import used_in, write_down
from duels.match.match import Match, Seats
from duels.match.players import Player
from duels.match.players.llm import Exchange, ModelSettings, follow
from duels.match.players.prompt import PROMPT_VERSION, prompt_hash
from duels.match.players.specs import Forfeit, open_player, read_spec
from duels.match.record_data import record_data
from duels.theory import winning_moves


@dataclass(frozen=True)
class Pairing:
    """Who plays whom at what, which time; all that the match depends on."""

    game: str
    options: Mapping[str, OptionValue]
    label: str
    seats: Seats
    round: int
    seed: int
    time_limit: float
    """Seconds for one answer. The players keep to it: a model may need several for a move."""
    settings: ModelSettings
    earlier: tuple[Exchange, ...] = ()
    """What models have answered already, when the same match did not come to its end."""
    under_way: str = ""
    """The file that their answers are added to as they come."""

    @property
    def names(self) -> tuple[str, str]:
        return self.seats[0].name, self.seats[1].name

    @property
    def key(self) -> str:
        return key_of(self.label, self.names, self.round)

    @property
    def has_models(self) -> bool:
        return any(read_spec(seat.computer)[0] == "llm" for seat in self.seats)

    @property
    def id(self) -> str:
        return self._digest[8:20]

    @property
    def _digest(self) -> str:
        specs = tuple(seat.computer for seat in self.seats)
        return hashlib.sha256(f"{self.seed} {specs} {self.key}".encode()).hexdigest()

    def new_match(self) -> Match:
        """The match before its first move, without a clock of its own.

        Its seed follows from the plan's, so that every match has a chance of its own, wherever
        it runs.
        """
        return Match(
            id=self.id,
            date=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            seats=self.seats,
            position=game(self.game, **self.options).start(),
            seed=int(self._digest[:8], 16),
        )


@dataclass(frozen=True)
class Contest:
    """What is played, and how often; a tournament or an evaluation says who meets whom."""

    games: dict[str, Game]
    rounds: int
    seed: int
    time_limit: float
    settings: ModelSettings

    @property
    def pairs(self) -> Iterable[Seats]:
        raise NotImplementedError

    @property
    def asked(self) -> Plan:
        """How models are asked, for the plan."""
        conditions = self.settings.conditions(self.time_limit)
        words = prompt_hash(self.games.values(), conditions)
        return self.settings.data | {"prompt": PROMPT_VERSION, "prompt_hash": words}

    def pairings(self) -> Iterator[Pairing]:
        """Every match, in the order of the results: in each round each side begins once."""
        plan = (self.seed, self.time_limit, self.settings)
        for label, playing in self.games.items():
            for one, two in self.pairs:
                for round_ in range(1, self.rounds + 1):
                    for seats in ((one, two), (two, one)):
                        yield Pairing(playing.id, playing.options, label, seats, round_, *plan)


def play_match(pairing: Pairing) -> tuple[Played, list[Exchange]]:
    """The match with its grading, and what was said to models and by them."""
    match = pairing.new_match()
    with ExitStack() as stack:
        chance, limit, settings = match.seed, pairing.time_limit, pairing.settings
        players = [
            stack.enter_context(open_player(seat.computer, chance, limit, settings))
            for seat in pairing.seats
        ]
        said: dict[int, list[Exchange]] = {1: [], 2: []}

        def keep(number: int, exchange: Exchange) -> None:
            said[number].append({"key": pairing.key, "id": match.id, "player": number} | exchange)
            if pairing.under_way:
                write_down(pairing.under_way, said[number][-1])

        for number, player in enumerate(players, start=1):
            earlier = [one for one in pairing.earlier if one["player"] == number]
            follow(player, earlier, partial(keep, number))
        match, grading, forfeit = _play(match, players, pairing.label)
    exchanges = [*said[1], *said[2]]
    used = used_in(exchanges)
    played = Played(
        pairing.label, pairing.round, record_data(match), tuple(grading), forfeit, model=used
    )
    return played, exchanges


def _play(
    match: Match, players: Sequence[Player], label: str
) -> tuple[Match, list[Grade], Forfeited | None]:
    """The match to its end; a player who gives no legal move forfeits."""
    grading: list[Grade] = []
    while not match.outcome:
        here = match.position
        winning = _winning(match, label)
        began = monotonic()
        try:
            move = players[here.to_move - 1].choose(here)
        except Forfeit as lost:
            counts = (here.legal_count, len(winning))
            forfeit = Forfeited(here.to_move, lost.reason, lost.detail, *counts)
            return match.forfeit(lost), grading, forfeit
        match = match.play(move, monotonic() - began)
        kept = not winning or match.moves[-1] in winning
        grading.append(Grade(here.legal_count, len(winning), kept))
    return match, grading, None


def _winning(match: Match, label: str) -> tuple[Move, ...]:
    try:
        return winning_moves(match.position)
    except TooLarge as error:
        raise TooLarge(f"{label} cannot be graded. {error}") from None
