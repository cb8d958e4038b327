"""A tournament: everybody against everybody, at every game, each side moving first in turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, asdict, dataclass
from itertools import combinations
from typing import Any

from duels.arena.folder import Folder, Line, Plan
from duels.arena.grades import is_rated
from duels.arena.play import Pairing, play_match
from duels.arena.progress import Progress, go_on, stopped
from duels.core.errors import DuelsError, OptionError, OptionNameError
from duels.core.game import Game
from duels.core.words import quoted
from duels.games import RULES_VERSION, game, option_fields
from duels.jobs import run_jobs
from duels.match import LONGEST_NAME
from duels.players.levels import level_of
from duels.players.llm import PROMPT_VERSION, ModelSettings
from duels.players.specs import TIME_LIMIT, read_spec

_BETWEEN_OPTIONS = re.compile(r"[:,](?=[\w-]+=)")
_NAMED = re.compile(r"([^:=]+)=(.*)", re.DOTALL)

TRANSCRIPTS = "transcripts.jsonl"


@dataclass(frozen=True)
class Tournament:
    """Who plays what. Equal plans give equal results."""

    players: dict[str, str]
    games: dict[str, Game]
    rounds: int
    seed: int
    time_limit: float = TIME_LIMIT
    settings: ModelSettings | None = None

    @property
    def plan(self) -> Plan:
        return {
            "kind": "tournament",
            "players": self.players,
            "games": list(self.games),
            "rounds": self.rounds,
            "seed": self.seed,
            "time_limit": self.time_limit,
            "rules": RULES_VERSION,
            **self._models,
        }

    @property
    def _models(self) -> Plan:
        """How models are asked, where there are any."""
        if not any(read_spec(spec)[0] == "llm" for spec in self.players.values()):
            return {}
        asked = asdict(self.settings or ModelSettings())
        return {"models": asked | {"prompt": PROMPT_VERSION}}

    def pairings(self) -> Iterator[Pairing]:
        """Every match, in the order of the results when all are there."""
        for label, playing in self.games.items():
            for one, two in combinations(self.players, 2):
                for round_ in range(1, self.rounds + 1):
                    for names in ((one, two), (two, one)):
                        yield Pairing(
                            game=playing.id,
                            options=dict(playing.options),
                            label=label,
                            names=names,
                            specs=(self.players[names[0]], self.players[names[1]]),
                            round=round_,
                            seed=self.seed,
                            time_limit=self.time_limit,
                            settings=self.settings,
                        )


def read_players(texts: Iterable[str]) -> dict[str, str]:
    """Specifications by the name that each player gets: SPEC, or NAME=SPEC."""
    players: dict[str, str] = {}
    for text in texts:
        named = _NAMED.fullmatch(text)
        spec = (named[2] if named else text).strip()
        kind, rest = read_spec(spec)
        spec = f"{kind}:{rest}" if rest else kind
        name = " ".join((named[1] if named else spec).split())
        if not name:
            raise OptionError(f"{quoted(text)} gives the player an empty name.")
        if len(name) > LONGEST_NAME:
            raise OptionError(
                f"{quoted(name)} is longer than {LONGEST_NAME} characters; give the player "
                f"a name, for example mine={kind}:…"
            )
        if level_of(name) and name.casefold() != spec:
            raise OptionError(f"{quoted(name)} is the name of a level; choose another name.")
        if name.casefold() in map(str.casefold, players):
            raise OptionError(f"{quoted(name)} plays already; give the second one another name.")
        players[name] = spec
    if len(players) < 2:
        raise OptionNameError("A tournament needs at least two players.")
    return players


def read_games(texts: Iterable[str]) -> dict[str, Game]:
    """Games by the way they are written: ID, or ID:option=value,option=value."""
    games: dict[str, Game] = {}
    for text in texts:
        game_id, *told = _BETWEEN_OPTIONS.split(text.strip())
        options = dict(part.partition("=")[::2] for part in told)
        playing = game(game_id, **options)
        label = game_label(playing)
        if label in games:
            raise OptionError(f"{label} is there twice.")
        games[label] = playing
    return games


def game_label(playing: Game) -> str:
    """The shortest way to write a game that `read_games` reads back."""
    defaults = {name: option.default for name, option in option_fields(playing.id).items()}
    told = [
        f"{name}={value}"
        for name, value in playing.options.items()
        if defaults[name] is MISSING or defaults[name] != value
    ]
    return ":".join([playing.id, ",".join(told)]) if told else playing.id


def run_pairings(
    folder: Folder,
    pairings: Iterable[Pairing],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    note: Callable[[str], None],
) -> list[Line]:
    """Play what is not played yet; all lines in the order of the pairings."""
    done = folder.open()
    wanted = {pairing.key: pairing for pairing in pairings}
    # A match that a server has spoilt is played again.
    lines = {key: line for key, line in done.items() if key in wanted and is_rated(line)}
    spoilt = {key: line for key, line in done.items() if key in wanted and not is_rated(line)}
    if lines or folder.damaged:
        skipped = f"; {folder.damaged} damaged lines are played again" if folder.damaged else ""
        note(f"{len(lines)} of {len(wanted)} matches are there already{skipped}.")
    left = [pairing for key, pairing in wanted.items() if key not in lines]
    progress = Progress("matches", len(wanted), len(lines))
    try:
        for _, line in run_jobs(play_match, left, jobs=jobs, cluster=cluster):
            _keep(folder, line, spoilt.get(line["key"]))
            lines[line["key"]] = line
            progress.step()
    except DuelsError as error:
        raise stopped(error, len(lines), _kept(lines, wanted)) from None
    except KeyboardInterrupt:
        note(f"\nStopped. {go_on(_kept(lines, wanted))}")
        raise
    finally:
        progress.end()
    ordered = [lines[key] for key in wanted]
    if left:
        folder.in_order(ordered)
    return ordered


def never_served(lines: Sequence[Line]) -> dict[str, str]:
    """The players whose server has failed in every match that they have played, and how."""
    troubles: dict[str, str] = {}
    others: set[str] = set()
    for line in lines:
        for player in (1, 2):
            name = line[f"player{player}"]
            if is_rated(line):
                others.add(name)
            elif line["forfeit"]["player"] == player:
                troubles[name] = line["forfeit"]["detail"]
    return {name: detail for name, detail in troubles.items() if name not in others}


def _keep(folder: Folder, line: Line, spoilt: Line | None) -> None:
    """The line of a match; what was said to models and by them goes into a file of its own.

    What was paid for the same match before a server spoilt it is not forgotten.
    """
    transcripts = line.pop("transcripts", [])
    said = [
        {"key": line["key"], "id": line["id"], "player": player} | exchange
        for player, exchanges in enumerate(transcripts, start=1)
        for exchange in exchanges or ()
    ]
    if said:
        folder.add(said, TRANSCRIPTS)
        line["model"] = _totals(said)
    if spoilt:
        line["before"] = _sum(spoilt.get("before") or {}, spoilt.get("model") or {})
    folder.add([line])


def _totals(said: list[dict[str, Any]]) -> dict[str, Any]:
    """What the exchanges of one match come to, for each player that is a model."""
    totals: dict[str, Any] = {}
    for exchange in said:
        mine = totals.setdefault(
            str(exchange["player"]),
            {"answers": {}, "tokens_in": 0, "tokens_out": 0, "untold": 0, "cost": None},
        )
        kind = exchange["kind"]
        mine["answers"][kind] = mine["answers"].get(kind, 0) + 1
        for name in ("tokens_in", "tokens_out"):
            mine[name] += exchange[name] or 0
        mine["untold"] += exchange["tokens_in"] is None
        if exchange["cost"] is not None:
            mine["cost"] = round((mine["cost"] or 0) + exchange["cost"], 8)
    return totals


def _sum(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    """Two totals of the same match together."""
    totals = {player: dict(sums) for player, sums in one.items()}
    for player, sums in two.items():
        mine = totals.setdefault(player, {"answers": {}, "cost": None})
        kinds = mine["answers"].keys() | sums["answers"].keys()
        counts = {
            kind: mine["answers"].get(kind, 0) + sums["answers"].get(kind, 0) for kind in kinds
        }
        costs = [cost for cost in (mine["cost"], sums["cost"]) if cost is not None]
        for name in ("tokens_in", "tokens_out", "untold"):
            mine[name] = mine.get(name, 0) + sums[name]
        mine |= {"answers": counts, "cost": round(sum(costs), 8) if costs else None}
    return totals


def _kept(lines: dict[str, Line], wanted: dict[str, Pairing]) -> str:
    return f"{len(lines)} of {len(wanted)} matches"
