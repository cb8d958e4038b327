"""Saving a match while it is played, and writing its record."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from duels.core.errors import MatchError, RecordError
from duels.core.files import replace_file
from duels.match.match import Match
from duels.match.records import earlier_records, write_record
from duels.match.saved_games import SavedGames
from duels.terminal.words import command_for


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
        """Save the match and its record; a match without moves is not kept."""
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
