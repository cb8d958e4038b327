"""The command `duels`. Each command is imported when it is used, so that none pays for another.

Exit codes: 0 fine; 1 understood and refused; 2 not understood (usage); 130 interrupted.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from duels import __version__
from duels.core.errors import DuelsError, OptionNameError, UnreadableMove
from duels.core.words import printable

COMMANDS = {
    "play": "play",
    "resume": "records",
    "replay": "records",
    "games": "query",
    "rules": "query",
    "legal": "query",
    "perft": "query",
    "solve": "verdicts",
    "check": "verdicts",
    "learn": "learn",
    "review": "records",
    "puzzle": "puzzle",
    "serve": "serve",
    "engine": "engine",
    "arena": "arena",
    "exam": "exam",
    "eval": "eval",
    "atlas": "atlas",
    "completion": "query",
}
"""In which module of this package each command lives, in the order of the help."""


class Commands(click.Group):
    """The commands, imported one by one, and the sentences for what goes wrong in them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"duels.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it; what is no command may be close to one, or be a game."""
        typed = args[0]
        if typed in COMMANDS or typed.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from duels.core.words import closest, did_you_mean, quoted
        from duels.games import games_called

        close = closest(typed, COMMANDS)
        if not close and len(called := games_called(typed)) == 1:
            close = [f"play {called[0].id}"]
        raise click.UsageError(f"There is no command {quoted(typed)}.{did_you_mean(close)}", ctx)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return self._run(ctx)
        except click.ClickException as error:
            if not sys.stderr.isatty():
                raise
            raise _fitted(error) from error.__cause__

    def _run(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (OptionNameError, UnreadableMove) as error:
            raise click.UsageError(_shown(error)) from None
        except DuelsError as error:
            raise click.ClickException(_shown(error)) from None
        except KeyboardInterrupt:
            ctx.exit(130)
        except Exception as error:
            from duels.games.added import fault_of_a_game

            if sentence := fault_of_a_game(error):
                raise click.ClickException(sentence) from error
            raise


def _shown(error: DuelsError) -> str:
    """Its sentence. There may be words of a file in it: nothing of them moves the cursor."""
    return "\n".join(map(printable, str(error).split("\n")))


def _fitted(error: click.ClickException) -> click.ClickException:
    """The same with lines that fit the window: a terminal would break them inside a word."""
    if type(error).show not in (click.ClickException.show, click.UsageError.show):
        return error  # as where the message is the help
    from shutil import get_terminal_size

    from duels.terminal.words import wrap

    lines = f"Error: {error.format_message()}".split("\n")
    room = get_terminal_size().columns - 1
    text = "\n".join(part for line in lines for part in wrap(line, room))
    text = text.removeprefix("Error: ")
    if isinstance(error, click.UsageError):
        return click.UsageError(text, error.ctx)
    return click.ClickException(text)


def _use_files(_ctx: click.Context, _option: click.Parameter, files: tuple[str, ...]) -> None:
    for name in files:
        from pathlib import Path

        from duels.games.added import use_file

        try:
            use_file(Path(name))
        except DuelsError as error:
            raise click.ClickException(str(error)) from None


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 fine, 1 understood and refused, 2 usage, 130 interrupted.",
)
@click.version_option(__version__, prog_name="duels")
@click.option(
    "--with",
    metavar="FILE.py",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_use_files,
    help="Add the games of a Python file. Its code is run: use files that you trust.",
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Number Duels: five two-player number games.

    Without a command, on a terminal, the app opens.
    """
    if ctx.invoked_subcommand is None:
        import_module("duels.cli.play").open_app(ctx)
