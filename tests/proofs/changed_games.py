"""Subclasses of the built-in games that change a rule, each as an unsuspecting author would."""

from __future__ import annotations

from duels import GAMES, Outcome, StateGame, StatePosition, choice, whole
from duels.core.fast import members, up_to
from duels.core.game import other
from duels.games.chain.criteria import CRITERIA, Criterion
from duels.games.chain.rules import (
    ChainGame,
    ChainPosition,
    NumberChainDuel,
    NumberDuel,
    SequenceDuel,
)
from duels.games.digits.rules import DivisorDuel
from duels.games.line.rules import NumberLineDuel


class MisereLine(NumberLineDuel):
    id, title, summary = "misere-line", "Misere Line", "The last mover loses."

    def last_mover_wins(self, state):
        return False


class SinglesLine(NumberLineDuel):
    id, title, summary = "singles-line", "Singles Line", "Cross out single numbers."

    def allowed(self, state):
        return members(state)


class OptionLine(NumberLineDuel):
    """A rule behind an option of its own."""

    id, title, summary = "option-line", "Option Line", "Pairs are an option."
    pairs: str = choice("pairs", {"yes": "yes", "no": "no"}, default="no", label="Pairs")

    def allowed(self, state):
        return super().allowed(state) if self.pairs == "yes" else members(state)


MEANINGS = {"wins": "the last mover wins", "loses": "the last mover loses"}


class LastMoverLine(NumberLineDuel):
    """Its parts are right for the default of an option that they do not know."""

    id, title, summary = "last-mover-line", "Last Mover Line", "What moving last means."
    parts = NumberLineDuel.parts
    last: str = choice("what the last move means", MEANINGS, default="wins")

    def last_mover_wins(self, state):
        return self.last == "wins"


class FixedLine(LastMoverLine):
    id, title, summary = "fixed-line", "Fixed Line", "The option has a fixed value."
    last = "loses"


class OtherDefaultLine(LastMoverLine):
    id, title, summary = "other-default-line", "Other Default", "The default is another one."
    last: str = choice("what the last move means", MEANINGS, default="loses")


class MirrorLine(NumberLineDuel):
    id, title, summary = "mirror-line", "Mirror Line", "The mirror number goes too."

    def after(self, state, move):
        gone = up_to(self.size) ^ super().after(up_to(self.size), move)
        mirrored = sum(1 << self.size + 1 - number for number in members(gone))
        return state & ~(gone | mirrored)


class NoOneSequence(SequenceDuel):
    id, title, summary = "no-one-sequence", "No One", "Nothing follows or precedes 1."

    @property
    def neighbours(self):
        kept = super().neighbours
        return {n: kept[n] & ~2 if n > 1 else 0 for n in range(1, self.size + 1)}


class UpwardsChain(NumberChainDuel):
    id, title, summary = "upwards-chain", "Upwards", "Larger numbers only."

    @property
    def rules(self):
        above = lambda highest: lambda n: up_to(highest) & ~up_to(n)  # noqa: E731
        return (Criterion("larger", "is larger than {}", "is not larger than {}", above),)


class MiserePosition(ChainPosition):
    def play(self, move):
        after = super().play(move)
        outcome = after.outcome and Outcome(other(after.outcome.winner), "no-moves")
        return MiserePosition(*after[:5], outcome)


class MisereChain(NumberChainDuel):
    id, title, summary = "misere-chain", "Misere Chain", "The last mover loses."

    def start(self):
        return MiserePosition(*super().start())


class Pile(StateGame[int]):
    id, title, summary = "a-pile", "A Pile", "Take one to three stones."
    stones: int = whole("stones", default=8, highest=50, is_size=True)

    def first(self):
        return self.stones

    def allowed(self, state):
        return (1, 2, 3)[:state]

    def after(self, state, move):
        return state - move


class FlippedPosition(StatePosition):
    @property
    def outcome(self):
        end = super().outcome
        return end and Outcome(other(end.winner), end.reason)

    def play(self, move):
        return type(self)(*super().play(move))


