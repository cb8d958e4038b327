"""The menu: Enter plays at once; other games, opponents and more are one key away."""

from __future__ import annotations

from datetime import date
from random import SystemRandom

from duels.coach.review import move_lines, review_lines
from duels.coach.review import review as review_match
from duels.core.console import Progress
from duels.core.errors import DuelsError
from duels.core.game import Game
from duels.core.options import RULE_BOOK
from duels.games import all_games, games_called
from duels.games.added import troubles
from duels.match.match import Match, Seats, new_match
from duels.match.saved_games import SavedGames
from duels.match.strengths import Strengths
from duels.terminal.asking import Back, ask
from duels.terminal.duel import play_duel
from duels.terminal.person import is_built_in, remember, remembered
from duels.terminal.questions import PERSON, Questions
from duels.terminal.saved import ask_unfinished, saved_games
from duels.terminal.session import Left, Session
from duels.terminal.talk import Talk
from duels.terminal.viewing import view
from duels.terminal.ways import (
    ENTER,
    Step,
    Way,
    by_number,
    find_way,
    not_a_way,
    show_list,
    show_ways,
)
from duels.terminal.words import command_for

HELP = (
    "Enter plays the game beside it. A number, or a part of a name, takes another game. "
    "Each letter does what stands beside it; its word does the same."
)
ROOMY = 22
"""Rows from which on there are empty lines between the parts of the menu."""
PUZZLE_WORDS = "today's puzzle"
PROMPT = "Enter, a number or a letter: "


