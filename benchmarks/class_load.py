"""Whole classes at once on a server: how soon everybody is in a match, and what the walls see.

Every class has 30 pupils, each with a stream, and a wall with one stream for all its boards. Times
are from the start of the round to each pupil's match, and from the POST of a move to the event at
the other player and at the wall. The games are those of web_load.py.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import resource
import secrets
import tempfile
import time
from pathlib import Path

from web_load import PLY, Connection, Game, Load, percentile, start_server

ID = re.compile(rb'"id":"(\w+)"')
OF_A_SCHOOL = {"DUELS_MAX_CLIENT_CONNECTIONS": "10000"}
"""All pupils come from one address; matches and streams count to the classes, as they are."""
PLAN = {"game": "sequence-duel", "options": {"numbers": 40, "opening": "even"}, "coach": False}


class ClassLoad(Load):
    """Load made of classes."""

    def __init__(self, url: str, classes: int, pupils: int, seconds: float, every: float) -> None:
        super().__init__(url, classes * pupils // 2, seconds, every)
        self.classes, self.pupils = classes, pupils
        self.seconds_to_match: list[float] = []
        self.seconds_to_wall: list[float] = []
        self.walls: list[asyncio.Task[None]] = []

    async def begin(self) -> list[Game]:
        taught = [await self._joined() for _ in range(self.classes)]
        started = time.perf_counter()
        games = await asyncio.gather(*(self._started(*one, started) for one in taught))
        return [game for those in games for game in those]

    async def _joined(self) -> tuple[str, str, list[str]]:
        """A class with its pupils: the code, the teacher's secret, and theirs."""
        connection = Connection(self.url)
        _, made = await connection.ask("POST", "/api/classes", {})
        path, tokens = f"/api/classes/{made['code']}", []
        await connection.ask("POST", f"{path}/plan", PLAN, made["token"])
        for _ in range(self.pupils):
            tokens.append(secrets.token_urlsafe(24))
            status, said = await connection.ask("POST", f"{path}/join", {"token": tokens[-1]})
            if status != 200:
                raise SystemExit(f"The server refused a pupil: {said['detail']}")
        connection.close()
        return made["code"], made["token"], tokens

    async def _started(
        self, code: str, teacher: str, tokens: list[str], started: float
    ) -> list[Game]:
        path = f"/api/classes/{code}"
        waiting = [asyncio.create_task(self._wait(path, token, started)) for token in tokens]
        connection = Connection(self.url)
        status, state = await connection.ask("POST", f"{path}/rounds", {"round": 1}, teacher)
        if status != 200:
            raise SystemExit(f"The server refused a round: {state['detail']}")
        places = await asyncio.gather(*waiting)
        by_match: dict[str, list[str]] = {}
        for token, match in zip(tokens, places, strict=True):
            by_match.setdefault(match, []).append(token)
        games = {}
        for match, seated in by_match.items():
            seats = {}
            for token in seated:
                _, seen = await connection.ask("GET", f"/api/matches/{match}", None, token)
                seats[seen["you"][0]] = token
            games[match] = Game(match, (seats[1], seats[2]), seen["legal"])
        self.walls.append(asyncio.create_task(self._wall(code, state["stream_key"], games)))
        return list(games.values())

    async def _wait(self, path: str, token: str, started: float) -> str:
        """A pupil's page: it hears that the class has changed, and asks where to go."""
        ears, mouth = Connection(self.url), Connection(self.url)
        _, seen = await mouth.ask("GET", path, None, token)
        async with self._open:
            reader = await ears.listen(f"{path}/events?key={seen['stream_key']}")
        while line := await reader.readline():
            if line.startswith(b"data: "):
                _, seen = await mouth.ask("GET", path, None, token)
                if seen["match"]:
                    self.seconds_to_match.append(time.perf_counter() - started)
                    ears.close()
                    mouth.close()
                    return str(seen["match"])
        raise SystemExit("A pupil's stream has ended.")

    async def _wall(self, code: str, key: str, games: dict[str, Game]) -> None:
        connection = Connection(self.url)
        reader = await connection.listen(f"/api/classes/{code}/events?key={key}")
        while line := await reader.readline():
            found, ply = ID.search(line), PLY.search(line)
            if line.startswith(b"data: ") and found and ply and int(ply[1]):
                game = games[found[1].decode()]
                self.seconds_to_wall.append(time.perf_counter() - game.sent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classes", type=int, nargs="+", default=[10, 30])
    parser.add_argument("--pupils", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--every", type=float, default=4.0, help="seconds between moves of a game")
    wanted = parser.parse_args()
    if max(wanted.classes) > 60 or wanted.pupils > 60 or wanted.pupils % 2 or wanted.seconds > 600:
        parser.error("at most 60 classes of an even number of pupils up to 60, for 600 seconds")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for classes in wanted.classes:
        with tempfile.TemporaryDirectory() as folder:
            server, url = start_server(f"{folder}/web.sqlite3", Path(folder), limits=OF_A_SCHOOL)
            load = ClassLoad(url, classes, wanted.pupils, wanted.seconds, wanted.every)
            try:
                wrong = asyncio.run(load.run())
            finally:
                server.terminate()
                server.wait()
        print(f"{classes} classes of {wanted.pupils}")
        print(f"  the last pupil is in a match after {max(load.seconds_to_match):.2f} s")
        print(f"  moves {len(load.seconds_to_event):,}, lost or doubled in {wrong} games")
        print(f"  errors {sum(load.errors.values())} {dict(load.errors) or ''}")
        shown = {"other player": load.seconds_to_event, "wall": load.seconds_to_wall}
        for name, values in shown.items():
            p50, p99 = (1000 * percentile(values, share) for share in (0.5, 0.99))
            print(f"  from POST to the {name:12} p50 {p50:6.1f} ms   p99 {p99:6.1f} ms")


if __name__ == "__main__":
    main()
