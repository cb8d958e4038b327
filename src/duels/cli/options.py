"""What several commands share: the game argument, the game's options, JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from duels.core.errors import OptionError
from duels.core.game import Position
from duels.games import GAMES, option_fields
from duels.games.criteria import CRITERIA
from duels.games.options import OPTIONS
from duels.games.sequence_duel import OPENINGS

F = TypeVar("F", bound=Callable[..., Any])
Completer = Callable[[click.Context, click.Parameter, str], list[str]]

STANDARD = Path("-")
"""Standard output, or input, where a file could be."""

GAME = click.Choice(list(GAMES), case_sensitive=False)
game_argument = click.argument("game_id", metavar="GAME", type=GAME)
moves_argument = click.argument("moves", metavar="[MOVES]...", nargs=-1)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")


def game_options(command: F) -> F:
    """Every option of every game as a flag; their values are read by the games themselves."""
    for name, words in reversed(OPTIONS.items()):
        games = [game_id for game_id in GAMES if name in option_fields(game_id)]
        where = "" if len(games) > 2 else f" ({', '.join(games)})"
        told = f"{words.capitalize()}{where}."
        command = click.option(
            f"--{name}", metavar=name.upper(), help=told, shell_complete=completing(*VALUES[name])
        )(command)
    return command


def completing(*words: str) -> Completer:
    """What a shell offers for an option that also takes other words."""
    return lambda _context, _option, begun: [word for word in words if word.startswith(begun)]


VALUES = {"numbers": (), "divisor": (), "criteria": tuple(CRITERIA), "opening": OPENINGS}


def given(options: dict[str, str | None]) -> dict[str, str]:
    """The options of games that somebody gave."""
    return {name: value for name in OPTIONS if (value := options.get(name)) is not None}


def write_file(path: Path, text: str) -> None:
    """Write a file that somebody asked for; a sentence if that cannot be done."""
    if path == STANDARD:
        click.echo(text, nl=not text.endswith("\n"))
        return
    from duels.record.store import replace_file

    try:
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            path.write_text(text, encoding="utf-8")
        else:
            replace_file(path.resolve(), text)  # a link stays a link
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror}.") from None


def print_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False))


def position_data(position: Position) -> dict[str, Any]:
    """A position as plain data; a pair is a list of two."""
    return {
        "game": position.game.id,
        "options": dict(position.game.options),
        "moves": list(position.moves),
        "to_move": position.to_move,
        "outcome": position.outcome._asdict() if position.outcome else None,
        "legal_moves": list(position.legal_moves),
    }
