"""Stepping through a match with the arrow keys: the board, who was winning, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace

from duels.coach.review import GAVE, Review, ReviewedMove
from duels.core.look import LOSING, MARKS
from duels.match.dialogue import dialogue_of
from duels.match.match import Match
from duels.terminal.board import draw, legend
from duels.terminal.keys import HAS_KEYS, OPEN, read_keys, screen
from duels.terminal.stops import drawn_again_after_stop
from duels.terminal.talk import Talk, has_cursor
from duels.terminal.words import game_in_words

HELP = ("← → step   Home End   t turning point   p {}   q {}", "← → step  t turn  p {}  q {}")
PLAY = (("play on from here", "try this move again"), ("play on", "try again"))
"""In a wide window, and in a narrow one."""
FAR = 10
"""Moves that a page is."""
STRIP = "Winning: "


def can_step(talk: Talk) -> bool:
    """Whether there are keys to read, and a screen."""
    return talk.interactive and HAS_KEYS and has_cursor()


@dataclass
class Stepper:
    """One match on the whole screen. `ply` is how many of its moves have been made there."""

    match: Match
    talk: Talk
    review: Review | None
    ply: int = 0
    is_last: bool = True
    """Whether no other match is shown after it."""

    def __post_init__(self) -> None:
        self.turns = self.review.turning_points if self.review else ()
        self._last = len(self.match.moves)
        self._said = ""
        self._size = self.talk.size

    def run(self) -> int | None:
        """Until somebody leaves: None, or after how many moves they want to play on."""
        with screen(), drawn_again_after_stop(self._draw_anew):
            while True:
                self._draw()
                for key in self._keys():
                    if key in ("q", "\x04"):
                        return None
                    is_over = self.ply == self._last and self.match.position.outcome
                    if key == "p" and (self._is_mistake or not is_over):
                        return self.ply - self._is_mistake
                    self._step(key)

    @property
    def _is_mistake(self) -> bool:
        """Whether a person has just given the win away, and may want that move again."""
        player = 2 - self.ply % 2
        both = self.match.computer(1) and self.match.computer(2)
        return self.ply in self.turns and bool(both or not self.match.computer(player))

    def _keys(self) -> list[str]:
        """The next keys; none when the window has another size than what is drawn."""
        while True:
            if (pressed := read_keys(0.3)) or self.talk.size != self._size:
                return pressed

    def _step(self, key: str) -> None:
        by = {"left": -1, "right": 1, " ": 1, "\n": 1, "page up": -FAR, "page down": FAR}
        by |= {"home": -self._last, "end": self._last}
        self._said = ""
        if key == "p":
            self._said = "The game is over here. ReviewedMove back to play on."
        elif key == "t" and self.turns:  # the next one, and after the last one the first
            self.ply = next((turn for turn in self.turns if turn > self.ply), self.turns[0])
        elif key == "t":
            self._said = "Nobody gave a win away." if self.review else "There is no review."
        self.ply = max(0, min(self.ply + by.get(key, 0), self._last))

    def _draw_anew(self) -> None:
        print(OPEN, end="")
        self._draw()

    def _draw(self) -> None:
        """The whole screen, each line in its place, so that nothing flickers or moves."""
        columns, rows = self._size = self.talk.size
        style, wrapped = self.talk.style, self.talk.wrapped
        here = match_after(self.match, self.ply)
        above = [self._title(columns), *wrapped(self._what_happened(here))]
        above += [""] * (3 - len(above))  # so that the board stays where it is
        strip, why = self._strip(columns), wrapped(self._said or self._why())
        room = rows - len(above) - len(strip) - 1
        board = draw(here.position, style, columns, max(room - min(len(why), 3), 3))
        below = why if any(why) else [style.faint(legend(board, set())[: columns - 1])]
        lines = [*above, *board, *strip, *_cut(below, room - len(board))]
        lines += [""] * (rows - 1 - len(lines))
        lines = [*lines[: rows - 1], style.faint(self._help(columns))]
        print("\x1b[H" + "\x1b[K\n".join(lines), end="\x1b[K", flush=True)

    def _help(self, columns: int) -> str:
        for line, play in zip(HELP, PLAY, strict=True):
            leave = "leave" if self.is_last else "next game"
            words = line.format(play[self._is_mistake], leave)
            if len(words) < columns:
                break
        return words[: columns - 1]

    def _title(self, columns: int) -> str:
        one, two = self.match.seats
        title = f"{game_in_words(self.match.game)}: {one.label} against {two.label}"
        return self.talk.style.faint(title if len(title) < columns else f"{title[: columns - 2]}…")

    def _what_happened(self, here: Match) -> str:
        step = self._reviewed
        label = f" ({step.label})" if step else ""
        said = dialogue_of(here.game).in_one_line(here) if self.ply else f"{here.mover} begins."
        player = 2 - self.ply % 2 if self.ply else 1
        mark = self.talk.style.player(MARKS[player], player)
        return f"Move {self.ply} of {self._last}{label}: {mark} {said}"

    @property
    def _reviewed(self) -> ReviewedMove | None:
        return self.review.steps[self.ply - 1] if self.review and self.ply else None

    def _why(self) -> str:
        """What was wrong with the move, if something was; and at the end how it ended."""
        step, said = self._reviewed, ""
        if step and step.better is not None:
            better = self.match.game.format(step.better)
            was = f"{better} would have won." if step.kind == GAVE else f"Better: {better}."
            said = f"{was} {step.why} "
        return said + self._how_it_ended() if self.ply == self._last else said.rstrip()

    def _how_it_ended(self) -> str:
        outcome = self.match.outcome
        if not outcome:
            return "The match was not finished."
        return f"{self.match.name(outcome.winner)} won: {self.match.termination_words}."

    def _strip(self, columns: int) -> list[str]:
        """Who was winning after each move, and above that where it turned."""
        if not self.review:
            return [""]
        style = self.talk.style
        winners = [self.review.winner_at_start, *(step.winner_after for step in self.review.steps)]
        room = max(columns - len(STRIP) - 1, 10)
        first = max(0, min(self.ply - room // 2, len(winners) - room))
        shown = range(first, min(first + room, len(winners)))
        turned = "".join(LOSING if ply in self.turns else " " for ply in shown)
        marks = [style.player(MARKS[winners[ply]], winners[ply]) for ply in shown]
        here = " " * (self.ply - first) + "^"
        return [
            f"{'':{len(STRIP)}}{turned}".rstrip(),
            STRIP + "".join(marks),
            f"{'':{len(STRIP)}}{here}",
        ]


def match_after(match: Match, ply: int) -> Match:
    """A match as it was after so many of its moves."""
    if ply == len(match.moves):
        return match
    position = match.game.position(*match.moves[:ply])
    return replace(match, position=position, seconds=(), ended=None, time_limit=None)


def _cut(lines: list[str], most: int) -> list[str]:
    """As many lines as there is room for."""
    return lines if len(lines) <= most else [*lines[: max(most - 1, 0)], "…"][:most]
