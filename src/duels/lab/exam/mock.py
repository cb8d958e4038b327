"""The model `duels/mock`: a level that reads our prompt, for trying everything without a server.

`duels/mock` plays like casual, `duels/mock-expert` like expert. One answer in ten is faulty, of
every kind that real models give. The answer to a prompt is always the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from duels.core.errors import OptionError
from duels.core.game import Position
from duels.games import all_games, game
from duels.match.players.levels import BUILT_IN, built_in
from duels.match.players.prompt import rules_for_models

FAULTY = 0.1
"""The share of faulty answers."""
FAULTS = (
    "I am not sure which number is best here.",
    "MOVE: 999999999",
    "I'm sorry, but I can't help with that.",
)
"""An unreadable answer, an illegal move and a refusal."""


@modelapi(name="duels")
class MockAPI(ModelAPI):
    """Inspect's interface to the mock model."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (Inspect's own signature)
        **_: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        name, dash, level = model_name.partition("-")
        self.level = level if dash else "casual"
        if name != "mock" or self.level not in BUILT_IN:
            raise OptionError(f"The mock models are mock and mock-LEVEL: {', '.join(BUILT_IN)}.")

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 (Inspect's own signature)
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        here = position_in([message.text for message in input])
        chance = Random(f"{self.level} {[message.text for message in input]}")
        move = here.game.format(built_in(self.level, chance).choose(here))
        reason: StopReason = "stop"
        words = f"I have thought about it.\n\nMOVE: {move}"
        if chance.random() < FAULTY:
            words = chance.choice([*FAULTS, f"I like {move}"])
            reason = "stop" if words in FAULTS else "max_tokens"
        output = ModelOutput.from_content(self.model_name, words, stop_reason=reason)
        read, written = sum(len(message.text) for message in input) // 4, len(words) // 4
        output.usage = ModelUsage(
            input_tokens=read, output_tokens=written, total_tokens=read + written
        )
        return output


def position_in(texts: Sequence[str]) -> Position:
    """Return the position that a prompt of ours describes: it has all that a player needs."""
    rules, words = texts[0], texts[1]
    kind = next(kind for kind in all_games().values() if rules_for_models(kind.usual()) in rules)
    options = re.search(r"This game is played with (.+)\.", words)
    pairs = options[1].split(", ") if options else []
    moves = re.search(r"Moves so far, in turn: (.+)\.", words)
    played = [] if not moves or moves[1] == "none" else moves[1].split(", ")
    return game(kind.id, **dict(pair.split(" = ") for pair in pairs)).position(*played)
