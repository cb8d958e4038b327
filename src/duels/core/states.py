"""A game from three functions: the first state, the allowed moves, and the state after a move.

    class SquareDuel(StateGame[int]):
        id, title, summary = "square-duel", "Square Duel", "Take a square number of stones."
        stones: int = whole("the stones at the start", default=30, highest=1000, is_size=True)

        def first(self): return self.stones
        def allowed(self, state): return tuple(r * r for r in range(1, isqrt(state) + 1))
        def after(self, state, move): return state - move

Everything else has a default: see docs/how-to/add-a-game.md. `rules_of` gives the rules of any game
as such functions, for search, for checking and for environments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from sys import getsizeof
from typing import Any, Generic, NamedTuple, TypeVar, cast

from duels.core.errors import DuelsError, IllegalMove, ProofError, RulesError, TooLarge
from duels.core.game import Game, Move, Outcome, Position, numbers_of, other, read_move
from duels.core.parts import is_ours, load
from duels.core.words import listed

S = TypeVar("S")
"""The type of a state: frozen and hashable, ideally a number or a tuple of numbers."""

FEW = 12
"""The most moves that a sentence lists."""
MOST_STATES = 20_000
"""The most states that `reachable` yields."""
LONGEST = 2_000
"""The most moves of a game that is searched position by position."""
MOST_POSITIONS = 3_000_000
"""The most different positions that `perft` caches before it gives up: about a gigabyte."""
PER_MOVE = 40
"""The memory that a legal move takes during search, in bytes."""

State = Any


class StatePosition(NamedTuple, Generic[S]):
    """One frozen moment of a `StateGame`."""

    game: StateGame[S]
    state: S
    legal: Collection[Move]
    moves: tuple[Move, ...] = ()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, StatePosition)
            and self[:2] == other[:2]
            and self.to_move == other.to_move
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.state, self.to_move))

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
    def legal_moves(self) -> tuple[Move, ...]:
        return tuple(self.legal)

    @property
    def legal_count(self) -> int:
        return len(self.legal)

    @property
    def outcome(self) -> Outcome | None:
        if self.legal:
            return None
        winner = self.to_move
        if self.game.last_mover_wins(self.state):
            winner = other(winner)
        return Outcome(winner, self.game.ending(self.state))

    @property
    def words(self) -> str:
        return self.game.words(self.state)

    def play(self, move: Move) -> StatePosition[S]:
        game = self.game
        move = game.read(move)
        if move not in self.legal:
            over = "The game is over."
            raise IllegalMove(game.refusal(self.state, move) if self.legal else over)
        state = game.after(self.state, move)
        return StatePosition(game, state, game.allowed(state), (*self.moves, move))


class StateGame(Game, Generic[S]):
    """The base class; the first three functions are required."""

    def first(self) -> S:
        """Return the state before the first move."""
        raise NotImplementedError

    def allowed(self, state: S) -> Collection[Move]:
        """Return the legal moves of a state in increasing order; none if the game is over."""
        raise NotImplementedError

    def after(self, state: S, move: Any) -> S:
        """Return the state after a legal move."""
        raise NotImplementedError

    def last_mover_wins(self, state: S) -> bool:
        """Say whether the player who moved into a state without moves has won."""
        return True

    def ending(self, state: S) -> str:
        """Return why the game is over in a state without moves: one of `endings`."""
        return "no-moves"

    def refusal(self, state: S, move: Any) -> str:
        """Return a sentence that names the rule against a move."""
        allowed = [self.format(one) for one in self.allowed(state)]
        shown = listed(allowed, "or") if len(allowed) <= FEW else f"{', '.join(allowed[:FEW])} …"
        return f"{self.format(move)} is not allowed here: {self.verb.do} {shown}."

    def words(self, state: S) -> str:
        """Return the state in a few words."""
        return ", ".join(map(str, state)) if isinstance(state, tuple) else str(state)

    def start(self) -> StatePosition[S]:
        state = self.first()
        return StatePosition(self, state, self.allowed(state))

    def all_moves(self) -> Sequence[Move]:
        """Search all states for moves; TooLarge if there are more than `MOST_STATES`."""
        rules = rules_of(self.start())
        found = {move for state in rules.reachable() for move in rules.allowed(state)}
        return sorted(found, key=numbers_of)


# Any game as functions of a state


class Rules:
    """The rules that search, checker and environments use.

    For a `StateGame` these are its own functions. For a game with positions of another class a
    state is a position. If the class is one of ours, two equal positions are one state. Otherwise
    its equality may ignore some rule, so two positions are one state only after the same moves.
    """

    game: Game

    def state_of(self, position: Position) -> State:
        """Return the state of a position."""
        raise NotImplementedError

    def allowed(self, state: State) -> Collection[Move]:
        """Return the legal moves of a state; none at the end."""
        raise NotImplementedError

    def after(self, state: State, move: Move) -> State:
        """Return the state after a legal move."""
        raise NotImplementedError

    def last_mover_wins(self, state: State) -> bool:
        """Say whether the player who moved into a state without moves has won."""
        raise NotImplementedError

    def words(self, state: State) -> str:
        raise NotImplementedError

    def data(self, state: State) -> Any:
        """Return a state as plain data, for a proof."""
        raise NotImplementedError

    def read(self, data: Any) -> State:
        """Return the state that `data` wrote; ProofError if it is malformed."""
        raise NotImplementedError

    def visible(self, state: State) -> Any:
        """Return what an agent sees of a state: integers and tuples of them."""
        return state

    def memory(self, state: State, moves: Collection[Move]) -> int:
        """Estimate the bytes that a state and its moves take."""
        return getsizeof(state) + PER_MOVE * len(moves)

    def reachable(self) -> Iterator[State]:
        """Yield every state that play can lead to, from the first on; TooLarge if too many."""
        first = self.state_of(self.game.start())
        seen, waiting = {first}, [first]
        while waiting:
            state = waiting.pop()
            yield state
            for move in self.allowed(state):
                after = self.after(state, move)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
            if len(seen) > MOST_STATES:
                raise TooLarge(
                    f"{self.game.title} ({self.game.options_in_words()}) has more than "
                    f"{MOST_STATES:,} states, too many to look at. Try a smaller board."
                )


class StateRules(Rules):
    """The rules of a `StateGame`."""

    def __init__(self, game: StateGame[State]) -> None:
        self.game = game
        self.allowed = game.allowed  # type: ignore[method-assign]
        self.last_mover_wins = game.last_mover_wins  # type: ignore[method-assign]
        self.words = game.words  # type: ignore[method-assign]
        if type(game).read is Game.read and "read" not in vars(game):
            self.after = game.after  # type: ignore[method-assign]

    def state_of(self, position: Position) -> State:
        return cast("StatePosition[State]", position).state

    def after(self, state: State, move: Move) -> State:
        game: Any = self.game
        if game.read(move) != move:  # playing it would make another move
            raise RulesError(
                f"{game.title}: in {game.words(state)}, {move} is read as another move"
            )
        return game.after(state, move)

    def data(self, state: State) -> Any:
        return [self.data(part) for part in state] if isinstance(state, tuple) else state

    def read(self, data: Any) -> State:
        """Accept only real integers and strings, not values that merely equal them."""
        if isinstance(data, list):
            return tuple(map(self.read, data))
        if type(data) not in (int, str):
            raise ProofError(f"The proof fails: {data!r} is not a part of a state.")
        return data


class PositionRules(Rules):
    """The rules of a game with positions of any class; as data, a state is the moves to it."""

    def __init__(self, game: Game, kind: type) -> None:
        self.game = game
        self.kind = kind
        self.is_ours = is_ours(kind)

    def state_of(self, position: Position) -> State:
        return position if self.is_ours else PlayedPosition(position)

    def _position(self, state: State) -> Position:
        position: Position = state if self.is_ours else state.position
        return position

    def allowed(self, state: State) -> Collection[Move]:
        position = self._position(state)
        if position.outcome and position.outcome.winner not in (1, 2):
            raise RulesError(f"{_named(position)} is a draw: such a game has no verdict")
        moves = position.legal_moves
        if bool(moves) == (position.outcome is not None):
            raise RulesError(f"{_named(position)} needs either legal moves or an outcome")
        return moves

    def after(self, state: State, move: Move) -> State:
        position = self._position(state)
        after = position.play(move)
        if after.to_move != other(position.to_move):
            raise RulesError(f"{_named(after)} has Player {after.to_move} to move again")
        if after.moves != (*position.moves, move):
            raise RulesError(f"{_named(position)} does not add {move} to its moves")
        if len(after.moves) > LONGEST:
            raise TooLarge(
                f"{self.game.title} may never end: a line of play has more than {LONGEST:,} moves."
            )
        return self.state_of(after)

    def last_mover_wins(self, state: State) -> bool:
        position = self._position(state)
        return position.outcome is not None and position.outcome.winner != position.to_move

    def words(self, state: State) -> str:
        return self._position(state).words

    def data(self, state: State) -> Any:
        return [list(move) if isinstance(move, tuple) else move for move in self.visible(state)]

    def visible(self, state: State) -> Any:
        return self._position(state).moves

    def read(self, data: Any) -> State:
        position = self.game.start()
        for move in data:
            position = position.play(read_move(move))
        return self.state_of(position)

    def memory(self, state: State, moves: Collection[Move]) -> int:
        position = self._position(state)
        parts = position if isinstance(position, tuple) else (position, position.moves)
        return sum(map(getsizeof, parts)) + PER_MOVE * len(moves)


class PlayedPosition:
    """A position that equals only a position after the same moves."""

    __slots__ = ("moves", "position")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.moves = position.moves

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlayedPosition) and self.moves == other.moves

    def __hash__(self) -> int:
        return hash(self.moves)


def rules_of(position: Position) -> Rules:
    """Return the rules by which a position is played."""
    game, kind = position.game, type(position)
    plain = isinstance(game, StateGame) and type(game).start is StateGame.start
    if plain and kind is StatePosition and "start" not in vars(game):
        return StateRules(cast("StateGame[State]", game))
    return PositionRules(game, kind)


def perft(position: Position, progress: Callable[[int], None] | None = None) -> tuple[int, int]:
    """Count the complete games from here: those won by player 1, and those won by player 2."""
    counts: dict[Position, tuple[int, int]] = {}
    stack: list[tuple[Position, list[Position] | None]] = [(position, None)]
    looked_at = 0
    while stack:
        here, nexts = stack.pop()
        if nexts is not None:  # all of them have been counted
            wins = [counts[child] for child in nexts]
            counts[here] = (sum(one for one, _ in wins), sum(two for _, two in wins))
        elif here.outcome:
            counts[here] = (1, 0) if here.outcome.winner == 1 else (0, 1)
        elif here not in counts:
            nexts = [here.play(move) for move in here.legal_moves]
            stack.append((here, nexts))
            stack += [(child, None) for child in nexts if child not in counts]
            looked_at += 1
            if progress and looked_at % 5_000 == 0:
                progress(looked_at)
        if len(counts) > MOST_POSITIONS:
            raise DuelsError(
                f"There are more than {MOST_POSITIONS:,} different positions from here: "
                "too many to count. Try a smaller board, or more moves."
            )
    return counts[position]


def _named(position: Position) -> str:
    """Return the name of a position for a sentence about its game."""
    played = " ".join(map(position.game.format, position.moves))
    return f"{position.game.title}: the position {f'after {played}' if played else 'at the start'}"
