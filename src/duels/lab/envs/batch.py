"""Thousands of games at once as one `gymnasium.vector.VectorEnv`, for learning at scale.

envs = BatchEnv(GAME, 4096)                   or gymnasium.make_vec("duels/GAME-v0", 4096, ...)
observations, infos = envs.reset(seed=1)
observations, rewards, terminations, truncations, infos = envs.step(actions)

- Without an `opponent` the agent plays both sides: a step is one move in every game, and the reward
  is that of the player who made it. With one (a level, "random", or an object with
  `choose(position)`) a step is a move and the answer, the agent `plays` as in
  `duels.lab.envs.gymnasium`, and the reward is the agent's. "random" costs little; all others
  choose in one position after the other.
- `infos["rewards"]` has the rewards of player 1 and player 2, `infos["action_mask"]` the legal
  actions, `infos["player"]` who is to move next (1 or 2), `infos["illegal"]` which actions of this
  step were not legal, and so have lost their game.
- A game that is over starts again in the same step (`AutoresetMode.SAME_STEP`): observations and
  infos are already those of the next game, and `infos["final_obs"]` has the last observation of the
  old one, where `infos["_final_obs"]` says so.
- `truth` and `reward` are described in `duels.lab.envs.truth`; each position is worked out.
- If the opponent's first move ends a game, no action is legal and any action ends the episode.
"""

from __future__ import annotations

from random import Random
from typing import Any, TypeAlias

from duels.core.game import Game
from duels.core.options import read_choice, read_whole
from duels.lab.envs.extras import needed, read_render_mode
from duels.lab.envs.frozen import DEFAULT_GAME
from duels.lab.envs.many import Actions, ManyGames
from duels.lab.envs.opponents import PLAYS, find_opponent, read_plays
from duels.lab.envs.spaces import ALL, Rows, space_of
from duels.lab.envs.truth import Positions, read_reward
from duels.match.players import Player
from duels.match.players.levels import RANDOM

