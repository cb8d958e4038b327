"""What the sentences of the lessons claim, by their form: each is checked on the board of its step.

A sentence with a number in it that has none of these forms is not checked, and so not allowed.
"""

import re
from typing import NamedTuple

from duels.games.chain.rules import ChainPosition
from duels.theory import theory_of, winning_moves

WORDS = {"five": 5, "seven": 7}


class Place(NamedTuple):
    """Where a sentence stands: the position that it speaks of, and the step it belongs to."""

    here: object
    step: object

    @property
    def game(self):
        return self.here.game

    @property
    def moves(self):
        return self.step.position.moves

    def own(self, player):
        """The moves of "you" or of "they" that led to the step."""
        you = self.step.position.to_move
        if self.step.is_game:
            you = you if winning_moves(self.step.position) else 3 - you
        is_first = (you == 1) == (player.lower() == "you")
        return self.moves[0 if is_first else 1 :: 2]

    def fits(self, number):
        """What is left that fits a number, or was left when it was taken."""
        if number in self.moves[:-1]:
            return {*self.game.position(*self.moves[: self.moves.index(number) + 1]).legal_moves}
        return {n for n in free(self.here) if n != number and fit(self.game, n, number)}


def free(position):
    """The numbers that are left."""
    if isinstance(position, ChainPosition):
        return {n for n in range(1, position.game.size + 1) if position.unused >> n & 1}
    return {n for n in range(1, position.game.size + 1) if position.state >> n & 1}


def fit(game, one, two):
    return one > 0 and bool(game.neighbours[one] >> two & 1)


def ends(position, move):
    after = position.play(move)
    return after.outcome is not None and after.outcome.winner == position.to_move


def numbers(text):
    return {*map(int, re.findall(r"\d+", text))}


def pairs(text):
    return [(int(one), int(two)) for one, two in re.findall(r"(\d+)-(\d+)", text)]


def runs(position):
    left = free(position)
    starts = sorted(n for n in left if n - 1 not in left)
    return [(n, next(m for m in range(n, 99) if m + 1 not in left)) for n in starts]


def said_runs(text):
    return [(int(one), int(two or one)) for one, two in re.findall(r"(\d+)(?:-(\d+))?", text)]


def length(one, two):
    return two - one + 1


def taught(position):
    """Ones and twos of a line, as the lesson counts them."""
    worth = {1: (1, 0), 2: (0, 1), 3: (1, 1), 4: (1, 0)}
    counted = [worth[length(*run)] for run in runs(position)]
    return sum(ones for ones, _ in counted), sum(twos for _, twos in counted)


def worth_of(size):
    """What a run of some length is worth in the theory, in the words of the lesson."""
    from duels.games.line.theory import run_count

    return {1: "a one", 2: "a two", 3: "a one and a two"}[run_count(size)]


def has_all_digits(text, digit):
    return all(str(digit) in str(number) for number in numbers(text))


