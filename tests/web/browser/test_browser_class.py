"""A class in a real browser: a teacher and pupils, each in a context of their own."""

from __future__ import annotations

import json

import pytest
from browser_playing import scrolls_sideways, wait_for_turn
from test_browser_everybody import axe_faults

WALL = {"width": 1920, "height": 1080}


def start_class(visit, path="/"):
    """A class that was started from the lobby, or at its door: the teacher's page, and the code."""
    teacher = visit(path)
    if path == "/":
        teacher.click("text=A class")
    teacher.click("text=Start a class")
    teacher.wait_for_selector(".joining .code")
    return teacher, teacher.inner_text(".joining .code")


def come_in(visit, code, name, **room):
    """A pupil who types the code and a name, or takes a made-up one."""
    page = visit("/class", wide=360, high=740, **room)
    page.fill("[name=code]", f" {code.upper()} ")
    page.click("button:has-text('Join')")
    return say_name(page, name)


def say_name(page, name):
    page.wait_for_selector("h1:has-text('Join the class')")
    if name:
        page.fill("[name=name]", name)
        page.click("button:has-text('Join')")
    else:
        page.click("text=Give me a made-up name")
    return page


def come_all(visit, teacher, code, *names):
    pupils = [come_in(visit, code, name) for name in names]
    for page in pupils:
        page.wait_for_selector("h1:has-text('Hello')")
    teacher.wait_for_selector(f"h2:has-text('{len(names)} pupils are here')")
    return pupils


def start_round(teacher, number, *pupils):
    """Everybody is at a board: their matches."""
    before = [page.url for page in pupils]
    teacher.click(f"text=Start round {number}")
    for page, url in zip(pupils, before, strict=True):
        page.wait_for_url(lambda now, url=url: "/m/" in now and now != url, wait_until="commit")
        wait_for_seat(page)
    return [page.url.rpartition("/")[2] for page in pupils]


def wait_for_seat(page):
    page.wait_for_selector(".player-note:has-text('you')", state="attached")


def secret(page, code):
    kept = page.evaluate("key => localStorage.getItem(key)", f"duels.class.{code}")
    return json.loads(kept)["pupil"]


def by_seat(site, code, match, *pupils):
    """The pages of two pupils, in the order in which they move."""
    path = f"/api/matches/{match}"
    return sorted(pupils, key=lambda page: site.call("GET", path, token=secret(page, code))["you"])


def move_by_taps(page):
    """Tap the first number that the board offers, as on a phone."""
    assert wait_for_turn(page)
    page.click(".tile.legal >> nth=0")
    page.click(".choice .button >> nth=0")


def play_out(site, code, match, *pupils):
    """Play a match of two pupils to its end, each with the secret of their device."""
    secrets = [secret(page, code) for page in by_seat(site, code, match, *pupils)]
    state = site.call("GET", f"/api/matches/{match}")
    while not state["outcome"]:
        sent = {"ply": state["ply"], "move": state["legal"][-1]}
        token = secrets[state["to_move"] - 1]
        state = site.call("POST", f"/api/matches/{match}/moves", sent, token)
    return state


def together(matches):
    """The places of two pupils who play each other."""
    return next(
        (one, two)
        for one, match in enumerate(matches)
        for two in range(one + 1, len(matches))
        if match == matches[two]
    )


def test_a_class_plays_a_round(site, visit):
    teacher, code = start_class(visit, "/class")
    link = f"/class/{code}"  # as the QR code has it
    pupils = [say_name(visit(link, wide=320, high=640), name) for name in ("Ann", "Bob")]
    teacher.wait_for_selector("h2:has-text('2 pupils are here')")
    events = f"/api/classes/{code}/events"
    with pupils[0].expect_request(
        lambda asked: events in asked.url and "/m/" in asked.frame.url
    ) as stream:
        match, same = start_round(teacher, 1, *pupils)
    assert "?key=" in stream.value.url  # charged to the class, not to the school's address
    assert match == same
    first, second = by_seat(site, code, match, *pupils)
    move_by_taps(first)
    assert wait_for_turn(second)
    play_out(site, code, match, first, second)
    teacher.wait_for_selector("text=Round 1 is finished.")
    teacher.wait_for_selector(".roster:has-text('1 point')")
    teacher.click("text=End the lesson")
    teacher.click("text=Yes, remove everything")
    for page in (teacher, first, second):
        page.wait_for_selector("text=The lesson is over.")


