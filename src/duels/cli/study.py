"""The commands about games and positions: games, rules, legal, perft, solve and check."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from duels.cli.options import (
    STANDARD,
    flag_of,
    game_argument,
    json_option,
    position_command,
    position_data,
    print_json,
    solve_command,
    start_data,
    write_binary,
    write_file,
)
from duels.core.console import Progress, on_terminal, shell_command
from duels.core.errors import DuelsError, MatchError, ProofError
from duels.core.game import Game, Position
from duels.core.words import counted, quoted, rules_without
from duels.games import UnknownGame, all_games, find_game

if TYPE_CHECKING:
    from duels.theory.verdict import PackedVerdict, Verdict

MOST_LINES = 40
MOST_MOVES = 150
LARGEST = 64 * 2**20
"""Bytes of a proof file that we are willing to read."""
MOST_PARTS = 8_000_000
"""Numbers, words and lists in it: each takes up to a hundred bytes of memory."""


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games with their options and set-ups."""
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
            click.echo(f"{'':18}   {flag_of(name)}: {option.words} ({shown})")
        for setup in kind.all_setups():
            click.echo(f"{'':18}   --setup {setup.name}: {setup.line}")


@click.command()
@game_argument
@json_option
def rules(game_id: str, as_json: bool) -> None:
    """Print the rules of a game.

    Text that does not fit the window is shown in the pager (PAGER).
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
    """List the legal moves after MOVES; a pair is written 5-6."""
    if as_json:
        print_json(position_data(here))
    elif here.outcome:
        winner, reason = here.outcome
        click.echo(f"The game is over: Player {winner} has won ({reason}).", err=True)
    else:
        click.echo(" ".join(here.game.format(move) for move in here.legal_moves))


@position_command
def perft(here: Position, as_json: bool) -> None:
    """Count the games that can follow MOVES, and each player's wins."""
    from duels.core.states import perft as count_games

    with Progress("Counting") as progress:

        def count(positions: int) -> None:
            progress.how_far = f"{positions:,} positions, "

        one, two = count_games(here, count)
    if as_json:
        data = position_data(here)
        counts = {"games": one + two, "player_1_wins": one, "player_2_wins": two}
        print_json({name: data[name] for name in ("game", "options", "moves")} | counts)
    else:
        games = "1 game" if one + two == 1 else f"{one + two:,} games"
        click.echo(f"{games}, Player 1 wins {one:,}, Player 2 wins {two:,}")


def _game_data(kind: type[Game]) -> dict[str, Any]:
    return {
        "game": kind.id,
        "title": kind.title,
        "summary": kind.summary,
        "options": {name: option.default for name, option in kind.fields.items()},
        "setups": [setup.data for setup in kind.all_setups()],
    }


@solve_command
@click.option(
    "--proof",
    "proof_file",
    type=click.Path(),
    help="Write the proof to this file; - is standard output.",
)
@click.option("--svg", "svg_file", type=click.Path(), help="Draw the verdict to this file.")
@click.option("--full", is_flag=True, help="Show all moves and the whole explanation.")
def solve(
    here: Position, as_json: bool, proof_file: str | None, svg_file: str | None, full: bool
) -> None:
    """Show who wins after MOVES, by which moves, and why.

    To verify a proof, use duels check. Boards of more than 1,000,000 numbers need the extra fast;
    their moves are counted, not listed, and the proof is a binary file.
    """
    from duels.theory import solve as solve_position
    from duels.theory import theory_of
    from duels.theory.verdict import verdict_data

    if theory_of(here).is_packed(here):
        if svg_file or full or proof_file == STANDARD:
            raise MatchError("On a board of this size moves are counted, and proofs are files.")
        _solve_packed(here, as_json, proof_file)
        return
    if here.outcome and proof_file:
        raise MatchError(f"{solve_position(here).reason} There is nothing to prove.")
    _advise(here)
    with Progress("Solving") as progress:
        verdict = solve_position(here, progress.share)
        progress.how_far = ""
        proof = json.dumps(verdict_data(verdict)) + "\n" if proof_file else ""
        svg = ""
        if svg_file:
            from duels.theory.pictures import verdict_svg

            svg = verdict_svg(verdict)
        shown: dict[str, Any] | list[str] = []
        if STANDARD not in (proof_file, svg_file):
            shown = _data(verdict) if as_json else shown_lines(verdict, full)
    if proof_file:
        write_file(proof_file, proof)
        if proof_file != STANDARD:
            from duels.terminal.words import command_for

            check_it = command_for(here.game, "check", proof_file)
            click.echo(f"The proof is in {proof_file}; check it with: {check_it}", err=True)
    if svg_file:
        write_file(svg_file, svg)
    if STANDARD in (proof_file, svg_file):
        return
    if isinstance(shown, dict):
        print_json(shown)
        return
    if here.outcome:
        raise MatchError(verdict.reason)
    most = len(shown) if full else MOST_LINES
    click.echo("\n".join(shown[:most]))
    if len(shown) > most:
        click.echo(f"... and {counted(len(shown) - most, 'more line')} (--full)")


