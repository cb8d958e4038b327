"""One question of an exam: a position in which a choice matters, with its exact labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from duels.core.errors import DAMAGED, DuelsError
from duels.core.game import Move, Position
from duels.core.options import OptionValue
from duels.games import RULES_VERSION, game
from duels.lab.arena.line import PHASES
from duels.lab.arena.tournament import game_label
from duels.match.players.grading import is_choice
from duels.match.players.prompt import Conditions, digest, prompt
from duels.theory import winning_moves

SPLITS = {"train": 0.5, "test": 0.3, "test_sizes": 0.1, "test_options": 0.1}
"""Each with its share: the last two are of boards that the others do not have."""
DIFFICULTIES = {"easy": 0.5, "medium": 0.25, "hard": 0.0}
"""By the share of the legal moves that win: more than this."""


class ExamError(DuelsError):
    """An exam cannot be made or read as it stands."""


@dataclass(frozen=True)
class Item:
    """A position with its labels. The player to move wins, but not with every move."""

    game: str
    options: dict[str, OptionValue]
    moves: tuple[Move, ...]
    winning_moves: tuple[Move, ...]
    plies: int | None
    """Moves of both to the end, if the winner hurries and the loser resists; None if unknown."""
    phase: str
    split: str = ""
    rules: int = RULES_VERSION

    @cached_property
    def position(self) -> Position:
        return game(self.game, **self.options).position(*self.moves)

    @cached_property
    def label(self) -> str:
        """The board, in the shortest words."""
        return game_label(self.position.game)

    @cached_property
    def hash(self) -> str:
        return hash_of(self.position)

    @property
    def share(self) -> float:
        """What a random player scores here."""
        return len(self.winning_moves) / self.position.legal_count

    @property
    def difficulty(self) -> str:
        return difficulty_of(self.share)

    def data(self) -> dict[str, Any]:
        """The item as plain data: what was decided, and what follows from it."""
        here = self.position
        system, user = prompt(here, Conditions(), in_exam=True)
        return {
            "id": self.hash,
            "split": self.split,
            "game": self.game,
            "options": here.game.options,
            "size": here.game.size,
            "phase": self.phase,
            "difficulty": self.difficulty,
            "rules": self.rules,
            "prompt": [system, user],
            "moves": _written(here, self.moves),
            "legal_moves": _written(here, here.legal_moves),
            "winning_moves": _written(here, self.winning_moves),
            "value": 1,
            "winning_share": round(self.share, 6),
            "plies": self.plies,
        }


def read_item(data: Any) -> Item:
    """The item that was written; ExamError if it is damaged, or if its labels are not true."""
    try:
        playing = game(str(data["game"]), **data["options"])
        moves = tuple(map(playing.parse, data["moves"]))
        winning = tuple(map(playing.parse, data["winning_moves"]))
        plies, phase = data["plies"], data["phase"]
        item = Item(
            playing.id,
            playing.options,
            moves,
            winning,
            plies,
            phase,
            str(data["split"]),
            data["rules"],
        )
        is_sound = (
            (plies is None or (type(plies) is int and 0 < plies < 10**7))
            and phase in PHASES
            and item.hash == data["id"]
        )
    except DAMAGED as error:
        why = f": {error}" if isinstance(error, DuelsError) else ""
        raise ExamError(f"A question of the exam is damaged{why}.".replace("..", ".")) from None
    if not is_sound:
        raise ExamError("A question of the exam is damaged: its parts contradict each other.")
    if item.rules != RULES_VERSION:
        raise ExamError("The exam was made for other rules than these.")
    return item


def check_labels(item: Item) -> None:
    """Nobody is graded by a label that is not true, whoever wrote it."""
    here = item.position
    true = winning_moves(here)
    if {*true} != {*item.winning_moves} or not is_choice(here, true):
        raise ExamError(f"The exam has a wrong label: {item.label} after {here.moves}.")


def hash_of(position: Position) -> str:
    """The same for equal positions, however they were reached: the board, and what may follow."""
    playing = position.game
    seen = [playing.id, playing.options, position.words, _written(position, position.legal_moves)]
    return digest(seen)[:32]


def difficulty_of(share: float) -> str:
    return next(word for word, least in DIFFICULTIES.items() if share > least)


def _written(position: Position, moves: tuple[Move, ...]) -> list[str]:
    """Moves as they are typed: one type for every game, so that tables have a column for them."""
    return [position.game.format(move) for move in moves]
