"""Puzzles of one's own: the positions of finished and unfinished games that were won, until a move.

The most instructive come first: those that cost the game, then the easier ones, then the newer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from duels.coach.difficulty import measure
from duels.coach.puzzles import Puzzle
from duels.core.errors import TooLarge
from duels.core.game import Move, Position, other
from duels.match.match import Match
from duels.theory import theory_of, winning_moves

MOST_MATCHES = 60
"""Games with a person that are looked through, the first ones that are given."""


def mistakes(matches: Iterable[Match]) -> list[Puzzle]:
    """A puzzle of every move by which a person gave a win away; the newest match first."""
    own = islice(filter(_has_a_person, matches), MOST_MATCHES)
    found = [mistake for match in own for mistake in _mistakes_of(match)]
    return [puzzle for _, puzzle in sorted(found, key=lambda one: (one[0], one[1].number))]


def _has_a_person(match: Match) -> bool:
    start = match.game.start()
    return not all(seat.computer for seat in match.seats) and not theory_of(start).is_slow(start)


def _mistakes_of(match: Match) -> Iterator[tuple[bool, Puzzle]]:
    """Each with whether the game was not lost by it: the last mistake of who lost lost the game."""
    found: list[tuple[int, Puzzle]] = []
    position = match.game.start()
    try:
        for number, move in enumerate(match.moves, start=1):
            player = position.to_move
            is_own = number > match.given and not match.computer(player)
            if is_own and position.legal_count > 1:
                winning = winning_moves(position)
                if winning and move not in winning:
                    found.append((player, _puzzle(match, position, winning, number)))
            position = position.play(move)
    except TooLarge:
        pass  # the rest cannot be judged
    loser = other(match.outcome.winner) if match.outcome else 0
    last = max((at for at, (player, _) in enumerate(found) if player == loser), default=None)
    for at, (_, puzzle) in enumerate(found):
        yield at != last, puzzle


def _puzzle(match: Match, position: Position, winning: tuple[Move, ...], number: int) -> Puzzle:
    player, game = position.to_move, match.game
    name = "you" if match.computer(other(player)) else match.name(player)
    done = f"{game.verb.did} {game.format(match.moves[number - 1])}"
    source = (
        f"Move {number} of game {match.id} of {match.date[:10]}: "
        f"{name} {done} here, and that gave the win away."
    )
    found = measure(position, winning)
    known = f"{match.id}-{number}"
    return Puzzle(position, winning, found.word, found.number, source, known)
