"""Threads that read the same kind of struct at once, which must not crash the server."""

import subprocess
import sys

READ = """
import sys, threading
import msgspec
from duels.service.problems import ready
sys.setswitchinterval(1e-6)
for number in range(100):
    inner = msgspec.defstruct(f"Inner{number}", [("a", int), ("b", "list[str] | None", None)])
    outer = msgspec.defstruct(f"Outer{number}", [("x", dict[str, inner]), ("y", list[inner])])
    barrier = threading.Barrier(4)
    def read():
        barrier.wait()
        for _ in range(10):
            msgspec.convert({"x": {"k": {"a": 1}}, "y": [{"a": 2}]}, ready(outer))
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_four_threads_may_be_the_first_to_read_a_struct():
    done = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