N = r"(\d+)"
LIST = r"(\d+(?:(?:, | and | or )\d+)*)"
PAIRS = r"(\d+-\d+(?:, \d+-\d+)*)"
DONE = r"(?:began with|took|added|crossed out)"
FACTS = {
    # Who did what, and the size of the board.
    rf"(?i)(?:and )?(you|they|the computer) (?:has begun with|{DONE}) {N}"
    rf"(?:, the middle of .*|, and (?:you move next|the numbers go up to {N}))?": (
        lambda at, who, move, size: int(move) in at.own(who) and int(size or at.game.size)
        == at.game.size
    ),
    rf"You (?:{DONE}) {N}, and (?:they|the computer) (?:{DONE}) {N}": (
        lambda at, mine, theirs: int(mine) in at.own("you") and int(theirs) in at.own("they")
    ),
    rf"Now they begin, with {N}": lambda at, n: at.moves == (int(n),),
    rf"(?:Here the numbers go up to|The whole game goes from 1 to|Now win a game from 1 to|"
    rf"Here are the numbers from 1 to) {N}": lambda at, size: int(size) == at.game.size,
    rf"(?:Go|(?:Put|Now pair as many) (?:the )?numbers) from 1 to {N}(?: into pairs that fit each "
    r"other| as you can|, and look for each number in the pairs)": (
        lambda at, size: int(size) == at.game.size
    ),
    rf"Each digit from 1 to {N} can be used once": lambda at, n: at.game.all_moves()[-1] == int(n),
    # What fits.
    rf"The numbers end at {N}, so no larger number fits": (
        lambda at, size: int(size) == at.game.size and max(at.here.legal_moves) < at.here.last
    ),
    rf"Which numbers fit {N}": lambda at, n: int(n) == at.here.last,
    rf"What fits {N}": lambda at, n: int(n) in at.here.legal_moves,
    rf"Which (?:others|numbers) divide {N}": lambda at, n: int(n) == at.here.last,
    r"1 divides every number|Every number fits 1": lambda at: (
        not isinstance(at.here, ChainPosition)
        or at.fits(1) == free(at.here) - {1}
    ),
    rf"{LIST} divides? {N}(?:, so they fit)?": (
        lambda at, low, high: all(int(high) % n == 0 for n in numbers(low))
        and (int(high) != at.here.last or numbers(low) == {*at.here.legal_moves})
    ),
    rf"For example, {N} and {N} fit, because {N} divides {N}": lambda at, a, b, low, high: (
        (a, b) == (low, high) and fit(at.game, int(a), int(b)) and int(b) % int(a) == 0
    ),
    rf"A number fits the last one if one of the two divides the other, like {N} and {N}": (
        lambda at, a, b: int(b) % int(a) == 0
    ),
    rf"It also fits if they share a digit, like {N} and {N}": lambda at, a, b: (
        bool({*a} & {*b}) and int(b) % int(a) != 0 and fit(at.game, int(a), int(b))
    ),
    rf"{N} and {N} have no partner": lambda at, *left: (
        {*map(int, left)} == free(at.here) - numbers(str(pairs(" ".join(at.step.text))))
    ),
    rf"{N} divides {N}, and {N} divides {N}": (
        lambda at, a, b, c, d: int(b) % int(a) == 0 == int(d) % int(c)
        and b == c == str(at.here.last)
    ),
    rf"{N} has the digit {N}|And one has the digit {N}": (
        lambda at, n, digit, other: (digit or other) in str(n or at.here.legal_moves)
        and int(digit or other) == at.here.last
    ),
    rf"One number divides {N}|One is twice {N}": lambda at, a, b: (
        int(a or b) == at.here.last
        and len([n for n in at.here.legal_moves if at.here.last % n == 0]) == 1
        and at.here.last * 2 in at.here.legal_moves
    ),
    rf"Only {LIST} fit(?: {N})?(?: now)?"
    r"(?:, and (?:they have partners|you need a partner for .*))?": (
        lambda at, fits, last: at.fits(int(last or at.here.last)) == numbers(fits)
    ),
    rf"You can take {LIST}": lambda at, moves: numbers(moves) == {*at.here.legal_moves},
    rf"{LIST} fits? only 1, (?:and 1 is (?:used|gone)|because {LIST} are not on this board)": (
        lambda at, fit_little, off: not any(at.fits(n) for n in numbers(fit_little))
        and all(n > at.game.size for n in numbers(off or ""))
        and all(
            n % own == 0 or str(own) in str(n)
            for own in numbers(fit_little)
            for n in numbers(off or "")
        )
        and 1 in at.moves
    ),
    r"And 1 is gone|But (?:after|now that) 1 is (?:gone|used), (?:some|one) numbers? fits? "
    r"nothing at all": lambda at: 1 in at.moves and bool(theory_of(at.here).wins_at_once(
        at.step.position) ),
    rf"{LIST} (?:is|are) gone, so only {N} fits {N}": (
        lambda at, gone, fits, last: {int(fits)} == at.fits(int(last))
        and all(n in at.moves and fit(at.game, n, int(last)) for n in numbers(gone))
    ),
    rf"Do not forget that {N} is gone": lambda at, n: int(n) in at.moves,
    r"It is less than 10": lambda at: all(int(n) < 10 for n in at.step.accepted),
    rf"No other number from 2 to {N} divides it or can be divided by it": lambda at, size: (
        int(size) == at.game.size
        and all(at.fits(int(n)) == set() for n in at.step.accepted)
    ),
    r"A number over 10 has no multiple here": lambda at: at.game.size < 22,
    r"So look for one over 10 that no smaller number divides, except 1": lambda at: all(
        int(n) > 10 and all(int(n) % m for m in range(2, int(n))) for n in at.step.accepted
    ),
    rf"Try each number from {N} on|Is there a multiple up to {N}": lambda at, low, size: (
        min(map(int, at.step.accepted)) >= int(low or 0) and int(size or 9) == at.game.size
    ),
    rf"Which number shares a digit with {LIST}, and now with nothing but 1": lambda at, gone: all(
        set(str(n)) & set(own) and n in at.moves and at.fits(int(own)) == {1}
        for n in numbers(gone)
        for own in at.step.accepted
    ),
    rf"All three have the digit {N}, so each of them fits the others": lambda at, digit: (
        len(at.here.legal_moves) == 3
        and has_all_digits(str(at.here.legal_moves), digit)
    ),
    rf"{LIST} do not fit any of them": lambda at, rest: (
        numbers(rest) == free(at.here) - {*at.here.legal_moves}
        and not any(fit(at.game, a, b) for a in numbers(rest) for b in at.here.legal_moves)
    ),
    rf"{LIST} will be taken, one after the other": lambda at, all_: (
        numbers(all_) == {*at.here.legal_moves}
    ),
    # Who wins, and what wins.
    r"(?i)(?:So )?it (?:is|would be) bad to take 1|Do not take 1": lambda at: (
        1 not in at.step.position.legal_moves or 1 not in winning_moves(at.step.position)
    ),
    rf"they would take {N}": lambda at, n: ends(at.here.play(1), int(n)),
    r"So make them take 1|Then they have to take 1|They can only take 1": lambda at: all(
        after_right.legal_moves == (1,) for after_right in rights(at.step)
    ),
    rf"Find a number that fits (?:nothing but|only) {N}(?: now)?"
    rf"|You have just met two numbers that fit only {N}|Which one leaves them nothing but {N}": (
        lambda at, *only: all(
            at.fits(int(n)) == {int(one) for one in only if one} for n in at.step.accepted
        )
    ),
    rf"Then they take {N}(?: or {N})?, and nothing fits": lambda at, *moves: all(
        ends(at.here, int(move)) for move in moves if move
    ),
    rf"Then you take {N}(?: or {N}, whichever is left,)?(?:,)? and "
    r"(?:win|nothing fits|they have no move)": lambda at, *moves: all(
        ends(here, int(move))
        for here in (at.here.play(at.here.legal_moves[0]),)
        for move in moves
        if move and int(move) in here.legal_moves
    ),
    rf"If they take {N}, you take {N} and win": lambda at, theirs, mine: (
        ends(at.here.play(int(theirs)), int(mine))
    ),
    rf"What if they take {N}": lambda at, theirs: int(theirs) in at.here.legal_moves,
    rf"And if you take {N}, they take {N}": lambda at, mine, theirs: (
        int(theirs) in winning_moves(at.here.play(int(mine)))
    ),
    rf"Then they take {N}|They take {N}, and have an answer to all you do": (
        lambda at, one, two: int(one or two) in winning_moves(at.here)
    ),
    rf"That leaves them {LIST}": lambda at, moves: numbers(moves) == {*at.here.legal_moves},
    rf"You have to take {N}, and they win with {N}": lambda at, mine, theirs: any(
        there.legal_moves == (int(mine),) and ends(there.play(int(mine)), int(theirs))
        for there in (at.here.play(move) for move in winning_moves(at.here))
    ),
    rf"you can win with {N}, and you can win with {N}": lambda at, *both: (
        {*map(int, both)} <= {*winning_moves(at.here)}
    ),
    rf"From 1 to {N} only two first numbers win|{N} and {N}": lambda at, size, *both: (
        {*winning_moves(at.game.start())} == {*map(int, both)} if both[0]
        else int(size) == at.game.size and len(winning_moves(at.game.start())) == 2
    ),
    rf"From 1 to {N}, the second player wins": lambda at, size: (
        int(size) == at.game.size and not winning_moves(at.game.start())
    ),
    rf"(?:{N} is odd, so begin|Begin) with {N}(?:, and look up the pairs before every move)?": (
        lambda at, odd, n: int(n) in winning_moves(at.game.start()) and int(odd or 1) % 2 == 1
    ),
    # Pairs.
    rf"(?:The pairs are )?{PAIRS}|Which numbers are in none of the pairs {PAIRS}": (
        lambda at, one, two: isinstance(at.here, ChainPosition)
        and all(fit(at.game, *pair) for pair in pairs(one or two))
        and len(numbers(one or two)) == 2 * len(pairs(one or two))
    ),
    rf"Look for {N} in the pairs|They took {N}|What is a good partner for {N}": (
        lambda at, *n: at.here.last in [int(one) for one in n if one]
    ),
    rf"{N} for {N}, and {N} for {N}": lambda at, a, b, c, d: (
        int(a) in winning_moves(at.here.play(int(b)))
        and int(c) in winning_moves(at.here.play(int(d)))
    ),
    r"They share the digit 1, so they fit": lambda at: all(
        has_all_digits(both, 1) and fit(at.game, *map(int, both.split()))
        for both in at.step.accepted
    ),
    rf"From 1 to {N} (?:there are|you can make) (\w+) pairs": lambda at, size, many: (
        int(size) == at.game.size
        and WORDS[many] == len(pairs(" ".join(at.step.text)))
        and WORDS[many] == len(theory_of(at.here).prove(at.here, ())["pairs"])
    ),
    rf"the numbers form {N} pairs that fit": lambda at, many: (
        len(theory_of(at.here).prove(at.here, ())["pairs"]) == int(many) == at.game.size // 2
    ),
    r"You know already what happens to whoever takes 1": lambda at: bool(
        theory_of(at.here).wins_at_once(at.here.play(1))
    ),
    # Runs of the number line.
    r"Only 5 and 6 are left, and it is your turn": lambda at: free(at.here) == {5, 6},
    rf"Then they cross out {N}": lambda at, n: ends(at.here, int(n)),
    rf"Then they cross out {N}, the middle, and copy you": lambda at, n: (
        int(n) in winning_moves(at.here) and runs(at.here) == [(int(n) - 1, int(n) + 1)]
    ),
    rf"{N}-{N} and {N}-{N}": lambda at, a, b, c, d: (
        runs(at.game.position(at.moves[0])) == [(int(a), int(b)), (int(c), int(d))]
        and int(b) - int(a) == int(d) - int(c)
    ),
    rf"Which number is the middle of the run {N}-{N}": lambda at, a, b: (
        at.step.accepted == (str((int(a) + int(b)) // 2),) and (int(a), int(b)) in runs(at.here)
    ),
    r"The runs (.*) are equal": lambda at, said: (
        runs(at.here) == said_runs(said) and len({length(*r) for r in said_runs(said)}) == 1
    ),
    r"The runs (?:here )?are (.*?)(?: now)?": lambda at, said: runs(at.here) == said_runs(said),
    r"That left the runs (.*)": lambda at, said: (
        runs(at.game.position(*at.moves[:-1])) == said_runs(said)
    ),
    rf"The run {N}-{N} has two numbers": lambda at, a, b: (
        (int(a), int(b)) in runs(at.here) and length(int(a), int(b)) == 2
    ),
    rf"Make {N}-{N} a run of two": lambda at, a, b: all(
        [length(*r) for r in runs(here) if int(a) <= r[0] <= int(b)] == [2]
        for here in rights(at.step)
    ),
    r"That left a run of four numbers, 1-4, and a run of one, 6": lambda at: (
        runs(at.game.position(*at.moves[:-1])) == [(1, 4), (6, 6)]
    ),
    rf"The {N} is a single number": lambda at, n: (int(n), int(n)) in runs(at.here),
    rf"Make (?:the run )?{N}-{N} a (?:single number too|run of one)": lambda at, a, b: any(
        (int(a), int(b)) in runs(at.here)
        and [length(*r) for r in runs(here) if int(a) <= r[0] <= int(b)] == [1]
        for here in rights(at.step)
    ),
    rf"Or make {N}-{N} a run of three": lambda at, a, b: any(
        [r for r in runs(here) if r[1] <= int(b)] == [(int(a) + 1, int(b))]
        for here in rights(at.step)
    ),
    rf"(?:The run )?{N}-{N} is worth (.*)": lambda at, a, b, worth: (
        worth == worth_of(length(int(a), int(b))) and (int(a), int(b)) in runs(at.here)
    ),
    rf"What is {N} worth": lambda at, n: (int(n), int(n)) in runs(at.here),
    r"1-3 has a one and a two, 5-6 has a two, and 8 has a one": lambda at: [
        worth_of(length(*run)) for run in runs(at.here)
    ] == ["a one and a two", "a two", "a one"],
    # Digits and tables.
    rf"(?:Here you|Now|You begin, and|The computer begins, and you) divide by {N}|"
    rf"Divide by {N} here|"
    rf"(?:whoever makes|That does not make|Which digit makes) a number in the table of {N}"
    r"(?: wins at once)?|The table of (\d+)": lambda at, *n: (
        at.game.divisor in [int(one) for one in n if one]
    ),
    rf"(?:That makes {N}, and )?{N} is {N} times {N}(?:, so the whole number divides by {N})?": (
        lambda at, made, product, a, b, by: int(product) == int(a) * int(b)
        and int(b) == at.game.divisor == int(by or b)
        and int(made or product) == int(product)
    ),
    r"\(8 times 13 is 104\.\)": lambda at: 8 * 13 == 104,
    rf"Which number from {N} to {N} is in the table of {N}": lambda at, low, high, of: (
        {int(of)} == {at.game.divisor}
        and [n for n in range(int(low), int(high) + 1) if n % int(of) == 0]
        == [10 * (at.here.state % int(of)) + int(at.step.accepted[0])]
    ),
    rf"Is there a number from {N} to {N} in the table of {N}": lambda at, low, high, of: (
        not [n for n in range(int(low), int(high) + 1) if n % int(of) == 0]
    ),
    rf"The number is {N}": lambda at, n: at.here.state == int(n),
    rf"Take away {N}, which is {N} times {N}": lambda at, n, a, b: (
        int(n) == int(a) * int(b) and 0 < at.here.state - int(n) < at.game.divisor
    ),
    rf"The rest is {N}": lambda at, n: at.here.state % at.game.divisor == int(n),
    rf"{N} becomes {LIST} and so on": lambda at, n, made: (
        int(n) == at.here.state % at.game.divisor
        and sorted(numbers(made)) == [10 * int(n) + digit for digit in at.here.legal_moves[:3]]
    ),
    rf"So {N} divides by {N} too": lambda at, n, by: int(n) == at.here.state and int(by) == 13
    and at.here.outcome is not None,
    rf"it is {N} times {N}": lambda at, a, b: at.here.state == int(a) * int(b),
    rf"(?i)if you add {N}, they make {N}": lambda at, mine, made: (
        f"{mine}" == made[0] and ends(at.here.play(int(mine)), int(made[1]))
    ),
    rf"{N} and {N} are safe": lambda at, *safe: (*at.step.accepted,) == safe,
    rf"no number from {N} to {N} divides by {N}, and none from {N} to {N}": (
        lambda at, a, b, by, c, d: not [
            n
            for n in (*range(int(a), int(b) + 1), *range(int(c), int(d) + 1))
            if n % int(by) == 0
        ]
    ),
    rf"The table of {N} is {LIST}|{LIST}": lambda at, of, some, all_: (
        lambda listed: listed == {n for n in range(1, max(listed) + 1) if n % at.game.divisor == 0}
    )(numbers(some or all_)),
    r"A number in the table of 10 ends in 0|But there is no digit 0": lambda at: (
        at.game.divisor == 10 and 0 not in at.game.all_moves()
    ),
    rf"{N} makes {N}, remainder {N}": lambda at, digit, made, rest: (
        at.here.play(int(digit)).state == int(made) and int(made) % at.game.divisor == int(rest)
    ),
    rf"Then {N} would make {N}, and they win|So {N} is bad": lambda at, digit, made, bad: (
        bad == "1" and bad not in at.step.accepted if bad else ends(at.here.play(1), int(digit))
        and int(made) % at.game.divisor == 0
    ),
    rf"Test {N}": lambda at, n: n in at.step.accepted,
    rf"it makes {N}, remainder {N}": lambda at, made, rest: (
        int(made) // 10 == at.here.state and int(made) % at.game.divisor == int(rest)
    ),
    rf"You are first, and you made {N}, remainder {N}": lambda at, made, rest: (
        at.here.to_move == 1 and at.here.state // 10 == int(made)
        and int(made) % at.game.divisor == int(rest)
    ),
    rf"The remainder is {N}, so your digit makes {LIST} and so on": lambda at, rest, made: (
        at.here.state % at.game.divisor == int(rest)
        and sorted(numbers(made)) == [10 * int(rest) + digit for digit in at.here.legal_moves[:3]]
    ),
    rf"Which digit turns {N} into {N}": lambda at, rest, made: (
        made == rest + at.step.accepted[0]
    ),
}  # fmt: skip


def rights(step):
    """The positions after each accepted move."""
    play = step.position.play
    return [play(step.position.game.parse(move)) for move in step.accepted]


def sentences(text):
    """The sentences of a text, and the parts of one before and behind a colon."""
    text = re.sub(r", like this: [\d ]+|Type them like this: [\d-]+", "", text)
    bracketed = re.findall(r"\(\d.*?\)", text)
    plain = re.sub(r"\(.*?\)", "", text)
    return [*bracketed, *(part.strip(" .?!-") for part in re.split(r"[.?!:](?:\s|$)", plain))]


def unchecked(place, text):
    """The sentences with numbers that are false, or of no form that can be checked."""
    for sentence in sentences(text):
        if not re.search(r"\d", sentence):
            continue
        checks = [
            (match, check)
            for form, check in FACTS.items()
            if (match := re.fullmatch(form, sentence))
        ]
        if not any(_holds(check, place, match) for match, check in checks):
            yield sentence


def _holds(check, place, match):
    try:
        return check(place, *match.groups())
    except (ValueError, AttributeError, LookupError, ZeroDivisionError):
        return False
