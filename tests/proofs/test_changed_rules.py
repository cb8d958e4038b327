"""A subclass that changes a rule never gets a false verdict or a false certificate."""

from __future__ import annotations

import json
from dataclasses import replace

import changed_games
import pytest
from brute_force import plays, winning_by_brute_force
from changed_games import (
    REJECTED,
    RIGHT,
    ExtraTurnPile,
    MisereChain,
    MisereLine,
    Pile,
    SelfPatchedLine,
)

import duels
from duels import Outcome, testing
from duels.core.errors import DuelsError, ProofError, RulesError
from duels.core.game import other
from duels.core.options import board_numbers
from duels.core.parts import GENERIC, Parts, parts_of
from duels.core.states import StatePosition
from duels.games.chain.rules import NumberChainDuel, SequenceDuel
from duels.games.line.rules import NumberLineDuel
from duels.match.dialogue import Dialogue, dialogue_of
from duels.testing import check_game
from duels.theory.verdict import Verdict, read_verdict, verdict_data


def small_enough(position):
    return position.legal_count <= 5 or len(position.moves) > 2


@pytest.mark.parametrize(("kind", "options"), RIGHT, ids=lambda value: getattr(value, "id", None))
def test_the_verdict_of_a_changed_game_is_right_and_its_proof_passes(kind, options):
    game, compared = kind(**options), 0
    assert parts_of(game) == GENERIC
    for position in plays(game.start()):
        if game.id not in ("odd-divisor",) and "divisor" in options and not small_enough(position):
            continue  # nine digits in every order are too many to play out
        compared += 1
        verdict = duels.solve(position)
        assert verdict.winning_moves == winning_by_brute_force(position), position
        duels.check(verdict)
        assert verdict.reason
    assert compared > 10


@pytest.mark.parametrize(("kind", "options"), RIGHT, ids=lambda value: getattr(value, "id", None))
def test_no_false_verdict_on_a_changed_game_is_certified(kind, options):
    """The proofs of the family that it inherits from prove nothing here."""
    game = kind(**options)
    bases = (base for base in kind.__mro__ if base.__module__.startswith("duels.games"))
    family = next(bases, Pile)
    if not family.id or family.fields.keys() != kind.fields.keys():
        return
    for position in [*plays(family(**options).start())][:200]:
        try:
            here = game.position(*position.moves)
        except DuelsError:
            continue
        claim = duels.solve(position)
        lie = Verdict(here, claim.wins, claim.winning_moves, claim.proof)
        if here.outcome or claim.winning_moves != duels.solve(here).winning_moves:
            with pytest.raises(ProofError):
                duels.check(lie)


@pytest.mark.parametrize(("kind", "options"), REJECTED, ids=lambda value: getattr(value, "id", ""))
def test_a_game_without_a_verdict_is_rejected_and_the_position_named(kind, options):
    game = kind(**options)
    with pytest.raises(RulesError, match=rf"{game.title}: (the position after 1|in Free)"):
        duels.solve(game.start())
    with pytest.raises(AssertionError):
        check_game(game)
    for claim in [(True, (1,)), (False, ())]:
        with pytest.raises(ProofError):
            duels.check(Verdict(game.start(), *claim, {"kind": "answers", "lost": []}))


class DrawnPosition(StatePosition):
    @property
    def outcome(self):
        end = super().outcome
        return end and Outcome(0 if len(self.moves) > 4 else end.winner, end.reason)

    def play(self, move):
        return type(self)(*super().play(move))


class DrawnPile(Pile):
    id, title, summary = "drawn-pile", "Drawn Pile", "Five moves are a draw."

    def start(self):
        return DrawnPosition(*super().start())


class EndlessPile(Pile):
    id, title, summary = "endless-pile", "Endless Pile", "The pile grows back."

    def after(self, state, move):
        return state - move or self.stones


def test_a_game_that_can_be_drawn_is_rejected_and_the_position_named():
    with pytest.raises(RulesError, match=r"Drawn Pile: the position after .* is a draw"):
        duels.solve(DrawnPile().start())
    with pytest.raises(AssertionError, match=r"drawn-pile after \(3, 2, 1, 1, 1\)"):
        check_game(DrawnPile())


def test_a_game_that_may_never_end_is_rejected_and_the_position_named():
    with pytest.raises(RulesError, match="Endless Pile may never end: play can return to 7"):
        duels.solve(EndlessPile().start())
    with pytest.raises(AssertionError, match="may never end"):
        check_game(EndlessPile())


def test_a_patched_object_gets_the_generic_parts():
    game = NumberLineDuel(numbers=5)
    object.__setattr__(game, "last_mover_wins", lambda state: False)
    assert parts_of(game) == GENERIC
    verdict = duels.solve(game.start())
    assert verdict.winning_moves == winning_by_brute_force(game.start())
    duels.check(verdict)
    special = duels.solve(NumberLineDuel(numbers=5).start())
    with pytest.raises(ProofError):
        duels.check(Verdict(game.start(), True, special.winning_moves, special.proof))


