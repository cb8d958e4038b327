"""Puzzles: positions with a winning move to find, their difficulty and their texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from duels.coach.hints import refute
from duels.core.errors import DuelsError, OptionNameError, TooLarge
from duels.core.game import Game, Move, Position, other
from duels.core.options import Option, OptionValue
from duels.core.words import listed
from duels.games import game as game_of
from duels.match.match import Match
from duels.theory import solve, theory_of, winning_moves
from duels.theory.lookahead import distances

FEWEST_LEGAL = 3
MOST_LEGAL = {"easy": 9, "medium": 15, "hard": 24}
"""By difficulty: the most legal moves a puzzle may have, because people do not compare more."""
MOST_STEPS = 1_000
"""How many random moves are played on one board."""
MOST_WORK = 12_000
"""The most work for one board: the weights of its verdicts, and a little for each long list."""
FEWEST_SOLVED = 4
"""How many verdicts even the largest board gets."""
DRAWS = 12
"""How many boards are tried before the nearest puzzle found so far is used."""
TRIES = 3
"""How often a board is tried again when its puzzles have another difficulty."""


class Puzzle(NamedTuple):
    """A position with a winning move to find."""

    position: Position
    winning_moves: tuple[Move, ...]
    difficulty: str
    """easy, medium or hard."""
    number: int | None = None
    """The measured difficulty as a number, if it was measured."""
    source: str = ""
    """A sentence that says where it comes from; empty for a random puzzle."""
    id: str = ""
    """The id by which a program remembers it."""


class Attempt(NamedTuple):
    """A player's progress with a puzzle."""

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
    """Return a puzzle of one of these games with these options; DuelsError if none is found.

    Anything not chosen is random: the game, its set-up, options without a default. If no puzzle of
    this difficulty turns up, the result is the nearest one.
    """
    fitting = [kind for kind in kinds if kind.fields.keys() >= chosen.keys()]
    if not fitting and len(kinds) > 1:
        raise OptionNameError(f"No game has the options {listed([*chosen])} together.")
    left = fitting or list(kinds)
    trouble = "No puzzle was found on this board. Try other options."
    nearest: Puzzle | None = None
    tried: Counter[Game] = Counter()
    for _ in range(TRIES if chosen and len(left) == 1 else DRAWS):
        kind = chance.choice(left)
        board = _draw(kind, chosen, chance)
        try:
            is_done = nearest and tried[board] >= TRIES
            found = None if is_done else puzzle(board, difficulty, chance)
        except TooLarge as error:
            found, trouble = None, f"There is no puzzle for {kind.title}. {error}"
            left.remove(kind)
        tried[board] += 1
        nearest = min(filter(None, (nearest, found)), key=_apart(difficulty), default=None)
        if not left or (nearest and nearest.difficulty == difficulty):
            break
    if nearest is None:
        raise DuelsError(trouble)
    return nearest


def puzzle(game: Game, difficulty: str, chance: Random) -> Puzzle | None:
    """Return a puzzle of this difficulty from random play, or the nearest that was found."""
    nearest, apart = None, _apart(difficulty)
    for position, right in _single_wins(game, difficulty, chance):
        found = measure(position, (right,))
        now = Puzzle(position, (right,), found.word, found.number)
        if now.difficulty == difficulty:
            return now
        nearest = min(filter(None, (nearest, now)), key=apart)
    return nearest


def _single_wins(game: Game, difficulty: str, chance: Random) -> Iterator[tuple[Position, Move]]:
    """Yield positions of random play with one winning move.

    One that wins at once is easy; above that difficulty it is the last resort.
    """
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
    """Return a function that measures how far a puzzle's number is from a difficulty."""
    words = list(HIGHEST)
    low = HIGHEST[words[words.index(difficulty) - 1]] + 1 if difficulty != words[0] else 0
    high = HIGHEST[difficulty]
    return lambda found: max(low - (found.number or 0), (found.number or 0) - high, 0)


def _draw(kind: type[Game], chosen: Mapping[str, str], chance: Random) -> Game:
    """Return a board with these options, or with one of the set-ups if none is given."""
    options: dict[str, OptionValue] = dict(chosen)
    if not chosen:
        options |= chance.choice(kind.all_setups()).options
    for name, option in kind.fields.items():
        if option.default is None and name not in options:
            options[name] = _drawn(option, chance)
    return game_of(kind.id, **options)


def _drawn(option: Option, chance: Random) -> OptionValue:
    """Return a number that is neither the lowest nor far beyond the example."""
    high = max(3 * int(option.example), option.lowest + 1)
    if option.highest is not None:
        high = min(high, option.highest)
    return chance.randint(min(option.lowest + 1, high), high)


# Difficulty


HIGHEST = {"easy": 3, "medium": 7, "hard": 10_000}
"""The highest number of each difficulty."""
FAR = 4
"""The most moves of one player that count: people do not look further ahead."""
MOST_VISITED = 1_000
"""How many positions are visited to measure one puzzle."""


