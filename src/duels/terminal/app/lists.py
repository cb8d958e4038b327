"""Lists of matches: unfinished ones to resume, finished ones to review, mistakes to try again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from duels.match.match import Match
from duels.terminal.app.widgets import AppScreen, Ask, Confirm, Key, KeyBar, what_to_find
from duels.terminal.records import (
    consent_needed,
    find_matches,
    in_a_line,
    read_pasted,
    saved_games,
)
from duels.terminal.table import Table
from duels.terminal.talk import Talk
from duels.terminal.words import called, first_fitting, game_in_words

if TYPE_CHECKING:
    from duels.terminal.app import DuelsApp

NARROW = 56
"""Columns up to which a match may take two lines."""
MOST = 200
"""Matches in a list."""


def play_match(app: DuelsApp, match: Match, number: int, said: str = "") -> None:
    """Play a match again from before a move, if the player allows what it would start."""
    from duels.terminal.app.game import GameScreen

    def play(agrees: bool | None) -> None:
        if agrees:
            again = match.again_from(number)
            app.push_screen(GameScreen(Table(again, app.store, app.warn), said))

    consent = consent_needed(match)
    if consent:
        app.push_screen(Confirm(f"{consent.sentence} Is that all right?"), play)
    else:
        app.attempt(lambda: play(True))


class Item(NamedTuple):
    """One line of a list."""

    line: str
    do: Callable[[], None]
    """What Enter or a click does."""
    delete: Callable[[], None] | None = None


class ListScreen(AppScreen[None]):
    """A list of matches."""

    title_words = ""
    nothing = ""
    """The text of an empty list."""
    enter = ""
    """What Enter does, in a word or two."""

    def __init__(self) -> None:
        super().__init__()
        self.items: list[Item] = []

    def compose(self) -> ComposeResult:
        yield Static(self.title_words, classes="title", markup=False)
        yield Static(self.nothing, id="note", classes="note", markup=False)
        yield OptionList(id="list", markup=False)
        yield KeyBar()

    def find(self) -> list[Item]:
        """Return what is in the list."""
        raise NotImplementedError

    def in_a_line(self, match: Match) -> str:
        """Return a match in a line; in a narrow window it may take two."""
        room = max(self.size.width - 4, 20)
        return in_a_line(match, self.duels.store, room if room > NARROW else 2 * room)

    @property
    def chosen(self) -> Item | None:
        at = self.query_one(OptionList).highlighted
        return self.items[at] if at is not None and at < len(self.items) else None

    def keys(self) -> list[Key]:
        item, leave = self.chosen, Key("Esc", "back", self.dismiss, "q")
        enter = [Key("Enter", self.enter, item.do)] if item else []
        delete = [Key("d", "delete", item.delete, "delete")] if item and item.delete else []
        return [*enter, *delete, leave]

    def on_option_list_option_selected(self) -> None:
        if self.chosen:
            self.chosen.do()

    def on_screen_resume(self) -> None:
        self.load()

    def load(self) -> None:
        """Fill the list; the line that was chosen stays so."""
        self.items = self.find()
        options = self.query_one(OptionList)
        at = options.highlighted or 0
        options.clear_options()
        options.add_options([Option(item.line) for item in self.items])
        if self.items:
            options.highlighted = min(at, len(self.items) - 1)
        options.focus()
        self.query_one("#note").display = not self.items
        self.show_keys()


class UnfinishedScreen(ListScreen):
    """Unfinished games to resume or delete."""

    title_words = "Resume a game"
    nothing = "There is no unfinished game."
    enter = "resume"

    def find(self) -> list[Item]:
        saved = saved_games(self.duels.store)
        for error in (*saved.missing, *saved.damaged):
            self.duels.warn(str(error))
        return [
            Item(self.in_a_line(match), partial(self._resume, match), partial(self._forget, match))
            for match in saved.unfinished[:MOST]
        ]

    def _resume(self, match: Match) -> None:
        from duels.terminal.app.game import GameScreen

        app = self.duels

        def resume(agrees: bool | None) -> None:
            if agrees or not (consent and consent.starts_program):
                if not agrees:
                    table.saver.record_file = None
                app.switch_screen(GameScreen(table))

        table = Table(match, app.store, app.warn)
        if not app.attempt(table.reload):
            self.load()
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
                self.load()

        self.app.push_screen(Confirm("Delete this game for good?"), forget)


class FinishedScreen(ListScreen):
    """Finished games to review; a record can be pasted, or read from a file."""

    title_words = "Finished games"
    nothing = "There is no finished game here yet. Paste a record, or press o to open a file."
    enter = "review"

    def find(self) -> list[Item]:
        finished = saved_games(self.duels.store).finished[:MOST]
        return [Item(self.in_a_line(match), partial(self._review, [match])) for match in finished]

    def keys(self) -> list[Key]:
        *own, leave = super().keys()
        return [*own, Key("o", "open a file", self._open), leave]

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
    enter = "try again"

    def find(self) -> list[Item]:
        return [self._item(*mistake) for mistake in self.duels.mistakes]

    def _item(self, match: Match, number: int, time: datetime) -> Item:
        played = match.game.format(match.moves[number - 1])
        who = called(match, 2 - number % 2)
        mistake = f"move {number}: {who} played {played}, at {time:%H:%M}"
        long, short = game_in_words(match.game), match.game.title
        line = first_fitting(self.size.width - 4, f"{long}, {mistake}", f"{short}, {mistake}")
        said = what_to_find(match, number)
        return Item(line, partial(play_match, self.duels, match, number, said))
