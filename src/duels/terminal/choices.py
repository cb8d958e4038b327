"""What a player chooses before a match: game, board, opponent, who begins, clock, games.

The app's home screen and the transcript's questions both change a `Choices` and ask it for the
match. What the player chose is remembered for the next time.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from typing import NamedTuple

from duels.core.errors import MatchError
from duels.core.game import Game
from duels.core.options import OptionValue, SetUp, usual_words
from duels.core.parts import is_ours
from duels.core.words import capital, quoted
from duels.games import all_games
from duels.match.match import (
    DEFAULT_NAMES,
    Match,
    Seat,
    Seats,
    new_match,
    read_matches,
    read_seats,
    read_time_limit,
)
from duels.match.players.levels import BUILT_IN, LEVELS, strength_of
from duels.match.players.specs import opponent_seat
from duels.match.saved_games import Notebook
from duels.match.strengths import AUTO, Strengths

COIN = "coin"
FRIEND = "friend"
"""In place of a computer: a second person at this terminal."""
YOU, OPPONENT = "you", "opponent"
FIRST = (YOU, OPPONENT, COIN)
"""Who moves first: saved as a role, so that it survives a change of names."""
SUBJECT = "player"


class Person(NamedTuple):
    """What is remembered of the player: names, the opponent and game of last time."""

    name: str = DEFAULT_NAMES[0]
    friend: str = DEFAULT_NAMES[1]
    opponent: str = AUTO
    game: str = ""


def load_person(folder: Path) -> Person:
    """Return what is remembered; a part that makes no sense is replaced by its default."""
    data = Notebook(SUBJECT, folder).read()
    texts = {n: text for n in Person._fields if (text := data.get(n)) and isinstance(text, str)}
    known = Person()._replace(**texts)
    try:
        (name, _), (friend, _) = read_names((known.name, known.friend))
    except MatchError:
        name, friend = DEFAULT_NAMES
    opponent = known.opponent if known.opponent == FRIEND or is_built_in(known.opponent) else AUTO
    return Person(name, friend, opponent, known.game)


def save_person(person: Person, folder: Path) -> None:
    """Remember the player, if the file can be written."""
    with suppress(OSError):
        Notebook(SUBJECT, folder).note(**person._asdict())


def is_built_in(opponent: str) -> bool:
    """Say whether this is one of our computers: a remembered name must not start a program."""
    return opponent in (*BUILT_IN, AUTO) or strength_of(opponent) is not None


def opponents() -> dict[str, str]:
    """Return the opponents to choose from, each with a few words about it."""
    levels = {name: level.words for name, level in LEVELS.items()}
    return {AUTO: "matched to you", **levels, FRIEND: "two players at this screen"}


@dataclass
class Choices:
    """A match about to begin: the suggested one, until something is changed."""

    kind: type[Game]
    person: Person
    strengths: Strengths
    setup: SetUp | None = None
    """The chosen set-up, or None if the options are the player's own."""
    options: dict[str, OptionValue] = field(default_factory=dict)
    """Options that differ from those of the set-up."""
    opponent: str = AUTO
    first: str = YOU
    time_limit: str = ""
    matches: int = 0
    """How many games; 0 for as many as the set-up suggests."""
    chance: Random = field(default_factory=SystemRandom)

    @classmethod
    def remembered(cls, folder: Path) -> Choices:
        """Return what the player chose last time; for a newcomer, the game to begin with."""
        person, kinds = load_person(folder), [*all_games().values()]
        known = [kind for kind in kinds if kind.id == person.game]
        first = [kind for kind in kinds if kind.for_newcomers]
        choices = cls((known or first or kinds)[0], person, Strengths(folder))
        choices.opponent = person.opponent
        return choices.of(choices.kind)

    def of(self, kind: type[Game]) -> Choices:
        """Change to another game with its first set-up, and return these choices."""
        self.kind, self.setup, self.options, self.matches = kind, kind.all_setups()[0], {}, 0
        return self

    def use_setup(self, setup: SetUp) -> None:
        self.setup, self.options, self.matches = setup, {}, 0

    def use_option(self, name: str, value: OptionValue) -> None:
        """Change one option; DuelsError if the game does not allow it."""
        options = {**self.known_options(), name: self.kind.fields[name].read(name, value)}
        game = self.kind.usual(**options)
        self.options = options
        same = (one for one in self.kind.all_setups() if one.game(self.kind) == game)
        self.setup = next(same, None)

    def use_name(self, **names: str) -> None:
        """Change `name` or `friend`; MatchError if two players would have one name."""
        person = self.person._replace(**names)
        (name, _), (friend, _) = read_names((person.name, person.friend))
        self.person = person._replace(name=name, friend=friend)

    def use_time_limit(self, text: str) -> None:
        """Change the clock; "" for none, MatchError if this is no duration."""
        read_time_limit(text or None)
        self.time_limit = text

    def use_games(self, number: int | str) -> None:
        """Change how many games are played; MatchError if that is no such number."""
        self.matches = read_matches(number)

    def known_options(self) -> dict[str, OptionValue]:
        return {**(self.setup.options if self.setup else {}), **self.options}

    def option(self, name: str) -> OptionValue:
        """Return the value of an option: chosen, or the default, or an example."""
        option = self.kind.fields[name]
        usual = option.example if option.default is None else option.default
        return self.known_options().get(name, usual)

    @property
    def game(self) -> Game:
        return self.kind.usual(**self.known_options())

    @property
    def games_in_duel(self) -> int:
        return self.matches or (self.setup.matches if self.setup else 1)

    @property
    def usual_label(self) -> str:
        """What the game's own set-up is called in a few words."""
        return "rule book" if is_ours(self.kind) else "usual game"

    @property
    def usual_board(self) -> str:
        """What the board of the game's own set-up is called."""
        return "rule-book board" if is_ours(self.kind) else "usual board"

    @property
    def board_label(self) -> str:
        """The board in a few words, and whether it is the rule book's own."""
        is_book = self.setup and self.setup.is_rule_book
        whose = self.usual_label if is_book else "set-up" if self.setup else "your own"
        return f"{whose}: {self.game.options_in_words(usual_too=not self.setup)}"

    @property
    def board_words(self) -> str:
        """A sentence about the board."""
        if not self.setup:
            own = "You have chosen the options yourself."
            return f"{own} {caution}" if (caution := self.game.caution()) else own
        if self.setup.is_rule_book:
            return f"This is {usual_words(self.kind)}."
        what, _, then = self.setup.words.partition(": ")
        return f"Set-up: {what}.{f' {capital(then)}.' if then else ''}"

    @property
    def opponent_label(self) -> str:
        """Who the opponent is, in a few words."""
        if self.opponent == FRIEND:
            return "two players"
        if self.opponent == AUTO:
            return "computer, matched to you"
        return f"computer, {self.opponent}"

    @property
    def opponent_words(self) -> str:
        """Who the opponent is."""
        if self.opponent == FRIEND:
            return f"{self.person.friend}, at this screen"
        if self.opponent == AUTO:
            strength = self.strengths.of(self.kind).strength
            return f"the computer, which is matched to you: strength {strength} of 100 now"
        level = LEVELS.get(self.opponent)
        return f"the computer ({self.opponent}){f', which {level.words}' if level else ''}"

    @property
    def starters(self) -> dict[str, str]:
        """Who may move first, each in words."""
        you, opponent = (seat.name for seat in self.seats)
        if self.opponent != FRIEND:
            you, opponent = "you", "the computer"
        return {YOU: you, OPPONENT: opponent, COIN: "toss a coin"}

    @property
    def seats(self) -> Seats:
        """You and the opponent, before anything decides who begins."""
        person = Seat(self.person.name)
        if self.opponent == FRIEND:
            return read_names((person, Seat(self.person.friend)))
        if self.opponent == AUTO:
            return read_names((person, self.strengths.seat(self.kind)))
        return read_names((person, opponent_seat(self.opponent)))

    def match(self) -> tuple[Match, str]:
        """Return the match, remembered for the next time, and what the coin showed."""
        you, opponent = self.seats
        first = {YOU: you.name, OPPONENT: opponent.name, COIN: COIN}[self.first]
        seats, said = order_players((you, opponent), first, self.chance)
        match = new_match(
            self.game, seats, time_limit=self.time_limit or None, matches=self.games_in_duel
        )
        if self.opponent == AUTO:
            self.strengths.begin(match)
        self.person = self.person._replace(game=self.kind.id, opponent=self.opponent)
        save_person(self.person, self.strengths.notebook.path.parent)
        return match, said

    def again(self, match: Match, *, swapped: bool = True) -> Match:
        """Return a new match like one that was played, usually with the sides swapped.

        A computer that is matched to the player has the strength that it has now.
        """
        one, two = match.seats
        follows = self.strengths.follows(match)
        if follows:
            computer = self.strengths.seat(type(match.game))
            one, two = (computer, two) if one.computer else (one, computer)
        of = match.duel.of if match.duel else 1
        seats = (two, one) if swapped else (one, two)
        again = new_match(match.game, seats, time_limit=match.time_limit, matches=of)
        if follows:
            self.strengths.begin(again)
        return again


