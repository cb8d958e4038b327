"""The menu on a pseudo-terminal."""

from __future__ import annotations


def answer(child, *pairs):
    for question, typed in pairs:
        child.expect_exact(question)
        child.sendline(typed)


def test_a_game_from_the_menu_and_a_rematch_with_sides_swapped(spawn):
    child = spawn()
    answer(
        child,
        ("Which game? [1] ", "number chain"),
        ("Set-up [1] ", "o"),
        ("board [9]: ", "2"),
        ("player 1 [Player 1] ", "Ann"),
        ("Opponent [0] ", ""),
        ("player 2 [Player 2] ", "Ben"),
        ("Ann, Ben or coin? [Ann] ", ""),
        ("games? [1] ", ""),
        ("[no limit] ", ""),
        ("Ann selects: ", "1"),
        ("Ben selects: ", "2"),
    )
    child.expect("Ann loses.")
    child.expect("1. Rematch, Ben moves first")
    answer(child, ("What next? [1] ", "4"))
    child.expect("2. ▲ 2  forced")
    answer(child, ("What next? [1] ", ""), ("Ben selects: ", "1"), ("Ann selects: ", "quit"))
    child.expect("duels resume")
    answer(child, ("Which game? [1] ", "quit"))
    child.wait()
    assert child.exitstatus == 0


def test_back_works_everywhere(spawn):
    child = spawn()
    answer(child, ("Which game? [1] ", "back"))
    child.expect("This is the first question")
    answer(
        child,
        ("Which game? [1] ", "2"),
        ("Set-up [1] ", "r"),
        ("divide by (for example 13): ", "back"),
        ("Set-up [1] ", "back"),
        ("Which game? [1] ", "5"),
        ("Set-up [1] ", "own"),
    )
    answer(child, ("[9]: ", ""), ("[Player 1] ", ""), ("Opponent", "0"))
    answer(child, ("[Player 2] ", ""), ("coin? [", "back"), ("[Player 2] ", "back"))
    answer(child, ("Opponent", "novice"), ("coin? [", "back"), ("Opponent", "back"))
    answer(child, ("[Player 1] ", "back"), ("[9]: ", "back"))
    answer(child, ("Set-up [1] ", "back"))
    answer(child, ("Which game? [1] ", "help"))
    child.expect("back goes one step back")
    child.expect_exact("Which game? [1] ")
    child.sendeof()
    child.wait()
    assert child.exitstatus == 0


def test_bad_answers_are_asked_again(spawn):
    child = spawn()
    answer(child, ("Which game? [1] ", "9"), ("Which game? [1] ", "number"))
    answer(child, ("Which game? [1] ", "sequence"), ("Set-up [1] ", "9"))
    child.expect("from 1 to 2, r, o, or the name")
    answer(child, ("Set-up [1] ", "o"), ("[20]: ", "1000001"))
    child.expect("from 1 to 1,000,000")
    answer(child, ("[20]: ", ""))
    child.expect_exact("even  even (Juniper Green)")
    answer(child, ("[any]: ", "odd"))
    child.expect("any or even")
    answer(child, ("[any]: ", ""), ("[Player 1] ", "A"), ("Opponent", "9"))
    answer(child, ("Opponent", "person"), ("[Player 2] ", "a"))
    child.expect("two different names")
    answer(child, ("[Player 2] ", "B"), ("coin? [A] ", "C"))
    child.expect("cannot move first")
    answer(child, ("coin? [A] ", "coin"), ("games? [1] ", "0"))
    child.expect("from 1 to 100")
    answer(child, ("games? [1] ", "1"), ("[no limit] ", "soon"))
    child.expect("time limit must be")
    answer(child, ("[no limit] ", "60"))
    child.expect("The coin shows (heads|tails)")
    child.expect("Time limit: 60 seconds a turn")


def test_a_game_against_the_computer_from_the_menu(spawn):
    child = spawn()
    answer(child, ("Which game? [1] ", "5"), ("Set-up [1] ", "r"), ("[Player 1] ", ""))
    answer(child, ("Opponent [0] ", "perfect"), ("coin? [Player 1] ", "perfect"))
    answer(child, ("games? [1] ", ""), ("limit] ", ""))
    child.expect("● perfect took [1-9]")
    child.expect("Player 1 selects: ")


def test_an_unfinished_game_is_offered(spawn, run):
    run("play", "number-line-duel", typed="5\n")
    child = spawn()
    child.expect("1 unfinished")
    answer(child, ("Which game? [1] ", "r"), ("Which one? [1] ", ""))
    child.expect("Moves so far: 5")


def test_resume_without_an_id_asks_which(spawn, run):
    run("play", "number-line-duel", typed="5\n")
    child = spawn("resume")
    answer(child, ("Which one? [1] ", "7"), ("Which one? [1] ", "1"))
    child.expect("Moves so far: 5")


def test_off_a_terminal_there_is_help_and_no_menu(run):
    done = run()
    assert done.returncode == 2
    assert "Usage" in done.stderr


def test_the_menu_goes_on_with_what_another_window_has_played(spawn, run, tmp_path):
    record = tmp_path / "r.txt"
    run("play", "number-chain-duel", "--record", str(record), typed="4\n")
    match_id = run("resume").stdout.split()[0]
    child = spawn()
    child.expect_exact("Which game? [1] ")
    done = run("resume", match_id, "--record", str(record), typed="2\n8\n")
    assert done.returncode == 0, done.stderr
    child.sendline("r")
    answer(child, ("Which one? [1] ", match_id), ("Is that all right? [y/N] ", "y"))
    child.expect_exact("Moves so far: 4, 2, 8")
    answer(child, ("selects: ", "1"), ("selects: ", "quit"))
    child.expect("The game is kept")
    assert "2. 8" in record.read_text()
    assert "} 1 {" in record.read_text()


