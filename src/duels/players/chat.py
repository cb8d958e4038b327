"""One question to a server that speaks the OpenAI protocol, and what its answer says.

Servers differ in what they leave out and how they fail, so the answer is read from its JSON here,
and everything that is not a chat completion is a sentence.
"""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import dataclass, replace
from importlib import import_module
from math import isfinite
from typing import Any

from duels.core.errors import OptionError, install
from duels.core.words import quoted

Message = dict[str, str]

FINAL = (400, 413, 422)
"""Answers of a server that cannot do what this one question asks: it need not be repeated."""
SHORTEST_KEY = 8
"""Shorter ones are made up for servers that want none, and may be a part of any word."""
MOST_TOKENS = 10**12
"""More than that nobody has counted."""
NOT_SERVED = (401, 403, 404)
"""Answers of a server that will not do anything for us, whatever the question."""


class ServerFailed(Exception):
    """No chat completion has come back; `wait` is when the server wants to be asked again."""

    def __init__(self, detail: str, *, wait: float | None = None, final: bool = False) -> None:
        super().__init__(detail)
        self.wait = wait
        self.final = final


@dataclass(frozen=True)
class Reply:
    """What the model has said, why it stopped, and the tokens as the server counts them."""

    words: str
    refusal: str | None
    finish: str | None
    tokens_in: int | None
    tokens_out: int | None


class ChatServer:
    """A model on a server. A question has `time_limit` seconds for the whole of its answer."""

    def __init__(self, model: str, base_url: str | None, time_limit: float) -> None:
        self.model = model
        self.time_limit = time_limit
        self._openai = openai_package()
        self._key = os.environ.get("OPENAI_API_KEY") or "none"
        self._client = self._openai.AsyncOpenAI(
            base_url=address_of(model, base_url),
            api_key=self._key,
            timeout=time_limit,
            max_retries=0,  # the player repeats itself, and counts it
        )
        self._loop = asyncio.Runner()

    def close(self) -> None:
        self._loop.run(self._client.close())
        self._loop.close()

    def ask(self, messages: list[Message], **wishes: Any) -> Reply:
        """The answer; ServerFailed if there is none, OptionError if there will never be one."""
        given = {name: value for name, value in wishes.items() if value is not None}
        try:
            reply = read_reply(self._loop.run(self._post(messages, given)))
            refusal = self._masked(reply.refusal) if reply.refusal else None
            return replace(reply, words=self._masked(reply.words), refusal=refusal)
        except ServerFailed as failed:
            raise ServerFailed(self._masked(str(failed))) from None
        except (TimeoutError, self._openai.APITimeoutError):
            raise ServerFailed(
                f"The server's answer took longer than {self.time_limit:g} seconds."
            ) from None
        except self._openai.APIStatusError as error:
            raise self._status(error) from None
        except self._openai.APIConnectionError as error:
            raise ServerFailed(
                f"The server cannot be reached: {self._brief(error.__cause__ or error)}"
            ) from None
        except (self._openai.OpenAIError, ValueError) as error:
            raise ServerFailed(f"{type(error).__name__}: {self._brief(error)}") from None

    async def _post(self, messages: list[Message], given: dict[str, Any]) -> str:
        ask = self._client.chat.completions.with_raw_response.create
        # The client's own limit is for each piece of an answer: a server could drip for ever.
        async with asyncio.timeout(self.time_limit):
            answer = await ask(model=self.model, messages=messages, **given)
        return str(answer.text)

    def _status(self, error: Any) -> Exception:
        """What a status other than 200 means for the next question."""
        status = error.status_code
        said = f"The server answered {status}: {self._brief(error)}"
        if status in NOT_SERVED:
            return OptionError(f"The server does not serve {self.model}. {said}")
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
        raise OptionError(f"Language models need the openai client. {install('llm')}") from None


def address_of(model: str, base_url: str | None) -> str:
    """Where a model is served: nobody wants to send games to a server that was not named."""
    address = base_url or os.environ.get("OPENAI_BASE_URL")
    if not address:
        raise OptionError(
            f"Say where {quoted(model)} is served: llm:{model}@http://127.0.0.1:8000/v1, "
            "or set OPENAI_BASE_URL."
        )
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
        return Reply(
            words=words,
            refusal=_words(refusal) if refusal else None,
            finish=choice.get("finish_reason"),
            tokens_in=_count(usage.get("prompt_tokens")),
            tokens_out=_count(usage.get("completion_tokens")),
        )
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise ServerFailed(
            f"The server's answer is not a chat completion: {_shown(text)}"
        ) from None


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
    """The seconds after which a server that is busy wants to be asked again."""
    try:
        seconds = float(response.headers["retry-after"])
    except (KeyError, ValueError):
        return None
    return max(0.0, seconds) if isfinite(seconds) else None


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("message", value)
    return quoted(" ".join(str(value).split()), 120)
