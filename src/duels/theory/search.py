"""Any game by search: a state is lost if every move from it leads to a state that is won.

All states of one game share a memory. The proof is a list of lost states, each of which answers
every move with a state further up in the list: so play goes up, and ends with the winner's move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duels.core.errors import DuelsError
from duels.core.game import Move
from duels.core.states import StateGame, StatePosition, TooLarge
from duels.theory.theory import FEW, Progress, Theory
from duels.theory.verdict import Proof, Verdict

MOST_POSITIONS = 500_000
"""Positions that are looked at before we give up: some seconds, and some hundred megabytes."""

State = Any
StateVerdict = Verdict[StatePosition[State]]


class Search:
    """Which states of a game are won by the player to move."""

    def __init__(self, game: StateGame[State]) -> None:
        self.game = game
        self._known: dict[State, bool] = {}

    def wins(self, state: State, progress: Progress | None = None) -> bool:
        """Whether the player to move wins; TooLarge if that would take too long."""
        known = self._known
        if state in known:
            return known[state]
        if len(known) > MOST_POSITIONS:
            known.clear()
        trail, on_trail = [(state, self._children(state))], {state}
        while trail:
            here, children = trail[-1]
            for child in children:
                if child not in known:
                    if child in on_trail:
                        raise DuelsError(
                            f"{self.game.title} can go on for ever: it has no verdict."
                        )
                    trail.append((child, self._children(child)))
                    on_trail.add(child)
                    break
                if not known[child]:
                    self._settle(trail, on_trail, True)
                    break
            else:
                self._settle(trail, on_trail, self._won_at_end(here))
            self._look_up(len(known) + len(trail), progress)
        return known[state]

    def answer(self, state: State) -> tuple[Move, State] | None:
        """The first move from a state that leaves a lost one, with that one."""
        return next(self.answers(state), None)

    def answers(self, state: State) -> Iterator[tuple[Move, State]]:
        """Every move from a state that leaves a lost one."""
        for move in self.game.allowed(state):
            after = self.game.after(state, move)
            if not self.wins(after):
                yield move, after

    def _children(self, state: State) -> Iterator[State]:
        return (self.game.after(state, move) for move in self.game.allowed(state))

    def _settle(self, trail: list[tuple[State, Any]], on_trail: set[State], wins: bool) -> None:
        """Write down the end of the trail; a lost state makes the one before it a won one."""
        state, _ = trail.pop()
        on_trail.discard(state)
        self._known[state] = wins
        if not wins and trail:
            self._settle(trail, on_trail, True)

    def _won_at_end(self, state: State) -> bool:
        """Whether a state from which no lost one can be reached is won all the same: at the end."""
        return not self.game.allowed(state) and not self.game.last_mover_wins(state)

    def _look_up(self, count: int, progress: Progress | None) -> None:
        if count > MOST_POSITIONS:
            raise TooLarge(
                f"There are more than {MOST_POSITIONS:,} positions from here: too many to search. "
                "Try a smaller board, or more moves."
            )
        if progress and count % 4096 == 0:
            progress(count / MOST_POSITIONS)


class SearchTheory(Theory[StatePosition[State]]):
    """The theory of every game that has none of its own."""

    def winning_moves(
        self, position: StatePosition[State], progress: Progress | None = None
    ) -> tuple[Move, ...]:
        game, search = position.game, _search(position)
        return tuple(
            move
            for move in position.legal_moves
            if not search.wins(game.after(position.state, move), progress)
        )

    def prove(self, position: StatePosition[State], winning: tuple[Move, ...]) -> Proof:
        game, search = position.game, _search(position)
        lost: dict[State, None] = {}
        for move in position.legal_moves:
            state = game.after(position.state, move)
            answer = None if move in winning else search.answer(state)
            if move in winning or answer:
                _close(search, answer[1] if answer else state, lost)
        return {"kind": "answers", "lost": [plain(state) for state in lost]}

    def why_won(self, verdict: StateVerdict) -> str:
        position = verdict.position
        game, move = position.game, self.best_move(verdict)
        after: Any = position.play(move)
        do = f"{game.verb.do.capitalize()} {game.format(move)}"
        if after.outcome:
            return f"{do}: that ends the game."
        return f"{do}. Then every move of your opponent {_answered(after)}."

    def why_lost(self, verdict: StateVerdict) -> str:
        return f"You cannot force a win: every move {_answered(verdict.position)}."

    def explanation(self, verdict: StateVerdict) -> list[str]:
        assert verdict.proof
        game = verdict.position.game
        states = sorted(map(read_plain, verdict.proof["lost"]), key=_in_order)
        if not states:
            return ["Every move loses at once."]
        who = "Always leave" if verdict.wins else "Your opponent can always leave"
        return [f"{who} one of these:", "; ".join(map(game.words, states))]

    def is_slow(self, position: StatePosition[State]) -> bool:
        return position.game.size > 1000


SEARCH = SearchTheory()


def plain(state: State) -> Any:
    """A state as plain data: whole numbers, words, and lists of them."""
    return [plain(part) for part in state] if isinstance(state, tuple) else state


def read_plain(data: Any) -> State:
    """The state that `plain` wrote."""
    return tuple(map(read_plain, data)) if isinstance(data, list) else data


def _search(position: StatePosition[State]) -> Search:
    search: Search = position.game.memory.setdefault("search", Search(position.game))
    return search


def _in_order(state: State) -> tuple[int, Any]:
    """The key by which states increase: whole numbers, then words, then tuples."""
    if isinstance(state, tuple):
        return 2, tuple(map(_in_order, state))
    return int(isinstance(state, str)), state


def _answered(position: StatePosition[State]) -> str:
    """What becomes of every move of a lost position, with the answers to the first ones."""
    game, search = position.game, _search(position)
    after = {move: game.after(position.state, move) for move in position.legal_moves}
    going_on = [move for move in after if game.allowed(after[move])]
    if not going_on:
        return "loses at once"
    shown = []
    for move in going_on[:FEW]:
        answer = search.answer(after[move])
        assert answer, "a lost position has no move without an answer"
        shown.append(f"{game.format(move)} with {game.format(answer[0])}")
    more = " and so on" if len(going_on) > FEW else ""
    has = "has an answer" if len(going_on) == len(after) else "loses at once or has an answer"
    return f"{has} ({', '.join(shown)}{more})"


def _close(search: Search, state: State, lost: dict[State, None]) -> None:
    """Add a lost state to the list, behind all those that its answers lead to."""
    trail = [(state, _needed(search, state, lost))]
    while trail:
        here, needed = trail[-1]
        if here in lost:
            trail.pop()
        elif (child := next(needed, None)) is None:
            lost[here] = None
            trail.pop()
        else:
            trail.append((child, _needed(search, child, lost)))


def _needed(search: Search, state: State, lost: dict[State, None]) -> Iterator[State]:
    """The lost states that answer the moves from a lost one, preferably those already there."""
    game = search.game
    for move in game.allowed(state):
        answers = [after for _, after in search.answers(game.after(state, move))]
        if answers:
            yield next((after for after in answers if after in lost), answers[0])
