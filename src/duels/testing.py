"""The contract of `duels.core.game`, checked on real positions: for our games, and for yours.

check_game(MyGame(size=8))                                 # every position
check_game(MyGame(size=500), chance=random.Random(1))      # random games
for game in small_boards(MyGame): ...                      # boards small enough to try everything
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, product
from threading import RLock

from duels.core.errors import (
    DuelsError,
    IllegalMove,
    OptionError,
    ProofError,
    RulesError,
    TooLarge,
    UnreadableMove,
)
from duels.core.game import Game, Move, Position, other
from duels.core.options import Option, OptionValue
from duels.core.parts import GENERIC, load, parts_of
from duels.core.states import rules_of
from duels.core.words import listed
from duels.games import GAMES
from duels.games.added import faults
from duels.theory.check import check
from duels.theory.search import SEARCH, Search
from duels.theory.theory import Theory
from duels.theory.verdict import Verdict

GARBAGE = ("", " ", "abc", "5 7 9", "1.5", "-", "five", "5;6")
STRANGE: tuple[Move, ...] = (0, -1, 10**40, (0, 1), (2, 2), (3, 5))
"""Moves that are tried wherever they are not legal."""

MOST_COMPARED = 5_000
"""Positions of small boards on which a theory is compared with search."""
AT_FIRST_USE = 1_500
"""How many positions are compared before a theory from outside the package is used."""
SIZES = 12
"""How many sizes of a board, from the lowest up, count as small."""
_compared: dict[type[Game], int] = {}
"""Positions on which the theory of a class was compared with search."""
_comparing = RLock()

Pick = Callable[[Sequence[Move]], Iterable[Move]]


def check_game(game: Game, *, positions: int = 20_000, chance: random.Random | None = None) -> int:
    """Return how many positions were checked; AssertionError if one breaks the contract.

    Walks every position, or the first `positions` of them. Given `chance` it plays random games
    instead, `positions` moves in all, and tries a sample of moves at each: for large boards. A game
    that may never end, can be drawn or has extra turns breaks the contract, and so does a theory of
    its own that differs from plain search on a small board.
    """
    if isinstance(game, type):
        raise TypeError(f"check_game takes a game, not its class: pass {game.__name__}(…).")
    _check_options_and_garbage(game)
    start = game.start()
    _require(start.to_move == 1 and start.moves == (), start, "player 1 begins, without moves")
    pick: Pick = (lambda moves: chance.sample(moves, min(5, len(moves)))) if chance else tuple
    opening = list(pick(start.legal_moves))
    # One more than a number of the board: off it, or a number that may not open the game.
    tries = {*STRANGE, *opening, *(move + 1 for move in opening if isinstance(move, int))}

    found, checked, todo = {start: start}, set[Position](), [start]
    left = positions
    while todo and left > 0:
        left -= 1
        here = todo.pop()
        checked.add(here)
        try:
            ahead = _check_position(here, pick, tries)
        except DuelsError as error:
            raise _broken(here, f"a legal move was refused ({error})") from error
        if chance:
            ahead = [chance.choice(ahead) if ahead else start]
        for follower in ahead:
            twin = found.setdefault(follower, follower)
            same = twin is follower or _play(twin) == _play(follower)
            _require(same, follower, "an equal position plays on differently")
            if chance or twin is follower:
                todo.append(follower)
    try:
        _search(start, positions)
        compare_once(type(game), min(positions, MOST_COMPARED))
    except RulesError as error:
        raise AssertionError(str(error)) from error
    return len(checked)


def small_boards(*kinds: type[Game], sizes: int = 6) -> list[Game]:
    """Return the smallest boards of some games (default: all) with every choice of options."""
    found: dict[Game, None] = {}
    for kind in kinds or GAMES.values():
        found |= dict.fromkeys(boards_by_size(kind, sizes))
    return list(found)


def _search(start: Position, positions: int) -> None:
    """Search up to `positions` positions; RulesError if the game has no verdict."""
    rules = rules_of(start)
    with suppress(TooLarge):
        Search(rules, positions).wins(rules.state_of(start))


def _check_options_and_garbage(game: Game) -> None:
    if type(game)(**game.options) != game:
        raise AssertionError(f"{game.id}: the options {dict(game.options)} build another game.")
    for text in GARBAGE:
        try:
            move = game.parse(text)
        except UnreadableMove:
            continue
        raise AssertionError(f"{game.id}: the garbage {text!r} was read as the move {move}.")


def _check_position(here: Position, pick: Pick, tries: set[Move]) -> list[Position]:
    """Check a position; return the positions that the picked moves lead to."""
    for sentence in faults(here):
        raise _broken(here, sentence)
    legal, before = here.legal_moves, (here.moves, _play(here))
    again = here.game.position(*here.moves)
    _require(again == here, here, "playing its moves again leads elsewhere")
    _require(hash(again) == hash(here), here, "an equal position has another hash")
    followers = [_check_move(here, move) for move in pick(legal)]
    for move in tries.union(pick(here.moves)).difference(legal):
        _check_refused(here, move)
    _require((here.moves, _play(here)) == before, here, "playing on changed the position")
    try:
        here.moves = ()  # type: ignore[misc]
    except (AttributeError, TypeError):
        return followers
    raise _broken(here, "the position is not frozen")


def _check_move(here: Position, move: Move) -> Position:
    written = here.game.format(move)
    _require(here.game.parse(written) == move, here, f"{written!r} is not read as {move}")
    follower = here.play(move)
    _require(follower.moves == (*here.moves, move), here, f"{move} is not added to the moves")
    _require(follower.to_move == other(here.to_move), here, f"{move} does not pass the turn")
    return follower


def _check_refused(here: Position, move: Move) -> None:
    # A game without pairs cannot read one; a number can always be understood.
    refusals = (IllegalMove, UnreadableMove) if isinstance(move, tuple) else IllegalMove
    refused = "was played"
    try:
        here.play(move)
    except Exception as error:
        refused = "" if isinstance(error, refusals) and str(error) else f"raised {error!r}"
    _require(not refused, here, f"{move} is not legal and {refused}")


def _play(here: Position) -> tuple[object, ...]:
    """Return the values that must be the same for all equal positions."""
    return here.to_move, here.legal_moves, here.outcome


def _require(condition: bool, here: Position, otherwise: str) -> None:
    if not condition:
        raise _broken(here, otherwise)


def _broken(here: Position, sentence: str) -> AssertionError:
    return AssertionError(f"{here.game.id} after {here.moves}: {sentence}.")


# A theory compared with plain search


def compare_once(kind: type[Game], positions: int = AT_FIRST_USE) -> None:
    """Like `compare`, but only if no comparison with as many positions was made before.

    RulesError if they differ.
    """
    with _comparing:
        before = _compared.get(kind, 0)
        if before >= positions:
            return
        _compared[kind] = positions  # the theory may use itself while it is compared
        try:
            compare(kind, positions)
        except BaseException:
            _compared[kind] = before
            raise


def compare(kind: type[Game], positions: int) -> int:
    """Compare a class's theory and checker with search on up to that many positions.

    Returns how many were compared: none if the class has no theory of its own. RulesError names the
    first position on which they differ.
    """
    compared = 0
    boards = [board for board in boards_by_size(kind) if parts_of(board) != GENERIC]
    for left, board in zip(range(len(boards), 0, -1), boards, strict=True):
        share = (positions - compared) // left  # larger boards get what small ones leave
        for position in islice(_positions(board), share):
            with suppress(TooLarge):
                _compare_position(position)
            compared += 1
    return compared


def _compare_position(position: Position) -> None:
    game = position.game
    theory: Theory[Position] = load(parts_of(game).theory)
    searched = SEARCH.winning_moves(position)
    found = theory.winning_moves(position)
    after = f"after {' '.join(map(game.format, position.moves))}" if position.moves else "at first"
    where = f"{game.title} ({game.options_in_words(usual_too=True)}) {after}"
    if tuple(found) != searched:
        says = f"it says that {_listed(position, found)} wins"
        raise RulesError(
            f"The theory of {where} is wrong: {says}; in fact {_listed(position, searched)} does."
        )
    try:
        check(Verdict(position, bool(found), found, theory.prove(position, found)))
    except ProofError as error:
        raise RulesError(f"The theory of {where} proves nothing. {error}") from None


def _listed(position: Position, moves: tuple[Move, ...]) -> str:
    return listed([*map(position.game.format, moves)], "or") if moves else "no move"


def _positions(board: Game) -> Iterator[Position]:
    """Yield every position of a board in which the game is not over."""
    start = board.start()
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if not here.outcome:
            yield here
        for move in here.legal_moves:
            after = here.play(move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)


def boards_by_size(kind: type[Game], sizes: int = SIZES) -> Iterator[Game]:
    """Return the smallest boards of a game, in order, each with every choice of its options."""
    values = {name: _few_values(option, sizes) for name, option in kind.fields.items()}
    size = kind.size_option()
    ordered = sorted(values, key=lambda name: name != size)
    for chosen in product(*(values[name] for name in ordered)):
        with suppress(OptionError):  # skip a choice that does not suit such a small board
            yield kind(**dict(zip(ordered, chosen, strict=True)))


def _few_values(option: Option, sizes: int) -> list[OptionValue]:
    if option.several:
        return [*option.choices, option.example, ",".join(option.choices)]
    if option.choices:
        return [*option.choices]
    highest = option.highest or option.lowest + sizes
    few = range(option.lowest, min(option.lowest + sizes, highest + 1))
    return [*few] if option.is_size else [option.example]