def test_a_lost_request_keeps_no_pupil_from_the_board(visit):
    teacher, code = start_class(visit, "/class")
    ann, bob = come_all(visit, teacher, code, "Ann", "Bob")
    asked = []

    def lose_first(route):
        asked.append(route.request.url)
        return route.abort() if len(asked) == 1 else route.continue_()

    ann.route(f"**/api/classes/{code}", lose_first)
    start_round(teacher, 1, ann, bob)
    assert len(asked) > 1


def open_wall(teacher):
    wall = teacher.context.new_page()
    wall.set_viewport_size(WALL)
    wall.goto(f"{teacher.url}/wall")
    wall.wait_for_selector(".wall-board >> nth=1")
    return wall


def pause_and_go_on(teacher, mover):
    teacher.click("text=Pause")
    mover.wait_for_selector(".status:has-text('The class is paused.')")
    assert mover.locator(".tile.legal").count() == 0
    teacher.click("text=Resume")
    mover.wait_for_selector(".status:not(:has-text('paused'))")


def end_game_on(wall):
    """Enlarge the board that is still played, ask the coach, and let its person win."""
    wall.click(".wall-board:not(.over)")
    wall.click("text=Show what the coach knows")
    wall.wait_for_selector(".large-board .tile.lose, .large-board .tile.win")
    wall.click("text=End this game")
    wall.click(".end-game .button:not(:has-text('The computer'))")
    wall.wait_for_selector(".large-board .status:has-text('wins')")
    wall.click("text=All boards")


def assert_new_boards_in_view(wall):
    wall.wait_for_selector("h1:has-text('Round 2')")
    wall.wait_for_selector(".wall-board >> nth=1")
    assert wall.locator(".wall-board.over").count() == 0
    for board in wall.locator(".wall-board").all():
        box = board.bounding_box()
        assert box["x"] + box["width"] <= WALL["width"]
        assert box["y"] + box["height"] <= WALL["height"]


@pytest.mark.long
def test_a_class_plays_two_rounds(site, visit):
    teacher, code = start_class(visit)
    pupils = come_all(visit, teacher, code, "Ann", "Bob", None)
    matches = start_round(teacher, 1, *pupils)
    one, two = together(matches)
    (odd,) = {0, 1, 2} - {one, two}
    assert pupils[odd].locator(".player .who:has-text('The computer')").count() == 1

    wall = open_wall(teacher)
    late = come_in(visit, code, "Dan")
    late.wait_for_selector("text=Wait for the next round")
    wall.wait_for_selector(".wall-waiting:has-text('Dan')")
    late.reload()
    late.wait_for_selector("h1:has-text('Hello, Dan')")

    mover, _ = by_seat(site, code, matches[one], pupils[one], pupils[two])
    move_by_taps(mover)
    wall.wait_for_selector(".wall-board:has-text('1 move') .tile.gone", state="attached")
    struck = "node => getComputedStyle(node).textDecorationLine"
    assert wall.eval_on_selector(".wall-board .tile.last .number", struck) == "line-through"
    assert axe_faults(wall, ("light",)) == []

    pupils[two].goto(f"{site.address}/class/{code}")  # closed, and opened again by the code alone
    pupils[two].wait_for_url(f"**/m/{matches[two]}")
    wait_for_seat(pupils[two])
    pause_and_go_on(teacher, mover)

    play_out(site, code, matches[one], pupils[one], pupils[two])
    pupils[one].wait_for_selector("text=Back to the class")
    wall.wait_for_selector(".wall-board.over:has-text('won')")
    wall.wait_for_selector(".wall-leaders:has-text('1')")
    end_game_on(wall)
    teacher.wait_for_selector("text=Round 1 is finished.")

    everybody = [*pupils, late]
    again = start_round(teacher, 2, *everybody)
    assert len(set(again)) == 2
    pairs = {frozenset(i for i, match in enumerate(again) if match == one) for one in again}
    assert frozenset((one, two)) not in pairs
    assert_new_boards_in_view(wall)

    teacher.click("text=End the lesson")
    teacher.click("text=Yes, remove everything")
    teacher.wait_for_selector("text=The lesson is over.")
    everybody[0].wait_for_selector("text=The lesson is over.")
    left = everybody[0].evaluate("JSON.stringify(localStorage)")
    assert [word for word in (code, *matches, *again, "Ann", "Bob", "Dan") if word in left] == []


