"""The command `engine`: the computer as a UGI program on standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import click

from duels import __version__
from duels.cli.options import GAME, GameCommand, given, options_of_games
from duels.core.errors import TITLE, DuelsError
from duels.core.game import Game, Position
from duels.core.words import listed, quoted, whole_number
from duels.games import GAMES, all_games, find_game, game
from duels.players.levels import BUILT_IN, computer_move

QUESTIONS = ("gameover", "p1turn", "result")
OWN = ("game", "level", "seed")
"""The settings that are not options of games."""


@click.command(cls=GameCommand)
@click.argument("game_id", metavar="[GAME]", default=lambda: next(iter(GAMES)), type=GAME)
@click.option("--level", type=click.Choice(BUILT_IN), default="perfect", show_default=True)
@click.option("--seed", type=int, default=0, help="The same seed gives the same answers.")
def engine(game_id: str, level: str, seed: int, **options: str | None) -> None:
    """Speak UGI, so that other programs can play against this one.

    On standard input and output. Game, options, level and seed can also be set with
    setoption. Try: ugi, isready, position startpos moves 28, go movetime 1000,
    query result, quit.
    """
    talk = Engine(game_id, level, seed, given(options))
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        for line in talk.answers(sys.stdin):
            print(line, flush=True)
    except BrokenPipeError:
        sys.stdout = None  # whoever listened has gone; there is nothing left to flush


class Engine:
    """What the engine answers to each line. It keeps one position."""

    def __init__(self, game_id: str, level: str, seed: int, options: dict[str, str]) -> None:
        playing = game(game_id, **{**find_game(game_id).usual().options, **options})
        self.settings = {"game": game_id, "level": level, "seed": str(seed), **options}
        self.position: Position | None = playing.start()
        self.thinks_on = False

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """The answers to all lines, until quit."""
        for line in lines:
            word, *rest = line.split() or [""]
            if word == "quit":
                return
            # As in UCI, a line that means nothing to us is ignored.
            answer = getattr(self, f"_say_{word}", None) if word.isascii() else None
            try:
                yield from answer(rest) if answer else ()
            except DuelsError as error:
                yield f"info string {error}"

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
        """As text: each game has its own default and limits. "<empty>" is UCI's word for none."""
        return f"option name {name} type string default {self.settings.get(name, '<empty>')}"

    def _say_isready(self, rest: list[str]) -> Iterator[str]:
        yield "readyok"

    def _say_uginewgame(self, rest: list[str]) -> Iterator[str]:
        self.thinks_on = False
        self.position = _game(self.settings).start()
        yield from ()

    def _say_setoption(self, rest: list[str]) -> Iterator[str]:
        """setoption name NAME value VALUE; a game that is set forgets the options of the last."""
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
        """position startpos [moves MOVE ...]"""
        self.position, self.thinks_on = None, False
        if rest[:1] != ["startpos"] or rest[1:2] not in ([], ["moves"]):
            yield "info string A position is given as: position startpos moves MOVE MOVE ..."
            return
        self.position = _game(self.settings).position(*rest[2:])

    def _say_go(self, rest: list[str]) -> Iterator[str]:
        """Verdicts are exact and quick, so every limit is kept by answering at once."""
        self.thinks_on = rest[:1] == ["infinite"]
        if not self.thinks_on:
            yield self._best_move()

    def _say_stop(self, rest: list[str]) -> Iterator[str]:
        if self.thinks_on:
            self.thinks_on = False
            yield self._best_move()

    def _say_query(self, rest: list[str]) -> Iterator[str]:
        question = rest[0] if rest else ""
        if question not in QUESTIONS:
            yield f"info string A query is one of {listed(QUESTIONS)}."
        elif self.position is None:
            yield "info string There is no position to ask about."
        else:
            yield f"response {_answer(question, self.position)}"

    def _best_move(self) -> str:
        here = self.position
        if here is None or here.outcome:
            return "bestmove none"
        move = computer_move(self.settings["level"], here, int(self.settings["seed"]))
        return f"bestmove {here.game.format(move)}"

    def _take(self, settings: dict[str, str]) -> None:
        """Settings that can be played with; a sentence otherwise, and the old ones stay."""
        if settings["level"] not in BUILT_IN:
            raise DuelsError(f"level must be {listed(BUILT_IN, 'or')}.")
        if whole_number(settings["seed"]) is None:
            raise DuelsError("seed must be a whole number.")
        playing = _game(settings)
        if playing != _game(self.settings):
            self.position = playing.start()
        self.settings = settings


def _game(settings: dict[str, str]) -> Game:
    """The game with those of the settings that are options of it, the others as usual."""
    kind = find_game(settings["game"])
    return kind.usual(**{name: settings[name] for name in kind.fields if name in settings})


def _answer(question: str, position: Position) -> str:
    outcome = position.outcome
    if question == "result":
        return f"p{outcome.winner}win" if outcome else "none"
    is_so = bool(outcome) if question == "gameover" else position.to_move == 1
    return str(is_so).lower()
