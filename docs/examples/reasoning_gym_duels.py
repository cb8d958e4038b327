"""Questions of `duels exam` as a dataset of reasoning-gym, with a curriculum.

import reasoning_gym, reasoning_gym_duels
dataset = reasoning_gym.create_dataset("duels", size=100, seed=1)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition
from reasoning_gym.coaching import ScalarAttributeDefinition as Scalar
from reasoning_gym.factory import ProceduralDataset, register_dataset

from duels.games import find_game
from duels.lab.exam.dataset import Item
from duels.lab.exam.sampling import make_items
from duels.match.players.prompt import Conditions, prompt, read_answer

NAME = "duels"
BOARDS = 4
"""Sizes of each game between the smallest and the largest."""


@dataclass
class DuelsConfig:
    """Which games, how large their boards are, and whether the question lists the legal moves."""

    games: list[str] = field(
        default_factory=lambda: ["number-chain-duel", "number-line-duel", "sequence-duel"]
    )
    min_numbers: int = 9
    max_numbers: int = 20
    show_legal: bool = True
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raise AssertionError if these settings make no dataset."""
        assert 5 <= self.min_numbers <= self.max_numbers, "5 <= min_numbers <= max_numbers"
        assert all(find_game(game).size_option() for game in self.games), "boards without a size"


class DuelsDataset(ProceduralDataset):
    """Positions in which some moves keep the win and others do not. The answer is a move."""

    def __init__(self, config: DuelsConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)

    @cached_property
    def items(self) -> list[Item]:
        """Items of an exam on these boards: balanced by game, phase and difficulty."""
        low, high = self.config.min_numbers, self.config.max_numbers
        sizes = sorted({low + (high - low) * part // (BOARDS - 1) for part in range(BOARDS)})
        kinds = [find_game(game) for game in self.config.games]
        boards = [kind.usual(**{kind.size_option() or "": n}) for kind in kinds for n in sizes]
        # Half of an exam is for training; the rest may be on other boards.
        found = make_items(boards, 2 * self.size, self.seed, search=0, jobs=1)
        return [item for item in found if item.split == "train"]

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return a question; small boards have few, so they repeat."""
        item = self.items[idx % len(self.items)]
        conditions = Conditions(show_legal=self.config.show_legal)
        messages = prompt(item.position, conditions, in_exam=True)
        return {
            "question": "\n\n".join(message["content"] for message in messages),
            "answer": item.position.game.format(item.winning_moves[0]),
            "metadata": {
                "source_dataset": NAME,
                "source_index": idx,
                "game": item.label,
                "moves": [item.position.game.format(move) for move in item.position.moves],
                "chance": item.share,
                "difficulty": {
                    "numbers": (self.config.min_numbers, self.config.max_numbers),
                    "show_legal": self.config.show_legal,
                },
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return 1 for a move that keeps the win, and 0 for anything else."""
        item = self.items[entry["metadata"]["source_index"] % len(self.items)]
        _, _, move = read_answer(item.position, answer or "")
        return float(move in item.winning_moves)


class DuelsCurriculum(BaseCurriculum):
    """Larger boards, and then no list of the legal moves."""

    def __init__(self) -> None:
        super().__init__(DuelsCurriculum.__name__, DuelsConfig)
        self._define_attributes(
            RangeAttributeDefinition(
                name="numbers",
                levels=[6, 9, 14, 20, 30, 60],
                description="The highest number on the board",
                lower_field_name="min_numbers",
                upper_field_name="max_numbers",
                ensure_interval=True,
            ),
            Scalar(
                name="show_legal",
                levels=[True, False],
                description="Whether the question lists the legal moves",
                field_name="show_legal",
            ),
        )


register_dataset(NAME, DuelsDataset, DuelsConfig, DuelsCurriculum)
