"""Set-ups: each game names a few that make a good game, and they are what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import duels
from duels.core.errors import OptionError, OptionNameError
from duels.core.options import RULE_BOOK, SetUp, whole
from duels.core.states import StateGame
from rings import by_ring

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))
from setups import measure  # noqa: E402

KINDS = list(duels.GAMES.values())
OWN = [(kind, setup) for kind in KINDS for setup in kind.all_setups() if not setup.is_rule_book]
of_every_set_up = pytest.mark.parametrize(
    ("kind", "setup"), OWN, ids=[f"{kind.id}-{setup.name}" for kind, setup in OWN]
)


@of_every_set_up
def test_a_set_up_matches_its_description(kind, setup):
    is_like = measure(setup.game(kind), games=by_ring(100, long=1000))
    about = int(re.search(r"about (\d+) moves", setup.words)[1])
    assert is_like.moves == pytest.approx(about, abs=1, rel=0.05)
    if setup.matches == 1:
        assert 0.33 < is_like.first < 0.67
    else:
        assert is_like.first < 0.4  # so the sides are swapped
        assert setup.matches % 2 == 0


@of_every_set_up
def test_a_set_up_is_neither_over_at_once_nor_decided_long_before_the_end(kind, setup):
    is_like = measure(setup.game(kind), games=by_ring(60, long=1000))
    assert is_like.moves >= 7
    assert is_like.choices >= 2.5
    assert is_like.choices / is_like.moves >= 0.3 or is_like.choices >= 10
    assert is_like.last_choice >= 0.6


def test_a_set_up_described_so_has_few_winning_openings():
    for kind, setup in OWN:
        if "few openings win" in setup.words:
            start = setup.game(kind).start()
            assert 0 < len(duels.solve(start).winning_moves) <= start.legal_count / 10


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_every_game_has_two_set_ups_and_its_rule_books_own(kind):
    *own, book = kind.all_setups()
    assert len(own) >= 2
    assert book.is_rule_book
    assert "rule book" in book.words
    assert kind(**{**book.options, **_needed(kind)}) == kind(**_needed(kind))
    assert all(len(setup.name) + len(setup.words) < 90 for setup in (*own, book))


def _needed(kind):
    return {name: opt.example for name, opt in kind.fields.items() if opt.default is None}


def test_a_set_up_is_found_by_its_name():
    kind, setup = OWN[0]
    assert kind.setup(setup.name.upper().replace("-", " ")) == setup
    with pytest.raises(OptionNameError, match=f"has no set-up .*{setup.name}.*{RULE_BOOK}"):
        kind.setup("nonsense")


def test_the_measurement_is_the_same_every_time():
    game = KINDS[0].small()
    assert measure(game, games=5) == measure(game, games=5)


class Pile(StateGame[int]):
    """Take one or two stones."""

    id, title, summary = "a-pile", "A Pile", "Take one or two stones."
    setups = (SetUp("large", "a pile of 40", size=40),)
    stones: int = whole("the stones", default=8, highest=99, is_size=True)

    def first(self):
        return self.stones

    def allowed(self, state):
        return tuple(range(1, min(state, 2) + 1))

    def after(self, state, move):
        return state - move


def test_a_size_is_the_games_own_option():
    large, book = Pile.all_setups()
    assert large.options == {"stones": 40}
    assert book.options == {"stones": 8}
    assert book.words == "the usual game (8 stones)"


@pytest.mark.parametrize(
    ("setups", "sentence"),
    [
        ((SetUp("Large pile", ""),), "cannot be the name"),
        ((SetUp(RULE_BOOK, ""),), "two set-ups are called"),
        ((SetUp("large", "", {"cards": 3}),), "unknown option"),
        ((SetUp("large", "", size=100),), "from 1 to 99"),
        ((SetUp("large", "", matches=0),), "needs at least one match"),
    ],
)
def test_a_set_up_that_cannot_be_is_refused_with_a_sentence(setups, sentence):
    kind = type("Broken", (Pile,), {"setups": setups, "id": "broken-pile"})
    with pytest.raises(OptionError, match=sentence):
        duels.register(kind)
    assert "broken-pile" not in duels.GAMES


def test_the_table_of_your_own_game(environment):
    file = ROOT / "docs" / "examples" / "square_duel.py"
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "setups.py", "square-duel"],
        env=environment | {"DUELS_WITH": str(file)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"\| rule-book \| stones 30 \| \d+% \| [\d.]+ \| [\d.]+ \| \d+% of", done.stdout
    )
