"""A class that names its own parts is compared with search before it is trusted."""

from __future__ import annotations

import changed_games
import pytest
from brute_force import plays, winning_by_brute_force
from changed_games import (
    MisereChain,
    MisereLine,
)

import duels
from duels import testing
from duels.core.errors import DuelsError, ProofError, RulesError
from duels.core.parts import GENERIC, parts_of
from duels.games.chain.criteria import CRITERIA, Criterion
from duels.games.chain.rules import ChainGame, NumberChainDuel, NumberDuel, SequenceDuel
from duels.games.line.rules import NumberLineDuel
from duels.testing import check_game, compare
from duels.theory.verdict import Verdict


class StubbornMisere(MisereLine):
    """Says that the theory of Number Line Duel is right for it, which is false."""

    id, title, summary = "stubborn-misere", "Stubborn Misere", "The last mover loses."
    parts = NumberLineDuel.parts


class StubbornChain(MisereChain):
    id, title, summary = "stubborn-chain", "Stubborn Chain", "The last mover loses."
    parts = NumberChainDuel.parts


class StubbornUpwards(changed_games.UpwardsChain):
    id, title, summary = "stubborn-upwards", "Stubborn Upwards", "Larger numbers only."
    parts = NumberChainDuel.parts


STUBBORN = [StubbornMisere, StubbornChain, StubbornUpwards]


@pytest.mark.parametrize("kind", STUBBORN, ids=lambda kind: kind.id)
def test_a_theory_for_other_rules_is_found_out_at_its_first_verdict(kind):
    for _ in range(2):  # and every time after
        with pytest.raises(RulesError, match=rf"The theory of {kind.title} .* (wrong|nothing)"):
            duels.solve(kind(numbers=3).start())
    with pytest.raises(AssertionError, match="The theory of"):
        check_game(kind(numbers=3))


@pytest.mark.parametrize("kind", STUBBORN, ids=lambda kind: kind.id)
def test_a_checker_rejects_rules_that_it_does_not_know(kind):
    family = next(base for base in kind.__mro__ if base.__module__.startswith("duels.games"))
    for position in plays(family(numbers=4).start()):
        claim = duels.solve(position)
        try:
            here = kind(numbers=4).position(*position.moves)
        except DuelsError:
            continue
        with pytest.raises(ProofError, match=r"other rules|may not follow|says otherwise"):
            duels.check(Verdict(here, claim.wins, claim.winning_moves, claim.proof))


def test_a_class_that_names_a_theory_is_compared_once(monkeypatch):
    class Mine(NumberLineDuel):
        id, title, summary = "compared-once", "Compared Once", "The same game."
        parts = NumberLineDuel.parts._replace(dialogue="duels.match.dialogue:Dialogue")

    counts = []
    real = testing.compare
    monkeypatch.setattr(testing, "compare", lambda *a: counts.append(real(*a)))
    for numbers in (5, 6):
        duels.solve(Mine(numbers=numbers).start())
    assert len(counts) == 1
    assert 1_000 < counts[0] <= testing.AT_FIRST_USE


class LineWithEnd(NumberLineDuel):
    """An option that changes the rules, in a class that names the parts of the number line."""

    id, title, summary = "line-with-end", "Line with an End", "The last mover wins or loses."
    parts = NumberLineDuel.parts
    end: str = duels.choice("who wins", {"last": "last mover", "other": "other"}, default="last")

    def last_mover_wins(self, state):
        return self.end == "last"


@pytest.mark.parametrize("numbers", range(1, 9))
def test_parts_do_not_apply_to_options_that_they_do_not_name(numbers):
    """The same holds for an option that is added to a built-in class."""
    usual, misere = LineWithEnd(numbers=numbers), LineWithEnd(numbers=numbers, end="other")
    assert parts_of(usual) == NumberLineDuel.parts
    assert parts_of(misere) is GENERIC
    verdict = duels.solve(misere.start())
    assert verdict.winning_moves == winning_by_brute_force(misere.start())
    duels.check(verdict)


def test_every_built_in_game_names_the_options_that_its_parts_understand():
    for kind in duels.GAMES.values():
        assert {*kind.fields} <= {*kind.parts.options}, kind.id


def test_registering_a_class_compares_nothing(monkeypatch):
    monkeypatch.setattr(testing, "compare", lambda *_: pytest.fail("compared"))
    try:
        duels.register(StubbornMisere)
    finally:
        duels.GAMES.pop("stubborn-misere", None)


class SquareSums(NumberDuel):
    """Another symmetric criterion, with the theory of the chain games named for it."""

    id, title, summary = "differences", "Differences", "Numbers that differ by a square."
    parts = ChainGame.parts

    @property
    def rules(self):
        def apart(highest):
            def fits(number):
                near = (number + sign * root * root for root in (1, 2, 3) for sign in (1, -1))
                return sum(1 << other for other in near if 1 <= other <= highest)

            return fits

        return (Criterion("differ", "differs by a square from {}", "does not", apart),)


def test_a_symmetric_criterion_may_name_the_theory_of_the_chain_games():
    assert compare(SquareSums, 3_000) > 1_000
    verdict = duels.solve(SquareSums(numbers=40).start())
    assert verdict.proof["kind"] == "matching"
    duels.check(verdict)


def test_a_criterion_that_cannot_be_tried_is_rejected():
    verdict = duels.solve(SquareSums(numbers=1_100).start())
    with pytest.raises(ProofError, match="symmetry is tested only up to 1,000 numbers"):
        duels.check(verdict)


def test_a_criterion_slipped_into_the_table_is_tried_too(monkeypatch):
    def up(highest):
        return lambda n: sum(1 << m for m in range(n + 1, highest + 1))

    monkeypatch.setitem(CRITERIA, "factor", Criterion("up", "is above {}", "is not above {}", up))
    verdict = duels.solve(SequenceDuel(numbers=6).start())
    with pytest.raises(ProofError, match="may follow 1, but 1 may not follow"):
        duels.check(verdict)
