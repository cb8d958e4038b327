"""Number Chain Duel: lengthen the chain by a factor or a multiple of its last number."""

from __future__ import annotations

from duels.core.setups import SetUp
from duels.games.chain import ChainGame


class NumberChainDuel(ChainGame, usual=9):
    """Add factors and multiples to the end of a chain; who cannot, loses."""

    id, title = "number-chain-duel", "Number Chain Duel"
    summary = "Build a chain of factors and multiples."
    sample = ("4", "2", "8")
    setups = (
        SetUp("to-16", "1 to 16: about 8 moves, either side may win", size=16),
        SetUp("to-30", "1 to 30: about 11 moves, more to look ahead", size=30),
    )
    parts = ChainGame.parts._replace(dialogue="duels.dialogue.chain:NumberChainDuelDialogue")
