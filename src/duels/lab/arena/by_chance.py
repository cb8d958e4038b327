"""What a random player would win of the matches of an evaluation.

Nobody can work that out exactly, because the opponent has a chance of its own; so a random player
plays some matches against it, with the luck of the plan's seed. Against a program or a model it
does not: that could take hours, or cost money.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from duels.core.game import Game
from duels.core.options import OptionValue
from duels.games import game
from duels.lab.arena.grades import EVERYWHERE
from duels.lab.arena.progress import Progress
from duels.lab.arena.shares import Tally
from duels.lab.jobs import run_jobs
from duels.match.players.specs import open_player, read_spec
from duels.theory import winning_moves

MATCHES = 40
"""That a random player plays at each game, half of them as player 1."""


@dataclass(frozen=True)
class Trial:
    """One match of a random player."""

    label: str
    game: str
    options: Mapping[str, OptionValue]
    opponent: str
    side: int
    seed: str


@dataclass
class ByChance:
    """Matches won by a random player, and of those in which its first position was won."""

    won: Tally = field(default_factory=Tally)
    won_games: Tally = field(default_factory=Tally)


def by_chance(
    games: Mapping[str, Game], opponent: str, seed: int, *, jobs: int | None
) -> dict[str, ByChance]:
    """By game, and over all of them; nothing if the opponent is not built in."""
    if read_spec(opponent)[1]:
        return {}
    trials = [
        Trial(label, playing.id, playing.options, opponent, 1 + number % 2, f"{seed} {number}")
        for label, playing in games.items()
        for number in range(MATCHES)
    ]
    found = {place: ByChance() for place in (EVERYWHERE, *games)}
    with Progress("matches of a random player", len(trials)) as progress:
        for trial, (has_won, was_won) in run_jobs(play_at_random, trials, jobs=jobs):
            for place in (EVERYWHERE, trial.label):
                found[place].won.add(has_won, 1)
                found[place].won_games.add(has_won, was_won)
            progress.step()
    return found


def play_at_random(trial: Trial) -> tuple[bool, bool]:
    """Whether the random player has won, and whether its first position was won."""
    chance, was_won = Random(trial.seed), None
    position = game(trial.game, **trial.options).start()
    with open_player(trial.opponent, chance.getrandbits(32)) as opponent:
        while not position.outcome:
            if position.to_move != trial.side:
                position = position.play(opponent.choose(position))
                continue
            was_won = bool(winning_moves(position)) if was_won is None else was_won
            position = position.play(chance.choice(position.legal_moves))
    return position.outcome.winner == trial.side, bool(was_won)
