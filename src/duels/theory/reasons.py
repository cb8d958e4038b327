"""Reasons in words: short wins, positions in which no move matters, and what to try when lost.

The search is bounded by positions visited, so a reason is cheap on every board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from duels.core.game import Move, Position
from duels.core.words import counted, in_words
from duels.theory.lookahead import BoundedSearch, Enough, longest

if TYPE_CHECKING:
    from duels.theory.theory import Theory


class Instruction(NamedTuple):
    """A move to play in a won position, and why: the reason is about what follows the move."""

    move: Move
    why: str
    ends: bool = False
    """Whether the move wins at once; then `why` is a clause, not a sentence."""

    @property
    def sentence(self) -> str:
        """The reason as a separate sentence."""
        return f"{self.why[:1].upper()}{self.why[1:]}"

    @property
    def after_move(self) -> str:
        """Return the reason as it continues after the name of the move, with punctuation."""
        return f"{': ' if self.ends else '. '}{self.why}"


MOST_LINES = 4
"""The most lines of play in a reason."""
MOST_VISITED = 400
MOST_MOVES = 64
"""The most moves of one position that are tried."""


class Win(NamedTuple):
    """A winning move, and for each reply what wins then: None if the reply itself loses."""

    move: Move
    answers: dict[Move, Win | None] = {}  # noqa: RUF012

    @property
    def lines(self) -> int:
        return sum(then.lines if then else 1 for then in self.answers.values()) or 1

    @property
    def depth(self) -> int:
        """The most moves that the winner has to make."""
        return 1 + max((then.depth for then in self.answers.values() if then), default=0)


class _Look(BoundedSearch):
    def __init__(self, theory: Theory[Any], habit: Callable[[Position], Move | None]) -> None:
        super().__init__(theory, MOST_VISITED)
        self.habit = habit

    def play(self, position: Position, move: Move) -> Position:
        self.visit(1)
        return position.play(move)

    def win(self, position: Position, moves: Iterable[Move], depth: int, lines: int) -> Win | None:
        """Return the first move that wins within the given number of our moves and of lines."""
        self.visit(position.legal_count // 16)
        at_once = self.theory.wins_at_once(position)
        habit = self.habit(position)
        if at_once:
            return Win(habit if habit is not None and habit in at_once else at_once[0])
        if depth == 1:
            return None
        ordered = sorted(moves, key=lambda move: move != habit)
        for move in ordered[:MOST_MOVES]:
            if answers := self.answers(self.play(position, move), depth - 1, lines):
                return Win(move, answers)
        return None

    def answers(self, after: Position, depth: int, lines: int) -> dict[Move, Win | None] | None:
        """Return what wins against each move from here, or None if that takes too much."""
        if after.legal_count > lines:
            return None
        found: dict[Move, Win | None] = {}
        for move in after.legal_moves:
            here = self.play(after, move)
            if outcome := here.outcome:
                if outcome.winner == after.to_move:
                    return None
                found[move], lines = None, lines - 1
                continue
            then = self.win(here, reversed(here.legal_moves), depth, lines)
            if then is None or lines < then.lines:
                return None
            found[move], lines = then, lines - then.lines
        return found


def short_win(
    theory: Theory[Any],
    position: Position,
    winning: tuple[Move, ...],
    habit: Callable[[Position], Move | None] = lambda _: None,
) -> Win | None:
    """Return a win that fits into a few sentences; `habit` is the move to try first."""
    look = _Look(theory, habit)
    try:
        for depth in (1, 2, 3):
            win = look.win(position, winning[: -MOST_MOVES - 1 : -1], depth, MOST_LINES)
            if win and _can_be_told(win):
                return win
    except Enough:
        pass
    return None


def _can_be_told(win: Win) -> bool:
    """Say whether a win is short enough: one line of play, or at most three moves of ours."""
    if len(win.answers) == 1:
        (then,) = win.answers.values()
        return then is None or _can_be_told(then)
    return win.depth <= 3


def moves_left(position: Position) -> list[int] | None:
    """Return how many moves the game can still last, if their parity (so the winner) is certain.

    None if that depends on the moves, or if finding out would take too long.
    """
    known: dict[Position, frozenset[int]] = {}
    ends: set[bool] = set()
    left = MOST_VISITED

    def lengths(here: Position) -> frozenset[int]:
        nonlocal left
        if outcome := here.outcome:
            ends.add(outcome.winner == here.to_move)
            return frozenset([0])
        if here not in known:
            found: frozenset[int] = frozenset()
            for move in here.legal_moves:
                left -= 1
                if left < 0 or len(ends) > 1 or len({length % 2 for length in found}) > 1:
                    raise Enough
                found |= {length + 1 for length in lengths(here.play(move))}
            known[here] = found
        return known[here]

    if position.legal_count > MOST_MOVES:
        return None
    try:
        found = lengths(position)
    except (Enough, RecursionError):
        return None
    is_certain = len(ends) == 1 and len({length % 2 for length in found}) == 1
    return sorted(found) if is_certain else None


def all_the_same(position: Position, lengths: list[int]) -> str:
    """Say that no choice matters, because the number of moves left is certainly odd or even."""
    game = position.game
    if lengths == [1] or (position.legal_count == 1 == len(lengths) and lengths[0] < 3):
        return ""
    is_odd = lengths[0] % 2 == 1
    if len(lengths) == 1:
        count = f"{counted(lengths[0], 'move')} {'is' if lengths[0] == 1 else 'are'} left"
    else:
        count = f"an {'odd' if is_odd else 'even'} number of moves is left"
    why = f"{count}, so {'you' if is_odd else 'they'} make the last one."
    here: Position = position
    while not here.outcome:
        here = here.play(here.legal_moves[0])
    last_mover_wins = here.outcome.winner != here.to_move
    loses = "" if last_mover_wins else " The player who makes the last move loses."
    if position.legal_count == 1:
        only = f"You can only {game.verb.do} {moves_in_words(position)}."
        return f"{why.capitalize()}{loses} {only}"
    start = "Any move wins" if is_odd == last_mover_wins else "No move helps"
    return f"{start}: {why}{loses}"


def moves_in_words(position: Position) -> str:
    """Return all moves of a position that has only a few."""
    return position.game.list_moves(position.legal_moves, "or")


def in_sentences(theory: Theory[Any], position: Position, win: Win) -> Instruction:
    """Return a short win, worked out in sentences."""
    if not win.answers:
        return Instruction(win.move, f"{theory.ending(position, win.move)}.", ends=True)
    return Instruction(win.move, " ".join(_then(theory, position.play(win.move), win)))


def _then(theory: Theory[Any], after: Position, win: Win) -> list[str]:
    """Return what follows a winning move."""
    game = after.game
    do = game.verb.do
    said = [theory.only_answers(after)]
    if len(win.answers) == 1:
        ((move, then),) = win.answers.items()
        if then is None:
            return [*said, "That loses."]
        best = in_sentences(theory, after.play(move), then)
        return [*said, f"Then {do} {game.in_words(best.move)}{best.after_move}"]
    thens = list(win.answers.values())
    if not any(thens):
        return [*said, "Each of these loses."]
    ends = {
        (then.move, theory.ending(after.play(move), then.move))
        for move, then in win.answers.items()
        if then and not then.answers
    }
    if len(ends) == 1 and all(then and not then.answers for then in thens):
        ((own, ending),) = ends
        return [*said, f"Whichever they {do}, answer with {game.in_words(own)}: {ending}."]
    for move, then in win.answers.items():
        said += _if(theory, after, move, then)
    return said


def _if(theory: Theory[Any], after: Position, move: Move, then: Win | None) -> list[str]:
    game = after.game
    do, here = game.verb.do, after.play(move)
    start = f"If they {do} {game.in_words(move)},"
    if then is None:
        return [f"{start} they lose."]
    own = f"{do} {game.in_words(then.move)}"
    if not then.answers:
        return [f"{start} {own}: {theory.ending(here, then.move)}."]
    theirs = game.list_moves([*then.answers], "or")
    yours = [two.move for two in then.answers.values() if two]
    if not yours:
        return [f"{start} {own}. Then they {do} {theirs} and lose."]
    yours = yours[:1] if len(set(yours)) == 1 else yours
    finish = game.list_moves(yours, "or")
    return [f"{start} {own}. Then they {do} {theirs}, and you finish with {finish}."]


if TYPE_CHECKING:
    from duels.theory.theory import Theory

MOST_COMPARED = 150
"""With at most this many moves, all are tested for losing at once."""
MOST_NAMED = 4
"""The most moves that are named one by one."""
HOPELESS = 0.05
"""If the opponent is less likely than this to go wrong, the reason does not mention it."""


def what_to_avoid(theory: Theory[Any], position: Position) -> str:
    """Say which moves lose at once, if others do not."""
    game, legal = position.game, position.legal_moves
    quick = losing_at_once(theory, position)
    if not quick or len(legal) == 1:
        return ""
    if len(quick) == len(legal):
        return "Whatever you do, they can win with their next move."
    examples = [theory.allows(position, *pair) for pair in quick.items()]
    safe = [move for move in legal if move not in quick]
    if len(quick) <= MOST_NAMED:
        lose = "loses" if len(quick) == 1 else "lose"
        return f"{game.list_moves([*quick])} {lose} at once: {examples[0]}."
    shown = ", ".join(examples[:2])
    if len(safe) <= MOST_NAMED:
        do = "does" if len(safe) == 1 else "do"
        only = f"Only {game.list_moves(safe)} {do} not."
        return f"Most moves lose at once: {shown}, and so on. {only}"
    count = f"{in_words(len(quick))} of {len(legal)} moves"
    return f"{count[0].upper()}{count[1:]} lose at once: {shown}, and so on."


def losing_at_once(theory: Theory[Any], position: Position) -> dict[Move, Move]:
    """Return the moves that let the opponent win at once, each with the move that does.

    With too many moves to test, there are none.
    """
    found: dict[Move, Move] = {}
    if position.legal_count <= MOST_COMPARED:
        for move in position.legal_moves:
            after = position.play(move)
            if not after.outcome and (wins := theory.wins_at_once(after)):
                found[move] = wins[0]
    return found


def what_to_try(theory: Theory[Any], position: Position) -> str:
    """Say which move is hardest to answer, what the opponent has to find, and how long it lasts."""
    game, hardest = position.game, theory.hardest(position)
    move, after = game.in_words(hardest.move), position.play(hardest.move)
    is_only = position.legal_count == 1
    if after.outcome:
        return f"{'That' if is_only else 'Every move'} ends the game, and you lose."
    start = "Then" if is_only else f"Try {move}:"
    nothing = "Then" if is_only else f"Nothing helps here: after {move},"
    found = theory.winning_moves(after)
    if after.legal_count == 1:
        finds = f"they can only {game.verb.do} {game.list_moves(found, 'or')}."
    elif move_to_try(theory, position) is None:
        start, finds = nothing, "any reply beats you."
    elif len(found) == after.legal_count:
        finds = "any reply keeps their win, but they may go wrong later."
    elif len(found) <= MOST_NAMED:
        finds = f"they have to find {game.list_moves(found, 'or')}."
    else:
        finds = f"{len(found):,} of their {after.legal_count:,} replies win."
    return f"{start} {finds} {_length(theory, position, hardest.move)}".strip()


def move_to_try(theory: Theory[Any], position: Position) -> Move | None:
    """Return the move of a lost position that is hardest to answer; None if no move helps."""
    hardest = theory.hardest(position)
    after = position.play(hardest.move)
    can_err = len(theory.winning_moves(after)) < after.legal_count or after.legal_count == 1
    return None if after.outcome or not (can_err or hardest.chance >= HOPELESS) else hardest.move


def _length(theory: Theory[Any], position: Position, move: Move) -> str:
    """Say how long the game lasts, counting this move; nothing if it is known to be short."""
    found = longest(theory, position, [move])
    moves = counted(1 + found.plies, "more move")
    if found.is_exact:
        return f"With best play the game lasts {moves}." if found.plies > 1 else ""
    return f"You can make it last at least {moves}." if found.plies > 2 else ""
