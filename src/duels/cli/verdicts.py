"""The commands for verdicts: solve and check."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click

from duels.cli.files import STANDARD, write_file
from duels.cli.options import (
    json_option,
    position_command,
    position_data,
    print_json,
)
from duels.core.console import Progress, on_terminal
from duels.core.errors import DuelsError, MatchError, ProofError
from duels.core.files import parse_json, read_small, read_stream
from duels.core.game import Position
from duels.core.words import counted, quoted
from duels.games import UnknownGame
from duels.terminal.words import command_for, game_in_words
from duels.theory import solve as solve_position
from duels.theory import theory_of
from duels.theory.check import check as check_proof
from duels.theory.verdict import Verdict, read_verdict, verdict_data

MOST_LINES = 40
MOST_MOVES = 150
LARGEST = 64 * 2**20
"""Bytes of a proof file that we are willing to read."""
MOST_PARTS = 8_000_000
"""Numbers, words and lists in it: each takes up to a hundred bytes of memory."""


@position_command
@click.option(
    "--proof",
    "proof_file",
    type=click.Path(path_type=Path),
    help="Write the proof; - is standard output.",
)
@click.option("--svg", "svg_file", type=click.Path(path_type=Path), help="Draw it.")
@click.option("--full", is_flag=True, help="Show all of a long explanation.")
def solve(
    here: Position, as_json: bool, proof_file: Path | None, svg_file: Path | None, full: bool
) -> None:
    """Say who wins after MOVES, by which moves, and why.

    The proof can be checked with: duels check FILE
    """
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
            check_it = command_for(here.game, "check", str(proof_file))
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
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def check(file: Path, as_json: bool) -> None:
    """Check the proof in FILE (- is standard input) without solving.

    Says all that was proved: the game with every option, the moves, who wins, and by
    exactly which moves.
    """
    try:
        with Progress("Checking"):
            verdict = _read(file)
            check_proof(verdict)
    except MemoryError:
        raise ProofError(f"{file} is too large to be checked here.") from None
    here = verdict.position
    if as_json:
        claim = {"wins": verdict.wins, "winning_moves": verdict.winning_moves}
        print_json({"valid": True} | position_data(here) | claim)
        return
    when = " ".join(["after", *map(here.game.format, here.moves)]) if here.moves else "at the start"
    whole = game_in_words(here.game, usual_too=True)  # so that no other game is meant
    click.echo(f"The proof is right. {whole}, {when}: {_claim(verdict)}")


def _claim(verdict: Verdict[Position]) -> str:
    """All that was proved, in a sentence."""
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


def _read(file: Path) -> Verdict[Position]:
    try:
        if file == STANDARD:
            with click.open_file("-", "rb") as opened:
                data = read_stream(opened, LARGEST)
        else:
            data = read_small(file, LARGEST)
        if sum(data.count(mark) for mark in b",[{") > MOST_PARTS:
            raise ProofError("it has more parts than any proof.")
        return read_verdict(parse_json(data.decode()))
    except OSError as error:
        raise ProofError(f"{file} cannot be read: {error.strerror}.") from None
    except UnknownGame as error:
        bring = f"Bring it along: duels --with FILE.py check {file}"
        missing = f"{file} is of {quoted(error.game_id)}, a game that is not here."
        raise ProofError(f"{missing} {bring}") from None
    except DuelsError as error:
        raise ProofError(f"{file} is not a proof: {error}") from None
    except json.JSONDecodeError:
        raise ProofError(f"{file} is not a proof: it is not JSON.") from None
    except UnicodeDecodeError:
        raise ProofError(f"{file} is not a proof: it is not UTF-8 text.") from None
    except (ValueError, RecursionError) as error:
        reason = error if type(error) is ValueError else "it is nested too deeply"
        raise ProofError(f"{file} is not a proof: {reason}.") from None
    except MemoryError:
        raise ProofError(f"{file} is not a proof: it is too large.") from None


def shown_lines(verdict: Verdict[Position], full: bool) -> list[str]:
    """The verdict for people."""
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
    """On a terminal, for a large board: how it would take less time."""
    if on_terminal() and (advice := theory_of(here).advice(here)):
        click.echo(advice, err=True)
