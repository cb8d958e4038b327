"""What several commands share: the game argument, the game's options, JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from duels.core.errors import MissingOption, OptionNameError
from duels.core.game import Game, Position
from duels.core.options import Option
from duels.core.words import listed, quoted
from duels.games import GAMES, all_games, find_game, game, games_called

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Completer = Callable[[click.Context, click.Parameter, str], list[str]]


class GameId(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """The id of a game, or a part of its name that no other game has.

    Games of installed packages are only looked for when no id fits.
    """

    name = "game"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        try:
            return find_game(str(value).lower()).id
        except OptionNameError as error:
            called = games_called(str(value))
            if len(called) == 1:
                return called[0].id
            several = listed([kind.id for kind in called], "or") if called else ""
            self.fail(f"{quoted(value)} may be {several}." if called else str(error), param, ctx)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in all_games() if name.startswith(incomplete)]


GAME = GameId()
game_argument = click.argument("game_id", metavar="GAME", type=GAME)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")


class GameCommand(click.Command):
    """A command with a flag for every option of every game; the games themselves read the values.

    Options of installed packages' games are only there when such a game may be meant.
    """

    has_size = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not any(word.lower() in GAMES for word in args):
            all_games()
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = super().get_params(ctx)
        own = [place for place, param in enumerate(params) if isinstance(param, click.Option)]
        at = own[0] if own else len(params)
        flags = [
            _flag(name, kinds)
            for name, kinds in options_of_games().items()
            if self.has_size or not any(kind.fields[name].is_size for kind in kinds)
        ]
        return [*params[:at], *flags, *params[at:]]

    def invoke(self, ctx: click.Context) -> Any:
        """An option that is missing is shown as one types it."""
        try:
            return super().invoke(ctx)
        except MissingOption as error:
            words = GAMES[error.game_id].fields[error.name].words
            flag = f"{_typed(error.name)} {error.example}"
            raise click.UsageError(f"{error.game_id} needs {words}, for example: {flag}") from None


class SizeCommand(GameCommand):
    """The same without the option that is the size."""

    has_size = False


def options_of_games() -> dict[str, list[type[Game]]]:
    """Every option of the games that are known, with the games that have it."""
    found: dict[str, list[type[Game]]] = {}
    for kind in GAMES.values():
        for name in kind.fields:
            found.setdefault(name, []).append(kind)
    return found


def _flag(name: str, kinds: list[type[Game]]) -> click.Option:
    option: Option = kinds[0].fields[name]
    where = "" if len(kinds) > 2 else f" ({', '.join(kind.id for kind in kinds)})"
    return click.Option(
        [_typed(name), name],
        metavar=name.upper(),
        help=f"{option.words[:1].upper()}{option.words[1:]}{where}.",
        shell_complete=completing(*option.choices),
    )


def _typed(name: str) -> str:
    """How the option of that name is typed."""
    return f"--{name.replace('_', '-')}"


def completing(*words: str) -> Completer:
    """What a shell offers for an option that also takes other words."""
    return lambda _context, _option, begun: [word for word in words if word.startswith(begun)]


def position_command(about: Callable[..., None]) -> click.Command:
    """A command that takes a game, its options, moves and --json, and is about the position."""

    @click.command(cls=GameCommand)
    @game_argument
    @click.argument("moves", metavar="[MOVES]...", nargs=-1)
    @json_option
    @wraps(about)
    def command(game_id: str, moves: tuple[str, ...], **more: Any) -> None:
        options = {name: more.pop(name, None) for name in options_of_games()}
        about(game(game_id, **given(options)).position(*moves), **more)

    return command


def given(options: dict[str, str | None]) -> dict[str, str]:
    """The options of games that somebody gave."""
    return {name: value for name, value in options.items() if value is not None}


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
