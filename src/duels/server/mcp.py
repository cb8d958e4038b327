"""An MCP server on standard input and output: assistants play, and look up verdicts.

Each tool is a function below: its docstring is the description that the assistant reads, and its
struct declares the arguments. A position is a game and the moves so far, so the server has no
state. Tools run in the solver process, which bounds their time. The package `mcp` is imported only
to serve, and so not in that process.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Callable
from random import Random
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta

from duels import __version__
from duels.coach.hints import hints
from duels.core.errors import DAMAGED, PACKAGE, TITLE, DuelsError, MatchError, ProofError, install
from duels.core.game import Game, Move, Position
from duels.core.options import read_choice
from duels.core.words import counted, printable, quoted, rules_without
from duels.games import all_games
from duels.games.added import fault_of_a_game
from duels.lab.arena.tournament import game_label, read_games
from duels.match.dialogue import dialogue_of
from duels.match.players.levels import LEVELS, built_in
from duels.server.solver_pool import SolverProcess
from duels.service.analysis import verdict_status
from duels.service.problems import Problem, read_as
from duels.service.requests import MOST_MOVES, Body, MoveText, Stage, Text, Whole, about, web_game
from duels.service.views import hint_view, move_texts
from duels.theory import solve as solve_position
from duels.theory.check import check as check_proof
from duels.theory.verdict import read_verdict, verdict_data

Data = dict[str, Any]

LONGEST_PROOF = 200_000
"""The most characters of a proof that an assistant is sent."""
INSTRUCTIONS = (
    "Two-player number games with exact verdicts. Ask instead of working a position out: legal and "
    "play know the rules, solve knows who wins and proves it, and check verifies a proof without "
    "the solver. Begin with games, which says how to write a game with its options."
)


class GameName(Body, frozen=True):
    """A game with its options."""

    game: Annotated[Text, about("A game with its options, as games lists it.")]

    def load(self) -> Game:
        """Return the game; its board may be no larger than on the web."""
        (chosen,) = read_games([self.game]).values()
        return web_game(chosen.id, chosen.options, where="here")


class Line(GameName, frozen=True):
    """A position: a game and the moves that lead to it."""

    moves: Annotated[
        list[MoveText | Whole],
        Meta(max_length=MOST_MOVES, description='The moves so far, both players\': ["5-6", "8"]'),
    ] = msgspec.field(default_factory=list)

    def position(self) -> Position:
        return self.load().position(*map(str, self.moves))


class LineAndMove(Line, frozen=True):
    """A position, and what to play there."""

    move: Annotated[
        MoveText | Whole | None, about("Your move; leave it out if the computer moves first.")
    ] = None
    level: Annotated[Text | None, about(f"The computer replies: {', '.join(LEVELS)}.")] = None


class LineAndStage(Line, frozen=True):
    """A position, and how much help with it."""

    stage: Annotated[Stage, about("From 1, whether the position is won, to 4, why.")] = 1


class ProofSent(Body, frozen=True):
    """A proof."""

    proof: Annotated[Data, about('The object "proof" from the answer of solve.')]


class Nothing(Body, frozen=True):
    """No arguments."""


# The tools


def games(sent: Nothing) -> Data:
    """List the games: how to write each one with its options, and what an option may be."""
    return {
        "answer": f"There are {counted(len(all_games()), 'game')}.",
        "games": [
            {
                "game": game_label(kind.usual()),
                "title": kind.title,
                "summary": kind.summary,
                "move": kind.move_words,
                "options": {
                    name: {
                        "words": option.words,
                        "default": option.default,
                        **(
                            {"choices": dict(option.choices)}
                            if option.choices
                            else {
                                "lowest": option.lowest,
                                "highest": option.web_highest or option.highest,
                            }
                        ),
                    }
                    for name, option in kind.fields.items()
                },
            }
            for kind in all_games().values()
        ],
    }


def rules(sent: GameName) -> Data:
    """Give the rules of a game: in short with these options, and in full as Markdown."""
    game = sent.load()
    return {
        "answer": dialogue_of(game).rules(game),
        "game": game_label(game),
        "rules": rules_without(game.rules_text()),
    }


def legal(sent: Line) -> Data:
    """List the legal moves of a position, or say who has won."""
    return _position_data(sent.position())


def play(sent: LineAndMove) -> Data:
    """Play a move, and let the computer reply if a level is given.

    The answer has the moves so far, for the next call. An illegal move is refused with the rule.
    """
    here = sent.position()
    game, said = here.game, []
    if sent.move is not None:
        move = game.parse(str(sent.move))
        here = here.play(move)
        said.append(f"You {game.verb.did} {game.in_words(move)}.")
    elif sent.level is None:
        raise MatchError("There is nothing to play: give a move, a level, or both.")
    reply: Move | None = None
    if sent.level is not None:
        level = read_choice("level", sent.level, tuple(LEVELS))
        if not here.outcome:
            reply = built_in(level, Random()).choose(here)
            here = here.play(reply)
            said.append(f"The computer {game.verb.did} {game.in_words(reply)}.")
    data = _position_data(here)
    data["answer"] = " ".join([*said, data["answer"]])
    return data | {"reply": None if reply is None else game.format(reply)}


def hint(sent: LineAndStage) -> Data:
    """Give the player to move a hint, in four stages from a little help to the whole reason."""
    here = sent.position()
    if here.outcome:
        raise MatchError(solve_position(here).reason)
    shown = hint_view(hints(here), sent.stage, here.game)
    return {
        "answer": shown.text,
        "question": shown.question,
        "stage": shown.stage,
        "next_question": shown.next,
    }


def solve(sent: Line) -> Data:
    """Say who wins a position, by exactly which moves, and why, with a proof that check accepts."""
    here = sent.position()
    verdict = solve_position(here)
    proof = verdict_data(verdict)
    data = _position_data(here) | {
        "answer": verdict.reason if here.outcome else f"{verdict_status(verdict)} {verdict.reason}",
        "wins": verdict.wins,
        "winning_moves": move_texts(here.game, verdict.winning_moves),
        "proof": proof,
    }
    if len(json.dumps(proof)) > LONGEST_PROOF:
        data["proof"] = None
        data["answer"] += " The proof is too long to be sent; the command duels solve writes it."
    return data


def check(sent: ProofSent) -> Data:
    """Check a proof from solve without the solver, and say what it proves."""
    try:
        verdict = read_verdict(sent.proof)
    except DuelsError:
        raise
    except DAMAGED:
        raise ProofError("This is not a proof as solve gives it.") from None
    here = verdict.position
    web_game(here.game.id, here.game.options, where="here")
    check_proof(verdict)
    return _position_data(here) | {
        "answer": f"The proof is right. {verdict_status(verdict)}",
        "wins": verdict.wins,
        "winning_moves": move_texts(here.game, verdict.winning_moves),
    }


def _position_data(here: Position) -> Data:
    game, outcome = here.game, here.outcome
    if outcome:
        how = game.endings.get(outcome.reason, outcome.reason)
        answer = f"The game is over: Player {outcome.winner} has won: {how}."
    else:
        answer = f"Player {here.to_move} is to move and has {counted(here.legal_count, 'move')}."
    return {
        "answer": answer,
        "game": game_label(game),
        "moves": move_texts(game, here.moves),
        "position": here.words,
        "to_move": None if outcome else here.to_move,
        "legal_moves": move_texts(game, here.legal_moves),
        "winner": outcome.winner if outcome else None,
    }


TOOLS: dict[str, Callable[[Any], Data]] = {
    tool.__name__: tool for tool in (games, rules, legal, play, hint, solve, check)
}


def arguments_of(name: str) -> type[Any]:
    """Return the struct that declares the arguments of a tool."""
    kind: type[Any] = get_type_hints(TOOLS[name])["sent"]
    return kind


def answer(name: str, arguments: Data) -> Data:
    """Return the result of a tool; a DuelsError or a Problem says what is wrong in a sentence."""
    if name not in TOOLS:
        raise Problem(404, f"There is no tool {quoted(name)}; there are {', '.join(TOOLS)}.")
    try:
        return TOOLS[name](read_as(arguments_of(name), arguments))
    except (DuelsError, Problem):
        raise
    except Exception as error:
        if sentence := fault_of_a_game(error):
            raise DuelsError(sentence) from error
        raise


# The server


def serve() -> None:
    """Serve until the client closes the connection; DuelsError if `mcp` is not installed."""
    try:
        import anyio
        import mcp  # noqa: F401
    except ModuleNotFoundError:
        raise DuelsError(f"Assistants need the package mcp. {install('mcp')}") from None
    # A thread that waits for a line cannot be cancelled: Ctrl-C ends the process at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(_serve)
    except* BrokenPipeError:
        pass  # the client has disconnected


async def _serve() -> None:
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server
    from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

    process, turn = SolverProcess(), asyncio.Lock()
    is_safe = ToolAnnotations(read_only_hint=True, open_world_hint=False)

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(
            tools=[
                Tool(
                    name=name,
                    description=" ".join((tool.__doc__ or "").split()),
                    input_schema=schema_of(arguments_of(name)),
                    annotations=is_safe,
                )
                for name, tool in TOOLS.items()
            ]
        )

    async def call_tool(_context: Any, params: Any) -> CallToolResult:
        async with turn:
            try:
                done = await process.call(answer, params.name, params.arguments or {})
            except asyncio.CancelledError:
                process.stop()
                raise
        if done.fault:
            print(done.fault, file=sys.stderr)
        if done.refused or done.fault:
            sentence = done.refused[1] if done.refused else "This tool has a fault; see its log."
            text = TextContent(type="text", text=printable(sentence, "�"))
            return CallToolResult(content=[text], is_error=True)
        text = TextContent(type="text", text=json.dumps(done.value, ensure_ascii=False))
        return CallToolResult(content=[text], structured_content=done.value)

    server = Server(
        PACKAGE,
        version=__version__,
        title=TITLE,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    try:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    finally:
        process.stop()


def schema_of(kind: type[Any]) -> Data:
    """Return the JSON schema of a struct, with the struct itself at its root."""
    schema = msgspec.json.schema(kind)
    root: Data = schema["$defs"].pop(kind.__name__)
    return root
