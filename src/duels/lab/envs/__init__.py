"""The games as environments for agents: Gymnasium, PettingZoo, OpenSpiel, batches, and text.

import gymnasium, duels.lab.envs
gymnasium.make("duels/GAME-v0", opponent="expert")          docs/how-to/agents.md has the ids
duels.lab.envs.pettingzoo.env(GAME)        after import duels.lab.envs.pettingzoo
duels.lab.envs.openspiel.register()        after import duels.lab.envs.openspiel
duels.lab.envs.batch.BatchEnv(GAME, 4096)        after import duels.lab.envs.batch
duels.lab.envs.text.TextEnv(GAME, opponent="expert")        after import duels.lab.envs.text
duels.lab.envs.textarena.register()        after import duels.lab.envs.textarena

Importing this package registers the ids with Gymnasium, if that is installed:
`gymnasium.make("duels.lab.envs:duels/GAME-v0")` works too.
"""

from __future__ import annotations

from duels.lab.envs.base import MissingExtra


def _register_with_gymnasium() -> None:
    try:
        from duels.lab.envs.gymnasium import register
    except MissingExtra:
        return  # importing duels.lab.envs.gymnasium says what to install
    register()


_register_with_gymnasium()

__all__ = ["MissingExtra"]
