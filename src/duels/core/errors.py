"""Every error that a user can cause.

    DuelsError (a ValueError)
    ├── OptionError          an option has a value that the game cannot have
    │   └── OptionNameError  an option is unknown, or required and missing (MissingOption)
    ├── UnreadableMove       cannot be parsed as a move: "abc", "5 7 9"
    ├── IllegalMove          parsed, but against a rule that the message names
    ├── MatchError           the match cannot do that: bad names, nothing to undo
    ├── RecordError          a record that cannot be read, with its line
    │   └── MissingGame      its game is not installed
    ├── ProofError           a proof that does not prove its verdict
    ├── RulesError           rules that allow no verdict: a draw, an extra turn, an endless game
    ├── TooLarge             there are more positions than can be searched
    ├── GameFileError        a file of a game (rules, lesson, card) that cannot be read
    └── LessonError          a lesson that cannot be taught, with its step

Each message is one sentence for the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TITLE = "Number Duels"
PACKAGE = TITLE.lower().replace(" ", "-")

DAMAGED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The exceptions that code may raise when it reads damaged data."""


def install(extra: str, beside: Path | None = None) -> str:
    """Return how to install an optional part, from where the package itself was installed.

    `beside` is the folder that contains the package: `src` in a clone, otherwise `site-packages`,
    where pip records the address of every package that does not come from the index (PEP 610).
    """
    import json
    from pathlib import Path

    beside = beside or Path(__file__).parents[2]
    source = f"{PACKAGE}[{extra}]"
    notes = [*beside.glob(f"{PACKAGE.replace('-', '_')}-*.dist-info/direct_url.json")]
    origin = json.loads(notes[0].read_text("utf-8")) if notes else {}
    if (beside.parent / "pyproject.toml").is_file() or "dir_info" in origin:
        return f"Install it with: pip install '.[{extra}]' (in your clone)"
    if "vcs_info" in origin:
        source += f" @ {origin['vcs_info']['vcs']}+{origin['url']}"
    elif origin.get("url", "").startswith("file:"):  # a wheel: the user knows where it is
        source = f"{Path(origin['url']).name}[{extra}]"
    elif origin:
        source += f" @ {origin['url']}"
    return f"Install it with: pip install '{source}'"


class DuelsError(ValueError):
    """The base of every error that is caused by input, not by a bug."""


class OptionError(DuelsError):
    """An option has a value that the game cannot have."""


class OptionNameError(OptionError):
    """An option is unknown to the game, or required and missing."""


class MissingOption(OptionNameError):
    """A required option is missing; `name` is its name."""

    def __init__(self, game_id: str, name: str, example: object) -> None:
        super().__init__(f"{game_id} needs the option {name}, for example {example}.")
        self.game_id = game_id
        self.name = name
        self.example = example


class UnreadableMove(DuelsError):
    """The move cannot be parsed."""


class IllegalMove(DuelsError):
    """The move can be parsed, but a rule forbids it here."""


class MatchError(DuelsError):
    """The match does not allow the request."""


class RecordError(DuelsError):
    """A record cannot be read; `line` is the line of the error, counted from 1."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class MissingGame(RecordError):
    """A record is of a game that is not installed; the record itself is fine."""

    is_over = False
    """Whether its match is finished, if that is known."""


class ProofError(DuelsError):
    """A proof does not prove the verdict that it comes with."""


class RulesError(DuelsError):
    """The rules of a game allow no verdict; the message names the position that shows it."""


class TooLarge(DuelsError):
    """There are more positions than can be searched."""


class GameFileError(DuelsError):
    """A file of a game (its rules, lesson or card) cannot be read."""


class LessonError(DuelsError):
    """A lesson cannot be used; the message names the step that is wrong."""
