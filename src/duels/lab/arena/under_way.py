"""What models have answered in matches that are still under way, on disk as soon as it comes.

Whatever ends the run, nobody pays for these answers twice: when the match is played again, they
are repeated from here. A file each, `under_way/ID.jsonl`, which goes when its match is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from duels.core.errors import DAMAGED
from duels.core.files import append_to
from duels.lab.arena.folder import Data, Folder, as_bytes, json_lines
from duels.lab.arena.usage import Usages, total, usage_of
from duels.match.players.llm import ANSWERS, Exchange

FOLDER = "under_way"


class UnderWay:
    """The answers of all matches of a results folder that have begun."""

    def __init__(self, folder: Folder[Any]) -> None:
        self._folder = folder
        self._path = (folder.path / FOLDER).absolute()

    def path(self, match_id: str) -> Path:
        """Where the answers of a match are written; the folder is made if there is none."""
        path = self._folder.writable(f"{FOLDER}/{match_id}.jsonl")
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise self._folder.trouble(path.parent, error) from None
        return path.absolute()

    def answers(self, match_id: str) -> list[Exchange]:
        """What was answered so far in a match that has not come to its end."""
        return [*readable(self._folder.lines(f"{FOLDER}/{match_id}.jsonl"))]

    def forget(self, match_id: str) -> None:
        """The match is written down, with these answers."""
        with suppress(OSError):
            (self._path / f"{match_id}.jsonl").unlink()
            self._path.rmdir()  # only the last one succeeds


def write_down(path: str, exchange: Exchange) -> None:
    """Add an answer, from whichever process; a machine of a cluster may not have the folder."""
    with suppress(OSError), append_to(Path(path)) as file:
        file.write(as_bytes(json_lines([exchange])))


def readable(lines: Iterable[Data]) -> Iterator[Exchange]:
    """The lines that say what was asked and answered, as we write them."""
    for line in lines:
        with suppress(*DAMAGED):
            texts = [line["answer"], line["detail"], line["move"]]
            is_sound = (
                line["player"] in (1, 2)
                and line["kind"] in ANSWERS
                and isinstance(line["asked"], list)
                and all(isinstance(one["content"], str) for one in line["asked"])
                and all(isinstance(text, str | None) for text in texts)
            )
            if is_sound and used_in([line]):
                yield line


def used_in(exchanges: Iterable[Exchange]) -> Usages:
    """What these came to, by player."""
    return total({exchange["player"]: usage_of(exchange)} for exchange in exchanges)
