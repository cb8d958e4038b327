"""Pages: readable without a script, with what their scripts begin with, and on paper."""

from __future__ import annotations

import json
import re
import struct
from urllib.parse import urljoin

import pytest
from page_reading import PAGES, SHEETS, Read, look_at
from servers import create, serving

import duels
from duels import whole
from duels.pages.print_sheets import puzzle_sheet
from duels.pages.routes import rules_page
from duels.pages.shell import page_html
from duels.pages.templates import Host, embedded
from duels.server.config import Config
from own_games import EuclidDuel


def html_of(kind):
    """The page with the rules of a game."""
    return page_html(rules_page(kind), Host("../")).file.content.decode()


def test_every_page_has_a_title_and_a_description(http):
    known = create(http, "number-duel", "here")["id"]
    seen = [Read(look_at(http, path.replace("ID", known))) for path in PAGES + SHEETS]
    for read in seen:
        assert 40 <= len(read.meta("description")) <= 200
        assert read.meta("og:description") == read.meta("description")
        assert read.meta("og:title").endswith(("Number Duels", "for two"))
    assert len({read.meta("og:title") for read in seen[:5] + seen[6:]}) == 13


@pytest.mark.parametrize("game", duels.GAMES)
def test_rules_are_read_without_a_script_and_have_a_picture(http, game):
    path = f"/learn/{game}"
    read = Read(http.get(path))
    text = duels.GAMES[game].rules_text()
    for line in re.findall(r"\*\*R\d+\*\* ([\w ]+)", text.partition("## Corrections")[0]):
        assert line in read.words
    assert "How to win" in read.words
    assert "Corrections" not in read.words
    assert "#" not in read.words
    assert "*" not in read.words
    picture = http.get(urljoin(path, read.meta("og:image")))
    assert f"/cards/{game}." in read.meta("og:image")
    assert picture.headers["content-type"] == "image/png"
    assert struct.unpack(">II", picture.content[16:24]) == (1200, 630)


def test_learn_links_to_every_game_without_a_script(http):
    read = Read(http.get("/learn"))
    for game, kind in duels.GAMES.items():
        assert f"./learn/{game}" in read.all("a", "href")
        assert kind.title in read.words
        assert kind.summary in read.words
    first = http.get("/api/games").json()["games"][0]["game"]
    for path in ("/learn", f"/learn/{first}"):
        listed = [link for link in Read(http.get(path)).all("a", "href") if "learn/" in link]
        assert listed[0].endswith(first), "the game to begin with comes first"


def test_the_first_page_is_read_without_a_script(http):
    read = Read(http.get("/"))
    for game, kind in duels.GAMES.items():
        assert f"./play/{game}" in read.all("a", "href")
        assert kind.summary in read.words
    assert "You begin, against the computer." in read.words


def test_a_page_has_the_list_of_games_in_it(http):
    for path in ("/", "/play/number-duel", "/learn", "/puzzle", "/analysis"):
        page = http.get(path)
        found = re.search(
            r'<script type="application/json" data-path="api/games">(.*?)</script>', page.text
        )
        assert json.loads(found[1]) == http.get("/api/games").json(), path


def test_the_page_of_a_match_has_its_state_in_it(http):
    """A browser may run nothing in it: names are what players typed."""
    name = "</script><script>alert(1)</script>"
    made = create(http, "number-duel", "here", names=[name, "Bob"])
    for path in (f"/m/{made['id']}", f"/m/{made['id']}/replay"):
        text = look_at(http, path).text
        _, _, rest = text.partition(f'data-path="api/matches/{made["id"]}">')
        state = json.loads(rest.partition("</script>")[0])
        assert state == http.get(f"/api/matches/{made['id']}").json()
        assert state["players"][0]["name"] == name
        assert "<script>alert" not in text


def test_a_response_in_a_page_cannot_end_its_script():
    _, text = embedded("api/x", b'{"title":"</script><script>alert(1)</script><!--"}')
    assert "<" not in text
    assert json.loads(text)["title"].startswith("</script><script>")


def test_the_entrance_of_a_class_is_in_the_page(http):
    page = Read(look_at(http, "/class"))
    assert "Loading" not in page.words
    for words in ("I am a pupil", "The code on the board", "I am a teacher", "Start a class"):
        assert words in page.words
    assert page.all("input", "name") == ["code"]


def test_the_page_of_a_class_says_nothing_about_which_there_are(http):
    made = http.post("/api/classes", json={}).json()["code"]
    there = [look_at(http, f"/class/{code}") for code in (made, "zzzzz")]
    assert [page.status_code for page in there] == [200, 200]
    assert there[0].content == there[1].content


@pytest.mark.parametrize("size", [24, 40, 50, 100])
def test_a_blank_board_has_every_number(http, size):
    words = Read(http.get(f"/print/board/{size}")).words.split()
    assert set(map(str, range(1, size + 1))) <= set(words)
    assert str(size + 1) not in words


