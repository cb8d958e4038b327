"""The contract of `duels.core.game`, checked on real positions: for our games, and for yours.

check_game(MyGame(size=8))                                 # every position
check_game(MyGame(size=500), chance=random.Random(1))      # random games
for game in small_boards(MyGame): ...                      # boards small enough to try everything
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from duels.core.errors import DuelsError, IllegalMove, RulesError, TooLarge, UnreadableMove
from duels.core.game import Game, Move, Position, other
from duels.core.states import rules_of
from duels.games import GAMES
from duels.games.added import faults
from duels.theory.comparison import boards_by_size, compare
from duels.theory.search import Search

GARBAGE = ("", " ", "abc", "5 7 9", "1.5", "-", "five", "5;6")
STRANGE: tuple[Move, ...] = (0, -1, 10**40, (0, 1), (2, 2), (3, 5))
"""Moves that are tried wherever they are not legal."""

MOST_COMPARED = 5_000
"""Positions of small boards on which a theory is compared with search."""
_compared: dict[type[Game], int] = {}
"""Positions on which the theory of a class was compared with search."""

Pick = Callable[[Sequence[Move]], Iterable[Move]]


def check_game(game: Game, *, positions: int = 20_000, chance: random.Random | None = None) -> int:
    """How many different positions were checked; AssertionError if one breaks the contract.

    Walks every position, or the first `positions` of them. Given `chance` it plays random games
    instead, `positions` moves in all, and tries a sample of moves at each: for large boards. A game
    that may never end, can be drawn or has extra turns breaks the contract, and so does a theory of
    its own that differs from plain search on a small board.
    """
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
        _compare_theory(type(game), positions)
    except RulesError as error:
        raise AssertionError(str(error)) from error
    return len(checked)


def small_boards(*kinds: type[Game], sizes: int = 6) -> list[Game]:
    """The smallest boards of some games, of all if none is named, with every choice of options."""
    found: dict[Game, None] = {}
    for kind in kinds or GAMES.values():
        found |= dict.fromkeys(boards_by_size(kind, sizes))
    return list(found)


def _search(start: Position, positions: int) -> None:
    """Search so many positions; RulesError if the game has no verdict."""
    rules = rules_of(start)
    with suppress(TooLarge):
        Search(rules, positions).wins(rules.state_of(start))


def _compare_theory(kind: type[Game], positions: int) -> None:
    """Compare the theory of a class with search, once for as many positions."""
    positions = min(positions, MOST_COMPARED)
    if _compared.get(kind, 0) < positions:
        compare(kind, positions)
        _compared[kind] = positions


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
    """The positions that the picked moves lead to."""
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
    """What equal positions have in common, however they were reached."""
    return here.to_move, here.legal_moves, here.outcome


def _require(condition: bool, here: Position, otherwise: str) -> None:
    if not condition:
        raise _broken(here, otherwise)


def _broken(here: Position, sentence: str) -> AssertionError:
    return AssertionError(f"{here.game.id} after {here.moves}: {sentence}.")