def test_a_replaced_table_of_neighbours_is_noticed():
    game = NumberChainDuel(numbers=6)
    duels.solve(game.start())
    assert parts_of(game).theory == NumberChainDuel.parts.theory
    vars(game)["neighbours"] = dict.fromkeys(range(1, 7), 0)
    assert parts_of(game) == GENERIC
    verdict = duels.solve(game.start())
    assert verdict.winning_moves == (1, 2, 3, 4, 5, 6)
    duels.check(verdict)


def test_a_position_of_another_class_gets_the_generic_parts():
    game = NumberChainDuel(numbers=6)
    here = changed_games.MiserePosition(*game.start())
    assert duels.solve(here).winning_moves == winning_by_brute_force(here)
    with pytest.raises(ProofError, match="not the one that its moves lead to"):
        duels.check(duels.solve(here))


def test_a_patched_class_loses_its_parts(monkeypatch):
    class Line(NumberLineDuel):
        id, title, summary = "patched-class", "Patched Class", "Patched."

    monkeypatch.setattr(Line, "last_mover_wins", lambda self, state: False)
    verdict = duels.solve(Line(numbers=4).start())
    assert verdict.winning_moves == winning_by_brute_force(verdict.position)
    duels.check(verdict)


def test_texts_sizes_and_set_ups_change_no_rule():
    class Retold(NumberLineDuel):
        """Told in other words."""

        id, title, summary = "retold", "Retold", "The same game."
        verb = duels.Verb("strike", "struck", "struck by")
        pair_words = "two that touch"
        setups = (duels.SetUp("to-12", "1 to 12", size=12),)
        numbers: int = board_numbers(30)

        def words(self, state):
            return f"{state.bit_count()} left"

        def refusal(self, state, move):
            return "No."

    assert parts_of(Retold()) == NumberLineDuel.parts
    assert duels.solve(Retold().start()).proof["kind"] == "runs"
    assert check_game(Retold(numbers=6)) > 50


@pytest.mark.parametrize("kind", [*duels.GAMES.values()], ids=lambda kind: kind.id)
def test_the_built_in_games_keep_their_theories_and_nothing_is_compared(kind, monkeypatch):
    monkeypatch.setattr(testing, "compare", lambda *_: pytest.fail("compared"))
    game = kind.small()
    assert parts_of(game) == kind.parts != GENERIC
    duels.check(duels.solve(game.start()))
    assert parts_of(game) == kind.parts


def test_a_changed_game_gets_the_generic_words_picture_and_no_lesson():
    game = MisereLine(numbers=4)
    assert type(dialogue_of(game)) is Dialogue
    assert "<svg" in duels.solve(game.start())._repr_svg_()
    assert MisereLine.lesson_text() == ""
    chain = MisereChain(numbers=5)
    assert "<svg" in duels.solve(chain.start())._repr_svg_()


# What `check` requires of every verdict.


def test_every_winning_move_is_legal():
    verdict = duels.solve(duels.game("number-line-duel", numbers=6).position("2"))
    for illegal in [(2,), (1, 3, (2, 3)), (*verdict.winning_moves, 99)]:
        with pytest.raises(ProofError):
            duels.check(replace(verdict, winning_moves=illegal, wins=True))


def test_a_position_must_be_reached_by_legal_play():
    game = NumberLineDuel(numbers=6)
    true = duels.solve(game.position("2"))
    for moves in [(), (3,), (2, 2), (2, 3)]:
        forged = true.position._replace(moves=moves)
        with pytest.raises(ProofError, match="position"):
            duels.check(replace(true, position=forged))
    with pytest.raises(ProofError, match="position"):
        duels.check(replace(true, position=true.position._replace(legal=(1, 3))))


def test_a_chain_position_must_be_reached_by_legal_play():
    true = duels.solve(SequenceDuel(numbers=8).position(2, 4))
    for change in [{"unused": 510}, {"last": 2}, {"legal": 2}, {"moves": (2, 1)}]:
        with pytest.raises(ProofError, match="position"):
            duels.check(replace(true, position=true.position._replace(**change)))


def test_a_changed_game_survives_a_file(tmp_path, monkeypatch):
    monkeypatch.setitem(duels.GAMES, "misere-line", MisereLine)
    verdict = duels.solve(MisereLine(numbers=5).position("2"))
    again = read_verdict(json.loads(json.dumps(verdict_data(verdict))))
    duels.check(again)
    assert again.winning_moves == verdict.winning_moves
    monkeypatch.setitem(duels.GAMES, "misere-chain", MisereChain)
    chain = duels.solve(MisereChain(numbers=5).position(2))
    duels.check(read_verdict(json.loads(json.dumps(verdict_data(chain)))))


def test_extra_turns_before_the_position_are_rejected_too():
    here = ExtraTurnPile(stones=2).position(2)
    assert here.outcome
    here = ExtraTurnPile(stones=3).position(1, 2)
    with pytest.raises(ProofError, match="the turn does not pass"):
        duels.check(Verdict(here, None, ()))


def test_a_self_patched_game_is_right_in_another_process_too():
    import pickle

    game = pickle.loads(pickle.dumps(SelfPatchedLine(numbers=4)))
    verdict = duels.solve(game.start())
    duels.check(verdict)
    winner = 1 if verdict.wins else other(1)
    assert winner in (1, 2)


def test_plain_parts_stay_plain():
    assert Parts() == GENERIC
