"""One match at the terminal: ask, referee, save, and ask again."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from time import monotonic

from duels.coach.hints import Hint, hints, why_lines
from duels.coach.review import Review, review, review_lines
from duels.core.console import Progress
from duels.core.errors import DuelsError, MatchError
from duels.core.game import Move, other
from duels.core.words import closest, did_you_mean, listed, whole_number
from duels.match.match import Match
from duels.match.players import Player
from duels.match.players.specs import TIME_LIMIT, Forfeit, open_player
from duels.match.saved_games import SavedGames
from duels.terminal.clock import TimeUp
from duels.terminal.consent import Given, ask_consent
from duels.terminal.keeping import Keeper
from duels.terminal.rules import rules_lines
from duels.terminal.talk import Talk
from duels.terminal.view import View

COMMANDS = {
    "help": "what you can type (also ?)",
    "moves": "every move that is allowed now",
    "board": "the board as it stands, and what its brackets mean",
    "rules": "the rules of this game",
    "hint": "a little help; ask again for more",
    "why": "was your last move right, and the other one's, and why",
    "undo": "take the last move back, if the other player agrees (undo 2: the last two)",
    "resign": "give up this game",
    "quit": "leave; the game is kept and can be resumed",
}
ALIASES = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "takeback": "undo"}
NOT_HERE = {
    "pass": "There is no passing: you must move, or resign.",
    "back": "Type undo to take a move back, or quit to leave the game.",
}
"""Words that people try, and what there is instead."""


class Left(Exception):
    """The players have left a game that is not over."""


class Session:
    """People or computers at one terminal, and a store that keeps their match."""

    def __init__(
        self,
        match: Match,
        talk: Talk,
        store: SavedGames,
        record_file: Path | None = None,
        *,
        show_moves: bool = True,
        view: View | None = None,
    ) -> None:
        self.match = match
        self.talk = talk
        self.keeper = Keeper(store, talk, record_file)
        self.view = view or View(match.game, talk, show_moves=show_moves)
        self.review: Review | None = None
        self._resumed = ""  # the id by which somebody came back
        self._given = Given()
        self._began = monotonic()
        self._hints = 0
        self._stages: list[Hint] = []
        self._open = ExitStack()
        self._computers: dict[int, Player] = {}

    @classmethod
    def resume(
        cls, match_id: str, talk: Talk, store: SavedGames, given: Given | None = None
    ) -> Session:
        """A session that goes on with a saved match, or with its duel.

        What it would start or write is asked about, unless it was given on the command line.
        """
        session = cls(store.load_current(match_id)[0], talk, store)
        session._resumed, session._given = match_id, given or Given()
        return session

    def followed_by(self, match: Match) -> Session:
        """A session for the next match of the same duel."""
        keeper, show = self.keeper, self.view.show_moves
        return Session(match, self.talk, keeper.store, keeper.record_file, show_moves=show)

    def run(self) -> Match:
        """Play until somebody has won; Left, EOFError or KeyboardInterrupt if they leave before."""
        with self.keeper.store.playing(self.match.duel_id), self._open:
            if self._resumed:  # before we held the match, another window may have played on
                self.match = self.keeper.load(self._resumed)
                self.keeper.record_file = ask_consent(
                    self.talk, self.match, self.keeper.record_file, self._given
                )
            self.keeper.save(self.match)
            try:
                self._play()
            except (Left, EOFError, KeyboardInterrupt) as left:
                ended = isinstance(left, EOFError) and not self.talk.interactive
                if ended and not self._resumed:
                    self.talk.note("", self.keeper.give_up(self.match))
                else:
                    self.talk.note("", self.keeper.how_to_come_back(self.match))
                raise
        return self.match

    def _play(self) -> None:
        self.view.opening(self.match)
        while not self.match.outcome:
            self._turn()
        self.view.ending(self.match)
        if self.talk.interactive and self.match.moves:
            self._tell_review()

    def _tell_review(self) -> None:
        """In so few lines that the end of the game stays in view; `duels review` has them all."""
        try:
            with Progress("Reviewing") as progress:
                self.review = review(self.match, progress.share)
        except DuelsError as error:
            self.talk.note("", f"There is no review. {error}")
            return
        lines = review_lines(self.review, most=1)
        if len(self.talk.wrapped(*lines)) > self.talk.size.lines // 2:
            lines = review_lines(self.review, most=1, reasons=False)
        self.talk.note("", *lines)

    def _turn(self) -> None:
        """Ask until the match has changed: by a move, an undo, or its end."""
        before = self.match
        self._began, self._hints, self._stages = monotonic(), 0, []
        self.view.turn(before)
        if before.computer(before.position.to_move):
            self._computer_moves()
        while self.match is before:
            try:
                self._answer(self.talk.ask(self.view.prompt(before), self._seconds_left()))
            except TimeUp:
                self.talk.say("")
                self.match = before.out_of_time()
            except DuelsError as error:
                self.talk.tell(str(error))
        self.keeper.save(self.match)

    def _seconds_left(self) -> float | None:
        limit = self.match.time_limit
        return limit and limit - (monotonic() - self._began)

    def _computer_moves(self) -> None:
        match = self.match
        self.view.computer_thinks(match)
        try:
            with Progress("Thinking"):
                move = self._computer(match.position.to_move).choose(match.position)
        except Forfeit as lost:
            self.talk.say("", lost.detail)
            self.match = match.forfeit(lost)
            return
        self.match = match.play(move, monotonic() - self._began)
        if self.match.ended:  # it took too long
            self.talk.say("")
        else:
            self.view.computer_moved(self.match)

    def _computer(self, player: int) -> Player:
        """The computer of that seat, opened when it first moves and closed with the session."""
        if player not in self._computers:
            limit = self.match.time_limit or TIME_LIMIT
            opened = open_player(self.match.computer(player), self.match.seed, limit)
            self._computers[player] = self._open.enter_context(opened)
        return self._computers[player]

    def _answer(self, typed: str) -> None:
        """A command, or a move."""
        word, *rest = typed.strip().lower().split() or [""]
        command = ALIASES.get(word, word)
        if command in COMMANDS and (not rest or command == "undo"):
            getattr(self, f"_{command}")(*rest)
        elif not word:
            self.talk.tell("Type your move, or help.")
        elif word in NOT_HERE:
            self.talk.tell(NOT_HERE[word])
        else:
            self._move(typed)

    def _move(self, typed: str) -> None:
        try:
            move = self.match.game.parse(typed)
        except DuelsError as error:
            meant = did_you_mean(closest(typed, COMMANDS))
            self.talk.tell(f"{error}{meant or ' Type help to see what you can do.'}")
            return
        self.match = self.match.play(move, monotonic() - self._began)
        if not self.match.ended:
            self.view.moved(self.match)

    def _help(self) -> None:
        self.talk.tell("Type your move, or one of these:")
        self.talk.tell(*(f"  {name:7} {what}" for name, what in COMMANDS.items()))

    def _moves(self) -> None:
        legal = self.match.position.legal_moves
        if len(legal) > 2000:
            self.talk.tell(f"{len(legal):,} moves are allowed; the first 2,000 are:")
        self.talk.tell(f"Allowed now: {', '.join(self._written(legal[:2000]))}")

    def _written(self, moves: tuple[Move, ...]) -> list[str]:
        return [self.match.game.format(move) for move in moves]

    def _board(self) -> None:
        self.view.board(self.match)

    def _rules(self) -> None:
        self.talk.page(*rules_lines(type(self.match.game), self.talk.size.columns))

    def _hint(self) -> None:
        with Progress("Thinking"):
            stages = self._stages = self._stages or hints(self.match.position)
        self._hints = min(self._hints + 1, len(stages))
        self.talk.tell(stages[self._hints - 1].text)
        if self._hints < len(stages):
            self.talk.tell("(Type hint again for more.)")

    def _why(self) -> None:
        with Progress("Thinking"):
            lines = why_lines(self.view.named(self.match))
        self.talk.tell(*lines)

    def _undo(self, count: str = "") -> None:
        """Whoever's move goes back needs the consent of the other one; a computer agrees."""
        match = self.match
        against_computer = bool(match.computer(other(match.position.to_move)))
        plies = whole_number(count or ("2" if against_computer else "1"))
        if plies is None or plies < 1:
            raise MatchError("Say how many moves to take back, for example undo 2.")
        if against_computer and len(match.moves) - match.given == 1:
            raise MatchError("You have not moved yet; there is nothing to take back.")
        earlier = match.undo(plies)
        taken_back = listed(self._written(match.moves[-plies:]))
        asks, consents = earlier.mover, earlier.opponent
        if match.computer(earlier.position.to_move):
            raise MatchError(f"That would take back a move of the computer; try undo {plies + 1}.")
        question = f"{consents}, may {asks} take back {taken_back}?"
        if against_computer or self._agrees(consents, question):
            self.match = earlier
            self.talk.tell(f"Taken back: {taken_back}.")
        else:
            self.talk.tell(f"{consents} does not agree. The game goes on.")

    def _agrees(self, name: str, question: str) -> bool:
        """Whoever is to move answers on their own time; for the other one no clock runs."""
        if name == self.match.mover:
            return self.talk.agree(question, self._seconds_left())
        asked = monotonic()
        try:
            return self.talk.agree(question)
        finally:
            self._began += monotonic() - asked

    def _resign(self) -> None:
        question = f"{self.view.named(self.match).mover}, do you want to resign?"
        if self.talk.agree(question, self._seconds_left()):
            self.match = self.match.resign()

    def _quit(self) -> None:
        raise Left
