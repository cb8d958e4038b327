"""The Inspect tasks `duels/exam` and `duels/play`: our prompt, our parser and exact verdicts.

A sample of `exam` is a position with one move to choose; a sample of `play` is a whole match
against a built-in player. Inspect finds both by its entry point: inspect eval duels/exam --model …
A server error is an error of the sample, which Inspect does not score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from time import monotonic
from typing import Any, ParamSpec

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ModelUsage, get_model
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    accuracy,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from rich.markup import escape

from duels.core.errors import DuelsError
from duels.core.game import Position
from duels.core.options import read_choice, read_whole
from duels.games import game
from duels.lab.arena.matches import GradedMatch, Grades, read_result
from duels.lab.arena.tournament import Pairing, matches_against
from duels.lab.exam.dataset import Item, read_exam
from duels.lab.exam.sampling import default_games, make_items
from duels.match.match import LONGEST_NAME, Seat
from duels.match.players.levels import computer_move
from duels.match.players.models import (
    Reply,
    ask_model,
    cause_of,
    chat,
    choose_move,
    is_late,
    read_output,
    time_limits,
)
from duels.match.players.prompt import (
    ANSWERS,
    HOW_TO_ANSWER,
    LATE,
    PROMPT_VERSION,
    Conditions,
    digest,
    prompt,
)
from duels.match.players.specs import Forfeit
from duels.theory import winning_moves

P = ParamSpec("P")
DEFAULT_POSITIONS = 200
"""The size of the exam that is made on the spot if no folder is named."""
MODEL = "model"
FOUND = "found"
"""The key under which the solver saves a match for its scorer."""
SPACE = "" if "-packages" in __file__ else "duels/"
"""Inspect puts the package's name before a task's only if the package is installed, not cloned."""


def conditions_data(conditions: Conditions) -> dict[str, Any]:
    """Return the conditions and the version of the prompt, for the head of a log."""
    return {"prompt": PROMPT_VERSION, **conditions._asdict()}


def player_name(model: str, conditions: dict[str, Any]) -> str:
    """Return the name of a model in tables, with its conditions where they are unusual."""
    words = [] if conditions["show_legal"] else ["moves hidden"]
    words += [] if conditions["form"] == Conditions().form else [conditions["form"]]
    words += [] if conditions["prompt"] == PROMPT_VERSION else [f"prompt {conditions['prompt']}"]
    ending = f" ({', '.join(words)})" if words else ""
    room = LONGEST_NAME - len(ending)
    if len(model) > room:  # two long names may have one ending
        model = f"{digest(model)[:4]}…{model[5 - room :]}"
    return model + ending


def usage_data(usages: Iterable[ModelUsage | None]) -> dict[str, Any]:
    """Return the tokens in and out, and the cost; None if the server has not counted them all."""
    known = [*usages]
    found = [one for one in known if one]
    if not found or len(found) < len(known):
        return {"tokens": None, "cost": None}
    total = sum(found[1:], found[0])
    cached = (total.input_tokens_cache_read or 0) + (total.input_tokens_cache_write or 0)
    tokens = [total.input_tokens + cached, total.output_tokens]
    return {"tokens": tokens, "cost": total.total_cost}


def _words(value: str | Sequence[str]) -> list[str]:
    """Return the words of a task argument, which Inspect may have split at commas already."""
    return value.split(",") if isinstance(value, str) else [*value]


def _conditions(show_legal: bool, retries: int, form: str) -> Conditions:
    how = read_choice("form", form, (*HOW_TO_ANSWER,))
    return Conditions(show_legal, read_whole("retries", retries, 0), how)


class TaskError(PrerequisiteError, DuelsError):
    """An argument of a task is wrong. Inspect prints the sentence without a traceback."""

    def __init__(self, sentence: str) -> None:
        super().__init__(escape(sentence))


def _explained(make: Callable[P, Task]) -> Callable[P, Task]:
    """Turn every error of ours into a TaskError."""

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> Task:
        try:
            return make(*args, **kwargs)
        except DuelsError as error:
            raise TaskError(str(error)) from None

    return made


# One position, one move


@task(name=f"{SPACE}exam")
@_explained
def exam(
    path: str = "",
    split: str | list[str] = "test",
    positions: int | None = None,
    show_legal: bool | None = None,
    form: str = Conditions().form,
) -> Task:
    """Choose a move in positions with exact verdicts; path is a folder of `duels exam make`.

    The exam decides whether the legal moves are shown, unless you do.
    """
    items, is_shown = exam_items(path, _words(split), positions)
    conditions = _conditions(is_shown if show_legal is None else show_legal, 0, form)
    return Task(
        dataset=[question(item, conditions) for item in items],
        solver=answer(),
        scorer=verdict(),
        config=time_limits(),
        version=PROMPT_VERSION,
        metadata=conditions_data(conditions),
    )


def exam_items(path: str, splits: Sequence[str], positions: int | None) -> tuple[list[Item], bool]:
    """Return the items of an exam, or of one that is made on the spot; their labels are checked.

    Also return whether the exam shows the legal moves.
    """
    if positions is not None:
        positions = read_whole("positions", positions, 1)
    if path:
        found = read_exam(Path(path).absolute())  # an error shows where Inspect looked
        return found.items(splits, positions), found.manifest.show_legal
    made = make_items(default_games(), DEFAULT_POSITIONS, 0, search=0, jobs=1)
    return [item for item in made if item.split in splits][:positions], True


def question(item: Item, conditions: Conditions) -> Sample:
    here = item.position
    return Sample(
        id=item.hash,
        input=chat(prompt(here, conditions, in_exam=True)),
        target=[here.game.format(move) for move in item.winning_moves],
        metadata={
            "game": item.game,
            "options": dict(here.game.options),
            "moves": [here.game.format(move) for move in here.moves],
            "phase": item.phase,
            "difficulty": item.difficulty,
            "chance": conditions.chance(here, len(item.winning_moves)),
        },
    )


def position_of(metadata: dict[str, Any]) -> Position:
    return game(metadata["game"], **metadata["options"]).position(*metadata["moves"])


@solver
def answer() -> Solver:
    """Ask the model once; a late answer is an answer, not an error."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        try:
            return await generate(state)
        except Exception as error:
            if not is_late(error):
                raise cause_of(error) from None
            state.store.set(LATE, True)
            return state

    return solve


