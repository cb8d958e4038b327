"""What we would publish: the source archive, the wheel that is built from it, and how it works."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from urllib.request import urlopen

import pytest

import duels

ROOT = Path(__file__).parent.parent


def done(*command: object) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd="/").stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The archive and the wheel, with the version that the package itself names."""
    folder = tmp_path_factory.mktemp("dist")
    done(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    name = f"number_duels-{duels.__version__}"
    return folder / f"{name}.tar.gz", folder / f"{name}-py3-none-any.whl"


@pytest.fixture
def clean(tmp_path):
    """The folder of programs of an environment in which nothing is installed."""
    venv.create(tmp_path / "venv")
    return tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")


def install(wheel: str, programs: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--python", programs.parent, "install", "-q"]
    done(*pip, "--constraint", ROOT / "constraints.txt", wheel)


@pytest.mark.long  # it needs a network; so does scripts/build
def test_the_built_wheel_works_elsewhere(built, clean):
    _, wheel = built
    install(str(wheel), clean)
    assert "1 2 4" in done(clean / "duels", "legal", "number-duel", "28")
    assert "R1" in done(clean / "duels", "rules", "sequence-duel")
    assert duels.__version__ in done(clean / "duels", "--version")
    serve = subprocess.run([clean / "duels", "serve"], capture_output=True, text=True, cwd="/")
    assert f"pip install '{wheel.name}[web]'" in serve.stderr


@pytest.mark.slow
def test_an_index_would_take_both_files(built):
    done(sys.executable, "-m", "twine", "check", "--strict", *built)
    done(sys.executable, "-m", "check_wheel_contents", built[1])


@pytest.mark.slow
def test_the_archive_has_everything_a_packager_needs(built):
    with tarfile.open(built[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = ("LICENSE", "CITATION.cff", "constraints.txt", "scripts/test", "tests/rings.py")
    assert {*wanted, "src/duels/games/chain/texts/number-duel.md", "src/duels/py.typed"} <= names
    assert not [name for name in names if "node_modules" in name or name.startswith(".venv")]


@pytest.mark.long
def test_the_pages_come_with_the_wheel(built, clean, tmp_path):
    install(f"{built[1]}[web]", clean)
    command = [clean / "duels", "serve", "--port", "0", "--database", str(tmp_path / "web.sqlite3")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as server:
        try:
            words = (word for line in server.stderr for word in line.decode().split())
            address = next(word for word in words if word.startswith("http"))
            with urlopen(address, timeout=20) as page:
                assert "Number Duels" in page.read().decode()
        finally:
            server.terminate()
