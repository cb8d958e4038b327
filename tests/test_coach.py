"""The coach: hints in stages, exact reviews, puzzles with one answer."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

import duels
from duels.coach.hints import hints, why_lines
from duels.coach.review import (
    AT_ONCE,
    FORCED,
    GAVE,
    KEPT,
    LABELS,
    NOTHING,
    SOONER,
    TOOK,
    review,
    review_data,
)
from duels.coach.summary import (
    JUDGED,
    better_in_words,
    move_in_words,
    move_lines,
    review_lines,
    summary,
)
from duels.core.board import Drawing, describe, drawn
from duels.match.match import Seat, new_match
from duels.match.players.specs import Forfeit
from duels.match.records import write_text
from duels.theory import winning_moves

GAMES = [kind.usual() for kind in duels.GAMES.values()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)

LOST = "{} could not force a win: on this board, going {} loses against good play."


def played(game_id, moves, **options):
    match = new_match(duels.game(game_id, **options), ("Ann", "Bob"), seed=1)
    for move in moves:
        match = match.play(move)
    return match


def random_match(game, seed):
    chance, match = Random(seed), new_match(game)
    while not match.outcome:
        match = match.play(chance.choice(match.position.legal_moves))
    return match


def test_hints_come_in_stages():
    *stages, why = hints(duels.game("number-chain-duel").start().play(4))
    assert [stage[:2] for stage in stages] == [
        ("Can I win?", "You can win from here."),
        ("Where should I look?", "Which number can you take so that every answer has a partner?"),
        ("Which moves win?", "Only one of three moves wins: 8."),
    ]
    assert why.text.startswith("Take 8.")


def links_of(hint, kind):
    assert all(link.kind == kind for link in hint.drawing.links)
    return {tuple(cell + 1 for cell in link.cells): link.label for link in hint.drawing.links}


def test_hints_on_a_chain_draw_the_winning_moves_then_the_partners():
    can, where, which, why = hints(duels.game("number-chain-duel").start().play(4))
    assert can.drawing == where.drawing == Drawing()
    assert which.drawing == Drawing((8,))
    assert why.drawing.winning == [8]
    assert links_of(why, "partners") == {(1, 7): "", (2, 6): ""}


@pytest.mark.parametrize("moves", [(88, 11, 18, 98, 19, 69), (2, 58), (11, 71)], ids=str)
def test_the_partners_that_a_lost_position_names_are_those_that_it_draws(moves):
    position = duels.game("number-duel").start()
    for move in moves:  # as in a match: the matching of one position is repaired for the next
        duels.solve(position)
        position = position.play(move)
    why = hints(position)[-1]
    named = {tuple(map(int, pair)) for pair in re.findall(r"(\d+) with (\d+)", why.text)}
    assert named
    assert named <= {*links_of(why, "partners")}


def test_hints_on_the_line_bracket_the_runs_then_those_that_the_move_leaves():
    _, where, which, why = hints(duels.game("number-line-duel", numbers=7).start().play(1))
    assert links_of(where, "run") == {(2, 3, 4, 5, 6, 7): "length 6"}
    assert (4, 5) in which.drawing.winning
    assert why.drawing.winning == [(4, 5)]
    assert links_of(why, "run") == {(2, 3): "length 2", (6, 7): "length 2"}


def test_hints_on_the_line_speak_of_values_where_no_equal_runs_can_be_left():
    _, where, _, why = hints(duels.game("number-line-duel", numbers=7).position(2))
    assert where.text == "What is each run worth, and which move balances the line?"
    assert links_of(where, "run") == {(1,): "worth 1", (3, 4, 5, 6, 7): "worth 4"}
    assert links_of(why, "run") == {(1,): "worth 1", (4, 5, 6, 7): "worth 1"}


def test_hints_on_the_line_bracket_nothing_when_a_move_ends_the_game():
    _, where, which, why = hints(duels.game("number-line-duel", numbers=3).position(1))
    assert where.drawing.links == why.drawing.links == []
    assert [*which.drawing.winning] == [(2, 3)]


def test_hints_with_digits_say_what_each_leaves():
    position = duels.game("divisor-duel", divisor=7).start().play(5).play(2)
    why = hints(position)[-1]
    assert dict(why.drawing.labels)[3] == "leaves 5", "523 = 7 × 74 + 5"
    assert {digit for digit, _ in why.drawing.labels} == {*position.legal_moves}


@every_game
def test_a_drawing_marks_only_moves_that_win_and_cells_that_are_there(game):
    chance = Random(7)
    for seed in range(20):
        match = random_match(game, seed)
        position = game.position(*match.moves[: chance.randrange(len(match.moves))])
        cells = len(describe(position).cells)
        for hint in hints(position):
            assert {*hint.drawing.winning} <= {*winning_moves(position)}
            assert all(0 <= n < cells for link in hint.drawing.links for n in link.cells)
            assert {move for move, _ in hint.drawing.labels} <= {*position.legal_moves}


def test_hints_in_a_lost_position_say_what_to_avoid_and_what_to_try():
    no, avoid, trying, why = hints(duels.game("sequence-duel", numbers=10).start())
    assert no.text == "You cannot force a win from here."
    assert avoid.text == "1 loses at once: after 1 they take 7."
    assert trying.text.startswith("Try 4: they have to find 8.")
    assert why.text.startswith("All ten numbers can be paired up: 1 with 7, 2 with 6,")
    assert [*avoid.drawing.labels] == [(1, "✕")]
    assert [*trying.drawing.labels] == [(4, "try")]


def test_a_pair_to_try_is_marked_on_both_numbers_and_a_useless_move_on_none():
    position = duels.game("number-line-duel", numbers=10).position(9)
    trying = hints(position)[2]
    assert trying.text.startswith("Try 2 and 3:")
    shown = drawn(describe(position), trying.drawing).cells
    assert [cell.text for cell in shown if cell.label] == ["2", "3"]
    hopeless = hints(duels.game("divisor-duel", divisor=9).position(6, 8, 3, 9, 4))[2]
    assert hopeless.text.startswith("Nothing helps here")
    assert not hopeless.drawing.labels


def test_hint_at_the_prompt_gives_one_stage_at_a_time(call):
    said = call("play", "number-chain-duel", typed="4\nhint\nhint\n8\nhint\n").stdout
    assert said.index("You can win") < said.index("Which number can you take")
    assert said.count("(Type hint again for more.)") == 3


def test_why_explains_the_last_move_of_each_player():
    assert why_lines(played("number-chain-duel", ())) == ["No move has been made yet."]
    (only,) = why_lines(played("number-chain-duel", (7,)))
    assert only.startswith("Ann took 7. That was right. You can only take 1")
    right, _ = why_lines(played("sequence-duel", (19, 1), numbers=20))
    assert right.startswith("You took 19. That was right. Only 1 fits 19, so they have to take it.")
    theirs, yours = why_lines(played("divisor-duel", (1, 5), divisor=7))
    assert theirs == (
        "You added 1. That gave the win away. 7 was the move: that makes 7, "
        "which is divisible by 7."
    )
    assert yours == (
        "Bob added 5. That gave the win away. 4 was the move: that makes 14, "
        "which is divisible by 7."
    )
    (lost,) = why_lines(played("divisor-duel", (1,), divisor=13))
    assert lost.startswith("Ann added 1. No move could force a win there, but ")
    assert "would not have lost at once. After 1, 3 wins at once." in lost
    (_, forced) = why_lines(played("number-chain-duel", (7, 1)))
    assert forced == "Bob took 1. It was the only move."


def test_why_after_the_end_calls_both_players_by_their_names():
    """No turn is left, so only a person against a computer is "you"."""
    first, last = why_lines(played("number-chain-duel", (7, 1, 5)))
    assert first == "Bob took 1. It was the only move."
    assert last == "Ann took 5: nothing can follow it."
    match = new_match(duels.game("number-chain-duel"), (Seat("You"), Seat("The computer", "0")))
    for move in (7, 1, 5):
        match = match.play(move)
    theirs, yours = why_lines(match)
    assert theirs == "The computer took 1. It was the only move."
    assert yours == "You took 5: nothing can follow it."


def test_every_reason_speaks_to_the_player_to_move():
    """No reason is written from the opponent's side, whichever player made the move."""
    yours, theirs = why_lines(played("number-line-duel", (6, 15, 5, (8, 9)), numbers=15))
    assert yours == (
        "You crossed out 5. That was right. That leaves the line balanced: the runs 1 to 4 and "
        "7 to 14 are each worth 1, so they cancel. Whatever they cross out, you can balance it "
        "again. So the last move is yours."
    )
    assert theirs == "Bob crossed out 8 and 9. No move could force a win there."
    yours, theirs = why_lines(played("number-line-duel", (7, 9, 1, 4, 10, 5)))
    assert theirs == (
        "Bob crossed out 5. That gave the win away. 8 was the move. Then there are two equal "
        "halves, 2 to 3 and 5 to 6. Whatever you cross out, they can copy it in the other half, "
        "so you run out first."
    )
    (yours, _) = why_lines(played("sequence-duel", (13, 1, 3, 12)))
    assert yours == "You took 3. That was right, but 11 would have won at once."


