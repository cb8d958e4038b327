"""What a theory of a family of games answers, with defaults for what it need not do better."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from duels.core.board import Drawing
from duels.core.errors import TooLarge
from duels.core.game import Game, Move, Position
from duels.core.parts import GENERIC, is_ours, load, parts_of
from duels.theory.distance import wins_soon
from duels.theory.reasons import (
    Instruction,
    Win,
    all_the_same,
    in_sentences,
    moves_in_words,
    moves_left,
    short_win,
    what_to_avoid,
    what_to_try,
)
from duels.theory.resistance import Resistance, resist

if TYPE_CHECKING:
    from duels.theory.verdict import PackedVerdict, Proof, Verdict

P = TypeVar("P", bound=Position)
Progress = Callable[[float], None]

FEW = 5
"""Examples in a sentence."""


class Theory(Generic[P]):
    """Verdicts and reasons for a family of games. `theory_of` finds the one for a position."""

    def at(self, position: P) -> Theory[P]:
        """The theory to use at a position: this one, unless a theorem says more there."""
        return self

    def winning_moves(self, position: P, progress: Progress | None = None) -> tuple[Move, ...]:
        """The winning moves; none in a lost position and when the game is over."""
        raise NotImplementedError

    def prove(self, position: P, winning: tuple[Move, ...]) -> Proof:
        """The proof that exactly these moves win, for the game's checker."""
        raise NotImplementedError

    def pack(self, position: P, winning: tuple[Move, ...]) -> Any:
        """The same as arrays, for large boards; None if there are only lists."""
        return None

    def is_packed(self, position: P) -> bool:
        """Whether a board is so large that moves are counted: see `solve_packed`."""
        return False

    def solve_packed(self, position: P, progress: Progress | None = None) -> PackedVerdict[P]:
        """The verdict on a board that is too large for lists; TooLarge if there is no such way."""
        raise TooLarge(f"{position.game.title} has no verdicts on boards of this size.")

    def columns(self, position: P) -> dict[str, int]:
        """Return the columns of the atlas that only this family has, for the start of a board."""
        return {}

    def best_move(self, verdict: Verdict[P]) -> Move:
        """The winning move that the reason and the explanation begin with."""
        short = self.short_win(verdict)
        return short.move if short else verdict.winning_moves[0]

    def wins_at_once(self, position: P) -> tuple[Move, ...]:
        """The moves after which the game is over and won."""
        return tuple(move for move in position.legal_moves if self._ends(position, move))

    def _ends(self, position: P, move: Move) -> bool:
        outcome = position.play(move).outcome
        return outcome is not None and outcome.winner == position.to_move

    def wins_soon(self, position: P) -> bool:
        """Whether a win can be forced with the second move from now, if that is soon seen."""
        return wins_soon(self, position)

    def weight(self, position: P) -> int:
        """How many visits of a position one verdict is worth."""
        return 1

    def is_slow(self, position: P) -> bool:
        """Whether a verdict may take longer than a second."""
        return False

    def advice(self, position: P) -> str:
        """What would make it faster, if anything."""
        return ""

    def hardest(self, position: P) -> Resistance:
        """What the opponent of a lost position is most likely to get wrong."""
        return resist(self, position)

    def moves_left(self, position: P) -> list[int] | None:
        """How many moves the game can still last, where no choice can change who wins."""
        return moves_left(position)

    # Words: claim, reason, one line worked out. The simplest true reason comes alone.

    def reason(self, verdict: Verdict[P]) -> str:
        """Why the position is won or lost, and what to do about it."""
        certain = self.decided(verdict)
        if not verdict.wins:
            said = [certain] if certain else [self.why_lost(verdict), self.what_to_try(verdict)]
            return " ".join(filter(None, ["You cannot force a win.", *said]))
        if certain:
            return certain
        best, game = self.instruction(verdict), verdict.position.game
        order = f"{game.verb.do.capitalize()} {game.in_words(best.move)}"
        if 1 < verdict.position.legal_count == len(verdict.winning_moves):
            order = f"Every move wins here. {order}, for example"
        return f"{order}{best.after_move}"

    def instruction(self, verdict: Verdict[P]) -> Instruction:
        """What to play in a won position, and why."""
        return self.worked_out(verdict) or self.why_won(verdict)

    def decided(self, verdict: Verdict[P]) -> str:
        """Where no choice can change who wins: why that is so."""
        lengths = self.moves_left(verdict.position)
        return all_the_same(verdict.position, lengths) if lengths else ""

    def worked_out(self, verdict: Verdict[P]) -> Instruction | None:
        """A short win in sentences; None where there would be many."""
        win = self.short_win(verdict)
        return in_sentences(self, verdict.position, win) if win else None

    def short_win(self, verdict: Verdict[P]) -> Win | None:
        return short_win(self, verdict.position, verdict.winning_moves)

    def why_won(self, verdict: Verdict[P]) -> Instruction:
        """How the player to move wins a longer game, and why."""
        raise NotImplementedError

    def why_lost(self, verdict: Verdict[P]) -> str:
        """Why the player to move loses against best play."""
        raise NotImplementedError

    def what_to_avoid(self, verdict: Verdict[P]) -> str:
        """Which moves of a lost position lose at once."""
        return what_to_avoid(self, verdict.position)

    def try_this(self, verdict: Verdict[P]) -> str:
        """The move of a lost position that is hardest to answer, and what they have to find."""
        return what_to_try(self, verdict.position)

    def what_to_try(self, verdict: Verdict[P]) -> str:
        """What is left to do in a lost position: what to avoid, and what to try."""
        return f"{self.what_to_avoid(verdict)} {self.try_this(verdict)}".strip()

    def question(self, verdict: Verdict[P]) -> str:
        """A question that leads to a winning move."""
        if self._ends(verdict.position, self.best_move(verdict)):
            return "Which move ends the game now?"
        if self.moves_left(verdict.position):
            return "How many moves are left, and who makes the last one?"
        return self.longer_question(verdict)

    def clue(self, verdict: Verdict[P]) -> Drawing:
        """What to look at on the board, without the answer."""
        return Drawing()

    def drawing(self, verdict: Verdict[P]) -> Drawing:
        """The best move, and what makes it win; in a lost position, what makes it lost."""
        return Drawing([self.best_move(verdict)] if verdict.wins else [])

    def longer_question(self, verdict: Verdict[P]) -> str:
        """A question that leads to the winning move of a longer game."""
        return "After which move do they have no good answer?"

    def explanation(self, verdict: Verdict[P]) -> list[str]:
        """What a person needs besides the reason to win every game from here, in lines."""
        return []

    def ending(self, position: P, move: Move) -> str:
        """Why a move that wins at once ends the game."""
        return "that ends the game"

    def allows(self, position: P, move: Move, answer: Move) -> str:
        """That a move lets the opponent win at once."""
        game = position.game
        return f"after {game.in_words(move)} they {game.verb.do} {game.in_words(answer)}"

    def only_answers(self, position: P) -> str:
        """The few moves that the opponent has."""
        return f"They can only {position.game.verb.do} {moves_in_words(position)}."


def theory_of(position: Position) -> Theory[Any]:
    """Return the theory that applies to a position.

    A theory that a game from outside the package names is compared with search when it is used
    first: RulesError if they differ.
    """
    game = position.game
    kind, named = type(game), parts_of(game)
    if named is not GENERIC and type(position) is not _position_class(game):
        named = GENERIC
    if kind not in _trusted and named.theory != GENERIC.theory:
        if is_ours(kind):
            _trusted.add(kind)
        else:
            load("duels.testing:compare_once")(kind)
    theory: Theory[Any] = load(named.theory)
    return theory.at(position)


def _position_class(game: Game) -> type:
    """The class of a game's positions."""
    kind = type(game)
    if kind not in _position_classes:
        _position_classes[kind] = type(game.start())
    return _position_classes[kind]


_position_classes: dict[type[Game], type] = {}
_trusted: set[type[Game]] = set()
"""Classes of ours whose theory has been used: nothing is compared for them."""