def _data(verdict: Verdict[Position]) -> dict[str, Any]:
    return position_data(verdict.position) | {
        "wins": verdict.wins,
        "winning_moves": list(verdict.winning_moves),
        "reason": verdict.reason,
        "proof": verdict.proof,
    }


@click.command()
@click.argument("file", type=click.Path())
@json_option
def check(file: str, as_json: bool) -> None:
    """Check the proof in FILE without the solver.

    FILE may be - for standard input. Prints what is proved: the game with every option, the moves,
    who wins, and by which moves.
    """
    from duels.terminal.words import game_in_words
    from duels.theory.check import check as check_proof

    try:
        with Progress("Checking"):
            packed = _check_packed(file)
            if not packed:
                verdict = _read(file)
                check_proof(verdict)
    except MemoryError:
        raise ProofError(f"{file} is too large to be checked here.") from None
    if packed:
        _show_packed(packed, as_json, {"valid": True})
        return
    here = verdict.position
    if as_json:
        claim = {"wins": verdict.wins, "winning_moves": verdict.winning_moves}
        print_json({"valid": True} | position_data(here) | claim)
        return
    when = " ".join(["after", *map(here.game.format, here.moves)]) if here.moves else "at the start"
    whole = game_in_words(here.game, usual_too=True)  # so that no other game is meant
    click.echo(f"The proof is right. {whole}, {when}: {_claim(verdict)}")


def _solve_packed(here: Position, as_json: bool, proof_file: str | None) -> None:
    """Solve a board that is too large for lists."""
    from duels.theory import theory_of
    from duels.theory.verdict import write_packed

    if here.outcome:
        raise MatchError(f"The game is over: Player {here.outcome.winner} has won.")
    with Progress("Solving") as progress:
        verdict = theory_of(here).solve_packed(here, progress.share)
        if proof_file:
            progress.how_far = ""
            write_binary(proof_file, partial(write_packed, verdict))
    if proof_file:
        click.echo(f"The proof is in {proof_file}.", err=True)
    _show_packed(verdict, as_json)


def _check_packed(file: str) -> PackedVerdict[Position] | None:
    """Return what a binary proof proves, or None if the file is not a binary proof."""
    from pathlib import Path

    from duels.theory.check import check_packed, is_packed

    try:
        if file == STANDARD or not Path(file).is_file() or not is_packed(Path(file)):
            return None
    except OSError:
        return None  # reading it as text says why
    return check_packed(Path(file))


def _show_packed(
    verdict: PackedVerdict[Position], as_json: bool, first: dict[str, Any] | None = None
) -> None:
    """Show a verdict in counts; `first` is data that a check adds."""
    from duels.terminal.words import game_in_words

    here, move = verdict.position, verdict.proof[0]
    if as_json:
        counts = {"legal_count": here.legal_count, "winning_count": verdict.winning_count}
        claim = {"wins": verdict.wins, **counts, "move": move}
        print_json((first or {}) | start_data(here) | claim)
        return
    when = " ".join(["after", *map(here.game.format, here.moves)]) if here.moves else "at the start"
    said = "The proof is right. " if first else ""
    click.echo(f"{said}{game_in_words(here.game, usual_too=True)}, {when}:")
    who = f"Player {here.to_move}, to move,"
    if not verdict.wins:
        click.echo(f"{who} loses against best play ({here.legal_count:,} moves to choose from).")
        return
    click.echo(f"{who} wins with best play, for example by {here.game.format(move)}.")
    click.echo(f"Winning moves: {verdict.winning_count:,} of {here.legal_count:,}.")


