"""A language model as a player, through any server that speaks the OpenAI protocol.

Each answer is counted as what it is: a move, unreadable, illegal, refused, or a failure of the
server. A bad answer is asked for again with the reason, as often as the settings say; after that
the game is forfeited with that reason. No answer is ever replaced by a move of ours.
"""

from __future__ import annotations

import os
import re
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from time import monotonic, sleep
from typing import Any

from duels.core.errors import DuelsError, OptionError, UnreadableMove
from duels.core.game import Move, Position
from duels.core.words import quoted
from duels.players import Player
from duels.players.specs import Forfeit

LONGEST_WAIT = 30.0
"""Seconds that we wait at most when a server asks us to come back later."""
MOVE = "move"
LONGEST_LINE = 200
_SAID = re.compile(r"^\W*move\W*?[:=]\W*?(-?\d[\d\s,-]*?)\W*$", re.IGNORECASE)

PROMPT_VERSION = 1
"""Goes up when a word of the prompt changes: results of different prompts are not the same."""


@dataclass(frozen=True)
class ModelSettings:
    """How a model is asked; all of it is written down with the results."""

    base_url: str | None = None
    show_legal: bool = True
    retries: int = 2
    temperature: float | None = None
    max_tokens: int | None = None
    price_in: float | None = None
    price_out: float | None = None


def open_model(
    text: str, time_limit: float, settings: ModelSettings | None = None
) -> AbstractContextManager[Player]:
    """The player of "MODEL" or "MODEL@http://server/v1"."""
    name, at, url = text.partition("@http")
    return closing(ModelPlayer(name, f"http{url}" if at else None, time_limit, settings))


class ModelPlayer:
    """One model for one match. `transcript` is everything that was said, an exchange each."""

    def __init__(
        self,
        model: str,
        base_url: str | None,
        time_limit: float,
        settings: ModelSettings | None = None,
    ) -> None:
        self.model = model
        self.settings = settings or ModelSettings()
        self.transcript: list[dict[str, Any]] = []
        self._openai = openai_package()
        self._client = self._openai.OpenAI(
            base_url=base_url or self.settings.base_url,
            api_key=os.environ.get("OPENAI_API_KEY") or "none",
            timeout=time_limit,
            max_retries=0,  # we repeat ourselves, and count it
        )

    def close(self) -> None:
        self._client.close()

    def choose(self, position: Position) -> Move:
        messages = new = prompt(position, show_legal=self.settings.show_legal)
        counts = {"bad": 0, "failed": 0}
        while True:
            exchange, move = self._ask(position, messages)
            exchange |= {"ply": len(position.moves) + 1, "asked": new}
            self.transcript.append(exchange)
            if move is not None:
                return move
            kind, detail = exchange["kind"], exchange["detail"]
            budget = "failed" if kind == "failed" else "bad"
            counts[budget] += 1
            if counts[budget] > self.settings.retries:
                raise Forfeit(kind, detail)
            if kind == "failed":
                sleep(min(LONGEST_WAIT, exchange["wait"] or 0.25 * 2 ** counts[budget]))
            else:
                new = _feedback(exchange["answer"], detail)
                messages = [*messages, *new]

    def _ask(
        self, position: Position, messages: list[dict[str, str]]
    ) -> tuple[dict[str, Any], Move | None]:
        """One exchange, and the move if the answer is one."""
        exchange: dict[str, Any] = dict.fromkeys(
            ("answer", "detail", "wait", "tokens_in", "tokens_out", "cost")
        )
        began, move = monotonic(), None
        try:
            reply = self._request(messages)
            exchange |= self._used(reply)
            kind, answer, detail = _heard(reply)
            if kind == MOVE:
                kind, detail, move = read_answer(position, answer)
        except _permanent(self._openai) as error:
            raise OptionError(f"The server does not serve {self.model}: {_brief(error)}") from None
        except (
            self._openai.OpenAIError,
            ValueError,
            TypeError,
            AttributeError,
            LookupError,
        ) as error:
            kind, answer, detail = "failed", None, _brief(error)
            exchange["wait"] = _retry_after(error)
        exchange |= {"kind": kind, "answer": answer, "detail": detail}
        return exchange | {"seconds": round(monotonic() - began, 3)}, move

    def _request(self, messages: list[dict[str, str]]) -> Any:
        wishes = {"temperature": self.settings.temperature, "max_tokens": self.settings.max_tokens}
        given = {name: value for name, value in wishes.items() if value is not None}
        return self._client.chat.completions.create(model=self.model, messages=messages, **given)

    def _used(self, reply: Any) -> dict[str, Any]:
        """Tokens as the server counts them, and what they cost at the prices we were told."""
        usage = getattr(reply, "usage", None)
        read = getattr(usage, "prompt_tokens", None)
        written = getattr(usage, "completion_tokens", None)
        cost, prices = None, (self.settings.price_in, self.settings.price_out)
        if read is not None and written is not None and prices != (None, None):
            cost = (read * (prices[0] or 0) + written * (prices[1] or 0)) / 1_000_000
        return {"tokens_in": read, "tokens_out": written, "cost": cost}


