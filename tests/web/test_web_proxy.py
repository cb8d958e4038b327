"""The site below a path of another host, behind the proxies of docs/how-to/host.md."""

from __future__ import annotations

import re

import httpx
import pytest
from proxies import Proxy
from servers import Listener, friends, wait_for
from taught import Class

pytestmark = pytest.mark.long


@pytest.fixture(params=["nginx", "caddy"])
def proxy(request, tmp_path):
    proxy = Proxy(request.param, tmp_path)
    yield proxy
    proxy.stop()


@pytest.fixture
def serve(proxy, start_server):
    """Starts a server, which says that it is where the proxy is."""
    flags = ("--root-path", "/duels", "--public-url", proxy.url, "--trusted-proxies", "127.0.0.1")
    return lambda: start_server(None, *flags, port=proxy.server_port)


def test_pages_and_their_files_are_below_the_path(serve):
    server = serve()
    assert server.url.endswith("/duels")
    page = httpx.get(server.url, follow_redirects=True)
    assert str(page.url) == f"{server.url}/"
    loaded = re.findall(r'(?:href|src)="([^"#]+\.(?:js|css|svg))"', page.text)
    assert len(loaded) > 3
    assert all(httpx.get(page.url.join(path)).status_code == 200 for path in loaded)


def test_a_match_and_a_class_outlive_a_kill(serve):
    server = serve()
    ann, bob = friends(server.http)
    watching = Listener(server.url, ann.id)
    ann.move(0, 6)
    watching.wait(lambda state: state["ply"] == 1, 3)  # the proxy does not hold it back
    lesson = Class(server.http)
    pupils = [lesson.join() for _ in range(4)]
    wall = Listener(server.url, lesson.code, of="classes")
    heard = len(wall.events)
    lesson.begin()
    wait_for(lambda: len(wall.events) > heard, 3)
    boards = lesson.get().json()["boards"]

    server.kill()
    wait_for(lambda: not watching.is_alive() and not wall.is_alive(), 10)
    assert httpx.get(f"{server.url}/readyz").status_code in {502, 503, 504}  # pages try again then

    server = serve()
    again = Listener(server.url, ann.id)
    assert bob.on(server.http).move(1, 3).status_code == 200
    again.wait(lambda state: state["ply"] == 2, 3)
    lesson.http = server.http
    assert [board["match"] for board in lesson.get().json()["boards"]] == [
        board["match"] for board in boards
    ]
    assert all(lesson.get(pupil).json()["match"] for pupil in pupils)


def test_each_client_of_the_proxy_has_limits_of_its_own(serve):
    """The proxy says who asks; what a client itself says about that is not believed."""
    server = serve()
    wrong = [
        httpx.get(
            f"{server.url}/api/classes/ZZZZZ{number:03}"[:-1],
            headers={"X-Forwarded-For": f"192.0.2.{number}"},
        ).status_code
        for number in range(120)
    ]
    assert wrong[0] == 404
    assert wrong[-1] == 429
