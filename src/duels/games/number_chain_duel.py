"""Number Chain Duel: lengthen the chain by a factor or a multiple of its last number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duels.games.chain import ChainGame


@dataclass(frozen=True)
class NumberChainDuel(ChainGame):
    """Add factors and multiples to the end of a chain; who cannot, loses."""

    id: ClassVar[str] = "number-chain-duel"
    title: ClassVar[str] = "Number Chain Duel"
    summary: ClassVar[str] = "Build a chain of factors and multiples."
    numbers: int = 9
