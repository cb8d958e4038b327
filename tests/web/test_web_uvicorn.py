"""What we override in uvicorn and use of it: a version that changes it fails here, by name.

uvicorn promises none of this. pyproject.toml allows only versions that were tried; before you raise
the upper bound, run this file and the tests of faults and connections with the new version.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytest.importorskip("starlette", reason="the extra number-duels[web] is not installed")

from uvicorn import server as uvicorn_server
from uvicorn.protocols.http import httptools_impl
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import Server
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from duels.server.uvicorn_overrides import JoinedWrites, LimitedConnection, Workers

PARSER = "__init__", "httptools.HttpRequestParser(self)"
BY_OTHERS = None, ""
"""Called by asyncio, which promises to, or by our own code."""

CONNECTION = {
    "__init__": ("(self, config, server_state, app_state, _loop)", BY_OTHERS),
    "connection_made": ("(self, transport)", BY_OTHERS),
    "connection_lost": ("(self, exc)", BY_OTHERS),
    "data_received": ("(self, data)", BY_OTHERS),
    "pause_writing": ("(self)", BY_OTHERS),
    "resume_writing": ("(self)", BY_OTHERS),
    "on_message_begin": ("(self)", PARSER),
    "on_headers_complete": ("(self)", PARSER),
    "on_message_complete": ("(self)", PARSER),
    "on_response_complete": (
        "(self)",
        ("on_headers_complete", "on_response=self.on_response_complete"),
    ),
    "send_400_response": ("(self, msg)", ("data_received", "self.send_400_response(msg)")),
}
"""What `LimitedConnection` overrides: the signature, and who in uvicorn calls it, and how."""

WORKERS = {
    "__init__": ("(self, config, sockets)", BY_OTHERS),
    "init_processes": ("(self)", ("run", "self.init_processes()")),
    "keep_subprocess_alive": ("(self)", ("run", "self.keep_subprocess_alive()")),
    "run": ("(self)", BY_OTHERS),
}
"""The same for `Workers`."""

OVERRIDES = [
    *((LimitedConnection, HttpToolsProtocol, name, *how) for name, how in CONNECTION.items()),
    *((Workers, Multiprocess, name, *how) for name, how in WORKERS.items()),
]


PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_only_versions_that_were_tried_are_allowed():
    extras = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    (allowed,) = (one for one in map(Requirement, extras["web"]) if one.name == "uvicorn")
    assert version("uvicorn") in allowed.specifier
    assert "0.50.2" not in allowed.specifier  # `--workers 2` ended in a TypeError
    assert "0.99" not in allowed.specifier  # not tried, because it is not there yet


def overridden(ours: type, theirs: type) -> set[str]:
    return {name for name in vars(ours) if inspect.isfunction(getattr(theirs, name, None))}


def names_in(signature: inspect.Signature) -> str:
    return f"({', '.join(signature.parameters)})"


@pytest.mark.parametrize(
    ("ours", "theirs", "table"),
    [(LimitedConnection, HttpToolsProtocol, CONNECTION), (Workers, Multiprocess, WORKERS)],
)
def test_every_override_is_looked_at_here(ours, theirs, table):
    assert overridden(ours, theirs) == set(table)


@pytest.mark.parametrize(
    ("theirs", "name", "signature", "call"),
    [each[1:] for each in OVERRIDES],
    ids=[f"{ours.__name__}.{name}" for ours, _, name, *_ in OVERRIDES],
)
def test_an_override_has_the_signature_and_the_caller_it_was_written_for(
    theirs, name, signature, call
):
    assert names_in(inspect.signature(vars(theirs)[name])) == signature
    caller, text = call
    if caller:
        assert text in inspect.getsource(vars(theirs)[caller])


@pytest.mark.parametrize(
    ("theirs", "name", "signature"),
    [
        (HttpToolsProtocol, "_unset_keepalive_if_required", "(self)"),
        (FlowControl, "pause_reading", "(self)"),
        (FlowControl, "resume_reading", "(self)"),
        (Process, "__init__", "(self, config, sockets)"),
        (Process, "start", "(self)"),
        (Multiprocess, "terminate_all", "(self)"),
        (Multiprocess, "join_all", "(self)"),
        (Server, "run", "(self, sockets)"),
    ],
)
def test_a_method_that_is_called_is_there(theirs, name, signature):
    assert names_in(inspect.signature(vars(theirs)[name])) == signature


@pytest.mark.parametrize(
    ("theirs", "names"),
    [
        (
            HttpToolsProtocol,
            "loop transport flow client headers parser pipeline cycle server_state",
        ),
        (
            RequestResponseCycle,
            "disconnected message_event response_started response_complete more_body",
        ),
        (Multiprocess, "config sockets processes processes_num should_exit"),
        (Process, "process"),
    ],
)
def test_an_attribute_that_is_used_is_set_from_the_start(theirs, names):
    source = inspect.getsource(vars(theirs)["__init__"])
    missing = [name for name in names.split() if not re.search(rf"self\.{name}\b.* = ", source)]
    assert missing == []


def test_small_things_that_are_taken_for_granted():
    assert issubclass(HttpToolsProtocol, asyncio.Protocol)
    assert httptools_impl.STATUS_LINE[431].startswith(b"HTTP/1.1 431 ")
    assert "self.url = " in inspect.getsource(HttpToolsProtocol.on_message_begin)
    parsing = inspect.getsource(HttpToolsProtocol.data_received)
    assert "except httptools.HttpParserError" in parsing  # also what a callback raises
    served = inspect.getsource(Multiprocess.run)
    assert re.search(r"while not self\.should_exit\.wait\(", served)
    assert served.index("self.terminate_all()") < served.index("self.join_all()")
    assert "sys.exit(STARTUP_FAILURE)" in inspect.getsource(uvicorn_server)


class Transport:
    """Notes what is sent on a connection, and that it is closed."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes) -> None:
        assert not self.is_closed
        self.sent.append(data)

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed


def write_joined(transport: Transport, *steps: str) -> None:
    """Write each step, except "turn", "close" and "abort", which happen to the connection."""

    async def write() -> None:
        joined = JoinedWrites(transport, asyncio.get_running_loop())
        for step in [*steps, "turn"]:
            match step:
                case "turn":
                    await asyncio.sleep(0)
                case "close":
                    joined.close()
                case "abort":
                    transport.close()
                case _:
                    joined.write(step.encode())

    asyncio.run(write())


@pytest.mark.parametrize(
    ("steps", "sent"),
    [
        ("head body", "headbody"),
        ("head body head body", "headbody headbody"),
        ("head turn body", "head body"),
        ("head close", "head"),
        ("head abort", ""),
    ],
)
def test_the_head_of_a_response_is_sent_together_with_its_body(steps, sent):
    transport = Transport()
    write_joined(transport, *steps.split())
    assert b" ".join(transport.sent).decode() == sent