def test_the_rules_on_paper_do_not_say_how_it_is_won(http):
    for game in duels.GAMES:
        words = Read(http.get(f"/print/rules/{game}")).words
        assert "R1" in words
        assert "How to win" not in words
        assert "How to win" in Read(http.get(f"/print/plan/{game}")).words


def test_the_questions_of_a_plan_can_be_understood_without_the_lesson(http):
    words = Read(http.get("/print/plan/sequence-duel")).words
    assert "4 with 8. The two numbers of a pair are partners. Which two numbers form" in words
    words = Read(http.get("/print/plan/number-chain-duel")).words
    assert "You can take 1, 2 or 8." in words  # and then: "Which one wins?"
    assert "next step" not in words
    words = Read(http.get("/print/plan/divisor-duel")).words
    assert "That leaves 2: the remainder. Only the remainder matters. Your digit goes" in words


def test_the_games_of_a_plan_have_the_rules_of_its_questions(http):
    words = Read(http.get("/print/plan/number-duel")).words
    assert "First games, in pairs: 1 to 30. On paper" in words
    assert "digit sum" not in words
    words = Read(http.get("/print/plan/sequence-duel")).words
    assert "First games, in pairs: 1 to 40, the first number is even: about 14 moves" in words


@pytest.mark.parametrize("game", duels.GAMES)
def test_a_sheet_of_puzzles_has_the_right_answers_and_is_the_same_every_time(game):
    sheet = puzzle_sheet(game, 1)
    assert sheet == puzzle_sheet(game, 1) != puzzle_sheet(game, 2)
    assert len(sheet) == 6
    for puzzle in sheet:
        assert puzzle.reason
        assert re.search(rf"\b{puzzle.answer}\b", puzzle.choices)


def test_a_sheet_does_not_ask_the_same_of_both_players(monkeypatch):
    class FewPositions(EuclidDuel):
        larger: int = whole("the larger number", default=25, highest=1000, is_size=True)
        smaller: int = whole("the smaller number", default=7, highest=1000)

    monkeypatch.setitem(duels.GAMES, FewPositions.id, FewPositions)
    for number in range(1, 6):
        asked = [puzzle._replace(to_move=1) for puzzle in puzzle_sheet(FewPositions.id, number)]
        assert all(asked.count(puzzle) == 1 for puzzle in asked)


def test_the_example_of_the_rules_on_paper_says_that_it_comes_after_moves(http):
    assert "An example, after 12, 2 and 4." in Read(http.get("/print/rules/number-duel")).words


def test_a_sheet_that_cannot_be_made_is_a_page_with_the_reason(tmp_path):
    with serving(Config(database=str(tmp_path / "web.sqlite3"), max_solver_seconds=0.001)) as http:
        http.get("/print/puzzles/number-duel/1")
        page = look_at(http, "/print/puzzles/number-duel/2")
    assert page.status_code == 429
    assert "try again later" in Read(page).words


def test_a_game_with_hardly_any_rules_has_a_page_and_the_picture_of_all():
    class Some(duels.GAMES["number-duel"]):
        id, title = "some-duel", "Some <Duel>"

        @classmethod
        def rules_text(cls):
            return "Take some.\n\n- **a** `<b>` & *c*\nd\n"

    page = html_of(Some)
    assert "<p>Take some.</p>" in page
    assert "<li><strong>a</strong> <code>&lt;b&gt;</code> &amp; <em>c</em>\nd</li>" in page
    assert "<h1>Some &lt;Duel&gt;</h1>" in page
    assert "How to win" not in page
    assert 'content="../static/card.' in page


def test_rules_cannot_bring_html_scripts_or_pictures_of_their_own():
    class Hostile(duels.GAMES["number-duel"]):
        id, title = "hostile-duel", "<script>alert(1)</script>"

        @classmethod
        def rules_text(cls):
            return (
                "Take <b>some</b>.\n\n<script>alert(2)</script>\n\n"
                "![x](https://other.example/x.png)\n\n[a](javascript:alert(3)) "
                "<img src=x onerror=alert(4)>\n\n<!-- strategy -->\n## How to win\n\n<i>so</i>\n"
            )

    content = html_of(Hostile)
    main = content.partition("<main")[2]
    for tag in ("<script", "<img", "<b>", "<i>so", 'href="javascript'):
        assert tag not in main
    assert "<title>&lt;script&gt;" in content
    assert "&lt;script&gt;alert(2)" in main


def test_a_list_or_nothing_before_the_rules_is_a_page_too():
    class Some(duels.GAMES["number-duel"]):
        id, title = "some-duel", "Some Duel"
        text = ""

        @classmethod
        def rules_text(cls):
            return cls.text

    assert f'<div class="lead"><p>{Some.summary}</p></div>' in html_of(Some)
    Some.text = "# Some\n\n- one\n- two\n\nmore\n"
    page = html_of(Some)
    assert page.count("<li>") == page.count("</li>") == 2
    assert "<p>more</p>" in page
