"""The matches of a plan: played and graded, each saved as it ends, and resumed after a stop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from time import monotonic

from duels.core.errors import TooLarge
from duels.core.game import Move, Position
from duels.lab.arena.results import ForfeitedTurn, Grade, MatchResult
from duels.lab.arena.tournament import Pairing
from duels.lab.jobs import JobProgress
from duels.lab.results_folder import ResultsFolder
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
        folder.write_in_order(result.data() for result in ordered)
    return ordered


def never_served(results: Sequence[MatchResult]) -> dict[str, str]:
    """Return the players whose server failed in every match, with the last error."""
    errors: dict[str, str] = {}
    served: set[str] = set()
    for result in results:
        if result.forfeit and not result.is_rated:
            errors[result.names[result.forfeit.player - 1]] = result.forfeit.detail
        else:
            served.update(result.names)
    return {name: detail for name, detail in errors.items() if name not in served}


# One match


def _play_one(pairing: Pairing) -> list[MatchResult]:
    return [play_match(pairing)]


def play_match(pairing: Pairing) -> MatchResult:
    """Play and grade a match; a player who gives no legal move forfeits."""
    playing = GradedMatch(pairing)
    with ExitStack() as stack:
        players = [
            stack.enter_context(open_player(seat.computer, playing.seed, pairing.time_limit))
            for seat in pairing.seats
        ]
        while not playing.is_over:
            here, began = playing.position, monotonic()
            try:
                move = players[here.to_move - 1].choose(here)
            except Forfeit as lost:
                playing.forfeit(lost)
            else:
                playing.play(move, monotonic() - began)
    return playing.result


class GradedMatch:
    """A match of a pairing under way, with the grade of every turn so far."""

    def __init__(self, pairing: Pairing) -> None:
        self.pairing = pairing
        self._match = pairing.new_match()
        self._grading: list[Grade] = []
        self._forfeit: ForfeitedTurn | None = None

    @property
    def seed(self) -> int:
        return self._match.seed

    @property
    def position(self) -> Position:
        return self._match.position

    @property
    def is_over(self) -> bool:
        return self._match.outcome is not None

    def play(self, move: Move, seconds: float) -> None:
        """Play a legal move and grade it."""
        here, winning = self.position, self._winning
        self._match = self._match.play(move, seconds)
        kept = not winning or self._match.moves[-1] in winning
        self._grading.append(Grade(here.legal_count, len(winning), kept))

    def forfeit(self, lost: Forfeit) -> None:
        """End the match: the player to move gives no legal move."""
        here, counts = self.position, (self.position.legal_count, len(self._winning))
        self._forfeit = ForfeitedTurn(here.to_move, lost.reason, lost.detail, *counts)
        self._match = self._match.forfeit(lost)

    @property
    def result(self) -> MatchResult:
        """The result, when the match is over."""
        pairing, record = self.pairing, record_data(self._match)
        return MatchResult(
            pairing.label, pairing.round, record, tuple(self._grading), self._forfeit
        )

    @property
    def _winning(self) -> tuple[Move, ...]:
        try:
            return winning_moves(self.position)
        except TooLarge as error:
            raise TooLarge(f"{self.pairing.label} cannot be graded. {error}") from None