def test_waiting_pupils_see_the_board_and_the_rules_of_the_first_round(visit):
    teacher, code = start_class(visit, "/class")
    pupil = come_in(visit, code, "Ann")
    pupil.wait_for_selector(".board-preview:has-text('Cross out the last number') .tile")
    teacher.select_option("label:has-text('The game') select", "divisor-duel")
    pupil.wait_for_selector(".board-preview:has-text('divisible by 12')")
    assert pupil.locator(".board-preview .tile").count() == 9
    assert not scrolls_sideways(pupil)
    start_round(teacher, 1, pupil)
    pupil.wait_for_selector("h1:has-text('Divisor Duel')")
    late = come_in(visit, code, "Bob")
    late.wait_for_selector("text=Wait for the next round.")
    late.wait_for_selector(".board-preview:has-text('divisible by 12') .tile")


def test_a_teacher_gets_questions_and_warnings_in_plain_words(visit):
    teacher, code = start_class(visit, "/class")
    own_link = teacher.locator("section:has(button:text('Copy my own link'))")
    assert "Do not show it or its QR code to pupils: it opens this page." in own_link.inner_text()
    pupil = come_in(visit, code, "Ann")
    teacher.wait_for_selector("h2:has-text('1 pupil is here')")
    start_round(teacher, 1, pupil)
    teacher.click("text=Start round 2")
    teacher.wait_for_selector("button:text('1 game is unfinished: start round 2 anyway')")
    teacher.click("text=End the lesson")
    teacher.wait_for_selector("text=This removes the class, its names and its games.")
    teacher.click("text=Keep the class")


def test_a_pause_stops_the_clock_where_it_is(visit):
    teacher, code = start_class(visit, "/class")
    pupil = come_in(visit, code, "Ann")
    teacher.wait_for_selector("h2:has-text('1 pupil is here')")
    teacher.click("text=More choices")
    teacher.select_option("label:has-text('Time') select", "30")
    start_round(teacher, 1, pupil)
    pupil.wait_for_selector(".clock.running:has-text('0:28')")
    teacher.click("text=Pause")
    pupil.wait_for_selector("text=The class is paused.")
    shown = pupil.inner_text(".clock.running")
    assert "0:05" < shown <= "0:28"
    teacher.click("text=Resume")
    running = "shown => document.querySelector('.clock.running').textContent < shown"
    pupil.wait_for_function(running, arg=shown)


