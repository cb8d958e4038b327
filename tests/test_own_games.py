"""A game of your own: its generic theory is exact, and mistakes in it get a sentence."""

import json
import random
from dataclasses import replace
from math import sqrt

import pytest

import duels
from duels import IllegalMove, StateGame, UnreadableMove, whole
from duels.core.errors import DuelsError, OptionError, ProofError, TooLarge
from duels.games.added import add_file, check_kind
from duels.match.dialogue import Dialogue
from duels.match.match import new_match
from duels.match.players.levels import computer_move
from duels.testing import check_game, small_boards
from duels.theory import search, theory_of, winning_moves
from duels.theory.verdict import read_verdict, verdict_data
from own_games import EuclidDuel, LastSipLoses, LastStoneLoses, TwoHeaps, square_duel

KINDS = [square_duel(), EuclidDuel, LastStoneLoses, LastSipLoses, TwoHeaps]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)


@every_kind
def test_a_game_defined_by_its_states_keeps_the_contract(kind):
    for game in small_boards(kind, sizes=12):
        assert check_game(game) > 1


@pytest.mark.parametrize("stones", range(61))
def test_every_pile_of_square_duel_is_solved_and_proved(stones):
    if stones == 0:
        with pytest.raises(OptionError, match="stones must be a whole number from 1 to"):
            square_duel()(stones=0)
        return
    lost = {0}
    for pile in range(1, stones + 1):
        if not any(pile - root * root in lost for root in range(1, 8) if root * root <= pile):
            lost.add(pile)
    verdict = duels.solve(square_duel()(stones=stones).start())
    assert verdict.wins == (stones not in lost)
    assert {stones - move for move in verdict.winning_moves} == {
        stones - root * root for root in range(1, 8) if stones - root * root in lost
    }
    duels.check(verdict)


def test_euclids_duel_is_won_beyond_the_golden_ratio():
    golden = (1 + sqrt(5)) / 2
    for larger in range(1, 41):
        for smaller in range(1, larger + 1):
            verdict = duels.solve(EuclidDuel(larger=larger, smaller=smaller).start())
            assert verdict.wins == (larger == smaller or larger > golden * smaller)
            duels.check(verdict)


@pytest.mark.parametrize("stones", range(1, 30))
def test_who_must_take_the_last_stone_loses(stones):
    verdict = duels.solve(LastStoneLoses(stones=stones).start())
    assert verdict.wins == (stones % 4 != 1)
    duels.check(verdict)


@pytest.mark.parametrize("sips", range(1, 20))
def test_a_move_that_loses_at_once_needs_no_answer(sips):
    verdict = duels.solve(LastSipLoses(sips=sips).start())
    duels.check(verdict)
    for line in (verdict.reason, *verdict.explanation):
        assert "()" not in line
        assert "answer: ." not in line


def test_a_computer_that_sees_the_loss_makes_the_game_last():
    position = LastSipLoses(sips=4).start()
    for level in ("skilled", "expert", "perfect"):
        for seed in range(20):
            assert computer_move(level, position, seed) != 4


def test_a_computer_that_sees_your_wins_does_not_lose_at_once_by_oversight():
    position = LastSipLoses(sips=6).start()  # 2 wins, 6 loses at once, and then 1 is left
    for seed in range(40):
        assert computer_move("skilled", position, seed) != 6


def test_states_of_words_and_numbers_are_explained_in_order():
    class NotTheSame(StateGame[tuple]):
        id, title, summary = "not-the-same", "Not the Same", "Take what was not just taken."

        def first(self):
            return "any", 8

        def allowed(self, state):
            return tuple(move for move in (1, 2, 3) if move <= state[1] and move != state[0])

        def after(self, state, move):
            return move if move < 3 else "three", state[1] - move

    explanation = duels.solve(NotTheSame().start()).explanation[-1]
    assert explanation == "1, 0; 1, 1; 1, 4; 1, 5; three, 0; three, 4"


def retold(game):
    """A game again as a stranger would tell it: its state is the moves that first led there."""
    known = {}

    class Retold(StateGame[tuple]):
        id, title, summary = "retold", "Retold", "Another game, told by its moves."
        pair_words = game.pair_words

        def first(self):
            return ()

        def allowed(self, state):
            return game.position(*state).legal_moves

        def after(self, state, move):
            moves = (*state, move)
            return known.setdefault(game.position(*moves), moves)

        def last_mover_wins(self, state):
            over = game.position(*state)
            return over.outcome.winner != over.to_move

    return Retold()


