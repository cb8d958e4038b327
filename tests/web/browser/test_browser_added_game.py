"""A game that no page knows: on the board for every game it is played, reviewed and learned."""

from __future__ import annotations

from browser_playing import MY_TURN, scrolls_sideways, take, tap, wait_for_ply, wait_for_turn


def moves_on_board(page):
    return page.eval_on_selector_all(".board .tile", "all => all.map(one => one.dataset.number)")


def test_it_is_played_against_the_computer_from_the_lobby_to_its_review(visit):
    page = visit("/")
    page.click("[data-game=square-duel]")
    page.fill("label:has-text('The stones at the start') input", "12")
    page.fill("label:has-text('Your name') input", "perfect")
    page.click("text=Start the game")
    page.wait_for_url("**/m/*")
    assert page.locator(".player-1 .kind").count() == 0
    assert page.locator(".player-2 .who").inner_text() == "The computer casual"
    assert wait_for_turn(page)
    assert page.inner_text(".state-words") == "12 stones"
    assert moves_on_board(page) == ["1", "4", "9"]
    take(page, "1")
    while wait_for_turn(page):
        before = page.locator(".moves li").count()
        take(page, moves_on_board(page)[0])
        page.wait_for_function(
            "before => document.querySelectorAll('.moves li').length > before", arg=before
        )
    assert page.inner_text(".state-words") == "0 stones"
    assert page.inner_text(".status") in ("You win.", "You lose.")
    assert page.inner_text(".why").endswith(", and no moves were left.")
    page.click("text=Review")
    page.wait_for_selector(".review-controls:not([hidden])")
    page.click("text='First'")
    page.wait_for_selector(".tile.win, .tile.lose")
    assert page.inner_text(".state-words") == "12 stones"
    assert page.locator(".tile.next").get_attribute("data-number") == "1"
    page.click("text=Show the strategy as a picture")
    page.wait_for_function("() => document.querySelector('.review .picture').naturalWidth > 100")


def test_it_is_played_by_keys_and_the_focus_stays_on_the_board(site, visit):
    made = site.match("square-duel", "here", options={"stones": 30})
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=360)
    wait_for_turn(page)
    assert page.locator(".tiles .tile[tabindex='0']").count() == 1
    page.focus(".tiles .tile[tabindex='0']")
    page.keyboard.press("Shift+End")
    page.keyboard.press("Enter")
    wait_for_ply(page, 1)
    page.wait_for_selector(MY_TURN)
    assert page.inner_text(".state-words") == "5 stones"
    assert moves_on_board(page) == ["1", "4"]
    assert page.evaluate("document.activeElement.ariaLabel") == "4, can be played"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    wait_for_ply(page, 2)
    assert "Player 2 took 1" in page.inner_text(".board")
    page.keyboard.press("4")
    assert page.evaluate("document.activeElement.id") == "typed-move"
    page.keyboard.press("Enter")
    wait_for_ply(page, 3)
    assert not scrolls_sideways(page)


def test_hidden_moves_are_typed(site, visit):
    made = site.match("square-duel", "here", show_moves=False)
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    assert moves_on_board(page) == []
    page.wait_for_selector("text=Type your move.")
    page.fill("#typed-move", "5")
    page.keyboard.press("Enter")
    page.wait_for_selector(".notice:has-text('5 is not a square number')")
    page.fill("#typed-move", "4")
    page.keyboard.press("Enter")
    wait_for_ply(page, 1)


def test_it_can_be_learned_and_tried(visit):
    page = visit("/learn", wide=320)
    page.click("text=Square Duel")
    page.wait_for_url("**/learn/square-duel")
    page.wait_for_selector(".tile.lose[data-number='16']")
    assert page.inner_text(".lead").endswith("Take the last stone and you win.")
    assert page.locator(".prose li").count() == 4
    assert page.locator("h2", has_text="How to win").count() == 1
    assert page.locator("text=The mathematics").count() == 0
    page.click(".tile.lose")
    page.wait_for_selector("text=Move 1 of 1")
    assert page.inner_text(".lesson h2")
    assert not scrolls_sideways(page)


def test_a_match_whose_game_is_not_here_says_so(site, visit):
    made = site.match("number-chain-duel")
    page = visit("/learn")
    sentence = "This match is saved, but its game, x-duel, is not here."
    page.route(
        "**/api/matches/*",
        lambda route: route.fulfill(
            status=409, content_type="application/problem+json", json={"detail": sentence}
        ),
    )
    page.goto(f"{site.address}/m/{made['id']}#seat={made['token']}")
    page.wait_for_selector(f"text={sentence}")
    assert page.inner_text("h1") == "This game cannot be shown."


def test_a_board_in_two_dimensions_is_played_by_taps_and_keys(site, visit):
    made = site.match("chomp", "here", options={"high": 3, "wide": 4})
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=390)
    wait_for_turn(page)
    columns = page.eval_on_selector(
        ".grid", "grid => getComputedStyle(grid).gridTemplateColumns.split(' ').length"
    )
    assert columns == 4
    assert page.inner_text(".board .remainder") == "1-1 is poisoned."
    tap(page, "2-3")
    wait_for_ply(page, 1)
    gone = page.eval_on_selector_all(
        ".board .tile.gone", "all => all.map(one => one.dataset.number)"
    )
    assert gone == ["2-3", "2-4", "3-3", "3-4"]
    assert page.locator(".board .tile.last").get_attribute("data-number") == "2-3"
    page.focus("[data-number='1-2']")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.number") == "2-2"
    page.keyboard.press("Enter")
    wait_for_ply(page, 2)
    while wait_for_turn(page):
        ply = page.locator(".moves li").count()
        tap(page, page.locator(".board .tile.legal").last.get_attribute("data-number"))
        wait_for_ply(page, ply + 1)
    assert page.locator(".board .tile.legal").count() == 0
    assert not scrolls_sideways(page)


def test_a_move_of_two_squares_is_made_by_tapping_both(site, visit):
    made = site.match("cram", "here", options={"high": 2, "wide": 3})
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=390)
    wait_for_turn(page)
    tap(page, "2")
    joins = page.eval_on_selector_all(".tile.joins", "all => all.map(one => one.dataset.number)")
    assert joins == ["1", "3", "5"]
    tap(page, "5")
    wait_for_ply(page, 1)
    taken = page.eval_on_selector_all(".tile.gone", "all => all.map(one => one.dataset.number)")
    assert taken == ["2", "5"]
    tap(page, "1")  # only 4 is left beside it
    wait_for_ply(page, 2)
    tap(page, "6")
    wait_for_ply(page, 3)
    assert page.locator(".board .tile.legal").count() == 0
    assert page.inner_text(".status") == "Player 1 wins."
    assert not scrolls_sideways(page)


def test_a_small_drawing_has_few_columns_or_those_of_its_own_board(visit):
    page = visit("/")
    for game, columns in {"sequence-duel": 5, "chomp": 5, "cram": 4}.items():
        found = page.locator(f"[data-game={game}] .preview-grid").first.evaluate(
            "grid => getComputedStyle(grid).gridTemplateColumns.split(' ').length"
        )
        assert found == columns, game
