"""Every numbered rule has a test that carries its number, and no test carries another."""

import re
from pathlib import Path

import pytest

import duels

HERE = Path(__file__).parent
DOCUMENTS = Path(duels.__file__).parent / "games"


@pytest.mark.parametrize("game", duels.GAMES)
def test_every_rule_has_a_test_and_every_test_a_rule(game):
    document = next(DOCUMENTS.glob(f"*/texts/{game}.md")).read_text("utf-8")
    tests = (HERE / f"test_rules_{game.replace('-', '_')}.py").read_text("utf-8")
    rules = re.findall(r"^- \*\*R(\d+)\*\*", document, re.MULTILINE)
    tested = re.findall(r"^def test_r(\d+)_", tests, re.MULTILINE)
    assert rules == [str(number) for number in range(1, len(rules) + 1)]
    assert set(tested) == set(rules)


def test_there_is_a_document_for_every_game_and_no_other():
    assert {document.stem for document in DOCUMENTS.glob("*/texts/*.md")} == duels.GAMES.keys()
