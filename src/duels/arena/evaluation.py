"""The evaluation of a language model: matches against a known opponent, and a score sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from duels.arena.folder import Line, Plan
from duels.arena.grades import EVERYWHERE, Grades, grade, is_choice, is_rated, moves_of, share
from duels.arena.play import Pairing
from duels.core.errors import OptionError
from duels.core.game import Game
from duels.core.words import quoted
from duels.games import RULES_VERSION
from duels.match import LONGEST_NAME
from duels.players.levels import level_of
from duels.players.llm import MOVE, PROMPT_VERSION, ModelSettings
from duels.players.specs import read_spec

ANSWERS = (MOVE, "unreadable", "illegal", "refused", "failed")
CHANCES = {"most moves win": 0.5, "some moves win": 0.1, "few moves win": 0.0}
"""Choices by how many of the legal moves win: more than this share of them."""


@dataclass(frozen=True)
class Evaluation:
    """A model, how it is asked, and what it plays against whom."""

    model: str
    settings: ModelSettings
    games: dict[str, Game]
    opponent: str
    rounds: int
    seed: int
    time_limit: float

    def __post_init__(self) -> None:
        if read_spec(self.opponent)[0] == "llm":
            raise OptionError("The opponent of an evaluation is a level, random, or ugi:COMMAND.")
        if self.name.casefold() == self.opponent_name.casefold() or level_of(self.name):
            raise OptionError(f"{quoted(self.model)} is the name of a built-in player.")

    @property
    def name(self) -> str:
        """The model's name in the records."""
        return self.model[-LONGEST_NAME:].strip()

    @property
    def opponent_name(self) -> str:
        return self.opponent if len(self.opponent) <= LONGEST_NAME else "opponent"

    @property
    def plan(self) -> Plan:
        return {
            "kind": "evaluation",
            "model": self.model,
            **asdict(self.settings),
            "prompt": PROMPT_VERSION,
            "games": list(self.games),
            "opponent": self.opponent,
            "rounds": self.rounds,
            "seed": self.seed,
            "time_limit": self.time_limit,
            "rules": RULES_VERSION,
        }

    def pairings(self) -> Iterator[Pairing]:
        """Every match: the model moves first in one of each round, second in the other."""
        model = (self.name, f"llm:{self.model}")
        opponent = (self.opponent_name, self.opponent)
        for label, playing in self.games.items():
            for round_ in range(1, self.rounds + 1):
                for one, two in ((model, opponent), (opponent, model)):
                    yield Pairing(
                        game=playing.id,
                        options=dict(playing.options),
                        label=label,
                        names=(one[0], two[0]),
                        specs=(one[1], two[1]),
                        round=round_,
                        seed=self.seed,
                        time_limit=self.time_limit,
                        settings=self.settings,
                    )


def score(evaluation: Evaluation, lines: Sequence[Line]) -> dict[str, Any]:
    """The score sheet. A match that the server spoilt counts only as that."""
    counted = [line for line in lines if is_rated(line)]
    grades = grade(counted)
    mine = {place: players.get(evaluation.name, Grades()) for place, players in grades.items()}
    used = [one for line in lines for one in _used(line, evaluation.name)]
    costs = [one["cost"] for one in used if one["cost"] is not None]
    answers = {kind: sum(one["answers"].get(kind, 0) for one in used) for kind in ANSWERS}
    return {
        "plan": evaluation.plan,
        **mine[EVERYWHERE].data(),
        "matches": len(lines),
        "spoilt": len(lines) - len(counted),
        "won_games": _kept(counted, evaluation.name),
        "answers": answers,
        "by_position": _by_position(counted, evaluation.name),
        "games": {
            label: mine.get(label, Grades()).data()
            | {
                "won_games": _kept(
                    [line for line in counted if line["label"] == label], evaluation.name
                )
            }
            for label in evaluation.games
        },
        "tokens_in": sum(one["tokens_in"] for one in used),
        "tokens_out": sum(one["tokens_out"] for one in used),
        "answers_without_token_counts": sum(one["untold"] for one in used),
        "cost": round(sum(costs), 6) if costs else None,
        "cost_per_game": round(sum(costs) / len(lines), 6) if costs else None,
    }


def _side(line: Line, name: str) -> int:
    return 1 if line["player1"] == name else 2


def _used(line: Line, name: str) -> list[dict[str, Any]]:
    """What a match has cost, with what was paid before a server spoilt it."""
    side = str(_side(line, name))
    return [sums[side] for sums in (line.get("model"), line.get("before")) if sums and side in sums]


def _kept(lines: Sequence[Line], name: str) -> dict[str, Any]:
    """Games in which the model's first position was won, and how many of these it won."""
    had = kept = 0
    for line in lines:
        side = _side(line, name)
        first = next((grade_ for _, grade_ in moves_of(line, side)), None)
        if first and first["winning"]:
            had += 1
            kept += line["result"] == ("1-0" if side == 1 else "0-1")
    return {"had": had, "kept": kept, "share": share(kept, had)}


def _by_position(lines: Sequence[Line], name: str) -> dict[str, dict[str, Any]]:
    """The choices by how many of their moves win: an easy choice says less than a hard one."""
    found = {words: [0, 0] for words in CHANCES}
    for line in lines:
        for _, grade_ in moves_of(line, _side(line, name)):
            if is_choice(grade_):
                chance = grade_["winning"] / grade_["legal"]
                words = next(words for words, least in CHANCES.items() if chance > least)
                found[words][0] += 1
                found[words][1] += grade_["kept"]
    return {
        words: {"choices": had, "kept": kept, "share": share(kept, had)}
        for words, (had, kept) in found.items()
    }
