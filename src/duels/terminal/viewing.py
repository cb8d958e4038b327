"""Finished games in the menu, one's own or somebody's: seen again, reviewed, played on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duels.core.errors import DuelsError
from duels.match import Match
from duels.terminal.asking import Back
from duels.terminal.consent import ask_consent
from duels.terminal.records import ask_matches, step_through
from duels.terminal.ways import Step, Way

if TYPE_CHECKING:
    from duels.terminal.menu import Menu


def view(menu: Menu) -> Step | None:
    """Ask for a game or several, and show them."""
    try:
        matches = ask_matches(menu.talk, menu.store)
    except Back:
        return None
    except DuelsError as error:
        menu.talk.tell(str(error))
        return None
    return lambda: _show(menu, matches)


def _show(menu: Menu, matches: list[Match]) -> Step | None:
    """One after another, until somebody plays on from one of them; then what next."""
    for match in matches:
        ply = step_through(match, menu.talk, is_last=match is matches[-1])
        if ply is not None:
            return _play_on(menu, match, ply + 1)

    def ask_next() -> Step | None:
        again = Way("", "again", "see it again", lambda: _show(menu, matches))
        return menu.after(again, Way("r", "review", "review every move", show_review))

    def show_review() -> Step | None:
        menu.review(matches[-1])
        return ask_next

    return ask_next


def _play_on(menu: Menu, match: Match, number: int) -> Step | None:
    """A match again from before that move, if what it would start may be started."""
    try:
        ask_consent(menu.talk, match)
    except DuelsError as error:
        menu.talk.tell(str(error))
        return None
    return menu.playing(match.again_from(number))