def _claim(verdict: Verdict[Position]) -> str:
    """Return what was proved, in a sentence."""
    here = verdict.position
    if verdict.wins is None:
        return verdict.reason
    if not verdict.wins:
        return f"Player {here.to_move}, to move, loses against best play."
    winning = verdict.winning_moves
    shown = " ".join(map(here.game.format, winning[:MOST_MOVES]))
    more = f" and {len(winning) - MOST_MOVES:,} more (--json)" if winning[MOST_MOVES:] else ""
    of = f"{len(winning):,} of {here.legal_count:,}"
    return f"Player {here.to_move}, to move, wins by exactly these moves ({of}): {shown}{more}"


def _read(file: str) -> Verdict[Position]:
    from pathlib import Path

    from duels.core.files import parse_json, read_small, read_stream
    from duels.theory.verdict import read_verdict

    name = "standard input" if file == STANDARD else file
    try:
        if file == STANDARD:
            with click.open_file("-", "rb") as opened:
                data = read_stream(opened, LARGEST)
        else:
            data = read_small(Path(file), LARGEST)
        if sum(data.count(mark) for mark in b",[{") > MOST_PARTS:
            raise ProofError("it has more parts than any proof.")
        return read_verdict(parse_json(data.decode()))
    except OSError as error:
        raise ProofError(f"{name} cannot be read: {error.strerror}.") from None
    except UnknownGame as error:
        add = f"Add its file: {shell_command('--with', 'FILE.py', 'check', file)}"
        raise ProofError(f"{name} needs the game {quoted(error.game_id)}. {add}") from None
    except DuelsError as error:
        raise ProofError(f"{name} is not a proof: {error}") from None
    except json.JSONDecodeError:
        raise ProofError(f"{name} is not a proof: it is not JSON.") from None
    except UnicodeDecodeError:
        raise ProofError(f"{name} is not a proof: it is not UTF-8 text.") from None
    except (ValueError, RecursionError) as error:
        reason = error if type(error) is ValueError else "it is nested too deeply"
        raise ProofError(f"{name} is not a proof: {reason}.") from None
    except MemoryError:
        raise ProofError(f"{name} is not a proof: it is too large.") from None


def shown_lines(verdict: Verdict[Position], full: bool) -> list[str]:
    """Return the verdict for a reader: who wins, by which moves, and why."""
    import textwrap
    from shutil import get_terminal_size

    here = verdict.position
    if here.outcome:
        return [verdict.reason]
    legal = here.legal_count
    if verdict.wins:
        winning = verdict.winning_moves
        shown = winning if full else winning[:MOST_MOVES]
        moves = " ".join(here.game.format(move) for move in shown)
        more = f" and {len(winning) - len(shown):,} more (--full)" if shown != winning else ""
        head = [
            f"Player {here.to_move}, to move, wins with best play.",
            f"Winning moves ({len(winning):,} of {legal:,}): {moves}{more}",
        ]
    else:
        has = "1 move" if legal == 1 else f"{legal:,} moves"
        head = [f"Player {here.to_move}, to move, loses against best play ({has} to choose from)."]
    lines: list[str] = []
    table = verdict.explanation
    width = max(20, min(get_terminal_size().columns - 1, 80))
    for line in (*head, verdict.reason, *([""] if table else []), *table):
        lines += textwrap.wrap(line, width, break_on_hyphens=False) or [""]
    return lines


def _advise(here: Position) -> None:
    """On a terminal, say how to solve a large board faster."""
    from duels.theory import theory_of

    if on_terminal() and (advice := theory_of(here).advice(here)):
        click.echo(advice, err=True)
