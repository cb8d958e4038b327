"""The games as environments for agents: Gymnasium, PettingZoo, OpenSpiel, batches, and text.

import gymnasium, duels.lab.envs
gymnasium.make("duels/GAME-v0", opponent="expert")          docs/how-to/agents.md has the ids
duels.lab.envs.pettingzoo.env(GAME)        after import duels.lab.envs.pettingzoo
duels.lab.envs.openspiel.register()        after import duels.lab.envs.openspiel
duels.lab.envs.batch.BatchEnv(GAME, 4096)        after import duels.lab.envs.batch
duels.lab.envs.text.TextEnv(GAME, opponent="expert")        after import duels.lab.envs.text
duels.lab.envs.textarena.register()        after import duels.lab.envs.textarena

Importing this package makes the ids known to Gymnasium, if it is installed, because that is where
Gymnasium looks for them: `gymnasium.make("duels.lab.envs:duels/GAME-v0")` works too.
"""

from __future__ import annotations

from duels.lab.envs.extras import MissingExtra


def _register_with_gymnasium() -> None:
    try:
        from duels.lab.envs.gymnasium import register
    except MissingExtra:
        return  # whoever asks for duels.lab.envs.gymnasium reads what to install
    register()


_register_with_gymnasium()

__all__ = ["MissingExtra"]
