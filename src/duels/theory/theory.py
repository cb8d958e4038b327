"""The interface of a theory for a family of games, with defaults for most of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from duels.core.board import Drawing
from duels.core.errors import TooLarge
from duels.core.game import Game, Move, Position
from duels.core.parts import GENERIC, is_ours, load, parts_of
from duels.theory.lookahead import Resistance, resist, wins_soon
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

if TYPE_CHECKING:
    from duels.theory.verdict import PackedVerdict, Proof, Verdict

P = TypeVar("P", bound=Position)
Progress = Callable[[float], None]

FEW = 5
"""The most examples in a sentence."""


class Theory(Generic[P]):
    """Verdicts and reasons for a family of games. `theory_of` finds the one for a position."""

    def at(self, position: P) -> Theory[P]:
        """Return the theory to use at a position: this one, unless a theorem says more there."""
        return self

    def winning_moves(self, position: P, progress: Progress | None = None) -> tuple[Move, ...]:
        """Return the winning moves; none in a lost position or when the game is over."""
        raise NotImplementedError

    def prove(self, position: P, winning: tuple[Move, ...]) -> Proof:
        """Return the proof that exactly these moves win, for the game's checker."""
        raise NotImplementedError

    def pack(self, position: P, winning: tuple[Move, ...]) -> Any:
        """Return the proof as arrays, for large boards; None if there are only lists."""
        return None

    def is_packed(self, position: P) -> bool:
        """Say whether a board is so large that its moves are only counted: see `solve_packed`."""
        return False

    def solve_packed(self, position: P, progress: Progress | None = None) -> PackedVerdict[P]:
        """Return the verdict on a board too large for lists; TooLarge if that is impossible."""
        raise TooLarge(f"{position.game.title} has no verdicts on boards of this size.")

    def columns(self, position: P) -> dict[str, int]:
        """Return the columns of the atlas that only this family has, for the start of a board."""
        return {}

    def best_move(self, verdict: Verdict[P]) -> Move:
        """Return the winning move that the reason and the explanation begin with."""
        short = self.short_win(verdict)
        return short.move if short else verdict.winning_moves[0]

    def wins_at_once(self, position: P) -> tuple[Move, ...]:
        """Return the moves after which the game is over and won."""
        return tuple(move for move in position.legal_moves if self._ends(position, move))

    def _ends(self, position: P, move: Move) -> bool:
        outcome = position.play(move).outcome
        return outcome is not None and outcome.winner == position.to_move

    def wins_soon(self, position: P) -> bool:
        """Say whether a short search finds a forced win with the second move from now."""
        return wins_soon(self, position)

    def weight(self, position: P) -> int:
        """Return what one verdict costs, counted in visits of positions."""
        return 1

    def is_slow(self, position: P) -> bool:
        """Say whether a verdict may take longer than a second."""
        return False

    def advice(self, position: P) -> str:
        """Return advice on how to make verdicts faster, if there is any."""
        return ""

    def hardest(self, position: P) -> Resistance:
        """Return the moves of a lost position that the opponent is most likely to get wrong."""
        return resist(self, position)

    def moves_left(self, position: P) -> list[int] | None:
        """Return how many moves the game can still last, if no choice can change who wins."""
        return moves_left(position)

    # Words: a claim, its reason, one worked line. The simplest true reason is given alone.

    def reason(self, verdict: Verdict[P]) -> str:
        """Say why the position is won or lost, and what to do about it."""
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
        """Return what to play in a won position, and why."""
        return self.worked_out(verdict) or self.why_won(verdict)

    def decided(self, verdict: Verdict[P]) -> str:
        """Say why no choice can change who wins, if that is so."""
        lengths = self.moves_left(verdict.position)
        return all_the_same(verdict.position, lengths) if lengths else ""

    def worked_out(self, verdict: Verdict[P]) -> Instruction | None:
        """Return a short win in sentences; None if it would take many."""
        win = self.short_win(verdict)
        return in_sentences(self, verdict.position, win) if win else None

    def short_win(self, verdict: Verdict[P]) -> Win | None:
        return short_win(self, verdict.position, verdict.winning_moves)

    def why_won(self, verdict: Verdict[P]) -> Instruction:
        """Say how the player to move wins a longer game, and why."""
        raise NotImplementedError

    def why_lost(self, verdict: Verdict[P]) -> str:
        """Say why the player to move loses against best play."""
        raise NotImplementedError

    def what_to_avoid(self, verdict: Verdict[P]) -> str:
        """Say which moves of a lost position lose at once."""
        return what_to_avoid(self, verdict.position)

    def try_this(self, verdict: Verdict[P]) -> str:
        """Say which move of a lost position is hardest to answer, and what the answer is."""
        return what_to_try(self, verdict.position)

    def what_to_try(self, verdict: Verdict[P]) -> str:
        """Say what to avoid and what to try in a lost position."""
        return f"{self.what_to_avoid(verdict)} {self.try_this(verdict)}".strip()

    def question(self, verdict: Verdict[P]) -> str:
        """Return a question that leads to a winning move."""
        if self._ends(verdict.position, self.best_move(verdict)):
            return "Which move ends the game now?"
        if self.moves_left(verdict.position):
            return "How many moves are left, and who makes the last one?"
        return self.longer_question(verdict)

    def clue(self, verdict: Verdict[P]) -> Drawing:
        """Return what to look at on the board, without the answer."""
        return Drawing()

    def drawing(self, verdict: Verdict[P]) -> Drawing:
        """Return a drawing of the best move and why it wins, or of why the position is lost."""
        return Drawing([self.best_move(verdict)] if verdict.wins else [])

    def longer_question(self, verdict: Verdict[P]) -> str:
        """Return a question that leads to the winning move of a longer game."""
        return "After which move do they have no good answer?"

    def explanation(self, verdict: Verdict[P]) -> list[str]:
        """Return what a player needs, besides the reason, to win every game from here, as lines."""
        return []

    def ending(self, position: P, move: Move) -> str:
        """Say why a move that wins at once ends the game."""
        return "that ends the game"

    def allows(self, position: P, move: Move, answer: Move) -> str:
        """Say that a move lets the opponent win at once."""
        game = position.game
        return f"after {game.in_words(move)} they {game.verb.do} {game.in_words(answer)}"

    def only_answers(self, position: P) -> str:
        """Return the few moves that the opponent has."""
        return f"They can only {position.game.verb.do} {moves_in_words(position)}."


def theory_of(position: Position) -> Theory[Any]:
    """Return the theory that applies to a position.

    The theory of a game from outside the package is compared with search on its first use:
    RulesError if they differ.
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
    """Return the class of a game's positions."""
    kind = type(game)
    if kind not in _position_classes:
        _position_classes[kind] = type(game.start())
    return _position_classes[kind]


_position_classes: dict[type[Game], type] = {}
_trusted: set[type[Game]] = set()
"""Our own classes whose theory has been used; they are not compared with search."""
