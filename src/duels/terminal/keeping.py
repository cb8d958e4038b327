"""A match is kept on disk while it is played, and its record is written."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from duels.core.errors import MatchError, RecordError
from duels.core.files import replace_file
from duels.match.match import Match
from duels.match.records import earlier_records, write_record
from duels.match.saved_games import SavedGames
from duels.terminal.talk import Talk
from duels.terminal.words import command_for


class Keeper:
    """Saves one match after every move. Where that fails it is said, once, and play goes on."""

    def __init__(self, store: SavedGames, talk: Talk, record_file: Path | None = None) -> None:
        self.store = store
        self.talk = talk
        self.record_file = record_file
        self._kept = 0  # how many moves are safely on disk
        self._recorded = False  # whether the record file is ours
        self._earlier: list[Match] = []  # of the same duel, in the record file
        self._troubles: dict[str, str] = {}

    def load(self, match_id: str) -> Match:
        """A saved match that can be gone on with, or the one that follows it in its duel."""
        match, self.record_file = self.store.load_current(match_id)
        self._kept = len(match.moves)
        if match.outcome:
            again = command_for(match.game, "replay", match.id)
            raise MatchError(f"That game is over. See it again with: {again}")
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
                self._write_records(self.record_file, [*self._earlier, match])
                self._recorded = True
            except OSError as error:
                self._warn(f"The record {self.record_file} is not being written", error)

    def how_to_come_back(self, match: Match) -> str:
        """What to say to players who leave."""
        if not match.moves:
            with suppress(MatchError, RecordError):
                self.store.load(match.duel_id)
                again = command_for(match.game, "resume", match.duel_id)
                return f"The duel is kept. Go on with: {again}"
            return "No move was made, so there is nothing to keep."
        if not self._kept:
            return "This game could not be saved, so it cannot be resumed."
        kept = "The game is kept."
        if any(what.startswith("This game") for what in self._troubles):
            kept = f"Only its first {self._kept} moves could be kept."
        return f"{kept} Go on with: {command_for(match.game, 'resume', match.id)}"

    def give_up(self, match: Match) -> str:
        """What to say where the input has ended, and nobody is there to come back."""
        if not self._kept or match.id != match.duel_id or self.record_file:
            return self.how_to_come_back(match)
        self._drop(match)
        return "The input ended, so this game is not kept; quit keeps it."

    def _leave_a_foreign_record(self, match: Match) -> None:
        """Another game may have written its record there."""
        earlier = earlier_records(self.record_file, match) if self.record_file else []
        self._earlier = earlier or []
        if earlier is None:
            self.talk.note(
                f"Warning: {self.record_file} holds something else now; "
                "this game goes on without it."
            )
            self.record_file = None

    def _drop(self, match: Match) -> None:
        """There is nothing to lose yet, or again: what was kept of the first move goes."""
        with suppress(OSError):
            if self._recorded and self.record_file:
                self._write_records(self.record_file, self._earlier)
            if self._kept:
                self.store.drop(match.id)
        self._kept, self._recorded = 0, False

    def _write_records(self, path: Path, matches: list[Match]) -> None:
        if matches:
            replace_file(path, "".join(write_record(match, path) for match in matches))
        else:
            path.unlink(missing_ok=True)

    def _warn(self, what: str, error: OSError) -> None:
        reason = error.strerror or str(error)
        if self._troubles.get(what) != reason:
            self._troubles[what] = reason
            self.talk.note(f"Warning: {what}: {reason}. You can play on.")
