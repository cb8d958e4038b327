"""A language model as a player, through Inspect: providers, retries, time limits, usage, logs.

Each answer is counted as what it is: a move, illegal, unreadable, refused, cut off or late. A bad
answer is asked for again with the reason, as often as the conditions say; then the player forfeits.
A server error is never an answer, and no answer is ever replaced by a move of ours.

The mock model needs no server: `duels/mock` plays like casual, `duels/mock-expert` like expert. One
answer in ten is faulty, of every kind that real models give. Its answer to a prompt is always the
same.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from math import ceil
from random import Random
from typing import Any, NamedTuple

from duels.core.errors import DuelsError, OptionError, install
from duels.core.game import Move, Position
from duels.core.words import quoted
from duels.games import all_games, game
from duels.match.players.levels import BUILT_IN, built_in
from duels.match.players.prompt import (
    LATE,
    REFUSED,
    Conditions,
    Message,
    feedback,
    prompt,
    read_answer,
    rules_for_models,
)
from duels.match.players.specs import FAILED, Forfeit

try:
    from inspect_ai.model import (
        ChatMessage,
        GenerateConfig,
        Model,
        ModelAPI,
        ModelCost,
        ModelInfo,
        ModelOutput,
        ModelUsage,
        StopReason,
        get_model,
        get_model_info,
        modelapi,
        set_model_info,
    )
    from inspect_ai.tool import ToolChoice, ToolInfo
    from pydantic import TypeAdapter
    from rich.text import Text
except ImportError:
    raise DuelsError(f"Language models need Inspect. {install('llm')}") from None

TIME_LIMIT = 600.0
"""The default limit for one answer, in seconds."""
SERVER_RETRIES = 3
"""How often Inspect repeats a request after a server error, by default."""

LONGEST_ERROR = 300


class Reply(NamedTuple):
    """An answer of a model: its kind, its fault if it has one, its move if not, and its text."""

    kind: str
    detail: str
    move: Move | None = None
    words: str = ""


def read_output(position: Position, output: ModelOutput) -> Reply:
    """Return the reply in a response; reasoning is not part of the answer."""
    words = output.completion
    if output.stop_reason == "content_filter" or _has_refusal(output):
        return Reply(REFUSED, f"The answer is a refusal: {quoted(words, 120)}", None, words)
    cut_off = output.stop_reason in ("max_tokens", "model_length")
    return Reply(*read_answer(position, words, cut_off=cut_off), words)


def _has_refusal(output: ModelOutput) -> bool:
    content = output.message.content
    return not isinstance(content, str) and any(getattr(one, "refusal", None) for one in content)


def is_late(error: BaseException) -> bool:
    """Whether Inspect gave up because an answer took too long; retries wrap the reason."""
    return type(cause_of(error)).__name__ == "AttemptTimeoutError"


def cause_of(error: BaseException) -> BaseException:
    """Return the error of the last attempt, if Inspect repeated the request, or else the error."""
    attempt = getattr(error, "last_attempt", None)
    return (attempt.exception() if attempt else None) or error


async def ask_model(
    model: Model,
    position: Position,
    messages: list[ChatMessage],
    config: GenerateConfig | None = None,
) -> tuple[Reply, ModelOutput | None]:
    """Return the reply to a prompt; an error of the server is raised."""
    try:
        output = await model.generate(messages, config=config or GenerateConfig())
    except Exception as error:
        if is_late(error):
            return Reply(LATE, "There was no answer within the time limit."), None
        raise cause_of(error) from None
    return read_output(position, output), output


def time_limits(seconds: float | None = None) -> GenerateConfig:
    """Return Inspect's time limit for an answer; a late answer is not requested again."""
    limit = ceil(seconds or TIME_LIMIT)
    return GenerateConfig(attempt_timeout=limit, timeout=limit, max_retries=SERVER_RETRIES)


