"""Links that others can open, printed and shown; nothing here listens beyond loopback."""

from __future__ import annotations

import re
import socket

import pytest
from click.testing import CliRunner
from servers import serving

from duels.cli import serve
from duels.server.api import is_loopback
from duels.server.config import Config

LAN = "http://192.168.1.5:8765"


@pytest.fixture
def printed(monkeypatch, tmp_path):
    """What `duels serve` prints, and the settings with which it would run."""
    ran = []

    class Listening:
        def getsockname(self):
            return ("0.0.0.0", 8765)

    monkeypatch.setattr(serve, "_listen", lambda host, port: Listening())
    monkeypatch.setattr(serve, "lan_host", lambda: "192.168.1.5")
    monkeypatch.setattr(serve, "_run", lambda config, _: ran.append(config))

    def call(*args):
        flags = [*args, "--database", str(tmp_path / "a.sqlite3")]
        done = CliRunner().invoke(serve.serve, flags, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stderr, ran[-1]

    return call


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_an_open_server_prints_an_address_for_other_devices(printed, host):
    said, config = printed("--host", host, "--root-path", "/duels")
    assert f"is at {LAN}/duels (Ctrl-C stops it)." in said
    assert "on this computer also http://127.0.0.1:8765/duels" in said
    assert config.lan_root == f"{LAN}/duels"


def test_a_public_url_goes_before(printed):
    said, _ = printed("--host", "0.0.0.0", "--public-url", "https://duels.example")
    assert "is at https://duels.example (" in said
    assert LAN not in said


def test_on_loopback_it_says_that_only_this_computer_sees_it(printed):
    said, config = printed()
    assert "is at http://127.0.0.1:8765 (" in said
    assert "Only this computer can see it" in said
    assert config.lan_url == ""


def test_the_address_in_the_network_is_not_a_loopback_address():
    found = serve.lan_host()
    assert found == socket.gethostname().lower() or not is_loopback(found)


@pytest.fixture(scope="module")
def open_site(tmp_path_factory):
    file = tmp_path_factory.mktemp("open") / "a.sqlite3"
    with serving(Config(database=str(file), lan_url=LAN)) as http:
        yield http


def meta(page):
    found = re.search('<meta name="public-url" content="([^"]*)">', page.text)
    return found and found[1]


def test_a_page_on_this_computer_gives_links_that_others_open(open_site, http):
    assert meta(open_site.get("/")) == LAN
    for host in ("192.168.1.5:8765", "classroom.local:8765"):
        assert meta(open_site.get("/", headers={"Host": host})) is None, "theirs works already"
    assert meta(http.get("/")) is None


def test_links_to_this_site_are_drawn_and_no_others(open_site):
    own = str(open_site.base_url).rstrip("/")
    for link in (f"{own}/m/abc#seat=secret", f"{LAN}/m/abc", f"{own}/"):
        done = open_site.post("/api/qr", json={"link": link})
        assert (done.status_code, done.headers["content-type"]) == (200, "image/svg+xml")
        assert done.text.startswith("<svg")
        assert "script" not in done.text
    different = [open_site.post("/api/qr", json={"link": f"{own}/{page}"}).text for page in "ab"]
    assert different[0] != different[1]
    for link in (
        "https://elsewhere.example/",
        f"{own}@elsewhere.example/",
        f"{own}.elsewhere.example/m/abc",
        own.replace("http", "javascript"),
        f"{own}/with a blank",
        "/m/abc",
        "http://[",
        "",
    ):
        refused = open_site.post("/api/qr", json={"link": link})
        assert refused.status_code == 422, link
        assert refused.json()["detail"] == "Only links to this site are drawn."
    assert open_site.post("/api/qr", json={"link": own + "/" + "x" * 400}).status_code == 422
    assert open_site.post("/api/qr", json={}).status_code == 422
