"""A game in the real program on a pseudo-terminal, as an SVG that scrolls as the screen did.

All lines stand in it once: one animation moves them up, another the cover of what is still to come,
and each typed word has its own. They run three times and end with the end of the game; who wants no
motion sees that end at once.
"""

from __future__ import annotations

import tempfile
from html import escape
from itertools import pairwise

from rich.style import Style
from rich.terminal_theme import MONOKAI
from rich.text import Text

import sessions

COMMAND = "play line --setup to-15 --vs skilled --players Ann skilled --seed 3"
TYPED = ["hint", "hint", "8", "6-7", "3", "14", "1", "11", "12"]
ROWS, COLUMNS = 19, 80
WIDE, HIGH, EDGE = 8.4, 19, 14
READ, TYPE, REST = 1.5, 0.5, 5.0
"""Seconds: to read before something is typed, to see it typed, at the end."""

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" \
aria-label="{label}">
<style>
text {{ font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; \
fill: #d9d9d9 }}
.b {{ font-weight: bold; fill: #fff }} .t {{ fill: #ffe08a }}
#all {{ animation: up {seconds}s 3 both }} #cover {{ animation: down {seconds}s 3 both }}
{steps}
@media (prefers-reduced-motion: reduce) {{ * {{ animation: none !important }} }}
</style>
<rect width="100%" height="100%" rx="8" fill="#1b1d1e"/>
<clipPath id="window"><rect y="{edge}" width="100%" height="{inner}"/></clipPath>
<g clip-path="url(#window)"><g id="all" transform="translate(0 {last})">
"""
TAIL = """
<rect id="cover" y="16" width="100%" height="2000" fill="#1b1d1e" transform="translate(0 {last})"/>
</g></g></svg>
"""


def moving_svg() -> str:
    """The picture."""
    parts = _parts()
    lines, counts, typed = [f"$ duels {COMMAND}", ""], [], []
    for word, part in zip(["", *TYPED], parts, strict=True):
        if word:  # the terminal's echo begins the part
            typed.append((len(lines) - 1, _width(lines[-1]), word))
            part = part.removeprefix(word)
        first, *more = part.replace("\r", "").split("\n")
        lines[-1] += first
        lines += more
        counts.append(len(lines))
    seconds = len(TYPED) * (READ + TYPE) + REST
    times = [number * (READ + TYPE) / seconds for number in range(len(counts))]
    steps = [_moves("up", times, [_up(count) for count in counts])]
    steps.append(_moves("down", times, [count * HIGH for count in counts]))
    words = []
    for number, (row, column, word) in enumerate(typed):
        shown = (number + 1) * (READ + TYPE) - TYPE
        steps.append(_frames(f"t{number}", [(0, "opacity: 0"), (shown / seconds, "opacity: 1")]))
        steps.append(f"#t{number} {{ animation: t{number} {seconds}s 3 both }}")
        words.append(f'<g id="t{number}">{_span(word, row, column, "t")}</g>')
    head = HEAD.format(
        width=round(COLUMNS * WIDE + 2 * EDGE),
        height=ROWS * HIGH + 2 * EDGE,
        inner=ROWS * HIGH + 4,
        edge=EDGE - 2,
        label="A game of Number Line Duel at the terminal, from the first hint to the win",
        last=_up(counts[-1]),
        seconds=seconds,
        steps="\n".join(steps),
    )
    drawn = [*(_line(line, row) for row, line in enumerate(lines)), *words]
    return head + "\n".join(line for line in drawn if line) + TAIL.format(last=counts[-1] * HIGH)


def _parts() -> list[str]:
    """What the program said at first and after each typed word, up to its next question."""
    with tempfile.TemporaryDirectory() as state:
        playing = sessions.play(COMMAND.split(), [*TYPED, "q"], state, colour=True)
        return [next(playing) for _ in range(len(TYPED) + 1)]


def _moves(name: str, times: list[float], places: list[int]) -> str:
    there = [f"transform: translate(0, {place}px)" for place in places]
    return _frames(name, [*zip(times, there, strict=True)])


def _up(count: int) -> int:
    """How far the lines are moved when so many of them are there."""
    return min(0, (ROWS - count) * HIGH)


def _frames(name: str, states: list[tuple[float, str]]) -> str:
    """Each state until the next one, without anything between."""
    frames = "".join(
        f"{share:.2%} {{ {state}; animation-timing-function: step-end }} "
        for share, state in states
    )
    return f"@keyframes {name} {{ {frames}100% {{ {states[-1][1]} }} }}"


def _width(line: str) -> int:
    return Text.from_ansi(line).cell_len


def _line(line: str, row: int) -> str:
    text, drawn, column = Text.from_ansi(line), "", 0
    text.rstrip()
    ends = sorted({0, len(text), *(end for span in text.spans for end in (span.start, span.end))})
    for start, end in pairwise(ends):
        piece = text.plain[start:end]
        styles = [span.style for span in text.spans if span.start <= start and end <= span.end]
        if piece.strip():
            gap = len(piece) - len(piece.lstrip())
            drawn += _span(piece.strip(), row, column + gap, *_look(styles))
        column += len(piece)
    return drawn


def _look(styles: list[str | Style]) -> tuple[str, str]:
    style = Style.combine([Style.null(), *(one for one in styles if isinstance(one, Style))])
    rules = []
    if style.color:
        rules.append(f"fill:{style.color.get_truecolor(MONOKAI).hex}")
    if style.underline or style.strike:
        rules.append(f"text-decoration:{'underline' if style.underline else 'line-through'}")
    return "b" if style.bold else "", ";".join(rules)


def _span(text: str, row: int, column: int, kind: str = "", rules: str = "") -> str:
    named = (f' class="{kind}"' if kind else "") + (f' style="{rules}"' if rules else "")
    x, y = round(EDGE + column * WIDE, 1), EDGE + (row + 1) * HIGH - 5
    return (
        f'<text x="{x:g}" y="{y}" textLength="{len(text) * WIDE:.1f}"{named}>{escape(text)}</text>'
    )
