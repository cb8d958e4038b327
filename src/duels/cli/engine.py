"""The command `engine`: the computer as a UGI program on standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from threading import Event, Lock, Thread, Timer

import click

from duels import __version__
from duels.cli.options import GAME, GameCommand, given, options_of_games
from duels.core.errors import TITLE, DuelsError, TooLarge
from duels.core.game import Game, Move, Position
from duels.core.words import listed, quoted, whole_number
from duels.games import GAMES, all_games, find_game, game
from duels.match.players.levels import BUILT_IN, computer_move
from duels.theory import theory_of, winning_moves

SURE = 10_000
"""The score of a certain win, in hundredths; verdicts are exact, so no other score is needed."""
USUAL_DEPTH = 3
"""Moves of the variation that is shown by default; a longer one takes time."""

_saying = Lock()


def say(line: str) -> None:
    """Print a line at once; BrokenPipeError if the reader is gone."""
    with _saying:
        try:
            print(line, flush=True)
        except BrokenPipeError:
            sys.stdout = None  # there is nothing left to flush
            raise


class Search(Thread):
    """A search of a position until it is done or stopped; it prints bestmove once."""

    def __init__(
        self,
        position: Position | None,
        choose: Callable[[Position], Move],
        *,
        is_infinite: bool,
        depth: int | None,
        milliseconds: int | None,
    ) -> None:
        super().__init__(daemon=True)
        self._position = None if position is None or position.outcome else position
        self._choose = choose
        self._is_infinite = is_infinite
        self._depth = sys.maxsize if is_infinite else depth or USUAL_DEPTH
        self._move: Move | None = None
        self._answering = Lock()
        self._answered = Event()
        self._timer: Timer | None = None
        if milliseconds and not is_infinite:
            self._timer = Timer(milliseconds / 1000, self.stop)
            self._timer.daemon = True

    def run(self) -> None:
        with suppress(BrokenPipeError):
            if self._timer:
                self._timer.start()
            if self._position:
                try:
                    self._think(self._position)
                except DuelsError as error:
                    self._tell(f"info string {error}")
            if not self._is_infinite:
                self.stop()

    def stop(self) -> None:
        """Print the best move found so far, unless bestmove was printed already."""
        with self._answering:
            if self._answered.is_set():
                return
            if self._timer:
                self._timer.cancel()
            here, move = self._position, self._move
            if here and move is None:
                move = here.legal_moves[0]
            self._answered.set()
            say(f"bestmove {here.game.format(move) if here and move is not None else 'none'}")

    def finish(self) -> None:
        """Wait for bestmove; an infinite search is abandoned."""
        if not self._is_infinite:
            self._answered.wait()
        with self._answering:
            self._answered.set()

    def _tell(self, line: str) -> None:
        """Print a line before bestmove; after it, nothing is printed."""
        with self._answering:
            if not self._answered.is_set():
                say(line)

    def _think(self, position: Position) -> None:
        """Choose a move, then report the variation with best play, one move deeper each time."""
        self._move = self._choose(position)
        try:
            score = SURE if self._move in winning_moves(position) else -SURE
        except TooLarge as error:
            self._tell(f"info string {error}")
            return
        line, here = [self._move], position.play(self._move)
        while not self._answered.is_set():
            written = " ".join(map(position.game.format, line))
            self._tell(f"info depth {len(line)} score cp {score} pv {written}")
            if here.outcome or len(line) >= self._depth:
                return
            line.append(_best(here))
            here = here.play(line[-1])


def _best(position: Position) -> Move:
    """Return a winning move, or the move that is hardest to answer."""
    winning = winning_moves(position)
    return winning[0] if winning else theory_of(position).hardest(position).move


QUESTIONS = ("gameover", "p1turn", "result")
OWN = ("game", "level", "seed")
"""The settings that are not options of a game."""
WHILE_THINKING = ("isready", "stop")
"""The commands that are answered at once, even during a search."""


@click.command(cls=GameCommand)
@click.argument("game_id", metavar="[GAME]", default=lambda: next(iter(GAMES)), type=GAME)
@click.option("--level", type=click.Choice(BUILT_IN), default="perfect", show_default=True)
@click.option("--seed", type=int, default=0, help="Make the moves repeatable.")
def engine(game_id: str, level: str, seed: int, **options: str | None) -> None:
    """Play against other programs through the UGI protocol.

    The engine reads standard input and writes standard output. Game, options, level and seed can
    also be set with setoption. Try: ugi, isready, position startpos moves 28, go movetime 1000,
    go infinite, stop, query result, quit. A score of cp 10000 is a certain win.
    """
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    with suppress(BrokenPipeError):
        Engine(game_id, level, seed, given(options)).hear(sys.stdin)


class Engine:
    """The state of the engine, and its response to each line; it may be searching."""

    def __init__(self, game_id: str, level: str, seed: int, options: dict[str, str]) -> None:
        playing = game(game_id, **{**find_game(game_id).usual().options, **options})
        self.settings = {"game": game_id, "level": level, "seed": str(seed), **options}
        self.position: Position | None = playing.start()
        self._search: Search | None = None

    def hear(self, lines: Iterable[str]) -> None:
        """Respond to each line until quit."""
        for line in lines:
            word, *rest = line.split() or [""]
            if word == "quit":
                break
            # As in UCI, an unknown line is ignored.
            answer = getattr(self, f"_say_{word}", None) if word.isascii() else None
            if answer and word not in WHILE_THINKING:
                self._finish()
            try:
                for said in answer(rest) if answer else ():
                    say(said)
            except DuelsError as error:
                say(f"info string {error}")
        self._finish()

    def _finish(self) -> None:
        """Wait for a search that ends by itself; stop an infinite one without bestmove."""
        if self._search:
            self._search.finish()
            self._search = None

    def _say_ugi(self, rest: list[str]) -> Iterator[str]:
        yield f"id name {TITLE} {__version__}"
        yield f"id author the {TITLE} project"
        yield self._combo("game", tuple(all_games()))
        yield self._combo("level", BUILT_IN)
        for name, kinds in options_of_games().items():
            option = kinds[0].fields[name]
            if option.choices and not option.several:
                yield self._combo(name, tuple(option.choices))
            else:
                yield self._text(name)
        yield self._text("seed")
        yield "ugiok"

    def _combo(self, name: str, choices: tuple[str, ...]) -> str:
        words = "".join(f" var {choice}" for choice in choices)
        return f"option name {name} type combo default {self.settings.get(name, choices[0])}{words}"

    def _text(self, name: str) -> str:
        """Return an option as text; if the games have different defaults, it is "<empty>"."""
        kinds = options_of_games().get(name, ())
        usual = {str(kind.usual().options[name]) for kind in kinds}
        default = usual.pop() if len(usual) == 1 else "<empty>"
        return f"option name {name} type string default {self.settings.get(name, default)}"

    def _say_isready(self, rest: list[str]) -> Iterator[str]:
        yield "readyok"

    def _say_uginewgame(self, rest: list[str]) -> Iterator[str]:
        self.position = _game(self.settings).start()
        yield from ()

    def _say_setoption(self, rest: list[str]) -> Iterator[str]:
        """Handle setoption name NAME value VALUE; changing the game resets the options."""
        words = " ".join(rest)
        name, _, value = words.removeprefix("name ").partition(" value ")
        name, value = name.strip().casefold(), value.strip()
        settings = dict(self.settings)
        if name == "game" and value != settings["game"]:
            settings = {key: settings[key] for key in OWN}
        if name in (*OWN, *options_of_games()):
            settings[name] = value
            self._take(settings)
        else:
            yield f"info string There is no option {quoted(name)}."

    def _say_position(self, rest: list[str]) -> Iterator[str]:
        """Handle position startpos [moves MOVE ...]."""
        self.position = None
        if rest[:1] != ["startpos"] or rest[1:2] not in ([], ["moves"]):
            yield "info string A position is given as: position startpos moves MOVE MOVE ..."
            return
        self.position = _game(self.settings).position(*rest[2:])

    def _say_go(self, rest: list[str]) -> Iterator[str]:
        """Search in a separate thread, so that isready and stop are handled meanwhile.

        Verdicts are exact and mostly quick; movetime ends a search that takes longer.
        """
        level, seed = self.settings["level"], int(self.settings["seed"])
        limits = {name: whole_number(value) for name, value in pairwise(rest)}
        self._search = Search(
            self.position,
            lambda here: computer_move(level, here, seed),
            is_infinite="infinite" in rest,
            depth=limits.get("depth"),
            milliseconds=limits.get("movetime"),
        )
        self._search.start()
        yield from ()

    def _say_stop(self, rest: list[str]) -> Iterator[str]:
        if self._search:
            self._search.stop()
            self._search = None
        yield from ()

    def _say_query(self, rest: list[str]) -> Iterator[str]:
        question = rest[0] if rest else ""
        if question not in QUESTIONS:
            yield f"info string A query is one of {listed(QUESTIONS)}."
        elif self.position is None:
            yield "info string There is no position to ask about."
        else:
            yield f"response {_answer(question, self.position)}"

    def _take(self, settings: dict[str, str]) -> None:
        """Apply these settings; DuelsError, leaving the old ones, if no game can have them."""
        if settings["level"] not in BUILT_IN:
            raise DuelsError(f"level must be {listed(BUILT_IN, 'or')}.")
        if whole_number(settings["seed"]) is None:
            raise DuelsError("seed must be a whole number.")
        playing = _game(settings)
        if playing != _game(self.settings):
            self.position = playing.start()
        self.settings = settings


def _game(settings: dict[str, str]) -> Game:
    """Return the game with those settings that are its options, and defaults for the others."""
    kind = find_game(settings["game"])
    return kind.usual(**{name: settings[name] for name in kind.fields if name in settings})


def _answer(question: str, position: Position) -> str:
    outcome = position.outcome
    if question == "result":
        return f"p{outcome.winner}win" if outcome else "none"
    is_so = bool(outcome) if question == "gameover" else position.to_move == 1
    return str(is_so).lower()
