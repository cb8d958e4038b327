"""Sequence Duel: remove a factor or a multiple of the number removed before."""

from __future__ import annotations

from duels.core.bits import bit_set, up_to
from duels.core.errors import OptionError
from duels.core.options import choice
from duels.core.setups import SetUp
from duels.games.chain import ChainGame


class SequenceDuel(ChainGame, usual=20):
    """Remove factors and multiples from 1..size; with the even opening it is Juniper Green."""

    id, title = "sequence-duel", "Sequence Duel"
    summary = "Remove factors and multiples until nothing fits."
    opening_rule = "{} is odd, and the first number must be even."
    sample = ("6", "3", "9")
    setups = (
        SetUp(
            "even-40",
            "1 to 40, an even number first: about 14 moves, few openings win",
            {"opening": "even"},
            size=40,
        ),
        SetUp(
            "even-30",
            "1 to 30, an even number first: about 11 moves, either may win",
            {"opening": "even"},
            size=30,
        ),
    )
    parts = ChainGame.parts._replace(dialogue="duels.dialogue.chain:SequenceDuelDialogue")
    opening: str = choice(
        "which numbers may open the game: any or even",
        {"any": "any", "even": "even (Juniper Green)"},
        default="any",
        label="First number",
        brief="{} opening",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.opening == "even" and self.size < 2:
            raise OptionError("An even opening needs a board of 2 numbers or more.")

    @property
    def openings(self) -> int:
        if self.opening == "any":
            return up_to(self.size)
        return bit_set(range(2, self.size + 1, 2))
