"""Drives the app in a test: keys, the mouse, and waiting for what the screen shows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import RichLog, Static

import duels
from duels.match.match import Match, Seat, new_match
from duels.match.saved_games import SavedGames
from duels.terminal.app import DuelsApp, widgets
from duels.terminal.app.board import BoardView
from duels.terminal.app.game import GameScreen
from duels.terminal.app.widgets import KeyBar

DEADLINE = 90.0
"""Seconds after which a test gives up waiting."""
SIZES = [(80, 24), (120, 40), (40, 20), (30, 10)]


def chain_match(*moves: int):
    """A match of Number Chain Duel on the rule book's board."""
    match = new_match(duels.game("number-chain-duel"), (Seat("Ann"), Seat("casual", "casual")))
    for move in moves:
        match = match.play(move)
    return match


class Driver:
    """An app under test."""

    def __init__(self, app: DuelsApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Type a text and press Enter."""
        names = {" ": "space", "-": "minus", ",": "comma"}
        await self.press(*(names.get(char, char) for char in text), "enter")

    async def until(self, is_true: Callable[[], Any], what: str = "") -> None:
        """Wait for something to become true."""
        end = asyncio.get_running_loop().time() + DEADLINE
        while not is_true():
            if asyncio.get_running_loop().time() > end:
                raise AssertionError(f"{what or is_true}:\n{self.text()}")
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    @property
    def screen(self) -> Any:
        return self.app.screen

    @property
    def board(self) -> BoardView:
        return self.screen.query_one(BoardView)

    @property
    def game(self) -> GameScreen:
        assert isinstance(self.screen, GameScreen), self.screen
        return self.screen

    @property
    def match(self) -> Match:
        return self.game.match

    async def your_turn(self) -> None:
        """Wait until a person is to move, or the game is over."""

        def is_yours() -> bool:
            match = self.match
            return bool(match.outcome) or not match.computer(match.position.to_move)

        await self.until(is_yours, "your turn")

    async def click(self, *cells: int) -> None:
        """Click on a cell; with two cells, drag from one to the other."""
        view = self.board
        view.render_line(0)
        places = [view._arranged.tiles[cell] for cell in cells]
        where = [
            (tile.x + view._left + tile.width // 2, tile.y + view._top + tile.height // 2)
            for tile in places
        ]
        await self.pilot.mouse_down(view, offset=where[0])
        await self.pilot.mouse_up(view, offset=where[-1])
        await self.pilot.pause()

    def words(self, name: str) -> str:
        """The text of a part of the screen."""
        return str(self.screen.query_one(f"#{name}", Static).render())

    @property
    def keys(self) -> str:
        return str(self.screen.query_one(KeyBar).render())

    @property
    def log(self) -> list[str]:
        """The lines of the transcript, as long as they are not wrapped."""
        return [strip.text.rstrip() for strip in self.screen.query_one("#log", RichLog).lines]

    def lines(self) -> list[str]:
        """The whole screen in lines."""
        update = self.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in update]

    def text(self) -> str:
        return "\n".join(self.lines())


def drive(
    folder: Path, test: Callable[[Driver], Awaitable[None]], size: tuple[int, int] = (80, 24)
) -> None:
    """Run a test in the app, whose state is in that folder."""

    async def run() -> None:
        widgets.SETTLING = 0.0  # the test waits for the end itself
        app = DuelsApp(SavedGames(folder / "matches"))
        async with app.run_test(size=size, notifications=True) as pilot:
            await pilot.pause()
            await test(Driver(app, pilot))

    asyncio.run(run())
