"""Commands for programs: games, rules, legal, perft."""

from __future__ import annotations

import sys
from dataclasses import MISSING
from typing import Any

import click

from duels.cli.options import (
    game_argument,
    game_options,
    given,
    json_option,
    moves_argument,
    position_data,
    print_json,
)
from duels.games import GAMES, option_fields, position
from duels.games.options import OPTIONS


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games and their options."""
    if as_json:
        print_json([_game_data(game_id) for game_id in GAMES])
        return
    for game_id, kind in GAMES.items():
        click.echo(f"{game_id:18} {kind.summary}")
        for name, default in _defaults(game_id).items():
            shown = "needed" if default is None else f"default {default}"
            click.echo(f"{'':18}   --{name}: {OPTIONS[name]} ({shown})")


@click.command()
@game_argument
@json_option
def rules(game_id: str, as_json: bool) -> None:
    """Print the rules of a game."""
    from duels.terminal.rules import rules_lines, rules_text
    from duels.terminal.talk import columns

    if as_json:
        print_json({"game": game_id, "rules": rules_text(game_id)})
    else:
        click.echo("\n".join(rules_lines(game_id, columns())))


@click.command()
@game_argument
@game_options
@moves_argument
@json_option
def legal(game_id: str, moves: tuple[str, ...], as_json: bool, **options: str | None) -> None:
    """List the legal moves after MOVES.

    A pair is written 5-6: duels legal number-line-duel 5-6 8
    """
    here = position(game_id, moves, **given(options))
    if as_json:
        print_json(position_data(here))
    elif here.outcome:
        winner, reason = here.outcome
        click.echo(f"The game is over: Player {winner} has won ({reason}).", err=True)
    else:
        click.echo(" ".join(here.game.format(move) for move in here.legal_moves))


@click.command()
@game_argument
@game_options
@moves_argument
@json_option
def perft(game_id: str, moves: tuple[str, ...], as_json: bool, **options: str | None) -> None:
    """Count the complete games after MOVES, and who wins them."""
    from duels.core.perft import perft as count_games

    here = position(game_id, moves, **given(options))
    shows = sys.stderr.isatty()
    try:
        one, two = count_games(here, progress=_progress if shows else None)
    finally:
        if shows:
            click.echo("\r\x1b[K", err=True, nl=False)
    if as_json:
        data = position_data(here)
        counts = {"games": one + two, "player_1_wins": one, "player_2_wins": two}
        print_json({name: data[name] for name in ("game", "options", "moves")} | counts)
    else:
        games = "1 game" if one + two == 1 else f"{one + two} games"
        click.echo(f"{games}, Player 1 wins {one}, Player 2 wins {two}")


def _progress(positions: int) -> None:
    click.echo(f"\r{positions:,} positions counted (Ctrl-C stops)\x1b[K", err=True, nl=False)


def _defaults(game_id: str) -> dict[str, Any]:
    return {
        name: None if option.default is MISSING else option.default
        for name, option in option_fields(game_id).items()
    }


def _game_data(game_id: str) -> dict[str, Any]:
    kind = GAMES[game_id]
    return {
        "game": game_id,
        "title": kind.title,
        "summary": kind.summary,
        "options": _defaults(game_id),
    }