# Who moves first


def read_names(seats: tuple[Seat | str, Seat | str]) -> Seats:
    """Return two seats whose names are fit for use; MatchError if not."""
    one, two = read_seats(seats)
    if COIN in (one.name.casefold(), two.name.casefold()):
        raise MatchError(f"{quoted(COIN)} cannot be a name: it stands for the coin toss.")
    return one, two


def order_players(
    seats: tuple[Seat | str, Seat | str], first: str | None, chance: Random
) -> tuple[Seats, str]:
    """Return the seats in the order of play, and what the coin showed if it was tossed."""
    one, two = read_names(seats)
    starter = (first or one.name).strip().casefold()
    if starter == COIN:
        side = chance.choice(["heads", "tails"])
        if (one, two) == (Seat(DEFAULT_NAMES[0]), Seat(DEFAULT_NAMES[1])):
            # Without names the program cannot know who sits where; the players can.
            said = f"The coin shows {side}: the player who called it is Player 1 and begins."
            return (one, two), said
        begins, follows = (one, two) if side == "heads" else (two, one)
        return (begins, follows), (
            f"Heads for {one.called(inside=True)}, tails for {two.called(inside=True)}. "
            f"The coin shows {side}: {begins.called(inside=True)} moves first."
        )
    called = {two.computer: (two, one), one.computer: (one, two)}  # by its level, too
    called |= {two.name.casefold(): (two, one), one.name.casefold(): (one, two)}
    if starter and starter in called:
        return called[starter], ""
    raise MatchError(f"{quoted(first)} cannot move first: choose {one.name}, {two.name} or {COIN}.")
