"""The games of this server as its pages show them: cards, previews, forms."""

from __future__ import annotations

import logging
from typing import Any

from duels.core.game import Game, Position
from duels.core.options import Option
from duels.games import all_games
from duels.service.state import position_state

SAMPLE_MOVES = 2
"""Moves in the preview of a game that does not say its own."""


def catalogue() -> list[dict[str, Any]]:
    """Every game of this server, those that are good to begin with first.

    One that is broken is left out and written down.
    """
    sized = []
    for game_id, kind in all_games().items():
        try:
            sized.append((_choices_at_first(kind), _described(kind)))
        except Exception as error:
            logging.getLogger("duels.server").error(
                "a game cannot be listed", exc_info=error, extra={"data": {"game": game_id}}
            )
    listed = [game for _, game in sorted(sized, key=lambda one: one[0])]
    for game in listed:
        game["is_first"] = game is listed[0]
    return listed


def _choices_at_first(kind: type[Game]) -> tuple[bool, int]:
    """What a newcomer should see first comes first, then the fewer moves there are to choose."""
    return not kind.for_newcomers, kind.all_setups()[0].game(kind).start().legal_count


def _described(kind: type[Game]) -> dict[str, Any]:
    preview = _sample(kind.small())
    return {
        "game": kind.id,
        "title": kind.title,
        "summary": kind.summary,
        "lead": _lead(kind),
        "has_lesson": kind.has_lesson(),
        "options": [_option(name, option) for name, option in kind.fields.items()],
        "setups": [setup.data for setup in kind.all_setups()],
        "preview": position_state(preview, preview.outcome),
    }


def _lead(kind: type[Game]) -> str:
    """The game in a sentence or two: the first paragraph of its rules."""
    blocks = [" ".join(block.split()) for block in kind.rules_text().split("\n\n")]
    return next((block for block in blocks if block and not block.startswith("#")), kind.summary)


def _sample(game: Game) -> Position:
    """A position a few moves on."""
    here = game.position(*game.sample)
    for _ in range(0 if game.sample else SAMPLE_MOVES):
        moves = here.legal_moves
        after = here.play(moves[len(moves) // 2]) if moves else here
        here = here if after.outcome else after
    return here


def _option(name: str, option: Option) -> dict[str, Any]:
    highest = option.highest if option.web_highest is None else option.web_highest
    return {
        "name": name,
        "label": option.label,
        "words": option.words,
        "default": option.default,
        "example": option.example,
        "lowest": None if option.choices else option.lowest,
        "highest": highest,
        "choices": [{"value": value, "words": words} for value, words in option.choices.items()],
        "several": option.several,
        "is_size": option.is_size,
    }
