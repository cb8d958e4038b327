"""Lessons, puzzles and your own games as requests: what a response reveals, and what not."""

from __future__ import annotations

import json
from datetime import date

import pytest
from servers import Seat, create

import duels
from duels.coach.daily import daily_puzzle
from duels.coach.lessons import TRIES, lesson_of
from duels.match.match import Seat as Side
from duels.match.match import new_match
from duels.match.records import write_json
from duels.pages.routes import rules_page
from duels.pages.shell import page_html
from duels.pages.templates import Host
from own_games import EuclidDuel

GAMES = duels.GAMES
LESSONS = {game_id: lesson_of(kind) for game_id, kind in GAMES.items()}


def get(http, path):
    answer = http.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(http, path, **body):
    answer = http.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def answer(http, game, step, said, wrong=0):
    return post(http, f"/api/lessons/{game}/answer", step=step, answer=said, wrong=wrong)


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_gives_nothing_away_before_an_answer(http, game):
    shown = get(http, f"/api/lessons/{game}")
    steps = LESSONS[game].steps
    assert [step["title"] for step in shown["steps"]] == [step.title for step in steps]
    said = json.dumps(shown)
    for step in steps:
        for secret in (step.right, step.hint, step.otherwise, *step.wrong.values()):
            assert not secret or json.dumps(secret)[1:-1] not in said
    assert not {"accepted", "right", "hint", "wrong"} & shown["steps"][0].keys()


def test_a_hint_draws_what_the_step_names_and_never_the_answer(http):
    def drawn(game, step):
        return get(http, f"/api/lessons/{game}/hint?step={step}")["drawing"]

    pairs = [{"cells": [0, 6], "kind": "partners"}, {"cells": [1, 5], "kind": "partners"}]
    assert drawn("number-duel", 6)["links"][:2] == pairs
    assert drawn("number-line-duel", 4)["links"][0]["label"] == "length 3"
    assert drawn("divisor-duel", 3)["labels"]["1"] == "leaves 1"
    assert drawn("divisor-duel", 2)["labels"] == {}  # the digit that leaves 0 is the answer
    for game, lesson in LESSONS.items():
        for number, step in enumerate(lesson.steps, start=1):
            assert not step.hint or drawn(game, number)["winning"] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_step_can_be_answered_and_the_theory_decides_the_answers(http, game):
    for number, step in enumerate(LESSONS[game].steps[:-1], start=1):
        for accepted in step.accepted[:2]:
            reply = answer(http, game, number, accepted)
            assert reply["is_right"]
            assert step.right in reply["lines"][0]
            moved = reply["position"]["ply"] - len(step.position.moves)
            assert moved == step.asks.is_move
        assert (get(http, f"/api/lessons/{game}/hint?step={number}")["text"]) == step.hint


def test_wrong_answers_get_a_reason_then_a_hint_then_the_answer(http):
    replies = [answer(http, "number-line-duel", 1, "5", wrong) for wrong in range(TRIES)]
    assert [reply["is_right"] for reply in replies] == [False] * TRIES
    assert [reply["is_shown"] for reply in replies] == [False, False, True]
    assert replies[0]["lines"] == ["Then they cross out 6. That was the last number, so they win."]
    assert replies[1]["lines"][1].startswith("Hint: ")
    assert replies[2]["lines"][1].startswith("The answer is 5 and 6 together. ")


def test_an_unreadable_answer_gets_a_sentence(http):
    path = "/api/lessons/number-line-duel/answer"
    for said, status in (("1", 422), ("x", 400)):
        refused = http.post(path, json={"step": 1, "answer": said})
        assert refused.status_code == status
        assert refused.json()["detail"].endswith(".")
    assert http.post(path, json={"step": 99, "answer": "1"}).status_code == 422
    assert http.get("/api/lessons/chess").status_code == 404


