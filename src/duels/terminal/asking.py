"""A question at the terminal, and the words that lead away from it."""

from __future__ import annotations

from collections.abc import Mapping

from duels.core.errors import DuelsError, OptionNameError
from duels.core.game import Game
from duels.core.options import Option, OptionValue
from duels.games import game
from duels.terminal.session import Left
from duels.terminal.talk import Talk

HELP = "Type an answer, or Enter for what stands in brackets. back goes one step back, quit leaves."


class Back(Exception):
    """One step back."""


def ask(talk: Talk, prompt: str, help_words: str = HELP) -> str:
    """An answer; Back and Left for the words that lead away."""
    while True:
        typed = talk.ask(prompt).strip()
        word = typed.lower()
        if word in {"quit", "exit"}:
            raise Left
        if word == "back":
            raise Back
        if word not in {"?", "help"}:
            return typed
        talk.tell(help_words)


def ask_option(
    talk: Talk, kind: type[Game], name: str, known: Mapping[str, OptionValue], now: object = None
) -> str:
    """A value of an option that the game accepts; Enter for what it is now, or a good one."""
    option = kind.fields[name]
    usual = option.example if now is None else now
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
            return value  # another option is still to be asked for
        except DuelsError as error:
            talk.tell(str(error))
            continue
        return value


def _question(option: Option) -> str:
    if option.choices:
        return "Which, joined by commas" if option.several else "Which one"
    return f"{option.words[:1].upper()}{option.words[1:]}"
