"""The games as environments for agents: Gymnasium, PettingZoo, OpenSpiel, batches, and text.

import gymnasium, duels.envs
gymnasium.make("duels/GAME-v0", opponent="expert")          docs/how-to/agents.md has the ids
duels.envs.pettingzoo.env(GAME)                             after import duels.envs.pettingzoo
duels.envs.openspiel.register()                             after import duels.envs.openspiel
duels.envs.batch.BatchEnv(GAME, 4096)                       after import duels.envs.batch
duels.envs.text.TextEnv(GAME, opponent="expert")            after import duels.envs.text
duels.envs.textarena.register()                             after import duels.envs.textarena

Importing this package makes the ids known to Gymnasium, if it is installed, because that is where
Gymnasium looks for them: `gymnasium.make("duels.envs:duels/GAME-v0")` works too.
"""

from __future__ import annotations

from duels.envs.extras import MissingExtra


def _register_with_gymnasium() -> None:
    try:
        from duels.envs.gymnasium import register
    except MissingExtra:
        return  # whoever asks for duels.envs.gymnasium reads what to install
    register()


_register_with_gymnasium()

__all__ = ["MissingExtra"]