def test_a_review_tells_each_player_the_reasons_from_their_own_side():
    found = review(played("number-line-duel", (7, 9, 1, 4, 10, 5)).resign())
    ann, bob = (" ".join(line.text for line in summary(found, you=you)) for you in (1, 2))
    assert (
        "Why 8? Then there are two equal halves, 2 to 3 and 5 to 6. Whatever you cross out, they"
        in ann
    )
    assert "Why 8? That leaves two equal halves, 2 to 3 and 5 to 6. Copy every" in bob
    watcher, ann, bob = (better_in_words(found, 6, you) for you in (0, 1, 2))
    assert watcher.startswith("8 would have won. From Bob's side: That leaves two equal halves")
    assert ann.startswith("8 would have won. Then there are two equal halves")
    assert bob.startswith("8 would have won. That leaves two equal halves")
    assert better_in_words(found, 5) == ""
    against = new_match(found.match.game, (Seat("Ann"), Seat("Computer", "casual")))
    for move in found.match.moves:
        against = against.play(move)
    assert review(against).steps[5].why.startswith("Then there are two equal halves")


@pytest.mark.slow
@every_game
def test_why_is_a_few_sentences_after_every_move_of_random_games(game):
    for seed in range(3):
        chance, match = Random(seed), new_match(game)
        while not match.outcome:
            said = why_lines(match)
            assert len(said) == min(len(match.moves), 2) or not match.moves
            assert all(line.endswith(".") and "None" not in line for line in said)
            match = match.play(chance.choice(match.position.legal_moves))


