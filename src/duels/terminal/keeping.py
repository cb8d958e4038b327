"""A match is kept on disk while it is played, and its record is written."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from duels.core.errors import MatchError
from duels.core.files import replace_file
from duels.match import Match
from duels.record import is_record_of, write_record
from duels.record.store import Store
from duels.terminal.talk import Talk
from duels.terminal.words import command_for


class Keeper:
    """Saves one match after every move. Where that fails it is said, once, and play goes on."""

    def __init__(self, store: Store, talk: Talk, record_file: Path | None = None) -> None:
        self.store = store
        self.talk = talk
        self.record_file = record_file
        self._kept = 0  # how many moves are safely on disk
        self._recorded = False  # whether the record file is ours
        self._troubles: dict[str, str] = {}

    def load(self, match_id: str) -> Match:
        """A saved match that can be gone on with."""
        match, self.record_file = self.store.load(match_id)
        self._kept = len(match.moves)
        if match.outcome:
            again = command_for(match.game, "replay", match.id)
            raise MatchError(f"That game is over. See it again with: {again}")
        self._leave_a_foreign_record(match)
        return match

    def save(self, match: Match) -> None:
        """Keep the match before anybody is asked again."""
        if not match.moves and not match.ended:
            self._drop(match)
            return
        what = f"This game is not being saved in {self.store.folder}"
        if not self._recorded:
            self._leave_a_foreign_record(match)
        try:
            self.store.save(match, self.record_file)
        except OSError as error:
            self._warn(what, error)
        else:
            self._kept = len(match.moves)
            self._troubles.pop(what, None)
        if self.record_file:
            try:
                replace_file(self.record_file, write_record(match, self.record_file))
                self._recorded = True
            except OSError as error:
                self._warn(f"The record {self.record_file} is not being written", error)

    def how_to_come_back(self, match: Match) -> str:
        """What to say to players who leave."""
        if not match.moves:
            return "No move was made, so there is nothing to keep."
        if not self._kept:
            return "This game could not be saved, so it cannot be resumed."
        kept = "The game is kept."
        if any(what.startswith("This game") for what in self._troubles):
            kept = f"Only its first {self._kept} moves could be kept."
        return f"{kept} Go on with: {command_for(match.game, 'resume', match.id)}"

    def _leave_a_foreign_record(self, match: Match) -> None:
        """Another game may have written its record there."""
        if self.record_file and not is_record_of(self.record_file, match):
            self.talk.note(
                f"Warning: {self.record_file} holds something else now; "
                "this game goes on without it."
            )
            self.record_file = None

    def _drop(self, match: Match) -> None:
        """There is nothing to lose yet, or again: what was kept of the first move goes."""
        with suppress(OSError):
            if self._recorded and self.record_file:
                self.record_file.unlink(missing_ok=True)
            if self._kept:
                self.store.drop(match.id)
        self._kept, self._recorded = 0, False

    def _warn(self, what: str, error: OSError) -> None:
        reason = error.strerror or str(error)
        if self._troubles.get(what) != reason:
            self._troubles[what] = reason
            self.talk.note(f"Warning: {what}: {reason}. You can play on.")
