"""Lists of matches: unfinished ones to resume, finished ones to review, mistakes to try again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from duels.match.match import Match
from duels.terminal.app.widgets import AppScreen, Ask, Confirm, Key, KeyBar
from duels.terminal.records import consent_needed, find_matches, in_a_line, read_pasted, saved_games
from duels.terminal.table import Table
from duels.terminal.talk import Talk

if TYPE_CHECKING:
    from duels.terminal.app import DuelsApp

NARROW = 56
"""Columns up to which a match may take two lines."""
MOST = 200
"""Matches in a list."""


def play_match(app: DuelsApp, match: Match, number: int) -> None:
    """Play a match again from before a move, if the player allows what it would start."""
    from duels.terminal.app.game import GameScreen

    def play(agrees: bool | None) -> None:
        if agrees:
            again = match.again_from(number)
            app.push_screen(GameScreen(Table(again, app.store, app.warn)))

    consent = consent_needed(match)
    if consent:
        app.push_screen(Confirm(f"{consent.sentence} Is that all right?"), play)
    else:
        app.attempt(lambda: play(True))


class ListScreen(AppScreen[None]):
    """A list of matches; `choose` is what Enter or a click does with one."""

    title_words = ""
    nothing = ""

    def __init__(self) -> None:
        super().__init__()
        self.matches: list[Match] = []

    def compose(self) -> ComposeResult:
        yield Static(self.title_words, classes="title", markup=False)
        yield Static(self.nothing, id="note", classes="note", markup=False)
        yield OptionList(id="list", markup=False)
        yield KeyBar()

    def on_screen_resume(self) -> None:
        self._load()

    def find(self) -> Sequence[Match]:
        """Return the matches of the list."""
        raise NotImplementedError

    def line(self, match: Match, _place: int) -> str:
        """Return a match in one line."""
        room = max(self.size.width - 4, 20)
        return in_a_line(match, self.duels.store, room if room > NARROW else 2 * room)

    def choose(self, match: Match) -> None:
        raise NotImplementedError

    def own_keys(self, match: Match) -> list[Key]:
        """Return what can be done with the chosen match besides leaving."""
        raise NotImplementedError

    def keys(self) -> list[Key]:
        own = self.own_keys(self.chosen) if self.chosen else []
        return [*own, Key("Esc", "back", self.dismiss, "q")]

    def on_option_list_option_selected(self) -> None:
        if self.chosen:
            self.choose(self.chosen)

    def _load(self) -> None:
        self.matches = [*self.find()][:MOST]
        options = self.query_one(OptionList)
        at = options.highlighted or 0
        options.clear_options()
        options.add_options(
            [Option(self.line(match, place)) for place, match in enumerate(self.matches)]
        )
        if self.matches:
            options.highlighted = min(at, len(self.matches) - 1)
        options.focus()
        self.query_one("#note").display = not self.matches
        self.show_keys()

    @property
    def chosen(self) -> Match | None:
        at = self.query_one(OptionList).highlighted
        return self.matches[at] if at is not None and at < len(self.matches) else None


class UnfinishedScreen(ListScreen):
    """Unfinished games to resume or delete."""

    title_words = "Resume a game"
    nothing = "There is no unfinished game."

    def find(self) -> Sequence[Match]:
        saved = saved_games(self.duels.store)
        for error in (*saved.missing, *saved.damaged):
            self.duels.warn(str(error))
        return saved.unfinished

    def own_keys(self, match: Match) -> list[Key]:
        delete = Key("d", "delete", partial(self._forget, match), "delete")
        return [Key("Enter", "resume", partial(self.choose, match)), delete]

    def choose(self, match: Match) -> None:
        from duels.terminal.app.game import GameScreen

        app = self.duels

        def resume(agrees: bool | None) -> None:
            if agrees or not (consent and consent.starts_program):
                if not agrees:
                    table.saver.record_file = None
                app.switch_screen(GameScreen(table))

        table = Table(match, app.store, app.warn)
        if not app.attempt(table.reload):
            self._load()
            return
        consent = consent_needed(table.match, table.saver.record_file)
        if consent:
            app.push_screen(Confirm(f"{consent.sentence} Is that all right?"), resume)
        else:
            resume(True)

    def _forget(self, match: Match) -> None:
        def forget(agrees: bool | None) -> None:
            if agrees:
                self.duels.attempt(lambda: self.duels.store.forget(match.duel_id))
                self._load()

        self.app.push_screen(Confirm("Delete this game for good?"), forget)


class FinishedScreen(ListScreen):
    """Finished games to review; a record can be pasted, or read from a file."""

    title_words = "Finished games"
    nothing = "There is no finished game here yet. Paste a record, or press o to open a file."

    def find(self) -> Sequence[Match]:
        return saved_games(self.duels.store).finished

    def own_keys(self, match: Match) -> list[Key]:
        return [Key("Enter", "review", partial(self.choose, match))]

    def keys(self) -> list[Key]:
        *own, leave = super().keys()
        return [*own, Key("o", "open a file", self._open), leave]

    def choose(self, match: Match) -> None:
        self._review([match])

    def _review(self, matches: Sequence[Match]) -> None:
        from duels.terminal.app.review import ReviewScreen

        for match in reversed(matches[:MOST]):
            self.app.push_screen(ReviewScreen(match))

    def _open(self) -> None:
        def opened(name: str | None) -> None:
            if name:
                talk = Talk()
                self.duels.attempt(lambda: self._review(find_matches(name, self.duels.store, talk)))

        self.app.push_screen(Ask("File of records, or the id of a game:"), opened)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.duels.attempt(lambda: self._review(read_pasted(event.text)))


class MistakesScreen(ListScreen):
    """The moves of this evening that gave a win away, to be tried again."""

    title_words = "Mistakes of this evening"
    nothing = "You have made no losing mistake since you opened the app."

    def find(self) -> Sequence[Match]:
        return [mistake.match for mistake in self.duels.mistakes]

    def line(self, match: Match, place: int) -> str:
        number = self.duels.mistakes[place].number
        played = match.game.format(match.moves[number - 1])
        return f"{match.game.title}, move {number}: you played {played}"

    def own_keys(self, match: Match) -> list[Key]:
        return [Key("Enter", "try again", partial(self.choose, match))]

    def choose(self, match: Match) -> None:
        number = self.duels.mistakes[self.query_one(OptionList).highlighted or 0].number
        play_match(self.duels, match, number)
