"""What to say to somebody who cannot force a win: what to avoid, what to try, how long it lasts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duels.core.game import Move, Position
from duels.core.words import counted, in_words, listed

if TYPE_CHECKING:
    from duels.theory.resistance import Resistance
    from duels.theory.theory import Theory

MOST_COMPARED = 150
"""Moves that are all looked at for those that lose at once."""
MOST_NAMED = 4
"""Moves that are named one by one."""


def what_to_avoid(theory: Theory[Any], position: Position) -> str:
    """Which moves lose at once, where others do not."""
    legal = position.legal_moves
    if not 1 < len(legal) <= MOST_COMPARED:
        return ""
    quick = {move: wins[0] for move in legal if (wins := _wins_after(theory, position, move))}
    if not quick:
        return ""
    if len(quick) == len(legal):
        return "Whatever you do, they can win with their next move."
    examples = [theory.allows(position, *pair) for pair in quick.items()]
    safe = [move for move in legal if move not in quick]
    if len(quick) <= MOST_NAMED:
        lose = "loses" if len(quick) == 1 else "lose"
        return f"{_named(position, list(quick), 'and')} {lose} at once: {examples[0]}."
    shown = ", ".join(examples[:2])
    if len(safe) <= MOST_NAMED:
        do = "does" if len(safe) == 1 else "do"
        only = f"Only {_named(position, safe, 'and')} {do} not."
        return f"Most moves lose at once: {shown}, and so on. {only}"
    count = f"{in_words(len(quick))} of {len(legal)} moves"
    return f"{count[0].upper()}{count[1:]} lose at once: {shown}, and so on."


def _wins_after(theory: Theory[Any], position: Position, move: Move) -> tuple[Move, ...]:
    after = position.play(move)
    return () if after.outcome else theory.wins_at_once(after)


def what_to_try(theory: Theory[Any], position: Position) -> str:
    """The move that is hardest to answer, what they have to find, and how long it can last."""
    game, hardest = position.game, theory.hardest(position)
    move, after = game.format(hardest.move), position.play(hardest.move)
    is_only = position.legal_count == 1
    if after.outcome:
        return "That ends the game, and you lose." if is_only else "Every move ends the game."
    start = "Then" if is_only else f"Try {move}:"
    wait = "Then" if is_only else f"Try {move} and wait:"
    found = theory.winning_moves(after)
    if after.legal_count == 1:
        finds = f"they can only {game.verb.do} {_named(after, found, 'or')}."
    elif len(found) == after.legal_count:
        start, finds = wait, "every answer to it wins."
    elif len(found) <= MOST_NAMED:
        finds = f"they have to find {_named(after, found, 'or')}."
    else:
        finds = f"{len(found):,} of their {after.legal_count:,} answers win."
    return f"{start} {finds} {_length(hardest)}".strip()


def _length(hardest: Resistance) -> str:
    """How long it can last, this move included; nothing where that is known to be short."""
    moves = counted(hardest.lasts, "more move")
    if hardest.is_exact:
        return f"With best play the game is over after {moves}." if hardest.lasts > 2 else ""
    return f"You can make it last at least {moves}." if hardest.lasts > 3 else ""


def _named(position: Position, moves: tuple[Move, ...] | list[Move], last: str) -> str:
    return listed([position.game.format(move) for move in moves], last)
