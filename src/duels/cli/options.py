"""What commands share: the game argument, the options of games, JSON and files."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial, wraps
from typing import IO, TYPE_CHECKING, Any

import click

from duels.core.errors import DuelsError, MissingOption, OptionNameError
from duels.core.game import Game, Position
from duels.core.options import Option
from duels.core.words import capital, counted, quoted
from duels.games import GAMES, all_games, find_game, game, game_to_solve, games_called

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

STANDARD = "-"
"""Standard output, or input, instead of a file."""

Completer = Callable[[click.Context, click.Parameter, str], list[str]]


class GameId(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """The id of a game, or a part of its name that no other game has.

    Games of installed packages are only searched for when no id fits.
    """

    name = "game"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        try:
            return find_game(str(value).lower()).id
        except OptionNameError as error:
            called = games_called(str(value))
            if len(called) == 1:
                return called[0].id
            if not called:
                self.fail(str(error), param, ctx)
            begun = f"{ctx.command_path} " if ctx else ""
            lines = "".join(f"\n  {begun}{kind.id}" for kind in called)
            several = f"{quoted(value)} matches {counted(len(called), 'game')}. Type one of these:"
            raise click.UsageError(several + lines, ctx) from None

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        begun = [kind for name, kind in all_games().items() if name.startswith(incomplete)]
        found = begun or games_called(incomplete)
        return [CompletionItem(kind.id, help=kind.summary) for kind in found]


class GameWithOptions(GameId):
    """A game that may have options, GAME:OPTION=VALUE; its name may be cut short as in GameId."""

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        name, colon, options = str(value).partition(":")
        called = games_called(name)
        return f"{called[0].id}{colon}{options}" if len(called) == 1 else str(value)


GAME = GameId()
game_argument = click.argument("game_id", metavar="GAME", type=GAME)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")


class GameCommand(click.Command):
    """A command with a flag for every option of every game; the games themselves read the values.

    Options of games from installed packages are only added if the command may be about such a game.
    """

    has_size = True

    def __init__(
        self, *args: Any, examples: tuple[tuple[str, str], ...] = (), **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self.examples = examples

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

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """After the options, list the games and show the examples, if there are any."""
        super().format_epilog(ctx, formatter)
        if self.examples:
            from duels.cli.help import write_examples

            with formatter.section("Games"):
                formatter.write_dl([(kind.id, kind.summary) for kind in all_games().values()])
            write_examples(formatter, self.examples)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; name a missing option as it is typed."""
        try:
            return super().invoke(ctx)
        except MissingOption as error:
            words = GAMES[error.game_id].fields[error.name].words
            flag = f"{flag_of(error.name)} {error.example}"
            raise click.UsageError(f"{error.game_id} needs {words}, for example: {flag}") from None


class SizeCommand(GameCommand):
    """The same without the option that sets the size of the board."""

    has_size = False


def options_of_games() -> dict[str, list[type[Game]]]:
    """Return every option of the known games by name, with the games that have it."""
    found: dict[str, list[type[Game]]] = {}
    for kind in GAMES.values():
        for name in kind.fields:
            found.setdefault(name, []).append(kind)
    return found


def _flag(name: str, kinds: list[type[Game]]) -> click.Option:
    option: Option = kinds[0].fields[name]
    where = "" if len(kinds) > 2 else f" ({', '.join(kind.id for kind in kinds)})"
    return click.Option(
        [flag_of(name), name],
        metavar=name.upper(),
        help=f"{capital(option.words)}{where}.",
        shell_complete=completing(*option.choices),
    )


def flag_of(name: str) -> str:
    """Return the flag of an option."""
    return f"--{name.replace('_', '-')}"


def completing(*words: str) -> Completer:
    """Return a completer that offers these words; others may be typed too."""
    return lambda _context, _option, begun: [word for word in words if word.startswith(begun)]


def position_command(about: Callable[..., None], make: Callable[..., Game] = game) -> click.Command:
    """Make a command of a function about a position: with game, options, moves and --json."""

    @click.command(cls=GameCommand)
    @game_argument
    @click.argument("moves", metavar="[MOVES]...", nargs=-1)
    @json_option
    @wraps(about)
    def command(game_id: str, moves: tuple[str, ...], **more: Any) -> None:
        options = {name: more.pop(name, None) for name in options_of_games()}
        about(make(game_id, **given(options)).position(*moves), **more)

    return command


solve_command = partial(position_command, make=game_to_solve)
"""The same for boards that may be too large to play on."""


def given(options: dict[str, str | None]) -> dict[str, str]:
    """Return the options of games that were given."""
    return {name: value for name, value in options.items() if value is not None}


def print_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False))


def position_data(position: Position) -> dict[str, Any]:
    """Return a position as plain data; a pair is a list of two."""
    return start_data(position) | {"legal_moves": list(position.legal_moves)}


def start_data(position: Position) -> dict[str, Any]:
    """Return the same without the legal moves."""
    return {
        "game": position.game.id,
        "options": dict(position.game.options),
        "moves": list(position.moves),
        "to_move": position.to_move,
        "outcome": position.outcome._asdict() if position.outcome else None,
    }


def write_binary(name: str, write: Callable[[IO[bytes]], None]) -> None:
    """Let a function write a file that the user named; DuelsError if that fails."""
    from pathlib import Path

    from duels.core.files import draft, remove_stale_drafts

    path = Path(name)
    try:
        whole = path.resolve()  # a link stays a link
        remove_stale_drafts(whole.parent)
        with draft(whole) as file:
            write(file)
    except OSError as error:
        raise DuelsError(f"{path} cannot be written: {error.strerror}.") from None


def write_file(name: str, text: str) -> None:
    """Write a file that the user named, or standard output; DuelsError if that fails."""
    if name == STANDARD:
        click.echo(text, nl=not text.endswith("\n"))
        return
    from pathlib import Path

    from duels.core.files import remove_stale_drafts, replace_file

    path = Path(name)
    try:
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            path.write_text(text, encoding="utf-8")
        else:
            whole = path.resolve()  # a link stays a link
            remove_stale_drafts(whole.parent)
            replace_file(whole, text)
    except OSError as error:
        raise DuelsError(f"{path} cannot be written: {error.strerror}.") from None
