"""A match: a game between two named players, with a clock and a referee.

A match is frozen like a position. Every change gives a new match, so that whoever holds one (a
terminal, a record, a server) can save it, step back, or play on from it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from duels.core.errors import IllegalMove, MatchError
from duels.core.game import Game, Move, Outcome, Position, other
from duels.core.words import printable, quoted

DEFAULT_NAMES = ("Player 1", "Player 2")
LONGEST_NAME = 40
LONGEST_COMMAND = 400
PROGRAMS = ("ugi:", "llm:")
"""How the name of a player that is a program begins; see players/specs.py."""
UNFINISHED = "unfinished"
TERMINATIONS = {
    "no-moves": "no moves were left",
    "divisible": "a divisible number",
    "digits-used": "all digits were used",
    "resigned": "the other player resigned",
    "time": "the other player ran out of time",
    "forfeit": "the other player gave no legal move",
}
"""Why a match is over, in words."""


@dataclass(frozen=True)
class Match:
    """Who plays what, every move with the seconds it took, and how it ended.

    A player whose name is that of a level is the computer.
    """

    id: str
    date: str
    players: tuple[str, str]
    position: Position
    seconds: tuple[float, ...] = ()
    time_limit: float | None = None
    seed: int = 0
    ended: Outcome | None = None

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.position.moves

    @property
    def outcome(self) -> Outcome | None:
        """By the rules, or because somebody resigned or ran out of time."""
        return self.ended or self.position.outcome

    @property
    def termination(self) -> str:
        """Why the match is over, or "unfinished"."""
        return self.outcome.reason if self.outcome else UNFINISHED

    def name(self, player: int) -> str:
        """The name of player 1 (who began) or 2."""
        return self.players[player - 1]

    @property
    def mover(self) -> str:
        """The name of the player whose turn it is."""
        return self.name(self.position.to_move)

    @property
    def opponent(self) -> str:
        """The name of the player whose turn it is not."""
        return self.name(other(self.position.to_move))

    def play(self, move: Move, seconds: float = 0) -> Match:
        """The match after `move`; with more seconds than the limit it is lost on time instead."""
        if self.outcome:
            raise IllegalMove("The game is over.")
        if self.time_limit is not None and seconds > self.time_limit:
            return self.out_of_time()
        position = self.position.play(move)
        return replace(self, position=position, seconds=(*self.seconds, round(seconds, 1)))

    def undo(self, plies: int = 1) -> Match:
        """The match before its last moves. Resigning and running out of time stay as they are."""
        if self.ended:
            raise MatchError("The game is over; there is nothing to take back.")
        if not self.moves or plies < 1:
            raise MatchError("There is no move to take back.")
        if plies > len(self.moves):
            made = "1 move was" if len(self.moves) == 1 else f"{len(self.moves)} moves were"
            raise MatchError(f"Only {made} made, so no more can be taken back.")
        kept = len(self.moves) - plies
        position = self.game.start()
        for move in self.moves[:kept]:
            position = position.play(move)
        return replace(self, position=position, seconds=self.seconds[:kept])

    def running(self) -> Match:
        """The match as if nobody had resigned or run out of time."""
        return replace(self, ended=None)

    def resign(self) -> Match:
        """The player to move gives up."""
        return self._lost_by_mover("resigned")

    def out_of_time(self) -> Match:
        """The player to move has used up the time."""
        return self._lost_by_mover("time")

    def forfeit(self) -> Match:
        """The player to move, a program, has given no legal move."""
        return self._lost_by_mover("forfeit")

    def _lost_by_mover(self, reason: str) -> Match:
        if self.outcome:
            raise MatchError("The game is over.")
        return replace(self, ended=Outcome(other(self.position.to_move), reason))


def new_match(
    game: Game,
    players: tuple[str, str] = DEFAULT_NAMES,
    *,
    time_limit: float | str | None = None,
    seed: int | None = None,
) -> Match:
    """A match about to begin. The first of the players moves first.

    What is left to chance follows from the seed, so that the same moves meet the same answers.
    """
    one, two = read_names(players)
    return Match(
        id=secrets.token_hex(3),
        date=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        players=(one, two),
        position=game.start(),
        time_limit=read_time_limit(time_limit),
        seed=secrets.randbits(32) if seed is None else seed,
    )


def read_names(players: tuple[str, str]) -> tuple[str, str]:
    """Two names fit for a screen and a file."""
    one, two = (" ".join(printable(name).split())[: _room(name)].strip() for name in players)
    if not one or not two:
        raise MatchError("A player's name cannot be empty.")
    if one.casefold() == two.casefold():
        raise MatchError(f"The players need two different names, not {quoted(one)} twice.")
    return one, two


def read_time_limit(seconds: float | str | None) -> float | None:
    """The seconds allowed for one turn; None is no limit."""
    if seconds is None:
        return None
    try:
        limit = float(seconds)
    except (TypeError, ValueError, OverflowError):
        limit = 0.0
    if not 0.1 <= limit <= 86_400:
        raise MatchError(
            f"The time limit must be from 0.1 to 86,400 seconds a turn, not {quoted(seconds)}."
        )
    return limit


def _room(name: str) -> int:
    """The name of a program is its command line, and may be longer than a person's."""
    return LONGEST_COMMAND if name.startswith(PROGRAMS) else LONGEST_NAME
