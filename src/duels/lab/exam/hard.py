"""The hard exam: positions that mislead a player who looks up to three moves ahead.

It is frozen under its name, its edition and its hash (hard.toml): other positions, other rules or
another prompt need another edition.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

from duels.core.game import Game, Move, Position
from duels.lab.arena.tournament import read_games
from duels.lab.exam.items import Item, Recipe
from duels.lab.exam.sampling import in_turn, play_game
from duels.lab.jobs import run_all

_FROZEN = tomllib.loads(Path(__file__).with_name("hard.toml").read_text("utf-8"))
BOARDS: dict[str, list[int]] = _FROZEN["boards"]
"""Each board with the number of its hard positions, and of easy ones to test the format."""
HASH: str = _FROZEN["hash"]
"""Of the whole exam, as everyone who makes it gets it."""
FEWEST_LEGAL = 6
DEEPEST = 3
WON = 10**6
"""The rating of a won position: more than any number of legal moves."""
SELECTION = f"""\
Each position is from a game of its own, in which half of the moves are random and the others \
keep the win where there is one. The 30 easy ones, in which more than half of the moves win, only \
test the format of the answers. Each of the 370 hard ones passes this filter:

- There are at least {FEWEST_LEGAL} legal moves, and at most a quarter of them win.
- It misleads a search of one, of two and of three plies: whatever move the search chooses, it \
loses. Such a search sees the end of the game within its plies. At its last ply it counts the \
legal moves of the player to move, and takes them for that player's points. With one ply it wins \
at once if it can, and otherwise leaves as few moves as possible. Of moves with equal points it \
may choose any: all of them lose."""

HARD = Recipe(
    name=_FROZEN["name"],
    edition=_FROZEN["edition"],
    games=[*BOARDS],
    seed=_FROZEN["seed"],
    show_legal=False,
    selection=SELECTION,
)


def make_hard(jobs: int | None) -> list[Item]:
    """Return the items of the hard exam, one of each board in turn."""
    found = run_all(sample_hard, [*BOARDS], "boards", jobs=jobs)
    return [replace(item, split="test") for item in in_turn([*map(iter, found)])]


def sample_hard(label: str) -> list[Item]:
    """Return the items of one board in random order, so that any first part is a fair sample."""
    hard, easy = BOARDS[label]
    [playing] = read_games([label]).values()
    chance = Random(f"{HARD.name} {HARD.edition} {HARD.seed} {label}")
    seen: set[str] = set()
    items = [
        *islice(_matching(playing, chance, is_easy, seen), easy),
        *islice(_matching(playing, chance, is_hard, seen), hard),
    ]
    chance.shuffle(items)
    return items


def _matching(
    playing: Game, chance: Random, is_wanted: Callable[[Item], bool], seen: set[str]
) -> Iterator[Item]:
    """Yield different positions without end, each from a game of its own."""
    while True:
        game = play_game(playing, chance)
        chance.shuffle(game)
        for one in game:
            if is_wanted(one) and one.hash not in seen:
                seen.add(one.hash)
                yield one
                break


def is_easy(one: Item) -> bool:
    """Whether more than half of the legal moves win, but not all."""
    return 0.5 < one.share < 1


def is_hard(one: Item) -> bool:
    """Whether few of many moves win, and looking up to three moves ahead is misleading."""
    return (
        one.position.legal_count >= FEWEST_LEGAL
        and 0 < one.share <= 0.25
        and all(misleads(one.position, one.winning_moves, plies) for plies in range(1, DEEPEST + 1))
    )


def misleads(position: Position, winning: Collection[Move], plies: int) -> bool:
    """Whether no winning move is among those that a search of so many plies rates best."""
    good = {*winning}
    best = -WON - 1
    for move in position.legal_moves:
        if move not in good:
            best = max(best, -rating(position.play(move), plies - 1, -WON, -best))
    return all(-rating(position.play(move), plies - 1, -best, 1 - best) < best for move in good)


def rating(position: Position, plies: int, low: int = -WON, high: int = WON) -> int:
    """Return how a search rates a position for the player to move, if it is from low to high.

    What is lower or higher is only known to be so.
    """
    if outcome := position.outcome:
        return WON if outcome.winner == position.to_move else -WON
    if not plies:
        return position.legal_count
    for move in position.legal_moves:
        low = max(low, -rating(position.play(move), plies - 1, -high, -low))
        if low >= high:
            break
    return low
