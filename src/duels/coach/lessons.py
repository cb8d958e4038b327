"""Lessons: a few steps that teach how to win a game, and a game at the end.

A lesson is a TOML file (docs/how-to/lessons.md). Terminal and pages show a step and print what
`answer` returns. The theory decides which answers to a kind of question are accepted; a lesson
declares only those that no theory knows, such as the numbers that some pairs leave over.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from duels.coach.hints import refute
from duels.core.board import Drawing, Link, describe
from duels.core.errors import DAMAGED, DuelsError, GameFileError, LessonError, UnreadableMove
from duels.core.game import Game, Move, Position, numbers_of, other
from duels.core.words import counted, listed, quoted, whole_number
from duels.games import game as game_of
from duels.match.match import DEFAULT_NAMES, Match, Seat, new_match
from duels.match.players.specs import opponent_seat
from duels.theory import solve, theory_of, winning_moves

OPPONENT = "skilled"
"""The level of the computer in the game at the end."""
TRIES = 3
"""The right answer is shown after this many wrong ones, and the hint one answer earlier."""
FEW = 5
"""The most moves that a sentence lists."""
NUMBERS = "numbers"
GAME = "game"
PAIRS = "pairs"
"""The kind of fact that lists partners: 1-7 2-6."""
NEEDED = {"title", "text", "answer", "right"}
KEYS = NEEDED | {"options", "moves", "question", "how_to_answer", "hint", "otherwise"}
KEYS |= {"wrong", "facts"}


class Kind(NamedTuple):
    """A kind of question."""

    read: Callable[[Position, str], str]
    """Return the answer in normal form; DuelsError if it cannot be read."""
    right: Callable[[Position], tuple[str, ...]] = lambda _: ()
    """Return the accepted answers, in normal form."""
    follows: Callable[[Position, str], str] = lambda *_: "No. Look again."
    """Return the response to an answer that is not accepted."""
    is_move: bool = False
    """Whether an answer is one move."""
    shows_moves: bool = True
    """Whether the board may show the legal moves."""
    choices: tuple[str, ...] = ()
    """All possible answers, if they are a few words."""
    names_numbers: bool = False
    """Whether an answer is a list of numbers or moves."""


class Fact(NamedTuple):
    """A statement of a step as data, so that a test can check it; a hint draws stated pairs."""

    kind: str
    position: Position
    value: str


class Step(NamedTuple):
    """One board and one question; the last step is a game to win."""

    title: str
    text: tuple[str, ...]
    """Paragraphs."""
    position: Position
    kind: str
    """One of the kinds of questions, or "game"."""
    question: str
    accepted: tuple[str, ...]
    right: str
    """Why the accepted answer is right; in the last step, the text for the winner."""
    hint: str
    wrong: Mapping[str, str]
    """What happens after some wrong answers."""
    otherwise: str
    """What happens after all other wrong answers, if the theory does not say it well enough."""
    how_to_answer: str = ""
    """How an answer is typed, where the question does not say it."""
    facts: tuple[Fact, ...] = ()

    @property
    def full_question(self) -> str:
        """The question, and how to answer it."""
        return f"{self.question} {self.how_to_answer}".strip()

    @property
    def is_game(self) -> bool:
        return self.kind == GAME

    @property
    def asks(self) -> Kind:
        return KINDS[self.kind]

    @property
    def solution(self) -> str:
        """The right answer in words."""
        if self.asks.is_move:
            game = self.position.game
            return game.list_moves([game.parse(move) for move in self.accepted], "or")
        if len(self.accepted) > 1:
            return listed(self.accepted, "or")
        return listed(self.accepted[0].split())


class Lesson(NamedTuple):
    """The steps that teach one game."""

    game: type[Game]
    steps: tuple[Step, ...]


class Reply(NamedTuple):
    """The response to an answer."""

    is_right: bool
    lines: tuple[str, ...]


def answer(step: Step, typed: str, wrong_before: int = 0) -> Reply:
    """Return the reply to an answer: what happens; later also a hint; at last the right answer.

    UnreadableMove or IllegalMove if it cannot be read; that does not count as a try.
    """
    said = step.asks.read(step.position, typed)
    if said in step.accepted:
        return Reply(True, (f"Right. {step.right}",))
    lines = [after_wrong(step, said)]
    if wrong_before + 1 >= TRIES:
        lines.append(give_up(step))
    elif wrong_before + 2 == TRIES and step.hint:
        lines.append(f"Hint: {step.hint}")
    return Reply(False, tuple(lines))


def give_up(step: Step) -> str:
    """Return the right answer, for a player who gives up."""
    return f"The answer is {step.solution}. {step.right}"


def after_wrong(step: Step, said: str) -> str:
    """Return what happens after a wrong answer."""
    return step.wrong.get(said) or step.otherwise or step.asks.follows(step.position, said)


def hint_drawing(step: Step) -> Drawing:
    """Return what the hint of a step draws: pairs that its text names, or where to look."""
    pairs = next((fact.value.split() for fact in step.facts if fact.kind == PAIRS), [])
    if pairs:
        cells = enumerate(describe(step.position).cells)
        places = {cell.text: number for number, cell in cells if cell}
        found = [[places[number] for number in pair.split("-")] for pair in pairs]
        return Drawing(links=[Link((one, two), "partners") for one, two in found])
    theory = theory_of(step.position)
    if step.is_game or not step.asks.is_move or theory.wins_at_once(step.position):
        return Drawing()  # for a win in one move, the clue would give the answer away
    return theory.clue(solve(step.position))


def lesson_match(step: Step, name: str = "", seed: int | None = None) -> Match:
    """Return the match at the end: the person has the side that wins with best play."""
    own = winner(step.position)
    person = Seat(name or DEFAULT_NAMES[own - 1])
    computer = opponent_seat(OPPONENT)
    seats = (person, computer) if own == 1 else (computer, person)
    return new_match(step.position.game, seats, seed=seed, given=step.position)


def lesson_of(kind: type[Game]) -> Lesson | None:
    """Return the lesson of a game, or None; LessonError if its file is wrong."""
    try:
        text = kind.lesson_text()
        data = tomllib.loads(text)
    except GameFileError as error:
        raise LessonError(str(error)) from None
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        why = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise LessonError(f"The lesson of {kind.title} cannot be read: {why}.") from None
    if not text or data.get("game", kind.id) != kind.id:  # another game of the same file
        return None
    return Lesson(kind, tuple(_read_steps(kind, data.get("step"))))


def _read_steps(kind: type[Game], steps: Any) -> list[Step]:
    if not isinstance(steps, list) or not steps:
        raise LessonError(f"The lesson of {kind.title} has no [[step]].")
    read = []
    for number, data in enumerate(steps, start=1):
        try:
            step = _read_step(kind, data)
            if step.is_game != (number == len(steps)):
                raise LessonError(f'the last step, and only that one, has answer = "{GAME}"')
        except DAMAGED as error:
            why = str(error).rstrip(".")
            raise LessonError(f"The lesson of {kind.title}, step {number}: {why}.") from None
        read.append(step)
    return read


def _read_step(kind: type[Game], data: Mapping[str, Any]) -> Step:
    if missing := sorted(NEEDED - data.keys()):
        raise LessonError(f"{missing[0]} is missing")
    if unknown := sorted(data.keys() - KEYS):
        raise LessonError(f"unknown key {quoted(unknown[0])}; a step has {listed(sorted(KEYS))}")
    position = game_of(kind.id, **data.get("options", {})).position(
        *str(data.get("moves", "")).split()
    )
    if position.outcome:
        raise LessonError("the game is over after these moves")
    is_declared = isinstance(data["answer"], list)
    name = NUMBERS if is_declared else data["answer"]
    if name != GAME and (name not in KINDS or (name == NUMBERS and not is_declared)):
        kinds = [*KINDS.keys() - {NUMBERS}, GAME]
        raise LessonError(f"an answer is {listed(sorted(kinds), 'or')}, or like [7] or ['4 13']")
    step = Step(
        title=_line(data["title"]),
        text=_paragraphs(data["text"]),
        position=position,
        kind=name,
        question=_line(data.get("question", "")),
        how_to_answer=_line(data.get("how_to_answer", "")),
        accepted=(),
        right=_line(data["right"]),
        hint=_line(data.get("hint", "")),
        wrong={},
        otherwise=_line(data.get("otherwise", "")),
        facts=tuple(_read_fact(position, fact) for fact in data.get("facts", ())),
    )
    if step.is_game:
        return step
    reads = step.asks.read
    given = [reads(position, str(one)) for one in data["answer"]] if is_declared else []
    accepted = tuple(given) or step.asks.right(position)
    wrong = {reads(position, said): _line(text) for said, text in data.get("wrong", {}).items()}
    if not accepted:
        raise LessonError(f"this board has no {name}")
    if both := wrong.keys() & set(accepted):
        raise LessonError(f"{listed(sorted(both))} is both right and listed as wrong")
    if not step.question:
        raise LessonError("a question is missing")
    return step._replace(accepted=accepted, wrong=wrong)


def _read_fact(position: Position, data: Mapping[str, Any]) -> Fact:
    """Return a fact after its own moves from the start, or else at the position of its step."""
    texts = all(isinstance(part, str) for part in data.values())
    if not texts or not {"kind", "value"} <= data.keys() <= {"kind", "value", "moves"}:
        raise LessonError("a fact has the texts kind and value, and perhaps moves")
    if "moves" in data:
        position = position.game.position(*data["moves"].split())
    return Fact(data["kind"], position, _line(data["value"]))


def _line(text: str) -> str:
    return " ".join(text.split())


def _paragraphs(text: str) -> tuple[str, ...]:
    """Split at empty lines, and before the items of a list, which begin with a dash."""
    parts = re.split(r"\n\s*\n|\n(?=- )", text.strip())
    return tuple(map(_line, parts))


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as plain data, with all that a page needs to teach it without a solver."""
    kind = lesson.game
    steps = [_step_data(step) for step in lesson.steps]
    return {"game": kind.id, "title": kind.title, "steps": steps}


