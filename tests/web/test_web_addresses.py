"""Addresses: every one is relative, so that the site works below any root."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from page_reading import MISSING, PAGES, SHEETS, Read, import_map, look_at
from servers import create, serving

import duels
from duels.server.config import Config, from_environment


@pytest.fixture(scope="module")
def below(tmp_path_factory):
    """A server with the root path /duels; a proxy may strip it or not."""
    file = tmp_path_factory.mktemp("web") / "web.sqlite3"
    with serving(Config(database=str(file), root_path="/duels/")) as client:
        yield client


@pytest.mark.parametrize("prefix", ["/duels", ""], ids=["left on", "taken off"])
def test_every_address_of_a_page_is_relative_and_leads_somewhere(below, prefix):
    known = create(below, "number-duel", "here")["id"]
    met = set()
    for path in PAGES + SHEETS + MISSING:
        here = prefix + path.replace("ID", known)
        page = look_at(below, here)
        assert page.status_code == (404 if path in MISSING else 200), path
        read = Read(page)
        found = read.all("a link script img", "href") + read.all("a link script img", "src")
        found += [read.all("html", "data-root")[0]]
        assert below.get(urlsplit(read.meta("og:image")).path).status_code == 200
        found += [*json.loads(import_map(page))["imports"].values()] if path in PAGES else []
        assert len(found) > 6
        for address in found:
            assert address.startswith(("./", "../", "#")), (path, address)
            if not address.startswith("#"):
                met.add(urljoin(here, address).partition("#")[0])
    assert all(address.startswith(f"{prefix}/") for address in met)
    assert {prefix + path for path in ("/", "/learn", "/analysis")} <= met
    assert {address: below.get(address).status_code for address in met} == dict.fromkeys(met, 200)


def test_a_root_path_without_its_slash_leads_to_the_first_page(below):
    moved = below.get("/duels")
    assert (moved.status_code, moved.headers["location"]) == (308, "/duels/")


def test_a_slash_too_many_leads_to_the_page_without_it(below):
    for path, there in (
        ("/duels/analysis/?game=number-duel", "/duels/analysis?game=number-duel"),
        ("/x/", "/x"),
    ):
        moved = look_at(below, path)
        assert moved.status_code == 308
        assert urljoin(path, moved.headers["location"]) == there


def test_a_page_that_is_not_there_stays_small(http):
    assert len(look_at(http, "/x" * 1000).content) < 4000


def test_the_contract_says_where_the_server_is(below, http):
    assert below.get("/duels/openapi.json").json()["servers"] == [{"url": "/duels"}]
    assert "servers" not in http.get("/openapi.json").json()


def test_a_public_address_has_the_root_path(tmp_path):
    config = Config(str(tmp_path / "a.sqlite3"), public_url="http://a.example", root_path="/x/y")
    with serving(config) as http:
        page = http.get("/x/y/learn/number-duel", headers={"host": "a.example"})
        assert page.headers["link"] == '<http://a.example/x/y/learn/number-duel>; rel="canonical"'
        read = Read(page)
        assert read.meta("public-url") == "http://a.example/x/y"
        assert read.meta("og:image").startswith("http://a.example/x/y/static/cards/number-duel.")


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("192.168.1.7:8000", "http://192.168.1.7:8000"),
        ("[fe80::1]:8000", "http://[fe80::1]:8000"),
        ('a.example"><script>', ".."),
    ],
)
def test_a_link_preview_has_an_absolute_picture(http, host, origin):
    """Other sites ignore a relative address. A host that is not one is not repeated."""
    page = http.get("/learn/number-duel", headers={"host": host})
    assert Read(page).meta("og:image").startswith(f"{origin}/static/cards/number-duel.")


def test_a_link_preview_below_a_path_names_the_path(below):
    for path in ("/duels/learn", "/learn"):
        page = below.get(path, headers={"host": "a.example"})
        assert Read(page).meta("og:image").startswith("http://a.example/duels/static/card.")


@pytest.mark.parametrize("text", ["duels", "/a b", "//a", "/a//b", "/../a", "/a/.", "/ä", "/a?b"])
def test_a_root_path_is_a_path(text):
    with pytest.raises(duels.OptionError, match="The root path is a path like /duels"):
        from_environment({"DUELS_ROOT_PATH": text})


@pytest.mark.parametrize(("text", "read"), [("/", ""), ("/duels/", "/duels"), ("/a/b-1.x", None)])
def test_a_root_path_has_no_slash_at_its_end(text, read):
    assert Config(root_path=text).root_path == (text if read is None else read)


def test_a_site_below_any_path_can_be_installed(below):
    for prefix in ("", "/duels"):
        page = Read(look_at(below, f"{prefix}/learn/number-duel"))
        here = urljoin(f"{prefix}/learn/number-duel", page.all("link", "href", rel="manifest")[0])
        found = below.get(here)
        assert found.headers["content-type"] == "application/manifest+json"
        for icon in found.json()["icons"]:
            picture = below.get(urljoin(here, icon["src"])).content
            assert icon["sizes"] == "{}x{}".format(*struct.unpack(">II", picture[16:24]))
        assert urljoin(here, found.json()["start_url"]) == f"{prefix}/"


def test_a_server_below_a_path_says_so(start_server, tmp_path):
    server = start_server(None, "--root-path", "/duels")
    assert urlsplit(server.url).path == "/duels"
    page = server.http.get("/learn/number-duel")
    assert str(page.url).startswith(f"{server.url}/learn")
    made = create(server.http, "number-duel", "here")
    with server.http.stream("GET", f"/api/matches/{made['id']}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
    assert Path(server.log_file).read_text().count('"path": "/learn/number-duel"') == 1
