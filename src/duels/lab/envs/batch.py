"""Thousands of games at once: `BatchEnv` for learning at scale, and the `GameBatch` inside it.

envs = BatchEnv(GAME, 4096)                   or gymnasium.make_vec("duels/GAME-v0", 4096, ...)
observations, infos = envs.reset(seed=1)
observations, rewards, terminations, truncations, infos = envs.step(actions)

- Without an `opponent` the agent plays both sides: a step is one move in every game, and the reward
  is that of the player who made it. With one (a level, "random", or an object with
  `choose(position)`) a step is a move and the reply, the agent `plays` as in
  `duels.lab.envs.gymnasium`, and the reward is the agent's. "random" is cheap; any other opponent
  moves in one game after another.
- `infos["rewards"]` has the rewards of player 1 and player 2, `infos["action_mask"]` the legal
  actions, `infos["player"]` the player to move next (1 or 2), `infos["illegal"]` which actions of
  this step were illegal, and so lost their game.
- A finished game restarts in the same step (`AutoresetMode.SAME_STEP`): observations and infos are
  already those of the next game; `infos["final_obs"]` has the last observation of the old one where
  `infos["_final_obs"]` is true.
- `verdict` and `reward` are described in `duels.lab.envs.base`; they solve every position.
- If the opponent's first move ends a game, no action is legal and any action ends the episode.

Without agent, opponent and observations in every step:

games = GameBatch(GAME, 4096, seed=1)
rewards, done = games.step(games.random_actions())
"""

from __future__ import annotations

from itertools import accumulate
from random import Random
from typing import Any, NamedTuple, TypeAlias

from duels.core.errors import OptionError
from duels.core.fast import Bounded
from duels.core.game import Game, Move, Position
from duels.core.options import read_choice, read_whole
from duels.lab.envs.base import (
    DEFAULT_GAME,
    PLAYS,
    PositionHolder,
    environment_game,
    find_opponent,
    keeping_reward,
    read_plays,
    read_render_mode,
    read_reward,
    require,
    value_of,
)
from duels.lab.envs.spaces import ALL, Rows, nth_bit, space_of, unpack
from duels.match.players import Player
from duels.match.players.levels import RANDOM
from duels.theory import winning_moves

