"""Why a move was right or wrong, in a few sentences to the player who asks."""

from __future__ import annotations

from duels.coach.labels import AT_ONCE, FORCED, GAVE, NOTHING, SOONER, judge
from duels.core.game import Position
from duels.match.match import Match
from duels.theory import solve, theory_of
from duels.theory.verdict import Verdict

IN_LOST_POSITION = {
    NOTHING: "No move could force a win there.",
    AT_ONCE: "No move could force a win there, but {} does not lose at once.",
    SOONER: "No move could force a win there, but {} holds out longer.",
}


def why_lines(match: Match) -> list[str]:
    """The last move of each player, to whoever is to move, who is "you"."""
    if not match.moves:
        return ["No move has been made yet."]
    count = len(match.moves)
    return [_why(match, number) for number in range(max(count - 2, 0), count)]


def _why(match: Match, number: int) -> str:
    """The move after so many others: who made it, whether it was right, and why."""
    game, move = match.game, match.moves[number]
    before: Position = game.position(*match.moves[:number])
    is_yours = before.to_move == match.position.to_move
    name = "You" if is_yours else match.name(before.to_move)
    done = f"{name} {game.verb.did} {game.format(move)}."
    verdict = solve(before)
    judged = judge(verdict, move)
    if judged.kind == FORCED:
        return f"{done} It was the only move."
    if judged.kind in IN_LOST_POSITION:
        better = "" if judged.better is None else game.format(judged.better)
        said = f"{IN_LOST_POSITION[judged.kind].format(better)} {judged.why}"
        return f"{done} {said.strip()}"
    if judged.kind == GAVE:
        right = "" if judged.better is None else game.format(judged.better)
        done = f"{done} That gave the win away: {right} was the move."
        return f"{done} {_seen(verdict, match)}"
    if is_yours and move == verdict.best_move:
        order = f"{game.verb.do.capitalize()} {game.format(move)}"
        why = verdict.reason
        then = why.removeprefix(order) if why.startswith(order) else f". {why}"
        return f"{done} That was right{then}"
    return f"{done} That was right. {_seen(solve(before.play(move)), match)}"


def _seen(verdict: Verdict[Position], match: Match) -> str:
    """Why a position is won or lost, said to its player to move; "you" may be the other one."""
    theory, player = theory_of(verdict.position), verdict.position.to_move
    is_short = verdict.wins or theory.decided(verdict)
    why = verdict.reason if is_short else theory.why_lost(verdict)
    return why if player == match.position.to_move else f"Seen by {match.name(player)}: {why}"