def test_the_game_at_the_end_begins_where_the_lesson_says(http):
    last = get(http, "/api/lessons/number-chain-duel")["steps"][-1]
    position, you = last["position"], last["you"]
    made = create(
        http,
        position["game"],
        "computer",
        options=position["options"],
        moves=position["moves"],
        level=last["opponent"],
        first=you,
    )
    assert made["seat"] == you
    assert made["state"]["moves"] == position["moves"]
    assert get(http, f"/api/matches/{made['id']}")["moves"][: position["ply"]] == position["moves"]
    for won in ("won", "lost"):
        reply = answer(http, position["game"], 8, won)
        assert reply["is_right"] == (won == "won")
        assert reply["lines"][0]


def test_a_match_may_begin_with_moves_and_is_played_on(http):
    more = {"options": {"numbers": 9}, "moves": ["4", "2"]}
    made = create(http, "number-chain-duel", "here", **more)
    seat = Seat(http, made["id"], made["token"])
    path, headers = f"/api/matches/{made['id']}", {"Authorization": f"Bearer {made['token']}"}
    back = http.post(f"{path}/takeback", json={"ply": 2}, headers=headers)
    assert (back.status_code, back.json()["detail"]) == (422, "There is no move to take back.")
    seat.move(2, "8")
    assert seat.state()["moves"] == ["4", "2", "8"]
    over = {"game": "number-chain-duel", "mode": "here", "moves": ["4", "2", "8", "1", "5"]}
    assert http.post("/api/matches", json=over).status_code == 422
    wrong = over | {"moves": ["4", "3"]}
    assert http.post("/api/matches", json=wrong).status_code == 422


def test_a_puzzle_follows_from_its_seed_and_does_not_tell_its_answer(http):
    path = "/api/puzzle?game=sequence-duel&difficulty=medium&seed="
    one, again, other = (get(http, path + seed) for seed in "335")
    assert one == again != other
    assert one["question"] == "One move wins. Which?"
    assert "winning" not in json.dumps(one)


def test_moves_of_a_puzzle_are_right_or_really_refuted(http):
    posed = get(http, "/api/puzzle?game=sequence-duel&difficulty=medium&seed=3")["position"]
    line = {name: posed[name] for name in ("game", "options", "moves")}
    here = duels.game(posed["game"], **posed["options"]).position(*posed["moves"])
    winning = [str(move) for move in duels.solve(here).winning_moves]
    for move in posed["legal"]:
        tried = post(http, "/api/puzzle/try", **line, move=move)
        assert tried["is_right"] == (move in winning)
        after = here.play(int(move))
        if not tried["is_right"] and not after.outcome:
            *_, played, refutation = tried["position"]["moves"]
            assert played == move
            assert int(refutation) in duels.solve(after).winning_moves
    gave_up = post(http, "/api/puzzle/try", **line)
    assert not gave_up["is_right"]
    assert gave_up["words"].startswith(f"The answer is {winning[0]}")
    first = post(http, "/api/puzzle/hint", **line)
    last = post(http, "/api/puzzle/hint", **line, stage=first["stages"])
    assert winning[0] not in first["text"]
    assert (first["next"], last["next"]) != ("", "")
    assert last["next"] == ""


def test_a_lost_position_is_not_a_puzzle(http):
    lost = {"game": "number-chain-duel", "options": {"numbers": 9}, "moves": ["7"], "move": "1"}
    assert http.post("/api/puzzle/try", json=lost).status_code == 422


def test_the_puzzle_of_a_day_is_the_terminals(http):
    day = date(2027, 1, 31)
    there = daily_puzzle(day)
    here = get(http, f"/api/daily/{day}")
    assert here["position"]["game"] == there.position.game.id
    assert here["position"]["moves"] == [*map(there.position.game.format, there.position.moves)]
    assert http.get("/api/daily/tomorrow").status_code == 422


