"""The command `play`, and the menu."""

from __future__ import annotations

import random
from pathlib import Path

import click

from duels.cli.options import GAME, completing, game_options, given
from duels.core.errors import OptionError
from duels.games import game
from duels.match import DEFAULT_NAMES, LONGEST_COMMAND, new_match
from duels.players.levels import LEVELS
from duels.players.specs import check_ready, read_spec
from duels.record.store import Store
from duels.terminal.menu import Back, Menu
from duels.terminal.session import Left, Session
from duels.terminal.sides import order_players
from duels.terminal.talk import Talk


@click.command()
@click.argument("game_id", metavar="[GAME]", type=GAME, required=False)
@game_options
@click.option("--players", nargs=2, metavar="NAME NAME", help="The names of the two players.")
@click.option(
    "--vs",
    metavar="LEVEL|ugi:COMMAND|llm:MODEL",
    help="Play against the computer.",
    shell_complete=completing(*LEVELS),
)
@click.option(
    "--first",
    metavar="NAME|coin",
    help="Who moves first; coin flips for it.",
    shell_complete=completing("coin"),
)
@click.option("--time-limit", metavar="SECONDS", help="Seconds for a turn; out of time loses.")
@click.option("--seed", type=int, help="Makes the computer's play and the coin repeatable.")
@click.option(
    "--show-moves/--hide-moves",
    default=True,
    help="Whether the board marks the numbers that may be played.",
)
@click.option(
    "--record",
    "record_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the match to this file, as JSON lines if it ends in .json or .jsonl.",
)
@click.pass_context
def play(
    ctx: click.Context,
    /,
    game_id: str | None,
    players: tuple[str, str] | None,
    vs: str | None,
    first: str | None,
    time_limit: str | None,
    seed: int | None,
    show_moves: bool,
    record_file: Path | None,
    **options: str | None,
) -> None:
    """Play a game at the terminal, two people or with the computer.

    Without GAME, on a terminal, the menu opens. A player whose name is that of a
    level (novice, casual, skilled, expert, perfect) is the computer; both may be.
    """
    if game_id is None:
        open_menu(ctx)
        return
    if vs and players:
        raise click.UsageError(f"Either --vs {vs} or --players, for example --players Ann {vs}.")
    if vs:
        read_spec(vs)
        check_ready(vs)
        if len(vs) > LONGEST_COMMAND:
            raise OptionError(f"A program may be named with {LONGEST_COMMAND} characters.")
    talk, chosen = Talk(), given(options)
    if game_id == "divisor-duel" and "divisor" not in chosen and talk.interactive:
        try:
            chosen["divisor"] = Menu(talk, Store()).ask_option(game_id, "divisor", chosen)
        except (Left, Back, EOFError):
            ctx.exit(0)
    playing = game(game_id, **chosen)
    if record_file and record_file.exists():
        raise OptionError(f"{record_file} exists already, and a record never replaces a file.")
    if record_file and not record_file.parent.is_dir():
        raise OptionError(f"There is no folder {record_file.parent} for the record.")
    chance = random.SystemRandom() if seed is None else random.Random(seed)
    names = players or ((DEFAULT_NAMES[0], vs) if vs else DEFAULT_NAMES)
    names, said = order_players(names, first, chance)
    match = new_match(playing, names, time_limit=time_limit, seed=seed)
    talk.note(*said)
    # Whoever resumes the match may be in another folder.
    record_file = record_file and record_file.absolute()
    run(ctx, Session(match, talk, Store(), record_file, show_moves=show_moves))


def run(ctx: click.Context, session: Session) -> None:
    """Play one match to its end, or until the players leave; both are fine."""
    try:
        match = session.run()
    except (Left, EOFError):
        ctx.exit(0)
    if session.talk.interactive:
        again = f"See it again with: duels replay {match.id}, or: duels review {match.id}"
        session.talk.note("", again)


def open_menu(ctx: click.Context) -> None:
    """The menu on a terminal; elsewhere nobody could answer it, so the help."""
    talk = Talk()
    if not talk.interactive:
        click.echo(ctx.find_root().get_help(), err=True)
        click.echo("\nThe menu needs a terminal.", err=True)
        ctx.exit(2)
    try:
        Menu(talk, Store()).run()
    except EOFError:
        talk.note("")
