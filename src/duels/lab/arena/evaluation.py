"""The evaluation of a language model: matches against a known opponent, and their score.

A random player plays some matches against the same opponent, because its chance of winning cannot
be computed; not against a program or a model, which could take hours or cost money.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from duels.core.errors import OptionError
from duels.core.game import Game
from duels.games import RULES_VERSION
from duels.lab.arena.matches import play_match
from duels.lab.arena.results import Grades, MatchResult, grade_players
from duels.lab.arena.tournament import Contest, Tournament
from duels.lab.arena.usage import NOTHING, Usage
from duels.lab.jobs import JobProgress, run_jobs
from duels.lab.reports import Table, page, plain, plan_table
from duels.lab.results_folder import Plan
from duels.lab.scores import ALL_GAMES, PHASES, Tally, percent, rounded, share_of, with_interval
from duels.match.match import LONGEST_NAME, SECOND, Seat, Seats
from duels.match.players.levels import RANDOM
from duels.match.players.llm import ANSWERS, ModelSettings
from duels.match.players.prompt import preset_of
from duels.match.players.specs import TIME_LIMIT, read_spec

CHANCES = {"most moves win": 0.5, "some moves win": 0.1, "few moves win": 0.0}
"""Choices by the share of the legal moves that win: more than this."""
MATCHES = 40
"""Matches of the random player at each game, half of them as player 1."""
RANDOM_NAME = "random player"

Score = dict[str, Any]


@dataclass(frozen=True)
class Evaluation(Contest):
    """A model, how it is asked, its opponent and the games."""

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
            **self.prompt_plan,
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
    results: Sequence[MatchResult],
    chances: Mapping[str, RandomScore],
) -> Score:
    """Return the score; a match with a server error counts only as unrated.

    `chances` are the scores of a random player by game, where they are known.
    """
    name = evaluation.name
    rated = [result for result in results if result.is_rated]
    unrated = [result for result in results if not result.is_rated]
    grades = grade_players(rated)
    used = _used(results, name)

    def played(place: str) -> Score:
        mine = grades.get(place, {}).get(name, Grades())
        won_games = _won_games(_at(place, rated), name)
        return _with_chance(mine, won_games, chances.get(place, RandomScore()))

    return {
        "plan": plan,
        **played(ALL_GAMES),
        "matches": len(results),
        "unrated": len(unrated),
        "unrated_share": rounded(len(unrated) / len(results)) if results else None,
        "unrated_tokens": _used(unrated, name).tokens,
        "random_matches": chances[ALL_GAMES].won.whole if chances else 0,
        "answers": {kind: used.answers.get(kind, 0) for kind in ANSWERS},
        "by_position": _by_position(rated, name),
        "games": {label: played(label) for label in evaluation.games},
        "tokens_in": used.tokens_in,
        "tokens_out": used.tokens_out,
        "answers_without_token_counts": used.uncounted,
        "cost": None if used.cost is None else round(used.cost, 6),
        "cost_per_game": None if used.cost is None else round(used.cost / len(results), 6),
        "preset": preset_of(evaluation.settings.conditions(evaluation.time_limit)),
    }


def _used(results: Iterable[MatchResult], name: str) -> Usage:
    """Return the usage of a model, with that of earlier attempts at the same matches."""
    usages = ((one.player(name), of) for one in results for of in (one.model, one.before))
    return sum((of[player] for player, of in usages if player in of), NOTHING)


def _won_games(results: Sequence[MatchResult], name: str) -> Tally:
    """Return the games won, of those in which the model's first position was won."""
    found = Tally()
    for result in results:
        player = result.player(name)
        first = next((grade for _, grade in result.turns(player)), None)
        found.add(result.winner == player, bool(first and first.winning))
    return found


def _with_chance(grades: Grades, won_games: Tally, chance: RandomScore) -> Score:
    """Return the model's score with that of a random player, and corrected for chance."""
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


def _by_position(results: Sequence[MatchResult], name: str) -> dict[str, Score]:
    """Return the choices by the share of their moves that win: easy ones say less."""
    found = {words: Tally() for words in CHANCES}
    for result in results:
        grades = [one for _, one in result.turns(result.player(name)) if one.is_choice]
        for words, group in found.items():
            mine = [one for one in grades if _chance_class(one.by_chance) == words]
            chance = sum(one.by_chance for one in mine)
            group.add(sum(one.kept for one in mine), len(mine), chance)
    return {
        words: {"choices": group.whole, "kept": group.part} | group.data()
        for words, group in found.items()
    }


def _chance_class(chance: float) -> str:
    return next(words for words, least in CHANCES.items() if chance > least)


# A random player


@dataclass(frozen=True)
class RandomScore:
    """Matches won by a random player, of all and of those it could win from its first position."""

    won: Tally = field(default_factory=Tally)
    won_games: Tally = field(default_factory=Tally)