def _step_data(step: Step) -> dict[str, Any]:
    position = step.position
    data: dict[str, Any] = {
        "title": step.title,
        "text": list(step.text),
        "options": dict(position.game.options),
        "moves": list(position.moves),
        "to_move": position.to_move,
        "legal_moves": list(position.legal_moves),
        "kind": step.kind,
        "right": step.right,
        "otherwise": step.otherwise,
    }
    if step.is_game:
        return data | {"you": winner(position), "opponent": OPPONENT}
    wrong = dict(step.wrong)
    if step.asks.is_move:
        moves = map(position.game.format, position.legal_moves)
        wrong |= {said: after_wrong(step, said) for said in moves if said not in step.accepted}
    posed = {"question": step.full_question, "accepted": list(step.accepted), "hint": step.hint}
    return data | posed | {"shows_moves": step.asks.shows_moves, "wrong": wrong}


# Kinds of questions: how answers are read, accepted and responded to


def winner(position: Position) -> int:
    """Return the player who wins with best play."""
    wins = bool(winning_moves(position))
    return position.to_move if wins else other(position.to_move)


def _move(position: Position, typed: str) -> str:
    move = position.game.parse(typed)
    position.play(move)
    return position.game.format(move)


def _moves(position: Position, typed: str) -> str:
    """Read several moves in any order, legal or not."""
    words = re.split(r"[\s,;]+", re.sub(r"\band\b", " ", typed.lower()).strip(" \t,;."))
    moves = {position.game.parse(word) for word in words}
    return _written(position, sorted(moves, key=numbers_of))


