"""Games that are not of this package, each made of states in a few lines."""

from duels import StateGame, whole
from own_games import EuclidDuel, LastStoneLoses, square_duel

SquareDuel = square_duel()


class HeapsDuel(StateGame):
    """Heaps of stones, of which one disappears when it is empty; a move says heap and stones."""

    id, title, summary = "heaps-duel", "Heaps", "Take stones from one heap."
    pair_words = "a heap and a number of stones"
    heaps: int = whole("how many heaps", default=3, highest=5, is_size=True)

    def first(self):
        return tuple(range(1, self.heaps + 1))

    def allowed(self, state):
        return tuple((at, n) for at, heap in enumerate(state, 1) for n in range(1, heap + 1))

    def after(self, state, move):
        at, taken = move
        left = [heap - taken * (n == at) for n, heap in enumerate(state, 1)]
        return tuple(heap for heap in left if heap)


class DebtDuel(StateGame):
    """A purse that may go below zero: pay one or two until seven are owed."""

    id, title, summary = "debt-duel", "Debt Duel", "Pay one or two."
    coins: int = whole("the coins at the start", default=3, highest=1000, is_size=True)

    def first(self):
        return 0, (self.coins, 5)

    def allowed(self, state):
        left = state[1][0] + 7
        return (1, 2)[:left]

    def after(self, state, move):
        return 0, (state[1][0] - move, 5)


class RoundDuel(StateGame):
    """A round trip that need not end: move one or two places; reach place 5 and you win."""

    id, title, summary = "round-duel", "Round Duel", "Walk around."
    places: int = whole("the places of the round", default=9, lowest=6, highest=99, is_size=True)

    def first(self):
        return 0

    def allowed(self, state):
        return (1, 2) if state != 5 else ()

    def after(self, state, move):
        return (state + move) % self.places


class WordsDuel(StateGame):
    """A state that is not a number."""

    id, title, summary = "words-duel", "Words Duel", "Say it."
    letters: int = whole("the letters at the start", default=3, highest=1000, is_size=True)

    def first(self):
        return "a" * self.letters

    def allowed(self, state):
        return (1,) if state else ()

    def after(self, state, move):
        return state[move:]


STRANGERS = (SquareDuel, EuclidDuel, LastStoneLoses, HeapsDuel, DebtDuel)
