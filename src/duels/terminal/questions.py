"""What can be chosen before a match: a list of lines, each of which can be changed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from duels.core.errors import DuelsError, OptionNameError
from duels.core.game import Game
from duels.core.options import Option, OptionValue, SetUp
from duels.core.words import closest, did_you_mean
from duels.match.match import Match, Seat, Seats, new_match, read_matches, read_time_limit
from duels.match.players.levels import LEVELS, strength_of
from duels.match.players.specs import name_of
from duels.match.strengths import AUTO, Strengths
from duels.terminal.asking import Back, ask, ask_option
from duels.terminal.person import Person
from duels.terminal.sides import COIN, order_players, read_sides
from duels.terminal.talk import Talk
from duels.terminal.ways import by_number, show_list

PERSON = "person"
WIDE = 60
"""Columns from which on the list of options has columns of its own."""


class Line(NamedTuple):
    """One thing that can be changed: its name, what it is now, more about it, how it changes."""

    label: str
    value: str
    means: str
    change: Callable[[], None]


class Questions:
    """A match about to be set up: the suggested one, until something is changed."""

    def __init__(
        self, kind: type[Game], talk: Talk, chance: Random, person: Person, strengths: Strengths
    ) -> None:
        self.kind = kind
        self.talk = talk
        self.chance = chance
        self.person = person
        self.strengths = strengths
        self.setup: SetUp | None = kind.all_setups()[0]
        """None for options of one's own."""
        self.options: dict[str, OptionValue] = {}
        """Beside those of the set-up."""
        self.opponent = person.opponent
        self.matches = ""
        self.first = self.time_limit = ""

    def like(self, match: Match) -> Questions:
        """The same as in a match that was played."""
        one, two = match.seats
        self.setup, self.options = self._setup_of(match.game), dict(match.game.options)
        computer = one.computer or two.computer
        self.opponent = AUTO if self.strengths.follows(match) else computer or PERSON
        people = [seat.name for seat in match.seats if not seat.computer]
        self.person = self.person._replace(**dict(zip(("name", "friend"), people, strict=False)))
        self.first = self._seats()[1].name if one.computer else ""
        self.time_limit = f"{match.time_limit:g}" if match.time_limit else ""
        self.matches = str(match.duel.of if match.duel else 1)
        return self

    def match(self) -> Match:
        """The match; what there is to say about who begins is said."""
        seats, said = order_players(self._seats(), self.first, self.chance)
        matches = self.matches or self._usual_matches()
        playing, limit = self.game(), self.time_limit or None
        match = new_match(playing, seats, time_limit=limit, matches=matches)
        if said:
            self.talk.say("", *said)
        if self.opponent == AUTO:
            self.strengths.begin(match)
        return match

    def game(self) -> Game:
        """The game with its options, and an example where nobody has chosen."""
        return self.kind.usual(**self._known())

    def ask_what_is_needed(self) -> None:
        """The options that have no default and were not chosen."""
        for name, option in self.kind.fields.items():
            if option.default is None and name not in self._known():
                self.talk.tell("(back: to the menu)")
                self.options[name] = ask_option(self.talk, self.kind, name, self._known())

    def run(self) -> Match:
        """The list, until a match shall begin; Back where none shall."""
        while True:
            lines = self._lines()
            self._show(lines)
            typed = ask(self.talk, "Enter plays, a number changes that line, back leaves: ")
            try:
                if not typed:
                    return self.match()
                line = self._line(typed, lines)
                self.talk.tell("(back: leave it as it is)")
                line.change()
            except Back:
                continue
            except DuelsError as error:
                self.talk.tell(str(error))

    def _show(self, lines: list[Line]) -> None:
        self.talk.tell("", self.talk.style.bold(f"{self.kind.title}: options"))
        width = max(len(line.label) for line in lines) + 2
        wide = self.talk.size.columns >= WIDE
        texts = [
            f"{line.label:{width}}{line.value}" if wide else f"{line.label}: {line.value}"
            for line in lines
        ]
        more = [
            f"  ({line.means})" if line.means.lower() not in {"", line.label.lower()} else ""
            for line in lines
        ]
        show_list(self.talk, texts, more)

    def _line(self, typed: str, lines: list[Line]) -> Line:
        if line := by_number(typed, lines):
            return line
        labels = {line.label.lower(): line for line in lines}
        begun = [label for label in labels if label.startswith(typed.lower())]
        if len(begun) == 1:
            return labels[begun[0]]
        meant = did_you_mean(closest(typed, labels))
        raise OptionNameError(f"Type a number from 1 to {len(lines)}, Enter or back.{meant}")

    def _lines(self) -> list[Line]:
        """What can be changed, with what it is now."""
        lines = []
        if self.kind.setups:
            setup = self.setup.line if self.setup else "options of your own"
            lines.append(Line("Set-up", setup, "", self._ask_setup))
        for name, option in self.kind.fields.items():
            change = lambda name=name: self._ask_option(name)  # noqa: E731
            lines.append(Line(option.label, *_in_words(option, self._value(name)), change))
        seats = self._seats()
        lines.append(Line("Your name", self.person.name, "", lambda: self._ask_name("name")))
        lines.append(Line("Opponent", self.opponent_words(), "", self._ask_opponent))
        if self.opponent == PERSON:
            ask_friend = lambda: self._ask_name("friend")  # noqa: E731
            lines.append(Line("Their name", self.person.friend, "", ask_friend))
        first = self.first or seats[0].name
        lines.append(Line("Moves first", first, "", self._ask_first))
        matches = str(self.matches or self._usual_matches())
        lines.append(Line("Games", matches, "sides are swapped after each", self._ask_matches))
        clock = f"{self.time_limit} seconds a turn" if self.time_limit else "none"
        lines.append(Line("Clock", clock, "out of time loses", self._ask_time_limit))
        return lines

    def _value(self, name: str) -> OptionValue:
        option = self.kind.fields[name]
        usual = option.example if option.default is None else option.default
        return self._known().get(name, usual)

    def in_words(self) -> str:
        """What the game will be like."""
        needed = [option for option in self.kind.fields.values() if option.default is None]
        if self.setup and not (self.setup.is_rule_book and needed):
            return self.setup.line
        return self.game().options_in_words()

    def opponent_words(self) -> str:
        """Who the opponent is."""
        if self.opponent == PERSON:
            return self.person.friend
        if self.opponent == AUTO:
            strength = self.strengths.of(self.kind).strength
            return f"the computer, matched to you: strength {strength}"
        level = LEVELS.get(self.opponent)
        return f"the computer, {self.opponent}{f': {level.words}' if level else ''}"

    def _known(self) -> dict[str, OptionValue]:
        """What is chosen, by the set-up or by the person."""
        return {**(self.setup.options if self.setup else {}), **self.options}

    def _usual_matches(self) -> int:
        return self.setup.matches if self.setup else 1

    def _setup_of(self, playing: Game) -> SetUp | None:
        """The set-up that has the same options."""
        setups = self.kind.all_setups()
        return next((setup for setup in setups if setup.game(self.kind) == playing), None)

    def _ask_setup(self) -> None:
        """One of the set-ups by its number or its name."""
        setups = self.kind.all_setups()
        width = max(len(setup.name) for setup in setups)
        show_list(self.talk, [f"{setup.name:{width}}  {setup.line}" for setup in setups])
        typed = ask(self.talk, "Set-up [1] ").lower() or "1"
        self.setup = by_number(typed, setups) or self.kind.setup(typed)
        self.options, self.matches = {}, ""

    def _ask_option(self, name: str) -> None:
        known = self._known()
        value = ask_option(self.talk, self.kind, name, known, self._value(name))
        self.options = {**known, name: self.kind.fields[name].read(name, value)}
        self.setup = self._setup_of(self.game())

    def _ask_name(self, whose: str) -> None:
        before = self.person._asdict()[whose]
        typed = ask(self.talk, f"{'Your' if whose == 'name' else 'Their'} name [{before}] ")
        person = self.person._replace(**{whose: typed or before})
        (name, _), (friend, _) = read_sides((person.name, person.friend))
        self.person, self.first = person._replace(name=name, friend=friend), ""

    def _ask_opponent(self) -> None:
        """A computer of some level or strength, or a person; a small number is its place here."""
        strength = self.strengths.of(self.kind).strength
        means = {
            AUTO: f"matched to you: strength {strength} of 100 now",
            **{name: f"the computer: {level.words}" for name, level in LEVELS.items()},
            PERSON: "a friend beside you",
        }
        choices, width = [*means], max(map(len, means))
        show_list(self.talk, [f"{choice:{width}}  {words}" for choice, words in means.items()])
        typed = ask(self.talk, f"Opponent [{self.opponent}] ").lower() or self.opponent
        typed = by_number(typed, choices) or typed
        if typed not in (*choices, self.opponent) and strength_of(typed) is None:
            meant = did_you_mean(closest(typed, choices))
            raise OptionNameError(f"Type a number from 1 to {len(choices)}, or a name.{meant}")
        self.opponent, self.first = typed, ""

    def _ask_first(self) -> None:
        seats = self._seats()
        one, two = (seat.name for seat in seats)
        typed = ask(self.talk, f"Who moves first: {one}, {two} or {COIN}? [{one}] ")
        first = {"1": one, "2": two}.get(typed, typed)
        order_players(seats, first, self.chance)
        self.first = first

    def _ask_matches(self) -> None:
        usual = self._usual_matches()
        typed = ask(self.talk, f"How many games? [{usual}] ")
        self.matches = str(read_matches(typed or usual))

    def _ask_time_limit(self) -> None:
        typed = ask(self.talk, "Seconds for each turn [no limit] ")
        read_time_limit(typed or None)
        self.time_limit = typed

    def _seats(self) -> Seats:
        person = Seat(self.person.name)
        if self.opponent == AUTO:
            return read_sides((person, self.strengths.seat(self.kind)))
        if self.opponent == PERSON:
            return read_sides((person, Seat(self.person.friend)))
        return read_sides((person, Seat(name_of(self.opponent), self.opponent)))


def _in_words(option: Option, value: OptionValue) -> tuple[str, str]:
    """A value as it is shown, and what it means for the game, in the option's own words."""
    if not option.choices:
        return f"{value:,}" if isinstance(value, int) else value, option.words
    words = str(value).split(",") if option.several else [str(value)]
    return " or ".join(option.choices[word] for word in words), ""
