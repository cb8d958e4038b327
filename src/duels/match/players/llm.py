"""A language model as a player, through any server that speaks the OpenAI protocol.

Each answer is counted as what it is: a move, unreadable, illegal, refused, too late, or a failure
of the server. A bad answer is asked for again with the reason, as often as the settings say; after
that the game is forfeited with that reason. No answer is ever replaced by a move of ours.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any

from duels.core.errors import DuelsError, OptionError
from duels.core.game import Move, Position
from duels.core.words import quoted
from duels.match.players import Player
from duels.match.players.answers import MOVE, read_answer
from duels.match.players.chat import ChatServer, Reply, ServerFailed, TimeRanOut
from duels.match.players.prompt import Conditions, Message, digest, feedback, prompt
from duels.match.players.specs import Forfeit

PATIENCE = 24 * 3600.0
"""Seconds that a run waits for a server that wants to be asked later; else it ends."""
FAILED, REFUSED, LATE = "failed", "refused", "time"
ANSWERS = (MOVE, "unreadable", "illegal", REFUSED, LATE, FAILED)
"""The kinds of answers; only the last one says nothing about the model."""
UNANSWERED = (LATE, FAILED)
"""Nobody knows what these have cost."""
OURS = ("model", "messages", "stream", "n")
"""What no wish may change: the answers could not be read or counted."""

Exchange = dict[str, Any]
"""What was said to a model, and what it answered."""


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
    form: str = "think"
    server_retries: int = 3
    """How often a question is repeated that the server, not the model, has failed to answer."""
    extra: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        for name in OURS:
            if name in (self.extra or {}):
                raise OptionError(f"The request's {name} cannot be replaced by --extra.")

    @property
    def wishes(self) -> dict[str, Any]:
        """What goes into a request; a wish that is null takes a key away."""
        wishes = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        wishes |= self.extra or {}
        return {name: value for name, value in wishes.items() if value is not None}

    def conditions(self, time_limit: float) -> Conditions:
        return Conditions(self.show_legal, self.retries, time_limit, self.form)

    @property
    def data(self) -> dict[str, Any]:
        return asdict(self)


def name_and_address(text: str) -> tuple[str, str | None]:
    """What stands behind llm: as the name of the model, and the address if there is one."""
    name, at, url = text.partition("@http")
    return name, f"http{url}" if at else None


class ModelPlayer:
    """A model; `keep` is handed everything that is said in a match, an exchange each."""

    def __init__(
        self,
        model: str,
        base_url: str | None,
        time_limit: float,
        settings: ModelSettings | None = None,
        *,
        in_exam: bool = False,
    ) -> None:
        self.model = model
        self.settings = settings or ModelSettings()
        self.conditions = self.settings.conditions(time_limit)
        self.in_exam = in_exam
        self.paid: dict[str, Exchange] = {}
        """What was answered before, by what was asked."""
        self.keep: Callable[[Exchange], None] = lambda exchange: None
        self._server = ChatServer(model, base_url or self.settings.base_url, time_limit)
        self._loop = asyncio.Runner()

    def close(self) -> None:
        self._loop.run(self._server.close())
        self._loop.close()

    def choose(self, position: Position) -> Move:
        return self._loop.run(self.consider(position, self.keep))

    async def aclose(self) -> None:
        await self._server.close()

    async def consider(self, position: Position, keep: Callable[[Exchange], None]) -> Move:
        """The move; Forfeit if there is none. What is newly said is handed to `keep`."""
        messages = new = prompt(position, self.conditions, in_exam=self.in_exam)
        bad = failed = 0
        while True:
            known = self._known(position, messages)
            exchange, found = known or await self._ask(position, messages)
            final = exchange.pop("final", False)
            if not known:
                keep(exchange | {"ply": len(position.moves) + 1, "asked": new})
            if found is not None:
                return found
            kind, detail = exchange["kind"], exchange["detail"]
            if kind == FAILED:
                failed += 1
                wait = exchange["wait"] or 0.25 * 2**failed
                if final or failed > self.settings.server_retries:
                    raise Forfeit(kind, detail)
                if wait > PATIENCE:
                    raise OptionError(
                        f"The server of {self.model} wants to be asked again in {wait / 3600:,.0f} "
                        "hours: the same command goes on then. What was answered is on disk."
                    )
                await asyncio.sleep(wait)
                continue
            bad += 1
            if kind == LATE or bad > self.settings.retries:
                raise Forfeit(kind, detail)
            new = feedback(position.game, self.settings.form, exchange["answer"], detail)
            messages = [*messages, *new]

    def _known(
        self, position: Position, messages: list[Message]
    ) -> tuple[Exchange, Move | None] | None:
        """What was answered to the same before; None if it was not, or if that makes no sense."""
        exchange = self.paid.get(digest(messages))
        if not exchange:
            return None
        if exchange["kind"] != MOVE:
            return exchange.copy(), None
        try:  # it comes from a file
            move = position.game.parse(exchange["move"] or "")
            position.play(move)
        except DuelsError:
            return None
        return exchange.copy(), move

    async def _ask(
        self, position: Position, messages: list[Message]
    ) -> tuple[Exchange, Move | None]:
        """One exchange, and the move if the answer is one."""
        exchange: Exchange = dict.fromkeys(("answer", "detail", "wait", *_KEPT, "cost"))
        began, move, answer = monotonic(), None, None
        try:
            reply = await self._server.ask(messages, self.settings.wishes)
            exchange |= {name: getattr(reply, name) for name in _KEPT} | {"cost": self._cost(reply)}
            kind, answer, detail = _first_look(reply)
            if kind == MOVE:
                cut_off = reply.finish == "length"
                kind, detail, move = read_answer(
                    position, answer, calls=reply.calls, cut_off=cut_off
                )
            answer = "\n".join([answer, *reply.calls]).strip("\n")
        except TimeRanOut as error:
            kind, detail = LATE, str(error)
        except ServerFailed as error:
            kind, detail = FAILED, str(error)
            exchange |= {"wait": error.wait, "final": error.final}
        exchange |= {"kind": kind, "answer": answer, "detail": detail}
        exchange["move"] = None if move is None else position.game.format(move)
        return exchange | {"seconds": round(monotonic() - began, 3)}, move

    def _cost(self, reply: Reply) -> float | None:
        """What the tokens cost at the prices we were told."""
        read, written = reply.tokens_in, reply.tokens_out
        prices = (self.settings.price_in, self.settings.price_out)
        if read is None or written is None or prices == (None, None):
            return None
        return (read * (prices[0] or 0) + written * (prices[1] or 0)) / 1_000_000


_KEPT = (
    *("tokens_in", "tokens_out", "tokens_reasoning", "tokens_cached"),
    *("finish", "served", "fingerprint"),
)
"""What is kept of a reply besides its words."""


def follow(player: Player, earlier: list[Exchange], keep: Callable[[Exchange], None]) -> None:
    """Hand on what a model says in a match, and let it repeat what it has answered there before."""
    if isinstance(player, ModelPlayer):
        player.keep = keep
        messages: list[Message] = []
        for exchange in earlier:
            asked = exchange["asked"]
            if asked and asked[0].get("role") == "system":
                messages = asked
            elif asked != messages[-len(asked) :]:  # else the server had failed before
                messages = [*messages, *asked]
            if exchange["kind"] != FAILED:
                player.paid[digest(messages)] = exchange


def _first_look(reply: Reply) -> tuple[str, str, str]:
    """The kind, the words and the trouble of a reply, before anybody looks for a move in it."""
    if reply.refusal:
        return REFUSED, reply.refusal, f"It refused: {quoted(reply.refusal, 120)}"
    if reply.finish == "content_filter":
        return REFUSED, reply.words, "The server's content filter stopped the answer."
    return MOVE, reply.words, ""