def transcript_of(player: Player) -> list[dict[str, Any]]:
    """What was said to a model and by it; nothing for other players."""
    return player.transcript if isinstance(player, ModelPlayer) else []


def prompt(position: Position, *, show_legal: bool) -> list[dict[str, str]]:
    """The rules, and the position; the legal moves only where they are shown."""
    game = position.game
    rules = files("duels").joinpath("rules", f"{game.id}.md").read_text(encoding="utf-8")
    rules = rules.partition("## Corrections")[0].strip()
    told = [game.format(move) for move in position.moves]
    options = ", ".join(f"{name} = {value}" for name, value in game.options.items())
    lines = [
        f"This game is played with {options}.",
        f"Moves so far, in turn: {', '.join(told) if told else 'none'}.",
        f"You are Player {position.to_move}, and it is your turn.",
    ]
    if show_legal:
        legal = ", ".join(game.format(move) for move in position.legal_moves)
        lines.append(f"Legal moves: {legal}.")
    example = (
        "MOVE: 5-6 (two neighbours) or MOVE: 5" if game.id == "number-line-duel" else "MOVE: 5"
    )
    lines.append(f"Think as long as you like. End with one line with your move, like {example}.")
    system = f"You are playing a game to win. Its rules:\n\n{rules}"
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": "\n".join(lines)},
    ]


def read_answer(position: Position, answer: str) -> tuple[str, str, Move | None]:
    """What kind of answer it is, what is wrong with it, and the move if nothing is."""
    said = _said(answer)
    try:
        move = position.game.parse(said or answer)
        position.play(move)
    except UnreadableMove:
        return "unreadable", "The answer has no line of the form MOVE: 5.", None
    except DuelsError as error:
        return "illegal", str(error), None
    return MOVE, "", move


def openai_package() -> Any:
    try:
        return import_module("openai")
    except ImportError:
        raise OptionError(
            "Language models need the openai client. "
            "Install it with: pip install 'number-duels[llm]'"
        ) from None


def _said(answer: str) -> str | None:
    """What stands behind the last MOVE: of an answer; a line as long as a page is no move."""
    for line in reversed(answer.splitlines()):
        if len(line) <= LONGEST_LINE and (found := _SAID.match(line)):
            return found[1]
    return None


def _heard(reply: Any) -> tuple[str, str, str]:
    """The kind, the words and the trouble of a reply, before anybody looks for a move in it."""
    choice = reply.choices[0]
    words = str(choice.message.content or "").encode("utf-8", "replace").decode()
    if refusal := getattr(choice.message, "refusal", None):
        return "refused", refusal, f"It refused: {quoted(refusal, 120)}"
    if choice.finish_reason == "content_filter":
        return "refused", words, "The server's content filter stopped the answer."
    if choice.finish_reason == "length" and not _said(words):
        return "unreadable", words, "The answer was cut off before it came to a move."
    return MOVE, words, ""


def _feedback(answer: str | None, detail: str) -> list[dict[str, str]]:
    again = f"{detail} Try again, and end with one line like MOVE: 5."
    return [
        {"role": "assistant", "content": answer or "(nothing)"},
        {"role": "user", "content": again},
    ]


def _permanent(openai: Any) -> tuple[type[Exception], ...]:
    """What asking again will not change."""
    return (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError)


def _retry_after(error: Exception) -> float | None:
    """The seconds after which a server that is busy wants to be asked again."""
    response = getattr(error, "response", None)
    try:
        return max(0.0, float(response.headers["retry-after"])) if response else None
    except (KeyError, ValueError):
        return None


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
