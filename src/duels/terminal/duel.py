"""A duel of several matches at the terminal, and a computer that follows a person's results."""

from __future__ import annotations

from duels.match.match import Match
from duels.match.strengths import Strengths
from duels.terminal.session import Session


def play_duel(session: Session) -> Session:
    """Play a match and those that follow it in its duel, sides swapped; the last session."""
    talk, strengths = session.talk, Strengths(session.keeper.store.folder.parent)
    talk.tell(*before(session.match, strengths))
    while True:
        match = session.run()
        if match.duel:
            talk.tell("", after(match))
        try:
            if standing := strengths.count(match):
                talk.tell(f"Next time your opponent here has strength {standing.strength}.")
        except OSError as error:
            talk.note(f"Warning: {strengths.notebook.path} cannot be written: {error.strerror}.")
        following = match.next()
        if not following:
            return session
        talk.say("")
        session = session.followed_by(following)


def before(match: Match, strengths: Strengths) -> list[str]:
    """What there is to say before a match or a duel begins or goes on."""
    lines = []
    if match.duel and match.duel.number == 1:
        lines.append(f"A duel of {match.duel.of} games. Game 1: {match.name(1)} moves first.")
    elif match.duel:
        lines.append(f"Game {match.duel.number} of {match.duel.of}. So far: {score(match)}.")
    if strengths.follows(match):
        strength = match.computer(1) or match.computer(2)
        lines.append(f"Your opponent is matched to you: strength {strength} of 100.")
    return [*lines, ""] if lines else []


def after(match: Match) -> str:
    """How a duel stands after a match, and what follows: "Ann 1, Ben 0. Game 2 of 2: …"."""
    following = match.next()
    if following and following.duel:
        number, of = following.duel[:2]
        return f"{score(match)}. Game {number} of {of}: {following.name(1)} moves first."
    one, two = match.score
    if one == two:
        return f"{score(match)}. The duel is a draw."
    return f"{score(match)}. {match.name(1 if one > two else 2)} wins the duel."


def score(match: Match) -> str:
    """How a duel stands; whoever began its first match stands first."""
    parts = [f"{name} {won}" for name, won in zip(match.names, match.score, strict=True)]
    began_first = not match.duel or match.duel.number % 2
    return ", ".join(parts if began_first else parts[::-1])
