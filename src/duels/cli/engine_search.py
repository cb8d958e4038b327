"""One thought of the engine: in a thread, with info lines, and one bestmove at its end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread, Timer

from duels.core.errors import DuelsError, TooLarge
from duels.core.game import Move, Position
from duels.theory import theory_of, winning_moves

SURE = 10_000
"""The score of a sure win, in hundredths: verdicts are exact, so there is nothing between."""
USUAL_DEPTH = 3
"""Moves of the line that is shown, where nobody asks for more: it must not cost much."""

_saying = Lock()


def say(line: str) -> None:
    """Print a line at once; BrokenPipeError if nobody listens any more."""
    with _saying:
        try:
            print(line, flush=True)
        except BrokenPipeError:
            sys.stdout = None  # there is nothing left to flush
            raise


class Search(Thread):
    """Thinks about a position until it is done or stopped; says bestmove once."""

    def __init__(
        self,
        position: Position | None,
        choose: Callable[[Position], Move],
        *,
        is_infinite: bool,
        depth: int | None,
        milliseconds: int | None,
    ) -> None:
        super().__init__(daemon=True)
        self._position = None if position is None or position.outcome else position
        self._choose = choose
        self._is_infinite = is_infinite
        self._depth = sys.maxsize if is_infinite else depth or USUAL_DEPTH
        self._move: Move | None = None
        self._answering = Lock()
        self._answered = Event()
        self._timer: Timer | None = None
        if milliseconds and not is_infinite:
            self._timer = Timer(milliseconds / 1000, self.stop)
            self._timer.daemon = True

    def run(self) -> None:
        with suppress(BrokenPipeError):
            if self._timer:
                self._timer.start()
            if self._position:
                try:
                    self._think(self._position)
                except DuelsError as error:
                    self._tell(f"info string {error}")
            if not self._is_infinite:
                self.stop()

    def stop(self) -> None:
        """Say the best move that is known by now, if that was not said."""
        with self._answering:
            if self._answered.is_set():
                return
            if self._timer:
                self._timer.cancel()
            here, move = self._position, self._move
            if here and move is None:
                move = here.legal_moves[0]
            self._answered.set()
            say(f"bestmove {here.game.format(move) if here and move is not None else 'none'}")

    def finish(self) -> None:
        """Wait for the answer; a thought without an end is given up."""
        if not self._is_infinite:
            self._answered.wait()
        with self._answering:
            self._answered.set()

    def _tell(self, line: str) -> None:
        """Say something before the answer; nothing comes after it."""
        with self._answering:
            if not self._answered.is_set():
                say(line)

    def _think(self, position: Position) -> None:
        """The move, then what follows it with best play, a move deeper each time."""
        self._move = self._choose(position)
        try:
            score = SURE if self._move in winning_moves(position) else -SURE
        except TooLarge as error:
            self._tell(f"info string {error}")
            return
        line, here = [self._move], position.play(self._move)
        while not self._answered.is_set():
            written = " ".join(map(position.game.format, line))
            self._tell(f"info depth {len(line)} score cp {score} pv {written}")
            if here.outcome or len(line) >= self._depth:
                return
            line.append(_best(here))
            here = here.play(line[-1])


def _best(position: Position) -> Move:
    """A winning move, or what is hardest to answer."""
    winning = winning_moves(position)
    return winning[0] if winning else theory_of(position).hardest(position).move
