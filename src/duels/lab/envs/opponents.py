"""What environments of one agent have in common: what they are called, and whom it plays."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from duels.core.errors import OptionError
from duels.core.options import read_choice
from duels.core.words import quoted
from duels.games import all_games
from duels.match.players import Player
from duels.match.players.levels import BUILT_IN, built_in

PLAYS = ("first", "second", "alternating", "coin")
"""Whether the agent moves first: always, never, in turn, or as a coin decides."""


def environment_ids() -> dict[str, str]:
    """The ids of the environments by game: a-game is duels/AGame-v0."""
    names = {game_id: game_id.title().replace("-", "") for game_id in all_games()}
    return {game_id: f"duels/{name}-v0" for game_id, name in names.items()}


def read_plays(options: dict[str, Any] | None, usual: str) -> str:
    """Who begins, as the options of a `reset` say it; OptionError if they say anything else."""
    chosen = {"plays": usual, **(options or {})}
    for name in chosen.keys() - {"plays"}:
        raise OptionError(f"reset has no option {quoted(name)}; it has plays.")
    return read_choice("plays", chosen["plays"], PLAYS)


def side_of_agent(plays: str, episode: int, coin: Callable[[], int]) -> int:
    """Whether the agent is player 1 or 2; a coin gives 0 or 1."""
    if plays == "alternating":
        return 1 + episode % 2
    return 1 + (coin() if plays == "coin" else PLAYS.index(plays))


def find_opponent(given: str | Player, chance: Random) -> Player:
    """The opponent that somebody named, or brought along."""
    if not isinstance(given, str) and callable(getattr(given, "choose", None)):
        return given
    return built_in(read_choice("opponent", given, BUILT_IN), chance)
