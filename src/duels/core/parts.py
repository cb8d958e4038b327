"""Where the parts of a game live that one layer or another does better than its plain way.

A part is named by a dotted path, "package.module:name", and imported by the layer that needs it
when it needs it: a game costs nothing that nobody asks for, and imports only point down.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple


class Parts(NamedTuple):
    """The parts of a game; the defaults are the plain ways, which suit every game."""

    theory: str = "duels.theory.search:SEARCH"
    """A `duels.theory.theory.Theory`."""
    checker: str = "duels.theory.check.answers:check_answers"
    """Works out from the proof of a position which moves win; shares nothing with the theory."""
    dialogue: str = "duels.dialogue:Dialogue"
    """A class of `duels.dialogue.Dialogue`: what is said at the terminal and on the pages."""
    board: str = "duels.terminal.board:draw_plain"
    """Draws a position at the terminal."""
    picture: str = "duels.pictures.plain:plain_svg"
    """Draws a verdict as SVG."""
    page: str = "duels.hosting.boards:tiles"
    """What the pages' board shows of a position."""
    space: str = "duels.envs.states:StateSpace"
    """A `duels.envs.spaces.Space`: actions, observations, lengths and batches."""
    atlas: str = "duels.atlas.rows:plain_rows"
    """The rows of the atlas for some sizes."""


@cache
def load(path: str) -> Any:
    """What a dotted path names."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