class FlippedPile(Pile):
    id, title, summary = "flipped-pile", "Flipped Pile", "The last mover loses."

    def start(self):
        return FlippedPosition(*super().start())


class ExtraTurnPosition(FlippedPosition):
    """After taking one stone you move again."""

    @property
    def to_move(self):
        return 1 + sum(move != 1 for move in self.moves) % 2


class ExtraTurnPile(Pile):
    id, title, summary = "extra-turn-pile", "Extra Turn", "Take one and move again."

    def start(self):
        return ExtraTurnPosition(*super().start())


class OddDivisor(DivisorDuel):
    id, title, summary = "odd-divisor", "Odd Divisor", "Odd digits only."

    def allowed(self, state):
        return tuple(digit for digit in super().allowed(state) if digit % 2)


class LastDigitWins(DivisorDuel):
    id, title, summary = "last-digit-wins", "Last Digit", "The last mover always wins."

    def last_mover_wins(self, state):
        return True


class LeftDivisor(DivisorDuel):
    id, title, summary = "left-divisor", "Left Divisor", "Digits go on the left."

    def after(self, state, move):
        return int(f"{move}{state or ''}")


class HeadStartDivisor(DivisorDuel):
    id, title, summary = "head-start", "Head Start", "The number starts as 1."

    def first(self):
        return 1


# More subclasses, by other means.


class MisereMixin:
    def last_mover_wins(self, state):
        return False


class MixedLine(MisereMixin, NumberLineDuel):
    id, title, summary = "mixed-line", "Mixed Line", "A mixin decides who wins."


class PropertyLine(NumberLineDuel):
    id, title, summary = "property-line", "Property Line", "A property in place of a method."
    last_mover_wins = property(lambda self: lambda state: self.size % 2 == 0)


class SuperLine(NumberLineDuel):
    """Overrides, calls super, and changes nothing on even lines."""

    id, title, summary = "super-line", "Super Line", "No pair with 1."

    def allowed(self, state):
        moves = super().allowed(state)
        return tuple(move for move in moves if move != (1, 2))


class GrandchildLine(SuperLine):
    """Changes nothing itself: its parent did."""

    id, title, summary = "grandchild-line", "Grandchild Line", "No pair with 1."


class HeadStartLine(NumberLineDuel):
    id, title, summary = "head-start-line", "Head Start", "1 is gone already."

    def first(self):
        return super().first() & ~2


class StartLine(NumberLineDuel):
    id, title, summary = "start-line", "Start Line", "Single numbers open the game."

    def start(self):
        begin = super().start()
        return begin._replace(legal=members(begin.state))


class TwistedLine(NumberLineDuel):
    """Reads each number as its mirror, so that what is played is not what was chosen."""

    id, title, summary = "twisted-line", "Twisted Line", "Numbers are read backwards."

    def read(self, move):
        read = super().read(move)
        return self.size + 1 - read if isinstance(read, int) else read


class SpyLine(NumberLineDuel):
    id, title, summary = "spy-line", "Spy Line", "Attributes are not what they seem."

    def __getattribute__(self, name):
        if name == "last_mover_wins":
            return lambda state: False
        return super().__getattribute__(name)


class SelfPatchedLine(NumberLineDuel):
    id, title, summary = "self-patched", "Self-Patched", "Patched when it is made."

    def __init__(self, *values, **options):
        super().__init__(*values, **options)
        object.__setattr__(self, "last_mover_wins", lambda state: False)


class StickySequence(SequenceDuel):
    id, title, summary = "sticky-sequence", "Sticky", "Only neighbours by size follow."

    @property
    def rules(self):
        return (CRITERIA["neighbour"],)


