"""The end of a game on its page: who won, one next challenge, a picture to share, sounds."""

from __future__ import annotations

import json

import pytest
from browser_playing import (
    OVER,
    scrolls_sideways,
    status,
    take,
    take_any,
    tap,
    wait_for_ply,
    wait_for_turn,
)
from test_browser_everybody import axe_faults

from rings import only_long

LINE = {"numbers": 6}
PRIMARY = ".after .primary-action .primary"


def against(site, visit, level, first=1, options=LINE, **more):
    """The page of a person who plays Number Line Duel against the computer."""
    made = site.match(
        "number-line-duel", "computer", level=level, first=first, options=options, names=["Mia"]
    )
    return visit(f"/m/{made['id']}#seat={made['token']}", **more)


def play(site, page, *, best):
    """Play to the end with winning moves where there are any, or with the first legal ones."""
    match_id = page.url.partition("/m/")[2].partition("#")[0]
    while wait_for_turn(page):
        state = site.call("GET", f"/api/matches/{match_id}")
        line = {name: state[name] for name in ("game", "options", "moves")}
        winning = site.call("POST", "/api/solve", line)["winning"] if best else []
        take(page, [*winning, *state["legal"]][0])
        page.wait_for_function(
            "ply => document.querySelectorAll('.moves li').length > ply", arg=state["ply"]
        )
    page.wait_for_selector(PRIMARY)


def test_after_a_win_the_next_level_plays_on_the_same_board(site, visit):
    page = against(site, visit, "novice")
    play(site, page, best=True)
    assert status(page) == "You win."
    assert page.inner_text(".challenge") == "Can you beat the casual computer on the same board?"
    assert page.locator(".primary:visible").count() == 1, "there is one next step"
    before = page.url
    page.click("text=Play the casual computer")
    page.wait_for_function("before => location.href !== before", arg=before)
    assert wait_for_turn(page)
    assert page.locator(".board .tile").count() == 6
    assert "casual" in page.inner_text(".player-2")


def test_after_a_mistake_its_move_can_be_tried_again(site, visit):
    page = against(site, visit, "perfect")
    play(site, page, best=False)
    assert status(page) == "You lose."
    assert page.inner_text(".turning-point").startswith("Turning point: move 1. You played 1;")
    assert axe_faults(page) == []
    before = page.url
    page.click("text=Try move 1 again")
    page.wait_for_function("before => location.href !== before", arg=before)
    assert wait_for_turn(page)
    wait_for_ply(page, 0)


def test_after_a_loss_without_a_chance_the_player_takes_the_other_side(site, visit):
    page = against(site, visit, "perfect", first=2)
    play(site, page, best=True)
    assert "on this board, going second loses" in page.inner_text(".turning-point")
    before = page.url
    page.click("text=Go first on this board")
    page.wait_for_function("before => location.href !== before", arg=before)
    assert wait_for_turn(page)
    assert "you" in page.inner_text(".player-1")


def test_between_people_the_next_step_is_a_rematch_and_the_score_counts(site, visit):
    first, second, path = site.friends("number-line-duel", options=LINE)
    ann, bob = visit(first), visit(second)
    ann.wait_for_selector(".board .tile")
    for loser in (ann, bob):
        wait_for_turn(ann if loser is ann else bob)
        match_id = ann.url.partition("/m/")[2].partition("#")[0]
        token = (first if loser is ann else second).partition("=")[2]
        site.call("POST", f"/api/matches/{match_id}/resign", {}, token)
        for page in (ann, bob):
            page.wait_for_selector(f"{PRIMARY}:has-text('Rematch')")
        if loser is ann:
            ann.click(PRIMARY)
            bob.click("text='Accept'")
            bob.wait_for_function("path => !location.pathname.endsWith(path)", arg=path)
            ann.wait_for_selector(".player-1 >> text=Bob")
            bob.wait_for_selector(".player-1 >> text=Bob")
    assert ann.inner_text(".tally") == bob.inner_text(".tally") == "The score is 1 all."


@pytest.mark.parametrize("wide", [320, *only_long(390, 1280)])
def test_an_offer_of_a_rematch_covers_no_tile(site, visit, wide):
    first, second, path = site.friends(options={"numbers": 40})
    ann = visit(first, wide=wide, high=844)
    ann.wait_for_selector(".board .tile")
    for action in ("resign", "rematch"):
        site.call("POST", f"/api/matches{path[2:]}/{action}", {}, second.partition("=")[2])
    ann.wait_for_selector(".after >> text='Accept'")
    row = ann.locator(".status-row").bounding_box()
    tile = ann.locator(".board .tile").first.bounding_box()
    assert row["y"] + row["height"] <= tile["y"]
    assert not scrolls_sideways(ann)


