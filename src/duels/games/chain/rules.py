"""The chain games: each number must fit the one before it.

Number Duel, Sequence Duel and Number Chain Duel differ only in their criteria, size and opening.
"""

from __future__ import annotations

from operator import index
from typing import Any, ClassVar, NamedTuple, cast

from duels.core.board import Board, free_in_words, in_rows, number_cells, window_words
from duels.core.errors import IllegalMove, OptionError, UnreadableMove
from duels.core.fast import bit_set, members, up_to
from duels.core.game import Game, Move, Outcome, Position
from duels.core.options import SetUp, board_numbers, choice
from duels.core.parts import Parts, derived, load
from duels.core.words import listed, quoted, ranges, short_number
from duels.games.chain.criteria import CRITERIA, Criterion

HIGHEST = 100_000_000
"""The largest board, even for the solver; a bit set far beyond it would take all memory."""
MEMORY = 2**29
"""The most bits of neighbourhoods that one game caches."""
FEW = 2**64
"""Bit sets below this, as on small boards, recur often, so a game caches them as lists."""
MOST_LISTS = 5000
MOST_LOOKED_AT = 100
"""How many numbers are tried to find one that no other number fits."""
ACROSS = 10
"""Numbers in each row of the board."""


class ChainPosition(NamedTuple):
    """The unused numbers as a bit set, the last number, and the numbers that may follow it.

    This is a tuple, not a dataclass, because creating one is most of the cost of a move.
    """

    game: ChainGame
    unused: int
    last: int
    legal: int
    moves: tuple[int, ...]
    outcome: Outcome | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChainPosition) and self[:3] == other[:3]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[1:3])

    def __repr__(self) -> str:
        return f"<{self.game.id} after {self.moves}>"

    def _repr_svg_(self) -> str | None:
        """The picture that a Jupyter notebook shows."""
        svg: str | None = load("duels.theory.pictures:position_svg")(self)
        return svg

    @property
    def to_move(self) -> int:
        return 1 + len(self.moves) % 2

    @property
    def legal_moves(self) -> tuple[int, ...]:
        legal = self.legal
        return self.game.lists[legal] if legal < FEW else members(legal)

    @property
    def legal_count(self) -> int:
        return self.legal.bit_count()

    @property
    def words(self) -> str:
        return free_in_words(ranges(members(self.unused)))

    def play(self, move: Move) -> ChainPosition:
        if type(move) is not int:
            try:
                move = index(move)  # type: ignore[arg-type]
            except TypeError:
                raise UnreadableMove(f"{quoted(move)} is not a number.") from None
        # Written for speed: one unpacking, one concatenation, no call of the class.
        game, unused, _, legal, moves, _ = self[:]
        if not 0 < move <= HIGHEST or not legal & (bit := 1 << move):
            raise IllegalMove(self._refusal(move))
        unused ^= bit
        legal = unused & game.neighbours[move]
        outcome = None if legal else Outcome(self.to_move, "no-moves")
        after = (game, unused, move, legal, moves + (move,), outcome)  # noqa: RUF005
        return _new(ChainPosition, after)

    def _refusal(self, number: int) -> str:
        """Return the rule that forbids `number` here."""
        game = self.game
        if self.outcome:
            return "The game is over."
        if not 1 <= number <= game.size:
            return (
                f"{short_number(number)} is not on the board: the numbers go from 1 to {game.size}."
            )
        if not self.unused >> number & 1:
            return f"{number} has been used already."
        if not self.last:
            return game.opening_rule.format(number)
        unmet = [criterion.unmet for criterion in game.rules]
        reasons = [words.format("it" if n else self.last) for n, words in enumerate(unmet)]
        return f"{number} {listed(reasons)}."


_new = tuple.__new__


class ChainGame(Game):
    """Numbers 1..size, each used once, each meeting a criterion against the one before."""

    parts: ClassVar[Parts] = Parts(
        theory="duels.games.chain.theory:CHAIN",
        checker="duels.games.chain.checker:check_matching",
        packed_checker="duels.games.chain.checker:check_packed",
        picture="duels.games.chain.picture:chain_svg",
        space="duels.games.chain.environment:ChainSpace",
        atlas="duels.games.chain.atlas:chain_rows",
        options=("numbers",),
    )

    numbers: int = board_numbers(10)

    @property
    def size(self) -> int:
        return self.numbers

    @property
    def rules(self) -> tuple[Criterion, ...]:
        """The criteria; a number must meet at least one of them."""
        return (CRITERIA["factor"],)

    @derived
    def neighbours(self) -> Neighbours:
        """By number: the bit set of the numbers that may follow it."""
        return Neighbours(self)

    @derived
    def lists(self) -> Lists:
        """A cache of the numbers in each bit set."""
        return Lists()

    @property
    def openings(self) -> int:
        """The bit set of the numbers that may be played first."""
        return up_to(self.size)

    @property
    def opening_rule(self) -> str:
        """The sentence about a number that may not be played first; {} is the number."""
        return "{} cannot open the game."

    def start(self) -> ChainPosition:
        start: ChainPosition = self._start
        return start

    @derived
    def _start(self) -> ChainPosition:
        return ChainPosition(self, up_to(self.size), 0, self.openings, ())

    def all_moves(self) -> range:
        return range(1, self.size + 1)

    def board(self, position: Position) -> Board:
        unused = cast("ChainPosition", position).unused
        rows = in_rows(number_cells(position, unused), ACROSS)
        return Board(rows, caption=window_words(position), flows=True)


