"""The evaluation of a language model: matches against a known opponent, and a score sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duels.core.errors import OptionError
from duels.games import RULES_VERSION
from duels.lab.arena.by_chance import ByChance
from duels.lab.arena.folder import Plan
from duels.lab.arena.grades import EVERYWHERE, Grades, grade
from duels.lab.arena.line import Played
from duels.lab.arena.play import Contest
from duels.lab.arena.shares import Tally, rounded
from duels.lab.arena.usage import NOTHING, Usage
from duels.match.match import LONGEST_NAME, SECOND, Seat, Seats
from duels.match.players.llm import ANSWERS
from duels.match.players.prompt import preset_of
from duels.match.players.specs import read_spec

CHANCES = {"most moves win": 0.5, "some moves win": 0.1, "few moves win": 0.0}
"""Choices by how many of the legal moves win: more than this share of them."""


@dataclass(frozen=True)
class Evaluation(Contest):
    """A model, how it is asked, and what it plays against whom."""

    model: str
    opponent: str

    def __post_init__(self) -> None:
        if read_spec(self.opponent)[0] == "llm":
            raise OptionError("The opponent of an evaluation is a level, random, or ugi:COMMAND.")

    @property
    def name(self) -> str:
        """The model's name in the records."""
        return self.model[-LONGEST_NAME:].strip()

    @property
    def opponent_name(self) -> str:
        name = self.opponent if len(self.opponent) <= LONGEST_NAME else "opponent"
        return name + SECOND if name.casefold() == self.name.casefold() else name

    @property
    def plan(self) -> Plan:
        return {
            "kind": "evaluation",
            "model": self.model,
            **self.asked,
            "games": list(self.games),
            "opponent": self.opponent,
            "rounds": self.rounds,
            "seed": self.seed,
            "time_limit": self.time_limit,
            "rules": RULES_VERSION,
        }

    @property
    def pairs(self) -> Iterable[Seats]:
        model = Seat(self.name, f"llm:{self.model}")
        return [(model, Seat(self.opponent_name, self.opponent))]


def score(
    evaluation: Evaluation,
    plan: Plan,
    lines: Sequence[Played],
    chances: Mapping[str, ByChance],
) -> dict[str, Any]:
    """The score sheet. A match that the server spoilt counts only as that.

    `chances` is what a random player has won, by game, where that is known.
    """
    name = evaluation.name
    counted = [line for line in lines if line.is_rated]
    grades = grade(counted)
    used = _used(lines, name)

    def played(place: str) -> dict[str, Any]:
        mine = grades.get(place, {}).get(name, Grades())
        here = [line for line in counted if place in (EVERYWHERE, line.label)]
        return _beside_chance(mine, _won_games(here, name), chances.get(place, ByChance()))

    return {
        "plan": plan,
        **played(EVERYWHERE),
        "matches": len(lines),
        "spoilt": len(lines) - len(counted),
        "spoilt_share": rounded((len(lines) - len(counted)) / len(lines)) if lines else None,
        "spoilt_tokens": _used([line for line in lines if not line.is_rated], name).tokens,
        "random_matches": chances[EVERYWHERE].won.whole if chances else 0,
        "answers": {kind: used.answers.get(kind, 0) for kind in ANSWERS},
        "by_position": _by_position(counted, name),
        "games": {label: played(label) for label in evaluation.games},
        "tokens_in": used.tokens_in,
        "tokens_out": used.tokens_out,
        "answers_without_token_counts": used.uncounted,
        "cost": None if used.cost is None else round(used.cost, 6),
        "cost_per_game": None if used.cost is None else round(used.cost / len(lines), 6),
        "preset": preset_of(evaluation.settings.conditions(evaluation.time_limit)),
    }


def _used(lines: Iterable[Played], name: str) -> Usage:
    """What matches have cost, with what was paid before a server spoilt one."""
    usages = ((line.player(name), of) for line in lines for of in (line.model, line.before))
    return sum((of[player] for player, of in usages if player in of), NOTHING)


def _won_games(lines: Sequence[Played], name: str) -> Tally:
    """Games in which the model's first position was won, and how many of these it won."""
    found = Tally()
    for line in lines:
        player = line.player(name)
        first = next((turn for _, turn in line.turns(player)), None)
        found.add(line.winner == player, bool(first and first.winning))
    return found


def _beside_chance(grades: Grades, won_games: Tally, chance: ByChance) -> dict[str, Any]:
    """What the model has won, and beside it what a random player has, and what is beyond that."""
    data = grades.data()
    data["random"]["score"], data["corrected"]["score"] = _beyond(grades.won, chance.won)
    random, corrected = _beyond(won_games, chance.won_games)
    data["won_games"] = {
        "had": won_games.whole,
        "kept": won_games.part,
        "share": won_games.share,
        "interval": won_games.interval,
        "random": random,
        "corrected": corrected,
    }
    return data


def _beyond(found: Tally, chance: Tally) -> tuple[float | None, float | None]:
    random = chance.counted.value
    return rounded(random), None if random is None else rounded(found.counted.above(random))


def _by_position(lines: Sequence[Played], name: str) -> dict[str, dict[str, Any]]:
    """The choices by how many of their moves win: an easy choice says less than a hard one."""
    found = {words: Tally() for words in CHANCES}
    for line in lines:
        turns = [turn for _, turn in line.turns(line.player(name)) if turn.is_choice]
        for words, group in found.items():
            mine = [turn for turn in turns if _how_likely(turn.by_chance) == words]
            chance = sum(turn.by_chance for turn in mine)
            group.add(sum(turn.kept for turn in mine), len(mine), chance)
    return {
        words: {"choices": group.whole, "kept": group.part} | group.data()
        for words, group in found.items()
    }


def _how_likely(chance: float) -> str:
    return next(words for words, least in CHANCES.items() if chance > least)