def test_an_offer_of_a_rematch_is_in_view_on_a_phone_when_it_comes_and_when_the_page_is_opened(
    site, visit
):
    first, second, path = site.friends(options={"numbers": 40})
    ann = visit(first, wide=390, high=700)
    ann.wait_for_selector(".board .tile")
    for action in ("resign", "rematch"):
        site.call("POST", f"/api/matches{path[2:]}/{action}", {}, second.partition("=")[2])
    in_view = """() => [...document.querySelectorAll('.after button')].some((one) =>
        one.textContent === 'Accept' && one.getBoundingClientRect().bottom <= innerHeight)"""
    ann.wait_for_function(in_view)
    ann.evaluate("scrollTo(0, 0)")
    ann.reload()
    ann.wait_for_function(in_view)


def test_the_wins_of_the_computer_cover_neither_its_level_nor_anything_else(site, visit):
    made = site.match("number-chain-duel", "computer", level="casual", first=2)
    path = f"/api/matches/{made['id']}"
    site.call("POST", f"{path}/resign", {}, made["token"])
    again = site.call("POST", f"{path}/rematch", {}, made["token"])["rematch"]
    page = visit(f"/m/{again}#seat={made['token']}", wide=320, high=640)
    page.wait_for_selector(".player-note:has-text('1 win')")
    level = page.locator(".kind").bounding_box()
    assert (
        level["y"] + level["height"] <= page.locator(".player-2 .player-note").bounding_box()["y"]
    )
    take_any(page)
    page.wait_for_selector(".tile[aria-label*='taken by the computer']")


def test_a_player_who_runs_out_of_time_sees_that_and_nothing_else(site, visit):
    made = site.match("sequence-duel", "computer", time_limit=4)
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    page.wait_for_selector(".status:has-text('Your time is running out.')")
    page.wait_for_selector(OVER)
    assert (status(page), page.inner_text(".why")) == ("You lose.", "You ran out of time.")
    page.wait_for_selector(f"{PRIMARY}:has-text('Play on')")


def finished(site, visit, **options):
    made = site.played("number-line-duel", "5", "3-4", "1-2", "6", options=LINE)
    page = visit(f"/m/{made['id']}#seat={made['token']}", **options)
    page.wait_for_selector(OVER)
    return page


