"""The parts of a rules text: found by the kinds in its comments, never by its words."""

import pytest

import duels
from duels.core.words import CORRECTIONS, KINDS, MATHEMATICS, STRATEGY, rules_without, sections

TEXT = """# Stones

Take stones.

## Rules

- **R1** One.
- **R2** A mistake costs nothing. <!-- people -->

<!-- strategy -->
## Any heading

Leave two.

<!-- mathematics -->
## Theory

Nim.
"""


def test_a_comment_above_a_heading_is_the_kind_of_a_section():
    assert [section.kind for section in sections(TEXT)] == ["", "", STRATEGY, MATHEMATICS]
    assert sections(TEXT)[2].text == "## Any heading\n\nLeave two."


def test_parts_are_left_out_by_their_kinds():
    assert rules_without(TEXT, STRATEGY, MATHEMATICS).endswith("A mistake costs nothing.")
    assert rules_without(TEXT, *KINDS).endswith("- **R1** One.")
    assert "<!--" not in rules_without(TEXT)
    assert "Leave two." in rules_without(TEXT)


def test_other_comments_and_headings_without_a_comment_are_rules():
    assert [
        section.kind for section in sections("# A\n\n<!-- note -->\n## How it is won\n\nSo.")
    ] == [
        "",
        "",
    ]


@pytest.mark.parametrize("kind", duels.GAMES.values(), ids=lambda kind: kind.id)
def test_every_game_says_how_to_win_apart_from_its_rules(kind):
    kinds = [section.kind for section in sections(kind.rules_text())]
    assert kinds.count(STRATEGY) == kinds.count(MATHEMATICS) == 1
    assert kinds.count(CORRECTIONS) <= 1
    assert "partner" not in rules_without(kind.rules_text(), *KINDS)
