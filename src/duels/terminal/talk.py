"""Saying lines and asking for lines, on a terminal or through pipes; choices from a list."""

from __future__ import annotations

import codecs
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import ceil
from time import monotonic
from typing import Any, NamedTuple

from duels.core.console import wants_colour
from duels.core.errors import DuelsError
from duels.core.game import Game
from duels.core.look import IN_ASCII, TERMINAL_COLOURS, TERMINAL_GONE
from duels.core.options import Option, OptionValue
from duels.core.words import capital, closest, did_you_mean, listed, printable, whole_number
from duels.terminal.words import width, wrap

LONGEST_ECHO = 200
QUITTING = ("quit", "q", "exit")
GIVING_UP = ("give up", "giveup", "resign", "answer", "solution")
HELP = "Type an answer, or press Enter for the one in brackets. quit leaves."
LAST_SECONDS = 10
"""The seconds that are left when the player is warned."""


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII for characters that the terminal does not have."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(IN_ASCII.get(char, "?") for char in lacking), error.end


codecs.register_error("ascii-marks", _in_ascii)


class Left(Exception):
    """The player has left a game, a puzzle or a lesson that is not over."""


class TimeUp(Exception):
    """The seconds for an answer are over."""


@contextmanager
def countdown(seconds: float | None, tick: Callable[[int], None]) -> Iterator[None]:
    """Call `tick` with each whole second that is left; raise TimeUp in the middle of a read."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return
    seconds = max(seconds, 0.001)
    end = monotonic() + seconds

    def ring(*_: object) -> None:
        if (left := round(end - monotonic())) > 0:
            tick(left)
        else:
            raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds - (ceil(seconds) - 1), 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def drawn_again_after_stop(draw: Callable[[], None]) -> Iterator[None]:
    """After Ctrl-Z and `fg`, restore the terminal's mode and call `draw`.

    Python's readline does neither.
    """
    if not hasattr(signal, "SIGTSTP"):
        yield
        return

    def stop(*_: object) -> None:
        import termios

        clock, mode = {signal.SIGALRM}, termios.tcgetattr(sys.stdin)
        signal.pthread_sigmask(signal.SIG_BLOCK, clock)  # it would write over the shell's lines
        os.kill(os.getpid(), signal.SIGSTOP)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, mode)
        draw()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, clock)

    before = signal.signal(signal.SIGTSTP, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)


class Style:
    """Emphasis on a colour terminal, and nothing at all elsewhere."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def bold(self, text: str) -> str:
        return self._paint(text, "1")

    def faint(self, text: str) -> str:
        return self._paint(text, "2")

    def player(self, text: str, player: int) -> str:
        """Paint a text in the colour of player 1 or 2."""
        return self._paint(text, f"38;5;{TERMINAL_COLOURS[player]}")

    def gone(self, text: str) -> str:
        """Strike a text through, in grey."""
        return self._paint(text, f"9;38;5;{TERMINAL_GONE}")

    def last(self, text: str, player: int) -> str:
        """Underline a text: the last move."""
        return self._paint(text, f"1;4;38;5;{TERMINAL_COLOURS[player]}")

    def _paint(self, text: str, codes: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self.colour and text else text


class Talk:
    """A conversation on standard input and output; housekeeping goes to standard error."""

    def __init__(self) -> None:
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:  # closed by the parent process
                setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self.style = Style(wants_colour(is_terminal=sys.stdout.isatty()))
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            reconfigure: Any = getattr(stream, "reconfigure", None)
            if reconfigure:  # bytes that are no text, or marks that the terminal lacks
                reconfigure(errors="replace" if stream is sys.stdin else "ascii-marks")
        if self.interactive:
            with suppress(ImportError):
                import readline  # noqa: F401  (arrow keys and history at the prompt)

    @property
    def size(self) -> os.terminal_size:
        """Columns and rows, 80 x 24 where there is no terminal."""
        return shutil.get_terminal_size()

    def say(self, *lines: str) -> None:
        """Say lines to the players."""
        for line in lines:
            print(line)
        sys.stdout.flush()

    def tell(self, *lines: str) -> None:
        """Say lines that are wrapped to the window."""
        self.say(*self.wrapped(*lines))

    def page(self, *lines: str) -> None:
        """Tell a long text: in the pager, where a window is too small for it."""
        fitting = self.wrapped(*lines)
        if self.interactive and len(fitting) >= self.size.lines:
            from click import echo_via_pager

            echo_via_pager("\n".join(fitting), color=self.style.colour)
        else:
            self.say(*fitting)

    def wrapped(self, *lines: str) -> list[str]:
        """Return lines that fit the window; without a terminal they do not change."""
        if not self.interactive:
            return [*lines]
        room = max(self.size.columns - 1, 10)
        return [part for line in lines for part in wrap(line, room)]

    def say_part(self, text: str) -> None:
        """Begin a line that the next `say` ends."""
        print(text, end="", flush=True)

    def note(self, *lines: str) -> None:
        """Say something about the program, and not the game.

        There may be words of a file in it, or a file's name: nothing of that moves the cursor.
        """
        sys.stdout.flush()
        for line in self.wrapped(*map(printable, lines)):
            print(line, file=sys.stderr, flush=True)

    def ask(self, prompt: str, seconds: float | None = None) -> str:
        """Return the next line; EOFError at the end of input, TimeUp when the seconds are over."""
        *before, last = self.wrapped(prompt)
        prompt = last + " " * (prompt.endswith(" ") and not last.endswith(" "))
        if not self.interactive:
            return self._read(prompt, seconds)
        has_clock = seconds is not None and has_cursor()
        if has_clock:
            before = [_left(seconds or 0), *before]
        self.say(*before)

        def tick(left: int) -> None:
            self._tick(left, prompt, len(before))

        def draw() -> None:
            print(*before, f"{prompt}{_typed_so_far()}", sep="\n", end="", flush=True)

        try:
            with countdown(seconds, tick), drawn_again_after_stop(draw):
                answer = input(prompt)
        except (EOFError, KeyboardInterrupt):
            print()  # what follows begins a line of its own
            raise
        if has_clock and width(prompt + answer) < self.size.columns:
            up = len(before) + 1  # the clock has had its time
            print(f"\x1b[{up}A\x1b[M\x1b[{up - 1}B", end="", flush=True)
        return answer

    def _read(self, prompt: str, seconds: float | None) -> str:
        """Return the next line of a pipe, and print it, because a pipe does not echo."""
        self.say_part(prompt)
        with countdown(seconds, lambda _: None):
            line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(printable(line.rstrip("\r\n")[:LONGEST_ECHO], "�"), flush=True)
        return line

    def _tick(self, left: int, prompt: str, up: int) -> None:
        """Show the seconds that are left `up` lines above what is being typed."""
        typed = f"{prompt}{_typed_so_far()}"
        said = self.style.bold(_left(left)) if left <= LAST_SECONDS else _left(left)
        is_announced = left in (LAST_SECONDS, LAST_SECONDS // 2)
        if not has_cursor():
            if is_announced:
                print(f"\n{said}\n{typed}", end="", flush=True)
        elif width(typed) < self.size.columns:  # else it is not known where the cursor is
            bell = "\a" if is_announced else ""
            print(f"{bell}\x1b7\x1b[{up}A\r\x1b[K{said}\x1b8", end="", flush=True)

    def agree(self, question: str, seconds: float | None = None) -> bool:
        """Say whether the answer is yes; Left if it is quit, TimeUp when the seconds are over."""
        end = None if seconds is None else monotonic() + seconds
        while True:
            left = None if end is None else end - monotonic()
            answer = self.ask(f"{question} (y/n) ", left).strip().lower()
            if answer in {"y", "yes", "n", "no"}:
                return answer.startswith("y")
            if answer in QUITTING:
                raise Left
            self.tell("Please answer y or n.")


def has_cursor() -> bool:
    """Say whether the terminal can move its cursor."""
    return os.environ.get("TERM", "dumb") != "dumb"


def _left(seconds: float) -> str:
    whole = ceil(seconds)
    only = "Only " if whole <= LAST_SECONDS else ""
    return f"{only}{whole} second{'' if whole == 1 else 's'} left"


def _typed_so_far() -> str:
    readline = sys.modules.get("readline")
    return str(readline.get_line_buffer()) if readline else ""


# Questions


class Item(NamedTuple):
    """An action to choose: by its key (Enter if that is empty) or by its word."""

    key: str
    word: str
    text: str


def ask(talk: Talk, prompt: str, help_text: str = HELP) -> str:
    """Return an answer; show `help_text` to a player who asks for help. Left if they quit."""
    while True:
        typed = talk.ask(prompt).strip()
        word = typed.lower()
        if word in QUITTING:
            raise Left
        if word not in {"?", "help"}:
            return typed
        talk.tell(help_text)


def ask_item(talk: Talk, prompt: str, items: Sequence[Item]) -> str:
    """Show some actions and return the word of the chosen one; "quit" when the input ends."""
    talk.tell("", *(f"  {item.key or 'Enter':5}  {item.text}" for item in items))
    choices = f"Press Enter, or type {listed([item.key for item in items if item.key], 'or')}."
    while True:
        try:
            typed = ask(talk, prompt, choices).lower()
        except (EOFError, Left):
            return "quit"
        exact = [item for item in items if typed in (item.key, item.word)]
        begun = [item for item in items if typed and item.word.startswith(typed)]
        if len(found := exact or begun) == 1:
            return found[0].word
        talk.tell(choices + did_you_mean(closest(typed, [item.word for item in items])))


def ask_number(talk: Talk, question: str, lines: Sequence[str], usual: int = 1) -> int:
    """Show numbered lines and return the index of the chosen one; a part of a line chooses too."""
    talk.tell(question, *(f"  {number}  {line}" for number, line in enumerate(lines, start=1)))
    prompt, choices = f"1 to {len(lines)}", f"Type a number from 1 to {len(lines)}."
    if len(lines) == 1:
        prompt, choices = "Press Enter", "There is only this one: press Enter, or type 1."
    while True:
        typed = ask(talk, f"{prompt} [{usual}]: ") or str(usual)
        number, word = whole_number(typed), _plain(typed)
        if number is not None and 1 <= number <= len(lines):
            return number - 1
        begun = [n for n, line in enumerate(lines) if _plain(line).startswith(word)]
        named = begun or [n for n, line in enumerate(lines) if word in _plain(line)]
        if number is None and len(named) == 1:
            return named[0]
        talk.tell(choices)


def _plain(text: str) -> str:
    return text.lower().replace("-", " ")


def ask_option(talk: Talk, kind: type[Game], name: str, known: Mapping[str, OptionValue]) -> str:
    """Return a value of an option that the game accepts; Enter takes the default or an example."""
    option = kind.fields[name]
    usual = option.example if option.default is None else option.default
    if option.choices:
        width = max(map(len, option.choices))
        talk.tell(f"{option.label}:")
        talk.tell(*(f"  {word:{width}}  {means}" for word, means in option.choices.items()))
    prompt = f"{_question(option)} [{usual}]: "
    while True:
        value = ask(talk, prompt) or str(usual)
        try:
            option.read(name, value)
            kind.usual(**{**known, name: value})
        except DuelsError as error:
            talk.tell(str(error))
            continue
        return value


def _question(option: Option) -> str:
    if option.choices:
        return "Which, joined by commas" if option.several else "Which one"
    return capital(option.words)
