"""The command `play`, and the menu."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from duels.cli import is_on_terminal
from duels.cli.options import GAME, GameCommand, completing, given
from duels.core.console import shell_command
from duels.core.errors import DuelsError, MatchError, OptionError
from duels.core.game import Game
from duels.core.options import RULE_BOOK
from duels.games import find_game, game, games_called
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

EXAMPLES = (
    ("play {game} --vs casual", "Play against the computer."),
    ("play {game} --players Mia Noah --time 1m", "Two players, one minute a turn."),
)


def _setups(context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    """Return the set-ups that a shell offers."""
    # Click leaves the arguments unread if the last option still lacks its value.
    typed = context.params.get("game_id") or " ".join(context.args[:1])
    kinds = games_called(typed)
    names = [setup.name for setup in kinds[0].all_setups()] if len(kinds) == 1 else []
    return [name for name in names if name.startswith(begun)]


@click.command(cls=GameCommand, examples=EXAMPLES)
@click.argument("game_id", metavar="[GAME]", type=GAME, required=False)
@click.option(
    "--setup",
    "setup_name",
    metavar="NAME",
    help="Play a named set-up of the game (see the command games).",
    shell_complete=_setups,
)
@click.option("--players", nargs=2, metavar="NAME NAME", help="The names of the two players.")
@click.option(
    "--vs",
    metavar="PLAYER",
    multiple=True,
    help="Play against the computer: a level (novice, casual, skilled, expert, perfect), a "
    "strength from 0 to 100, auto (adapts to your results), random, ugi:COMMAND, "
    "py:MODULE:NAME or llm:MODEL. Give it twice to let two computers play.",
    shell_complete=completing(*BUILT_IN, AUTO),
)
@click.option(
    "--matches",
    metavar="NUMBER",
    help="Play a duel of this many games; sides swap after each one.",
)
@click.option(
    "--first",
    metavar="NAME|coin",
    help="Who moves first: a player, or coin to flip for it.",
    shell_complete=completing("coin"),
)
@click.option(
    "--time",
    "--time-limit",
    "time_limit",
    metavar="DURATION",
    help="Time for each turn, like 90, 90s or 1m30s. Run out of time and you lose.",
)
@click.option("--seed", type=int, help="Make the computer's moves and the coin repeatable.")
@click.option(
    "--show-moves/--hide-moves",
    default=True,
    help="Show or hide the legal moves on the board.",
)
@click.option(
    "--record",
    "record_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a record of the match to this new file (JSON lines if it ends in .json or .jsonl).",
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
    """Play a game: two players, or against the computer.

    GAME is a game's id or part of its name. Without --setup and options it is played as in its rule
    book; options override those of a set-up. With --players and one --vs, the second name is the
    computer's.
    """
    if game_id is None:
        if not is_on_terminal():
            raise click.UsageError(f"Which game? For a list: {shell_command('games')}")
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
        raise DuelsError(f"{record_file} already exists, and a record never replaces a file.")
    if record_file and not record_file.parent.is_dir():
        raise DuelsError(f"There is no folder {record_file.parent} for the record.")
    chance = random.SystemRandom() if seed is None else random.Random(seed)
    several = setup.matches if matches is None else matches
    try:
        seats, said = order_players(seats, first, chance)
        match = new_match(playing, seats, time_limit=time_limit, seed=seed, matches=several)
    except MatchError as error:  # a name, --first, --time or --matches that cannot be used
        raise click.UsageError(str(error)) from None
    talk.note(*said)
    if is_matched:
        strengths.begin(match)
    # The match may be resumed in another folder.
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
    """Open the menu, on a terminal."""
    Menu(Talk(), SavedGames()).run()


def ask_what_next(talk: Talk, after: Callable[[Menu], Step | None]) -> None:
    """What there is to do after something, as if it had been begun from the menu."""
    menu = Menu(talk, SavedGames())
    menu.run(lambda: after(menu))
