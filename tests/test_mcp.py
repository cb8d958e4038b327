"""`duels mcp` as an assistant uses it: mcp's own client, and a real process."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

import duels
from duels.theory.verdict import verdict_data
from own_games import SQUARE_FILE
from program import DUELS, workers
from rings import by_ring, only_long

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parent.parent / "docs" / "how-to" / "agents.md"
CONFIGURED = json.loads(PAGE.read_text("utf-8").partition("```json\n")[2].partition("```")[0])
"""What the page tells people to register: all tests start the server like that."""
TOOLS = ["games", "rules", "legal", "play", "hint", "solve", "check"]
PARTS = {
    "number-duel": ["28", "14", "41"],
    "divisor-duel:divisor=13": ["4"],
    "number-line-duel": ["5-6", "8"],
    "sequence-duel:numbers=40,opening=even": ["6"],
    "number-chain-duel": [],
}
"""A position of every game."""

STRANGER = '''
"""A game that talks too much, waits too long at 2, and breaks at 3."""
import time
from duels import StateGame, whole

print("loaded")


class Stranger(StateGame[int]):
    """Take one or two stones."""

    id, title, summary = "stranger", "Stranger", "Take one or two stones."
    stones: int = whole("the stones", default=9, highest=100, is_size=True)

    def first(self):
        return self.stones

    def allowed(self, state):
        print("allowed", state)
        if self.stones == 2:
            time.sleep(600)
        if self.stones == 3:
            raise ZeroDivisionError("three")
        return (1, 2)[:state]

    def after(self, state, move):
        return state - move
'''


def server(*words):
    """How a client starts the server."""
    config = CONFIGURED["mcpServers"]["duels"]
    assert config["command"] == "duels"
    command, *args = [*DUELS, *map(str, words), *config["args"]]
    return StdioServerParameters(command=command, args=args, env=dict(os.environ))


@contextmanager
def assistant(*words):
    """Call tools of a server; a call returns its data, or the sentence of its error."""
    with start_blocking_portal() as portal:
        client = Client(stdio_client(server(*words)))
        with portal.wrap_async_context_manager(client):

            async def call_tool(name, arguments):
                async with asyncio.timeout(120):
                    return await client.call_tool(name, arguments)

            def call(name, **arguments):
                return plain(portal.call(call_tool, name, arguments))

            call.client, call.portal = client, portal
            yield call


def plain(result):
    """The data of a result, or the sentence of an error."""
    (content,) = result.content
    assert "Traceback" not in content.text
    if result.is_error:
        return content.text
    assert json.loads(content.text) == result.structured_content
    return result.structured_content


@pytest.fixture(scope="module")
def ask():
    with assistant() as call:
        yield call


@pytest.fixture
def stranger(tmp_path):
    file = tmp_path / "stranger.py"
    file.write_text(STRANGER)
    return file


def test_the_tools_say_what_they_do_and_what_they_take(ask):
    tools = ask.portal.call(ask.client.list_tools).tools
    assert [tool.name for tool in tools] == TOOLS
    for tool in tools:
        assert tool.description.endswith(".")
        assert tool.annotations.read_only_hint
        assert tool.input_schema["type"] == "object"
        assert "$ref" not in json.dumps(tool.input_schema)


def test_the_games_are_listed_as_they_are_written(ask):
    games = ask("games")["games"]
    assert len(games) == 5
    for one in games:
        assert ask("legal", game=one["game"])["to_move"] == 1
    options = {one["game"]: one["options"] for one in games}
    assert options["sequence-duel"]["numbers"]["highest"] == 200
    assert [*options["sequence-duel"]["opening"]["choices"]] == ["any", "even", "even-below-half"]
    assert "divisor-duel:divisor=13" in options


def test_the_rules_are_those_of_the_options(ask):
    told = ask("rules", game="sequence-duel:opening=even")
    assert told["answer"].startswith("The first number must be even;")
    assert told["rules"].startswith("# Sequence Duel")


@pytest.mark.parametrize("game", PARTS)
def test_a_tool_agrees_with_the_library(ask, game):
    game_id, _, options = game.partition(":")
    values = dict(option.split("=") for option in options.split(",") if option)
    here = duels.game(game_id, **values).position(*PARTS[game])
    verdict = duels.solve(here)
    legal = ask("legal", game=game, moves=PARTS[game])
    assert legal["legal_moves"] == [here.game.format(move) for move in here.legal_moves]
    solved = ask("solve", game=game, moves=PARTS[game])
    assert solved["wins"] is verdict.wins
    assert solved["winning_moves"] == [here.game.format(move) for move in verdict.winning_moves]
    assert solved["answer"].endswith(verdict.reason)
    checked = ask("check", proof=solved["proof"])
    assert checked["answer"].startswith(f"The proof is right. Player {here.to_move}, to move, ")
    assert (checked["wins"], checked["moves"]) == (verdict.wins, PARTS[game])
    forged = solved["proof"] | {"wins": not verdict.wins, "winning_moves": []}
    assert ask("check", proof=forged).startswith("The proof fails: ")


def test_hints_come_in_stages(ask):
    line = {"game": "number-line-duel", "moves": ["5-6", "8"]}
    stages = [ask("hint", **line, stage=stage) for stage in (1, 2, 3, 4)]
    assert stages[0]["answer"] == "You can win from here."
    assert stages[2]["answer"] == "Five of 11 moves win: 1; 2; 3; 4; 9 and 10 together."
    following = [stage["next_question"] for stage in stages]
    assert following == [*(stage["question"] for stage in stages[1:]), ""]


def test_a_whole_game_is_played_against_a_level(ask):
    told = ask("play", game="number-chain-duel", level="novice")
    assert told["answer"].startswith("The computer ")
    while told["winner"] is None:
        assert told["moves"][-1] == told["reply"]
        verdict = ask("solve", game=told["game"], moves=told["moves"])
        move = (verdict["winning_moves"] or verdict["legal_moves"])[0]
        told = ask("play", game=told["game"], moves=told["moves"], move=move, level="novice")
    assert told["answer"].endswith(f"Player {told['winner']} has won: no moves were left.")
    over = {"game": told["game"], "moves": told["moves"]}
    assert ask("solve", **over)["wins"] is None
    assert ask("check", proof=ask("solve", **over)["proof"])["winner"] == told["winner"]
    assert ask("hint", **over) == f"The game is over: Player {told['winner']} has won."


def test_a_move_may_be_a_number_and_needs_no_computer(ask):
    told = ask("play", game="number-line-duel", moves=["5-6"], move=8)
    assert told["moves"] == ["5-6", "8"]
    assert told["answer"] == "You crossed out 8. Player 1 is to move and has 11 moves."
    assert told["reply"] is None


ERRORS = {
    "There is no game": ("legal", {"game": "go"}),
    "divisor-duel needs the option divisor": ("legal", {"game": "divisor-duel"}),
    "sequence-duel has no option": ("legal", {"game": "sequence-duel:size=3"}),
    "numbers may be at most 200 here.": ("solve", {"game": "sequence-duel:numbers=201"}),
    "numbers must be a whole number from 1": ("rules", {"game": f"number-duel:numbers={10**100}"}),
    "divisor may be at most": ("hint", {"game": f"divisor-duel:divisor={10**150}"}),
    '"abc" is not one number': ("play", {"game": "number-line-duel", "move": "abc"}),
    "1 and 3 are not neighbours": ("play", {"game": "number-line-duel", "move": "1-3"}),
    "There is nothing to play": ("play", {"game": "number-line-duel"}),
    "level must be novice, casual": ("play", {"game": "number-line-duel", "level": "god"}),
    "8 ": ("legal", {"game": "number-line-duel", "moves": [8, 8]}),
    "stage: must be a whole number": ("hint", {"game": "number-duel", "stage": 5}),
    "Missing field: game.": ("legal", {}),
    "Unknown field: gamе.": ("legal", {"gamе": "with a letter of another alphabet"}),
    "moves: must be a list": ("legal", {"game": "number-duel", "moves": "28 14"}),
    "moves: item 1 must be text": ("legal", {"game": "number-duel", "moves": [10**40]}),
    "moves: item 2 must be": ("legal", {"game": "number-line-duel", "moves": [1, [5, 6]]}),
    "game: must be text": ("legal", {"game": {"$ref": "#"}}),
    "This is not a verdict": ("check", {"proof": {"game": [1], "options": 5}}),
    "proof: must be an object.": ("check", {"proof": "{}"}),
    "There is no tool": ("eval", {"code": "1"}),
}


@pytest.mark.parametrize("sentence", ERRORS)
def test_an_error_is_a_sentence(ask, sentence):
    name, arguments = ERRORS[sentence]
    said = ask(name, **arguments)
    assert said.startswith(sentence)
    assert said.endswith((".", "?"))


def test_a_proof_about_a_board_that_is_too_large_is_refused(ask):
    solved = duels.solve(duels.game("sequence-duel", numbers=201).start())
    assert ask("check", proof=verdict_data(solved)) == "numbers may be at most 200 here."


HUGE = "9" * 10_000_000


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("legal", {"game": HUGE}),
        ("legal", {"game": "number-duel", "moves": [HUGE]}),
        ("legal", {"game": "number-duel", "moves": ["1"] * 1_000_000}),
        ("play", {"game": "number-duel", "move": HUGE, "level": HUGE}),
        ("legal", {"game": "number-duel", HUGE: 1}),
        ("check", {"proof": {"game": HUGE, "options": {}}}),
        ("check", {"proof": {"game": "number-duel", "options": {"numbers": HUGE}}}),
        (HUGE, {}),
    ],
    ids=["game", "move", "moves", "level", "name", "proof", "option", "tool"],
)
def test_ten_megabytes_are_refused_in_a_short_sentence(ask, name, arguments):
    assert len(ask(name, **arguments)) < 400
    assert ask("legal", game="number-chain-duel")["to_move"] == 1


def test_calls_at_the_same_time_each_get_their_own_answer(ask):
    async def all_at_once():
        lines = [("solve", game, moves) for game, moves in PARTS.items()]
        lines += [("legal", f"sequence-duel:numbers={size}", []) for size in range(1, 20)]
        calls = (ask.client.call_tool(name, {"game": g, "moves": m}) for name, g, m in lines)
        return lines, await asyncio.gather(*calls)

    for (_, game, moves), result in zip(*ask.portal.call(all_at_once), strict=True):
        assert (plain(result)["game"], plain(result)["moves"]) == (game, moves)


def test_games_of_a_file_are_served_too():
    with assistant("--with", SQUARE_FILE) as ask:
        assert "square-duel" in [one["game"] for one in ask("games")["games"]]
        solved = ask("solve", game="square-duel:stones=12", moves=["4"])
        assert ask("check", proof=solved["proof"])["answer"].startswith("The proof is right.")
        assert ask("play", game="square-duel", move="3") == "3 is not a square number."
        assert ask("legal", game="square-duel:stones=1001") == "stones may be at most 1,000 here."


def test_a_game_that_prints_or_breaks_disturbs_no_other_call(stranger):
    with assistant("--with", stranger) as ask:
        assert ask("legal", game="stranger")["legal_moves"] == ["1", "2"]
        broken = ask("legal", game="stranger:stones=3")
        assert broken.startswith("The game has a fault.")
        assert broken.endswith("ZeroDivisionError: three")
        assert ask("legal", game="stranger:stones=4")["to_move"] == 1


def test_a_call_that_is_given_up_makes_room_for_the_next(stranger):
    with assistant("--with", stranger) as ask:

        async def give_up():
            async with asyncio.timeout(5):
                await ask.client.call_tool("legal", {"game": "stranger:stones=2"})

        with pytest.raises(TimeoutError):
            ask.portal.call(give_up)
        assert ask("legal", game="stranger:stones=4")["to_move"] == 1


@pytest.mark.long
def test_what_takes_too_long_ends_with_a_sentence(stranger):
    with assistant("--with", stranger) as ask:
        assert ask("legal", game="stranger:stones=2") == "This takes too long to work out."
        assert ask("legal", game="stranger:stones=4")["to_move"] == 1


# Without a client that behaves

ME = {"clientInfo": {"name": "test", "version": "1"}, "capabilities": {}}
HELLO = {"method": "initialize", "params": {"protocolVersion": "2025-06-18", **ME}}


@pytest.fixture
def started(environment, tmp_path):
    """Start a server whose pipes belong to the test; its log must have no traceback."""
    log = (tmp_path / "log").open("w+")
    processes = []

    def start(*words):
        command = [*DUELS, *map(str, words), "mcp"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": log}
        process = subprocess.Popen(command, env=environment, text=True, **pipes)
        processes.append(process)
        send(process, HELLO, id=1)
        assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"]
        send(process, {"method": "notifications/initialized"})
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
    log.seek(0)
    assert "Traceback" not in log.read()
    log.close()


def send(process, message, **more):
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message, **more}) + "\n")
    process.stdin.flush()


def request(name, **arguments):
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}


def wait_for(is_true):
    """Wait until something is true, but not for ever."""
    deadline = time.monotonic() + 60
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_running(pid):
    try:
        return "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds processes in /proc")
@pytest.mark.parametrize("how", ["both end", "interrupted", *only_long("input ends", "killed")])
def test_when_the_client_is_gone_nothing_keeps_running(started, stranger, how):
    process = started("--with", stranger)
    send(process, request("legal", game="stranger:stones=2"), id=2)
    wait_for(lambda: workers(process.pid))
    time.sleep(by_ring(1.0, long=4.0))  # the job has begun, or is about to
    busy = workers(process.pid)
    if how == "killed":
        process.kill()
    elif how == "interrupted":
        process.send_signal(signal.SIGINT)
    else:
        if how == "both end":
            process.stdout.close()
        process.stdin.close()
    code = process.wait(timeout=60)
    assert code in {"killed": [-9], "interrupted": [-2, 130]}.get(how, [0])
    wait_for(lambda: not any(map(is_running, busy)))


def test_a_line_that_is_not_a_message_does_not_stop_it(started):
    process = started()
    for line in ("hello", "{", "[]", "null", '{"jsonrpc": "2.0"}', "[" * 10_000, "\0", "\ud800"):
        process.stdin.write(line.encode("utf-8", "surrogatepass").decode("utf-8", "replace") + "\n")
    send(process, request("legal", game="number-duel", moves=["\ud800"]), id=2)
    send(process, request("legal", game="number-chain-duel"), id=3)
    while (answer := json.loads(process.stdout.readline())).get("id") != 3:
        assert "error" in answer or answer["result"]["isError"]
    assert answer["result"]["structuredContent"]["to_move"] == 1


def test_an_older_client_is_understood():
    async def talk():
        client = Client(stdio_client(server()), mode="legacy")
        async with asyncio.timeout(60), client:
            return plain(await client.call_tool("legal", {"game": "number-chain-duel"}))

    assert asyncio.run(talk())["to_move"] == 1
