"""People who play on a server that is attacked, and what became of their moves.

They try again as a page would: the same move for the same ply, until it is acknowledged.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

from servers import wait_for

NUMBERS = 200
"""Moves of a match: one number of a line at a time, in any order."""
TRY_AGAIN = {408, 429, 503}
PAUSE = 0.1


@dataclass
class Figures:
    """What an attack did. All must be 0: lost, doubled, wrong."""

    attack: str
    faults: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    refused: int = 0
    """Answered with 503 and the like, and tried again."""
    broken: int = 0
    """Connections that broke, and were made again."""
    seconds: float = 0.0
    wrong: dict[str, int] = field(default_factory=dict)
    """Responses that no client should get."""
    notes: dict[str, float] = field(default_factory=dict)
    """What else was measured, in seconds if nothing else is said."""

    @property
    def is_good(self) -> bool:
        return self.acknowledged > 0 and not (self.lost or self.doubled or self.wrong)


@dataclass
class Played:
    """A match of one player, who moves for both sides: what the server said is done."""

    id: str
    secret: str
    acknowledged: list[str] = field(default_factory=list)
    sent: str = ""
    """The move that is on its way; it may have been made or not."""


class Player(Thread):
    """Plays match after match, as fast as the answers come."""

    def __init__(self, urls: list[str], seed: int) -> None:
        super().__init__(daemon=True)
        self.urls = urls
        self.chance = random.Random(seed)
        self.played: list[Played] = []
        self.times: list[float] = []
        self.count: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.stopping = Event()
        self._connection: HTTPConnection | None = None

    def run(self) -> None:
        while not self.stopping.is_set():
            asked = {"game": "number-line-duel", "mode": "here", "options": {"numbers": NUMBERS}}
            made = self._until_done("/api/matches", asked)
            if not made:
                break
            match = Played(made["id"], made["token"])
            self.played.append(match)
            self._play(match)
        self._hang_up()

    def _play(self, match: Played) -> None:
        numbers = list(range(1, NUMBERS + 1))
        self.chance.shuffle(numbers)
        for ply, number in enumerate(numbers):
            match.sent = str(number)
            asked = {"ply": ply, "move": number}
            if not self._until_done(f"/api/matches/{match.id}/moves", asked, match.secret):
                return
            match.acknowledged.append(match.sent)
            match.sent = ""

    def _until_done(self, path: str, data: Any, secret: str = "") -> Any:
        """The response, after as many retries as it takes; None at the end."""
        while not self.stopping.is_set():
            began = time.perf_counter()
            try:
                status, answer = self._ask("POST", path, data, secret)
            except (OSError, HTTPException, ValueError):
                self.count["broken"] += 1
                self._hang_up()
                self.stopping.wait(PAUSE)
                continue
            if status in {200, 201}:
                self.times.append(time.perf_counter() - began)
                return answer
            if status not in TRY_AGAIN:
                self.wrong[f"{status} {answer.get('detail')}"] += 1
                return None
            self.count["refused"] += 1
            self.stopping.wait(PAUSE)
        return None

    def _ask(self, method: str, path: str, data: Any, secret: str) -> tuple[int, Any]:
        if self._connection is None:
            at = urlsplit(self.chance.choice(self.urls))
            self._connection = HTTPConnection(at.hostname or "", at.port, timeout=20)
        headers = {"Content-Type": "application/json"}
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        self._connection.request(method, path, json.dumps(data), headers)
        answer = self._connection.getresponse()
        return answer.status, json.loads(answer.read())

    def _hang_up(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None


class Crowd:
    """Many players at once; they end with the `with` block."""

    def __init__(self, attack: str, *urls: str, players: int = 8) -> None:
        self.figures = Figures(attack)
        self._players = [Player(list(urls), seed) for seed in range(players)]

    def __enter__(self) -> Crowd:
        self._began = time.monotonic()
        for player in self._players:
            player.start()
        return self

    def __exit__(self, *_: object) -> None:
        for player in self._players:
            player.stopping.set()
        for player in self._players:
            player.join(30)
        self.figures.seconds = time.monotonic() - self._began

    @property
    def acknowledged(self) -> int:
        return sum(len(match.acknowledged) for p in self._players for match in p.played)

    def count(self, what: str) -> int:
        return sum(player.count[what] for player in self._players)

    def play(self, moves: int, seconds: float = 60) -> float:
        """Wait until so many more moves are acknowledged; the seconds it took."""
        began, before = time.monotonic(), self.acknowledged
        wait_for(lambda: self.acknowledged >= before + moves or self._is_wrong(), seconds)
        return time.monotonic() - began

    def median(self) -> float:
        """Of the seconds of an answer since the last time this was asked."""
        times = sorted(each for player in self._players for each in player.times)
        for player in self._players:
            player.times.clear()
        return times[len(times) // 2]

    def compare(self, http: Any) -> Figures:
        """What was acknowledged, beside what the server has."""
        figures = self.figures
        figures.refused, figures.broken = self.count("refused"), self.count("broken")
        wrong: Counter[str] = Counter()
        for player in self._players:
            wrong += player.wrong
            for match in player.played:
                kept = http.get(f"/api/matches/{match.id}").json()["moves"]
                known = match.acknowledged
                figures.acknowledged += len(known)
                same = sum(a == b for a, b in zip(known, kept, strict=False))
                figures.lost += len(known) - same
                more = kept[len(known) :]
                figures.doubled += len(more) if more != [match.sent] else 0
        figures.wrong = dict(wrong)
        return figures

    def _is_wrong(self) -> bool:
        return any(player.wrong for player in self._players)
