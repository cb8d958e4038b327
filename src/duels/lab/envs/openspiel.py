"""The games as OpenSpiel games.

duels.lab.envs.openspiel.register()
pyspiel.load_game("python_a_game(option=100)")

The options of a game are its parameters. OpenSpiel separates parameters by commas, so several
choices are joined by a plus sign. OpenSpiel's player 0 is player 1 here. Observations and action
ids are described in `duels.lab.envs.spaces`.
"""

from __future__ import annotations

from typing import Any

from duels.games import all_games, find_game
from duels.lab.envs.base import (
    PositionHolder,
    PositionMixin,
    as_text,
    environment_game,
    require,
)
from duels.lab.envs.spaces import observation, space_of

with require("OpenSpiel"):
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame


def register() -> None:
    """Register all games with OpenSpiel; call it again after adding a game."""
    for game_id, game in all_games().items():
        if openspiel_name(game_id) not in pyspiel.registered_names():
            # A class for each game: OpenSpiel releases what is registered after Python has ended.
            # A class survives that, and a function does not.
            kind = type(game.__name__, (DuelGame,), {"game_id": game_id})
            pyspiel.register_game(_game_type(game_id), kind)


def openspiel_name(game_id: str) -> str:
    """Return OpenSpiel's name of a game: python_a_game for a-game."""
    return f"python_{game_id.replace('-', '_')}"


def _game_type(game_id: str) -> Any:
    kind = find_game(game_id)
    return pyspiel.GameType(
        short_name=openspiel_name(game_id),
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            name: _parameter(value) for name, value in kind.usual().options.items()
        },
    )


def _parameter(value: Any) -> Any:
    """Return the value of an option as OpenSpiel writes it."""
    return value.replace(",", "+") if isinstance(value, str) else value


class DuelGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options fixed."""

    game_id: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        options = {
            name: value.replace("+", ",") if isinstance(value, str) else value
            for name, value in (params or {}).items()
        }
        self.game = environment_game(self.game_id, **options)
        space = space_of(self.game)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(space.moves),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=space.longest_game(),
        )
        named = {name: _parameter(options[name]) for name in options}
        super().__init__(_game_type(self.game_id), info, named)

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)

    def new_initial_state(self, state: None = None) -> DuelState:
        return DuelState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return DuelObserver(self)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def _loaded(name: str) -> DuelGame:
    """Return an unpickled game, perhaps in a process that has not registered the games yet."""
    register()
    game: DuelGame = pyspiel.load_game(name)
    return game


class DuelState(PositionMixin, pyspiel.State):  # type: ignore[misc]
    """A position; copies of it are free."""

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self._holder = PositionHolder(game.game.start())

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.to_move - 1

    def is_terminal(self) -> bool:
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        outcome = self.position.outcome
        if outcome is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner == 1 else [-1.0, 1.0]

    def _legal_actions(self, player: int) -> list[int]:
        return space_of(self.game).legal_actions(self.position)

    def _apply_action(self, action: int) -> None:
        self._holder = PositionHolder(self.position.play(space_of(self.game).move_of(action)))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.game.format(space_of(self.game).move_of(action))

    def __str__(self) -> str:
        return as_text(self.position)


class DuelObserver:
    """The observation, which is the same for both players."""

    def __init__(self, game: DuelGame) -> None:
        self.tensor = np.zeros(space_of(game.game).observation_size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: DuelState, player: int) -> None:
        self.tensor[:] = observation(state.position)

    def string_from(self, state: DuelState, player: int) -> str:
        return space_of(state.game).words(state.position)