def test_a_name_in_the_menu_is_a_persons(spawn, tmp_path):
    child = spawn()
    answer(child, ("Which game? [1] ", "5"), ("Set-up [1] ", "r"))
    answer(child, ("[Player 1] ", "Ann (Computer)"))
    child.expect("would be taken for a computer")
    program = f"ugi:touch {tmp_path / 's'}"[:40]
    answer(child, ("[Player 1] ", program), ("Opponent", "back"), (f"[{program}] ", "Casual"))
    answer(child, ("Opponent", "casual"), ("Casual, casual (2) or coin? [Casual] ", ""))
    answer(child, ("games? [1] ", ""), ("[no limit] ", ""), ("Casual selects: ", "4"))
    child.expect_exact("▲ casual (2) took ")
    answer(child, ("Casual selects: ", "quit"), ("Which game? [1] ", "quit"))
    assert not (tmp_path / "s").exists()


def test_words_do_what_the_numbers_do_after_a_game(spawn):
    child = spawn()
    answer(child, ("Which game? [1] ", "5"), ("Set-up [1] ", "o"), ("[9]: ", "2"))
    answer(child, ("[Player 1] ", ""), ("Opponent", ""), ("[Player 2] ", ""), ("coin? [", ""))
    answer(child, ("games? [1] ", ""), ("[no limit] ", ""))
    answer(child, ("selects: ", "1"), ("selects: ", "2"), ("What next? [1] ", "abc"))
    child.expect("from 1 to 5")
    answer(child, ("What next? [1] ", "rematch"), ("Player 2 selects: ", "quit"))


def test_the_turning_point_is_tried_again_from_the_menu(spawn):
    child = spawn()
    answer(child, ("Which game? [1] ", "number chain"), ("Set-up [1] ", "o"), ("[9]: ", "5"))
    answer(child, ("[Player 1] ", ""), ("Opponent", ""), ("[Player 2] ", ""), ("coin? [", ""))
    answer(child, ("games? [1] ", ""), ("[no limit] ", ""))
    answer(child, ("Player 1 selects: ", "1"), ("Player 2 selects: ", "3"))
    child.expect_exact("It turned on move 1: Player 1 played 1")
    child.expect_exact("5. Try the turning point again")
    answer(child, ("What next? [1] ", "5"), ("Player 1 selects: ", "3"))
    answer(child, ("Player 2 selects: ", "1"), ("Player 1 selects: ", "5"))
    answer(child, ("What next? [1] ", "quit"))


def test_nothing_breaks_words_or_fails_in_a_narrow_window(spawn):
    child = spawn(size=(24, 20))
    child.expect("Number games for\r\ntwo.")
    child.expect_exact("Which game? [1] ")
    assert all(len(line) <= 20 for line in child.before.splitlines())
    child = spawn(size=(24, 1))
    child.expect_exact("?")
    child.sendline("quit")


def test_the_set_ups_of_a_game_are_offered_by_number(spawn):
    child = spawn()
    answer(child, ("Which game? [1] ", "divisor"))
    child.expect_exact("  1. by-12      divide by 12")
    child.expect_exact("  r. rule-book  as the rule book has it")
    child.expect_exact("  o. own        options of your own")
    answer(child, ("Set-up [1] ", ""), ("[Player 1] ", "Ann"), ("Opponent", ""))
    answer(child, ("[Player 2] ", "Ben"), ("coin? [Ann] ", ""), ("games? [2] ", ""))
    answer(child, ("[no limit] ", ""))
    child.expect_exact("A duel of 2 games. Game 1: Ann moves first.")
    answer(child, ("Ann", "resign"), ("(y/n) ", "y"))
    child.expect_exact("Ann 0, Ben 1. Game 2 of 2: Ben moves first.")
    answer(child, ("Ben", "resign"), ("(y/n) ", "y"))
    child.expect_exact("Ann 1, Ben 1. The duel is a draw.")
    child.expect_exact("1. Rematch, Ann moves first")
    answer(child, ("What next? [1] ", ""))
    child.expect_exact("A duel of 2 games. Game 1: Ann moves first.")


def test_a_computer_matched_to_the_person_follows_from_game_to_game(spawn):
    child = spawn()
    answer(child, ("Which game? [1] ", "5"), ("Set-up [1] ", "to-16"), ("[Player 1] ", "Ann"))
    child.expect_exact("6. auto       matched to you: strength 25 of 100 now")
    answer(child, ("Opponent [0] ", "auto"), ("Ann, strength 25 or coin? [Ann] ", ""))
    answer(child, ("games? [1] ", ""), ("[no limit] ", ""))
    child.expect_exact("Your opponent is matched to you: strength 25 of 100.")
    answer(child, ("Ann selects: ", "resign"), ("(y/n) ", "y"))
    child.expect_exact("Next time your opponent here has strength 9.")
    child.expect_exact("1. Rematch, strength 9 moves first")
    answer(child, ("What next? [1] ", "same"))
    child.expect_exact("strength 9 of 100.")
    answer(child, ("Ann selects: ", "quit"))