def _numbers(_: Position, typed: str) -> str:
    """Read one or more numbers in any order: 12 11, 11-12, 11 and 12."""
    words = re.split(r"[\s,;-]+|\band\b", typed.lower().strip(" ,;."))
    found = [whole_number(word) for word in words if word]
    if not found or None in found:
        raise UnreadableMove("Answer with a number, or with several, like 3 6.")
    return " ".join(map(str, sorted({number for number in found if number is not None})))


def _choice(words: tuple[str, ...], right: Callable[[Position], int]) -> Kind:
    """Return a kind with a few words as answers; `right` gives the index of the accepted one."""

    def read(_: Position, typed: str) -> str:
        begun = typed.strip().lower()
        found = [word for word in words if begun and word.startswith(begun)]
        if len(found) != 1:
            raise UnreadableMove(f"Answer {listed(words, 'or')}.")
        return found[0]

    return Kind(
        read,
        lambda here: (words[right(here)],),
        lambda here, _: solve(here).reason,
        choices=words,
    )


def _written(position: Position, moves: list[Move] | tuple[Move, ...]) -> str:
    return " ".join(map(position.game.format, moves))


def _each(moves: Callable[[Position], tuple[Move, ...]]) -> Callable[[Position], tuple[str, ...]]:
    return lambda position: tuple(map(position.game.format, moves(position)))