with needed("Gymnasium"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


class BatchEnv(VectorEnv[NDArray[np.int8], Any, Any]):
    """`num_envs` games of one kind; see above."""

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: str | Game = DEFAULT_GAME,
        num_envs: int = 1,
        *,
        opponent: str | Player | None = None,
        plays: str = "first",
        truth: bool = False,
        reward: str = "outcome",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        read_render_mode(render_mode, ())
        self.num_envs = read_whole("num_envs", num_envs, 1)
        self.games = ManyGames(game, self.num_envs, **options)
        self.plays = read_choice("plays", plays, PLAYS)
        self.truth, self.reward = bool(truth), read_reward(reward)
        self.single_action_space = spaces.Discrete(self.games.actions)
        size = space_of(self.game).observation_size
        self.single_observation_space = spaces.Box(0, 1, (size,), np.int8)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._opponent_given = opponent
        self._opponent: Player | None = None
        if opponent is not None:
            self._opponent = find_opponent(opponent, Random(0))
        is_followed = self.truth or self.reward == "keeping" or opponent not in (None, RANDOM)
        self._positions = Positions(self.game, self.num_envs) if is_followed else None
        self._all = np.arange(self.num_envs)
        self._side = np.ones(self.num_envs, np.int64)
        """The player that the agent is in each game, where it has an opponent."""
        self._episodes = np.zeros(self.num_envs, np.int64)
        self._opened = np.zeros(self.num_envs, np.int8)
        """Where the opponent's first move has ended the game, the agent's reward."""

    @property
    def game(self) -> Game:
        """The rule book with its options."""
        return self.games.game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        super().reset(seed=seed)
        self._plays = read_plays(options, self.plays)
        self.games.chance = self.np_random
        if self._opponent_given is not None:
            chance = Random(int(self.np_random.integers(2**62)))
            self._opponent = find_opponent(self._opponent_given, chance)
        self._episodes[:] = 0
        self._begin(self._all)
        return self.games.observations(), self._infos(np.zeros(self.num_envs, np.bool_))

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.int8], Floats, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        games = self.games
        rows: Rows = ALL
        chosen = games.read(actions)
        illegal = games.are_illegal(chosen)
        if self._opponent is not None and self._opened.any():
            rows = np.flatnonzero(self._opened == 0)
            illegal &= self._opened == 0
        wrong = np.flatnonzero(illegal)
        last_seen = games.observations(wrong) if wrong.size else None
        paid = self._paid(chosen, illegal) if self.reward == "keeping" else None
        outcomes = self._play_all(chosen, illegal, rows)
        done = outcomes != 0
        ended = np.flatnonzero(done)
        finals = games.observations(ended) if ended.size else None
        if finals is not None and last_seen is not None:
            finals[np.searchsorted(ended, wrong)] = last_seen
        rewards = outcomes.astype(np.float64) if paid is None else paid
        both = self._of_both(rewards, ended if paid is None else None)
        self._begin(ended)
        infos = self._infos(illegal) | {"rewards": both}
        if finals is not None:
            final = np.empty(self.num_envs, object)
            final[ended] = np.fromiter(finals, object, len(finals))
            infos |= {"final_obs": final, "_final_obs": done}
        return games.observations(), rewards, done, np.zeros_like(done), infos

    def masks(self) -> NDArray[np.bool_]:
        """Which actions are legal: one row a game."""
        return self.games.masks()

    def random_actions(self) -> Actions:
        """A legal action for every game, each as likely as another; any one where none is legal."""
        found = self.games.random_actions()
        return np.where(self._opened == 0, found, 0) if self._opened.any() else found

    def _play_all(
        self, chosen: Actions, illegal: NDArray[np.bool_], rows: Rows
    ) -> NDArray[np.int8]:
        """What the mover, or the agent, gets for the end of each game; 0 where it goes on."""
        mine = self._play(chosen[rows], illegal[rows], rows)
        if self._opponent is None:
            return mine
        outcomes = self._opened.copy()
        outcomes[rows] = mine
        waiting = self._all[rows][mine == 0]
        outcomes[waiting] = -self._answer(waiting)
        return outcomes

    def _play(self, actions: Actions, illegal: NDArray[np.bool_], rows: Rows) -> NDArray[np.int8]:
        if self._positions:
            self._positions.play(actions[~illegal], self._all[rows][~illegal])
        return self.games.play(actions, illegal, rows)

    def _answer(self, rows: NDArray[np.int64]) -> NDArray[np.int8]:
        """The opponent moves in some of the games: its rewards."""
        if not rows.size:
            return np.zeros(0, np.int8)
        assert self._opponent
        if self._opponent_given == RANDOM:
            actions = self.games.random_actions(rows)
        else:
            assert self._positions
            space, here = space_of(self.game), self._positions.all
            asked = [here[row] for row in rows.tolist()]
            after = (position.play(self._opponent.choose(position)) for position in asked)
            moves = (space.action_of(position.moves[-1]) for position in after)
            actions = np.fromiter(moves, np.int64, len(rows))
        return self._play(actions, self.games.are_illegal(actions, rows), rows)

    def _begin(self, rows: NDArray[np.int64]) -> None:
        """Start some of the games; the opponent opens where it begins."""
        self.games.restart(rows)
        if self._positions:
            self._positions.restart(rows)
        if self._opponent is None or not rows.size:
            return
        if self._plays == "alternating":
            self._side[rows] = 1 + self._episodes[rows] % 2
        elif self._plays == "coin":
            self._side[rows] = self.np_random.integers(1, 3, len(rows))
        else:
            self._side[rows] = 1 + PLAYS.index(self._plays)
        self._episodes[rows] += 1
        self._opened[rows] = 0
        second = rows[self._side[rows] == 2]
        self._opened[second] = -self._answer(second)

    def _paid(self, chosen: Actions, illegal: NDArray[np.bool_]) -> Floats:
        """What the actions are paid for keeping the win."""
        assert self._positions
        paid = np.where(illegal, -1.0, 0.0)
        rows = np.flatnonzero(~illegal & (self._opened == 0))
        paid[rows] = self._positions.paid(chosen[rows], rows)
        return paid

    def _of_both(self, rewards: Floats, ended: NDArray[np.int64] | None) -> Floats:
        """By game, the rewards of player 1 and player 2: at the end one's gain is the other's loss.

        What is paid for keeping the win (`ended` is None) is only the mover's.
        """
        both = np.zeros((self.num_envs, 2))
        rows = np.flatnonzero(rewards) if ended is None else ended
        plies = self.games.plies[rows]  # with the move that has just been made
        movers = 2 - (plies & 1) if self._opponent is None else self._side[rows]
        places, paid, flat = 2 * rows + movers - 1, rewards[rows], both.reshape(-1)
        flat[places] = paid
        if ended is not None:
            flat[places ^ 1] = -paid
        return both

    def _infos(self, illegal: NDArray[np.bool_]) -> dict[str, Any]:
        player = self.games.to_move if self._opponent is None else self._side.copy()
        infos = {
            "action_mask": self.games.masks().view(np.int8),
            "illegal": illegal,
            "player": player,
        }
        if self.truth:
            assert self._positions
            infos |= self._positions.truth()
        return infos
