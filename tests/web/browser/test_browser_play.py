"""Games played to their end in the browser."""

from __future__ import annotations

import re

import pytest
from browser_playing import (
    MY_TURN,
    OVER,
    open_menu,
    play_out,
    scrolls_sideways,
    status,
    take_any,
    type_move,
    wait_for_ply,
    wait_for_turn,
)
from browser_site import GAMES

from rings import all_if_long, only_long


@pytest.mark.parametrize("game", all_if_long(GAMES, "number-line-duel"))
def test_two_people_play_to_the_end_on_two_devices(site, visit, game):
    first, second, _ = site.friends(game)
    ann, bob = visit(first), visit(second)
    moves = play_out(ann, bob)
    assert moves >= 2
    for page in (ann, bob):
        page.wait_for_selector(OVER)
        assert page.locator(".moves li").count() == moves
    assert sorted([status(ann), status(bob)]) == ["You lose.", "You win."]
    whys = [page.inner_text(".why") for page in (ann, bob)]
    assert sum(why.startswith("You ") for why in whys) == 1
    assert sum(why.startswith(("Ann ", "Bob ")) for why in whys) == 1


@pytest.mark.parametrize("game", all_if_long(GAMES, "sequence-duel"))
def test_a_spectator_follows_to_the_end(site, visit, game):
    first, second, public = site.friends(game)
    ann, bob, spectator = visit(first), visit(second), visit(public)
    moves = play_out(ann, bob)
    spectator.wait_for_selector(OVER)
    assert spectator.locator(".moves li").count() == moves
    assert status(spectator) in ("Ann wins.", "Bob wins.")
    assert re.match("Ann|Bob", spectator.inner_text(".why"))
    assert spectator.locator("text='Rematch'").is_hidden()


def test_a_spectator_sees_the_moves_and_cannot_make_any(site, visit):
    first, _, public = site.friends()
    ann, spectator = visit(first), visit(public)
    wait_for_turn(ann)
    take_any(ann)
    wait_for_ply(spectator, 1)
    spectator.click(".tile >> nth=1", force=True)
    assert spectator.locator(".typed").is_hidden()
    assert spectator.locator(MY_TURN).count() == 0
    assert spectator.locator("text='Hint'").is_hidden()
    assert spectator.locator("text=Take back").is_hidden()
    ann.wait_for_selector(".watching:has-text('1 watching')")  # the players are not counted
    visit(public)
    ann.wait_for_selector(".watching:has-text('2 watching')")


def test_newcomer_has_one_button_and_plays_the_computer(visit):
    page = visit("/")
    page.click("text=Play now")
    page.wait_for_url("**/m/*")
    while wait_for_turn(page):
        before = page.locator(".moves li").count()
        take_any(page)
        page.wait_for_function(
            "before => document.querySelectorAll('.moves li').length > before", arg=before
        )
    assert status(page) in ("You win.", "You lose.")


def test_computer_of_a_chosen_strength_begins(visit):
    page = visit("/")
    page.click("[data-game=divisor-duel]")
    page.click("text=perfect")
    page.select_option("label:has-text('Who begins') select", "2")
    page.fill("label:has-text('Your name') input", "Ann")
    page.fill("input[name=divisor]", "11")
    page.click("text=Start the game")
    page.wait_for_url("**/m/*")
    wait_for_turn(page)
    assert page.locator(".player-1 .name").inner_text() == "The computer"
    assert page.locator(".player-1 .kind").inner_text().strip() == "perfect"
    assert page.locator(".player-1 .figure-5").count() == 1
    assert page.locator(".player-2 .who").inner_text() == "Ann"
    assert page.locator(".player-2 .kind").count() == 0
    assert page.locator(".growing .digit").count() == 1
    assert "not divisible by 11" in page.locator(".remainder").inner_text()


def test_a_set_up_fills_the_options_and_a_change_of_them_leaves_it(visit):
    page = visit("/")
    page.click("[data-game=sequence-duel]")
    numbers = page.locator("input[name=numbers]")
    assert numbers.input_value() == "40"
    assert "about 14 moves" in page.inner_text(".setup-words")
    page.click(".setups >> text=rule book")
    assert numbers.input_value() == "20"
    assert page.locator("input[value=any]").is_checked()
    page.click(".setups >> text=even 30")
    assert numbers.input_value() == "30"
    page.fill("input[name=numbers]", "12")
    page.press("input[name=numbers]", "Tab")
    assert page.locator(".setups input:checked").count() == 0
    page.click("text=Two on this screen")
    page.click("text=Start the game")
    page.wait_for_url("**/m/*")
    page.wait_for_selector(".board .tile")
    assert page.locator(".board .tile").count() == 12
    assert page.locator(".board .tile.legal").count() == 6


def test_a_set_up_says_which_numbers_fit(visit):
    page = visit("/")
    page.click("[data-game=number-duel]")
    page.click(".setups >> text=rule book")
    page.click(".setups >> text=digit sum 20")
    page.click("summary:has-text('More choices')")
    ticked = ".several input:checked"
    assert page.eval_on_selector_all(ticked, "all => all.map(one => one.value)") == [
        "factor",
        "digit-sum",
    ]