@metric
def shares() -> Metric:
    """The exact score of random answers, and the share of each kind of answer."""

    def measure(scores: list[SampleScore]) -> Value:
        found = [one.score.metadata or {} for one in scores]
        count = max(len(found), 1)
        kinds = Counter(one["kind"] for one in found)
        chance = sum(one["chance"] for one in found) / count
        return {"chance": chance} | {kind: kinds[kind] / count for kind in ANSWERS}

    return measure


@scorer(metrics=[accuracy(), stderr(), shares()])
def verdict() -> Scorer:
    """Score an answer by the exact verdict, and note its kind."""

    async def score(state: TaskState, target: Target) -> Score:
        here = position_of(state.metadata)
        winning = winning_moves(here)
        if state.store.get(LATE):
            reply, usage = Reply(LATE, "There was no answer within the time limit."), None
        else:
            reply, usage = read_output(here, state.output), state.output.usage
        return Score(
            value=CORRECT if reply.move in winning else INCORRECT,
            answer=None if reply.move is None else here.game.format(reply.move),
            explanation=reply.detail or f"Winning moves: {', '.join(target)}.",
            metadata={
                "kind": reply.kind,
                "chance": state.metadata["chance"],
                **usage_data([usage]),
            },
        )

    return score


# A whole match


@task(name=f"{SPACE}play")
@_explained
def play(
    games: str | list[str] = "",
    opponent: str = "perfect",
    rounds: int = 5,
    seed: int = 0,
    show_legal: bool = True,
    retries: int = Conditions().retries,
    form: str = Conditions().form,
) -> Task:
    """Play whole matches against a level; each round has two matches at each game."""
    conditions = _conditions(show_legal, retries, form)
    labels = games.split() if isinstance(games, str) else games
    count = read_whole("rounds", rounds, 1)
    contest = matches_against(opponent, labels, count, seed, {MODEL: MODEL})
    return Task(
        dataset=[_match_sample(pairing, conditions) for pairing in contest.pairings()],
        solver=play_match(),
        scorer=match_result(),
        config=time_limits(),
        version=PROMPT_VERSION,
        metadata=conditions_data(conditions),
    )


