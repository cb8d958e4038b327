"""Games as authors outside the project would write them."""

from pathlib import Path

from duels import GAMES, StateGame, whole
from duels.games.added import add_file

SQUARE_FILE = Path(__file__).parent.parent / "docs" / "examples" / "square_duel.py"


def square_duel():
    """The class of docs/examples/square_duel.py, unregistered."""
    if "square-duel" not in _kinds:
        add_file(SQUARE_FILE)
        _kinds["square-duel"] = GAMES.pop("square-duel")
    return _kinds["square-duel"]


_kinds = {}


class EuclidDuel(StateGame[tuple[int, int]]):
    """Two numbers. Subtract a multiple of the smaller from the larger; who makes a 0 wins."""

    id, title, summary = "euclid-duel", "Euclid's Duel", "Subtract the smaller from the larger."
    larger: int = whole("the larger number", default=13, highest=1000, is_size=True)
    smaller: int = whole("the smaller number", default=8, highest=1000)

    def first(self):
        return max(self.larger, self.smaller), min(self.larger, self.smaller)

    def allowed(self, state):
        larger, smaller = state
        return tuple(range(1, larger // smaller + 1)) if smaller else ()

    def after(self, state, move):
        larger, smaller = state
        rest = larger - move * smaller
        return max(rest, smaller), min(rest, smaller)


class LastStoneLoses(StateGame[int]):
    """Take one to three stones; who takes the last one loses."""

    id, title, summary = "last-stone", "Last Stone", "Take one to three, but not the last."
    stones: int = whole("the stones", default=10, highest=500, is_size=True)

    def first(self):
        return self.stones

    def allowed(self, state):
        return (1, 2, 3)[:state]

    def after(self, state, move):
        return state - move

    def last_mover_wins(self, state):
        return False


class LastSipLoses(StateGame[int]):
    """Take one sip or two, or empty the glass; who empties it loses."""

    id, title, summary = "last-sip", "Last Sip", "Take one sip or two, but not the last."
    sips: int = whole("the sips in the glass", default=10, highest=500, is_size=True)

    def first(self):
        return self.sips

    def allowed(self, state):
        return tuple(sorted({1, 2, state})) if state > 1 else (1,)[:state]

    def after(self, state, move):
        return state - move

    def last_mover_wins(self, state):
        return False


class TwoHeaps(StateGame[tuple[int, int]]):
    """Two heaps. Take from one, or equally many from both; who takes the last coin wins."""

    id, title, summary = "two-heaps", "Two Heaps", "Take from one heap, or equally from both."
    pair_words = "how many from each heap"
    move_words = "two numbers, like 2-0 or 3-3"
    left: int = whole("the coins on the left", default=3, highest=50, is_size=True)
    right: int = whole("the coins on the right", default=5, highest=50)

    def first(self):
        return self.left, self.right

    def allowed(self, state):
        left, right = state
        one = [(take, 0) for take in range(1, left + 1)]
        other = [(0, take) for take in range(1, right + 1)]
        return sorted([*one, *other, *((take, take) for take in range(1, min(state) + 1))])

    def after(self, state, move):
        return state[0] - move[0], state[1] - move[1]