class Menu:
    """What there is to do, and what there is to do after it."""

    def __init__(self, talk: Talk, store: SavedGames) -> None:
        self.talk = talk
        self.store = store
        self.chance = SystemRandom()
        self.folder = store.folder.parent
        self.strengths = Strengths(self.folder)
        self.person = remembered(self.folder)
        self.kinds = list(all_games().values())
        first = [kind for kind in self.kinds if kind.for_newcomers] or self.kinds
        known = [kind for kind in self.kinds if kind.id == self.person.game]
        self.kind = (known or first)[0]

    def run(self, step: Step | None = None) -> None:
        """Until somebody quits; `step` comes before the menu."""
        if not step:
            self.talk.say(self.talk.style.bold("Number Duels"))
            self.talk.note(*troubles, *map(str, saved_games(self.store).missing))
        while True:
            try:
                step = (step or self.choose)()
            except Back:
                step = None
            except DuelsError as error:
                self.talk.tell(str(error))
                step = None
            except Left:
                return
            except EOFError:
                self.talk.note("")
                return

    def choose(self) -> Step:
        """Show the menu and ask."""
        ways = self._ways()
        self._show(ways)
        while True:
            try:
                typed = ask(self.talk, PROMPT, HELP)
            except Back:
                self.talk.tell("This is the menu; q quits.")
                continue
            if kind := pick_game(typed, self.kinds):
                self.kind = kind
                self._show_suggested()
            elif way := find_way(typed, ways):
                return way.go
            else:
                self.talk.tell(self._not_understood(typed, ways))

    def _ways(self) -> list[Way]:
        unfinished = len(saved_games(self.store).unfinished)
        narrow = self.talk.size.columns < 60
        resume = f"resume ({unfinished}{'' if narrow else ' unfinished'})"
        return [
            Way("", "play", "", self.suggested),
            Way("b", "book", "rule book" if narrow else "the rule book's own game", self._book),
            Way("f", "friend", "friend" if narrow else "a friend beside you", self._friend),
            Way("o", "options", "options" if narrow else "options, opponent, clock", self._options),
            Way("p", "puzzle", "puzzle" if narrow else PUZZLE_WORDS, self.puzzle),
            Way("l", "learn", "learn" if narrow else "learn how it is won", self._learn),
            *([Way("r", "resume", resume, self._resume)] if unfinished else []),
            Way("v", "view", "view" if narrow else "view a finished game", lambda: view(self)),
            Way("q", "quit", "quit", _leave),
        ]

    def _show(self, ways: list[Way]) -> None:
        """What Enter plays, the games, the keys."""
        width = max(len(kind.title) for kind in self.kinds)
        titles = [f"{kind.title:{width}}" for kind in self.kinds]
        gap = [""] if self.talk.size.lines >= ROOMY else []
        self.talk.say("")
        self._show_suggested()
        self.talk.say(*gap)
        show_list(self.talk, titles, [f"  {kind.summary}" for kind in self.kinds])
        self.talk.say(*gap)
        show_ways(self.talk, ways[1:])
        self.talk.say(*gap)

    def _show_suggested(self) -> None:
        """What Enter plays, and against whom."""
        questions, bold = self._questions(), self.talk.style.bold
        self.talk.tell(f"  {bold(ENTER)}  {bold(self.kind.title)}, {questions.in_words()}")
        against = f"{self.person.name} against {questions.opponent_words()}"
        self.talk.tell(f"  {'':{len(ENTER)}}  {against}")

    def _not_understood(self, typed: str, ways: list[Way]) -> str:
        several = [kind.title for kind in games_called(typed)]
        if len(several) > 1:
            return f"Which one: {', '.join(several)}?"
        return f"{not_a_way(typed, ways)} Or a number from 1 to {len(self.kinds)}; ? helps."

    def _questions(self) -> Questions:
        return Questions(self.kind, self.talk, self.chance, self.person, self.strengths)

    def suggested(self) -> Step | None:
        return self._begin(self._questions())

    def _book(self) -> Step | None:
        """The rule book's own game; what it leaves to the players is asked."""
        questions = self._questions()
        questions.setup = self.kind.setup(RULE_BOOK)
        questions.ask_what_is_needed()
        return self._begin(questions)

    def _friend(self) -> Step | None:
        questions = self._questions()
        questions.opponent = PERSON
        return self._begin(questions)

    def _options(self) -> Step | None:
        """The list of what can be changed, and then the match."""
        questions = self._questions()
        return self._begin(questions, questions.run())

    def _begin(self, questions: Questions, match: Match | None = None) -> Step:
        """Play it, and remember the names, the game and the computer; a friend is one key away."""
        match, asked = match or questions.match(), questions.opponent
        opponent = asked if is_built_in(asked) else self.person.opponent
        self.person = questions.person._replace(game=questions.kind.id, opponent=opponent)
        remember(self.person, self.folder)
        return self.playing(match)

    def puzzle(self) -> Step | None:
        from duels.terminal.practising import daily

        self.talk.say("")
        return daily(self, date.today())

    def _learn(self) -> Step | None:
        from duels.terminal.practising import learn

        return learn(self, self.kind)

    def _resume(self) -> Step | None:
        match = ask_unfinished(self.talk, self.store)
        return lambda: self.play(Session.resume(match.id, self.talk, self.store))

    def playing(self, match: Match, *, show_moves: bool = True) -> Step:
        session = Session(match, self.talk, self.store, show_moves=show_moves)
        return lambda: self.play(session)

    def play(self, session: Session) -> Step | None:
        """Play a match, then ask what next; whoever leaves it comes to the menu."""
        try:
            session = play_duel(session)
        except Left:
            return None
        return lambda: self.after_match(session)

    def after_match(self, session: Session) -> Step | None:
        """What there is to do after a match."""
        match = session.match
        one, two = self._seats_again(match)
        turn = session.review.again_at if session.review else None

        def again(seats: Seats) -> Step | None:
            return self.playing(self._again(match, seats), show_moves=session.view.show_moves)

        def from_turn() -> Step | None:
            return self.playing(match.again_from(turn or 1), show_moves=session.view.show_moves)

        def show_review() -> Step | None:
            self.review(match)
            return lambda: self.after_match(session)

        def change() -> Step | None:
            self.kind = type(match.game)
            questions = self._questions().like(match)
            try:
                return self._begin(questions, questions.run())
            except Back:
                return lambda: self.after_match(session)

        def leave() -> Step | None:
            self.talk.note(f"See it again with: {command_for(match.game, 'replay', match.id)}")
            raise Left

        ways = [
            Way("", "again", f"again, {two.name} moves first", lambda: again((two, one))),
            Way("s", "same", "the same sides again", lambda: again((one, two))),
        ]
        if turn:
            ways.append(Way("t", "try", f"try move {turn} again", from_turn))
        if match.moves:
            ways.append(Way("r", "review", "review every move", show_review))
        if not (one.computer and two.computer):
            ways.append(Way("o", "options", "change something", change))
        return self.after(*ways, leave=leave)

    def after(self, *ways: Way, leave: Step | None = None) -> Step | None:
        """Ask what next: one of these ways, the menu, or nothing."""
        to_choose = [*ways, Way("m", "menu", "menu", lambda: None)]
        to_choose.append(Way("q", "quit", "quit", leave or _leave))
        self.talk.say("")
        show_ways(self.talk, to_choose)
        while True:
            try:
                typed = self.talk.ask("What next? ")
            except EOFError:
                return to_choose[-1].go
            if way := find_way(typed, to_choose):
                return way.go
            self.talk.tell(not_a_way(typed, to_choose))

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

    def review(self, match: Match) -> None:
        try:
            with Progress("Reviewing") as progress:
                found = review_match(match, progress.share)
            self.talk.page("", *review_lines(found), "", *move_lines(found))
        except DuelsError as error:
            self.talk.tell(f"There is no review. {error}")


def pick_game(typed: str, kinds: list[type[Game]]) -> type[Game] | None:
    """A game by its number, its id, its title or a part that no other game has."""
    if kind := by_number(typed, kinds):
        return kind
    found = [kind for kind in games_called(typed) if kind in kinds]
    return found[0] if len(found) == 1 and len(typed) > 1 else None


def _leave() -> Step | None:
    raise Left