async def choose_move(
    position: Position,
    conditions: Conditions,
    ask: Callable[[list[ChatMessage]], Awaitable[Reply]],
) -> Move:
    """Return a legal move; Forfeit if there is none after the retries."""
    messages = chat(prompt(position, conditions))
    for left in reversed(range(conditions.retries + 1)):
        reply = await ask(messages)
        if reply.move is not None:
            return reply.move
        if reply.kind == LATE or not left:
            break
        messages += chat(feedback(position.game, conditions.form, reply.words, reply.detail))
    raise Forfeit(reply.kind, reply.detail)


_MESSAGES = TypeAdapter(list[ChatMessage])


def chat(messages: Iterable[Message]) -> list[ChatMessage]:
    """Return messages as objects of Inspect."""
    return _MESSAGES.validate_python([*messages])


class ModelPlayer:
    """A model in a match, named as in Inspect, with its address if need be: MODEL@http://…"""

    def __init__(self, name: str, time_limit: float | None = None) -> None:
        self.time_limit = time_limit
        self._model = find_model(name)
        self._loop = asyncio.Runner()

    def close(self) -> None:
        self._loop.run(self._model.api.aclose())
        self._loop.close()

    def choose(self, position: Position) -> Move:
        return self._loop.run(self._choose(position))

    async def _choose(self, position: Position) -> Move:
        async def ask(messages: list[ChatMessage]) -> Reply:
            config = time_limits(self.time_limit)
            try:
                reply, _ = await ask_model(self._model, position, messages, config)
            except Exception as error:
                raise Forfeit(FAILED, error_words(error)) from None
            return reply

        return await choose_move(position, Conditions(), ask)


def find_model(text: str) -> Model:
    """Return the model that Inspect knows by this name; OptionError if it cannot be asked."""
    name, at, url = text.partition("@http")
    address = f"http{url}" if at else None
    if address and "@" in address.partition("://")[2].partition("/")[0]:
        raise OptionError("Addresses are written to files: remove the password from this one.")
    try:
        return get_model(name, base_url=address, memoize=False)
    except Exception as error:  # each provider has its own
        words = f"Inspect cannot use the model {quoted(name, 60)}. {error_words(error)}"
        raise OptionError(words) from None


def set_prices(model: Model, price: tuple[float, float] | None) -> None:
    """Tell Inspect what a million tokens of a model cost; it then counts the cost itself."""
    cost, info = None, get_model_info(model) or ModelInfo()
    if price:
        read, written = price
        cost = ModelCost(input=read, output=written, input_cache_write=read, input_cache_read=read)
    if cost != info.cost:
        set_model_info(str(model), info.model_copy(update={"cost": cost}))


def read_generate(texts: Iterable[str]) -> dict[str, Any]:
    """Return Inspect's options of a request from texts KEY=VALUE; OptionError if one is wrong."""
    found: dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
        if name not in GenerateConfig.model_fields:
            raise OptionError(f"Inspect has no option {quoted(name)} for a request.")
    try:
        GenerateConfig.model_validate(found)
    except ValueError as error:
        raise OptionError(f"Inspect cannot use these options. {error_words(error)}") from None
    return found


def error_words(error: BaseException) -> str:
    """Return what went wrong in one line; Inspect's own errors are marked up for a console."""
    cause = cause_of(error)
    said = getattr(cause, "provider_message", None) or getattr(cause, "message", None) or cause
    words = " ".join(str(Text.from_markup(str(said))).split())
    return words[:LONGEST_ERROR] or type(cause).__name__


# The mock model

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
    """Return the position that one of our prompts describes."""
    rules, words = texts[0], texts[1]
    kind = next(kind for kind in all_games().values() if rules_for_models(kind.usual()) in rules)
    options = re.search(r"This game is played with (.+)\.", words)
    pairs = options[1].split(", ") if options else []
    moves = re.search(r"Moves so far, in turn: (.+)\.", words)
    played = [] if not moves or moves[1] == "none" else moves[1].split(", ")
    return game(kind.id, **dict(pair.split(" = ") for pair in pairs)).position(*played)