@pytest.mark.parametrize("game", small_boards(sizes=6), ids=str)
def test_the_plain_theory_agrees_with_the_special_ones(game):
    chance, here = random.Random(str(game)), game.start()
    while here.legal_count > 7:  # from there on everything can be tried
        here = here.play(chance.choice(here.legal_moves))
    plain = retold(game).position(*here.moves)
    while here.legal_moves:
        verdict = duels.solve(plain)
        assert verdict.winning_moves == winning_moves(here)
        duels.check(through_a_file(verdict, plain))
        move = chance.choice(here.legal_moves)
        here, plain = here.play(move), plain.play(move)


def through_a_file(verdict, position):
    """A verdict whose proof has been written and read."""
    return replace(verdict, given=json.loads(json.dumps(verdict.proof)), position=position)


def forged(proof):
    """Proofs of something else."""
    lost = proof["lost"]
    for place in range(len(lost)):
        yield {**proof, "lost": lost[:place] + lost[place + 1 :]}
        yield {**proof, "lost": lost[place:] + lost[:place]} if place else {**proof, "lost": []}
        for other in (1, 3, 4, 6, 8, 1.0, True, [2], "2", None):
            yield {**proof, "lost": [*lost[:place], other, *lost[place + 1 :]]}
            yield {**proof, "lost": [other, *lost]}
    yield {**proof, "kind": "strategy"}
    yield {**proof, "lost": 7}
    yield {}


@pytest.mark.parametrize("stones", [1, 2, 5, 7, 8, 13, 20, 22, 30, 34])
def test_a_forged_list_of_answers_proves_nothing_false(stones):
    verdict = duels.solve(square_duel()(stones=stones).start())
    accepted = 0
    for proof in forged(verdict.proof):
        try:
            duels.check(replace(verdict, given=proof))
            accepted += 1  # the same claim by another proof: it must be the truth
        except ProofError:
            pass
        for lie in (not verdict.wins, None):
            with pytest.raises(ProofError):
                duels.check(replace(verdict, wins=lie, given=proof))
        for move in verdict.position.legal_moves:
            others = tuple(sorted({*verdict.winning_moves} ^ {move}))
            with pytest.raises(ProofError):
                duels.check(replace(verdict, winning_moves=others, wins=bool(others), given=proof))
    assert accepted < len(list(forged(verdict.proof)))


def test_a_verdict_of_your_own_game_survives_a_file(monkeypatch):
    monkeypatch.setitem(duels.GAMES, EuclidDuel.id, EuclidDuel)
    verdict = duels.solve(EuclidDuel().start())
    again = read_verdict(json.loads(json.dumps(verdict_data(verdict))))
    duels.check(again)
    assert again.winning_moves == verdict.winning_moves


def test_a_board_that_is_too_large_to_search_is_a_sentence(monkeypatch):
    monkeypatch.setattr(search, "MOST_POSITIONS", 50)
    with pytest.raises(TooLarge, match="more than 50 positions from here: too many to search"):
        duels.solve(square_duel()(stones=500).start())


class RoundAndRound(StateGame[int]):
    id, title, summary = "round", "Round", "Round and round."

    def first(self):
        return 0

    def allowed(self, state):
        return (1,)

    def after(self, state, move):
        return (state + 1) % 3


def test_a_game_without_end_is_a_sentence():
    with pytest.raises(DuelsError, match="Round may never end: play can return to 1"):
        winning_moves(RoundAndRound().start())


def test_a_refused_move_names_the_allowed_moves():
    start = LastStoneLoses().start()
    with pytest.raises(IllegalMove, match="7 is not allowed here: take 1, 2 or 3"):
        start.play(7)
    with pytest.raises(UnreadableMove, match="is not a whole number"):
        start.play("x")
    with pytest.raises(IllegalMove, match="The game is over"):
        LastStoneLoses(stones=1).start().play(1).play(1)


def test_a_game_of_pairs_says_how_to_type_a_move():
    game = TwoHeaps(left=9, right=9)
    assert game.parse("2 0") == (2, 0)
    with pytest.raises(UnreadableMove, match=r'^"two" is not two numbers, like 2-0 or 3-3.$'):
        game.parse("two")
    assert Dialogue().prompt(new_match(game)) == "Take two numbers, like 2-0 or 3-3: "


