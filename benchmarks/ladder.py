"""Measures the ladder of the levels on every board, and writes docs/explanation/ladder.md.

scripts/bench ladder [levels] [lost] [auto]; without a name it measures all three parts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice, pairwise
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev

import duels
from duels.match.players import Player
from duels.match.players.levels import AT_ONCE, FAR, LEVELS, SOON, STRONGEST, between, built_in
from duels.match.strengths import Standing
from duels.theory import theory_of, winning_moves

ROUNDS, LARGE_ROUNDS = 120, 30
LOST_ROUNDS = 500
LARGEST = 60
"""The largest board on which so many games are played: on larger ones they take hours."""
AUTO_GAMES, SOON_MET = 30, 10
"""Games against the matched computer; in how many a perfect player should meet its like."""
AUTO_SEEDS = range(1000, 1030)
"""Seeds of the tables; the steps were chosen with others."""
AHEAD = "one move ahead"
MEASURED = {
    "Wins against the level below": "Novice plays against random moves. Sides are swapped after "
    "each game.",
    "Losses to a player who looks one move ahead": "How often the level loses to a player who "
    "takes every immediate win, allows none, and sees no further.",
    "Wins kept": "How often the level wins, against the best defence, from a won position in which "
    "some move gives the win away.",
    "Games thrown away": "How often the level loses at once from a lost position in which it could "
    "have avoided that.",
    "Length of a game": "Moves in a game that the level plays against itself.",
}
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


def rounds_on(game: duels.Game) -> int:
    """Fewer games on large boards, which would take hours."""
    return ROUNDS if game.size <= LARGEST else LARGE_ROUNDS


def score(game: duels.Game, high: str, low: str) -> float:
    """The share of games that `high` wins against `low`, each moving first in half of them."""
    won, rounds = 0, rounds_on(game)
    for round_ in range(rounds):
        order = (high, low) if round_ % 2 == 0 else (low, high)
        over = play_out(game.start(), *order, Random(round_)).outcome
        assert over
        won += order[over.winner - 1] == high
    return won / rounds


def positions(game: duels.Game, fits: Callable[[duels.Position], bool]) -> Iterator[duels.Position]:
    """Positions of random play that fit, at most as many as games are played on the board."""
    found = (
        here for here in map(partial(reached, game), range(50 * ROUNDS)) if here and fits(here)
    )
    return islice(found, rounds_on(game))


def reached(game: duels.Game, seed: int) -> duels.Position | None:
    """A position of random play with a choice, or None."""
    chance, here = Random(seed), game.start()
    for _ in range(chance.randrange(max(2, game.size if game.size < 40 else 60))):
        if here.outcome:
            break
        here = here.play(chance.choice(here.legal_moves))
    return here if here.outcome is None and here.legal_count > 1 else None


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
    for seed, here in enumerate(positions(game, is_won)):
        me = here.to_move
        over = play_out(
            here, *((level, "perfect") if me == 1 else ("perfect", level)), Random(seed)
        )
        won.append(over.outcome is not None and over.outcome.winner == me)
    return mean(won) if won else None


def thrown_away(game: duels.Game, level: str) -> float | None:
    """The share of lost positions in which a loss at once could be avoided, and was not."""
    lost = []
    for seed, here in enumerate(positions(game, can_be_avoided)):
        after = here.play(a_player(level, Random(seed)).choose(here))
        lost.append(bool(after.outcome or theory_of(here).wins_at_once(after)))
    return mean(lost) if lost else None


def length(game: duels.Game, level: str) -> float:
    """The mean number of moves of games of a level against itself."""
    games = (play_out(game.start(), level, level, Random(seed)) for seed in range(LARGE_ROUNDS))
    return mean(len(over.moves) for over in games)


def figures(game: duels.Game, level: str, below: str) -> list[str]:
    """The cells of a level on a board, one for each of MEASURED."""
    found = [
        score(game, level, below),
        score(game, AHEAD, level),
        kept(game, level),
        thrown_away(game, level),
    ]
    shares = ["–" if share is None else f"{share:.0%}" for share in found]
    return [*shares, f"{length(game, level):.0f}"]


def boards() -> dict[str, duels.Game]:
    """Every set-up of every game, by what it is called."""
    return {
        f"{kind.title}, {setup.name}": setup.game(kind)
        for kind in duels.GAMES.values()
        for setup in kind.all_setups()
    }


def levels(pool: ProcessPoolExecutor) -> list[str]:
    """The levels, and how each plays on every board."""
    lines = [
        "| level | strength | misses an immediate win | a win one move later | any other win |",
        "|---|---|---|---|---|",
    ]
    for level in LEVELS.values():
        shares = [f"{between(points, level.strength):.0%}" for points in (AT_ONCE, SOON, FAR)]
        lines.append(f"| {level.name} | {level.strength} | {' | '.join(shares)} |")
    lines += [
        "",
        f"Each figure is from {ROUNDS} games or positions (±{interval(0.5, ROUNDS)}), or from "
        f"{LARGE_ROUNDS} (±{interval(0.5, LARGE_ROUNDS)}) on boards with more than {LARGEST}",
        "numbers. A dash means that no such position was found.",
    ]
    jobs = {
        title: [
            pool.submit(figures, game, level, below)
            for below, level in pairwise(["random", *LEVELS])
        ]
        for title, game in boards().items()
    }
    cells = {title: [job.result() for job in row] for title, row in jobs.items()}
    for column, (name, meaning) in enumerate(MEASURED.items()):
        lines += ["", f"### {name}", "", meaning, ""]
        lines += [f"| board | {' | '.join(LEVELS)} |", "|---" * (1 + len(LEVELS)) + "|"]
        lines += [
            f"| {title} | {' | '.join(cell[column] for cell in row)} |"
            for title, row in cells.items()
        ]
    return lines


def interval(share: float, games: int) -> str:
    """Half of the 95 % interval of a share."""
    return f"{1.96 * sqrt(share * (1 - share) / games):.0%}"


def saved(game: duels.Game, opponent: str) -> str:
    """The share of games that perfect wins on the side that is lost from the start."""
    start = game.start()
    me = 2 if winning_moves(start) else 1
    players = ("perfect", opponent) if me == 1 else (opponent, "perfect")
    over = (play_out(start, *players, Random(seed)).outcome for seed in range(LOST_ROUNDS))
    share = mean(outcome is not None and outcome.winner == me for outcome in over)
    return f"{share:.0%} ±{interval(share, LOST_ROUNDS)}"


def lost(pool: ProcessPoolExecutor) -> list[str]:
    """How often perfect wins games that it should lose."""
    opponents = [AHEAD, "casual", "skilled"]
    jobs = {
        title: [pool.submit(saved, game, opponent) for opponent in opponents]
        for title, game in boards().items()
        if game.size <= LARGEST
    }
    lines = [f"| board | against {' | '.join(opponents)} |", "|---" * (1 + len(opponents)) + "|"]
    for title, cells in jobs.items():
        lines.append(f"| {title} | {' | '.join(job.result() for job in cells)} |")
        print(lines[-1], flush=True)
    return lines


def auto_games(
    game: duels.Game, name: str, seed: int, games: int = AUTO_GAMES
) -> tuple[float, list[int]]:
    """The share of games that a player wins against the matched computer, and its strengths."""
    standing, won, met = Standing(), 0, []
    for number in range(games):
        met.append(standing.strength)
        me = 1 + (number + seed) % 2
        names = (name, str(standing.strength))[:: 1 if me == 1 else -1]
        over = play_out(game.start(), *names, Random(f"{seed} {number}")).outcome
        assert over
        won += over.winner == me
        standing = standing.after(over.winner == me)
    return won / games, met


def auto(pool: ProcessPoolExecutor) -> list[str]:
    """How often players of four levels win, and whether a perfect one meets its like."""
    names = ["novice", "casual", "skilled", "perfect"]
    met = f"perfect faces {STRONGEST} within {SOON_MET} games"
    lines = [f"| board | {' | '.join(f'{name} wins' for name in names)} | {met} |"]
    lines.append("|---" * (2 + len(names)) + "|")
    for kind in duels.GAMES.values():
        game, cells = kind.all_setups()[0].game(kind), []
        for name in names:
            found = [*pool.map(partial(auto_games, game, name), AUTO_SEEDS)]
            shares = [share for share, _ in found]
            half = 1.96 * stdev(shares) / sqrt(len(shares))
            cells.append(f"{mean(shares):.0%} ±{half:.0%}")
        soon = mean(STRONGEST in strengths[:SOON_MET] for _, strengths in found)
        title = f"{kind.title}, {kind.all_setups()[0].name}"
        lines.append(f"| {title} | {' | '.join(cells)} | {soon:.0%} |")
        print(lines[-1], flush=True)
    return lines


PARTS = {"levels": levels, "lost": lost, "auto": auto}


def main(names: Sequence[str]) -> None:
    for name in names or PARTS:
        with ProcessPoolExecutor() as pool:
            lines = PARTS[name](pool)
        print("\n".join(lines), flush=True)
        mark = rf"(?s)(?<=<!-- {name} -->\n).*?(?=<!-- end -->)"
        table = "\n".join([*lines, ""])
        page = re.sub(mark, lambda _, table=table: table, PAGE.read_text(encoding="utf-8"))
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
