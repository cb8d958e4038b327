"""The score sheet of a language model, for people: lines, and a page."""

from __future__ import annotations

from html import escape
from typing import Any

from duels.lab.arena.line import PHASES
from duels.lab.arena.page import html_table, page, plain, plan_table
from duels.lab.arena.shares import percent, share_of, with_interval

Score = dict[str, Any]


def sheet_lines(score: Score) -> list[str]:
    """The score sheet at a terminal."""
    plan = score["plan"]
    shown = "shown" if plan["show_legal"] else "hidden"
    lines = [
        f"{plan['model']} against {plan['opponent']}: {score['matches']} matches, "
        f"legal moves {shown}, {plan['retries']} retries.",
        *([_spoilt(score)] if score["spoilt"] else []),
        "",
        f"Won games kept   {_of(score['won_games'])}, {_chance_of(score['won_games'])}",
        f"Matches won      {score['wins']} of {score['matches'] - score['spoilt']} "
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


def sheet_page(score: Score) -> str:
    """The same as a page that opens from disk."""
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
        f"<p>{escape(_spoilt(score))}</p>" if score["spoilt"] else "",
        '<p class="quiet">Beside each share its 95% interval; random is what a random player keeps '
        "at the same positions, beyond chance is 0% for that and 100% without a fault. "
        f"{escape(_about_chance(score))}</p>",
        html_table([*head, *(f"wins given away: {phase}" for phase in PHASES)], games),
        "<h2>By position</h2>",
        html_table(
            ["a choice where", "choices", "kept the win", "random", "beyond chance"], positions
        ),
        "<h2>Answers</h2>",
        html_table(["kind", "answers"], list(score["answers"].items())),
        html_table(["forfeited because", "matches"], list(score["forfeits"].items()))
        if score["forfeits"]
        else "",
        "<h2>Tokens and cost</h2>",
        html_table(["what", "how much"], money),
        "<h2>How it was asked</h2>",
        plan_table(plan),
    ]
    return page(f"Score sheet: {plan['model']}", "\n".join(parts))


def _spoilt(score: Score) -> str:
    return (
        f"{score['spoilt']} of {score['matches']} matches ({percent(score['spoilt_share'])}) the "
        f"server has spoilt, and {score['spoilt_tokens']:,} tokens. They count nowhere; the same "
        "command plays them again."
    )


def _about_chance(score: Score) -> str:
    """Where the chance of winning comes from; a position's can be worked out, a match's not."""
    if played := score["random_matches"]:
        return f"Of won matches, random is what a random player won in {played} of its own."
    return "Of won matches there is no random: only built-in opponents play a random player."


def _chance_of(found: dict[str, Any]) -> str:
    return _chance(found["random"], found["corrected"])


def _chance(random: float | None, corrected: float | None) -> str:
    return f"random {percent(random)}, beyond chance {percent(corrected)}"


def _of(found: dict[str, Any]) -> str:
    return f"{found['kept']} of {found['had']} ({with_interval(found['share'], found['interval'])})"


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in found.items())