def test_why_at_the_prompt(call):
    said = call("play", "number-chain-duel", typed="why\n4\nwhy\nhelp\n").stdout
    assert "No move has been made yet." in said
    assert "Player 1 took 4. That gave the win away. 7 was the move. Then you can only" in said
    assert "\n  why     " in said


def test_the_sample_game_of_sequence_duel_is_labelled_exactly():
    """Bob could have won with 2 in reply to 6; after his 3 Alice never let go."""
    found = review(played("sequence-duel", (6, 3, 9, 1, 8, 4, 2, 10, 5), numbers=10))
    start = [SOONER, GAVE, TOOK, FORCED, KEPT, NOTHING]
    assert [step.kind for step in found.steps] == [*start, FORCED, FORCED, FORCED]
    assert (found.turning_point, found.steps[1].better) == (2, 2)


def test_a_mistake_has_the_right_move_and_the_reason():
    found = review(played("divisor-duel", (1, 5, 4), divisor=7))
    first, second, third = found.steps
    assert (first.kind, first.better) == (GAVE, 7)  # 7 would have won at once
    assert (second.kind, second.better) == (GAVE, 4)
    assert second.why == "That makes 14, which is divisible by 7."
    assert third.kind == TOOK
    assert found.turning_point == 2
    assert found.chances(1) == (2, 1)
    assert found.chances(2) == (1, 0)
    assert found.strip == "▲●●"


def test_a_long_game_is_folded_to_what_mattered():
    """Nothing that is played changes anything until almost the end."""
    match = random_match(duels.game("number-duel"), 1)
    found = review(match)
    turn = found.turning_point
    lines = move_lines(found)
    assert lines[0] == f"Moves 1 to {turn - 1}: nothing changed; Player 2 was winning."
    assert f"{turn:3}. " in lines[1]
    assert "gave the win away  <- turning point" in lines[1]
    assert len(lines) < 15 < len(match.moves)
    assert review_lines(found)[0].startswith(f"Turning point: move {turn}. Player 2 played ")
    assert review_lines(found)[1].startswith("  Why ")
    assert len(review_data(found)["moves"]) == len(match.moves)


def test_of_many_turning_points_the_last_are_explained():
    found = review(random_match(duels.game("number-line-duel", numbers=60), 1))
    first, *lines = review_lines(found)
    assert first == f"The game turned {len(found.turning_points)} times. The last 5:"
    assert sum(line.startswith("Turning point: move") for line in lines) == 5


def test_the_numbers_of_chances_add_up():
    found = review(played("sequence-duel", (6, 3, 9, 1, 8, 4, 2, 10, 5), numbers=10))
    assert (found.winning_turns(1), found.winning_turns(2)) == ((4, 4), (1, 0))
    assert review_lines(found)[2:4] == [
        "● Ann had four chances to win and took them all.",
        "▲ Bob had one chance to win and missed it.",
    ]


