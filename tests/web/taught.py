"""A class over HTTP, with the secrets of its people."""

from __future__ import annotations

import secrets
from threading import Event, Thread

import httpx
from servers import wait_for

LONG = {"game": "number-line-duel", "options": {"numbers": 100}}
"""Games that last for a while."""
PLAN = {"game": "sequence-duel", "options": {"numbers": 20, "opening": "even"}, "coach": False}


class Class:
    """A class and the secrets of its people."""

    def __init__(self, http, code="", teacher="") -> None:
        self.http = http
        if not code:
            made = http.post("/api/classes", json={}).json()
            code, teacher = made["code"], made["token"]
        self.code, self.teacher = code, teacher

    def post(self, what, secret=None, **body):
        path = f"/api/classes/{self.code}/{what}"
        return self.http.post(path, json=body, headers=bearer(secret or self.teacher))

    def get(self, secret=None, rest=""):
        path = f"/api/classes/{self.code}{rest}"
        return self.http.get(path, headers=bearer(secret or self.teacher))

    def join(self, name=None, token=None) -> str:
        token = token or secrets.token_urlsafe(24)
        assert self.post("join", name=name, token=token).status_code == 200
        return token

    def begin(self, number=1, plan=PLAN) -> dict:
        self.post("plan", **plan)
        return self.post("rounds", round=number).json()

    def finish(self, tokens) -> None:
        """Whoever is to move gives up, on every board."""
        for board in self.get().json()["boards"]:
            for token in tokens:
                path = f"/api/matches/{board['match']}/resign"
                self.http.post(path, json={}, headers=bearer(token))


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def seen_at(lesson, board, token=None):
    match = board if isinstance(board, str) else board["match"]
    headers = bearer(token) if token else {}
    return lesson.http.get(f"/api/matches/{match}", headers=headers).json()


class Board(Thread):
    """Two pupils who play one number after the other until `stopping` is set."""

    def __init__(self, url, match, tokens) -> None:
        super().__init__(daemon=True)
        self.url, self.match, self.tokens = url, match, tokens
        self.acknowledged: list[str] = []
        self.stopping = Event()

    def run(self) -> None:
        path = f"/api/matches/{self.match}/moves"
        with httpx.Client(base_url=self.url, timeout=20) as http:
            for ply in range(100):
                sent = {"ply": ply, "move": str(ply + 1)}
                try:
                    answers = [
                        http.post(path, json=sent, headers=bearer(token)).status_code
                        for token in self.tokens  # one of them is to move
                        if not self.stopping.is_set()
                    ]
                except httpx.TransportError:
                    return  # the power is gone
                if 200 not in answers:
                    return
                self.acknowledged.append(sent["move"])


def killed_in_mid_round(start, pupils=30) -> None:
    """A class plays, the server is killed and started again: nothing acknowledged is lost."""
    server = start()
    lesson = Class(server.http)
    tokens = [lesson.join() for _ in range(pupils)]
    before = lesson.begin(plan=LONG)
    at: dict[str, list[str]] = {}
    for token in tokens:
        at.setdefault(lesson.get(token).json()["match"], []).append(token)
    boards = [Board(server.url, match, seated) for match, seated in at.items()]
    for board in boards:
        board.start()
    wait_for(lambda: sum(len(board.acknowledged) for board in boards) > 3 * len(boards), 60)
    server.kill()
    for board in boards:
        board.stopping.set()
        board.join(20)
    lesson.http = start().http
    after = lesson.get().json()
    assert [one["pupils"] for one in after["boards"]] == [one["pupils"] for one in before["boards"]]
    assert len(after["boards"]) == len(boards) == pupils // 2
    kept = {one["match"]: one["state"]["moves"] for one in after["boards"]}
    for board in boards:
        moves = kept[board.match]
        assert moves[: len(board.acknowledged)] == board.acknowledged
        assert len(moves) <= len(board.acknowledged) + 1
    assert [lesson.get(token).json()["match"] for token in tokens] == [
        next(match for match, seated in at.items() if token in seated) for token in tokens
    ]
    assert len(lesson.begin(2)["boards"]) == pupils // 2
