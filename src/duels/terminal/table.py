"""One match at this terminal without input or output: referee, clock, computers, hints, saving.

The app and the transcript play through a `Table` and only show what is on it. A move is saved
before `play` returns, so a move that has been shown is never lost.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from duels.coach.hints import Hint, hints
from duels.core.errors import MatchError, RecordError
from duels.core.files import replace_file
from duels.core.game import Move, other
from duels.core.words import whole_number
from duels.match.match import Match
from duels.match.players import Player
from duels.match.players.levels import LEVELS, strength_of
from duels.match.players.specs import Forfeit, open_player
from duels.match.records import earlier_records, write_record
from duels.match.saved_games import SavedGames
from duels.match.strengths import Standing, Strengths
from duels.terminal.words import (
    addressed,
    called,
    command_for,
    first_fitting,
    game_in_words,
    opponents_in_words,
    who_begins,
)

EARLY = 3
"""The first so many results move the matched computer far."""


class Takeback(NamedTuple):
    """Moves that a player wants to take back."""

    earlier: Match
    """The match without them."""
    moves: str
    """The moves in words."""
    opponent: str
    """The name of the player who must agree; "" against a computer."""
    question: str


class Table:
    """A match that is being played, with everything that belongs to it.

    Use it as a context manager: it locks the match, and closes its computers at the end.
    """

    def __init__(
        self,
        match: Match,
        store: SavedGames,
        warn: Callable[[str], None],
        record_file: Path | None = None,
        *,
        show_moves: bool = True,
    ) -> None:
        self.match = match
        self.saver = Saver(store, warn, record_file)
        self.strengths = Strengths(store.folder.parent)
        self.show_moves = show_moves
        self._stages: list[Hint] = []
        self._shown = 0
        self._turn_began = monotonic()
        self._open = ExitStack()
        self._computers: dict[int, Player] = {}

    def lock(self) -> None:
        """Lock the match for this program; MatchError if another one plays it."""
        self._open.enter_context(self.saver.store.playing(self.match.duel_id))

    def close(self) -> None:
        """Release the match, and close its computers."""
        self._open.close()
        self._computers.clear()

    def __enter__(self) -> Table:
        self.lock()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reload(self) -> None:
        """Load the match again: another window may have played on before this one had the lock."""
        self.match = self.saver.load(self.match.duel_id)

    def begin(self) -> None:
        """Save what there is, and start the clock of the first turn."""
        self._change(self.match)

    # Moves

    def play(self, move: Move | str) -> None:
        """Play a move or its text; DuelsError if it cannot be played."""
        if isinstance(move, str):
            move = self.match.game.parse(move)
        self._change(self.match.play(move, monotonic() - self._turn_began))

    def choose(self) -> Move:
        """Return the move of the computer whose turn it is; Forfeit if it has none."""
        match = self.match
        return self._computer(match.position.to_move).choose(match.position)

    def forfeit(self, lost: Forfeit) -> None:
        """The computer whose turn it is has given no legal move, and loses."""
        self._change(self.match.forfeit(lost))

    @property
    def resign_question(self) -> str:
        """What to ask the player to move before the game is given up."""
        if any(seat.computer for seat in self.match.seats):
            return "Do you want to resign?"
        return f"{self.match.mover}, do you want to resign?"

    def resign(self) -> None:
        """The player to move gives up."""
        self._change(self.match.resign())

    def run_out_of_time(self) -> None:
        """The player to move has used up the time, and loses."""
        self._change(self.match.out_of_time())

    def takeback(self, count: str = "") -> Takeback:
        """Return what a takeback would change; MatchError if there is nothing to take back.

        Against a computer the player's own last move goes back too; the computer always agrees.
        """
        match = self.match
        against_computer = bool(match.computer(other(match.position.to_move)))
        plies = whole_number(count or ("2" if against_computer else "1"))
        if plies is None or plies < 1:
            raise MatchError("Say how many moves to take back, for example undo 2.")
        if against_computer and len(match.moves) - match.given == 1:
            raise MatchError("You have not moved yet, so there is nothing to take back.")
        earlier = match.undo(plies)
        if match.computer(earlier.position.to_move):
            raise MatchError(f"That would take back a move of the computer; try undo {plies + 1}.")
        moves = match.game.list_moves(match.moves[-plies:])
        opponent = "" if against_computer else earlier.opponent
        question = f"{opponent}, may {earlier.mover} take back {moves}?"
        return Takeback(earlier, moves, opponent, question)

    def take_back(self, takeback: Takeback) -> None:
        """Take the moves back."""
        self._change(takeback.earlier)

    # The clock

    @property
    def seconds_left(self) -> float | None:
        """The seconds that the player to move still has; None without a clock."""
        limit = self.match.time_limit
        return limit and limit - (monotonic() - self._turn_began)

    def add_time(self, seconds: float) -> None:
        """Give the player to move these seconds back."""
        self._turn_began += seconds

    # Help

    def hint(self) -> tuple[Hint, bool]:
        """Return the next hint for this turn, and whether there are more."""
        stages = self._stages = self._stages or hints(self.match.position)
        if self._shown < len(stages):
            self._shown += 1
            self.strengths.take_hint(self.match)
        return stages[self._shown - 1], self._shown < len(stages)

    # The end, and what follows

    def count_result(self) -> list[str]:
        """Save how strong the next matched opponent is; return the score, and that strength."""
        lines = [result_words(self.match)] if self.match.duel else []
        try:
            standing = self.strengths.count(self.match)
        except OSError as error:
            path = self.strengths.notebook.path
            self.saver.warn(f"Warning: {path} cannot be written: {error.strerror}.")
            return lines
        if standing and not self.match.next():
            lines.append(next_opponent(self.match, standing))
        return lines

    def followed_by(self, match: Match) -> Table:
        """Return a table for another match, with the same store and record file."""
        saver = self.saver
        return Table(match, saver.store, saver.warn, saver.record_file, show_moves=self.show_moves)

    def _change(self, match: Match) -> None:
        self.match = match
        self.saver.save(match)
        self._turn_began, self._stages, self._shown = monotonic(), [], 0

    def _computer(self, player: int) -> Player:
        """Return the computer of that seat, opened when it first moves."""
        if player not in self._computers:
            computer, limit = self.match.computer(player), self.match.time_limit
            opened = open_player(computer, self.match.seed, limit)
            self._computers[player] = self._open.enter_context(opened)
        return self._computers[player]


# Saving


class Saver:
    """Saves one match after every move. A failure is reported once, and play continues."""

    def __init__(
        self, store: SavedGames, warn: Callable[[str], None], record_file: Path | None = None
    ) -> None:
        self.store = store
        self.warn = warn
        self.record_file = record_file
        self._saved = 0  # how many moves are on disk
        self._cannot_save = ""  # why the last move is not
        self._cannot_record = ""
        self._recorded = False  # whether we have written the record file
        self._earlier: list[Match] = []  # of the same duel, in the record file

    def load(self, match_id: str) -> Match:
        """Return a saved match to resume, or the one that follows it in its duel."""
        match, self.record_file = self.store.load_current(match_id)
        self._saved = len(match.moves)
        if match.outcome:
            again = command_for(match.game, "replay", match.id)
            raise MatchError(f"That game is over. See it again with: {again}")
        return match

    def save(self, match: Match) -> None:
        """Save the match and its record; a match without moves is not saved."""
        if not match.moves and not match.ended:
            self._drop(match)
            return
        if not self._recorded:
            self._leave_a_foreign_record(match)
        try:
            self.store.save(match, self.record_file)
        except OSError as error:
            what = f"This game is not being saved in {self.store.folder}"
            self._cannot_save = self._warn(what, error, self._cannot_save)
        else:
            self._saved, self._cannot_save = len(match.moves), ""
        if self.record_file:
            try:
                self._write_records(self.record_file, [*self._earlier, match])
                self._recorded = True
            except OSError as error:
                what = f"The record {self.record_file} is not being written"
                self._cannot_record = self._warn(what, error, self._cannot_record)

    def has_saved(self, match: Match) -> bool:
        """Say whether all moves of the match are on disk."""
        return self._saved == len(match.moves) and not self._cannot_save

    def how_to_resume(self, match: Match) -> str:
        """Return what to tell players who leave."""
        if not match.moves:
            with suppress(MatchError, RecordError):
                self.store.load(match.duel_id)
                again = command_for(match.game, "resume", match.duel_id)
                return f"Duel saved. To continue: {again}"
            return "No move was made, so there is nothing to save."
        if not self._saved:
            return "This game could not be saved, so it cannot be resumed."
        saved = "Game saved."
        if self._cannot_save:
            saved = f"Only the first {self._saved} moves could be saved."
        return f"{saved} To continue: {command_for(match.game, 'resume', match.id)}"

    def _leave_a_foreign_record(self, match: Match) -> None:
        """Stop recording if another game has written to the record file."""
        earlier = earlier_records(self.record_file, match) if self.record_file else []
        self._earlier = earlier or []
        if earlier is None:
            self.warn(
                f"Warning: {self.record_file} contains something else now; "
                "this game continues without a record."
            )
            self.record_file = None

    def _drop(self, match: Match) -> None:
        """Remove what was saved of a match whose moves have all been taken back."""
        with suppress(OSError):
            if self._recorded and self.record_file:
                self._write_records(self.record_file, self._earlier)
            if self._saved:
                self.store.drop(match.id)
        self._saved, self._recorded = 0, False

    def _write_records(self, path: Path, matches: list[Match]) -> None:
        if matches:
            replace_file(path, "".join(write_record(match, path) for match in matches))
        else:
            path.unlink(missing_ok=True)

    def _warn(self, what: str, error: OSError, before: str) -> str:
        """Warn, unless it is the same trouble as before; return the reason."""
        reason = error.strerror or str(error)
        if reason != before:
            self.warn(f"Warning: {what}: {reason}. You can play on.")
        return reason


# How a duel of several games stands


def title_of(match: Match, room: int) -> str:
    """Return the game, and who plays or the score of a duel, in a line that fits if possible."""
    title = game_in_words(match.game)
    if not match.duel:
        who, kind = opponents_in_words(match), match.game.title
        return first_fitting(room, f"{title}: {who}", f"{kind}: {who}", title, kind)
    duel = f"{match.duel.number} of {match.duel.of} · {score(match)}"
    short = duel.replace("the computer", "them")
    return first_fitting(room, f"{title} · game {duel}", f"Game {duel}", f"Game {short}")


def duel_words(match: Match, strengths: Strengths) -> list[str]:
    """Return what to say before a match or a duel begins or continues."""
    lines = []
    if match.duel and match.duel.number == 1:
        lines.append(f"A duel of {match.duel.of} games. Game 1: {who_begins(match)}.")
    elif match.duel:
        lines.append(f"Game {match.duel.number} of {match.duel.of}. Score: {score(match)}.")
    if strengths.follows(match):
        strength = match.computer(1) or match.computer(2)
        lines.append(f"Your opponent is matched to you: strength {strength} of 100.")
    return lines


def next_opponent(match: Match, standing: Standing) -> str:
    """Return the strength that the matched computer has moved to, and why it moved so far."""
    before, now = strength_of(match.computer(1) or match.computer(2)), standing.strength
    words = "Your next opponent is matched to you: strength"
    if now == before:
        return f"{words} {now} again."
    level = next((level.words for level in LEVELS.values() if level.strength == now), "")
    says = f", which {level}," if level else ""
    early = " The first results count most, so it soon finds your level."
    return f"{words} {now}{says} instead of {before}.{early if standing.games <= EARLY else ''}"


def result_words(match: Match) -> str:
    """Return the score of a duel after a match, and what follows."""
    following = match.next()
    if following and following.duel:
        number, of = following.duel[:2]
        return f"Score: {score(match)}. Game {number} of {of}: {who_begins(following)}."
    one, two = match.score
    if one == two:
        return f"Score: {score(match)}. The duel is a draw."
    winner = addressed(match, with_level=False).name(1 if one > two else 2)
    return f"Score: {score(match)}. {winner} {'win' if winner == 'You' else 'wins'} the duel."


def score(match: Match) -> str:
    """Return the score of a duel; the player who moved first in its first game comes first."""
    parts = [f"{won} for {called(match, player)}" for player, won in enumerate(match.score, 1)]
    began_first = not match.duel or match.duel.number % 2
    return ", ".join(parts if began_first else parts[::-1])
