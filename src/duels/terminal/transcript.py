"""One match in lines of text: the rule book's dialogue, and a board where there is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from duels.coach.hints import why_lines
from duels.coach.review import Review, review
from duels.coach.summary import review_lines
from duels.core.console import Progress
from duels.core.errors import DuelsError
from duels.core.look import MARKS
from duels.core.words import closest, did_you_mean
from duels.match.dialogue import dialogue_of
from duels.match.match import Match
from duels.match.players.specs import Forfeit
from duels.terminal.drawing import BoardText, draw, legend
from duels.terminal.records import Given, ask_consent
from duels.terminal.table import Table, duel_words
from duels.terminal.talk import QUITTING, Left, Talk, TimeUp
from duels.terminal.words import addressed, duration, rules_lines

COMMANDS = {
    "help": "list what you can type (also ?)",
    "moves": "list every legal move",
    "board": "show the board",
    "rules": "show the rules of this game",
    "hint": "get a little help; ask again for more",
    "why": "explain the last two moves",
    "undo": "take the last move back, if the other player agrees (undo 2: two moves)",
    "resign": "give up this game",
    "quit": "leave; the game is saved and can be resumed",
}
UNDO_ALONE = "take your last move back, and the reply to it"
"""What undo does against a computer."""
ALIASES = {
    "?": "help",
    "h": "help",
    "takeback": "undo",
    "give up": "resign",
    **dict.fromkeys(QUITTING, "quit"),
}
NOT_HERE = {
    **dict.fromkeys(("pass", "skip"), "You cannot pass: make a move, or resign."),
    "back": "Type undo to take a move back, or quit to leave the game.",
}
"""Words that players try, and what to do instead."""
MOST_LISTED = 2000
"""Legal moves that the command `moves` lists."""
TALLER = "In a taller window you see more rows."
ABOVE = 3
"""Lines that stay in view above a board: the player's last move, the computer's, an empty one."""


class View:
    """Shows a match to its players. On a pipe it is the rule book's sample dialogue and no more."""

    def __init__(self, table: Table, talk: Talk) -> None:
        self.talk = talk
        self.show_moves = table.show_moves
        self.dialogue = dialogue_of(table.match.game, talk.style.bold)
        self._just_said = False  # whether the last lines described the board

    def opening(self, match: Match) -> None:
        if not match.moves and (caution := match.game.caution()):
            self.talk.note(caution)
        self.talk.tell(*self.dialogue.opening(match))
        self._just_said = True
        if match.time_limit:
            self.talk.say(f"Time limit: {duration(match.time_limit)} per turn.")
        if match.moves:
            moves = ", ".join(map(match.game.format, match.moves))
            self.talk.tell("", f"Moves so far: {moves}")

    def turn(self, match: Match) -> None:
        """Say what comes before a move. On a terminal a computer's turn has no lines."""
        if self.talk.interactive and match.computer(match.position.to_move):
            return
        lines = self.dialogue.turn(match)
        says_all = self.dialogue.shows_board(match, just_said=self._just_said)
        board = self.show_board(match, lines) if self.talk.interactive and not says_all else []
        # What the board says need not be said again.
        self.talk.tell(*(line for line in lines if not line or line not in board))
        self._just_said = False

    def prompt(self, match: Match) -> str:
        return self.dialogue.prompt(match)

    def computer_thinks(self, match: Match) -> None:
        """On a pipe, print the prompt, so that the move follows it as if a person had typed it."""
        if not self.talk.interactive:
            self.talk.say_part(self.dialogue.prompt(match))

    def computer_moved(self, match: Match) -> None:
        """Say the last move of `match`: on a terminal the whole turn is one line."""
        if self.talk.interactive:
            self.tell_computers_move(match)
        else:
            self.talk.say(self.dialogue.move(match, match.moves[-1]))
            self.moved(match)

    def tell_computers_move(self, match: Match) -> None:
        player = 2 - len(match.moves) % 2
        mark = self.talk.style.player(MARKS[player], player)
        said = self.dialogue.in_one_line(addressed(match, with_level=False))
        self.talk.tell(f"{mark} {said}")
        self._just_said = False

    def moved(self, match: Match) -> None:
        """Say what follows the last move of `match`."""
        self.talk.tell(*self.dialogue.played(match))
        self._just_said = True

    def ending(self, match: Match) -> None:
        self.talk.tell(*self.dialogue.ending(match))

    def board(self, match: Match) -> None:
        """Show the board because the player asked for it."""
        columns, rows = self.talk.size
        board = self._drawn(match, columns, max(rows - 4, 5))
        self.talk.say(*board.lines)
        self.explain(board.lines, set())
        if board.is_cut:
            self.talk.say(*map(self.talk.style.faint, self.talk.wrapped(TALLER)))

    def _drawn(self, match: Match, *size: int) -> BoardText:
        return draw(match.position, self.talk.style, *size, show_moves=self.show_moves)

    def show_board(self, match: Match, turn: list[str]) -> list[str]:
        """Show the board if it fits with the lines below it, and return its lines."""
        talk = self.talk
        columns, rows = talk.size
        below = talk.wrapped(*turn, self.prompt(match))
        room = rows - len(below) - bool(match.time_limit)
        lines = whole = self._drawn(match, columns).lines
        if len(whole) > room:  # show the part around the last move if most of the board fits
            lines = self._drawn(match, columns, max(room, 1)).lines
            if not len(whole) // 2 < len(lines) <= room:
                return []
        talk.say(*([""] if len(lines) + ABOVE <= room else []), *lines)
        return [line.strip() for line in lines]

    def explain(self, board: list[str], said: set[str]) -> None:
        """Say what the brackets of a board mean, unless that was `said` before."""
        if meaning := legend(board, said):
            self.talk.say(*map(self.talk.style.faint, self.talk.wrapped(meaning)))


