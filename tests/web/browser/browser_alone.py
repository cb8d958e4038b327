"""What a player does at the site without a server."""

from __future__ import annotations

from typing import Any

from browser_playing import take_any, wait_for_turn
from browser_site import OURS
from browser_static import StaticSite

LINE = "number-line-duel"


def begin(
    page: Any, site: StaticSite, game: str = LINE, mode: str = "computer", **more: Any
) -> None:
    """Start a match as the form does."""
    page.goto(f"{site.address}/")
    page.wait_for_selector(".hero-picture .preview")
    body = {"game": game, "mode": mode, "options": OURS[game], **more}
    seats = "/duels/static/js/match/seats.js"
    # Not waited for: the page that could answer is gone when the match begins.
    page.evaluate(f"body => void import('{seats}').then(m => m.startMatch(body))", body)
    page.wait_for_url("**/m/?*")
    wait_for_turn(page)


def moves(page: Any) -> int:
    return int(page.locator(".moves li").count())


def move_and_wait(page: Any) -> bool:
    """A move of ours, and the computer's answer if there is one."""
    ply = moves(page)
    take_any(page)
    page.wait_for_function("ply => document.querySelectorAll('.moves li').length > ply", arg=ply)
    return wait_for_turn(page)


def play_to_the_end(page: Any) -> None:
    while wait_for_turn(page) and move_and_wait(page):
        assert moves(page) < 50
