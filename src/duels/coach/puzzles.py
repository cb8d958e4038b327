"""Puzzles: a position, the moves that win it, how hard they are to find, where it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from duels.coach.difficulty import HIGHEST, measure
from duels.core.errors import DuelsError, OptionNameError, TooLarge
from duels.core.game import Game, Move, Position
from duels.core.options import Option, OptionValue
from duels.core.words import listed
from duels.games import game as game_of
from duels.theory import theory_of, winning_moves

FEWEST_LEGAL = 3
MOST_LEGAL = {"easy": 9, "medium": 15, "hard": 24}
"""Moves of a puzzle: with fewer it is a guess, with more nobody looks at all of them."""
MOST_STEPS = 1_000
"""Moves of random play on one board."""
MOST_WORK = 12_000
"""What one board may cost: verdicts as their theory weighs them, and long lists of moves."""
FEWEST_SOLVED = 4
"""Verdicts that even the largest board gets."""
DRAWS = 12
"""Boards that are drawn before the nearest puzzle so far is taken."""
TRIES = 3
"""How often chance may miss the difficulty on one board before that board is given up."""


class Puzzle(NamedTuple):
    """A position, one of whose winning moves is to be found."""

    position: Position
    winning_moves: tuple[Move, ...]
    difficulty: str
    """easy, medium or hard."""
    number: int | None = None
    """The same as a number, where it was measured."""
    source: str = ""
    """Where it comes from, in a sentence; empty if chance has found it."""
    id: str = ""
    """By which it is known again."""


class Attempt(NamedTuple):
    """How far somebody has got with a puzzle."""

    tries: int = 0
    hints: int = 0
    is_solved: bool = False
    gave_up: bool = False

    @property
    def is_over(self) -> bool:
        return self.is_solved or self.gave_up


def find_puzzle(
    kinds: Sequence[type[Game]], chosen: Mapping[str, str], difficulty: str, chance: Random
) -> Puzzle:
    """A puzzle of one of these games with these options; DuelsError if there is none.

    What nobody chose is drawn: the game, its set-up, options without a default. Where no puzzle of
    this difficulty turns up, it is the nearest one.
    """
    fitting = [kind for kind in kinds if kind.fields.keys() >= chosen.keys()]
    if not fitting and len(kinds) > 1:
        raise OptionNameError(f"No game has the options {listed([*chosen])} together.")
    left = fitting or list(kinds)
    trouble = "No puzzle was found on this board. Try a smaller or a larger one."
    nearest: Puzzle | None = None
    tried: Counter[Game] = Counter()
    for _ in range(TRIES if chosen and len(left) == 1 else DRAWS):
        kind = chance.choice(left)
        board = _draw(kind, chosen, chance)
        try:
            is_done = nearest and tried[board] >= TRIES
            found = None if is_done else puzzle(board, difficulty, chance)
        except TooLarge as error:
            found, trouble = None, f"There is no puzzle of {kind.title}. {error}"
            left.remove(kind)
        tried[board] += 1
        nearest = min(filter(None, (nearest, found)), key=_apart(difficulty), default=None)
        if not left or (nearest and nearest.difficulty == difficulty):
            break
    if nearest is None:
        raise DuelsError(trouble)
    return nearest


def puzzle(game: Game, difficulty: str, chance: Random) -> Puzzle | None:
    """A puzzle of this game from random play, of this difficulty or the nearest that was found."""
    nearest, apart = None, _apart(difficulty)
    for position, right in _single_wins(game, difficulty, chance):
        found = measure(position, (right,))
        now = Puzzle(position, (right,), found.word, found.number)
        if now.difficulty == difficulty:
            return now
        nearest = min(filter(None, (nearest, now)), key=apart)
    return nearest


def _single_wins(game: Game, difficulty: str, chance: Random) -> Iterator[tuple[Position, Move]]:
    """Positions of random play with one winning move; a win at once, which is easy, comes last."""
    start = position = game.start()
    if start.outcome:  # some boards are over before the first move
        return
    theory, last = theory_of(start), None
    seen: set[Position] = set()
    work = max(MOST_WORK, FEWEST_SOLVED * theory.weight(start))
    for _ in range(MOST_STEPS):
        if FEWEST_LEGAL <= position.legal_count <= MOST_LEGAL[difficulty] and position not in seen:
            seen.add(position)
            ends = theory.wins_at_once(position)
            if difficulty == "easy" or not ends:
                work -= theory.weight(position)
                winning = winning_moves(position)
                if len(winning) == 1:
                    yield position, winning[0]
            elif len(ends) == 1:
                last = position
        work -= position.legal_count // 256
        if work < 0:
            break
        position = position.play(chance.choice(position.legal_moves))
        if position.outcome:
            position = start
    if last and len(winning := winning_moves(last)) == 1:
        yield last, winning[0]


def _apart(difficulty: str) -> Callable[[Puzzle], int]:
    """How far the number of a puzzle is from those of a difficulty."""
    words = list(HIGHEST)
    low = HIGHEST[words[words.index(difficulty) - 1]] + 1 if difficulty != words[0] else 0
    high = HIGHEST[difficulty]
    return lambda found: max(low - (found.number or 0), (found.number or 0) - high, 0)


def _draw(kind: type[Game], chosen: Mapping[str, str], chance: Random) -> Game:
    """A board with these options: one of the set-ups if none is given."""
    options: dict[str, OptionValue] = dict(chosen)
    if not chosen:
        options |= chance.choice(kind.all_setups()).options
    for name, option in kind.fields.items():
        if option.default is None and name not in options:
            options[name] = _drawn(option, chance)
    return game_of(kind.id, **options)


def _drawn(option: Option, chance: Random) -> OptionValue:
    """A number that is neither the least one nor far beyond the example."""
    high = max(3 * int(option.example), option.lowest + 1)
    if option.highest is not None:
        high = min(high, option.highest)
    return chance.randint(min(option.lowest + 1, high), high)
