"""The review screen: step through a match, see who was winning, and why."""

from __future__ import annotations

from functools import partial

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.widgets import Static

from duels.coach.review import GAVE, Review, ReviewedMove, review
from duels.coach.summary import better_in_words, turning_lines
from duels.core.board import Drawing, drawn
from duels.core.look import LOSING, MARKS
from duels.match.dialogue import dialogue_of
from duels.match.match import Match
from duels.terminal.app.board import BoardView
from duels.terminal.app.canvas import palette
from duels.terminal.app.widgets import (
    AppScreen,
    Key,
    KeyBar,
    Note,
    board_of,
    marked_as,
    what_to_find,
)
from duels.terminal.words import addressed, first_fitting, game_in_words, opponents_in_words

PAGE = 10
"""How many moves Page Up and Page Down step."""
SIDE = 34
"""Columns of the list of moves."""


class ReviewScreen(AppScreen[None]):
    """One finished match. `ply` is how many of its moves have been made on the board."""

    def __init__(self, match: Match, found: Review | None = None) -> None:
        super().__init__()
        self.match = match
        self.named = addressed(match)
        self.found = found
        self.trouble = ""
        self.ply = 0

    def compose(self) -> ComposeResult:
        yield Static(id="title", classes="title", markup=False)
        yield Static(id="status", classes="status", markup=False)
        with Container(id="main"):
            yield BoardView(id="board")
            with Vertical(id="side"):
                yield Static(id="moves", markup=False)
        yield Static(id="strip")
        yield Note()
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(BoardView).can_focus = False
        self.query_one("#side").styles.width = SIDE
        if self.found:
            self._reviewed(self.found)
        else:
            self._show()
            self.in_background(lambda: review(self.named), self._reviewed, self._no_review)

    def _no_review(self, why: str) -> None:
        self.trouble = f"There is no review. {why}"
        self._show()

    def _reviewed(self, found: Review) -> None:
        self.found = found
        self.ply = found.turning_point or len(self.match.moves)
        self._show()

    def on_resize(self) -> None:
        self._show()

    # Steps

    def keys(self) -> list[Key]:
        steps = [("left,up", -1), ("right,down,space", 1), ("pageup", -PAGE), ("pagedown", PAGE)]
        steps += [("home", -len(self.match.moves)), ("end", len(self.match.moves))]
        hidden = [Key("", "", partial(self._step_by, by), names) for names, by in steps]
        again = "try this move again" if self._is_own_mistake else "play on from here"
        if self._is_at_the_end:
            again = ""
        turn = "turning point" if self.found and self.found.turning_points else ""
        return [
            Key("←→", "step", partial(self._step_by, 1)),
            *hidden,
            Key("t", turn, self._turn),
            Key("p", again, self._play, "enter"),
            Key("Esc", "back", self.dismiss, "q"),
        ]

    def _step_by(self, by: int) -> None:
        self.ply = max(0, min(self.ply + by, len(self.match.moves)))
        self._show()

    def _turn(self) -> None:
        """Go to the next turning point; after the last one, to the first."""
        turns = self.found.turning_points if self.found else ()
        if turns:
            self.ply = next((turn for turn in turns if turn > self.ply), turns[0])
            self._show()
        else:
            self.say("Neither player made a losing mistake.")

    @property
    def _step(self) -> ReviewedMove | None:
        return self.found.steps[self.ply - 1] if self.found and self.ply else None

    @property
    def _is_own_mistake(self) -> bool:
        step = self._step
        both = self.match.computer(1) and self.match.computer(2)
        return bool(step and step.kind == GAVE and (both or not self.match.computer(step.player)))

    @property
    def _is_at_the_end(self) -> bool:
        """Whether the game is over here, and its last move is not a mistake to try again."""
        over = self.match.position.outcome and self.ply == len(self.match.moves)
        return bool(over) and not self._is_own_mistake

    def _play(self) -> None:
        """Play on from here; from a mistake of yours, try that move again."""
        from duels.terminal.app.lists import play_match

        number = self.ply + 1 - self._is_own_mistake
        if self._is_at_the_end:
            self.say("The game is over here. Step back to play on.")
            return
        said = what_to_find(self.match, number) if self._is_own_mistake else ""
        play_match(self.duels, self.match, number, said)

    # Showing

    def _show(self) -> None:
        if not self.is_mounted:
            return
        who = opponents_in_words(self.match)
        whole = f"{game_in_words(self.match.game)}: {who}"
        title = first_fitting(self.size.width - 2, whole, f"{self.match.game.title}: {who}", who)
        self.write("title", title)
        here = self.named.rewound(self.ply)
        board = board_of(here)
        step = self._step
        if self.found and not here.position.outcome:
            after = self.found.steps[self.ply] if self.ply < len(self.found.steps) else None
            if after and after.kind == GAVE and after.better is not None:
                board = drawn(board, Drawing([after.better]))
        self.query_one(BoardView).show(board, playable=False)
        self.write("status", self._what_happened(here))
        self.say(self._why(step))
        wide = self.size.width >= SIDE + 40
        self.query_one("#side").display = wide and self.size.height >= 16
        if wide:
            self.write("moves", self._moves())
        self.write("strip", self._strip())
        self.show_keys()

    def _mark(self, player: int) -> str:
        return MARKS[marked_as(self.match, player)]

    def _what_happened(self, here: Match) -> str:
        last, step = len(self.match.moves), self._step
        label = f" ({step.label})" if step else ""
        if not self.ply:
            return f"Before move 1 of {last}."
        said = dialogue_of(here.game).in_one_line(here)
        player = 2 - self.ply % 2
        return f"Move {self.ply} of {last}{label}: {self._mark(player)} {said}"

    def _why(self, step: ReviewedMove | None) -> str:
        if self.trouble:
            return self.trouble
        if not self.found:
            return "Reviewing …"
        if step and step.better is not None:
            return better_in_words(self.found, self.ply, self.match.person)
        if self.ply == len(self.match.moves):
            lines = [] if self.found.turning_points else turning_lines(self.found)
            return " ".join([*map(str.strip, lines), self._how_it_ended()])
        return ""

    def _how_it_ended(self) -> str:
        if not self.match.outcome:
            return "The match was not finished."
        return dialogue_of(self.match.game).why(self.named, self.match.person)

    def _moves(self) -> Text:
        """The moves around this one, each with its label."""
        room, text = max(self.query_one("#side").size.height, 5), Text(no_wrap=True)
        write = self.match.game.format
        count = len(self.match.moves)
        first = max(0, min(self.ply - 1 - room // 2, count - room))
        colours = palette(self.app.current_theme.dark)
        warning = Style(color=colours.bad.color)
        for number in range(first + 1, min(first + room, count) + 1):
            player = 2 - number % 2
            label = self.found.steps[number - 1].label if self.found else ""
            is_turn = self.found and number in self.found.turning_points
            line = (
                f"{number:3} {self._mark(player)} {write(self.match.moves[number - 1]):5} {label}"
            )
            style = "reverse" if number == self.ply else ""
            text.append(line, style=style or (warning if is_turn else ""))
            text.append("\n")
        return text

    def _strip(self) -> Text:
        """Who was winning before and after each move, where the game turned, and [this step]."""
        text = Text(no_wrap=True)
        if not self.found:
            return text
        winners = [self.found.winner_at_start, *(s.winner_after for s in self.found.steps)]
        label = " Winning: "
        room = max(self.size.width - len(label) - 4, 10)
        first = max(0, min(self.ply - room // 2, len(winners) - room))
        shown = range(first, min(first + room, len(winners)))
        colours = palette(self.app.current_theme.dark)
        turned = Text(" " * len(label), style=Style(color=colours.bad.color))
        text.append(label)
        for n in shown:
            around = "[{}]" if n == self.ply else "{}"
            turned.append(f"{LOSING if n in self.found.turning_points else ' ':^{len(around) - 1}}")
            style = colours.players[marked_as(self.match, winners[n])]
            text.append(around.format(self._mark(winners[n])), style=style)
        return Text("\n", no_wrap=True).join([turned, text])
