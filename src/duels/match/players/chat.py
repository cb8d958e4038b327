"""One question to a server that speaks the OpenAI protocol, and what its answer says.

Servers differ in what they leave out and how they fail, so the answer is read from its JSON here,
and everything that is not a chat completion is a sentence.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from importlib import import_module
from math import isfinite
from time import time
from typing import Any

from duels.core.errors import DuelsError, OptionError, install
from duels.core.words import quoted
from duels.match.players.prompt import Message

FINAL = (400, 413, 422)
"""Answers of a server that cannot do what this one question asks: it need not be repeated."""
SHORTEST_KEY = 8
"""Shorter ones are made up for servers that want none, and may be a part of any word."""
MOST_TOKENS = 10**12
"""More than that nobody has counted."""
CONNECTING = 10.0
"""Seconds in which a server has to take a connection: that time is not the model's."""
LONGEST_NAME = 200
NOT_SERVED = (401, 403, 404)
"""Answers of a server that will not do anything for us, whatever the question."""


class ServerFailed(Exception):
    """No chat completion has come back; `wait` is when the server wants to be asked again."""

    def __init__(self, detail: str, *, wait: float | None = None, final: bool = False) -> None:
        super().__init__(detail)
        self.wait = wait
        self.final = final


class TimeRanOut(Exception):
    """The model has not answered in time, as far as anybody can tell from outside."""


@dataclass(frozen=True)
class Reply:
    """What the model has said, why it stopped, and the tokens as the server counts them.

    Fields for a model's reasoning are not read: what it thinks is not what it says.
    """

    words: str
    calls: tuple[str, ...] = ()
    """The arguments of tool calls, as they came."""
    refusal: str | None = None
    finish: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    tokens_cached: int | None = None
    served: str | None = None
    """The name of the model as the server has it, and its fingerprint."""
    fingerprint: str | None = None


class ChatServer:
    """A model on a server. A question has `time_limit` seconds for the whole of its answer."""

    def __init__(self, model: str, base_url: str | None, time_limit: float) -> None:
        self.model = model
        self.time_limit = time_limit
        self._openai = openai_package()
        self._key = os.environ.get("OPENAI_API_KEY") or "none"
        connecting = min(CONNECTING, 0.8 * time_limit)
        self._client = self._openai.AsyncOpenAI(
            base_url=address_of(model, base_url),
            api_key=self._key,
            timeout=self._openai.Timeout(time_limit, connect=connecting),
            max_retries=0,  # the player repeats itself, and counts it
        )

    async def close(self) -> None:
        await self._client.close()

    async def ask(self, messages: list[Message], wishes: Mapping[str, Any]) -> Reply:
        """The answer; ServerFailed if there is none, DuelsError if there will never be one.

        `wishes` go into the request as they are.
        """
        try:
            reply = read_reply(await self._post(messages, wishes))
            refusal = self._masked(reply.refusal) if reply.refusal else None
            calls = tuple(map(self._masked, reply.calls))
            return replace(reply, words=self._masked(reply.words), calls=calls, refusal=refusal)
        except ServerFailed as failed:
            raise ServerFailed(self._masked(str(failed))) from None
        except (TimeoutError, self._openai.APITimeoutError) as error:
            if "Connect" in type(error.__cause__).__name__:
                raise ServerFailed("The server does not take connections.") from None
            raise TimeRanOut(f"The answer took longer than {self.time_limit:g} seconds.") from None
        except self._openai.APIStatusError as error:
            raise self._status(error) from None
        except self._openai.APIConnectionError as error:
            raise ServerFailed(
                f"The server cannot be reached: {self._brief(error.__cause__ or error)}"
            ) from None
        except (self._openai.OpenAIError, ValueError) as error:
            raise ServerFailed(f"{type(error).__name__}: {self._brief(error)}") from None

    async def _post(self, messages: list[Message], wishes: Mapping[str, Any]) -> str:
        ask = self._client.chat.completions.with_raw_response.create
        # The client's own limit is for each piece of an answer: a server could drip for ever.
        async with asyncio.timeout(self.time_limit):
            answer = await ask(model=self.model, messages=messages, extra_body=dict(wishes))
        return str(answer.text)

    def _status(self, error: Any) -> Exception:
        """What a status other than 200 means for the next question."""
        status = error.status_code
        said = f"The server answered {status}: {self._brief(error)}"
        if status in NOT_SERVED:
            return DuelsError(f"The server does not serve {self.model}. {said}")
        return ServerFailed(said, wait=_retry_after(error.response), final=status in FINAL)

    def _brief(self, error: BaseException) -> str:
        words = " ".join(str(error).split()) or type(error).__name__
        return self._masked(words)[:200]

    def _masked(self, text: str) -> str:
        """What a server says, without the key that it may repeat: it goes into files."""
        return text.replace(self._key, "***") if len(self._key) >= SHORTEST_KEY else text