@pytest.mark.long
def test_another_device_gets_in_by_the_teachers_tap_and_no_other_way(site, visit):
    teacher, code = start_class(visit)
    ann, _bob = come_all(visit, teacher, code, "Ann", "Bob")
    other, third = come_in(visit, code, "ann"), come_in(visit, code, "ANN")
    other.wait_for_selector("text=There is already a pupil called Ann. If that is you")
    third.wait_for_selector("text=One moment")
    teacher.wait_for_selector(".device-request >> nth=1")
    yes, no = (page.inner_text("main strong") for page in (other, third))  # what they show
    teacher.click(f"[aria-label='No to {no}']")
    third.wait_for_selector("text=Your teacher did not let this device in.")
    teacher.click(f"[aria-label='Let {yes} in']")
    other.wait_for_selector("h1:has-text('Hello, Ann')")
    fourth = come_in(visit, code, "Ann")
    fourth.wait_for_selector("text=One moment")
    fourth.click("text=Take another name")
    fourth.wait_for_selector("h1:has-text('Join the class')")
    fourth.fill("[name=name]", "Annabel")
    fourth.click("button:has-text('Join')")
    fourth.wait_for_selector("h1:has-text('Hello, Annabel')")
    teacher.wait_for_selector(".device-request", state="detached")
    matches = start_round(teacher, 1, ann, other)
    assert matches[0] == matches[1]


@pytest.mark.long
def test_a_teacher_renames_removes_and_pairs_by_hand(site, visit):
    teacher, code = start_class(visit)
    ann, bob = come_all(visit, teacher, code, "Ann", "Bob")
    teacher.click("button[aria-label='Change Ann']")
    teacher.fill(".roster-edit input", "Anna")
    teacher.click(".roster-edit >> text=Rename")
    ann.wait_for_selector("h1:has-text('Hello, Anna')")
    start_round(teacher, 1, ann, bob)
    late = come_in(visit, code, "Cleo")
    teacher.wait_for_selector(".pairing:visible")
    teacher.click("text=Pair them")
    late.wait_for_url("**/m/*")
    late.wait_for_selector(".player .who:has-text('The computer')")
    teacher.click("button[aria-label='Change Bob']")
    teacher.click(".roster-edit >> text=Remove")
    teacher.wait_for_selector("h2:has-text('2 pupils are here')")
    bob.wait_for_selector("text=You are not in this class any more.")
    bob.wait_for_selector("h1:has-text('Join the class')")
    ann.wait_for_selector("text=Back to the class")


@pytest.mark.long
def test_the_teachers_secret_leaves_the_address_and_opens_the_page_elsewhere(site, visit):
    made = site.call("POST", "/api/classes", {})
    link = f"/class/{made['code']}#teacher={made['token']}"
    for _ in range(2):
        page = visit(link)
        page.wait_for_selector("h1:has-text('Your class')")
        assert made["token"] not in page.url
        page.reload()
        page.wait_for_selector("h1:has-text('Your class')")
    wrong = visit(f"/class/{made['code']}#teacher=wrong")
    wrong.wait_for_selector("h1:has-text('Join the class')")


@pytest.mark.long
def test_results_are_shown_saved_and_looked_at_as_puzzles(site, visit, tmp_path):
    teacher, code = start_class(visit)
    ann, bob = come_all(visit, teacher, code, "Ann", "Bob")
    matches = start_round(teacher, 1, ann, bob)
    play_out(site, code, matches[0], ann, bob)
    teacher.wait_for_selector("text=Round 1 is finished.")
    teacher.click("text=Show the results")
    teacher.wait_for_selector(".standings tbody tr >> nth=1")
    points = teacher.locator(".standings tbody td:nth-child(2)").all_inner_texts()
    assert sorted(points) == ["0", "1"]
    teacher.wait_for_selector("text=Wins kept: how many of their chances to win a pupil took")
    with teacher.expect_download() as saving:
        teacher.click("text=Save as a table")
    saving.value.save_as(tmp_path / "table.csv")
    assert "Ann" in (tmp_path / "table.csv").read_text("utf-8-sig")
    teacher.click(".turns .wall-board >> nth=0")
    teacher.wait_for_selector("text=Which move wins?")
    assert "Ann" not in teacher.inner_text(".turns ~ div")
    teacher.click("text=Show the answer")
    teacher.wait_for_selector(".large-board .reason:visible")


