"""Boards of all games, and ways through them: what the tests of the environments share."""

import random
from contextlib import suppress

import duels

OUR_GAMES = {name: kind for name, kind in duels.GAMES.items() if kind.__module__[:6] == "duels."}
"""The games of this package, whatever other tests have added."""
MOST_PLAYS = 2000


def varieties(*kinds):
    """A small board of each game, and one with the last choice of each of its options."""
    for kind in kinds or OUR_GAMES.values():
        usual = kind.small().options
        yield kind(**usual)
        for name, option in kind.fields.items():
            if option.choices:
                yield kind(**{**usual, name: [*option.choices][-1]})


def boards(*kinds):
    """The usual board of each game, the smallest, some beyond 64 bits, and very large options."""
    for kind in kinds or OUR_GAMES.values():
        yield kind.usual()
        name = kind.size_option()
        unbounded = name and kind.fields[name].highest is None
        sizes = (1, 64, 65, 150) + ((987_654_321, 10**40) if unbounded else ())
        for size in sizes if name else ():
            with suppress(duels.OptionError):
                yield kind.usual(**{name: size})


def all_boards(*kinds):
    """All of them, each once."""
    return [*dict.fromkeys([*boards(*kinds), *varieties(*kinds)])]


def label(game):
    """A name for a case of a test."""
    return " ".join([game.id, *(str(value) for value in game.options.values())])


def random_positions(game, games=5, seed=1):
    chance = random.Random(seed)
    for _ in range(games):
        position = game.start()
        yield position
        while not position.outcome:
            position = position.play(chance.choice(position.legal_moves))
            yield position


def plays(start):
    """Rows of moves that play every move in every position, or the first `MOST_PLAYS` of them."""
    chance = random.Random(1)
    found, seen, todo = [], {start}, [start]
    while todo and len(found) < MOST_PLAYS:
        here = todo.pop()
        for after in map(here.play, chance.sample(here.legal_moves, here.legal_count)):
            if after.outcome or after in seen:
                found.append(after.moves)
            else:
                seen.add(after)
                todo.append(after)
    return found


def longest_by_trying(position, memo):
    if position not in memo:
        ahead = [longest_by_trying(position.play(move), memo) for move in position.legal_moves]
        memo[position] = 1 + max(ahead, default=-1)
    return memo[position]
