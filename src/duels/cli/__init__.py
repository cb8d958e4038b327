"""The command `duels`. Each command is imported only when it is used, so all start quickly."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from duels import __version__
from duels.core.console import shell_command, use_colour
from duels.core.errors import TITLE, DuelsError, OptionError, UnreadableMove
from duels.core.words import printable

GROUPS = {
    "Play": {
        "play": "play",
        "resume": "records",
        "replay": "records",
        "games": "study",
        "rules": "study",
    },
    "Learn": {"learn": "learn", "puzzle": "learn", "review": "records"},
    "Study": {
        "solve": "study",
        "check": "study",
        "legal": "study",
        "perft": "study",
        "atlas": "runs",
    },
    "Lab": {"arena": "runs", "exam": "exam", "engine": "engine", "mcp": "serve"},
    "Host": {"serve": "serve"},
    "More": {"help": "help", "completion": "help"},
}
"""The commands by group, in the order of the help, each with its module in this package."""

COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}

EXIT_CODES = {
    0: "success",
    1: "error: an illegal move, a file that cannot be read, a proof that fails",
    2: "usage error: an unknown command, option, game or set-up, or a value that cannot be used",
    130: "interrupted with Ctrl-C",
}


class Commands(click.Group):
    """The root command: imports commands by name, and turns errors into sentences."""

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
        """Find a command as click does, with our own sentence for an unknown one."""
        typed = args[0]
        if typed in COMMANDS or typed.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from duels.cli.help import unknown_command

        raise click.UsageError(unknown_command(typed), ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except KeyboardInterrupt:  # in a file of --with
            ctx.exit(130)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from duels.cli.help import write_examples

        super().format_help_text(ctx, formatter)
        write_examples(formatter, EXAMPLES)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from duels.cli.help import write_groups

        write_groups(formatter, self, ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        codes = ", ".join(f"{code} {words.split(':')[0]}" for code, words in EXIT_CODES.items())
        formatter.write_paragraph()
        formatter.write_text(f"Exit codes: {codes}.")

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
        except (OptionError, UnreadableMove) as error:
            raise click.UsageError(_shown(error)) from None
        except DuelsError as error:
            raise click.ClickException(_shown(error)) from None
        except KeyboardInterrupt:
            ctx.exit(130)
        except MemoryError:
            raise click.ClickException("There is not enough memory for this.") from None
        except Exception as error:
            from duels.games.added import fault_of_a_game

            if sentence := fault_of_a_game(error):
                raise click.ClickException(sentence) from error
            raise


EXAMPLES = (
    ("", "Open the app: games, lessons, puzzles."),
    ("play {game} --vs casual", "Play against the computer."),
    ("learn {game}", "Learn how to win."),
)


def _shown(error: DuelsError) -> str:
    """Return its sentence without control characters: it may quote a file."""
    return "\n".join(map(printable, str(error).split("\n")))


def _fitted(error: click.ClickException) -> click.ClickException:
    """Return the same error with lines that fit the window, so that no word is broken."""
    if type(error).show not in (click.ClickException.show, click.UsageError.show):
        return error  # its message is the help
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
        from contextlib import redirect_stdout
        from pathlib import Path

        from duels.games.added import use_file

        try:
            with redirect_stdout(sys.stderr):  # stdout is for data, or for a protocol
                use_file(Path(name))
        except DuelsError as error:
            raise click.ClickException(str(error)) from None


def _use_colour(_ctx: click.Context, _option: click.Parameter, when: str | None) -> None:
    if when:
        use_colour(when)


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
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
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    is_eager=True,
    expose_value=False,
    callback=_use_colour,
    help="Whether to use colour. auto follows NO_COLOR, FORCE_COLOR and the terminal.",
)
@click.option("--plain", is_flag=True, help="Ask questions in lines instead of opening the app.")
@click.pass_context
def main(ctx: click.Context, plain: bool) -> None:
    """Number Duels: five two-player number games."""
    if ctx.invoked_subcommand is not None:
        return
    if not is_on_terminal():
        about = f"{TITLE}: five two-player number games. For help: {shell_command('--help')}"
        click.echo(about, err=True)
        ctx.exit(2)
    import_module("duels.cli.app").open_app(ctx, plain=plain)


def is_on_terminal() -> bool:
    """Say whether a person can be asked: standard input and output are both a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
