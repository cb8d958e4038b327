"""The site as plain files: everything is there, fits together, and comes from nowhere else."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
from html import unescape
from pathlib import Path
from posixpath import join, normpath

import pytest

import duels
from duels.core.errors import OptionError
from duels.pages.shell import CLASSROOM, SECTIONS
from duels.site.build import NOT_CACHED, build, write

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
MOST_COMPRESSED = 5_840_000
ADDRESS = re.compile(r'(?:href|src)="([^"#]*)"')
MAP = re.compile(r'<script type="importmap">(.*?)</script>')
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
ELSEWHERE = re.compile(r"(?:https?:)?//(?!www\.w3\.org/)[\w-]+\.\w")


def pages(files):
    return {path: files[path].decode() for path in files if path.endswith(".html")}


def kept(files):
    listed = re.search(r"const FILES = (\{.*?\});", files["sw.js"].decode(), re.DOTALL)
    return json.loads(listed[1])


def test_every_address_in_a_page_is_a_file(files):
    for path, text in pages(files).items():
        folder = path.rpartition("/")[0]
        mapped = json.loads(found[1])["imports"].values() if (found := MAP.search(text)) else ()
        for address in {*ADDRESS.findall(text), *mapped}:
            bare = address.partition("?")[0]
            there = normpath(join(folder, bare)).removeprefix(".").lstrip("/")
            assert not there.startswith(".."), (path, address)
            file = f"{there}/index.html".lstrip("/") if bare.endswith("/") else there
            assert file in files, (path, address)


def test_every_game_has_its_pages(files):
    for path in (
        *(path for path in SECTIONS if path != CLASSROOM),
        *(f"{what}/{one}" for what in ("play", "learn") for one in duels.GAMES),
    ):
        assert f"{path}/index.html".lstrip("/") in files
    assert b"Classroom" not in files["index.html"]  # a class needs a server


def test_a_page_runs_no_script_but_its_own(files):
    for path, text in pages(files).items():
        policy = POLICY.search(text)
        assert policy.start() < text.index("<script"), path
        scripts = unescape(policy[1]).partition("script-src ")[2].partition(";")[0].split()
        assert scripts[:2] == ["'self'", "'wasm-unsafe-eval'"]
        inside = [found[1] for found in MAP.finditer(text)]
        assert text.count("<script") == len(inside) + len(re.findall("<script [^>]*src=", text))
        hashed = [
            base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in inside
        ]
        assert scripts[2:] == [f"'sha256-{one}'" for one in hashed]


def test_nothing_of_ours_names_another_site(files):
    for path, content in files.items():
        if path.endswith((".html", ".js", ".css", ".webmanifest")):
            assert not ELSEWHERE.search(content.decode()), path


def test_a_first_visit_stays_small(files):
    loaded = [*(path for path in files if not path.startswith(NOT_CACHED)), "sw.js"]
    assert sum(len(gzip.compress(files[path], 9)) for path in loaded) < MOST_COMPRESSED


def test_the_service_worker_stores_every_file_unchanged(files):
    expected = {
        path.removesuffix("index.html"): hashlib.sha256(content).hexdigest()
        for path, content in files.items()
        if not path.startswith(NOT_CACHED) and path != "sw.js"
    }
    assert kept(files) == expected
    assert {"", "404.html", "m/", "manifest.webmanifest"} <= expected.keys()


def test_the_worker_names_its_modules_by_their_content(files):
    worker = re.search(r'data-worker="([^"]*)"', files["index.html"].decode())[1]
    waiting, seen = [worker], set()
    while waiting:
        path = waiting.pop()
        digest = hashlib.sha256(files[path]).hexdigest()[:12]
        assert f".{digest}." in path
        seen.add(path)
        found = re.findall(r'from "([^"]+)"', files[path].decode())
        names = [normpath(join(path, "..", name)) for name in found]
        waiting += [name for name in names if name not in seen]
    assert any(b'"wasm": {\n    "path": "python/' in files[path] for path in seen)


def test_the_icons_are_as_large_as_the_manifest_says(files):
    for one in json.loads(files["manifest.webmanifest"])["icons"]:
        kind, wide, high = struct.unpack(">8x4x4sII", files[one["src"]][:24])
        assert (kind, f"{wide}x{high}") == (b"IHDR", one["sizes"])


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(OptionError, match="other files"):
        build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_folder_that_is_a_link_is_emptied_and_nothing_outside_it_is_written(tmp_path):
    disk, victim, out = (tmp_path / name for name in ("disk", "victim", "out"))
    disk.mkdir()
    victim.write_text("mine")
    (disk / "index.html").symlink_to(victim)
    out.symlink_to(disk)
    write({"index.html": b"new"}, out)
    assert (victim.read_text(), (disk / "index.html").read_text()) == ("mine", "new")
    assert out.is_symlink()


@pytest.mark.skipif(os.name == "nt", reason="a script for sh")
def test_the_script_takes_its_folder_from_where_it_was_called(tmp_path):
    scripts, here = tmp_path / "clone" / "scripts", tmp_path / "here"
    scripts.mkdir(parents=True)
    here.mkdir()
    shutil.copy(ROOT / "scripts" / "site", scripts)
    (scripts / "_python").write_text(
        f"root={tmp_path / 'clone'} bin={scripts}\ninstall() {{ :; }}\n"
    )
    (scripts / "python").write_text('#!/bin/sh\nprintf "%s" "$3"\n')
    (scripts / "python").chmod(0o755)

    def built(*words):
        script = [str(scripts / "site"), *words]
        return subprocess.run(script, cwd=here, capture_output=True, text=True, check=True).stdout

    assert built("my site") == str(here.resolve() / "my site")
    assert built("/srv/site") == "/srv/site"
    assert built() == ""