def test_an_avoidable_immediate_loss_is_named_with_a_better_move():
    (first, _) = review(played("divisor-duel", (1, 3), divisor=13)).steps
    assert (first.kind, first.better in (4, 8)) == (AT_ONCE, True)
    assert first.why == f"After 1, 3 wins at once. After {first.better} nothing does."


@every_game
def test_labels_agree_with_the_truth_in_random_games(game):
    for seed in range(4):
        match = random_match(game, seed)
        found = review(match)
        position = match.game.start()
        for step in found.steps:
            winning, legal = winning_moves(position), position.legal_moves
            assert step.kind in LABELS
            assert (step.kind == FORCED) == (len(legal) == 1)
            assert (step.kind == GAVE) == (
                len(legal) > 1 and bool(winning) and step.move not in winning
            )
            in_lost_position = step.kind in (NOTHING, AT_ONCE, SOONER)
            assert in_lost_position == (len(legal) > 1 and not winning)
            assert step.better is None or step.better in (winning or legal)
            position = position.play(step.move)
            truth = bool(winning_moves(position)) if position.outcome is None else None
            if truth is not None:
                assert (step.winner_after == position.to_move) is truth
        assert found.steps[-1].winner_after == match.outcome.winner


def test_a_match_without_moves_can_be_reviewed():
    found = review(played("number-duel", ()).resign())
    assert found.steps == ()
    assert found.turning_point is None
    assert review_data(found)["moves"] == []


def test_a_sentence_about_a_move_speaks_to_the_player_who_made_it():
    found = review(played("number-line-duel", ((5, 6), 1)).resign())
    first, second = found.steps
    assert move_in_words(found, first, 1) == "You crossed out 5 and 6. That kept the win."
    lost = "Bob crossed out 1. The game was already lost."
    assert move_in_words(found, second, 1) == lost
    assert move_in_words(found, first) == "Ann crossed out 5 and 6. That kept the win."
    assert {*JUDGED} == {*LABELS}


def test_giving_up_a_won_position_is_the_turning_point():
    resigned = played("number-line-duel", ((5, 6), 1)).resign()  # Ann could have won
    assert review_lines(review(resigned))[0] == ("Ann resigned in a winning position.")
    late = played("number-line-duel", ((5, 6),)).out_of_time()  # Bob was lost anyway
    assert review_lines(review(late))[0] == LOST.format("Bob", "second")
    assert review(resigned).turning_point is None
    assert "turning point" not in "".join(move_lines(review(resigned)))
    data = review_data(review(resigned))
    assert (data["turned_at_end"], data["outcome"]) == (True, {"winner": 2, "reason": "resigned"})
    at_once = review_lines(review(played("number-line-duel", ()).out_of_time()))
    assert at_once[1] == "● Ann had one chance to win and missed it."
    forfeited = played("number-line-duel", ((5, 6), 1)).forfeit(Forfeit("crash", "It ended."))
    assert "Ann gave no legal move" in review_lines(review(forfeited))[0]


def test_without_a_name_the_latest_finished_game_is_reviewed(call):
    assert call("review").returncode == 1
    call("play", "divisor-duel", "--divisor", "7", typed="1\n4\n")
    call("play", "number-line-duel", typed="5\n")
    assert "1. ● 1  gave the win away" in call("review").stdout
    assert "14 is divisible by 7" in call("replay").stdout


