"""Help: its sections, suggestions for unknown commands, and shell completion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from duels.cli import COMMANDS, GROUPS
from duels.core.console import shell_command
from duels.core.words import closest, quoted
from duels.games import GAMES, games_called

Example = tuple[str, str]
"""What to type after the name of the program, with {game} for a game, and what it does."""


def write_examples(formatter: click.HelpFormatter, examples: Iterable[Example]) -> None:
    """Write a section of examples, each beginning with the command the reader used."""
    game_id = next(kind.id for kind in GAMES.values() if kind.for_newcomers)
    rows = [
        (shell_command(*words.format(game=game_id).split()), meaning) for words, meaning in examples
    ]
    with formatter.section("Examples"):
        formatter.write_dl(rows, col_max=50)


def write_groups(formatter: click.HelpFormatter, commands: click.Group, ctx: click.Context) -> None:
    """Write every group of commands as a section, with one line for each command."""
    room = formatter.width - 6 - max(map(len, COMMANDS))
    for title, names in GROUPS.items():
        found = [(name, commands.get_command(ctx, name)) for name in names]
        rows = [(name, command.get_short_help_str(room)) for name, command in found if command]
        with formatter.section(title):
            formatter.write_dl(rows, col_max=max(map(len, COMMANDS)))


def unknown_command(typed: str) -> str:
    """Return the error for an unknown command, with what to type instead."""
    lines = [shell_command(*words.split()) for words in _suggestions(typed.lower())]
    error = f"There is no command {quoted(typed)}."
    return f"{error} {one_of(lines)}" if lines else error


def one_of(commands: Sequence[str]) -> str:
    """Return a question that offers one or several commands to type."""
    if len(commands) == 1:
        return f"Did you mean: {commands[0]}"
    return "\n  ".join(["Did you mean one of these?", *commands])


def _suggestions(typed: str) -> list[str]:
    """Return commands with this prefix and games of this name, or else similar spellings."""
    begun = [name for name in COMMANDS if name.startswith(typed)]
    begun += [f"play {kind.id}" for kind in games_called(typed)]
    if begun:
        return begun
    words = {word for game_id in GAMES for word in game_id.split("-")}
    close = closest(typed, [*COMMANDS, *GAMES, *words])[:1]
    alike = [name for name in COMMANDS if name in close]
    return alike or [f"play {game_id}" for game_id in GAMES if close and close[0] in game_id]


def _command_names(_context: click.Context, _argument: click.Parameter, begun: str) -> list[str]:
    return [name for name in COMMANDS if name.startswith(begun)]


@click.command()
@click.argument("names", metavar="[COMMAND]...", nargs=-1, shell_complete=_command_names)
@click.pass_context
def help(ctx: click.Context, names: tuple[str, ...]) -> None:  # noqa: A001 (the name of the command)
    """Show the help of a command."""
    here = ctx.find_root()
    for name in names:
        command = here.command
        below = command.get_command(here, name) if isinstance(command, click.Group) else None
        if below is None:
            raise click.UsageError(unknown_command(name), ctx)
        here = click.Context(below, info_name=name, parent=here)
    click.echo(here.get_help())


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a completion script for a shell.

    \b
    bash: eval "$(duels completion bash)"     in ~/.bashrc
    zsh:  eval "$(duels completion zsh)"      in ~/.zshrc
    fish: duels completion fish | source      in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind
    if shell == "zsh":  # its completion may not have been switched on yet
        click.echo("(( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit }")
    click.echo(kind(ctx.find_root().command, {}, "duels", "_DUELS_COMPLETE").source())