def test_a_day_is_shared_without_its_answer_and_counts_once(http):
    solved = {"tries": 2, "is_solved": True, "today": "2027-01-31"}
    path = "/api/daily/2027-01-31/share"
    shared = post(http, path, **solved, counted=["2027-01-30", "2027-01-29", "2027-01-20"])
    assert shared["lines"][0].startswith("Number Duels 2027-01-31: ")
    assert shared["lines"][1:] == ["Solved in 2 tries, 3 days in a row"]
    assert shared["squares"] == ["wrong", "solved"]
    assert (shared["counts"], shared["in_a_row"], shared["most"]) == (True, 3, 3)
    late = post(http, path, **solved | {"today": "2027-02-02"}, counted=["2027-01-30"])
    assert (late["counts"], late["in_a_row"], late["most"]) == (False, 0, 1)
    first = post(http, path, **solved, counted=["2027-01-20", "2027-01-21"])
    assert first["streak"] == "Your streak: 1 day. Your longest streak: 2 days."
    assert http.post(path, json=solved | {"counted": ["never"]}).status_code == 422


def test_ones_own_games_are_reviewed_and_their_mistakes_are_puzzles(http):
    made = create(http, "number-chain-duel", "here", options={"numbers": 9}, names=["Ann", "Bob"])
    seat = Seat(http, made["id"], made["token"])
    for ply, move in enumerate(("4", "2", "8", "1", "5")):
        seat.move(ply, move)
    record = http.get(f"/api/matches/{made['id']}/record?format=json").content
    seen = get(http, f"/api/matches/{made['id']}/review")
    (told,) = http.post("/api/reviews", content=record).json()["matches"]
    assert told["chances"] == seen["chances"]
    assert told["lines"] == seen["end"]["lines"]
    turns = sorted(len(posed["position"]["moves"]) + 1 for posed in told["puzzles"])
    assert turns == seen["turning_points"] != []
    posed = told["puzzles"][0]
    assert "gave the win away" in posed["source"]


def test_a_review_of_ones_own_game_speaks_to_the_winner(http):
    match = new_match(duels.game("number-chain-duel", numbers=9), ("Ann", Side("it", "casual")))
    for move in (7, 1, 5):
        match = match.play(move)
    (told,) = http.post("/api/reviews", content=write_json(match)).json()["matches"]
    assert told["lines"][0]["text"] == "Neither player made a losing mistake."


def test_strength_follows_the_games_as_at_the_terminal(http):
    up = post(http, "/api/strength", strength=25, won=True)
    assert up == {"rating": 626, "games": 1, "strength": 100}
    down = post(http, "/api/strength", **up, won=False)
    assert down == {"rating": 411, "games": 2, "strength": 33}
    assert post(http, "/api/strength", strength=25, games=2000, won=True)["games"] == 2001
    for wrong in ({"strength": 101}, {"strength": 25, "rating": 701}):
        assert http.post("/api/strength", json={**wrong, "won": True}).is_error


def html_of(kind):
    return page_html(rules_page(kind), Host("../")).file.content.decode()


def test_a_game_without_a_lesson_has_none_and_is_learned_all_the_same():
    assert "lesson-area" in html_of(GAMES["sequence-duel"])
    assert not EuclidDuel.lesson_text()
    assert "lesson-area" not in html_of(EuclidDuel)


@pytest.mark.parametrize("path", ["/puzzle", "/daily", "/me", "/play/sequence-duel"])
def test_the_new_pages_have_texts_for_link_previews(http, path):
    page = http.get(path)
    assert page.status_code == 200
    assert '<meta name="description" content="' in page.text
    assert http.get("/play/chess").status_code == 404


