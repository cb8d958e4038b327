"""The parts of a rules text: found by the kinds in its comments, never by its words."""

import pytest

import duels
from duels.core.board import describe
from duels.core.game import EXAMPLE_CELLS
from duels.core.words import CORRECTIONS, KINDS, MATHEMATICS, STRATEGY, rules_without, sections
from duels.match.dialogue import dialogue_of

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


@pytest.mark.parametrize("kind", duels.GAMES.values(), ids=lambda kind: kind.id)
def test_rules_have_no_words_of_the_command_line(kind):
    assert "`" not in rules_without(kind.rules_text(), CORRECTIONS)


@pytest.mark.parametrize(
    ("game", "options", "says"),
    [
        ("number-chain-duel", {}, "Take a factor or a multiple of the last number."),
        (
            "number-duel",
            {},
            "Take a factor or a multiple of the last number, or a number that shares a digit with "
            "it.",
        ),
        (
            "number-duel",
            {"criteria": "digit,neighbour"},
            "Take a number that shares a digit with the last number or is next to it.",
        ),
        ("sequence-duel", {"opening": "even"}, "The first number must be even; then take a factor"),
        ("number-line-duel", {}, "Cross out one number, or two that are next to each other."),
        ("divisor-duel", {"divisor": 12}, "Make it divisible by 12 and you win;"),
    ],
)
def test_the_rules_in_short_say_what_to_do_and_how_to_win(game, options, says):
    playing = duels.game(game, **options)
    short = dialogue_of(playing).rules(playing)
    assert says in short
    assert short.endswith(("you win.", "you lose."))


def test_a_game_in_one_file_has_its_rules_in_short_from_its_words():
    class Bare(duels.StateGame[int]):
        id, title, summary = "bare", "Bare", "Take stones."
        stones: int = duels.whole("the stones", default=9, is_size=True)

    class Told(Bare):
        """A pile of stones.

        Take the last one and you win.
        """

        id, title = "told", "Told"

    assert dialogue_of(Bare()).rules(Bare()) == Bare.rules_lead() == "Take stones."
    assert Told.rules_lead() == "A pile of stones. Take the last one and you win."
    assert Bare.rules_text() == "# Bare\n\nTake stones.\n\n\n"


@pytest.mark.parametrize("kind", duels.GAMES.values(), ids=lambda kind: kind.id)
def test_every_set_up_has_an_example_that_is_not_over(kind):
    for setup in kind.all_setups():
        example = setup.game(kind).example()
        assert example.moves
        assert example.legal_moves
        assert len(describe(example).cells) <= EXAMPLE_CELLS


def test_an_example_follows_the_options():
    by_neighbours = duels.game("number-duel", criteria="neighbour").example()
    assert (by_neighbours.moves, by_neighbours.game.size) == ((11, 12), 20)
    by_six = duels.game("divisor-duel", divisor=6).example()  # the sample would be the end
    assert by_six.game.divisor == 6
    assert by_six.outcome is None
    assert duels.game("number-line-duel", numbers=1).example().moves == ()