class Difficulty(NamedTuple):
    """How far you must look ahead to tell the right move from the others.

    The right move counts your own moves until the win. A wrong move counts the moves that the
    opponent needs to punish it, minus one: none if they can win at once. It never counts more than
    the right move.
    """

    sight: int
    """Your own moves until the win, at most `FAR`."""
    traps: tuple[int, ...] = ()
    """The count of each wrong move that does not lose at once."""

    @property
    def number(self) -> int:
        return self.sight + sum(self.traps)

    @property
    def word(self) -> str:
        return next((word for word, most in HIGHEST.items() if self.number <= most), "hard")


def measure(position: Position, winning: tuple[Move, ...]) -> Difficulty:
    """Return how hard it is to find one of the winning moves of a position."""
    needed = distances(theory_of(position), position, winning, FAR, MOST_VISITED)
    sight = min(needed[move] for move in winning)
    wrong = (min(needed[move], sight) - 1 for move in position.legal_moves if move not in winning)
    return Difficulty(sight, tuple(sorted(count for count in wrong if count > 0)))


# Solving a puzzle


class Tried(NamedTuple):
    """The response to a move: whether it is right, why, and the position that it leads to."""

    is_right: bool
    words: str
    position: Position


def puzzle_at(position: Position) -> Puzzle:
    """Return any position as a puzzle; DuelsError if no move wins there."""
    winning = () if position.outcome else winning_moves(position)
    if not winning:
        raise DuelsError("No move wins here, so there is nothing to find.")
    return Puzzle(position, winning, "")


def question(puzzle: Puzzle) -> str:
    """Return the question of a puzzle."""
    count = len(puzzle.winning_moves)
    return "One move wins. Which?" if count == 1 else f"{count} moves win. Find one."


def try_move(puzzle: Puzzle, said: str) -> Tried:
    """Return the response to a typed move; UnreadableMove or IllegalMove if it is not one."""
    position = puzzle.position
    after = position.play(position.game.parse(said))
    move = after.moves[-1]
    if move in puzzle.winning_moves:
        return Tried(True, _praise(position, move), after)
    refuted = refute(position, move)
    lost = f"{'That' if isinstance(move, tuple) else move} loses."
    words = f"{lost} {refuted.words}"
    return Tried(False, words, refuted.position)


def give_up(puzzle: Puzzle) -> str:
    """Return the answer, for a player who gives up."""
    verdict = solve(puzzle.position)
    right = puzzle.position.game.list_moves(puzzle.winning_moves, "or")
    if len(puzzle.winning_moves) > 1:
        return f"{right} would have won. {verdict.reason}"
    theory = theory_of(puzzle.position)
    if certain := theory.decided(verdict):
        return f"The answer is {right}. {certain}"
    return f"The answer is {right}{theory.instruction(verdict).after_move}"


def _praise(position: Position, move: Move) -> str:
    verdict, theory, game = solve(position), theory_of(position), position.game
    if certain := theory.decided(verdict):
        return f"Right! {certain}"
    best = theory.instruction(verdict)
    if move == best.move:
        return f"Right! {best.sentence}"
    also = f"{game.in_words(best.move)}{best.after_move}"
    return f"Right, {game.in_words(move)} wins. So does {also}"


# Puzzles from a player's own mistakes


MOST_MATCHES = 60
"""How many matches with a person are searched, beginning with the newest."""


def mistakes(matches: Iterable[Match]) -> list[Puzzle]:
    """Return a puzzle for every move by which a person gave a win away, newest match first.

    Sorted: moves that cost the game, then the easier puzzles, then the newer ones.
    """
    own = islice(filter(_has_a_person, matches), MOST_MATCHES)
    found = [mistake for match in own for mistake in _mistakes_of(match)]
    return [puzzle for _, puzzle in sorted(found, key=lambda one: (one[0], one[1].number))]


def _has_a_person(match: Match) -> bool:
    start = match.game.start()
    return not all(seat.computer for seat in match.seats) and not theory_of(start).is_slow(start)


def _mistakes_of(match: Match) -> Iterator[tuple[bool, Puzzle]]:
    """Yield each mistake as a puzzle, with False for the last mistake of the loser.

    False sorts first: that mistake cost the game.
    """
    found: list[tuple[int, Puzzle]] = []
    position = match.game.start()
    try:
        for number, move in enumerate(match.moves, start=1):
            player = position.to_move
            is_own = number > match.given and not match.computer(player)
            if is_own and position.legal_count > 1:
                winning = winning_moves(position)
                if winning and move not in winning:
                    found.append((player, _puzzle(match, position, winning, number)))
            position = position.play(move)
    except TooLarge:
        pass  # the rest cannot be judged
    loser = other(match.outcome.winner) if match.outcome else 0
    last = max((at for at, (player, _) in enumerate(found) if player == loser), default=None)
    for at, (_, puzzle) in enumerate(found):
        yield at != last, puzzle


def _puzzle(match: Match, position: Position, winning: tuple[Move, ...], number: int) -> Puzzle:
    player, game = position.to_move, match.game
    against_computer = match.computer(other(player))
    name, whose = ("you", "your") if against_computer else (match.name(player), "the")
    done = f"{game.verb.did} {game.in_words(match.moves[number - 1])}"
    source = (
        f"Move {number} of {whose} game of {match.date[:10]}: "
        f"{name} {done} here, which gave the win away."
    )
    found = measure(position, winning)
    known = f"{match.id}-{number}"
    return Puzzle(position, winning, found.word, found.number, source, known)
