"""How files are written: private, whole, and without leftovers."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import time

import pytest

from duels.core.files import STALE, draft, read_small, remove_stale_drafts, replace_file
from program import DUELS

pytestmark = pytest.mark.slow


def test_saved_files_are_private(call, folder):
    old = os.umask(0)
    try:
        args = ("play", "number-line-duel", "--numbers", "4", "--vs", "auto")
        call(*args, typed="1\nquit\n")
    finally:
        os.umask(old)
    kept = list(folder.parent.rglob("*.json"))
    assert len(kept) == 2
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}
    folders = (folder, folder.parent, folder.parent.parent)
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}


def test_a_state_folder_of_an_earlier_version_becomes_private(call, folder):
    folder.mkdir(parents=True)
    for path in (folder, folder.parent):
        path.chmod(0o755)
    call("play", "number-line-duel", "--numbers", "4", typed="1\nquit\n")
    assert {stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)} == {0o700}


def test_other_files_are_as_readable_as_the_user_wants(tmp_path):
    old = os.umask(0o027)
    try:
        replace_file(tmp_path / "report.html", "x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "report.html").stat().st_mode) == 0o640


def test_a_draft_has_an_unguessable_name_and_leaves_nothing(tmp_path):
    names = set()
    for _ in range(5):
        with draft(tmp_path / "file") as file:
            file.write(b"new")
            (name,) = {path.name for path in tmp_path.iterdir()} - {"file"}
            names.add(name)
    assert len(names) == 5
    with pytest.raises(KeyboardInterrupt), draft(tmp_path / "file"):
        raise KeyboardInterrupt
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert read_small(tmp_path / "file", 10) == b"new"


def test_a_draft_that_is_there_already_is_not_opened(tmp_path, monkeypatch):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    monkeypatch.setattr("os.urandom", lambda _: b"guessed!")
    (tmp_path / ".duels-6775657373656421.draft").symlink_to(victim)
    with pytest.raises(FileExistsError):
        replace_file(tmp_path / "file", "theirs")
    assert victim.read_text() == "mine"


def test_stale_drafts_are_removed_and_no_others(call, folder):
    folder.mkdir(parents=True)
    names = [".duels-1.draft", ".duels-2.draft", "notes.draft", ".duels.txt"]
    for name in names:
        (folder / name).write_text("x")
    for name in names[1:]:
        os.utime(folder / name, (time.time() - 2 * STALE,) * 2)
    call("play", "number-line-duel", "--numbers", "4", typed="quit\n")
    assert {path.name for path in folder.iterdir()} == {".lock", names[0], *names[2:]}
    remove_stale_drafts(folder / "none")


def test_the_draft_of_a_killed_writer_is_removed_later(tmp_path):
    script = (
        "from pathlib import Path; from duels.core.files import draft; import os, signal\n"
        f"with draft(Path({str(tmp_path / 'file')!r})) as file:\n"
        "    file.write(b'half'); file.flush(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([DUELS[0], "-c", script], check=False)
    (left,) = tmp_path.iterdir()
    remove_stale_drafts(tmp_path)
    assert left.exists()
    os.utime(left, (1, 1))
    remove_stale_drafts(tmp_path)
    assert not left.exists()


def test_the_folder_is_synced_after_the_file_has_its_name(tmp_path, monkeypatch):
    done = []
    real = os.fsync

    def fsync(handle):
        named = (tmp_path / "file").exists()
        done.append((stat.S_ISDIR(os.fstat(handle).st_mode), named))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    replace_file(tmp_path / "file", "x")
    assert done == [(False, False), (True, True)]


@pytest.mark.slow
def test_a_pipe_of_the_shell_is_read(environment):
    words = shlex.join(DUELS)
    command = f"{words} check <({words} solve number-chain-duel --proof -)"
    said = subprocess.run(
        ["bash", "-c", command], env=environment, capture_output=True, text=True, timeout=60
    )
    assert said.stdout.startswith("The proof is right."), said.stderr
