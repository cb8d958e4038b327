"""The dialogue of a whole match: what `replay` and the app show is what `play` prints on a pipe."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

import duels
from duels.games import all_games
from duels.match.dialogue import dialogue_of
from duels.match.match import new_match
from duels.match.records import read_records
from duels.terminal.transcript import transcript
from own_games import SQUARE_FILE, square_duel
from rings import by_ring

GAMES = [setup.game(kind) for kind in all_games().values() for setup in kind.all_setups()]
NAMES = ("Ann", "Ben")


def random_match(game, chance):
    """A match that is played to its end."""
    match = new_match(game, NAMES)
    while not match.outcome:
        match = match.play(chance.choice(match.position.legal_moves))
    return match


def options(game):
    return [f"--{name.replace('_', '-')}={value}" for name, value in game.options.items()]


def assert_printed(start, game, seed):
    """The moves are typed as the rule book writes them, and a pipe echoes them."""
    match, words = random_match(game, Random(seed)), dialogue_of(game)
    typed = "".join(f"{words.move(match, move)}\n" for move in match.moves)
    done = start("play", game.id, *options(game), "--players", *NAMES, typed=typed)
    assert transcript(match) == done.stdout.splitlines()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_transcript_is_what_play_prints_on_a_pipe(call, game):
    for seed in range(by_ring(3, long=30)):
        assert_printed(call, game, seed)


def test_a_transcript_of_a_game_in_a_file_too(run):
    assert_printed(partial(run, "--with", str(SQUARE_FILE)), square_duel().usual(), 1)


@pytest.mark.parametrize("kind", duels.GAMES.values(), ids=lambda kind: kind.id)
def test_a_transcript_of_two_computers_is_what_play_prints(call, tmp_path, kind):
    record = tmp_path / "r.jsonl"
    computers = ("--vs", "casual", "--vs", "novice", "--seed", "5", "--record", str(record))
    printed = call("play", kind.id, *options(kind.usual()), *computers).stdout
    (match,) = read_records(record)
    assert transcript(match) == printed.splitlines()
    replayed = call("replay", str(record)).stdout
    assert replayed.endswith(f"\n\n{printed}")


def test_a_transcript_of_an_unfinished_match_ends_after_its_last_move(call, tmp_path):
    record = tmp_path / "r.jsonl"
    printed = call("play", "line", "--record", str(record), typed="5 6\n8\n").stdout
    (match,) = read_records(record)
    assert transcript(match) == printed.splitlines()[: len(transcript(match))]
    assert transcript(match)[-1] == "Updated Number Line: 1 2 3 4 X X 7 X 9 10"
    assert call("replay", str(record)).stdout.endswith("\n\nThe match was not finished.\n")


@pytest.mark.parametrize("level", ["casual", "37", "auto"])
def test_a_computer_has_a_name_in_the_announcements_and_not_a_level(call, level):
    done = call(
        "play", "number-line-duel", "--vs", level, "--first", "computer", typed="resign\ny\n"
    )
    assert "Computer's turn." in done.stdout
    assert "Do you want to resign? (y/n)" in done.stdout
    assert "Computer wins the game!" in done.stdout
    named = "strength 25" if level == "auto" else "strength 37" if level == "37" else level
    assert f"Computer ({named}) against Player 1" in call("replay").stdout


def test_a_player_may_also_type_give_up(call):
    said = call("play", "number-line-duel", typed="give up\ny\n").stdout
    assert "do you want to resign? (y/n) y" in said
    assert "Player 2 wins the game!" in said


def test_many_numbers_in_a_row_are_a_range_in_the_prompt():
    class Coins(duels.StateGame[int]):
        id, title, summary = "coins", "Coins", "Take at most half of the coins."
        coins: int = duels.whole("the coins", default=25, highest=500, is_size=True)

        def first(self):
            return self.coins

        def allowed(self, state):
            return tuple(range(1, state // 2 + 1))

        def after(self, state, move):
            return state - move

    match = new_match(Coins())
    assert dialogue_of(match.game).prompt(match) == "Take any number from 1 to 12: "
    match = match.play(12).play(5)
    assert dialogue_of(match.game).prompt(match) == "Take 1, 2, 3 or 4: "