def test_the_result_is_saved_as_a_picture_and_its_link_copied(site, visit):
    page = finished(site, visit, permissions=["clipboard-read", "clipboard-write"])
    with page.expect_download() as download:
        page.click(".after >> text='Share'")
    picture = download.value.path().read_bytes()
    assert download.value.suggested_filename.endswith(".png")
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") == 1280
    page.wait_for_selector("text=Picture saved, link copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("Number Line Duel: Player 2 wins. http")
    assert copied.endswith("/replay")


def test_where_the_browser_shares_files_it_gets_the_picture(site, visit):
    page = finished(site, visit)
    page.evaluate(
        """() => {
            navigator.canShare = ({files}) => files.length === 1;
            navigator.share = async ({files: [file], text}) => {
                window.shared = {type: file.type, size: file.size, text};
            };
        }"""
    )
    page.click(".after >> text='Share'")
    page.wait_for_function("() => window.shared")
    shared = page.evaluate("window.shared")
    assert (shared["type"], shared["text"]) == ("image/png", "Number Line Duel: Player 2 wins.")
    assert shared["size"] > 5000


RECORD_SOUNDS = """() => {
    window.frequencies = [];
    const part = () => ({
        connect: (next) => next, start() {}, stop() {},
        frequency: {set value(hertz) { window.frequencies.push(hertz); }},
        gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}},
    });
    window.AudioContext = class {
        currentTime = 0; createOscillator = part; createGain = part;
    };
}"""


def test_moves_mistakes_and_the_end_have_sounds_of_their_own_on_request(site, visit):
    made = site.match("number-line-duel", "here", options={"numbers": 4})
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    page.evaluate(RECORD_SOUNDS)
    heard = []

    def listen():
        heard.append(json.dumps(page.evaluate("window.frequencies.splice(0)")))

    take(page, "1")
    wait_for_ply(page, 1)
    assert page.evaluate("window.frequencies") == [], "there is no sound before it is wanted"
    page.click(".bar >> text=Menu")
    page.click("label:has-text('Sound')")
    page.keyboard.press("Escape")
    listen()
    tap(page, 1)
    page.wait_for_selector(".notice:visible")
    listen()
    take(page, "2")
    wait_for_ply(page, 2)
    listen()
    take(page, "3-4")
    page.wait_for_selector(OVER)
    listen()
    assert len({*heard}) == 4
    page.reload()
    page.wait_for_selector(OVER)
    page.click(".bar >> text=Menu")
    assert page.locator("label:has-text('Sound') input").is_checked()


SLOW_REPLAY = """() => {
    const animate = Element.prototype.animate;
    window.replayed = [];
    Element.prototype.animate = function (frames, timing) {
        window.replayed.push([this.dataset.number, timing.delay]);
        return animate.call(this, frames, {...timing, id: "replay", duration: 60000});
    };
}"""


def test_the_moves_are_replayed_at_the_end_and_a_key_ends_that(site, visit):
    made = site.played("number-line-duel", "5", "3-4", "1-2", options=LINE)
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    page.emulate_media(reduced_motion="no-preference")
    wait_for_turn(page)
    page.evaluate(SLOW_REPLAY)
    take(page, "6")
    page.wait_for_selector(OVER)
    replayed = page.evaluate("window.replayed")
    assert [number for number, _ in replayed] == ["5", "3", "4", "1", "2", "6"]
    assert [delay for _, delay in replayed] == sorted(delay for _, delay in replayed)
    running = "document.getAnimations().filter(({id}) => id === 'replay').length"
    assert page.evaluate(running) == 6
    page.keyboard.press("Shift")
    assert page.evaluate(running) == 0


def test_nothing_is_replayed_with_reduced_motion(site, visit):
    made = site.played("number-line-duel", "5", "3-4", "1-2", options=LINE)
    page = visit(f"/m/{made['id']}#seat={made['token']}")
    wait_for_turn(page)
    page.evaluate(SLOW_REPLAY)
    take(page, "6")
    page.wait_for_selector(OVER)
    assert page.evaluate("window.replayed") == []


@pytest.mark.parametrize("wide", [320, *only_long(390, 1280)])
def test_choosing_a_number_moves_no_button(site, visit, wide):
    made = site.match("number-line-duel", "here", options={"numbers": 15})
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=wide, high=844)
    wait_for_turn(page)
    before = page.locator(".bar").bounding_box()["y"]
    tap(page, 12)
    page.wait_for_selector(".choice [data-move='12-13']")
    assert page.locator(".bar").bounding_box()["y"] == before


@pytest.mark.parametrize("wide", [320, *only_long(390)])
def test_the_bar_is_one_row_on_a_phone(site, visit, wide):
    made = site.played("number-line-duel", "10-11", options={"numbers": 15})
    page = visit(f"/m/{made['id']}#seat={made['token']}", wide=wide, high=844)
    page.wait_for_selector("[aria-label='Take back 10 and 11']")
    tops = {round(one.bounding_box()["y"]) for one in page.locator(".bar .button:visible").all()}
    assert page.locator(".bar .button:visible").count() == 4
    assert len(tops) == 1


@pytest.mark.parametrize("wide", [320, *only_long(390, 1280)])
def test_the_invitation_is_the_first_thing_to_do(site, visit, wide):
    page = visit("/play/sequence-duel", wide=wide, high=844)
    page.click("text=A friend, by link")
    page.click("text=Make the link")
    page.wait_for_selector(".invitation .link")
    assert status(page) == "Send this link to your opponent."
    copy, tile = (
        page.locator(what).first.bounding_box()
        for what in (".invitation .primary:visible", ".board .tile")
    )
    if wide == 1280:  # next to the board, which is where it will be
        board = page.locator(".board").bounding_box()
        assert copy["x"] > board["x"] + board["width"]
        assert copy["y"] + copy["height"] < 400
    else:
        assert copy["y"] < tile["y"] < 844
    page.click(".invitation >> text=QR code")
    page.wait_for_selector(".qr:visible")
    assert not scrolls_sideways(page)
    assert axe_faults(page) == []
    if wide == 1280:
        assert page.locator(".board .tile").first.bounding_box()["y"] == tile["y"]


def test_without_a_review_the_next_step_is_a_rematch(site, visit):
    page = against(site, visit, "novice")
    wait_for_turn(page)
    page.route("**/review", lambda route: route.fulfill(status=503, body="{}"))
    page.click(".bar >> text=Menu")
    page.click("text=Resign")
    page.click("text=Yes, resign")
    page.wait_for_selector(f"{PRIMARY}:has-text('Rematch')")
    assert (status(page), page.inner_text(".why")) == ("You lose.", "You resigned.")
