"""The five games once more, as slowly and plainly as possible, to compare the real ones with.

A position is nothing but the list of its moves; everything else is worked out from it each time.
Nothing is imported from duels, and no cleverness is shared with it.
"""

CRITERIA = {
    "factor": lambda a, b: a % b == 0 or b % a == 0,
    "digit": lambda a, b: any(digit in str(b) for digit in str(a)),
    "digit-sum": lambda a, b: sum(map(int, str(a))) == sum(map(int, str(b))),
    "prime-factor": lambda a, b: any(a % n == 0 and b % n == 0 for n in range(2, a + 1)),
    "neighbour": lambda a, b: a - b in (1, -1),
    "square-sum": lambda a, b: any(n * n == a + b for n in range(a + b)),
}

DEFAULTS = {
    "number-duel": {"numbers": 100, "criteria": "factor,digit"},
    "divisor-duel": {},
    "number-line-duel": {"numbers": 10},
    "sequence-duel": {"numbers": 20, "opening": "any", "criteria": "factor"},
    "number-chain-duel": {"numbers": 9, "criteria": "factor"},
}


def legal_moves(game, options, moves):
    """Every legal move after `moves`, in increasing order."""
    options = DEFAULTS[game] | options
    if game == "divisor-duel":
        unused = [digit for digit in range(1, 10) if digit not in moves]
        return [] if divisible(options, moves) else unused
    if game == "number-line-duel":
        return line_moves(options["numbers"], moves)
    unused = [number for number in range(1, options["numbers"] + 1) if number not in moves]
    if moves:
        fits = [CRITERIA[name] for name in options["criteria"].split(",")]
        return [number for number in unused if any(fit(number, moves[-1]) for fit in fits)]
    if options.get("opening") == "even":
        return [number for number in unused if number % 2 == 0]
    if options.get("opening") == "even-below-half":
        return [number for number in unused if number % 2 == 0 and number < options["numbers"] / 2]
    return unused


def outcome(game, options, moves):
    """(winner, reason), or None if the game is not over."""
    if legal_moves(game, options, moves):
        return None
    last_mover = 2 if to_move(moves) == 1 else 1
    if game != "divisor-duel":
        return last_mover, "no-moves"
    if divisible(options, moves):
        return last_mover, "divisible"
    return to_move(moves), "digits-used"


def to_move(moves):
    """1 or 2."""
    return 1 if len(moves) % 2 == 0 else 2


def divisible(options, moves):
    """Whether the digits make a number that the divisor divides."""
    return bool(moves) and int("".join(map(str, moves))) % options["divisor"] == 0


def line_moves(numbers, moves):
    """Every free number, and every pair of free neighbours."""
    crossed = []
    for move in moves:
        crossed += move if isinstance(move, tuple) else [move]
    free = [number for number in range(1, numbers + 1) if number not in crossed]
    legal = []
    for number in free:
        legal.append(number)
        if number + 1 in free:
            legal.append((number, number + 1))
    return legal


def count_games(game, options, moves):
    """How many games from here player 1 wins, and how many player 2 wins."""
    end = outcome(game, options, moves)
    if end:
        return (1, 0) if end[0] == 1 else (0, 1)
    counts = [
        count_games(game, options, [*moves, move]) for move in legal_moves(game, options, moves)
    ]
    return sum(one for one, two in counts), sum(two for one, two in counts)


def rest(position):
    """What the rest of a game depends on: of a number, its digits in any order, and a remainder."""
    game = position.game
    if game.id == "divisor-duel":
        return game, frozenset(position.moves), position.state % game.divisor
    return position
