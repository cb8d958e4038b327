"""Parts of a game: special code for its family that replaces a generic default in some layer.

A part is named by a path, "package.module:name", and imported when a layer needs it, so nothing
unused is imported and imports only point down.

A part is written for certain rules. `parts_of` returns the parts that a class names only if the
game plays by the rules of the class that named them. A subclass that changes a rule gets the
generic parts, and so does a game if an option that the parts do not name is not at its default.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from duels.core.game import Game


class Parts(NamedTuple):
    """The parts of a game; the defaults are generic and suit every game."""

    theory: str = "duels.theory.search:SEARCH"
    """A `duels.theory.theory.Theory`."""
    checker: str = "duels.theory.check:check_answers"
    """Derives the winning moves from a proof alone; shares no code with the theory."""
    packed_checker: str = ""
    """Like `checker` for boards too large for lists: reads arrays, returns a bit set; "" if there
    is none."""
    dialogue: str = "duels.match.dialogue:Dialogue"
    """A subclass of `duels.match.dialogue.Dialogue`: the words on terminal and pages."""
    picture: str = "duels.theory.pictures:plain_svg"
    """Draws a verdict as SVG."""
    space: str = "duels.lab.envs.spaces:StateSpace"
    """A `duels.lab.envs.spaces.Space`: actions, observations, lengths and batches."""
    atlas: str = "duels.lab.atlas:verdict_rows"
    """Returns the rows of the atlas for some sizes."""
    options: tuple[str, ...] = ()
    """The options that these parts understand. If any other option is not at its default, the
    generic parts apply, because an option may change the rules."""


GENERIC = Parts()

TEXTS = {"id", "title", "summary", "verb", "move_words", "endings", "ending", "refusal", "words"}
TEXTS |= {"format", "parse", "opening_rule", "options_in_words", "for_newcomers", "caution"}
TEXTS |= {"board", "in_words", "list_moves"}
TEXTS |= {"rules_text", "rules_lead", "lesson_text", "card"}
TEXTS |= {"_text_beside", "_read_beside", "_file_beside", "_unreadable"}
SIZES = {"size", "size_option", "sample_size", "sample", "usual", "small", "example", "_reduced"}
SIZES |= {"to_solve"}
SETUPS = {"setups", "all_setups", "setup"}
NOT_RULES = TEXTS | SIZES | SETUPS | {"parts", "fields", "rules_of_parts", "memory"}
"""Attributes that a subclass may change without changing the rules."""


_rules_of_class: dict[type[Game], frozenset[str]] = {}
"""By class: the names of its rules, or none if it changed one after naming its parts."""
_other_options: dict[type[Game], dict[str, Any]] = {}
"""By class: the options that its parts do not understand, each with the value they suppose."""


class derived(cached_property[Any]):  # noqa: N801
    """A cached property of a game that follows from its rules and options.

    The value is also stored in the game's memory, so that a replaced value is noticed.
    """

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        value = super().__get__(instance, owner)
        if instance is not None:
            instance.memory[self.attrname] = value
        return value


def parts_of(game: Game) -> Parts:
    """Return the parts that apply to a game: the generic ones if it changes the rules."""
    kind = type(game)
    if kind not in _rules_of_class:
        rules = frozenset(_deciding(kind.rules_of_parts))
        _rules_of_class[kind] = frozenset() if _changed(kind, kind.rules_of_parts) else rules
        known = {**kind.fields, **kind.rules_of_parts.get("fields", {})}
        _other_options[kind] = {
            name: option.default for name, option in known.items() if name not in kind.parts.options
        }
    rules = _rules_of_class[kind]
    if not rules or _patched(game, rules):
        return GENERIC
    unusual = any(getattr(game, name) != value for name, value in _other_options[kind].items())
    return GENERIC if unusual else kind.parts


def is_ours(kind: type) -> bool:
    """Say whether a class is part of this package."""
    return kind.__module__.partition(".")[0] == __name__.partition(".")[0]


def changed_rule(game: Game, of: type[Game], besides: Collection[str] = ()) -> str:
    """Return the name of a rule in which a game differs from a class, or ""."""
    rules = attributes(of)
    return _changed(type(game), rules, besides) or _patched(game, _deciding(rules, besides))


def attributes(kind: type) -> dict[str, Any]:
    """Return everything that a class has or inherits, by name, without calling any of it."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        found.update(vars(base))
    return found


def _changed(kind: type[Game], rules: Mapping[str, Any], besides: Collection[str] = ()) -> str:
    """Return a rule that a class has changed, or ""; fixing an option is a change as well."""
    options: Collection[str] = rules.get("fields", {}).keys()
    for name in options - kind.fields.keys() - {*besides}:
        return name
    now = attributes(kind)
    for name in _deciding(rules, besides):
        if now.get(name) is not rules[name] and not (
            name == "pair_words" and bool(now[name]) == bool(rules[name])
        ):
            return name
    return ""


def _patched(game: Game, rules: Collection[str]) -> str:
    """Return a rule that was replaced on one game object, or ""."""
    own = vars(game)
    for name in own:
        if name in rules and own.get("memory", {}).get(name) is not own[name]:
            return name
    return ""


def _deciding(rules: Mapping[str, Any], besides: Collection[str] = ()) -> set[str]:
    """Return which attributes of a class decide the rules. An option is not a rule by itself."""
    options = rules.get("fields", ())
    return {
        name
        for name in rules.keys() - NOT_RULES
        if name not in options
        and name not in besides
        and (name == "__getattribute__" or not (name.startswith("__") and name.endswith("__")))
    }


@cache
def load(path: str) -> Any:
    """Import and return the object that a dotted path names."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
