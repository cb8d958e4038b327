"""The picture of a finished match, which players share."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest

import duels
from duels.coach.pictures import result_svg
from duels.match.match import new_match
from own_games import EuclidDuel

GAMES = [kind.usual() for kind in duels.GAMES.values()] + [EuclidDuel()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_picture_says_who_won_and_names_the_game(game):
    chance, match = Random(2), new_match(game, ("Ann <3", "Bob"))
    while not match.outcome:
        match = match.play(chance.choice(match.position.legal_moves))
    text = " ".join(ElementTree.fromstring(result_svg(match)).itertext())
    assert f"{match.name(match.outcome.winner)} wins." in text
    assert game.title in text


def test_a_long_line_is_broken_at_the_tens():
    match = new_match(duels.game("number-line-duel", numbers=30)).resign()
    texts = ElementTree.fromstring(result_svg(match)).iter("{http://www.w3.org/2000/svg}text")
    left = {text.text: text.get("x") for text in texts}
    assert left["1"] == left["11"] == left["21"]


def test_a_board_of_thousands_is_left_out():
    match = new_match(duels.game("number-line-duel", numbers=1000)).resign()
    assert len(result_svg(match)) < 10_000
