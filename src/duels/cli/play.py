"""The command `play`, and the menu."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from duels.cli.options import GAME, GameCommand, completing, given
from duels.core.errors import OptionError
from duels.core.game import Game
from duels.core.options import RULE_BOOK
from duels.games import find_game, game
from duels.match.match import DEFAULT_NAMES, LONGEST_COMMAND, Seat, new_match
from duels.match.players.levels import BUILT_IN
from duels.match.players.specs import check_ready, name_of, read_spec
from duels.match.saved_games import SavedGames
from duels.match.strengths import AUTO, Strengths
from duels.terminal.asking import Back, ask_option
from duels.terminal.duel import play_duel
from duels.terminal.menu import Menu
from duels.terminal.session import Left, Session
from duels.terminal.sides import order_players
from duels.terminal.talk import Talk
from duels.terminal.ways import Step


def _setups(context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    """The names that a shell offers."""
    game_id = context.params.get("game_id")
    names = [setup.name for setup in find_game(game_id).all_setups()] if game_id else []
    return [name for name in names if name.startswith(begun)]


@click.command(cls=GameCommand)
@click.argument("game_id", metavar="[GAME]", type=GAME, required=False)
@click.option(
    "--setup",
    "setup_name",
    metavar="NAME",
    help="A set-up of the game: options that make a good game (see duels games).",
    shell_complete=_setups,
)
@click.option("--players", nargs=2, metavar="NAME NAME", help="The names of the two players.")
@click.option(
    "--vs",
    metavar="PLAYER",
    multiple=True,
    help="The computer as opponent: a level, a strength from 0 to 100, auto (it follows your "
    "results), random, ugi:COMMAND, py:MODULE:NAME or llm:MODEL. Given twice, two computers "
    "play each other.",
    shell_complete=completing(*BUILT_IN, AUTO),
)
@click.option(
    "--matches",
    metavar="NUMBER",
    help="A duel of so many games: sides are swapped each time, and the score is kept.",
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
    help="Whether the board shows which moves may be played.",
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
    setup_name: str | None,
    players: tuple[str, str] | None,
    vs: tuple[str, ...],
    matches: str | None,
    first: str | None,
    time_limit: str | None,
    seed: int | None,
    show_moves: bool,
    record_file: Path | None,
    **options: str | None,
) -> None:
    """Play a game at the terminal: two people, or with the computer.

    Without GAME, on a terminal, the menu opens. The levels of the computer are novice,
    casual, skilled, expert and perfect. With --players and one --vs, the second name is
    the computer's. Options that are given count more than those of a set-up.
    """
    if game_id is None:
        open_menu(ctx)
        return
    kind, strengths = find_game(game_id), Strengths()
    setup = kind.setup(setup_name or RULE_BOOK)
    is_matched = AUTO in map(str.casefold, vs)
    seats = _matched(players, vs, strengths.seat(kind)) if is_matched else _seats(players, vs)
    talk, chosen = Talk(), {**setup.options, **given(options)}
    if talk.interactive:
        try:
            _ask_what_is_needed(talk, kind, chosen)
        except (Left, Back, EOFError):
            ctx.exit(0)
    playing = game(game_id, **chosen)
    if record_file and record_file.exists():
        raise OptionError(f"{record_file} exists already, and a record never replaces a file.")
    if record_file and not record_file.parent.is_dir():
        raise OptionError(f"There is no folder {record_file.parent} for the record.")
    chance = random.SystemRandom() if seed is None else random.Random(seed)
    seats, said = order_players(seats, first, chance)
    several = setup.matches if matches is None else matches
    match = new_match(playing, seats, time_limit=time_limit, seed=seed, matches=several)
    talk.note(*said)
    if is_matched:
        strengths.begin(match)
    # Whoever resumes the match may be in another folder.
    record_file = record_file and record_file.absolute()
    run(ctx, Session(match, talk, SavedGames(), record_file, show_moves=show_moves))


def _matched(
    players: tuple[str, str] | None, computers: tuple[str, ...], computer: Seat
) -> tuple[Seat, Seat]:
    """A person, and the computer that is matched to that person."""
    if len(computers) > 1:
        raise click.UsageError(f"--vs {AUTO} needs a person on the other side.")
    names = players or (DEFAULT_NAMES[0], computer.name)
    return Seat(names[0]), computer._replace(name=names[1])


def _seats(players: tuple[str, str] | None, computers: tuple[str, ...]) -> tuple[Seat, Seat]:
    """Who sits where: one computer sits second; without a name of its own it has its player's."""
    if len(computers) > 2:
        raise click.UsageError("There are two players, so --vs can be given twice at most.")
    specs = [_read_computer(text) for text in computers]
    one, two = ["", "", *specs][-2:]
    names = players or (name_of(one) or DEFAULT_NAMES[0], name_of(two) or DEFAULT_NAMES[1])
    return Seat(names[0], one), Seat(names[1], two)


def _read_computer(text: str) -> str:
    """What plays there, in its one form; a sentence if it cannot play here."""
    kind, rest = read_spec(text)
    check_ready(text)
    if len(text) > LONGEST_COMMAND or not text.isprintable():
        raise OptionError(f"A program may be named with {LONGEST_COMMAND} characters in one line.")
    return f"{kind}:{rest}" if rest else kind


def _ask_what_is_needed(talk: Talk, kind: type[Game], chosen: dict[str, Any]) -> None:
    """Ask for every option that has no default and was not given."""
    for name, option in kind.fields.items():
        if option.default is None and name not in chosen:
            chosen[name] = ask_option(talk, kind, name, chosen)


def run(ctx: click.Context, session: Session) -> None:
    """Play a match to its end, or until the players leave; on a terminal, ask what next."""
    try:
        session = play_duel(session)
    except (Left, EOFError):
        ctx.exit(0)
    if session.talk.interactive and not all(seat.computer for seat in session.match.seats):
        ask_what_next(session.talk, lambda menu: menu.after_match(session))


def open_menu(ctx: click.Context) -> None:
    """The menu on a terminal; elsewhere nobody could answer it, so the help."""
    talk = Talk()
    if not talk.interactive:
        click.echo(ctx.find_root().get_help(), err=True)
        click.echo("\nThe menu needs a terminal.", err=True)
        ctx.exit(2)
    Menu(talk, SavedGames()).run()


def ask_what_next(talk: Talk, after: Callable[[Menu], Step | None]) -> None:
    """What there is to do after something, as if it had been begun from the menu."""
    menu = Menu(talk, SavedGames())
    menu.run(lambda: after(menu))
