"""What every environment shares: its game and position, its opponent, and optional packages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from duels.core.errors import OptionError, install
from duels.core.game import Game, Move, Position
from duels.core.look import MARKS
from duels.core.options import read_choice
from duels.core.words import quoted
from duels.games import GAMES, all_games, find_game
from duels.games import game as registered_game
from duels.match.players import Player
from duels.match.players.grading import is_choice
from duels.match.players.levels import BUILT_IN, built_in

DEFAULT_GAME = next(iter(GAMES))
"""The game of an environment that is created without one: the first of the menu."""
PLAYS = ("first", "second", "alternating", "coin")
"""Whether the agent moves first: always, never, every other episode, or by a coin toss."""
REWARDS = ("outcome", "keeping")
"""What is rewarded: the end of the game, or each move that keeps a win."""


# Optional packages


class MissingExtra(ImportError):
    """An environment needs a package of an extra that is not installed."""


@contextmanager
def require(package: str, extra: str = "envs") -> Iterator[None]:
    """Turn a failed import inside the block into a MissingExtra that says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtra(f"This needs {package}. {install(extra)}") from error


# Games and positions


def environment_game(game: str | Game, **options: Any) -> Game:
    """Return a game with these options; an option that has no default gets the game's example."""
    if isinstance(game, Game) and not options:
        return game
    kind = find_game(game).usual() if isinstance(game, str) else game
    return registered_game(kind.id, **{**kind.options, **options})


def environment_ids() -> dict[str, str]:
    """Return the environment id of every game: duels/AGame-v0 for a-game."""
    names = {game_id: game_id.title().replace("-", "") for game_id in all_games()}
    return {game_id: f"duels/{name}-v0" for game_id, name in names.items()}


class PositionHolder:
    """A position that is copied for free and pickled as plain data."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def __copy__(self) -> PositionHolder:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> PositionHolder:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.position.game
        return _replay, (game.id, dict(game.options), self.position.moves)


def _replay(game_id: str, options: dict[str, Any], moves: tuple[Move, ...]) -> PositionHolder:
    return PositionHolder(registered_game(game_id, **options).position(*moves))


class PositionMixin:
    """The properties of an environment that holds one position."""

    _holder: PositionHolder

    @property
    def position(self) -> Position:
        """The current position."""
        return self._holder.position

    @property
    def game(self) -> Game:
        """The rule book with its options."""
        return self.position.game


# Opponents


def read_plays(options: dict[str, Any] | None, default: str) -> str:
    """Return `plays` from the options of a `reset`; OptionError for any other option or value."""
    chosen = {"plays": default, **(options or {})}
    for name in chosen.keys() - {"plays"}:
        raise OptionError(f"reset has no option {quoted(name)}; its only option is plays.")
    return read_choice("plays", chosen["plays"], PLAYS)


def side_of_agent(plays: str, episode: int, coin: Callable[[], int]) -> int:
    """Return 1 or 2, the player that the agent is; `coin` returns 0 or 1."""
    if plays == "alternating":
        return 1 + episode % 2
    return 1 + (coin() if plays == "coin" else PLAYS.index(plays))


def find_opponent(opponent: str | Player, chance: Random) -> Player:
    """Return the player of that name, or the player itself; OptionError if it is neither."""
    if not isinstance(opponent, str) and callable(getattr(opponent, "choose", None)):
        return opponent
    return built_in(read_choice("opponent", opponent, BUILT_IN), chance)


# Verdicts and rewards
#
# With `verdict=True`, `value` is 1 if the player to move wins with best play, else -1, and
# `winning_mask` has a 1 for every winning action. With `reward="keeping"` the mean reward of all
# real choices is 2 * (share of wins kept) - 1. The end of the game earns nothing more; an illegal
# action earns -1.


def value_of(position: Position, winning: tuple[Move, ...]) -> int:
    """Return 1 if the player to move wins with best play, or has won; else -1."""
    if outcome := position.outcome:
        return 1 if outcome.winner == position.to_move else -1
    return 1 if winning else -1


def read_reward(value: Any) -> str:
    """Return the name of a reward; OptionError if there is none of that name."""
    return read_choice("reward", value, REWARDS)


def keeping_reward(position: Position, winning: tuple[Move, ...], move: Move) -> int:
    """Return 1 if the move keeps a win, -1 if it gives one away, 0 if there was no choice.

    There is none with only one move, with only winning moves, or in a lost position.
    """
    if not is_choice(position, winning):
        return 0
    return 1 if move in winning else -1


# Rendering


class UnknownRenderMode(OptionError, TypeError):
    """An unknown render mode; a TypeError as well, because Stable-Baselines3 catches that."""


def read_render_mode(mode: str | None, known: tuple[str, ...]) -> str | None:
    """Return the render mode; UnknownRenderMode if the environment does not have it."""
    if mode is None:
        return None
    if not known:
        raise UnknownRenderMode("This environment has no render_mode: it draws nothing.")
    try:
        return read_choice("render_mode", mode, known)
    except OptionError as error:
        raise UnknownRenderMode(str(error)) from None


def as_text(position: Position) -> str:
    """Return the position in four short lines, for logs and `render_mode="ansi"`."""
    game = position.game
    options = " ".join(f"{name}={value}" for name, value in game.options.items())
    played = [f"{MARKS[1 + ply % 2]}{game.format(move)}" for ply, move in enumerate(position.moves)]
    if outcome := position.outcome:
        status = f"Player {outcome.winner} {MARKS[outcome.winner]} has won ({outcome.reason})."
    else:
        status = f"Player {position.to_move} {MARKS[position.to_move]} is to move."
    lines = [f"{game.title} ({options})", f"Moves: {' '.join(played) or 'none'}", position.words]
    return "\n".join([*lines, status])
