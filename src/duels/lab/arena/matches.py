"""The matches of a plan: played and graded, each saved as it ends, and resumed after a stop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from time import monotonic

from duels.core.errors import TooLarge
from duels.core.game import Move
from duels.lab.arena.results import ForfeitedTurn, Grade, MatchResult
from duels.lab.arena.tournament import Pairing
from duels.lab.jobs import JobProgress
from duels.lab.results_folder import ResultsFolder
from duels.match.players.prompt import Conditions
from duels.match.players.specs import Forfeit, open_player
from duels.match.record_data import record_data
from duels.theory import winning_moves


def play_matches(
    folder: ResultsFolder[MatchResult],
    pairings: Iterable[Pairing],
    *,
    note: Callable[[str], None],
    jobs: int | None = None,
    cluster: str | None = None,
) -> list[MatchResult]:
    """Play what the folder lacks; return all results in the order of the plan.

    Matches that a server error ended are played again.
    """
    planned = {pairing.key: pairing for pairing in pairings}
    done = {
        key: result
        for key, result in folder.open().items()
        if key in planned and result.names == planned[key].names and result.is_rated
    }
    folder.note_resumed(f"{len(done)} of {len(planned)} matches", len(done), note)
    left = [pairing for key, pairing in planned.items() if key not in done]
    progress = JobProgress("matches", len(planned), len(done))
    folder.complete(done, _play_one, left, progress, jobs=jobs, cluster=cluster)
    ordered = [done[key] for key in planned]
    if left:
        folder.write_in_order(ordered)
    return ordered


# One match


def _play_one(pairing: Pairing) -> list[MatchResult]:
    return [play_match(pairing)]


def play_match(pairing: Pairing) -> MatchResult:
    """Play and grade a match; a player who gives no legal move forfeits."""
    playing = GradedMatch(pairing)
    with ExitStack() as stack:
        players = [
            stack.enter_context(open_player(seat.computer, playing.match.seed, pairing.time_limit))
            for seat in pairing.seats
        ]
        while not playing.match.outcome:
            here, began = playing.match.position, monotonic()
            try:
                move = players[here.to_move - 1].choose(here)
            except Forfeit as lost:
                playing.forfeit(lost)
            else:
                playing.play(move, monotonic() - began)
    return playing.result


class GradedMatch:
    """A match of a pairing under way, with the grade of every turn so far.

    The conditions of a model are given by its number, 1 or 2.
    """

    def __init__(
        self, pairing: Pairing, conditions: Mapping[int, Conditions] | None = None
    ) -> None:
        self.match = pairing.new_match()
        self._pairing = pairing
        self._conditions = conditions or {}
        self._grading: list[Grade] = []
        self._forfeit: ForfeitedTurn | None = None

    def play(self, move: Move, seconds: float) -> None:
        """Play a legal move and grade it."""
        winning, (legal, count, chance) = self._winning, self._counts
        self.match = self.match.play(move, seconds)
        kept = not winning or self.match.moves[-1] in winning
        self._grading.append(Grade(legal, count, kept, chance))

    def forfeit(self, lost: Forfeit) -> None:
        """End the match: the player to move gives no legal move."""
        player = self.match.position.to_move
        self._forfeit = ForfeitedTurn(player, lost.reason, lost.detail, *self._counts)
        self.match = self.match.forfeit(lost)

    @property
    def result(self) -> MatchResult:
        """The result, when the match is over."""
        graded = (record_data(self.match), tuple(self._grading), self._forfeit)
        return MatchResult(self._pairing.label, self._pairing.round, *graded)

    @property
    def _counts(self) -> tuple[int, int, float | None]:
        """The number of legal and of winning moves, and the chance if the legal are hidden."""
        here, winning = self.match.position, len(self._winning)
        told = self._conditions.get(here.to_move, Conditions())
        chance = None if told.show_legal else round(told.chance(here, winning), 6)
        return here.legal_count, winning, chance

    @property
    def _winning(self) -> tuple[Move, ...]:
        try:
            return winning_moves(self.match.position)
        except TooLarge as error:
            raise TooLarge(f"{self._pairing.label} cannot be graded. {error}") from None
