"""The menu: pick a game, its options and its players, play, and choose what next."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from random import Random, SystemRandom

from duels.coach.review import move_lines, review
from duels.core.errors import DuelsError, OptionNameError, RecordError
from duels.core.words import quoted
from duels.games import GAMES, game, option_fields
from duels.games.options import OPTIONS
from duels.match import DEFAULT_NAMES, Match, new_match, read_names, read_time_limit
from duels.players.levels import LEVELS
from duels.players.specs import computer_of
from duels.record.store import Store
from duels.terminal.replay import describe
from duels.terminal.session import Left, Session
from duels.terminal.sides import order_players, read_sides
from duels.terminal.talk import Talk

HELP = "Type an answer, or Enter for what stands in brackets. back goes one step back, quit leaves."


NEXT = {
    "rematch": "Rematch, {} moves first",
    "same": "Same again",
    "another": "Another game",
    "review": "Review of every move",
    "quit": "Quit",
}
"""What there is to do after a game, by a word that means it."""

MOST_LISTED = 10


class Back(Exception):
    """One step back."""


class Menu:
    """Questions one after another; every one can be answered with Enter, back or quit."""

    def __init__(self, talk: Talk, store: Store, chance: Random | None = None) -> None:
        self.talk = talk
        self.store = store
        self.chance = chance or SystemRandom()
        self.answers: dict[str, str] = {}
        self.names: dict[int, str] = {}  # of people, as they were typed last

    def run(self) -> None:
        """Until somebody quits."""
        self.talk.say(self.talk.style.bold("Number Duels"))
        self.talk.tell("Five number games for two.")
        while True:
            try:
                match = self._set_up()
                while match:
                    match = self._play(match)
            except Left:
                return

    def _set_up(self) -> Match | None:
        """Ask for everything a match needs; None when the answer led elsewhere."""
        self.answers = {}
        asked = 0
        while asked < len(self._questions()):
            try:
                resumed = self._questions()[asked]()
                if resumed:
                    return resumed
                asked += 1
            except Back:
                if asked == 0:
                    self.talk.tell("This is the first question. Type quit to leave.")
                asked = max(0, asked - 1)
        return self._new_match()

    def _questions(self) -> list[Callable[[], Match | None]]:
        options = option_fields(self.answers["game"]) if "game" in self.answers else {}
        return [
            self._ask_game,
            *(lambda name=name: self._ask_option(name) for name in options),
            lambda: self._ask_name(0),
            self._ask_opponent,
            *([] if self.answers.get("opponent") in LEVELS else [lambda: self._ask_name(1)]),
            self._ask_first,
            self._ask_time_limit,
        ]

    def _ask_game(self) -> Match | None:
        style = self.talk.style
        self.talk.say("")
        for number, kind in enumerate(GAMES.values(), start=1):
            line = f"  {number}. {kind.title:18} {kind.summary}"
            room = max(self.talk.size.columns - 1, 16)
            first, *more = textwrap.wrap(line, room, subsequent_indent=" " * 5)
            self.talk.say(first.replace(kind.title, style.bold(kind.title)), *more)
        unfinished = self._unfinished()
        if unfinished:
            self.talk.tell(f"  r. {style.bold('Resume')} a game ({len(unfinished)} unfinished)")
        self.talk.say("")
        while True:
            typed = self._ask("Which game? [1] ").lower() or "1"
            if typed in {"r", "resume"} and unfinished:
                try:
                    return self.ask_unfinished(unfinished)
                except Back:
                    continue
            game_id = pick_game(typed)
            if game_id:
                self.answers = {"game": game_id}
                return None
            self.talk.tell("Type the number or the name of a game.")

    def ask_unfinished(self, unfinished: list[Match]) -> Match:
        """Which of these games to go on with."""
        for number, match in enumerate(unfinished[:MOST_LISTED], start=1):
            self.talk.tell(f"  {number}. {match.id}  {describe(match)}")
        if len(unfinished) > MOST_LISTED:
            self.talk.tell(f"  ... and {len(unfinished) - MOST_LISTED} older ones")
        while True:
            typed = self._ask("Which one? [1] ") or "1"
            for number, match in enumerate(unfinished, start=1):
                if typed in (str(number), match.id):
                    return match
            numbers = f"a number from 1 to {len(unfinished)}" if len(unfinished) > 1 else "1"
            self.talk.tell(f"Type {numbers}, or an id.")

    def _ask_option(self, name: str) -> None:
        known = {option: self.answers[option] for option in OPTIONS if option in self.answers}
        self.answers[name] = self.ask_option(self.answers["game"], name, known)

    def ask_option(self, game_id: str, name: str, known: dict[str, str]) -> str:
        """A value of an option that the game accepts; what was typed before is the default."""
        default = self.answers.get(name) or option_fields(game_id)[name].default
        has_default = isinstance(default, int | str)
        shown = f" [{default}]" if has_default else ""
        while True:
            typed = self._ask(f"{OPTIONS[name].capitalize()}{shown}: ").strip()
            value = typed or (str(default) if has_default else "")
            try:
                game(game_id, **{**known, name: value})
            except OptionNameError:
                return value  # another option is still to be asked for
            except DuelsError as error:
                self.talk.tell(str(error))
                continue
            return value

    def _ask_name(self, player: int) -> None:
        default = self.names.get(player, DEFAULT_NAMES[player])
        while True:
            typed = self._ask(f"Name of player {player + 1} [{default}] ") or default
            if computer_of(typed):
                self.talk.tell(f"{quoted(typed)} is a computer; choose it as the opponent.")
                continue
            try:
                read_sides((self.answers["player1"], typed) if player else (typed, "\0x"))
            except DuelsError as error:
                self.talk.tell(str(error))
                continue
            self.answers[f"player{player + 1}"] = self.names[player] = typed
            return

    def _ask_opponent(self) -> None:
        """A person, or a computer of some level."""
        choices = ["person", *LEVELS]
        self.talk.tell("", "Against whom?")
        self.talk.tell("  0. person     another person at this terminal")
        for number, level in enumerate(LEVELS.values(), start=1):
            self.talk.tell(f"  {number}. {level.name:9}  the computer: {level.words}")
        while True:
            typed = self._ask("Opponent [0] ").lower() or "0"
            if typed.isascii() and typed.isdigit() and int(typed) < len(choices):
                typed = choices[int(typed)]
            if typed in choices:
                self.answers["opponent"] = self.answers["player2"] = typed
                return
            self.talk.tell(f"Type a number from 0 to {len(LEVELS)}, or a name.")

    def _ask_first(self) -> None:
        players = self._players()
        while True:
            typed = self._ask(
                f"Who moves first: {players[0]}, {players[1]} or coin? [{players[0]}] "
            )
            if typed in {"1", "2"}:
                typed = players[int(typed) - 1]
            try:
                order_players(players, typed, self.chance)
            except DuelsError as error:
                self.talk.tell(str(error))
                continue
            self.answers["first"] = typed
            return

    def _ask_time_limit(self) -> None:
        while True:
            typed = self._ask("Seconds for each turn [no limit] ")
            try:
                read_time_limit(typed or None)
            except DuelsError as error:
                self.talk.tell(str(error))
                continue
            self.answers["time_limit"] = typed
            return

    def _ask(self, prompt: str) -> str:
        """An answer; Back and Left for the words that lead away."""
        while True:
            typed = self.talk.ask(prompt).strip()
            word = typed.lower()
            if word in {"quit", "exit"}:
                raise Left
            if word == "back":
                raise Back
            if word not in {"?", "help"}:
                return typed
            self.talk.tell(HELP)

    def _players(self) -> tuple[str, str]:
        return read_names((self.answers["player1"], self.answers["player2"]))

    def _new_match(self) -> Match:
        chosen = {name: self.answers[name] for name in option_fields(self.answers["game"])}
        players, said = order_players(self._players(), self.answers["first"], self.chance)
        self.talk.say("", *said)
        limit = self.answers["time_limit"] or None
        return new_match(game(self.answers["game"], **chosen), players, time_limit=limit)

    def _play(self, match: Match) -> Match | None:
        """Play a match, then the next one that is wished for; None for the list of games."""
        try:
            if match.moves:
                session = Session.resume(match.id, self.talk, self.store)
            else:
                session = Session(match, self.talk, self.store)
            match = session.run()
        except Left:
            return None
        except DuelsError as error:
            self.talk.tell(str(error))
            return None
        return self._next(match)

    def _next(self, match: Match) -> Match | None:
        one, two = match.players
        self.talk.tell(
            "", *(f"{n}. {what.format(two)}" for n, what in enumerate(NEXT.values(), start=1))
        )
        words = list(NEXT)
        while True:
            try:
                typed = self._ask("What next? [1] ").lower() or "1"
            except Back:
                return None
            if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(words):
                typed = words[int(typed) - 1]
            match typed.split()[0]:
                case "rematch":
                    return new_match(match.game, (two, one), time_limit=match.time_limit)
                case "same":
                    return new_match(match.game, (one, two), time_limit=match.time_limit)
                case "another":
                    return None
                case "review":
                    self.talk.tell("", *move_lines(review(match)), "")
                case "quit":
                    raise Left
                case _:
                    self.talk.tell("Type a number from 1 to 5.")

    def _unfinished(self) -> list[Match]:
        matches = [match for match in self.store.all() if not isinstance(match, RecordError)]
        return [match for match in matches if not match.outcome]


def pick_game(typed: str) -> str | None:
    """The id of a game by its number, its id, its title or the beginning of one of them."""
    ids = list(GAMES)
    if typed.isascii() and typed.isdigit():
        return ids[int(typed) - 1] if 1 <= int(typed) <= len(ids) else None
    wanted = "-".join(typed.lower().split())
    if wanted in ids:
        return wanted
    fitting = [game_id for game_id in ids if wanted and game_id.startswith(wanted)]
    return fitting[0] if len(fitting) == 1 else None
