"""A language model as a player, through any server that speaks the OpenAI protocol.

Each answer is counted as what it is: a move, unreadable, illegal, refused, or a failure of the
server. A bad answer is asked for again with the reason, as often as the settings say; after that
the game is forfeited with that reason. No answer is ever replaced by a move of ours.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any

from duels.core.errors import DuelsError, UnreadableMove
from duels.core.game import HOW_TO_WIN, Move, Position
from duels.core.words import quoted
from duels.players import Player
from duels.players.chat import ChatServer, Message, Reply, ServerFailed
from duels.players.specs import Forfeit

LONGEST_WAIT = 30.0
"""Seconds that we wait at most when a server asks us to come back later."""
MOVE = "move"
LONGEST_LINE = 200
_MOVE_LINE = re.compile(r"^\W*move\W*?[:=]\W*?(-?\d[\d\s,-]*?)\W*$", re.IGNORECASE)

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
    return closing(ModelPlayer(*name_and_address(text), time_limit, settings))


def name_and_address(text: str) -> tuple[str, str | None]:
    """What stands behind llm: as the name of the model, and the address if there is one."""
    name, at, url = text.partition("@http")
    return name, f"http{url}" if at else None


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
        self._server = ChatServer(model, base_url or self.settings.base_url, time_limit)

    def close(self) -> None:
        self._server.close()

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
            if exchange.pop("final", False) or counts[budget] > self.settings.retries:
                raise Forfeit(kind, detail)
            if kind == "failed":
                sleep(min(LONGEST_WAIT, exchange["wait"] or 0.25 * 2 ** counts[budget]))
            else:
                new = _feedback(exchange["answer"], detail)
                messages = [*messages, *new]

    def _ask(
        self, position: Position, messages: list[Message]
    ) -> tuple[dict[str, Any], Move | None]:
        """One exchange, and the move if the answer is one."""
        exchange: dict[str, Any] = dict.fromkeys(
            ("answer", "detail", "wait", "tokens_in", "tokens_out", "cost")
        )
        began, move = monotonic(), None
        wishes = {"temperature": self.settings.temperature, "max_tokens": self.settings.max_tokens}
        try:
            reply = self._server.ask(messages, **wishes)
            exchange |= self._used(reply)
            kind, answer, detail = _first_look(reply)
            if kind == MOVE:
                kind, detail, move = read_answer(position, answer)
        except ServerFailed as error:
            kind, answer, detail = "failed", None, str(error)
            exchange |= {"wait": error.wait, "final": error.final}
        exchange |= {"kind": kind, "answer": answer, "detail": detail}
        return exchange | {"seconds": round(monotonic() - began, 3)}, move

    def _used(self, reply: Reply) -> dict[str, Any]:
        """Tokens as the server counts them, and what they cost at the prices we were told."""
        read, written = reply.tokens_in, reply.tokens_out
        cost, prices = None, (self.settings.price_in, self.settings.price_out)
        if read is not None and written is not None and prices != (None, None):
            cost = (read * (prices[0] or 0) + written * (prices[1] or 0)) / 1_000_000
        return {"tokens_in": read, "tokens_out": written, "cost": cost}


def transcript_of(player: Player) -> list[dict[str, Any]]:
    """What was said to a model and by it; nothing for other players."""
    return player.transcript if isinstance(player, ModelPlayer) else []


def prompt(position: Position, *, show_legal: bool) -> list[Message]:
    """The rules, and the position; the legal moves only where they are shown."""
    game = position.game
    rules = game.rules_text().partition("## Corrections")[0].partition(HOW_TO_WIN)[0].strip()
    moves = ", ".join(game.format(move) for move in position.moves)
    options = ", ".join(f"{name} = {value}" for name, value in game.options.items())
    lines = [
        *([f"This game is played with {options}."] if options else []),
        f"Moves so far, in turn: {moves or 'none'}.",
        f"You are Player {position.to_move}, and it is your turn.",
    ]
    if show_legal:
        legal = ", ".join(game.format(move) for move in position.legal_moves)
        lines.append(f"Legal moves: {legal}.")
    example = f"MOVE: 5-6 ({game.pair_words}) or MOVE: 5" if game.pair_words else "MOVE: 5"
    lines.append(f"Think as long as you like. End with one line with your move, like {example}.")
    system = f"You are playing a game to win. Its rules:\n\n{rules}"
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": "\n".join(lines)},
    ]


def read_answer(position: Position, answer: str) -> tuple[str, str, Move | None]:
    """What kind of answer it is, what is wrong with it, and the move if nothing is."""
    try:
        move = position.game.parse(_named_move(answer) or answer)
        position.play(move)
    except UnreadableMove:
        return "unreadable", "The answer has no line of the form MOVE: 5.", None
    except DuelsError as error:
        return "illegal", str(error), None
    return MOVE, "", move


def _named_move(answer: str) -> str | None:
    """What stands behind the last MOVE: of an answer; a line as long as a page is no move."""
    for line in reversed(answer.splitlines()):
        if len(line) <= LONGEST_LINE and (found := _MOVE_LINE.match(line)):
            return found[1]
    return None


def _first_look(reply: Reply) -> tuple[str, str, str]:
    """The kind, the words and the trouble of a reply, before anybody looks for a move in it."""
    if reply.refusal:
        return "refused", reply.refusal, f"It refused: {quoted(reply.refusal, 120)}"
    if reply.finish == "content_filter":
        return "refused", reply.words, "The server's content filter stopped the answer."
    if reply.finish == "length" and not _named_move(reply.words):
        return "unreadable", reply.words, "The answer was cut off before it came to a move."
    return MOVE, reply.words, ""


def _feedback(answer: str | None, detail: str) -> list[Message]:
    again = f"{detail} Try again, and end with one line like MOVE: 5."
    return [
        {"role": "assistant", "content": answer or "(nothing)"},
        {"role": "user", "content": again},
    ]