@pytest.mark.long
def test_a_wall_of_fifteen_large_boards_is_whole_on_a_projector(site, visit):
    made = site.call("POST", "/api/classes", {})
    path, token = f"/api/classes/{made['code']}", made["token"]
    for number in range(30):
        joined = {"name": f"Pupil {number}", "token": f"{number:032}"}
        site.call("POST", f"{path}/join", joined)
    plan = {"game": "number-duel", "options": {"numbers": 100}}
    site.call("POST", f"{path}/plan", plan, token)
    site.call("POST", f"{path}/rounds", {"round": 1}, token)
    wall = visit(f"/class/{made['code']}#teacher={token}", wide=1920, high=1080)
    wall.wait_for_selector("text=Show the wall")
    wall.click("text=Show the wall")
    wall.wait_for_selector(".wall-board >> nth=14")
    bottoms = [one.bounding_box() for one in wall.locator(".wall-board").all()]
    assert max(box["y"] + box["height"] for box in bottoms) <= 1080
    size = wall.evaluate("parseFloat(getComputedStyle(document.querySelector('.tile')).fontSize)")
    assert size >= 10


@pytest.mark.long
def test_axe_finds_nothing_on_the_pages_of_a_class_and_they_fit_a_small_phone(site, visit):
    teacher, code = start_class(visit)
    pupils = come_all(visit, teacher, code, "Ann", "Bob", "שלום evil " + "x" * 25)
    asking = come_in(visit, code, "Ann")
    asking.wait_for_selector("text=One moment")
    teacher.wait_for_selector("text=Let it in")
    door = visit(f"/class/{code}", wide=320)
    door.wait_for_selector("h1:has-text('Join the class')")
    pages = [teacher, pupils[2], asking, door, visit("/class"), visit("/class/privacy")]
    pages += [visit(f"/print{path}") for path in ("", "/lines", "/plan/sequence-duel")]
    pages += [visit("/print/puzzles/number-duel/3"), visit("/print/board/100")]
    for page in pages:
        assert axe_faults(page) == [], page.url
        page.set_viewport_size({"width": 320, "height": 640})
        assert not scrolls_sideways(page), page.url
    matches = start_round(teacher, 1, *pupils)
    one, two = together(matches)
    play_out(site, code, matches[one], pupils[one], pupils[two])
    teacher.wait_for_selector("text=1 game in progress")
    teacher.click("text=Show the results")
    teacher.wait_for_selector(".standings")
    teacher.click(".roster .button >> nth=0")
    over = pupils[one]
    over.wait_for_selector("text=Back to the class")
    over.click("text=Back to the class")
    over.wait_for_selector("text=Look at your game")
    wall = visit(f"/class/{code}#teacher={kept_teacher(teacher, code)}")
    wall.wait_for_selector("text=Show the wall")
    wall.click("text=Show the wall")
    wall.wait_for_selector(".wall-board")
    for page in (teacher, over, wall):
        assert axe_faults(page) == [], page.url
        page.set_viewport_size({"width": 320, "height": 640})
        assert not scrolls_sideways(page), page.url
    wall.click(".wall-board >> nth=0")
    wall.wait_for_selector(".large-board")
    assert axe_faults(wall) == []
    assert not scrolls_sideways(wall)


def kept_teacher(page, code):
    kept = page.evaluate("key => localStorage.getItem(key)", f"duels.class.{code}")
    return json.loads(kept)["teacher"]


@pytest.mark.long
@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_sheets_fit_on_their_paper(site, visit, size):
    page = visit("/print")
    paths = page.eval_on_selector_all("main a", "all => all.map(one => one.pathname)")
    sheets = [path for path in paths if path.startswith("/print/")]
    games = site.call("GET", "/api/games")["games"]
    assert len(sheets) == 5 + 3 * len(games)
    for path in [*sheets, "/class/privacy"]:
        page.goto(site.address + path)
        printed = page.pdf(format=size)
        assert printed.count(b"/Type /Page\n") == (2 if "puzzles" in path else 1), path
