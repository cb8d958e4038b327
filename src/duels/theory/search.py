"""Solve any game by search: a state is lost if every move from it leads to a state that is won.

All states of one game share a cache. The proof is a list of lost states, in which every move from a
state has a reply that leads to an earlier state of the list; so play moves up the list, and ends
with the winner's move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duels.core.errors import RulesError, TooLarge
from duels.core.game import Move, Position
from duels.core.states import Rules, State, rules_of
from duels.theory.reasons import Instruction, moves_in_words
from duels.theory.theory import Progress, Theory
from duels.theory.verdict import Proof, Verdict

MOST_POSITIONS = 500_000
"""The most positions that are visited before the search gives up, after some seconds."""
MOST_MEMORY = 2**30
"""About how many bytes they may take."""
MOST_ANSWERS = 3
"""The most replies in a sentence."""


class Search:
    """A search for the states of a game that the player to move wins."""

    def __init__(self, rules: Rules, most: int | None = None) -> None:
        self.rules = rules
        self.most = most or MOST_POSITIONS
        self._known: dict[State, bool] = {}
        self._memory = 0

    def wins(self, state: State, progress: Progress | None = None) -> bool:
        """Say whether the player to move wins; TooLarge if that would take too long."""
        known = self._known
        if state in known:
            return known[state]
        if len(known) > self.most or self._memory > MOST_MEMORY:
            known.clear()
            self._memory = 0
        trail, on_trail = [(state, self._children(state))], {state}
        while trail:
            here, children = trail[-1]
            for child in children:
                if child not in known:
                    if child in on_trail:
                        again = self.rules.words(child)
                        raise RulesError(
                            f"{self.rules.game.title} may never end: play can return to {again}."
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
        """Return the first move from a state that leaves a lost state, with that state."""
        return next(self.answers(state), None)

    def answers(self, state: State) -> Iterator[tuple[Move, State]]:
        """Return every move from a state that leaves a lost state."""
        for move in self.rules.allowed(state):
            after = self.rules.after(state, move)
            if not self.wins(after):
                yield move, after

    def _children(self, state: State) -> Iterator[State]:
        moves = self.rules.allowed(state)
        self._memory += self.rules.memory(state, moves)
        return (self.rules.after(state, move) for move in moves)

    def _settle(self, trail: list[tuple[State, Any]], on_trail: set[State], wins: bool) -> None:
        """Record the last state on the trail; a lost state makes the one before it won."""
        state, _ = trail.pop()
        on_trail.discard(state)
        self._known[state] = wins
        if not wins and trail:
            self._settle(trail, on_trail, True)

    def _won_at_end(self, state: State) -> bool:
        """Say whether a state without a move to a lost state is won, because the game is over."""
        return not self.rules.allowed(state) and not self.rules.last_mover_wins(state)

    def _look_up(self, count: int, progress: Progress | None) -> None:
        if count > self.most:
            raise TooLarge(
                f"There are more than {self.most:,} positions from here: too many to search. "
                "Try a smaller board, or more moves."
            )
        if self._memory > MOST_MEMORY:
            raise TooLarge("This board takes too much memory to search. Try a smaller one.")
        if progress and count % 4096 == 0:
            progress(count / self.most)


class SearchTheory(Theory[Position]):
    """The theory of every game that has none of its own."""

    def winning_moves(
        self, position: Position, progress: Progress | None = None
    ) -> tuple[Move, ...]:
        search = _search(position)
        rules, state = search.rules, search.rules.state_of(position)
        return tuple(
            move
            for move in position.legal_moves
            if not search.wins(rules.after(state, move), progress)
        )

    def prove(self, position: Position, winning: tuple[Move, ...]) -> Proof:
        search = _search(position)
        rules, here = search.rules, search.rules.state_of(position)
        lost: dict[State, None] = {}
        for move in position.legal_moves:
            state = rules.after(here, move)
            answer = None if move in winning else search.answer(state)
            if move in winning or answer:
                _close(search, answer[1] if answer else state, lost)
        return {"kind": "answers", "lost": [rules.data(state) for state in lost]}

    def why_won(self, verdict: Verdict[Position]) -> Instruction:
        move = self.best_move(verdict)
        after = verdict.position.play(move)
        answers = f"Whatever they do, you have an answer: {_answered(after)}."
        return Instruction(move, f"That leaves {after.words}. {answers}")

    def why_lost(self, verdict: Verdict[Position]) -> str:
        position, answered = verdict.position, _answered(verdict.position, "they ")
        if position.legal_count == 1:
            do = f"You can only {position.game.verb.do} {moves_in_words(position)}."
            return f"{do} They have an answer: {answered}." if answered else do
        if not answered:
            return "Every move loses at once."
        return f"Whatever you do, they have an answer: {answered}."

    def explanation(self, verdict: Verdict[Position]) -> list[str]:
        """Return the positions to leave, each of them once."""
        position = verdict.position
        if self.moves_left(position) or (verdict.wins and self.wins_at_once(position)):
            return []
        assert verdict.proof
        rules = _search(position).rules
        lost = sorted(verdict.proof["lost"], key=_in_order)
        if not lost:
            return ["Every move loses at once."]
        who = "Always leave" if verdict.wins else "Your opponent can always leave"
        words = dict.fromkeys(rules.words(rules.read(data)) for data in lost)
        return [f"{who} one of these:", "; ".join(words)]

    def is_slow(self, position: Position) -> bool:
        return position.game.size > 1000


SEARCH = SearchTheory()


def _search(position: Position) -> Search:
    """Return the search that all positions of one class share in a game."""
    name = f"search of {type(position).__qualname__}"
    found = position.game.memory.get(name)
    if found is None:
        found = position.game.memory[name] = Search(rules_of(position))
    search: Search = found
    return search


def _in_order(data: Any) -> tuple[int, Any]:
    """Return a sort key for states: integers, then strings, then tuples."""
    if isinstance(data, list | tuple):
        return 2, tuple(map(_in_order, data))
    return int(isinstance(data, str)), data


def _answered(position: Position, who: str = "") -> str:
    """Return the first moves of a lost position, each with the reply to it."""
    game, search = position.game, _search(position)
    shown, state = [], search.rules.state_of(position)
    for move in position.legal_moves:
        if answer := search.answer(search.rules.after(state, move)):
            do = f"{who}{game.verb.do} {game.in_words(answer[0])}"
            shown.append(f"after {game.in_words(move)} {do}")
    more = ", and so on" if len(shown) > MOST_ANSWERS else ""
    return ", ".join(shown[:MOST_ANSWERS]) + more


def _close(search: Search, state: State, lost: dict[State, None]) -> None:
    """Add a lost state to the list, after all states that the replies lead to."""
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
    """Return the lost states that answer the moves from a lost one, preferring listed ones."""
    for move in search.rules.allowed(state):
        answers = [after for _, after in search.answers(search.rules.after(state, move))]
        if answers:
            yield next((after for after in answers if after in lost), answers[0])