class PrimeOpening(SequenceDuel):
    id, title, summary = "late-opening", "Late Opening", "The first number is above half."

    @property
    def openings(self):
        return up_to(self.size) & ~up_to(self.size // 2)


class AsymmetricDuel(NumberDuel):
    id, title, summary = "asymmetric-duel", "Asymmetric", "1 follows everything, nothing follows 1."

    @property
    def neighbours(self):
        kept = super().neighbours
        return [0, 0, *(kept[n] | 2 for n in range(2, self.size + 1))]


class ShortChainPosition(ChainPosition):
    """Its outcome depends on the length of the game, which its equality does not know."""

    @property
    def legal_moves(self):
        return () if len(self.moves) >= 4 else super().legal_moves

    def play(self, move):
        after = super().play(move)
        over = Outcome(self.to_move, "no-moves") if len(after.moves) >= 4 else after.outcome
        return ShortChainPosition(*after[:3], 0 if over else after.legal, after.moves, over)


class ShortChain(NumberChainDuel):
    id, title, summary = "short-chain", "Short Chain", "Over after four moves."

    def start(self):
        return ShortChainPosition(*super().start())


class LongPileHates(StatePosition):
    """The last mover wins after an even number of moves of 1: a rule about the history."""

    @property
    def outcome(self):
        end = super().outcome
        if not end or self.moves.count(1) % 2 == 0:
            return end
        return Outcome(other(end.winner), end.reason)

    def play(self, move):
        return type(self)(*super().play(move))


class HistoryPile(Pile):
    id, title, summary = "history-pile", "History Pile", "The number of ones decides."

    def start(self):
        return LongPileHates(*super().start())


class FamilyLine(ChainGame):
    """A chain game without a class of ours between: it names no parts."""

    id, title, summary = "next-chain", "Next Chain", "Go up or down by one or two."

    @property
    def rules(self):
        near = lambda highest: (  # noqa: E731
            lambda n: (0b10111 << n >> 1 if n > 1 else 0b1100 << n - 1) & up_to(highest)
        )
        return (Criterion("near", "is near {}", "is not near {}", near),)


RIGHT = [
    (MisereLine, {"numbers": 6}),
    (SinglesLine, {"numbers": 6}),
    (OptionLine, {"numbers": 6, "pairs": "no"}),
    (OptionLine, {"numbers": 6, "pairs": "yes"}),
    (LastMoverLine, {"numbers": 6, "last": "loses"}),
    (FixedLine, {"numbers": 6}),
    (OtherDefaultLine, {"numbers": 6}),
    (MirrorLine, {"numbers": 7}),
    (NoOneSequence, {"numbers": 8}),
    (UpwardsChain, {"numbers": 6}),
    (MisereChain, {"numbers": 6}),
    (FlippedPile, {"stones": 6}),
    (OddDivisor, {"divisor": 7}),
    (OddDivisor, {"divisor": 12}),
    (LastDigitWins, {"divisor": 97}),
    (LeftDivisor, {"divisor": 13}),
    (HeadStartDivisor, {"divisor": 12}),
    (MixedLine, {"numbers": 6}),
    (PropertyLine, {"numbers": 5}),
    (PropertyLine, {"numbers": 6}),
    (SuperLine, {"numbers": 6}),
    (GrandchildLine, {"numbers": 6}),
    (HeadStartLine, {"numbers": 7}),
    (StartLine, {"numbers": 6}),
    (SpyLine, {"numbers": 5}),
    (SelfPatchedLine, {"numbers": 6}),
    (StickySequence, {"numbers": 8}),
    (PrimeOpening, {"numbers": 9}),
    (AsymmetricDuel, {"numbers": 7}),
    (ShortChain, {"numbers": 7}),
    (HistoryPile, {"stones": 7}),
    (FamilyLine, {"numbers": 7}),
]
"""Games that alternate and end: the generic search has the right verdict."""

REJECTED = [(ExtraTurnPile, {"stones": 6}), (TwistedLine, {"numbers": 4})]
"""Games that have no verdict."""


def forget_changed_games():
    for kind, _ in (*RIGHT, *REJECTED):
        GAMES.pop(kind.id, None)