def openai_package() -> Any:
    try:
        return import_module("openai")
    except ImportError:
        raise DuelsError(f"Language models need the openai client. {install('llm')}") from None


def address_of(model: str, base_url: str | None) -> str:
    """Where a model is served: nobody wants to send games to a server that was not named."""
    address = base_url or os.environ.get("OPENAI_BASE_URL")
    if not address:
        raise OptionError(
            f"Say where {quoted(model)} is served: llm:{model}@http://127.0.0.1:8000/v1, "
            "or set OPENAI_BASE_URL."
        )
    if not (model + address).isprintable():
        named = f"{quoted(model)} at {quoted(address)}"
        raise OptionError(f"{named} has characters that cannot be sent.")
    if "@" in address.partition("://")[2].partition("/")[0]:
        raise OptionError("An address is written down: put no password into it.")
    return address


def read_reply(text: str) -> Reply:
    """A chat completion from its JSON; some servers leave things out, or write words in parts."""
    try:
        data = json.loads(text)
        if isinstance(data, dict) and "choices" not in data and data.get("error"):
            raise ServerFailed(f"The server answered with an error: {_shown(data['error'])}")
        choice = data["choices"][0]
        message = choice["message"]
        words = _words(message.get("content"))
        refusal = message.get("refusal")
        usage = data.get("usage") or {}
        read, written = (usage.get(f"{name}_tokens_details") or {} for name in _COUNTED)
        return Reply(
            words=words,
            calls=tuple(_calls(message)),
            refusal=_words(refusal) if refusal else None,
            finish=_name(choice.get("finish_reason")),
            tokens_in=_count(usage.get("prompt_tokens")),
            tokens_out=_count(usage.get("completion_tokens")),
            tokens_reasoning=_count(written.get("reasoning_tokens")),
            tokens_cached=_count(read.get("cached_tokens")),
            served=_name(data.get("model")),
            fingerprint=_name(data.get("system_fingerprint")),
        )
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise ServerFailed(
            f"The server's answer is not a chat completion: {_shown(text)}"
        ) from None


_COUNTED = ("prompt", "completion")


def _calls(message: Any) -> list[str]:
    """The arguments of the tool calls of a message, in the newer form or in the older one."""
    functions = [call.get("function") or {} for call in message.get("tool_calls") or ()]
    if message.get("function_call"):
        functions.append(message["function_call"])
    said = (function.get("arguments", "") for function in functions)
    return [words if isinstance(words, str) else json.dumps(words) for words in said]


def _name(value: Any) -> str | None:
    return _words(value)[:LONGEST_NAME] if isinstance(value, str) else None


def _words(content: Any) -> str:
    """The text of a message, whole or in parts, without what no file can hold."""
    if isinstance(content, list):
        content = "".join(part["text"] for part in content if part.get("type") == "text")
    if not isinstance(content, str | None):
        raise TypeError(content)
    return (content or "").encode("utf-8", "replace").decode()


def _count(value: Any) -> int | None:
    try:
        count = None if value is None or isinstance(value, bool) else int(value)
        return count if count is not None and 0 <= count < MOST_TOKENS else None
    except (ValueError, TypeError, OverflowError):
        return None


def _retry_after(response: Any) -> float | None:
    """The seconds after which a server that is busy wants to be asked again: a number or a date."""
    said = response.headers.get("retry-after", "")
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if isfinite(seconds) else None


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("message", value)
    return quoted(" ".join(str(value).split()), 120)
