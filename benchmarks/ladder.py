"""Measures the ladder of the levels on every board, and writes docs/explanation/ladder.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice, pairwise
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean

import duels
from duels.match.players import Player
from duels.match.players.levels import AT_ONCE, FAR, LEVELS, SOON, between, built_in
from duels.theory import theory_of, winning_moves

ROUNDS = 120
AHEAD = "one move ahead"
PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "ladder.md"


class OneMoveAhead:
    """Takes a win at once, hands none over if that can be avoided, and moves at random else."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def choose(self, position: duels.Position) -> duels.Move:
        theory = theory_of(position)
        moves = [*theory.wins_at_once(position)] or [*position.legal_moves]
        self.chance.shuffle(moves)
        after = ((move, position.play(move)) for move in moves)
        safe = (move for move, here in after if here.outcome or not theory.wins_at_once(here))
        return next(safe, moves[0])


def a_player(name: str, chance: Random) -> Player:
    return OneMoveAhead(chance) if name == AHEAD else built_in(name, chance)


def play_out(position: duels.Position, one: str, two: str, chance: Random) -> duels.Position:
    players = {1: a_player(one, chance), 2: a_player(two, chance)}
    while position.outcome is None:
        position = position.play(players[position.to_move].choose(position))
    return position


def score(game: duels.Game, high: str, low: str) -> float:
    """The share of games that `high` wins against `low`, each moving first in half of them."""
    won = 0
    for round_ in range(ROUNDS):
        order = (high, low) if round_ % 2 == 0 else (low, high)
        over = play_out(game.start(), *order, Random(round_)).outcome
        assert over
        won += order[over.winner - 1] == high
    return won / ROUNDS


def positions(game: duels.Game, fits: Callable[[duels.Position], bool]) -> Iterator[duels.Position]:
    """Positions of random play that fit, from as many games as it takes."""
    for seed in range(50 * ROUNDS):
        chance, here = Random(seed), game.start()
        for _ in range(chance.randrange(max(2, game.size if game.size < 40 else 60))):
            if here.outcome:
                break
            here = here.play(chance.choice(here.legal_moves))
        if here.outcome is None and here.legal_count > 1 and fits(here):
            yield here


def is_won(position: duels.Position) -> bool:
    return 0 < len(winning_moves(position)) < position.legal_count


def can_be_avoided(position: duels.Position) -> bool:
    """Whether some moves of a lost position lose at once, and some do not."""
    if winning_moves(position):
        return False
    theory, after = theory_of(position), map(position.play, position.legal_moves)
    at_once = [bool(here.outcome or theory.wins_at_once(here)) for here in after]
    return any(at_once) and not all(at_once)


def kept(game: duels.Game, level: str) -> float | None:
    """The share of won positions, with something to miss, that a level wins against perfect."""
    won = []
    for seed, here in enumerate(islice(positions(game, is_won), ROUNDS)):
        me = here.to_move
        over = play_out(
            here, *((level, "perfect") if me == 1 else ("perfect", level)), Random(seed)
        )
        won.append(over.outcome is not None and over.outcome.winner == me)
    return mean(won) if won else None


def thrown_away(game: duels.Game, level: str) -> float | None:
    """The share of lost positions in which a loss at once could be avoided, and was not."""
    lost = []
    for seed, here in enumerate(islice(positions(game, can_be_avoided), ROUNDS)):
        after = here.play(a_player(level, Random(seed)).choose(here))
        lost.append(bool(after.outcome or theory_of(here).wins_at_once(after)))
    return mean(lost) if lost else None


def length(game: duels.Game, level: str) -> float:
    """The mean number of moves of games of a level against itself."""
    return mean(
        len(play_out(game.start(), level, level, Random(seed)).moves) for seed in range(ROUNDS // 4)
    )


def row(game: duels.Game, level: str, below: str) -> list[str]:
    found = [
        score(game, level, below),
        kept(game, level),
        thrown_away(game, level),
        score(game, AHEAD, level),
    ]
    shares = ["–" if share is None else f"{share:.0%}" for share in found]
    return [level, *shares[:3], f"{length(game, level):.1f}", shares[3]]


def boards() -> dict[str, duels.Game]:
    """Every set-up of every game, by what it is called."""
    return {
        f"{kind.title}, {setup.name}": setup.game(kind)
        for kind in duels.GAMES.values()
        for setup in kind.all_setups()
    }


def main() -> None:
    steps = list(pairwise(["random", *LEVELS]))
    with ProcessPoolExecutor() as pool:
        jobs = {
            title: [pool.submit(row, game, level, below) for below, level in steps]
            for title, game in boards().items()
        }
        tables = {title: [job.result() for job in rows] for title, rows in jobs.items()}
    lines = [
        "# The ladder of the computer's levels",
        "",
        "A strength is a number from 0 to 100, and the levels are points on it. A computer misses",
        "as people do: what is further ahead it misses more often. A miss is any move that looks",
        "safe, and may keep the win by luck.",
        "",
        "| level | strength | misses a win at once | with the move after that | any other |",
        "|---|---|---|---|---|",
    ]
    for level in LEVELS.values():
        shares = [f"{between(points, level.strength):.0%}" for points in (AT_ONCE, SOON, FAR)]
        lines.append(f"| {level.name} | {level.strength} | {' | '.join(shares)} |")
    lines += [
        "",
        "Measured on every set-up of every game by `scripts/bench ladder`, which writes this page.",
        f"*Against the level below* (novice: against random) is the share of {ROUNDS} games, sides",
        f"swapped each time: ±{1.96 * sqrt(0.25 / ROUNDS):.0%}. *Wins kept*: won positions with",
        "something to miss, won against the best defence. *Thrown away*: lost positions in which",
        "a loss at once could be avoided, and was not. *Length*: moves of a game of the level",
        "against itself. *One move ahead*: how often somebody wins who takes every win at once,",
        "hands none over, and sees no further.",
    ]
    head = ["level", "against the level below", "wins kept", "thrown away", "length", AHEAD]
    for title, rows in tables.items():
        lines += ["", f"## {title}", "", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
        lines += [f"| {' | '.join(cells)} |" for cells in rows]
    PAGE.write_text("\n".join([*lines, ""]), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