def random_scores(
    games: Mapping[str, Game], opponent: str, seed: int, *, jobs: int | None
) -> dict[str, RandomScore]:
    """Return the scores by game and over all games; none if the opponent is not built in."""
    if read_spec(opponent)[1]:
        return {}
    players = {RANDOM_NAME: RANDOM, "opponent": opponent}
    contest = Tournament(dict(games), MATCHES // 2, seed, TIME_LIMIT, ModelSettings(), players)
    pairings = [*contest.pairings()]
    results = []
    with JobProgress("matches of a random player", len(pairings)) as progress:
        for _, (result, _) in run_jobs(play_match, pairings, jobs=jobs):
            results.append(result)
            progress.step()
    grades = grade_players(results)
    return {
        place: RandomScore(
            grades[place][RANDOM_NAME].won, _won_games(_at(place, results), RANDOM_NAME)
        )
        for place in (ALL_GAMES, *games)
    }


def _at(place: str, results: Sequence[MatchResult]) -> list[MatchResult]:
    """Return the results of a game, or all of them."""
    return [result for result in results if place in (ALL_GAMES, result.label)]


# Text and HTML


def score_lines(score: Score) -> list[str]:
    """Return the score for a terminal."""
    plan = score["plan"]
    shown = "shown" if plan["show_legal"] else "hidden"
    lines = [
        f"{plan['model']} against {plan['opponent']}: {score['matches']} matches, "
        f"legal moves {shown}, {plan['retries']} retries.",
        *([_unrated(score)] if score["unrated"] else []),
        "",
        f"Won games kept   {_of(score['won_games'])}, {_chance_of(score['won_games'])}",
        f"Matches won      {score['wins']} of {score['matches'] - score['unrated']} "
        f"({share_of(score, 'score')}), "
        f"{_chance(score['random']['score'], score['corrected']['score'])}",
        f"Choices kept     {share_of(score, 'choices_kept')} of {score['choices']}, "
        f"{_chance(score['random']['choices_kept'], score['corrected']['choices_kept'])}",
    ]
    for words, found in score["by_position"].items():
        share = with_interval(found["share"], found["interval"])
        chance = _chance(found["random"], found["corrected"])
        lines.append(f"  {words:15}{share} of {found['choices']}, {chance}")
    blunders = ", ".join(f"{phase} {score['blunders'][phase]}" for phase in PHASES)
    lines += [f"Wins given away  {blunders}", "Answers          " + _counts(score["answers"])]
    if score["forfeits"]:
        lines.append("Forfeits         " + _counts(score["forfeits"]))
    uncounted = score["answers_without_token_counts"]
    lines.append(
        f"Tokens           {score['tokens_in']:,} in, {score['tokens_out']:,} out"
        + (f" ({uncounted} answers without counts)" if uncounted else "")
    )
    if score["cost"] is not None:
        lines.append(f"Cost             {score['cost']:.4f} ({score['cost_per_game']:.4f} a game)")
    lines.append(_about_chance(score))
    for label, found in score["games"].items():
        lines.append(
            f"{label}: won {share_of(found, 'score')}, won games kept {_of(found['won_games'])}, "
            f"choices kept {share_of(found, 'choices_kept')} of {found['choices']}"
        )
    return lines


def score_page(score: Score) -> str:
    """Return the score as a page that opens from disk."""
    plan = score["plan"]
    games = [
        [
            label,
            found["matches"],
            share_of(found, "score"),
            percent(found["random"]["score"]),
            percent(found["corrected"]["score"]),
            _of(found["won_games"]),
            percent(found["won_games"]["random"]),
            percent(found["won_games"]["corrected"]),
            f"{share_of(found, 'choices_kept')} of {found['choices']}",
            percent(found["random"]["choices_kept"]),
            percent(found["corrected"]["choices_kept"]),
            *(found["blunders"][phase] for phase in PHASES),
        ]
        for label, found in score["games"].items()
    ]
    beside = ("random", "beyond chance")
    head = ["game", "matches", "won", *beside, "won games kept", *beside, "choices kept", *beside]
    head += [f"wins given away: {phase}" for phase in PHASES]
    positions = [
        [
            words,
            found["choices"],
            with_interval(found["share"], found["interval"]),
            percent(found["random"]),
            percent(found["corrected"]),
        ]
        for words, found in score["by_position"].items()
    ]
    money = [["tokens in", score["tokens_in"]], ["tokens out", score["tokens_out"]]]
    if uncounted := score["answers_without_token_counts"]:
        money.append(["answers without token counts", uncounted])
    money += [["cost", plain(score["cost"])], ["cost per game", plain(score["cost_per_game"])]]
    parts = [
        f"<h1>{escape(plan['model'])}</h1>",
        f"<p>It kept {_of(score['won_games'])} of the games that were won for it.</p>",
        f"<p>{escape(_unrated(score))}</p>" if score["unrated"] else "",
        '<p class="quiet">Next to each share is its 95% interval; random is what a random player '
        "keeps at the same positions, beyond chance is 0% for that and 100% for no mistakes. "
        f"{escape(_about_chance(score))}</p>",
        Table("Games", head, games).html(),
    ]
    tables = [
        Table(
            "By position",
            ["a choice where", "choices", "kept the win", "random", "beyond chance"],
            positions,
        ),
        Table("Answers", ["kind", "answers"], [*score["answers"].items()]),
        Table("Forfeits", ["forfeited because", "matches"], [*score["forfeits"].items()]),
        Table("Tokens and cost", ["what", "how much"], money),
        plan_table(plan),
    ]
    for table in tables:
        parts += [f"<h2>{table.title}</h2>", table.html()] if table.rows else []
    return page(f"Score: {plan['model']}", parts)


def _unrated(score: Score) -> str:
    share, tokens = percent(score["unrated_share"]), f"{score['unrated_tokens']:,} tokens"
    return (
        f"{score['unrated']} of {score['matches']} matches ({share}, {tokens}) ended with a server "
        "error. They are not rated; the same command plays them again."
    )


def _about_chance(score: Score) -> str:
    """Return where the random baseline for wins comes from; for moves it is computed."""
    if played := score["random_matches"]:
        return f"The random baseline for wins is a random player's share of {played} matches."
    return "There is no random baseline for wins: only built-in opponents play a random player."


def _chance_of(found: Score) -> str:
    return _chance(found["random"], found["corrected"])


def _chance(random: float | None, corrected: float | None) -> str:
    return f"random {percent(random)}, beyond chance {percent(corrected)}"


def _of(found: Score) -> str:
    return f"{found['kept']} of {found['had']} ({with_interval(found['share'], found['interval'])})"


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in found.items())
