"""Questions in lines: choices before a match, options, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from duels.core.errors import DuelsError, OptionNameError
from duels.core.game import Game
from duels.core.options import RULE_BOOK, Option, OptionValue
from duels.core.words import closest, did_you_mean, whole_number
from duels.games import all_games, game
from duels.match.match import Match
from duels.terminal.choices import COIN, FIRST, Choices, opponents
from duels.terminal.talk import QUITTING, Left, Talk

T = TypeVar("T")
HELP = "Type an answer, or press Enter for the one in brackets. quit leaves."


class Item(NamedTuple):
    """An action to choose: by its key (Enter if that is empty) or by its word."""

    key: str
    word: str
    text: str


def ask(talk: Talk, prompt: str) -> str:
    """Return an answer; Left if the player quits."""
    while True:
        typed = talk.ask(prompt).strip()
        word = typed.lower()
        if word in QUITTING:
            raise Left
        if word not in {"?", "help"}:
            return typed
        talk.tell(HELP)


def ask_item(talk: Talk, prompt: str, items: Sequence[Item]) -> str:
    """Show some actions and return the word of the chosen one; "quit" when the input ends."""
    talk.tell("", *(f"  {item.key or 'Enter':5}  {item.text}" for item in items))
    while True:
        try:
            typed = ask(talk, prompt).lower()
        except (EOFError, Left):
            return "quit"
        exact = [item for item in items if typed in (item.key, item.word)]
        begun = [item for item in items if typed and item.word.startswith(typed)]
        if len(found := exact or begun) == 1:
            return found[0].word
        keys = ", ".join(item.key or "Enter" for item in items)
        talk.tell(f"Type {keys}.{did_you_mean(closest(typed, [item.word for item in items]))}")


def ask_number(talk: Talk, question: str, lines: Sequence[str], usual: int = 1) -> int:
    """Show numbered lines and return the index of the chosen one; a part of a line chooses too."""
    talk.tell(question, *(f"  {number}  {line}" for number, line in enumerate(lines, start=1)))
    while True:
        typed = ask(talk, f"1 to {len(lines)} [{usual}]: ") or str(usual)
        number, word = whole_number(typed), _plain(typed)
        if number is not None and 1 <= number <= len(lines):
            return number - 1
        begun = [n for n, line in enumerate(lines) if _plain(line).startswith(word)]
        named = begun or [n for n, line in enumerate(lines) if word in _plain(line)]
        if number is None and len(named) == 1:
            return named[0]
        talk.tell(f"Type a number from 1 to {len(lines)}.")


def _plain(text: str) -> str:
    return text.lower().replace("-", " ")


def ask_match(talk: Talk, choices: Choices) -> Match:
    """Ask which game, which opponent and who begins; the board is the rule book's own."""
    kinds = [*all_games().values()]
    usual = kinds.index(choices.kind) + 1
    titles = [f"{kind.title}: {kind.summary}" for kind in kinds]
    kind = kinds[ask_number(talk, "Which game?", titles, usual)]
    choices.of(kind).use_setup(kind.setup(RULE_BOOK))
    for name, option in kind.fields.items():
        if option.default is None:
            value = ask_option(talk, kind, name, choices.known_options())
            choices.use_option(name, value)
    known = opponents()
    names = [*known]
    usual = names.index(choices.opponent) + 1 if choices.opponent in names else 1
    lines = [f"{name}: {words}" for name, words in known.items()]
    choices.opponent = names[ask_number(talk, "Which opponent?", lines, usual)]
    you, opponent = (seat.name for seat in choices.seats)
    who = [you, opponent, f"{COIN}: toss a coin"]
    choices.first = FIRST[ask_number(talk, "Who moves first?", who)]
    match, said = choices.match()
    talk.tell("", *([said] if said else []))
    return match


def ask_option(talk: Talk, kind: type[Game], name: str, known: Mapping[str, OptionValue]) -> str:
    """Return a value of an option that the game accepts; Enter takes the default or an example."""
    option = kind.fields[name]
    usual = option.example if option.default is None else option.default
    if option.choices:
        width = max(map(len, option.choices))
        talk.tell(f"{option.label}:")
        talk.tell(*(f"  {word:{width}}  {means}" for word, means in option.choices.items()))
    prompt = f"{_question(option)} [{usual}]: "
    while True:
        value = ask(talk, prompt) or str(usual)
        try:
            option.read(name, value)
            game(kind.id, **{**known, name: value})
        except OptionNameError:
            return value  # another option is still missing
        except DuelsError as error:
            talk.tell(str(error))
            continue
        return value


def _question(option: Option) -> str:
    if option.choices:
        return "Which, joined by commas" if option.several else "Which one"
    return f"{option.words[:1].upper()}{option.words[1:]}"