def test_a_game_with_pairs_that_says_no_more_takes_a_number_or_a_pair():
    class Either(TwoHeaps):
        move_words, pair_words = StateGame.move_words, "two heaps"

    with pytest.raises(UnreadableMove, match=r"is not one number or two heaps, like 5 or 5 6.$"):
        Either().parse("two")


@every_kind
def test_reasons_name_moves_that_are_allowed(kind):
    for game in small_boards(kind, sizes=25):
        verdict = duels.solve(game.start())
        assert verdict.reason.endswith(".")
        is_certain = theory_of(game.start()).decided(verdict)
        if verdict.wins and not is_certain:
            assert game.format(verdict.best_move) in verdict.reason
        elif verdict.wins:
            assert "make the last one" in verdict.reason
        else:
            assert "cannot force a win" in verdict.reason
            assert theory_of(game.start()).hardest(game.start()).move in game.start().legal_moves


GOOD = """
from duels import StateGame, whole

class Mine(StateGame):
    id, title, summary = "mine", "Mine", "Take one."
    stones: int = whole("the stones", default=3, is_size=True)
    def first(self): return self.stones
    def allowed(self, state): return (1,)[:state]
    def after(self, state, move): return state - move
"""
BAD = {
    "a name that is nothing": ("class Mine(", "class Mine(Nothing, ", "line 4: NameError"),
    "no Python": ("def first(self):", "def first(self)", "Line 7: SyntaxError"),
    "no id": ('"mine", ', '"", ', "has no game in it"),
    "an id with capitals": ('"mine", ', '"Mine", ', "line 4: a game needs an id of small letters"),
    "the id of another": ('"mine", ', '"square-duel", ', "line 4: the id square-duel is that of"),
    "no title": ('"Mine", ', '"", ', "line 4: mine needs a title"),
    "a plain field": ('whole("the stones", default=3, is_size=True)', "3", "option stones must be"),
    "a reserved name": ("stones", "seed", "an option cannot be called seed"),
    "moves in no order": ("(1,)[:state]", "(2, 1)[:state]", "moves are not in increasing order"),
    "moves that are none": ("(1,)[:state]", '("a",)[:state]', '"a" is not a move'),
    "a fault in a function": ("return (1,)[:state]", "return 1 / 0", "line 8: ZeroDivisionError"),
    "a state that no slice takes": ("return state - move", "return [3]", "line 8: TypeError"),
    "moves one by one": ("return (1,)[:state]", "yield 1", "allowed must return a tuple or a list"),
    "a verb in one word": ("    def first", "    verb = 'dig'\n    def first", "verb must be like"),
    "endings without words": (
        "    def first", "    endings = ['dug']\n    def first", "endings must be like"
    ),
    "a sample against the rules": (
        "    def first", "    sample = ('2',)\n    def first", "sample cannot be played: 2 is not"
    ),
    "words that are a number": (
        "    def first", "    def words(self, state): return 3\n    def first", "words must return"
    ),
    "a function that is missing": (
        "    def first(self): return self.stones\n", "", "line 4: mine must define first."
    ),
    "a state that cannot be written": ("state - move", "state == 9", "a state must be made of"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "sentence"), BAD.values(), ids=list(BAD))
def test_a_file_that_is_not_a_game_gets_one_sentence(monkeypatch, tmp_path, old, new, sentence):
    monkeypatch.setitem(duels.GAMES, "square-duel", square_duel())
    file = tmp_path / f"mine_{abs(hash(sentence))}.py"
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(OptionError) as refused:
        add_file(file)
    assert sentence in str(refused.value)
    assert str(file) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert "mine" not in duels.GAMES


def test_an_ending_without_words_is_its_own_word():
    class Mined(LastStoneLoses):
        def ending(self, state):
            return "mined-out"

    match = new_match(Mined(stones=1), ("Ann", "Bob")).play(1)
    assert match.termination_words == "mined-out"


def test_a_value_that_is_not_a_game_class_is_refused():
    for thing in (int, 3, "game", None):
        with pytest.raises(OptionError, match="is not a game class"):
            check_kind(thing)


def test_a_number_is_written_before_its_noun_and_a_declared_phrase_is_used_unchanged():
    counted = whole("the stones at the start", default=30, is_size=True)
    for name, option, value, words in (
        ("stones", counted, 30, "30 stones"),
        ("stones", counted, 1, "stones: 1"),
        ("heap", whole("the heap", default=3), 3, "heap: 3"),
        ("high", whole("the rows", default=3, brief="{} high"), 3, "3 high"),
    ):
        assert option.in_words(name, value) == words