def test_two_people_on_one_screen(visit):
    page = visit("/")
    page.click("[data-game=number-chain-duel]")
    page.click("text=Two on this screen")
    page.fill("label:has-text('Your name') input", "Ann")
    page.fill("label:has-text('opponent') input", "Bob")
    page.click("text=Start the game")
    page.wait_for_url("**/m/*")
    moves = play_out(page)
    loser = "Ann" if moves % 2 == 0 else "Bob"
    assert status(page) == f"{'Bob' if loser == 'Ann' else 'Ann'} wins."
    assert page.inner_text(".why").startswith(f"{loser} had no number left that fits")


def test_friend_opens_the_link_and_joins_by_name(site, visit):
    ann = visit("/")
    ann.click("[data-game=sequence-duel]")
    ann.click("text=A friend, by link")
    ann.fill("label:has-text('Your name') input", "Ann")
    ann.fill("input[name=numbers]", "12")
    ann.click("text=Make the link")
    ann.wait_for_url("**/m/*")
    link = ann.locator(".invitation input.link").input_value()
    assert "#seat=" in link
    bob = visit(link.removeprefix(site.address))
    bob.wait_for_selector("text=Ann wants to play Sequence Duel with you")
    assert bob.locator("text=watching").count() == 0
    bob.fill("label:has-text('Your name') input", "Bob")
    bob.click("text=Join the game")
    ann.wait_for_selector(".player-2 >> text=Bob")
    assert ann.locator(".invitation input.link").is_hidden()
    assert play_out(ann, bob) >= 2


def test_a_player_without_a_name_invites_as_a_friend(site, visit):
    made = site.match("sequence-duel", "friend")
    bob = visit(f"/m/{made['id']}#seat={made['invite']['token']}")
    bob.wait_for_selector("text=A friend wants to play Sequence Duel with you")


def test_seat_survives_a_reload_and_opens_on_another_device(site, visit):
    first, _, public = site.friends()
    ann = visit(first)
    wait_for_turn(ann)
    ann.goto(site.address + public)
    assert wait_for_turn(ann)
    assert "you" in ann.locator(".player-1").inner_text()
    phone = visit(first, wide=320)
    assert wait_for_turn(phone)
    assert not scrolls_sideways(phone)


@pytest.mark.parametrize("wide", [320, *only_long(360, 414, 600, 768, 1024, 1440, 2560)])
@pytest.mark.parametrize("game", all_if_long(GAMES, "number-duel", "divisor-duel"))
def test_a_game_never_scrolls_sideways(site, visit, game, wide):
    made = site.match(game, "here", names=["Ann", "Bob"], time_limit=60)
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=wide, high=640, has_touch=True)
    ply = 0
    while wait_for_turn(page):
        assert not scrolls_sideways(page)
        take_any(page)
        ply += 1
        wait_for_ply(page, ply)
    page.click("text=Review")
    page.wait_for_selector(".review-controls:not([hidden])")
    assert not scrolls_sideways(page)


def test_moves_can_be_typed_and_a_wrong_one_shows_its_rule(site, visit):
    made = site.match("number-line-duel", "here")
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    for typed, moves in (("4 5", 1), ("5", 1), ("what", 1), ("2", 2)):
        type_move(page, typed)
        wait_for_ply(page, moves)
        if typed == "5":
            page.wait_for_selector(".notice:has-text('crossed out')")
        if typed == "what":
            page.wait_for_selector(".notice:has-text('what')")
    page.wait_for_selector(".notice", state="hidden")


def test_possible_moves_can_be_hidden_and_an_unfitting_tap_costs_nothing(site, visit):
    made = site.played("sequence-duel", "6", show_moves=False)
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    assert page.locator(".tile.legal").count() == 0
    open_menu(page)
    assert page.locator("text=Show possible moves").is_hidden()
    page.keyboard.press("Escape")
    page.click("[data-number='5']")
    page.wait_for_selector(".notice:has-text('6')")
    page.click("[data-number='3']")
    wait_for_ply(page, 2)


def test_the_switch_hides_possible_moves_on_this_page(site, visit):
    made = site.match("number-chain-duel", "here")
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    assert page.locator(".tile.legal").count() == 9
    open_menu(page)
    page.click("text=Show possible moves")
    assert page.locator(".tile.legal").count() == 0


def test_time_runs_out_on_the_page_by_itself(site, visit):
    made = site.match("sequence-duel", "here", names=["Ann", "Bob"], time_limit=1.5)
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    assert page.locator(".player-1 .clock").inner_text() in ("0:01", "0:02")
    page.wait_for_selector(OVER)
    assert (status(page), page.inner_text(".why")) == ("Bob wins.", "Ann ran out of time.")


def test_your_unfinished_games_are_on_the_first_page(site, visit):
    first, second, _ = site.friends()
    ann, bob = visit(first), visit(second)
    for page in (ann, bob):
        page.wait_for_selector(".board")
        page.goto(site.address)
    assert "your turn" in ann.inner_text(".own .match-row")
    assert "Ann to move" in bob.inner_text(".own .match-row")
    ann.click(".own .match-row")
    wait_for_turn(ann)
    match_id = first.split("#")[0].removeprefix("/m/")
    site.call("POST", f"/api/matches/{match_id}/resign", {}, first.partition("=")[2])
    ann.wait_for_selector(OVER)
    ann.goto(site.address)
    ann.wait_for_selector(".card")
    ann.wait_for_selector(".own", state="hidden")
