"""What bare `duels` opens: the app, or three questions in lines."""

from __future__ import annotations

import gc
import os
import sys

import click

from duels.core.options import RULE_BOOK
from duels.games import all_games
from duels.match.match import Match
from duels.match.saved_games import SavedGames
from duels.terminal.choices import FIRST, Choices, opponents
from duels.terminal.talk import Left, Talk, ask_number, ask_option, has_cursor


def open_app(ctx: click.Context, *, plain: bool = False) -> None:
    """Open the app; with `plain`, or on a terminal that cannot show it, ask three questions."""
    if plain or not is_capable():
        _play_in_lines(ctx)
        return
    gc.disable()  # until the first screen: there is nothing to collect, and looking takes time
    from duels.terminal.app import run_app

    ctx.exit(run_app(SavedGames()))


def is_capable() -> bool:
    """Say whether to open the app: the terminal has a cursor and UTF-8, and DUELS_PLAIN is off."""
    wants_lines = os.environ.get("DUELS_PLAIN", "") not in ("", "0")
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return has_cursor() and encoding == "utf8" and not wants_lines


def _play_in_lines(ctx: click.Context) -> None:
    from duels.cli.play import run  # imported late: the app does not need these
    from duels.terminal.table import Table
    from duels.terminal.transcript import Session

    talk, store = Talk(), SavedGames()
    try:
        match = _ask_match(talk, Choices.remembered(store.folder.parent))
    except (Left, EOFError):
        ctx.exit(0)
    run(ctx, Session(Table(match, store, talk.note), talk))


def _ask_match(talk: Talk, choices: Choices) -> Match:
    """Ask which game, which opponent and who begins; the board is the rule book's own."""
    kinds = [*all_games().values()]
    usual = kinds.index(choices.kind) + 1
    titles = [f"{kind.title}: {kind.summary}" for kind in kinds]
    kind = kinds[ask_number(talk, "Which game?", titles, usual)]
    choices.of(kind).use_setup(kind.setup(RULE_BOOK))
    for name, option in kind.fields.items():
        if option.default is None:
            value = ask_option(talk, kind, name, choices.known_options())
            choices.use_option(name, value)
    known = opponents()
    names = [*known]
    usual = names.index(choices.opponent) + 1 if choices.opponent in names else 1
    lines = [f"{name}: {words}" for name, words in known.items()]
    choices.opponent = names[ask_number(talk, "Which opponent?", lines, usual)]
    who = [*choices.starters.values()]
    choices.first = FIRST[ask_number(talk, "Who moves first?", who)]
    match, said = choices.match()
    talk.tell("", *([said] if said else []))
    return match
