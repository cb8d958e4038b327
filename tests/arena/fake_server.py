"""A small OpenAI-compatible server on loopback, whose answers a test decides."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any], int], Any]
"""From a request and its number: the model's words, or (status, headers, body).

A body that is a list is sent piece by piece, with a pause after each.
"""


class FakeServer:
    """`requests` is everything that was asked; a context manager that ends with its test."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[dict[str, Any]] = []
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                asked = json.loads(self.rfile.read(size))
                fake.requests.append(asked)
                said = answer(asked, len(fake.requests))
                status, headers, body = said if isinstance(said, tuple) else completion(said)
                pieces = [body.encode()] if isinstance(body, str) else body
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(sum(map(len, pieces))))
                    self.end_headers()
                    for piece in pieces:
                        self.wfile.write(piece)
                        time.sleep(0.1 if len(pieces) > 1 else 0)
                except OSError:
                    pass  # the client has not waited

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> FakeServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def completion(words: str | None, **message: Any) -> tuple[int, dict[str, str], str]:
    """A well-formed answer of the server."""
    finish = message.pop("finish_reason", "stop")
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "fake",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": words, **message},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }
    return 200, {"Content-Type": "application/json"}, json.dumps(body)


def first_legal(asked: dict[str, Any]) -> str:
    """A model that plays the first of the legal moves that it is shown."""
    shown = re.search(r"Legal moves: ([\d-]+)", asked["messages"][1]["content"])
    assert shown
    return f"I think about it.\n\nMOVE: {shown[1]}"


def slow(seconds: float) -> str:
    time.sleep(seconds)
    return "MOVE: 1"
