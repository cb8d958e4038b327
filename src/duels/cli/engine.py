"""The command `engine`: the computer as a UGI program on standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import click

from duels import __version__
from duels.cli.options import GAME, game_options, given
from duels.core.errors import DuelsError
from duels.core.game import Game, Position
from duels.core.words import listed, quoted, whole_number
from duels.games import GAMES, game, option_fields
from duels.games.options import OPTIONS
from duels.players.specs import BUILT_IN, Seeded

DIVISOR = "7"
"""What Divisor Duel is played with until somebody sets a divisor: UGI options have defaults."""

QUESTIONS = ("gameover", "p1turn", "result")


@click.command()
@click.argument("game_id", metavar="[GAME]", default="number-duel", type=GAME)
@game_options
@click.option("--level", type=click.Choice(BUILT_IN), default="perfect", show_default=True)
@click.option("--seed", type=int, default=0, help="The same seed gives the same answers.")
def engine(game_id: str, level: str, seed: int, **options: str | None) -> None:
    """Speak UGI, so that other programs can play against this one.

    On standard input and output. Game, options, level and seed can also be set with
    setoption. Try: ugi, isready, position startpos moves 28, go movetime 1000,
    query result, quit.
    """
    chosen = given(options)
    if game_id == "divisor-duel":
        chosen.setdefault("divisor", DIVISOR)
    game(game_id, **chosen)  # what is wrong with the options is said before the talk begins
    talk = Engine(game_id, level, seed, chosen)
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        for line in talk.answers(sys.stdin):
            print(line, flush=True)
    except BrokenPipeError:
        sys.stdout = None  # whoever listened has gone; there is nothing left to flush


class Engine:
    """What the engine says to each line that it is told. It keeps one position."""

    def __init__(self, game_id: str, level: str, seed: int, options: dict[str, str]) -> None:
        self.settings = {"game": game_id, "level": level, "seed": str(seed)}
        self.settings |= {"divisor": DIVISOR, **options}
        self.position: Position | None = _game(self.settings).start()
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
        yield f"id name Number Duels {__version__}"
        yield "id author the Number Duels project"
        combos = {"game": tuple(GAMES), "level": BUILT_IN, "opening": ("any", "even")}
        for name, choices in combos.items():
            default = self.settings.get(name, choices[0])
            told = "".join(f" var {choice}" for choice in choices)
            yield f"option name {name} type combo default {default}{told}"
        # As text: each game has its own default and limits. "<empty>" is UCI's word for none.
        for name in ("numbers", "criteria", "divisor", "seed"):
            yield f"option name {name} type string default {self.settings.get(name, '<empty>')}"
        yield "ugiok"

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
            settings = {key: settings[key] for key in ("game", "level", "seed", "divisor")}
        if name in ("game", "level", "seed", *OPTIONS):
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
        here = _game(self.settings).start()
        for move in rest[2:]:
            here = here.play(here.game.parse(move))
        self.position = here

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
        move = Seeded(self.settings["level"], int(self.settings["seed"])).choose(here)
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
    """The game with those of the settings that are options of it."""
    game_id = settings["game"]
    known = option_fields(game_id) if game_id in GAMES else {}
    return game(game_id, **{name: settings[name] for name in known if name in settings})


def _answer(question: str, position: Position) -> str:
    outcome = position.outcome
    if question == "result":
        return f"p{outcome.winner}win" if outcome else "none"
    told = bool(outcome) if question == "gameover" else position.to_move == 1
    return str(told).lower()