@pytest.mark.parametrize(
    ("lesson", "sentence"),
    [
        (b"x = " + b"[" * 5000, "The lesson of Square Duel cannot be read: it is nested too "),
        (b"\xff\xfe", "The file own.toml of Square Duel cannot be read: it is not UTF-8 text."),
    ],
)
def test_a_lesson_that_cannot_be_read_is_a_sentence_in_its_place(
    start_server, pytestconfig, tmp_path, lesson, sentence
):
    own = tmp_path / "own.py"
    own.write_text((pytestconfig.rootpath / "docs/examples/square_duel.py").read_text())
    own.with_suffix(".toml").write_bytes(lesson)
    http = start_server(game=own).http
    shown = http.get("/learn/square-duel")
    assert shown.status_code == 200
    assert "lesson-area" in shown.text  # which asks for the lesson, and shows the answer
    refused = http.get("/api/lessons/square-duel")
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith(sentence)
    assert http.get("/print/plan/square-duel").status_code == 200
    assert "square-duel" in {game["game"] for game in get(http, "/api/games")["games"]}


def test_rules_and_cards_that_cannot_be_read_spoil_no_other_page(
    start_server, pytestconfig, tmp_path
):
    own = tmp_path / "own.py"
    own.write_text((pytestconfig.rootpath / "docs/examples/square_duel.py").read_text())
    own.with_suffix(".md").write_bytes(b"\xff\xfe")
    with own.with_suffix(".png").open("wb") as card:
        card.truncate(2**30)
    http = start_server(game=own).http
    sentence = "The file own.md of Square Duel cannot be read: it is not UTF-8 text."
    for path in ("learn", "print/rules", "print/plan"):
        page = http.get(f"/{path}/square-duel", headers={"Accept": "text/html"})
        assert page.status_code == 422
        assert sentence in page.text
    assert http.get("/api/rules/square-duel").json()["detail"] == sentence
    for path in ("/", "/learn", "/learn/number-duel", "/print", "/play/square-duel"):
        assert http.get(path).status_code == 200, path


def test_items_in_the_text_of_a_lesson_are_a_list(http):
    steps = get(http, "/api/lessons/number-line-duel")["steps"]
    worth = [part for step in steps for part in step["text"] if isinstance(part, list)]
    assert worth[0][0] == "a run of one number is worth 1"
    assert len(worth) == 2
    texts = [part for step in steps for part in step["text"] if isinstance(part, str)]
    assert not any(text.startswith("- ") for text in texts)


def test_the_rules_come_in_short_with_an_example_for_the_options(http):
    found = get(http, "/api/rules/number-duel?numbers=30&criteria=factor,digit-sum")
    fits = "a factor or a multiple of {}, or a number that has the same digit sum."
    assert (
        found["in_short"] == f"Take {fits.format('the last number')} If no number fits, you lose."
    )
    assert found["caption"] == f"An example, after 12, 2 and 4. Your turn: {fits.format(4)}"
    assert found["example"]["moves"] == ["12", "2", "4"]
    assert found["example"]["legal"] == ["1", "8", "13", "16", "20"]
    assert found["markdown"].startswith("# Number Duel")
    usual = get(http, "/api/rules/divisor-duel")
    assert "divisible by 13 and you win" in usual["in_short"]
    assert usual["caution"] is None
    dead = http.get("/api/rules/divisor-duel?divisor=97").json()
    assert dead["caution"].startswith("With 97, Player 2 wins unless")
    assert http.get("/api/rules/number-duel?numbers=0").status_code == 422
    assert http.get("/api/rules/number-duel?colour=red").status_code == 422


def test_the_board_of_any_position_can_be_seen(http):
    found = get(http, "/api/position?game=number-line-duel&numbers=15")
    assert found["board"]["rows"] == [[str(number) for number in range(1, 16)]]
    assert (found["moves"], found["to_move"]) == ([], 1)
    moved = get(http, "/api/position?game=number-line-duel&numbers=15&moves=5-6")
    assert (moved["moves"], moved["to_move"]) == (["5-6"], 2)
    assert moved["moves_in_words"] == ["5 and 6"]
    assert http.get("/api/position?game=number-line-duel&numbers=9000").status_code == 422
