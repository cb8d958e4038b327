"""How language models are asked, for every command in which they answer: `eval` and `arena`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from duels.cli.runs import F, Finite, _all
from duels.core.words import quoted
from duels.match.players.prompt import HOW_TO_ANSWER, PRESETS

LARGEST_EXTRA = 100_000


def model_options(command: F) -> F:
    """What is said about models; `read_settings` makes a value of it."""
    return _all(
        click.option(
            "--preset",
            type=click.Choice([*PRESETS]),
            help="Named conditions: legal moves shown, retries, seconds, form of the prompt.",
        ),
        click.option(
            "--show-legal/--hide-legal",
            default=None,
            help="Whether the prompt lists the legal moves; it does if not said.",
        ),
        click.option(
            "--form", type=click.Choice([*HOW_TO_ANSWER]), help="How the prompt asks for the move."
        ),
        click.option(
            "--retries",
            type=click.IntRange(min=0),
            help="How often a bad answer is asked for again, with the reason; 2 if not said.",
        ),
        click.option(
            "--server-retries",
            type=click.IntRange(min=0),
            default=3,
            show_default=True,
            help="How often a question is repeated that the server has failed to answer.",
        ),
        click.option("--temperature", type=Finite(min=0), help="Sent to the server if given."),
        click.option("--max-tokens", type=click.IntRange(min=1), help="Sent if given."),
        click.option(
            "--extra",
            type=Extra(),
            metavar="JSON",
            help="An object that is merged into each request; a key that is null goes.",
        ),
        click.option("--price-in", type=Finite(min=0), help="Price of a million tokens of prompt."),
        click.option(
            "--price-out", type=Finite(min=0), help="Price of a million tokens of answer."
        ),
        click.option(
            "--at-once",
            type=click.IntRange(1, 1000),
            help="Requests under way at the same time, from one process (not --jobs).",
        ),
        click.option(
            "--budget",
            type=Budgets(),
            metavar="AMOUNT",
            help="Stop before more is spent: 2.50 in the money of the prices, or 500000tokens.",
        ),
    )(command)


class Extra(click.ParamType[Any]):
    """A JSON object for the request."""

    name = "json"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            found = json.loads(value[: LARGEST_EXTRA + 1])
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            self.fail(f'{quoted(value)} is not a JSON object like {{"top_p": 0.9}}.', param, ctx)
        key = os.environ.get("OPENAI_API_KEY")
        if key and key in value:
            self.fail("What is sent is written down: put no key into it.", param, ctx)
        return found


class Budgets(click.ParamType[Any]):
    """An amount of money, or of tokens."""

    name = "amount"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        from duels.lab.arena.usage import Budget

        number = value.removesuffix("tokens").strip()
        try:
            amount = float(number)
        except ValueError:
            amount = -1.0
        if not 0 < amount < 2**53:
            self.fail(f"{quoted(value)} is no amount like 2.50 or 500000tokens.", param, ctx)
        return Budget(amount, in_tokens=number != value.strip())


def read_settings(asked: dict[str, Any], base_url: str | None = None) -> Any:
    """The settings of what was typed, or else of the preset."""
    from duels.match.players.llm import ModelSettings

    preset = PRESETS[asked["preset"] or "standard"]
    budget = asked["budget"]
    if budget and not budget.in_tokens and asked["price_in"] is None and asked["price_out"] is None:
        raise click.UsageError("A --budget in money needs --price-in and --price-out.")
    return ModelSettings(
        base_url=base_url,
        show_legal=_or(asked["show_legal"], preset.show_legal),
        retries=_or(asked["retries"], preset.retries),
        form=_or(asked["form"], preset.form),
        **{name: asked[name] for name in _AS_TYPED},
    )


_AS_TYPED = ("server_retries", "temperature", "max_tokens", "extra", "price_in", "price_out")


def run_controls(asked: dict[str, Any], cluster: str | None = None) -> dict[str, Any]:
    """How many requests at once, and for how much; one process counts both."""
    if cluster and (asked["at_once"] or asked["budget"]):
        raise click.UsageError("--at-once and --budget are for one machine, not for a --cluster.")
    return {"at_once": asked["at_once"], "budget": asked["budget"]}


def seconds(time_limit: float | None, preset: str | None, usual: float) -> float:
    """The seconds for one answer: as typed, or as a preset has them, or as usual."""
    if time_limit is not None:
        return time_limit
    return PRESETS[preset].time_limit if preset else usual


def _or(typed: Any, usual: Any) -> Any:
    return usual if typed is None else typed


def check_address(models: Sequence[str], base_url: str) -> None:
    """A sentence if that is no address, or one that should not be written down."""
    from duels.match.players.chat import address_of

    if not base_url.startswith(("http://", "https://")):
        raise click.UsageError("--base-url begins with http:// or https://")
    for model in models:
        address_of(model, base_url)


def folders(out: Path, models: Sequence[str]) -> list[Path]:
    """The folder of each model: one by itself has the whole."""
    if len(models) == 1:
        return [out]
    found = [out / (re.sub(r"[^\w.-]+", "_", model).strip("._") or "model") for model in models]
    for path, model in zip(found, models, strict=True):
        if found.count(path) > 1:
            raise click.UsageError(f"Two models would have the same folder: {quoted(model)}.")
    return found