class Neighbours(dict[int, int]):
    """Neighbourhoods computed on first use, so that play pays only for the numbers it visits.

    A number that is not on the board raises KeyError, as in any mapping.
    """

    def __init__(self, game: ChainGame) -> None:
        self._size = game.size
        self._rules = [criterion.neighbours(game.size) for criterion in game.rules]
        self._room = max(16, MEMORY // game.size)

    def __missing__(self, number: int) -> int:
        if not 1 <= number <= self._size:  # 0 would have endless multiples
            raise KeyError(number)
        bits = 0
        for neighbours in self._rules:
            bits |= neighbours(number)
        if len(self) >= self._room:
            self.clear()
        self[number] = bits = bits & ~(1 << number)
        return bits


class Lists(dict[int, tuple[int, ...]]):
    """Bit sets as tuples, made once: looking one up is twice as fast as making it again."""

    def __missing__(self, bits: int) -> tuple[int, ...]:
        if len(self) >= MOST_LISTS:
            self.clear()
        self[bits] = numbers = members(bits)
        return numbers


class NumberDuel(ChainGame):
    """Pick an unused number that fits the last one; if you have none, you lose."""

    id, title = "number-duel", "Number Duel"
    summary = "Pick a factor, a multiple or a shared digit; if you can't, you lose."
    sample_size, sample = 20, ("12", "2", "4")
    setups = (
        SetUp(
            "digit-sum-30",
            "1 to 30, digit sums in place of digits: about 16 moves",
            {"criteria": "factor,digit-sum"},
            size=30,
        ),
        SetUp(
            "digit-sum-20",
            "1 to 20, digit sums in place of digits: about 11 moves",
            {"criteria": "factor,digit-sum"},
            size=20,
        ),
        SetUp(
            "neighbour-100",
            "1 to 100, neighbours in place of digits: about 53 moves, many choices matter",
            {"criteria": "factor,neighbour"},
            size=100,
        ),
    )
    parts = ChainGame.parts._replace(
        dialogue="duels.games.chain.dialogue:NumberDuelDialogue", options=("numbers", "criteria")
    )
    numbers: int = board_numbers(100, highest=15_000, solve_highest=1_000_000)
    criteria: str = choice(
        f"what makes a number fit: {', '.join(CRITERIA)}, separated by commas",
        {name: criterion.means for name, criterion in CRITERIA.items()},
        default="factor,digit",
        several=True,
        label="What makes a number fit",
    )

    def caution(self) -> str | None:
        """Return a warning if there is a number that nothing fits: taking it wins at once."""
        if self.size == 1 or not {"factor", "neighbour"}.isdisjoint(self.criteria.split(",")):
            return None
        looked_at = [1, *range(self.size, max(1, self.size - MOST_LOOKED_AT), -1)]
        alone = next((n for n in looked_at if not self.neighbours[n]), None)
        return alone and f"Nothing fits {alone}, so the first player can win at once by taking it."

    @derived
    def rules(self) -> tuple[Criterion, ...]:
        return tuple(CRITERIA[name] for name in self.criteria.split(","))


class SequenceDuel(ChainGame):
    """Remove factors and multiples from 1..size; with the even opening it is Juniper Green."""

    id, title = "sequence-duel", "Sequence Duel"
    summary = "Take a factor or multiple of the last number; if you can't, you lose."
    sample = ("6", "3", "9")
    setups = (
        SetUp(
            "even-40",
            "1 to 40, the first number is even: about 14 moves, few openings win",
            {"opening": "even"},
            size=40,
        ),
        SetUp(
            "even-30",
            "1 to 30, the first number is even: about 11 moves, either side can win",
            {"opening": "even"},
            size=30,
        ),
        SetUp(
            "even-57",
            "1 to 57, the first number is even: about 18 moves, either side can win",
            {"opening": "even"},
            size=57,
        ),
    )
    parts = ChainGame.parts._replace(
        dialogue="duels.games.chain.dialogue:SequenceDuelDialogue", options=("numbers", "opening")
    )
    numbers: int = board_numbers(20, solve_highest=HIGHEST)
    opening: str = choice(
        "which numbers may open the game: any, even or even-below-half",
        {
            "any": "any",
            "even": "even (Juniper Green)",
            "even-below-half": "even and below half (NRICH)",
        },
        default="any",
        label="First number",
        brief="{} opening",
    )

    def __init__(self, *values: Any, **options: Any) -> None:
        super().__init__(*values, **options)
        if not self.openings:
            what, least = ("", 2) if self.opening == "even" else (" below half", 5)
            raise OptionError(f"An even opening{what} needs a board of {least} numbers or more.")

    @property
    def openings(self) -> int:
        if self.opening == "any":
            return up_to(self.size)
        return bit_set(range(2, self.highest_opening + 1, 2))

    @property
    def highest_opening(self) -> int:
        """The highest number that may be played first."""
        if self.opening == "any":
            return self.size
        limit = self.size if self.opening == "even" else (self.size - 1) // 2
        return limit // 2 * 2

    @property
    def opening_rule(self) -> str:
        if self.opening == "even":
            return "{} is odd, and the first number must be even."
        return (
            f"{{}} cannot open: the first number must be even and at most {self.highest_opening}."
        )


class NumberChainDuel(ChainGame):
    """Add factors and multiples to the end of a chain; if you have none, you lose."""

    id, title = "number-chain-duel", "Number Chain Duel"
    summary = "Build a chain of factors and multiples; if you can't add one, you lose."
    sample = ("4", "2", "8")
    setups = (
        SetUp("to-16", "1 to 16: about 8 moves, either side can win", size=16),
        SetUp("to-30", "1 to 30: about 11 moves, so look further ahead", size=30),
    )
    parts = ChainGame.parts._replace(dialogue="duels.games.chain.dialogue:NumberChainDuelDialogue")
    numbers: int = board_numbers(9, solve_highest=HIGHEST)
