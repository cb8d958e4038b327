"""Whether a batch does in every game what the positions of the game do."""

import numpy as np

from duels.lab.envs.batch import GameBatch
from duels.lab.envs.spaces import mask, observation, space_of


def check_batch_in_random_play(game, count=12, steps=100):
    """All games are played to their end and start again."""
    env = GameBatch(game, count, seed=3)
    positions = [game.start()] * count
    for _ in range(steps):
        check_what_is_seen(env, positions)
        actions = env.random_actions()
        results = env.step(actions)
        positions = check_step(game, positions, actions, results)
        positions = [game.start() if here.outcome else here for here in positions]
        assert not env.illegal.any()


def check_batch_in(game, rows):
    """Each game plays one of the rows of moves, and after it whatever is legal."""
    env = GameBatch(game, len(rows), seed=1)
    positions, playing = [game.start()] * len(rows), np.arange(len(rows))
    for ply in range(max(map(len, rows))):
        playing = np.array([row for row in playing if ply < len(rows[row])])
        here = [positions[row] for row in playing]
        check_what_is_seen(env, here, playing)
        actions = env.random_actions()
        actions[playing] = [space_of(game).action_of(rows[row][ply]) for row in playing]
        rewards, done = env.step(actions)
        results = rewards[playing], done[playing]
        after = check_step(game, here, actions[playing], results)
        for row, position in zip(playing, after, strict=True):
            positions[row] = position


def check_what_is_seen(env, positions, games=slice(None)):
    masks, seen = env.masks()[games], env.observations()[games]
    assert (masks.dtype, seen.dtype) == (np.bool_, np.int8)
    assert np.array_equal(masks, [mask(position) for position in positions])
    assert np.array_equal(seen, [observation(position) for position in positions])
    assert env.to_move[games].tolist() == [position.to_move for position in positions]


def check_step(game, positions, actions, results):
    """The positions after the actions."""
    rewards, done = results
    assert (rewards.dtype, done.dtype) == (np.int8, np.bool_)
    after = [
        position.play(space_of(game).move_of(action))
        for position, action in zip(positions, actions, strict=True)
    ]
    assert done.tolist() == [bool(position.outcome) for position in after]
    assert rewards.tolist() == [
        0 if not now.outcome else 1 if now.outcome.winner == before.to_move else -1
        for before, now in zip(positions, after, strict=True)
    ]
    return after
