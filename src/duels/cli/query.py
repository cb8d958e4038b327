"""The commands for programs: games, rules, legal, perft, completion."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import get_completion_class

from duels.cli.options import (
    game_argument,
    json_option,
    position_command,
    position_data,
    print_json,
)
from duels.core.game import Game, Position
from duels.core.rules_text import rules_without
from duels.games import all_games, find_game


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


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games, their options and their set-ups."""
    kinds = all_games().values()
    from duels.games.added import troubles

    for trouble in troubles:
        click.echo(trouble, err=True)
    if as_json:
        print_json([_game_data(kind) for kind in kinds])
        return
    for kind in kinds:
        click.echo(f"{kind.id:18} {kind.summary}")
        for name, option in kind.fields.items():
            shown = "needed" if option.default is None else f"default {option.default}"
            click.echo(f"{'':18}   --{name}: {option.words} ({shown})")
        for setup in kind.all_setups():
            click.echo(f"{'':18}   --setup {setup.name}: {setup.line}")


@click.command()
@game_argument
@json_option
def rules(game_id: str, as_json: bool) -> None:
    """Print the rules of a game.

    What does not fit the window goes through the pager (PAGER).
    """
    from duels.terminal.talk import Talk
    from duels.terminal.words import rules_lines

    kind = find_game(game_id)
    if as_json:
        print_json({"game": game_id, "rules": rules_without(kind.rules_text())})
    else:
        talk = Talk()
        talk.page(*rules_lines(kind, talk.size.columns))


@position_command
def legal(here: Position, as_json: bool) -> None:
    """List the legal moves after MOVES.

    A pair is written 5-6.
    """
    if as_json:
        print_json(position_data(here))
    elif here.outcome:
        winner, reason = here.outcome
        click.echo(f"The game is over: Player {winner} has won ({reason}).", err=True)
    else:
        click.echo(" ".join(here.game.format(move) for move in here.legal_moves))


@position_command
def perft(here: Position, as_json: bool) -> None:
    """Count the complete games after MOVES, and who wins them."""
    from duels.core.perft import perft as count_games
    from duels.core.progress import Progress

    with Progress("Counting") as progress:

        def count(positions: int) -> None:
            progress.how_far = f"{positions:,} positions, "

        one, two = count_games(here, count)
    if as_json:
        data = position_data(here)
        counts = {"games": one + two, "player_1_wins": one, "player_2_wins": two}
        print_json({name: data[name] for name in ("game", "options", "moves")} | counts)
    else:
        games = "1 game" if one + two == 1 else f"{one + two} games"
        click.echo(f"{games}, Player 1 wins {one}, Player 2 wins {two}")


def _game_data(kind: type[Game]) -> dict[str, Any]:
    return {
        "game": kind.id,
        "title": kind.title,
        "summary": kind.summary,
        "options": {name: option.default for name, option in kind.fields.items()},
        "setups": [setup.data for setup in kind.all_setups()],
    }
