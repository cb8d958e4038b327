"""A special theory, compared with plain search on every position of a game's small boards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice, product
from threading import RLock

from duels.core.errors import OptionError, ProofError, RulesError, TooLarge
from duels.core.game import Game, Move, Position
from duels.core.options import Option, OptionValue
from duels.core.parts import GENERIC, load, parts_of
from duels.core.words import listed
from duels.theory.check import check
from duels.theory.search import SEARCH
from duels.theory.theory import Theory
from duels.theory.verdict import Verdict

AT_FIRST_USE = 1_500
"""How many positions are compared before a theory from outside the package is used."""
SIZES = 12
"""How many sizes of a board, from the lowest up, count as small."""

_compared: set[type[Game]] = set()
_comparing = RLock()


def compare_once(kind: type[Game]) -> None:
    """Compare the theory of a class with search at its first use; RulesError if they differ."""
    with _comparing:
        if kind in _compared:
            return
        _compared.add(kind)  # the theory may use itself while it is compared
        try:
            compare(kind, AT_FIRST_USE)
        except BaseException:
            _compared.discard(kind)
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
