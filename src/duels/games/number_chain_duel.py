"""Number Chain Duel: lengthen the chain by a factor or a multiple of its last number."""

from __future__ import annotations

from dataclasses import replace

from duels.games.chain import ChainGame


class NumberChainDuel(ChainGame, usual=9):
    """Add factors and multiples to the end of a chain; who cannot, loses."""

    id, title = "number-chain-duel", "Number Chain Duel"
    summary = "Build a chain of factors and multiples."
    sample = ("4", "2", "8")
    parts = replace(ChainGame.parts, dialogue="duels.dialogue.chain:NumberChainDuelDialogue")