class Session:
    """A match between people or computers, as plain text.

    `given` is for a saved match: the player must agree to the programs that it would start and the
    files that it would write, except those named on the command line.
    """

    def __init__(
        self, table: Table, talk: Talk, view: View | None = None, given: Given | None = None
    ) -> None:
        self.table = table
        self.talk = talk
        self.view = view or View(table, talk)
        self.review: Review | None = None
        self._given = given

    @property
    def match(self) -> Match:
        return self.table.match

    def run(self) -> Match:
        """Play to the end and return the match; Left, EOFError or KeyboardInterrupt to leave."""
        with self.table as table:
            if self._given is not None:
                table.reload()
                saver = table.saver
                saver.record_file = ask_consent(
                    self.talk, table.match, saver.record_file, self._given
                )
            table.begin()
            with self._saying_how_to_resume():
                self._play()
        return self.match

    def wait_for_enter(self) -> None:
        """Pause before a further game of a duel; Left, EOFError or KeyboardInterrupt to leave."""
        with self._saying_how_to_resume():
            if self.talk.ask("(Press Enter for the next game.) ").strip().lower() in QUITTING:
                raise Left

    @contextmanager
    def _saying_how_to_resume(self) -> Iterator[None]:
        try:
            yield
        except (Left, EOFError, KeyboardInterrupt):
            self.talk.note("", self.table.saver.how_to_resume(self.match))
            raise

    def _play(self) -> None:
        self.view.opening(self.match)
        while not self.match.outcome:
            self._turn()
        self.view.ending(self.match)
        if self.talk.interactive and self.match.moves:
            self._tell_review()

    def _tell_review(self) -> None:
        """Summarize the game, briefly enough that its end stays in view."""
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
        self.view.turn(before)
        if before.computer(before.position.to_move):
            self._computer_moves()
        while self.match is before:
            try:
                prompt = self.view.prompt(before)
                self._answer(self.talk.ask(prompt, self.table.seconds_left))
            except TimeUp:
                self.talk.say("")
                self.table.run_out_of_time()
            except DuelsError as error:
                self.talk.tell(str(error))

    def _computer_moves(self) -> None:
        self.view.computer_thinks(self.match)
        try:
            with Progress("Thinking"):
                move = self.table.choose()
        except Forfeit as lost:
            self.talk.say("", lost.detail)
            self.table.forfeit(lost)
            return
        self.table.play(move)
        if self.match.ended:  # it took too long
            self.talk.say("")
        else:
            self.view.computer_moved(self.match)

    def _answer(self, typed: str) -> None:
        """Obey a command, or play a move."""
        typed_words = " ".join(typed.lower().split())
        word, *rest = ALIASES.get(typed_words, typed_words).split() or [""]
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
            self.talk.tell(f"{error}{meant or ' Type help for a list of commands.'}")
            return
        self.table.play(move)
        if not self.match.ended:
            self.view.moved(self.match)

    def _help(self) -> None:
        commands = COMMANDS | ({"undo": UNDO_ALONE} if self.match.person else {})
        self.talk.tell("Type your move, or one of these:")
        self.talk.tell(*(f"  {name:7} {what}" for name, what in commands.items()))

    def _moves(self) -> None:
        position = self.match.position
        if position.legal_count > MOST_LISTED:
            count = f"{position.legal_count:,}"
            self.talk.tell(f"There are {count} legal moves. Here are the first {MOST_LISTED:,}.")
        moves = map(self.match.game.format, position.legal_moves[:MOST_LISTED])
        self.talk.tell(f"Legal moves: {', '.join(moves)}")

    def _board(self) -> None:
        self.view.board(self.match)

    def _rules(self) -> None:
        self.talk.page(*rules_lines(type(self.match.game), self.talk.size.columns))

    def _hint(self) -> None:
        with Progress("Thinking"):
            hint, has_more = self.table.hint()
        self.talk.tell(hint.text)
        if has_more:
            self.talk.tell("(Type hint again for more.)")

    def _why(self) -> None:
        with Progress("Thinking"):
            lines = why_lines(addressed(self.match, with_level=False))
        self.talk.tell(*lines)

    def _undo(self, count: str = "") -> None:
        takeback = self.table.takeback(count)
        if not takeback.opponent or self._agrees(takeback.opponent, takeback.question):
            self.table.take_back(takeback)
            self.talk.tell(f"Taken back: {takeback.moves}.")
        else:
            self.talk.tell(f"{takeback.opponent} does not agree, so the game continues.")

    def _agrees(self, name: str, question: str) -> bool:
        """Ask a player; if it is not that player's turn, the clock stops meanwhile."""
        if name == self.match.mover:
            return self.talk.agree(question, self.table.seconds_left)
        began = monotonic()
        try:
            return self.talk.agree(question)
        finally:
            self.table.add_time(monotonic() - began)

    def _resign(self) -> None:
        if self.talk.agree(self.table.resign_question, self.table.seconds_left):
            self.table.resign()

    def _quit(self) -> None:
        raise Left


def play_duel(session: Session) -> Session:
    """Play a match and those that follow it in its duel, and return the last session."""
    talk, before = session.talk, duel_words(session.match, session.table.strengths)
    talk.tell(*before, *([""] if before else []))
    while True:
        match = session.run()
        talk.tell(*([""] if match.duel else []), *session.table.count_result())
        following = match.next()
        if not following:
            return session
        session = Session(session.table.followed_by(following), talk)
        if talk.interactive:
            session.wait_for_enter()
        talk.say("")


def transcript(match: Match, emphasis: Callable[[str], str] = str) -> list[str]:
    """Return the rule book's dialogue of a whole match, as `duels play` prints it on a pipe."""
    dialogue, here = dialogue_of(match.game, emphasis), match.rewound(0)
    lines = [*dialogue.opening(here)]
    for number, move in enumerate(match.moves, start=1):
        lines += [*dialogue.turn(here), dialogue.prompt(here) + dialogue.move(here, move)]
        here = match if number == len(match.moves) else here.play(move)
        lines += dialogue.played(here)
    return [*lines, *(dialogue.ending(match) if match.outcome else [])]
