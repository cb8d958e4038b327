"""The look of the games, defined once for the terminal, the pictures and the pages.

Two players, two marks, two colours, always together, so that nothing is said by colour alone.
"""

from __future__ import annotations

MARKS = {1: "●", 2: "▲"}
COLOURS = {1: "#0072B2", 2: "#D55E00"}
"""Okabe-Ito blue and orange-red, distinct for every kind of colour vision."""
COLOURS_ON_DARK = {1: "#56B4E9", 2: "#F0904D"}
TERMINAL_COLOURS = {1: 33, 2: 208}
"""The nearest of the 256 terminal colours that can be read on dark and on light grounds."""

WINNING = "★"
LOSING = "✕"
PLAYABLE = "›"
"""Before a number that may be played, where there is no room for brackets."""
IN_ASCII = {MARKS[1]: "o", MARKS[2]: "^", WINNING: "*", LOSING: "x", PLAYABLE: ">"}
IN_ASCII |= {"–": "-", "…": "...", "←": "<", "→": ">"}
GOOD, GOOD_ON_DARK = "#00694E", "#53CBA3"
BAD, BAD_ON_DARK = "#93354F", "#E59BB1"
GONE = "#8A8A8A"
TERMINAL_GONE = 245