with require("Gymnasium"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

Actions: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

MOST_CACHED = 100_000
"""Verdicts that a batch keeps."""


class BatchEnv(VectorEnv[NDArray[np.int8], Any, Any]):
    """`num_envs` games of one kind as one `gymnasium.vector.VectorEnv`."""

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
        verdict: bool = False,
        reward: str = "outcome",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        read_render_mode(render_mode, ())
        self.num_envs = read_whole("num_envs", num_envs, 1)
        self.games = GameBatch(game, self.num_envs, **options)
        self.plays = read_choice("plays", plays, PLAYS)
        self.verdict, self.reward = bool(verdict), read_reward(reward)
        self.single_action_space = spaces.Discrete(self.games.actions)
        size = space_of(self.game).observation_size
        self.single_observation_space = spaces.Box(0, 1, (size,), np.int8)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._opponent_given = opponent
        self._opponent: Player | None = None
        if opponent is not None:
            self._opponent = find_opponent(opponent, Random(0))
        needs_positions = self.verdict or self.reward == "keeping" or opponent not in (None, RANDOM)
        self._positions = BatchPositions(self.game, self.num_envs) if needs_positions else None
        self._all = np.arange(self.num_envs)
        self._side = np.ones(self.num_envs, np.int64)
        """The agent's side in each game, where it has an opponent."""
        self._episodes = np.zeros(self.num_envs, np.int64)
        self._opened = np.zeros(self.num_envs, np.int8)
        """The agent's reward where the opponent's first move has ended the game."""

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
        kept = self._keeping_rewards(chosen, illegal) if self.reward == "keeping" else None
        outcomes = self._play_all(chosen, illegal, rows)
        done = outcomes != 0
        ended = np.flatnonzero(done)
        finals = games.observations(ended) if ended.size else None
        if finals is not None and last_seen is not None:
            finals[np.searchsorted(ended, wrong)] = last_seen
        rewards = outcomes.astype(np.float64) if kept is None else kept
        both = self._rewards_of_both(rewards, ended if kept is None else None)
        self._begin(ended)
        infos = self._infos(illegal) | {"rewards": both}
        if finals is not None:
            final = np.empty(self.num_envs, object)
            final[ended] = np.fromiter(finals, object, len(finals))
            infos |= {"final_obs": final, "_final_obs": done}
        return games.observations(), rewards, done, np.zeros_like(done), infos

    def masks(self) -> NDArray[np.bool_]:
        """Return the legal actions, one row per game."""
        return self.games.masks()

    def random_actions(self) -> Actions:
        """Return a uniformly random legal action for every game; any action if none is legal."""
        found = self.games.random_actions()
        return np.where(self._opened == 0, found, 0) if self._opened.any() else found

    def _play_all(
        self, chosen: Actions, illegal: NDArray[np.bool_], rows: Rows
    ) -> NDArray[np.int8]:
        """Return the reward of the mover, or of the agent, in each game; 0 until it is over."""
        mine = self._play(chosen[rows], illegal[rows], rows)
        if self._opponent is None:
            return mine
        outcomes = self._opened.copy()
        outcomes[rows] = mine
        waiting = self._all[rows][mine == 0]
        outcomes[waiting] = -self._reply(waiting)
        return outcomes

    def _play(self, actions: Actions, illegal: NDArray[np.bool_], rows: Rows) -> NDArray[np.int8]:
        if self._positions:
            self._positions.play(actions[~illegal], self._all[rows][~illegal])
        return self.games.play(actions, illegal, rows)

    def _reply(self, rows: NDArray[np.int64]) -> NDArray[np.int8]:
        """Let the opponent move in some of the games; return its rewards."""
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
        """Start some of the games; the opponent opens where it moves first."""
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
        self._opened[second] = -self._reply(second)

    def _keeping_rewards(self, chosen: Actions, illegal: NDArray[np.bool_]) -> Floats:
        """Return the rewards of the actions for keeping the win."""
        assert self._positions
        rewards = np.where(illegal, -1.0, 0.0)
        rows = np.flatnonzero(~illegal & (self._opened == 0))
        rewards[rows] = self._positions.rewards(chosen[rows], rows)
        return rewards

    def _rewards_of_both(self, rewards: Floats, ended: NDArray[np.int64] | None) -> Floats:
        """Return the rewards of player 1 and player 2 by game: zero-sum at the end of a game.

        A reward for keeping the win (`ended` is None) is only the mover's.
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
        if self.verdict:
            assert self._positions
            infos |= self._positions.verdict_info()
        return infos


class GameBatch:
    """`count` games of one kind on NumPy arrays, each with its own turn and its own end.

    A reward is that of the player who has just moved: 1 for a win, -1 for a loss, 0 before the end
    of the game. `step` plays in every game and restarts those that are over; `play` and `restart`
    do so in some of the games. An illegal action loses the game; `illegal` has those of the last
    step.
    """

    def __init__(self, game: str | Game, count: int, *, seed: int = 0, **options: Any) -> None:
        self._holder = PositionHolder(environment_game(game, **options).start())
        self.count = read_whole("count", count, 1)
        space = space_of(self.game)
        self.actions = len(space.moves)
        self._games = space.batch(self.count)
        self._all = np.arange(self.count)
        _keep_freed_memory()
        self.reset(seed)

    @property
    def game(self) -> Game:
        """The rule book with its options."""
        return self._holder.position.game

    def reset(self, seed: int = 0) -> None:
        """Restart all games, with random numbers from a seed."""
        self.chance = np.random.default_rng(read_whole("seed", seed, 0))
        self.plies = np.zeros(self.count, np.int32)
        self.illegal = np.zeros(self.count, np.bool_)
        self._games.restart(self._all)

    @property
    def to_move(self) -> NDArray[np.int32]:
        """The player to move in each game: 1 or 2."""
        return 1 + (self.plies & 1)

    def masks(self) -> NDArray[np.bool_]:
        """Return the legal actions, one row per game."""
        return unpack(self._games.legal, self.actions).view(np.bool_)

    def observations(self, rows: Rows = ALL) -> NDArray[np.int8]:
        """Return the observations, one row per game."""
        return self._games.observations(rows)

    def random_actions(self, rows: Rows = ALL) -> Actions:
        """Return a uniformly random legal action for every game."""
        legal = self._games.legal[:, rows]
        ends = list(accumulate(np.bitwise_count(legal).astype(np.int64)))
        nth = (self.chance.random(legal.shape[1]) * ends[-1]).astype(np.int64)
        word, index, before = legal[0], np.int64(0), np.int64(0)
        for end, later in zip(ends, legal[1:], strict=False):
            is_later = -(nth >= end).astype(np.int64)  # all bits or none: cheaper than a choice
            word = word ^ (word ^ later) & is_later.view(np.uint64)
            before = before ^ (before ^ end) & is_later
            index = index - is_later
        found: Actions = nth_bit(word, nth - before) + (index << 6)
        return found

    def are_illegal(self, actions: Actions, rows: Rows = ALL) -> NDArray[np.bool_]:
        """Return which of the actions are illegal."""
        legal = self._games.legal
        if len(legal) == 1:
            words = legal[0, rows]
        else:
            words = legal.reshape(-1).take((actions >> 6) * self.count + self._all[rows])
        bits: NDArray[np.bool_] = words >> (actions & 63).view(np.uint64) & np.uint64(1) == 0
        return bits

    def play(
        self, actions: Actions, illegal: NDArray[np.bool_], rows: Rows = ALL
    ) -> NDArray[np.int8]:
        """Play an action in some of the games; return the rewards of the players who moved."""
        rewards = self._games.play(actions, rows)
        if illegal.any():
            rewards[illegal] = -1
        self.plies[rows] += 1
        return rewards

    def restart(self, rows: NDArray[np.int64]) -> None:
        """Restart some of the games."""
        self._games.restart(rows)
        self.plies[rows] = 0

    def step(self, actions: NDArray[np.integer[Any]]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        """Play an action in every game; return the movers' rewards and which games ended."""
        chosen = self.read(actions)
        self.illegal = self.are_illegal(chosen)
        rewards = self.play(chosen, self.illegal)
        done = rewards != 0
        self.restart(np.flatnonzero(done))
        return rewards, done

    def read(self, actions: NDArray[np.integer[Any]]) -> Actions:
        """Return one action for every game; OptionError if they are anything else."""
        chosen = np.array(actions)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            raise OptionError(f"step needs {self.count} whole numbers, one action for every game.")
        if chosen.min() < 0 or chosen.max() >= self.actions:
            raise OptionError(f"Actions go from 0 to {self.actions - 1}.")
        return chosen.astype(np.int64, copy=False)


def _keep_freed_memory() -> None:
    """Let the C library keep the memory that one step frees for the next.

    glibc returns free memory at the end of its heap to the system, from 128 kB on, and the page
    faults would halve the speed of a step. Once a block of this size has been freed, it keeps twice
    as much. Other C libraries are not affected.
    """
    np.empty(8 << 20, np.uint8)


# Verdicts and opponents in a batch


class CachedVerdict(NamedTuple):
    """The verdict of a position, and its winning moves as a mask."""

    value: int
    winning: tuple[Move, ...]
    mask: NDArray[np.int8]


class BatchPositions:
    """The positions of the games of a batch, for verdicts and opponents that need them."""

    def __init__(self, game: Game, count: int) -> None:
        self._start = PositionHolder(game.start())
        self.all: list[Position] = [game.start()] * count
        self._cache = Bounded[Position, CachedVerdict](MOST_CACHED)

    def play(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Play a legal action in some of the games."""
        moves, here = self._moves, self.all
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            here[row] = here[row].play(moves[action])

    def restart(self, rows: NDArray[np.int64]) -> None:
        for row in rows.tolist():
            self.all[row] = self._start.position

    def verdict_info(self) -> dict[str, Any]:
        """Return the value and the winning actions of every game, for the player to move."""
        verdicts = [self._verdict(position) for position in self.all]
        return {
            "value": np.array([verdict.value for verdict in verdicts], np.int8),
            "winning_mask": np.stack([verdict.mask for verdict in verdicts]),
        }

    def rewards(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> list[int]:
        """Return the rewards of legal actions in some of the games, before they are played."""
        moves, here = self._moves, self.all
        return [
            keeping_reward(here[row], self._verdict(here[row]).winning, moves[action])
            for row, action in zip(rows.tolist(), actions.tolist(), strict=True)
        ]

    @property
    def _moves(self) -> Any:
        return space_of(self._start.position.game).moves

    def _verdict(self, position: Position) -> CachedVerdict:
        verdict = self._cache.get(position)
        if verdict is None:
            winning = winning_moves(position)
            mask = space_of(position.game).mask(winning)
            verdict = self._cache[position] = CachedVerdict(
                value_of(position, winning), winning, mask
            )
        return verdict

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (self._start, [position.moves for position in self.all])


def _replay(start: PositionHolder, played: list[tuple[Move, ...]]) -> BatchPositions:
    game = start.position.game
    positions = BatchPositions(game, 0)
    positions.all = [game.position(*moves) for moves in played]
    return positions
