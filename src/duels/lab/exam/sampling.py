"""Choose the positions of an exam: a balanced mix from half-random games, or the hard exam.

No position is in two splits. The seed determines the exam. The hard exam misleads a player who
looks up to three moves ahead; it is frozen under its name, its edition and its hash (hard.toml):
other positions, other rules or another prompt need another edition.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from duels.core.errors import OptionError, TooLarge
from duels.core.game import Game, Move, Position
from duels.core.options import Option, OptionValue
from duels.games import all_games, game
from duels.lab.arena.tournament import game_label, read_game
from duels.lab.exam.dataset import DIFFICULTIES, SPLITS, ExamError, Item, Recipe
from duels.lab.jobs import run_all
from duels.lab.reports import PHASES
from duels.theory import theory_of, winning_moves
from duels.theory.lookahead import Distance

TRIES = 60
"""Positions that are tried for each wanted one before a board is given up."""
SELECTION = """\
The mix is easy, because it has positions of every kind: a player who looks one move ahead answers \
most of them right. `duels exam make --preset hard` makes a hard exam. Games, boards, phases and \
difficulties are mixed evenly, as far as the boards have enough positions of each kind; small \
boards do not. The counts:"""
"""How the positions are chosen, for the card."""
IDLE = 400
"""Games without a new position after which a board is given up."""
LARGEST_LEGAL = 2_000
"""The most legal moves of an item, because it lists them."""
MOST_STATES = 2_000
"""States that are visited for the length of one win before the search gives up. Nine lengths of ten
are known by then, and 100 times as many states add few."""


@dataclass(frozen=True)
class Board:
    """A board of some splits, and the most items of each phase and difficulty to sample from it."""

    label: str
    splits: tuple[str, ...]
    each: int
    seed: int


def default_games() -> list[Game]:
    """Return the small board, the set-ups and the usual board of every game."""
    found: dict[Game, None] = {}
    for kind in all_games().values():
        for playing in (kind.small(), *(setup.game(kind) for setup in kind.all_setups())):
            found[playing] = None
    return list(found)


def make_items(
    games: Sequence[Game], positions: int, seed: int, *, search: int = MOST_STATES, jobs: int | None
) -> list[Item]:
    """Return that many items, or fewer if the boards do not have more."""
    boards = [*_boards(games, positions, seed)]
    buckets: dict[str, dict[tuple[str, ...], list[Item]]] = defaultdict(dict)
    seen: set[str] = set()
    for board, items in zip(
        boards, run_all(sample_board, boards, "boards", jobs=jobs), strict=True
    ):
        for item in items:
            if item.hash not in seen:
                seen.add(item.hash)
                kind = (item.game, item.label, item.phase, item.difficulty)
                for split in board.splits:
                    buckets[split].setdefault(kind, []).append(item)
    chosen = _choose(buckets, positions)
    if not chosen:
        raise ExamError("These boards have no position to choose in. Try larger ones.")
    lengths = run_all(partial(measure, search), chosen, "positions", jobs=jobs)
    return [replace(item, plies=plies) for item, plies in zip(chosen, lengths, strict=True)]


def _boards(games: Sequence[Game], positions: int, seed: int) -> Iterator[Board]:
    """Yield the boards of each split; held-out boards have another size or other options."""
    known = {*games}
    sizes = {*filter(None, (_other_size(playing, known) for playing in games))}
    others = {held for playing in games for held in other_options(playing, known)} - sizes
    groups = {
        ("train", "test"): [*games],
        ("test_sizes",): sorted(sizes, key=game_label),
        ("test_options",): sorted(others, key=game_label),
    }
    for splits, held in groups.items():
        wanted = positions * sum(SPLITS[split] for split in splits)
        for playing in held:
            # More than its part, because some boards have fewer.
            each = 2 + int(4 * wanted / len(held) / (len(PHASES) * len(DIFFICULTIES)))
            yield Board(game_label(playing), splits, each, seed)


def _other_size(playing: Game, known: set[Game]) -> Game | None:
    """Return the same game on a slightly larger board that is not among the known ones."""
    name = playing.size_option()
    if not name:
        return None
    for size in range(playing.size + 1 + playing.size // 10, 2 * playing.size + 10):
        try:
            held = game(playing.id, **playing.options | {name: size})
        except OptionError:
            return None
        if held not in known and not any(one.size == size for one in known if one.id == held.id):
            return held
    return None


def other_options(playing: Game, known: set[Game]) -> Iterator[Game]:
    """Yield the same board with another value of each option but its size."""
    same = [one.options for one in known if one.id == playing.id]
    for name, option in type(playing).fields.items():
        if option.is_size:
            continue
        for value in _other_values(option, playing.options[name], [one[name] for one in same]):
            with suppress(OptionError):
                held = game(playing.id, **playing.options | {name: value})
                if held not in known:
                    yield held
                    break


def _other_values(
    option: Option, value: OptionValue, used: Sequence[OptionValue]
) -> Iterator[OptionValue]:
    """Yield other values of an option; first those that no known board has."""
    if isinstance(value, int):
        yield from (larger for larger in range(value + 1, 2 * value + 10) if larger not in used)
        return
    words = [word for word in option.choices if word not in value.split(",")]
    known = {word for one in used for word in str(one).split(",")}
    for word in sorted(words, key=known.__contains__):
        yield f"{value},{word}" if option.several else word


def sample_board(board: Board) -> list[Item]:
    """Return items of one board, from games in which half of the moves are random."""
    playing, chance = read_game(board.label), Random(f"{board.seed} {board.label}")
    found: dict[tuple[str, str], list[Item]] = defaultdict(list)
    seen: set[str] = set()
    full, kinds = 0, len(PHASES) * len(DIFFICULTIES)
    left, idle = TRIES * board.each * kinds, 0
    while left > 0 and idle < IDLE and full < kinds:
        played = play_game(playing, chance)
        left -= len(played) + 1
        idle += 1
        for one in played:
            if not 0 < one.share < 1 or one.position.legal_count > LARGEST_LEGAL:
                continue
            kind = found[one.phase, one.difficulty]
            if len(kind) >= board.each or one.hash in seen:
                continue
            seen.add(one.hash)
            idle = 0
            kind.append(one)
            full += len(kind) == board.each
    return [item for kind in sorted(found) for item in found[kind]]


def play_game(playing: Game, chance: Random) -> list[Item]:
    """Return the positions of one game, in which half of the moves are random."""
    here, played = playing.start(), []
    while not here.outcome:
        try:
            winning = winning_moves(here)
        except TooLarge as error:
            raise ExamError(f"{game_label(playing)} has no labels. {error}") from None
        played.append((here, winning))
        good = winning and chance.random() < 0.5
        here = here.play(chance.choice(winning if good else here.legal_moves))
    return [
        Item(*found, PHASES[len(PHASES) * ply // len(played)]) for ply, found in enumerate(played)
    ]


def _choose(
    buckets: Mapping[str, Mapping[tuple[str, ...], list[Item]]], positions: int
) -> list[Item]:
    """Choose items of each kind and game in turn, so that any first part is balanced too."""
    wanted = _shares(buckets, positions)
    taken: set[str] = set()
    chosen: list[Item] = []
    for split, count in wanted.items():
        games: dict[str, list[Iterator[Item]]] = defaultdict(list)
        for kind in sorted(buckets[split]):
            # From both ends, so that train and test do not compete for the same items.
            items = buckets[split][kind]
            games[kind[0]].append(iter(items if split == "train" else reversed(items)))
        turns = [in_turn(kinds) for kinds in games.values()]
        for item in in_turn(turns):
            if count == 0:
                break
            if item.hash not in taken:
                taken.add(item.hash)
                chosen.append(replace(item, split=split))
                count -= 1
    return chosen


def _shares(buckets: Iterable[str], positions: int) -> dict[str, int]:
    """Return the size of each split; the share of an impossible split goes to the test."""
    wanted = {split: int(positions * SPLITS[split]) for split in SPLITS if split in {*buckets}}
    wanted["test"] = wanted.get("test", 0) + positions - sum(wanted.values())
    return {split: wanted[split] for split in ("test", *wanted) if split in wanted}


def in_turn(parts: Sequence[Iterator[Item]]) -> Iterator[Item]:
    """Yield one item of each part in turn until all are empty."""
    left = list(parts)
    while left:
        for part in list(left):
            try:
                yield next(part)
            except StopIteration:
                left.remove(part)


def measure(search: int, item: Item) -> int | None:
    """Return how many moves a win takes; None if the search is too short."""
    theory = theory_of(item.position)
    visits = search * (1 + theory.weight(item.position))
    return Distance(theory, visits).plies(item.position) if search else None


# The hard exam

_FROZEN = tomllib.loads(Path(__file__).with_name("hard.toml").read_text("utf-8"))
BOARDS: dict[str, list[int]] = _FROZEN.pop("boards")
"""Each board with the number of its hard positions, and of easy ones to test the format."""
HASH: str = _FROZEN.pop("hash")
"""The hash of the whole exam, on every machine."""
HARD = Recipe(games=[*BOARDS], show_legal=False, **_FROZEN)
FEWEST_LEGAL = 6
DEEPEST = 3
WON = 10**6
"""The rating of a won position: more than any number of legal moves."""


def make_hard(jobs: int | None) -> list[Item]:
    """Return the items of the hard exam, one of each board in turn."""
    found = run_all(sample_hard, [*BOARDS], "boards", jobs=jobs)
    return [replace(item, split="test") for item in in_turn([*map(iter, found)])]


def sample_hard(label: str) -> list[Item]:
    """Return the items of one board in random order, so that any first part is a fair sample."""
    hard, easy = BOARDS[label]
    playing, chance = read_game(label), Random(f"{HARD.name} {HARD.edition} {HARD.seed} {label}")
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
    """Yield an endless series of different positions, each from a game of its own."""
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
    """Whether a search of this many plies rates only losing moves best."""
    good = {*winning}
    best = -WON - 1
    for move in position.legal_moves:
        if move not in good:
            best = max(best, -rating(position.play(move), plies - 1, -WON, -best))
    return all(-rating(position.play(move), plies - 1, -best, 1 - best) < best for move in good)


def rating(position: Position, plies: int, low: int = -WON, high: int = WON) -> int:
    """Return a search's rating of a position for the player to move, within low and high.

    Beyond these ends it is only a bound.
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
