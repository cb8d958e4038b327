"""Positions of all games, and what is true of them. It runs in every Python: here, and in a page's.

python positions.py QUESTIONS.json ANSWERS.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import duels
from duels.coach.hints import hints
from duels.core.errors import OptionError, TooLarge
from duels.core.options import Option, setups_of
from duels.match.players.levels import LEVELS, computer_move

LARGEST = 200
"""Numbers on a board; more of them only take longer."""


def questions(count: int, chance: Random) -> list[dict[str, Any]]:
    """As many positions, in turn of every game, on boards of many kinds."""
    kinds = [*duels.GAMES.values()]
    return [_question(kinds[number % len(kinds)], chance) for number in range(count)]


def _question(kind: type[duels.Game], chance: Random) -> dict[str, Any]:
    game = _game(kind, chance)
    position = game.start()
    for _ in range(chance.choice((0, 1, 2, chance.randrange(3, 40)))):
        if position.outcome or position.play(move := chance.choice(position.legal_moves)).outcome:
            break
        position = position.play(move)
    moves = [game.format(move) for move in position.moves]
    seed = chance.randrange(10**9)
    return {"game": game.id, "options": game.options, "moves": moves, "seed": seed}


def _game(kind: type[duels.Game], chance: Random) -> duels.Game:
    if chance.random() < 0.2:
        return chance.choice(setups_of(kind)).game(kind)
    while True:
        try:
            return kind(**{name: _value(option, chance) for name, option in kind.fields.items()})
        except OptionError:  # some values do not go together
            continue


def _value(option: Option, chance: Random) -> int | str:
    if option.several:
        some = chance.sample([*option.choices], chance.randint(1, len(option.choices)))
        return ",".join(sorted(some))
    if option.choices:
        return chance.choice([*option.choices])
    highest = min(option.highest or LARGEST, LARGEST)
    some = chance.choice((12, 30, 30, highest))
    return chance.randint(option.lowest, min(some, highest))


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """The truth about a position, and what computers of every level do there."""
    position = duels.game(asked["game"], **asked["options"]).position(*asked["moves"])
    players = {name: computer_move(name, position, asked["seed"]) for name in (*LEVELS, "random")}
    try:
        verdict = duels.solve(position)
    except TooLarge as error:
        return {"players": players, "too large": str(error)}
    return {
        "players": players,
        "wins": verdict.wins,
        "winning_moves": verdict.winning_moves,
        "reason": verdict.reason,
        "hints": hints(position),
    }


if __name__ == "__main__":
    asked = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    answers = [answer(one) for one in asked]
    Path(sys.argv[2]).write_text(json.dumps(answers), encoding="utf-8")