def _match_sample(pairing: Pairing, conditions: Conditions) -> Sample:
    first = pairing.seats[0].name == MODEL
    return Sample(
        id=f"{pairing.label} | {'first' if first else 'second'} | {pairing.round}",
        input=f"{pairing.label}, round {pairing.round}: you move {'first' if first else 'second'}.",
        metadata={
            "label": pairing.label,
            "round": pairing.round,
            "first": first,
            "opponent": pairing.seats[1 if first else 0].computer,
            "seed": pairing.seed,
            "conditions": conditions_data(conditions),
        },
    )


def match_pairing(model: str, metadata: dict[str, Any]) -> Pairing:
    """Return the match of a sample, with the model in its seat."""
    opponent = metadata["opponent"]
    seats = (
        Seat(player_name(model, metadata["conditions"]), f"llm:{model}"),
        Seat(opponent, opponent),
    )
    ordered = seats if metadata["first"] else seats[::-1]
    return Pairing(metadata["label"], ordered, metadata["round"], metadata["seed"])


@solver
def play_match() -> Solver:
    """Play a match to its end; after a bad answer the model may try again within its conditions."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        conditions = Conditions(**{n: state.metadata["conditions"][n] for n in Conditions._fields})
        mine = 1 if state.metadata["first"] else 2
        pairing = match_pairing(str(state.model), state.metadata)
        playing = GradedMatch(pairing, {mine: conditions})
        kinds: Counter[str] = Counter()
        usages: list[ModelUsage | None] = []

        async def ask(messages: list[ChatMessage]) -> Reply:
            reply, output = await ask_model(get_model(), playing.match.position, messages)
            kinds[reply.kind] += 1
            if output:
                usages.append(output.usage)
                state.output, state.messages = output, [*messages, output.message]
            return reply

        while not playing.match.outcome:
            here, began = playing.match.position, monotonic()
            try:
                if here.to_move == mine:
                    move = await choose_move(here, conditions, ask)
                else:
                    move = computer_move(state.metadata["opponent"], here, playing.match.seed)
            except Forfeit as lost:
                playing.forfeit(lost)
            else:
                playing.play(move, monotonic() - began)
        found = {"result": playing.result.data(), "answers": dict(kinds), **usage_data(usages)}
        state.store.set(FOUND, found)
        return state

    return solve


@metric
def kept() -> Metric:
    """The share of won positions that stayed won, and what random moves would keep."""

    def measure(scores: list[SampleScore]) -> Value:
        grades = Grades()
        for one in scores:
            result = read_result((one.score.metadata or {})["result"])
            grades.add(result, 1 if result.record["computer1"].startswith("llm:") else 2)
        found = grades.choices.data()
        return {"choices_kept": found["share"] or 0.0, "chance": found["random"] or 0.0}

    return measure


@scorer(metrics=[accuracy(), stderr(), kept()])
def match_result() -> Scorer:
    """Score a match by its winner, and note its record and the grade of every move."""

    async def score(state: TaskState, target: Target) -> Score:
        found = state.store.get(FOUND)
        result = read_result(found["result"])
        won = result.winner == (1 if state.metadata["first"] else 2)
        forfeit = result.forfeit
        return Score(
            value=CORRECT if won else INCORRECT,
            answer=" ".join(map(str, result.record["moves"])),
            explanation=f"Forfeit ({forfeit.reason}): {forfeit.detail}" if forfeit else None,
            metadata=found,
        )

    return score
