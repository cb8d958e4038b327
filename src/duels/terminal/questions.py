"""The questions before a match: the options of a game, who plays, who begins, how long."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from duels.core.errors import DuelsError, OptionNameError
from duels.core.game import Game
from duels.core.options import Option, OptionValue
from duels.core.setups import SetUp
from duels.games import game
from duels.match import (
    DEFAULT_NAMES,
    Match,
    Seat,
    Seats,
    new_match,
    read_matches,
    read_time_limit,
)
from duels.players.levels import LEVELS
from duels.record.strengths import AUTO, Strengths
from duels.terminal.session import Left
from duels.terminal.sides import COIN, order_players, read_sides
from duels.terminal.talk import Talk

HELP = "Type an answer, or Enter for what stands in brackets. back goes one step back, quit leaves."
PERSON = "person"


class Back(Exception):
    """One step back."""


def ask(talk: Talk, prompt: str) -> str:
    """An answer; Back and Left for the words that lead away."""
    while True:
        typed = talk.ask(prompt).strip()
        word = typed.lower()
        if word in {"quit", "exit"}:
            raise Left
        if word == "back":
            raise Back
        if word not in {"?", "help"}:
            return typed
        talk.tell(HELP)


def ask_option(
    talk: Talk, kind: type[Game], name: str, known: Mapping[str, str], before: str | None = None
) -> str:
    """A value of an option that the game accepts; what was typed before is the default."""
    option = kind.fields[name]
    default = before if before is not None else option.default
    prompt = _prompt(option, default)
    if option.choices:
        width = max(map(len, option.choices))
        talk.tell(f"{option.label}:")
        talk.tell(*(f"  {word:{width}}  {means}" for word, means in option.choices.items()))
    while True:
        value = ask(talk, prompt) or ("" if default is None else str(default))
        try:
            option.read(name, value)
            game(kind.id, **{**known, name: value})
        except OptionNameError:
            return value  # another option is still to be asked for
        except DuelsError as error:
            talk.tell(str(error))
            continue
        return value


def _prompt(option: Option, default: object) -> str:
    what = f"{option.words[:1].upper()}{option.words[1:]}"
    if option.choices:
        what = "Which, joined by commas" if option.several else "Which one"
    shown = f"(for example {option.example})" if default is None else f"[{default}]"
    return f"{what} {shown}: "


class Questions:
    """One after another; every one can be answered with Enter, back or quit."""

    def __init__(
        self,
        kind: type[Game],
        talk: Talk,
        chance: Random,
        names: dict[int, str],
        strengths: Strengths,
    ) -> None:
        self.kind = kind
        self.talk = talk
        self.chance = chance
        self.names = names
        """Of people, as they were typed last."""
        self.strengths = strengths
        self.setup: SetUp | None = None
        """The chosen one; None for options of one's own."""
        self.options: dict[str, str] = {}
        self.opponent = PERSON
        self.matches = ""
        self.first = self.time_limit = ""

    def run(self) -> Match:
        """A match about to begin; Back at the first question."""
        at = 0
        while at < len(questions := self._questions()):
            try:
                questions[at]()
                at += 1
            except Back:
                if at == 0:
                    raise
                at -= 1
        seats, said = order_players(self._seats(), self.first, self.chance)
        self.talk.say("", *said)
        playing = game(self.kind.id, **{**self._set_options(), **self.options})
        limit, matches = self.time_limit or None, self.matches or self._usual_matches()
        match = new_match(playing, seats, time_limit=limit, matches=matches)
        if self.opponent == AUTO:
            self.strengths.begin(match)
        return match

    def _questions(self) -> list[Callable[[], None]]:
        setup = [self._ask_setup] if self.kind.setups else []
        asked = [name for name in self.kind.fields if name not in self._set_options()]
        options = [lambda name=name: self._ask_option(name) for name in asked]
        second = [lambda: self._ask_name(2)] if self.opponent == PERSON else []
        one, more = lambda: self._ask_name(1), [self._ask_first, self._ask_matches]
        return [*setup, *options, one, self._ask_opponent, *second, *more, self._ask_time_limit]

    def _set_options(self) -> Mapping[str, OptionValue]:
        return self.setup.options if self.setup else {}

    def _usual_matches(self) -> int:
        return self.setup.matches if self.setup else 1

    def _ask_setup(self) -> None:
        """One of the set-ups by its number, the rule book's own, or options of one's own."""
        *own, book = self.kind.all_setups()
        keys = {str(number): setup for number, setup in enumerate(own, start=1)} | {"r": book}
        width = max(len(setup.name) for setup in keys.values())
        self.talk.tell("", "Which set-up?")
        self.talk.tell(*(f"  {key}. {s.name:{width}}  {s.line}" for key, s in keys.items()))
        self.talk.tell(f"  o. {'own':{width}}  options of your own")
        while True:
            typed = ask(self.talk, "Set-up [1] ").lower() or "1"
            if typed in {"o", "own"}:
                self.setup = None
                return
            try:
                self.setup = keys.get(typed) or self.kind.setup(typed)
            except OptionNameError:
                numbers = "1" if len(own) == 1 else f"a number from 1 to {len(own)}"
                self.talk.tell(f"Type {numbers}, r, o, or the name of a set-up.")
            else:
                self.options = {}
                return

    def _ask_option(self, name: str) -> None:
        known = {other: value for other, value in self.options.items() if other != name}
        before = self.options.get(name)
        self.options[name] = ask_option(self.talk, self.kind, name, known, before)

    def _ask_name(self, player: int) -> None:
        default = self._name(player)

        def read(typed: str) -> None:
            name = typed or default
            other = self._name(1) if player == 2 else Seat(name, "a computer, which gives way")
            read_sides((name, other))

        typed = self._answer(f"Name of player {player} [{default}] ", read)
        self.names[player] = typed or default

    def _ask_opponent(self) -> None:
        """A person, or a computer of some level."""
        choices = [PERSON, *LEVELS, AUTO]
        self.talk.tell("", "Against whom?")
        self.talk.tell(f"  0. {PERSON:9}  another person at this terminal")
        for number, level in enumerate(LEVELS.values(), start=1):
            self.talk.tell(f"  {number}. {level.name:9}  the computer: {level.words}")
        strength = self.strengths.of(self.kind).strength
        self.talk.tell(
            f"  {len(LEVELS) + 1}. {AUTO:9}  matched to you: strength {strength} of 100 now"
        )
        while True:
            typed = ask(self.talk, "Opponent [0] ").lower() or "0"
            if typed.isascii() and typed.isdigit() and int(typed) < len(choices):
                typed = choices[int(typed)]
            if typed in choices:
                self.opponent = typed
                return
            self.talk.tell(f"Type a number from 0 to {len(choices) - 1}, or a name.")

    def _ask_first(self) -> None:
        seats = self._seats()
        one, two = (seat.name for seat in seats)
        numbers = {"1": one, "2": two}
        typed = self._answer(
            f"Who moves first: {one}, {two} or {COIN}? [{one}] ",
            lambda typed: order_players(seats, numbers.get(typed, typed), self.chance),
        )
        self.first = numbers.get(typed, typed)

    def _ask_matches(self) -> None:
        usual = self._usual_matches()
        self.matches = self._answer(
            f"How many games? [{usual}] ",
            lambda typed: read_matches(typed or usual),
        )

    def _ask_time_limit(self) -> None:
        self.time_limit = self._answer(
            "Seconds for each turn [no limit] ", lambda typed: read_time_limit(typed or None)
        )

    def _answer(self, prompt: str, read: Callable[[str], object]) -> str:
        """An answer that can be read; of others it is said what is wrong with them."""
        while True:
            typed = ask(self.talk, prompt)
            try:
                read(typed)
            except DuelsError as error:
                self.talk.tell(str(error))
            else:
                return typed

    def _name(self, player: int) -> str:
        return self.names.get(player, DEFAULT_NAMES[player - 1])

    def _seats(self) -> Seats:
        if self.opponent == AUTO:
            return read_sides((Seat(self._name(1)), self.strengths.seat(self.kind)))
        computer = "" if self.opponent == PERSON else self.opponent
        return read_sides((Seat(self._name(1)), Seat(computer or self._name(2), computer)))
