"""What a player does on the page of a match."""

from __future__ import annotations

from typing import Any

OVER = ".after:not([hidden])"
MY_TURN = "main.my-turn"
BANNER = ".banner:not([hidden])"
ANSWERED = """() => {
  const { value, selectionStart, selectionEnd } = document.querySelector("#typed-move");
  return selectionEnd - selectionStart === value.length;
}"""
"""The field is empty after a move, and a refused move is selected."""


def tap(page: Any, number: int | str) -> None:
    page.locator(f".board [data-number='{number}']").click()


def take(page: Any, move: str) -> None:
    """Play a move by taps; on the number line one number is tapped twice, or two are tapped."""
    one, _, two = move.partition("-")
    tap(page, int(one))
    if two:
        tap(page, int(two))
    elif page.locator(".choice [data-move]").count():
        tap(page, int(one))


def take_any(page: Any) -> None:
    """The first number that the board offers."""
    take(page, page.locator(".board .tile.legal").first.get_attribute("data-number"))


def wait_for_turn(page: Any) -> bool:
    """Wait until this page may move, or the game is over: False."""
    page.wait_for_selector(f"{MY_TURN}, {OVER}")
    return not page.locator(OVER).count()


def wait_for_ply(page: Any, ply: int) -> None:
    page.wait_for_function("ply => document.querySelectorAll('.moves li').length === ply", arg=ply)


def play_out(*pages: Any) -> int:
    """The pages move in turn until the game is over; how many moves that took is returned."""
    ply = 0
    while wait_for_turn(pages[ply % len(pages)]):
        take_any(pages[ply % len(pages)])
        ply += 1
        for page in pages:
            wait_for_ply(page, ply)
        assert ply < 50
    return ply


def status(page: Any) -> str:
    return str(page.locator(".status").first.inner_text())


def open_menu(page: Any) -> None:
    page.click(".bar >> text=Menu")
    page.wait_for_selector("#menu:popover-open")


def type_move(page: Any, move: str) -> None:
    """Type a move: the menu has the field, where the board does not ask for it."""
    if page.locator("#typed-move").is_hidden():
        open_menu(page)
    page.fill("#typed-move", move)
    page.keyboard.press("Enter")
    page.wait_for_function(ANSWERED)


def scrolls_sideways(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))
