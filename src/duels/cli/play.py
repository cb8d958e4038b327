"""The command `play`."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from duels.cli import is_on_terminal
from duels.cli.app import open_app
from duels.cli.options import GAME, GameCommand, completing, given
from duels.coach.summary import move_lines, review_lines
from duels.core.console import shell_command
from duels.core.errors import DuelsError, MatchError, OptionError
from duels.core.game import Game
from duels.core.options import RULE_BOOK
from duels.games import find_game, game, games_called
from duels.match.match import DEFAULT_NAMES, LONGEST_COMMAND, Match, Seat, new_match
from duels.match.players.levels import BUILT_IN
from duels.match.players.specs import check_ready, name_of, opponent_seat, read_spec
from duels.match.saved_games import SavedGames
from duels.match.strengths import AUTO, Strengths
from duels.terminal.choices import Choices, order_players
from duels.terminal.table import Table
from duels.terminal.talk import Item, Left, Talk, ask_item, ask_option
from duels.terminal.transcript import Session, play_duel
from duels.terminal.words import command_for, who_begins

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
    help="Play a named set-up of the game; duels games lists them.",
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
        open_app(ctx)
        return
    kind, strengths = find_game(game_id), Strengths()
    setup = kind.setup(setup_name or RULE_BOOK)
    is_matched = AUTO in map(str.casefold, vs)
    seats = _matched(players, vs, strengths.seat(kind)) if is_matched else _seats(players, vs)
    talk, chosen = Talk(), {**setup.options, **given(options)}
    if talk.interactive:
        try:
            _ask_what_is_needed(talk, kind, chosen)
        except (Left, EOFError):
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
    talk.note(*([said] if said else []))
    if is_matched:
        strengths.begin(match)
    # The match may be resumed from another folder.
    record_file = record_file and record_file.absolute()
    table = Table(match, SavedGames(), talk.note, record_file, show_moves=show_moves)
    run(ctx, Session(table, talk))


def _matched(
    players: tuple[str, str] | None, computers: tuple[str, ...], computer: Seat
) -> tuple[Seat, Seat]:
    """Return a person's seat, and that of the computer matched to them."""
    if len(computers) > 1:
        raise click.UsageError(f"--vs {AUTO} needs a person on the other side.")
    names = players or (DEFAULT_NAMES[0], computer.name)
    return Seat(names[0]), computer._replace(name=names[1])


def _seats(players: tuple[str, str] | None, computers: tuple[str, ...]) -> tuple[Seat, Seat]:
    """Return both seats. A single computer sits second; two are named after their kind."""
    if len(computers) > 2:
        raise click.UsageError("There are two players, so --vs can be given twice at most.")
    specs = [_read_computer(text) for text in computers]
    one, two = ["", "", *specs][-2:]
    if players:
        return Seat(players[0], one), Seat(players[1], two)
    if one:
        return Seat(name_of(one), one), Seat(name_of(two), two)
    return Seat(DEFAULT_NAMES[0]), opponent_seat(two) if two else Seat(DEFAULT_NAMES[1])


def _read_computer(text: str) -> str:
    """Return a computer's specification in canonical form; OptionError if it cannot play."""
    kind, rest = read_spec(text, AUTO)
    check_ready(text)
    if len(text) > LONGEST_COMMAND or not text.isprintable():
        raise OptionError(f"A program must be one line of at most {LONGEST_COMMAND} characters.")
    return f"{kind}:{rest}" if rest else kind


def _ask_what_is_needed(talk: Talk, kind: type[Game], chosen: dict[str, Any]) -> None:
    """Ask for every option that has no default and was not given."""
    for name, option in kind.fields.items():
        if option.default is None and name not in chosen:
            chosen[name] = ask_option(talk, kind, name, chosen)


def run(ctx: click.Context, session: Session) -> None:
    """Play a match to its end, or until the players leave; on a terminal, ask what next."""
    try:
        while True:
            session = play_duel(session)
            talk, match = session.talk, session.match
            if not talk.interactive or all(seat.computer for seat in match.seats):
                return
            following = _ask_next(session)
            if not following:
                return
            shown = session.table.show_moves
            table = Table(following, SavedGames(), talk.note, show_moves=shown)
            session = Session(table, talk)
    except (Left, EOFError):
        ctx.exit(0)


def _ask_next(session: Session) -> Match | None:
    """Ask what to do after a match, and return the next one; None to leave."""
    talk, match = session.talk, session.match
    turn = session.review.again_at if session.review else None
    swapped = replace(match, seats=match.seats[::-1])
    items = [
        Item("", "again", f"play again; {who_begins(swapped)}"),
        Item("s", "same", "play again with the same sides"),
        *([Item("t", "try", f"try move {turn} again")] if turn else []),
        *([Item("r", "review", "review every move")] if match.moves else []),
        *([Item("l", "learn", "how to take the lesson")] if type(match.game).has_lesson() else []),
        Item("q", "quit", "quit"),
    ]
    choices = Choices.remembered(SavedGames().folder.parent)
    while True:
        match ask_item(talk, "What next? ", items):
            case "again":
                return choices.again(match)
            case "same":
                return choices.again(match, swapped=False)
            case "try":
                return match.again_from(turn or 1)
            case "review" if session.review:
                found = session.review
                talk.page("", *review_lines(found), "", *move_lines(found))
            case "review":
                talk.tell("There is no review of this game.")
            case "learn":
                talk.tell(f"Type: {command_for(match.game, 'learn', match.game.id)}")
            case _:
                talk.note(f"To see it again: {command_for(match.game, 'replay', match.id)}")
                return None
