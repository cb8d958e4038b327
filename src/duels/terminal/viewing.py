"""Finished games in the menu, one's own or somebody's: seen again, reviewed, played on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duels.match.match import Match
from duels.terminal.consent import ask_consent
from duels.terminal.records import ask_matches, step_through
from duels.terminal.ways import Step, Way

if TYPE_CHECKING:
    from duels.terminal.menu import Menu


def view(menu: Menu) -> Step | None:
    """Ask for a game or several, and show them."""
    matches = ask_matches(menu.talk, menu.store)
    return lambda: _show(menu, matches)


def _show(menu: Menu, matches: list[Match]) -> Step | None:
    """One after another, until somebody plays on from one of them; then what next.

    What a match would start is only started if somebody says that it may.
    """
    for match in matches:
        ply = step_through(match, menu.talk, is_last=match is matches[-1])
        if ply is not None:
            ask_consent(menu.talk, match)
            return menu.playing(match.again_from(ply + 1))

    def ask_next() -> Step | None:
        again = Way("", "again", "see it again", lambda: _show(menu, matches))
        return menu.after(again, Way("r", "review", "review every move", show_review))

    def show_review() -> Step | None:
        menu.review(matches[-1])
        return ask_next

    return ask_next
