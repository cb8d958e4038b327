"""Number Duel: each number is a factor or multiple of the last, or shares a digit with it."""

from __future__ import annotations

from duels.core.options import choice
from duels.core.parts import derived
from duels.core.setups import SetUp
from duels.games.chain import ChainGame
from duels.games.criteria import CRITERIA, Criterion


class NumberDuel(ChainGame, usual=100, highest=10_000):
    """Pick an unused number that meets a criterion against the last one; who cannot, loses."""

    id, title = "number-duel", "Number Duel"
    summary = "Pick a factor or a multiple, or share a digit."
    sample_size, sample = 20, ("12", "2", "4")
    setups = (
        SetUp(
            "digit-sum-30",
            "1 to 30, digit sums count, not digits: about 16 moves",
            {"criteria": "factor,digit-sum"},
            size=30,
        ),
        SetUp(
            "digit-sum-20",
            "1 to 20, digit sums count, not digits: about 11 moves",
            {"criteria": "factor,digit-sum"},
            size=20,
        ),
    )
    parts = ChainGame.parts._replace(dialogue="duels.dialogue.chain:NumberDuelDialogue")
    criteria: str = choice(
        f"what lets a number follow: {', '.join(CRITERIA)}, joined by commas",
        {name: criterion.means for name, criterion in CRITERIA.items()},
        default="factor,digit",
        several=True,
        label="What makes a number fit",
    )

    @derived
    def rules(self) -> tuple[Criterion, ...]:
        return tuple(CRITERIA[name] for name in self.criteria.split(","))
