"""The pictures tell the truth, in shapes and words and never by colour alone, and are sound SVG."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from itertools import pairwise

import pytest

import duels
from duels.coach.pictures import review_svg
from duels.coach.review import GAVE, KEPT, NOTHING, ReviewedMove, review
from duels.core.look import LOSING, MARKS, WINNING
from duels.match.match import Seat, new_match
from duels.theory.pictures import verdict_svg
from own_games import EuclidDuel, square_duel

MOST_BYTES = 200_000
SVG = "{http://www.w3.org/2000/svg}"


def at(game_id, moves="", **options):
    return duels.game(game_id, **options).position(*moves.split())


def after(count, game_id, **options):
    """A position some random moves into a game, or its end."""
    chance, here = random.Random(1), duels.game(game_id, **options).start()
    for _ in range(count):
        if not here.outcome:
            here = here.play(chance.choice(here.legal_moves))
    return here


POSITIONS = {
    "number-duel": at("number-duel"),
    "number-duel 28 14 41": at("number-duel", "28 14 41"),
    "number-duel late": after(60, "number-duel"),
    "number-duel over": after(100, "number-duel"),
    "number-duel 1": at("number-duel", numbers=1),
    "number-duel 200": after(31, "number-duel", numbers=200),
    "number-duel 201": at("number-duel", numbers=201),
    "sequence-duel": at("sequence-duel"),
    "sequence-duel 6": at("sequence-duel", "6"),
    "sequence-duel even": at("sequence-duel", opening="even"),
    "sequence-duel 10000": at("sequence-duel", numbers=10_000),
    "sequence-duel 10000 played": after(5, "sequence-duel", numbers=10_000),
    "sequence-duel 10000 over": after(10_000, "sequence-duel", numbers=10_000),
    "number-chain-duel": at("number-chain-duel"),
    "number-chain-duel over": after(9, "number-chain-duel"),
    "number-line-duel": at("number-line-duel"),
    "number-line-duel 1": at("number-line-duel", numbers=1),
    "number-line-duel 5-6": at("number-line-duel", "5-6"),
    "number-line-duel 5 8": at("number-line-duel", "5 8"),
    "number-line-duel over": after(10, "number-line-duel"),
    "number-line-duel 60": after(9, "number-line-duel", numbers=60),
    "number-line-duel 120": after(25, "number-line-duel", numbers=120),
    "number-line-duel 1000": after(45, "number-line-duel", numbers=1000),
    "number-line-duel 1000 lost": at("number-line-duel", "500-501", numbers=1000),
    "number-line-duel 1000000": at("number-line-duel", numbers=1_000_000),
    "divisor-duel 7": at("divisor-duel", divisor=7),
    "divisor-duel 13": at("divisor-duel", divisor=13),
    "divisor-duel 13 4": at("divisor-duel", "4", divisor=13),
    "divisor-duel 97": at("divisor-duel", divisor=97),
    "divisor-duel 97 late": at("divisor-duel", "5 2 1 4 7", divisor=97),
    "divisor-duel over": at("divisor-duel", "5 2 1 4 7 3 6 8", divisor=7),
    "divisor-duel used up": at("divisor-duel", "9 8 7 6 5 4 3 2 1", divisor=10**12),
    "divisor-duel huge": at("divisor-duel", "9 8 7 6 5 4 3 2", divisor=10**3990 + 7),
}


LARGE = re.compile(r"\D(10000|1000000|97)\b")
every_position = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if LARGE.search(name) else [])
        for name in POSITIONS
    ],
)


def those(wanted):
    """The positions of one kind."""
    kept = {name: here for name, here in POSITIONS.items() if wanted(here)}
    return pytest.mark.parametrize("here", kept.values(), ids=kept)


def is_drawn_in_full(here):
    return here.game.options.get("numbers", 1000) <= 120


def has_partners(here):
    return hasattr(here, "unused") and not here.outcome


def has_a_tree(here):
    return here.game.id == "divisor-duel" and not here.outcome


def drawn(verdict):
    return ElementTree.fromstring(verdict_svg(verdict))


@cache
def picture_of(name):
    """The verdict on a position of the table, and its picture."""
    verdict = duels.solve(POSITIONS[name])
    return verdict, verdict_svg(verdict)


def texts(svg):
    """All texts of a picture in their order, without any colour."""
    return ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]


def tiles(svg):
    """What a tile says with its mark, by its number."""
    found, words = {}, texts(svg)
    for label, mark in pairwise(words):
        if label.isdigit() and mark in {*MARKS.values(), WINNING, LOSING}:
            found.setdefault(int(label), mark)
    return found


@every_position
def test_a_picture_is_sound_svg_with_a_title_and_a_description(name):
    verdict, text = picture_of(name)
    svg = ElementTree.fromstring(text)
    assert svg.tag == f"{SVG}svg"
    assert svg.get("role") == "img"
    assert svg.get("viewBox") == f"0 0 {svg.get('width')} {svg.get('height')}"
    assert svg[0].tag == f"{SVG}title"
    assert svg[1].tag == f"{SVG}desc"
    assert svg[0].text
    assert verdict.reason in svg[1].text
    assert len(text.encode()) < MOST_BYTES


@every_position
def test_a_picture_needs_nothing_from_outside(name):
    _, text = picture_of(name)
    assert not re.search(r"<script|href|url\(|@import|<foreignObject|\son\w+=", text)
    assert re.findall(r"\w+://[^\"' ]*", text) == ["http://www.w3.org/2000/svg"]


@every_position
def test_the_same_verdict_gives_the_same_picture(name):
    verdict, text = picture_of(name)
    assert verdict_svg(verdict) == text


@every_position
def test_nothing_is_drawn_outside_the_picture(name):
    svg = ElementTree.fromstring(picture_of(name)[1])
    wide, high = float(svg.get("width")), float(svg.get("height"))
    for shape in svg.iter():
        if shape.tag in {f"{SVG}text", f"{SVG}rect"} and shape.get("x"):
            x, y = float(shape.get("x")), float(shape.get("y"))
            assert 0 <= x + float(shape.get("width", 0)) <= wide
            assert 0 <= y + float(shape.get("height", 0)) <= high


@every_position
def test_the_heading_says_who_wins(name):
    (verdict, text), here = picture_of(name), POSITIONS[name]
    svg = ElementTree.fromstring(text)
    heading = svg[0].text
    if here.outcome:
        assert heading == f"Player {here.outcome.winner} has won"
    elif verdict.wins:
        verb = re.fullmatch(
            rf"Player {here.to_move} to move wins: [a-z ]+? (\d+(?: and \d+)?)", heading
        )
        assert here.game.parse(verb[1]) in verdict.winning_moves
    else:
        assert heading == f"Player {here.to_move} to move loses against best play"
    shown = MARKS[here.outcome.winner if here.outcome else here.to_move]
    assert f"{shown} {heading}" in texts(svg)


@those(is_drawn_in_full)
def test_every_tile_has_the_mark_of_its_value(here):
    verdict = duels.solve(here)
    expected = {move: LOSING for move in here.legal_moves if isinstance(move, int)}
    expected |= {move: WINNING for move in verdict.winning_moves if isinstance(move, int)}
    for ply, move in enumerate(here.moves):
        for number in move if isinstance(move, tuple) else (move,):
            expected[number] = MARKS[1 + ply % 2]
    assert tiles(drawn(verdict)) == expected


def test_moves_shown_of_a_large_board_carry_their_true_marks():
    for name in ("number-duel 201", "sequence-duel 10000", "sequence-duel 10000 played"):
        verdict = duels.solve(POSITIONS[name])
        shown = tiles(drawn(verdict))
        assert len(shown) == min(40, len(verdict.position.legal_moves))
        for number, mark in shown.items():
            assert mark == (WINNING if number in verdict.winning_moves else LOSING)
            assert number in verdict.position.legal_moves


@those(has_partners)
def test_dominoes_are_the_pairs_of_the_proof(here):
    verdict = duels.solve(here)
    words = texts(drawn(verdict))
    links = [n for n, word in enumerate(words) if word in {"–", "↔", "→"}]
    shown = {tuple(sorted((int(words[n - 1]), int(words[n + 1])))) for n in links}
    pairs = {tuple(pair) for pair in verdict.proof["pairs"]}
    assert len(shown) == len(links)
    assert shown <= pairs
    hidden = [word for word in words if word.endswith("more pairs")]
    assert hidden == ([f"and {len(pairs - shown):,} more pairs"] if pairs - shown else [])


def test_an_arrow_leads_from_a_legal_number_to_its_reply():
    words = texts(drawn(duels.solve(at("sequence-duel", "6"))))
    arrows = {
        (words[n - 1], word, words[n + 1]) for n, word in enumerate(words) if word in {"→", "↔"}
    }
    assert {int(one) for one, _, _ in arrows} <= {1, 2, 3, 12, 18}
    for one, link, two in arrows:
        assert (link == "↔") == (int(two) in {1, 2, 3, 12, 18}), (one, two)


def test_numbers_without_a_partner_are_named():
    words = texts(drawn(duels.solve(at("sequence-duel", "6"))))
    assert "11, 13 and 17 have no partner. They cannot come up." in words


def test_a_move_that_ends_the_game_needs_no_partners():
    words = texts(drawn(duels.solve(at("sequence-duel", "6 1"))))
    assert "wins at once." in words
    assert not {"–", "↔", "→"} & {*words}


class OneOfAHundred(duels.StateGame):
    """A number of ten or less leaves the opponent the last move."""

    id, title, summary = "one-of-a-hundred", "One of a Hundred", "Say a number above ten."

    def first(self):
        return 2

    def allowed(self, state):
        return ((), (1,), range(1, 101))[state]

    def after(self, state, move):
        return 1 if state == 2 and move <= 10 else 0


def test_the_legend_is_that_of_the_moves_that_are_drawn():
    verdict = duels.solve(OneOfAHundred().start())
    assert len(verdict.winning_moves) == 90
    assert {f"{WINNING} wins", f"{LOSING} loses"} <= set(texts(drawn(verdict)))


def test_winning_pairs_are_bars_over_the_line():
    words = texts(drawn(duels.solve(at("number-line-duel", "5 8"))))
    assert words.count(WINNING) == 1
    assert "After 2 and 3:" in words
    assert [word for word in words if word.startswith("length")] == [
        "length 4",
        "length 2",
        "length 2",
    ]
    assert [word for word in words if word.startswith("each")] == [
        "each of length 1",
        "each of length 2",
    ]


def test_a_winning_pair_that_a_row_tears_apart_is_marked_on_both_sides():
    words = texts(drawn(duels.solve(at("number-line-duel", numbers=60))))
    assert words.count(f"{WINNING} …") == words.count(f"… {WINNING}") == 1


def test_runs_that_only_balance_together_are_shown_as_sums():
    lost = at("number-line-duel", "4 7", numbers=8)  # runs of 3, 2 and 1 count 3, 2 and 1
    words = texts(drawn(duels.solve(lost)))
    assert "together" in words
    assert words.count("■") == 4
    assert "Each column has an even number of squares." in words


@those(has_a_tree)
def test_the_digit_tree_marks_every_legal_digit(here):
    verdict = duels.solve(here)
    words, mover = texts(drawn(verdict)), MARKS[verdict.position.to_move]
    marked = {
        int(digit): grade
        for mark, digit, grade in zip(words, words[1:], words[2:], strict=False)
        if mark == mover and grade in {WINNING, LOSING}
    }
    winning = verdict.winning_moves
    assert marked == {
        digit: WINNING if digit in winning else LOSING for digit in verdict.position.legal_moves
    }


def test_divisions_in_the_digit_tree_are_right():
    for moves in ("", "4", "4 3", "1"):
        here = at("divisor-duel", moves, divisor=13)
        told = [word for word in texts(drawn(duels.solve(here))) if "×" in word]
        assert told
        for words in told:
            number, divisor, times = map(int, re.findall(r"\d+", words))
            assert divisor == 13
            assert number == 13 * times
            assert str(number).startswith(moves.replace(" ", ""))


def test_the_digit_tree_shows_no_digit_of_the_loser_without_its_answer():
    words = texts(drawn(duels.solve(at("divisor-duel", divisor=97))))
    chips = [n for n, word in enumerate(words) if word.isdigit() and words[n - 1] in MARKS.values()]
    players = [words[n - 1] for n in chips]
    assert players.count(MARKS[1]) == players.count(MARKS[2])
    assert len(chips) <= 60


def steps(count, chance=0.5):
    dice, winner, found = random.Random(count), 1, []
    for ply in range(count):
        player = 1 + ply % 2
        turns = winner == player and dice.random() < chance
        winner = 3 - player if turns else winner
        kind = GAVE if turns else KEPT if winner == player else NOTHING
        found.append(ReviewedMove(player, dice.randint(1, 10_000), kind, winner))
    return found


@pytest.mark.parametrize("count", [0, 1, 20, 21, 200, 201, 2_201, 10_000])
def test_a_review_is_sound_svg_of_a_reasonable_size(count):
    text = review_svg("Ada against Bob", steps(count, 1.0), str)
    svg = ElementTree.fromstring(text)
    assert svg[0].text == "Ada against Bob"
    assert svg[1].text
    assert len(text.encode()) < MOST_BYTES
    assert text == review_svg("Ada against Bob", steps(count, 1.0), str)


def test_a_review_names_mover_move_winner_and_label_of_each_ply():
    game = [ReviewedMove(1, 28, GAVE, 2), ReviewedMove(2, (5, 6), KEPT, 2)]
    write = duels.game("number-line-duel").format
    words = texts(ElementTree.fromstring(review_svg("Ada against Bob", game, write)))
    assert words[:10] == [
        "Ada against Bob",
        "2 moves, 1 turning point. Player 2 won.",
        *("●", "28", "▲", "gave the", "win away"),
        *("▲", "5-6", "▲"),
    ]


def test_a_long_review_names_its_turning_points():
    game = [ReviewedMove(1 + ply % 2, 7, KEPT, 1) for ply in range(300)]
    game[100] = ReviewedMove(1, 9, GAVE, 2)
    game[101] = ReviewedMove(2, 11, GAVE, 1)
    words = texts(ElementTree.fromstring(review_svg("Ada against Bob", game, str)))
    assert "Move 101, Player 1, 9: gave the win away" in words
    assert "Move 102, Player 2, 11: gave the win away" in words
    assert "Player 1 was winning after 299 of the 300 moves." in words


@pytest.mark.parametrize("count", [3, 300])
def test_hostile_text_stays_text(count):
    hostile = "</title><script>alert('x')</script>&amp;\"]]>\x00\x1b\ud800 " + "W" * 300
    text = review_svg(hostile, steps(count), lambda _: hostile)
    svg = ElementTree.fromstring(text)
    assert svg[0].text.startswith("</title><script>alert('x')</script>&amp;\"]]>���")
    assert "<script" not in text
    assert not list(svg.iter(f"{SVG}script"))
    text.encode()


def test_notebooks_show_positions_verdicts_and_reviews_as_pictures():
    game = duels.game("number-chain-duel")
    for position in (game.position(5, 1), square_duel()(stones=13).start()):
        verdict = duels.solve(position)
        assert position._repr_svg_() == verdict._repr_svg_() == verdict_svg(verdict)
        assert repr(position).startswith(f"<{position.game.id} after ")
    match = new_match(game, (Seat("Alice", ""), Seat("Bob", "")))
    for move in (5, 1, 7):
        match = match.play(move)
    found = review(match)
    assert "Alice against Bob" in found._repr_svg_()
    assert ElementTree.fromstring(found._repr_svg_()).tag == f"{SVG}svg"


def test_what_would_take_long_or_cannot_be_known_is_shown_as_text(monkeypatch):
    monkeypatch.setattr("duels.theory.search.MOST_POSITIONS", 1000)
    assert duels.game("sequence-duel", numbers=1_000_000).start()._repr_svg_() is None
    assert EuclidDuel.usual().start()._repr_svg_() is not None
    assert TooWide.usual().start()._repr_svg_() is None


class TooWide(duels.StateGame):
    """More states than can be searched."""

    id, title, summary = "too-wide-duel", "Too Wide", "Add any number."

    def first(self):
        return ()

    def allowed(self, state):
        return tuple(range(1, 31)) if len(state) < 9 else ()

    def after(self, state, move):
        return (*state, move)