def test_review_on_the_command_line(call, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(write_text(played("divisor-duel", (1, 5, 4), divisor=7)))
    said = call("review", str(path)).stdout
    assert "2. ▲ 5  gave the win away  <- turning point" in said
    assert "       better: 4.\n" in said
    assert "Turning point: move 2. Bob played 5; 4 would have won." in said
    assert "Why 4? That makes 14, which is divisible by 7." in said
    data = json.loads(call("review", str(path), "--json").stdout)
    assert (data["turning_point"], data["turning_points"]) == (2, [1, 2])
    assert data["moves"][1]["better"] == 4
    picture = tmp_path / "strip.svg"
    call("review", str(path), "--svg", str(picture))
    assert picture.read_text().startswith("<svg")


def test_the_turning_point_can_be_tried_again(call, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(write_text(played("divisor-duel", (1, 5, 4), divisor=7)))
    said = call("review", str(path), "--again", typed="4\n")
    assert said.returncode == 0, said.stderr
    assert "Moves so far: 1\n" in said.stdout
    assert "14 is divisible by 7" in said.stdout
    again = json.loads(call("replay", "--json").stdout)
    assert (again["moves"], again["player1"], again["result"]) == ([1, 4], "Ann", "0-1")
    assert "7 is divisible by 7" in call("review", str(path), "--again", "1", typed="7\n").stdout
    left = call("review", str(path), "--again", "3", typed="2\nquit\n")
    match_id = left.stderr.split()[-1]
    assert "Moves so far: 1, 5, 2" in call("resume", match_id, typed="quit\n").stdout


def test_what_cannot_be_tried_again_gets_a_sentence(call, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(write_text(played("divisor-duel", (1, 3), divisor=13)))
    assert "there is no turning point" in call("review", str(path), "--again").stderr
    for number in ("3", "99"):
        assert "from move 1 to 2" in call("review", str(path), "--again", number).stderr
    assert "cannot be combined" in call("review", str(path), "--again", "1", "--json").stderr
    assert call("review", str(path), "--again", "x").returncode == 2
    two = write_text(played("divisor-duel", (1, 3), divisor=13))
    path.write_text(f"{two}\n{two}")
    assert "choose one with --number" in call("review", str(path), "--again", "1").stderr


def test_a_file_starts_no_program(call, tmp_path):
    path, sign = tmp_path / "game.txt", tmp_path / "sign"
    seats = (Seat("Ann"), Seat("Eve", f"ugi:touch {sign}"))
    match = new_match(duels.game("divisor-duel", divisor=7), seats).play(1).play(4)
    path.write_text(write_text(match))
    said = call("review", str(path), "--again", typed="2\n")
    assert said.returncode == 1
    assert f"This game runs a program: ugi:touch {sign}." in said.stderr
    assert not sign.exists()


def test_a_person_tries_their_own_turning_point_again_and_not_the_computers():
    seats = (Seat("Ann"), Seat("casual", "casual"))
    match = new_match(duels.game("divisor-duel", divisor=7), seats).play(1).play(5).play(4)
    assert (review(match).turning_point, review(match).again_at) == (2, 1)
    assert match.again_from(1).seats == seats
    resigned = played("number-line-duel", ((5, 6), 1)).resign()
    assert review(resigned).again_at == 3
    assert resigned.again_from(3).moves == resigned.moves


def test_a_finished_game_on_a_terminal_is_reviewed_at_once(spawn):
    child = spawn("play", "divisor-duel", "--divisor", "7")
    for digit in ("1", "4"):
        child.expect("Select a digit: ")
        child.sendline(digit)
    child.expect("Turning point: move 1. Player 1 played 1; 7 would have won.")


def lost_review(game_id, moves, first, **options):
    """The lines about a game in which the person never had a chance."""
    person, computer = Seat("Ann"), Seat("skilled", "skilled")
    seats = (person, computer) if first else (computer, person)
    match = new_match(duels.game(game_id, **options), seats, seed=1)
    for move in moves:
        match = match.play(move)
    return review_lines(review(match.resign() if not match.outcome else match))


def test_a_game_that_was_lost_from_the_start_says_why_and_what_to_do():
    assert lost_review("sequence-duel", (4, 8), True, numbers=10)[:3] == [
        LOST.format("You", "first"),
        "  Their plan: All ten numbers can be paired up: 1 with 7, 2 with 6, 3 with 9, 4 with 8, "
        "5 with 10. Whatever you take, they can take its partner, so you run out first.",
        "To win, go second on this board.",
    ]
    assert lost_review("number-line-duel", ((5, 6),), False)[:3] == [
        LOST.format("You", "second"),
        "  Their plan: There are two equal halves, 1 to 4 and 7 to 10. Whatever you cross out, "
        "they can copy it in the other half, so you run out first.",
        "To win, go first on this board.",
    ]


def test_two_people_are_called_by_their_names_when_a_game_was_lost_from_the_start():
    lost, why, advice, *_ = review_lines(review(played("number-line-duel", ((5, 6),)).resign()))
    assert lost.startswith("Bob could not force a win")
    assert why.startswith("  Ann's plan, from Bob's side: There are two equal halves")
    assert advice == "To win, go first on this board."


def test_a_win_without_a_mistake_of_the_computer_is_not_called_lost():
    seats = (Seat("Ann"), Seat("skilled", "skilled"))
    won = new_match(duels.game("number-line-duel"), seats).play((5, 6)).resign()
    assert review_lines(review(won))[0] == "Neither player made a losing mistake."


def test_every_random_game_has_a_summary_that_addresses_the_reader():
    for kind in duels.GAMES.values():
        for seed in range(3):
            found = random_match(kind.small(), seed)
            for line in summary(review(found), you=1):
                assert line.text[-1] in ".●▲:", line
                assert "Player 1" not in line.text, line
