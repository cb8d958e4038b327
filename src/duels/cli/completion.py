"""The command `completion`: teach a shell to complete what `duels` takes."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


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
    kind = get_completion_class(shell)
    assert kind
    if shell == "zsh":  # its completion may not have been switched on yet
        click.echo("(( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit }")
    click.echo(kind(ctx.find_root().command, {}, "duels", "_DUELS_COMPLETE").source())
