"""Grading a player: the share of choices in which it keeps the win.

A choice is a won position in which some legal move would give the win away: only there can a player
go wrong. Shares come with their confidence intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import NamedTuple

from duels.core.errors import DuelsError, OptionError
from duels.core.game import Game, Move, Position
from duels.core.options import read_whole
from duels.core.words import quoted
from duels.games import find_game
from duels.match.players import Player
from duels.match.players.levels import built_in
from duels.match.players.specs import Forfeit, open_player, read_spec
from duels.theory import winning_moves

Z = 1.959963984540054
"""Standard deviations around the mean that contain 95 % of a normal distribution."""
FEW_DEGREES = {1: 12.706204736, 2: 4.302652730}


class Share(NamedTuple):
    """A share with its confidence interval; without cases the bounds are None."""

    part: int
    whole: int
    low: float | None
    high: float | None

    @property
    def value(self) -> float | None:
        return self.part / self.whole if self.whole else None

    def above(self, chance: float) -> float | None:
        """Rescale the share so that random play is 0 and perfect play is 1; it may be negative."""
        return None if self.value is None or chance >= 1 else (self.value - chance) / (1 - chance)

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return "no case"
        return f"{self.part / self.whole:.1%} ({self.low:.1%} to {self.high:.1%})"


def share(part: int, whole: int) -> Share:
    """Return the share of independent cases with its Wilson interval."""
    return Share(part, whole, *_wilson(part / whole, whole)) if whole else Share(0, 0, None, None)


def clustered(clusters: Iterable[tuple[int, int]]) -> Share:
    """Return the share of cases in clusters, each given as a part and a whole."""
    counts = [(part, whole) for part, whole in clusters if whole]
    part, whole = sum(part for part, _ in counts), sum(whole for _, whole in counts)
    if not counts or len(counts) == whole:
        return share(part, whole)
    worth = float(len(counts))  # equal results, or one cluster, do not show how alike cases are
    value, degrees = part / whole, len(counts) - 1
    if 0 < part < whole and degrees:
        spread = sum((one - value * of) ** 2 for one, of in counts) * len(counts) / degrees
        worth = whole * (value * (1 - value) * whole / spread) if spread else float(whole)
        worth *= (Z / _student(degrees)) ** 2
    return Share(part, whole, *_wilson(value, min(worth, whole)))


def _wilson(value: float, cases: float) -> tuple[float, float]:
    centre = value + Z * Z / (2 * cases)
    reach = Z * sqrt(value * (1 - value) / cases + Z * Z / (4 * cases * cases))
    scale = 1 + Z * Z / cases
    low, high = (centre - reach) / scale, (centre + reach) / scale
    return (0.0 if value == 0 else max(low, 0.0)), (1.0 if value == 1 else min(high, 1.0))


def _student(degrees: int) -> float:
    """Return how many standard errors contain 95 % of Student's distribution."""
    if degrees in FEW_DEGREES:
        return FEW_DEGREES[degrees]
    z, n = Z, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


GAMES_A_CHOICE = 20
"""The most random games per choice; small boards do not have many choices."""


@dataclass(frozen=True)
class Graded:
    """The share of choices in which a player kept the win."""

    kept: Share
    chance: float
    """The exact share of the same choices that a random player would keep."""
    forfeits: int
    """The number of answers without a legal move; they keep no win."""

    @property
    def above_chance(self) -> float | None:
        """The share corrected for chance: 0 for random play, 1 for perfect play."""
        return self.kept.above(self.chance)

    def __str__(self) -> str:
        return (
            f"kept {self.kept.part} of {self.kept.whole} choices: {self.kept}; "
            f"a random player {self.chance:.1%}"
        )


def is_choice(position: Position, winning: tuple[Move, ...]) -> bool:
    """Say whether the position is won and some legal move would give the win away."""
    return 0 < len(winning) < position.legal_count


def grade(
    player: str | Player | Callable[[Position], Move],
    game: str | Game,
    *,
    positions: int | Iterable[Position] = 200,
    seed: int = 0,
) -> Graded:
    """Return the share of choices in which a player keeps the win, with its 95 % interval.

    The player is a specification as on the command line ("expert", "py:MODULE:NAME"), an object
    with `choose(position)`, or a function. `positions` is the number of choices, each from a
    separate random game (fewer if a small board has fewer), or your own positions, of which the
    choices count.
    """
    playing = find_game(game).usual() if isinstance(game, str) else game
    if isinstance(positions, int):
        chosen = choices(playing, read_whole("positions", positions, 1), Random(seed))
    else:
        chosen = _choices_among(_of_game(playing, positions))
    kept = forfeits = count = 0
    chance = 0.0
    with _opened(player, seed) as chooser:
        for position, winning in chosen:
            count += 1
            chance += len(winning) / position.legal_count
            try:
                move = position.play(chooser.choose(position)).moves[-1]
            except (Forfeit, DuelsError):
                forfeits += 1
            else:
                kept += move in winning
    if not count:
        raise OptionError(f"{playing.title} ({playing.options_in_words()}) has no choice to ask.")
    return Graded(share(kept, count), chance / count, forfeits)


def choices(game: Game, count: int, chance: Random) -> Iterator[tuple[Position, tuple[Move, ...]]]:
    """Yield different choices with their winning moves, each from a separate random game."""
    seen: set[Position] = set()
    for _ in range(GAMES_A_CHOICE * count):
        played = _choices_among(_random_game(game, chance))
        fresh = [found for found in played if found[0] not in seen]
        if fresh:
            found = chance.choice(fresh)
            seen.add(found[0])
            yield found
        if len(seen) == count:
            return


def _random_game(game: Game, chance: Random) -> Iterator[Position]:
    position = game.start()
    while not position.outcome:
        yield position
        position = position.play(chance.choice(position.legal_moves))


def _of_game(game: Game, positions: Iterable[Position]) -> Iterator[Position]:
    for position in positions:
        if position.game != game:
            raise OptionError(f"{quoted(position)} is not a position of {game.id}.")
        yield position


def _choices_among(positions: Iterable[Position]) -> Iterator[tuple[Position, tuple[Move, ...]]]:
    for position in positions:
        winning = winning_moves(position)
        if is_choice(position, winning):
            yield position, winning


@dataclass(frozen=True)
class _Function:
    choose: Callable[[Position], Move]


def _opened(
    player: str | Player | Callable[[Position], Move], seed: int
) -> AbstractContextManager[Player]:
    if isinstance(player, str):
        kind, rest = read_spec(player)
        # In a match the random numbers follow from seed and ply; here each choice has its own.
        return open_player(player, seed) if rest else nullcontext(built_in(kind, Random(seed)))
    if callable(getattr(player, "choose", None)):
        return nullcontext(player)  # type: ignore[arg-type]
    if not callable(player):
        raise OptionError("A player is a name, a function, or an object with choose(position).")
    return nullcontext(_Function(player))
