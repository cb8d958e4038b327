"""One match of the arena: played, graded and written down as plain data."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from duels.arena.folder import Line
from duels.core.game import OptionValue, Outcome, other
from duels.games import game
from duels.match import Match
from duels.players.llm import ModelSettings, transcript_of
from duels.players.specs import Forfeit, is_external, open_player
from duels.record.jsonl import as_dict
from duels.theory import winning_moves

LINE = {"label": str, "player1": str, "player2": str, "moves": list, "grading": list, "result": str}
"""What the line of a match has besides its key, and of what type."""


@dataclass(frozen=True)
class Pairing:
    """Who plays whom at what, which time; all that the match depends on."""

    game: str
    options: Mapping[str, OptionValue]
    label: str
    names: tuple[str, str]
    specs: tuple[str, str]
    round: int
    seed: int
    time_limit: float
    settings: ModelSettings | None = None

    @property
    def key(self) -> str:
        return " | ".join([self.label, *self.names, str(self.round)])

    @property
    def match_seed(self) -> int:
        """From the plan's seed, so that every match has a chance of its own, wherever it runs."""
        return int(self._digest[:8], 16)

    @property
    def match_id(self) -> str:
        return self._digest[8:20]

    @property
    def _digest(self) -> str:
        return hashlib.sha256(f"{self.seed} {self.specs} {self.key}".encode()).hexdigest()


def play_match(pairing: Pairing) -> Line:
    """The record of the match with its grading; a player who gives no legal move forfeits."""
    match = _new_match(pairing)
    grading: list[dict[str, Any]] = []
    forfeit: dict[str, Any] | None = None
    with ExitStack() as stack:
        seats = [
            stack.enter_context(open_player(spec, match.seed, pairing.time_limit, pairing.settings))
            for spec in pairing.specs
        ]
        while not match.outcome:
            here = match.position
            winning = winning_moves(here)
            began = monotonic()
            try:
                move = seats[here.to_move - 1].choose(here)
            except Forfeit as lost:
                forfeit = {"player": here.to_move, "reason": lost.reason, "detail": lost.detail}
                forfeit |= {"legal": len(here.legal_moves), "winning": len(winning)}
                reason = "time" if lost.reason == "time" else "forfeit"
                match = replace(match, ended=Outcome(other(here.to_move), reason))
                break
            seconds = round(monotonic() - began, 3)
            after = here.play(move)
            grading.append(
                {
                    "legal": len(here.legal_moves),
                    "winning": len(winning),
                    "kept": not winning or after.moves[-1] in winning,
                }
            )
            match = replace(match, position=after, seconds=(*match.seconds, seconds))
        transcripts = [transcript_of(seat) for seat in seats]
    line = {"key": pairing.key, "label": pairing.label, "round": pairing.round}
    line |= as_dict(match) | {"grading": grading, "forfeit": forfeit}
    return line | ({"transcripts": transcripts} if any(transcripts) else {})


def _new_match(pairing: Pairing) -> Match:
    timed = any(map(is_external, pairing.specs))
    return Match(
        id=pairing.match_id,
        date=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        players=pairing.names,
        position=game(pairing.game, **pairing.options).start(),
        time_limit=pairing.time_limit if timed else None,
        seed=pairing.match_seed,
    )
