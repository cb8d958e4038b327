"""Games reach every command from a file, from an installed package, and from a program."""

import json
import subprocess
import sys

import pytest

import duels
from own_games import SQUARE_FILE

WITH = ("--with", str(SQUARE_FILE))


def data(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def installed(tmp_path, environment):
    """An environment in which a package that offers a game is installed."""

    def install(module, entry="package_of_games:Mine", text=None):
        site = tmp_path / "site"
        info = site / "package_of_games-1.0.dist-info"
        info.mkdir(parents=True)
        (site / "package_of_games.py").write_text(module)
        (info / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: package-of-games\nVersion: 1.0\n"
        )
        (info / "entry_points.txt").write_text(f"[duels.games]\nmine = {entry}\n")
        path = environment.get("PYTHONPATH", "")
        return environment | {"PYTHONPATH": f"{site}:{path}" if path else str(site)}

    return install


MINE = """
from duels import StateGame, whole

class Mine(StateGame):
    id, title, summary = "mine", "Mine", "Take one."
    depth: int = whole("the depth of the mine", default=3, is_size=True)
    def first(self): return self.depth
    def allowed(self, state): return (1,)[:state]
    def after(self, state, move): return state - move
"""


def test_a_file_adds_its_game_to_the_list(run):
    assert "square-duel" not in run("games").stdout
    listed = run(*WITH, "games").stdout
    assert "square-duel        Take a square number of stones." in listed
    assert "--stones: the stones at the start (default 30)" in listed


def test_its_game_can_be_called_by_a_part_of_its_name(run):
    assert run(*WITH, "legal", "squ", "--stones", "5").stdout == "1 4\n"
    assert "Did you mean square-duel?" in run(*WITH, "legal", "sqare-dual").stderr


def test_a_file_adds_its_options_as_flags(run):
    assert "--stones STONES" in run(*WITH, "legal", "--help").stdout
    assert "--stones" not in run("legal", "--help").stdout
    assert run(*WITH, "legal", "square-duel", "--stones", "17", "1").stdout == "1 4 9 16\n"


def test_an_option_of_two_words_is_listed_as_the_flag_that_it_has(run, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE.replace("depth", "start_at"))
    assert "   --start-at: " in run("--with", str(path), "games").stdout
    assert run("--with", str(path), "legal", "mine", "--start-at", "2").stdout == "1\n"


@pytest.mark.slow
def test_a_file_is_enough_for_every_question(run, tmp_path):
    assert data(run(*WITH, "perft", "square-duel", "--stones", "6", "--json"))["games"] == 4
    proof = tmp_path / "proof.json"
    picture = tmp_path / "picture.svg"
    done = run(*WITH, "solve", "square-duel", "--proof", str(proof), "--svg", str(picture))
    assert "Player 1, to move, wins with best play." in done.stdout
    assert picture.read_text().startswith("<svg")
    assert f"check it with: duels --with {SQUARE_FILE} check {proof}" in done.stderr
    assert "The proof is right" in run(*WITH, "check", str(proof)).stdout
    assert (
        'needs the game "square-duel". Add its file: duels --with'
        in run("check", str(proof)).stderr
    )
    assert "R3 On your turn, take 1, 4, 9, 16" in run(*WITH, "rules", "square-duel").stdout
    assert "How to win" not in run(*WITH, "rules", "square-duel").stdout


def test_the_help_says_that_a_file_is_code(run):
    assert "Its code is run" in " ".join(run("--help").stdout.split())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "There is no file"),
        ("import nothing_of_that_name\n", "line 1: ModuleNotFoundError"),
        ("x = 1\n", "has no game in it"),
        (MINE.replace('"mine"', '"number-duel"'), "line 4: the id number-duel is that of"),
        ("raise SystemExit(3)\n", "line 1: SystemExit: 3"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(run, tmp_path, text, sentence):
    file = tmp_path / "some_game.py"
    if text:
        file.write_text(text)
    done = run("--with", str(file), "games")
    assert done.returncode == 1
    assert sentence in done.stderr
    assert str(file) in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_fault_in_the_middle_of_a_game_is_one_sentence(run, tmp_path):
    file = tmp_path / "some_game.py"
    file.write_text(MINE.replace("return state - move", "return state - 1 if state > 2 else 1 / 0"))
    done = run("--with", str(file), "solve", "mine", "--depth", "5")
    assert done.returncode == 1
    assert f"The game has a fault. {file}, line 9: ZeroDivisionError" in done.stderr


def test_a_fault_in_one_saved_game_does_not_hide_the_others(run, tmp_path):
    file = tmp_path / "some_game.py"
    file.write_text(MINE)
    run("--with", str(file), "play", "mine", typed="1\n1\nquit\n")
    run("--with", str(file), "play", "mine", typed="1\nquit\n")
    file.write_text(MINE.replace("return state - move", "return state - 1 if state > 2 else 1 / 0"))
    listed = run("--with", str(file), "resume")
    assert "Player 1 against Player 2, Mine (depth: 3), move 2" in listed.stdout
    assert f"is damaged: move 2: The game has a fault. {file}, line 9" in listed.stderr


@pytest.mark.slow
def test_an_installed_package_offers_its_game(run, installed):
    env = installed(MINE)
    assert "mine               Take one." in run("games", env=env).stdout
    assert run("legal", "mine", "--depth", "1", env=env).stdout == "1\n"
    assert data(run("solve", "mine", "--json", env=env))["wins"] is True


def test_entry_points_are_read_only_when_they_may_matter(installed):
    code = (
        "import sys; from duels.cli import main; "
        "main(['legal', 'number-duel', '28'], standalone_mode=False); "
        "assert 'importlib.metadata' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=installed(MINE), stdout=-3)


@pytest.mark.slow
def test_a_package_with_a_broken_game_is_named_and_the_others_work(run, installed):
    env = installed(MINE.replace("(1,)[:state]", "1 / 0"))
    done = run("games", env=env)
    assert "number-duel" in done.stdout
    assert "The game mine (package_of_games:Mine) cannot be used" in done.stderr
    assert run("legal", "number-duel", "28", env=env).returncode == 0
    assert "There is no game" in run("legal", "mine", env=env).stderr


def test_a_program_registers_a_game_of_its_own():
    code = MINE + (
        "import duels\n"
        "duels.register(Mine)\n"
        "duels.register(Mine)\n"
        "assert duels.solve(duels.game('mine', depth=2).start()).wins is False\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_registry_of_this_process_has_our_games():
    assert [*duels.GAMES][:2] == ["number-duel", "divisor-duel"]


def test_threads_that_ask_at_the_same_moment_all_get_the_whole_list(environment):
    code = """
import threading, duels.games
def look():
    together.wait()
    seen.append("square-duel" in duels.games.all_games())
seen, together = [], threading.Barrier(8)
threads = [threading.Thread(target=look) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(seen.count(True))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment | {"DUELS_WITH": str(SQUARE_FILE)},
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("8\n", "")
