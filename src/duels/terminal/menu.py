"""The menu: pick a game, answer a few questions, play, and choose what next."""

from __future__ import annotations

import textwrap
from contextlib import suppress
from random import Random, SystemRandom

from duels.coach.review import move_lines, review, review_lines
from duels.core.errors import DuelsError
from duels.core.game import Game
from duels.games import all_games
from duels.games.added import troubles
from duels.match import Match, Seats, new_match
from duels.record.store import Store
from duels.record.strengths import Strengths
from duels.terminal.duel import play_duel
from duels.terminal.questions import Back, Questions, ask
from duels.terminal.saved import ask_unfinished, saved_games
from duels.terminal.session import Left, Session
from duels.terminal.talk import Talk

NEXT = {
    "rematch": "Rematch, {} moves first",
    "same": "Same again",
    "another": "Another game",
    "review": "Review of every move",
    "again": "Try the turning point again",
    "quit": "Quit",
}
"""What there is to do after a game, by a word that means it."""


class Menu:
    """The list of games, and what follows from it."""

    def __init__(self, talk: Talk, store: Store, chance: Random | None = None) -> None:
        self.talk = talk
        self.store = store
        self.chance = chance or SystemRandom()
        self.kinds = list(all_games().values())
        self.strengths = Strengths(store.folder.parent)
        self.names: dict[int, str] = {}  # of people, as they were typed last

    def run(self) -> None:
        """Until somebody quits."""
        self.talk.say(self.talk.style.bold("Number Duels"))
        self.talk.tell("Number games for two.")
        self.talk.note(*troubles, *map(str, saved_games(self.store).missing))
        while True:
            try:
                session: Session | None = self._set_up()
                while session:
                    session = self._play(session)
            except Left:
                return

    def _set_up(self) -> Session:
        """A new match, or one that was left."""
        while True:
            chosen = self._ask_game()
            try:
                if isinstance(chosen, Match):
                    return Session.resume(chosen.id, self.talk, self.store)
                questions = Questions(chosen, self.talk, self.chance, self.names, self.strengths)
                return self._new(questions.run())
            except Back:
                continue
            except DuelsError as error:
                self.talk.tell(str(error))

    def _new(self, match: Match) -> Session:
        return Session(match, self.talk, self.store)

    def _ask_game(self) -> type[Game] | Match:
        width = max(len(kind.title) for kind in self.kinds)
        self.talk.say("")
        for number, kind in enumerate(self.kinds, start=1):
            self._offer(f"  {number}. {kind.title:{width}}  {kind.summary}", kind.title)
        unfinished = saved_games(self.store).unfinished
        if unfinished:
            self._offer(f"  r. Resume a game ({len(unfinished)} unfinished)", "Resume")
        self.talk.say("")
        while True:
            try:
                typed = ask(self.talk, "Which game? [1] ").lower() or "1"
            except Back:
                self.talk.tell("This is the first question. Type quit to leave.")
                continue
            if typed in {"r", "resume"} and unfinished:
                with suppress(Back):
                    return ask_unfinished(self.talk, unfinished)
                continue
            if chosen := pick_game(typed, self.kinds):
                return chosen
            self.talk.tell("Type the number or the name of a game.")

    def _offer(self, line: str, name: str) -> None:
        """A line of the list with its name emphasized, wrapped to the window."""
        room = max(self.talk.size.columns - 1, 16)
        first, *more = textwrap.wrap(line, room, subsequent_indent=" " * 5)
        self.talk.say(first.replace(name, self.talk.style.bold(name)), *more)

    def _play(self, session: Session) -> Session | None:
        """Play a match, then the next one that is wished for; None for the list of games."""
        try:
            session = play_duel(session)
        except Left:
            return None
        except DuelsError as error:
            self.talk.tell(str(error))
            return None
        following = self._next(session.match, session.review.again_at if session.review else None)
        return self._new(following) if following else None

    def _next(self, match: Match, turn: int | None) -> Match | None:
        """What is played next; `turn` is the number of the move that could be tried again."""
        one, two = self._seats_again(match)
        words = [word for word in NEXT if turn or word != "again"]
        self.talk.tell(
            "", *(f"{n}. {NEXT[word].format(two.name)}" for n, word in enumerate(words, start=1))
        )
        while True:
            try:
                typed = ask(self.talk, "What next? [1] ").lower() or "1"
            except Back:
                return None
            if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(words):
                typed = words[int(typed) - 1]
            match typed.split()[0]:
                case "rematch":
                    return self._again(match, (two, one))
                case "same":
                    return self._again(match, (one, two))
                case "another":
                    return None
                case "review":
                    self._review(match)
                case "again" | "try" if turn:
                    return match.again_from(turn)
                case "quit":
                    raise Left
                case _:
                    self.talk.tell(f"Type a number from 1 to {len(words)}.")

    def _seats_again(self, match: Match) -> Seats:
        """The same two; a computer that follows the person's results is as strong as it is now."""
        one, two = match.seats
        if not self.strengths.follows(match):
            return one, two
        computer = self.strengths.seat(type(match.game))
        return (computer, two) if one.computer else (one, computer)

    def _again(self, match: Match, seats: Seats) -> Match:
        of = match.duel.of if match.duel else 1
        again = new_match(match.game, seats, time_limit=match.time_limit, matches=of)
        if self.strengths.follows(match):
            self.strengths.begin(again)
        return again

    def _review(self, match: Match) -> None:
        try:
            found = review(match)
            self.talk.tell("", *review_lines(found), "", *move_lines(found), "")
        except DuelsError as error:
            self.talk.tell(f"There is no review. {error}")


def pick_game(typed: str, kinds: list[type[Game]]) -> type[Game] | None:
    """A game by its number, its id, its title, or how one of their words begins."""
    if typed.isascii() and typed.isdigit():
        return kinds[int(typed) - 1] if 1 <= int(typed) <= len(kinds) else None
    begun = _dashed(typed)
    exact = [kind for kind in kinds if begun in _names(kind)]
    fitting = [kind for kind in kinds if any(f"-{begun}" in f"-{name}" for name in _names(kind))]
    found = exact or fitting
    return found[0] if begun and len(found) == 1 else None


def _names(kind: type[Game]) -> tuple[str, str]:
    return kind.id, _dashed(kind.title)


def _dashed(text: str) -> str:
    return "-".join(text.lower().split())
