"""The commands of the coach: review and puzzle."""

from __future__ import annotations

from pathlib import Path
from random import Random, SystemRandom

import click

from duels.cli.options import (
    GAME,
    STANDARD,
    game_options,
    given,
    json_option,
    position_data,
    print_json,
    write_file,
)
from duels.cli.records import matches_of
from duels.coach.puzzles import DIFFICULTY
from duels.coach.puzzles import puzzle as find_puzzle
from duels.coach.review import Review, move_lines, review_data, review_lines
from duels.coach.review import review as review_match
from duels.core.errors import DuelsError
from duels.core.game import Position
from duels.games import GAMES, game, option_fields
from duels.terminal.board import draw
from duels.terminal.replay import describe
from duels.terminal.rules import rules_lines
from duels.terminal.talk import Talk
from duels.theory import solve

DRAWS = 40
"""How many boards are tried before we say that there is no puzzle."""
LARGE = 1_000
"""Boards on which it takes a while to find one."""


@click.command()
@click.argument("source", metavar="[FILE|ID]", required=False, type=click.Path())
@click.option("--number", type=click.IntRange(min=1), help="Which record of the file, from 1.")
@click.option("--svg", "svg_file", type=click.Path(path_type=Path), help="Draw the strip.")
@json_option
def review(source: str | None, number: int | None, svg_file: Path | None, as_json: bool) -> None:
    """Label every move of a match, and find where it turned.

    Without a file or an id, the latest finished game is reviewed.
    """
    talk = Talk()
    matches = matches_of(source, number, talk)
    if svg_file and len(matches) > 1:
        raise click.UsageError(f"There are {len(matches)} records; say which with --number.")
    for match in matches:
        found = review_match(match)
        if svg_file:
            write_file(svg_file, _svg(found))
        if svg_file == STANDARD:
            continue
        if as_json:
            print_json(review_data(found))
        else:
            talk.tell(describe(match), "", *move_lines(found), "", *review_lines(found))


@click.command()
@click.argument("game_id", metavar="[GAME]", type=GAME, required=False)
@game_options
@click.option("--level", type=click.Choice(list(DIFFICULTY)), default="casual", show_default=True)
@click.option("--seed", type=int, help="The same seed gives the same puzzle.")
@json_option
def puzzle(
    game_id: str | None, level: str, seed: int | None, as_json: bool, **options: str | None
) -> None:
    """Find the only winning move.

    Off a terminal the answer is read from standard input; --json prints the puzzle and its answer.
    """
    chance = SystemRandom() if seed is None else Random(seed)
    position = _found(game_id, given(options), level, chance)
    if as_json:
        (answer,) = solve(position).winning_moves
        print_json(position_data(position) | {"answer": answer})
    else:
        _ask(position, Talk())


def _found(game_id: str | None, chosen: dict[str, str], level: str, chance: Random) -> Position:
    """A puzzle; what nobody chose is drawn, and drawn again while there is none."""
    fitting = [name for name in GAMES if option_fields(name).keys() >= chosen.keys()]
    is_fixed = game_id and (game_id != "divisor-duel" or "divisor" in chosen)
    for _ in range(1 if is_fixed else DRAWS):
        name, drawn = game_id or chance.choice(fitting or list(GAMES)), dict(chosen)
        if name == "divisor-duel":
            drawn.setdefault("divisor", str(chance.randint(3, 40)))
        playing = game(name, **drawn)
        if int(playing.options.get("numbers", 0)) > LARGE:
            click.echo("Looking for a puzzle...", err=True)
        if found := find_puzzle(playing, level, chance):
            return found
    raise DuelsError("No puzzle was found on this board. Try another level or another size.")


def _ask(position: Position, talk: Talk) -> None:
    verdict = solve(position)
    (answer,) = verdict.winning_moves
    options = ", ".join(f"{name} {value}" for name, value in position.game.options.items())
    talk.tell(f"{position.game.title} ({options}). One move wins. Which?")
    _show(position, talk)
    while True:
        try:
            typed = talk.ask("Your move (or give up): ").strip()
        except EOFError:
            return
        if typed.lower() in {"quit", "q", "exit"}:
            return
        if typed.lower() in {"help", "?", ""}:
            talk.tell("Type the one winning move; or board, moves, rules, give up, quit.")
            continue
        if typed.lower() in {"board", "moves"}:
            _show(position, talk)
            continue
        if typed.lower() == "rules":
            talk.say(*rules_lines(position.game.id, talk.size.columns))
            continue
        if typed.lower() == "give up":
            talk.tell(f"The answer is {position.game.format(answer)}. {verdict.reason}")
            return
        try:
            move = position.game.parse(typed)
            after = position.play(move)
        except DuelsError as error:
            talk.tell(f"{error} Type help to see what you can do.")
            continue
        if position.play(answer) == after:
            talk.tell(f"Right! {verdict.reason}")
            return
        reply = solve(after)
        talk.tell(f"That loses. Your opponent would say: {reply.reason}", "Try again.")


def _show(position: Position, talk: Talk) -> None:
    talk.say("", *draw(position, talk.style, talk.size.columns), "")
    told = [position.game.format(move) for move in position.legal_moves]
    talk.tell(f"Moves: {', '.join(told)}")


def _svg(found: Review) -> str:
    from duels.pictures import Step, review_svg

    match = found.match
    return review_svg(
        describe(match),
        [
            Step(
                step.player,
                match.game.format(step.move),
                step.winner_after,
                step.label,
                number == found.turning_point,
            )
            for number, step in enumerate(found.steps, start=1)
        ],
    )