def _ending(position: Position) -> tuple[Move, ...]:
    ends: tuple[Move, ...] = theory_of(position).wins_at_once(position)
    return ends


def _safe(position: Position) -> tuple[Move, ...]:
    """Return the moves after which the opponent has not won, and cannot win at once."""
    after = {move: position.play(move) for move in position.legal_moves}
    mine = position.to_move
    return tuple(
        move
        for move, here in after.items()
        if (here.outcome.winner == mine if here.outcome else not _ending(here))
    )


def _length(position: Position) -> tuple[str, ...]:
    lengths = theory_of(position).moves_left(position) or []
    return (str(lengths[0]),) if len(lengths) == 1 else ()


def _refuted(position: Position, answer: str) -> str:
    """Say what the opponent does after a move that gives the win away, and why it decides."""
    move = position.game.parse(answer)
    after = position.play(move)
    if not after.outcome and not solve(after).wins:
        return "That wins too, but the question asks for something else."
    return refute(position, move).words


def _continues(position: Position, answer: str) -> str:
    """Say how the game can continue after a move that should have ended it."""
    game = position.game
    after = position.play(game.parse(answer))
    if after.outcome:
        return "That ends the game, and they win."
    moves = after.legal_moves
    for_example = ", for example" if len(moves) > FEW else ""
    shown = game.list_moves(moves[:FEW], "or")
    return f"That does not end the game. They can still {game.verb.do} {shown}{for_example}."


def _not_all(position: Position, answer: str) -> str:
    """Return the rule against an illegal move, or say how many moves are missing."""
    named = [position.game.parse(word) for word in answer.split()]
    for move in named:
        try:
            position.play(move)
        except DuelsError as error:
            return str(error)
    missing = position.legal_count - len(named)
    return f"Right so far, but {counted(missing, 'more number')} can be played."


KINDS = {
    "winning move": Kind(_move, _each(winning_moves), _refuted, is_move=True),
    "ending move": Kind(_move, _each(_ending), _continues, is_move=True),
    "safe move": Kind(_move, _each(_safe), _refuted, is_move=True),
    "all moves": Kind(
        _moves,
        lambda here: (_written(here, here.legal_moves),),
        _not_all,
        shows_moves=False,
        names_numbers=True,
    ),
    "moves left": Kind(_numbers, _length, lambda *_: "Count again: one move after another."),
    "yes or no": _choice(("yes", "no"), lambda here: not winning_moves(here)),
    "first or second": _choice(("first", "second"), lambda here: winner(here) - 1),
    NUMBERS: Kind(_numbers, shows_moves=False, names_numbers=True),
}
"""The kinds by the names that lessons use; "yes or no" asks whether the player to move can win."""
