"""The entry point of `duels` and of `python -m duels`."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress

COLLECT_AFTER = 50_000
"""Python collects garbage after so many new objects; its default slows down every import."""


def run() -> None:
    """Run the command line; an OSError ends with a sentence instead of a traceback."""
    gc.set_threshold(COLLECT_AFTER)
    atexit.register(gc.freeze)  # at the end nothing is worth collecting
    try:
        from duels.cli import main
        from duels.core.console import program

        main(prog_name=" ".join(program()), complete_var="_DUELS_COMPLETE")
    except KeyboardInterrupt:
        sys.exit(130)
    except SystemExit as leaving:
        if leaving.code == 130:
            _leave_at_once()
        raise
    except OSError as error:  # a full disk behind standard output, say
        print(f"Error: {error.strerror or error}.", file=sys.stderr)
        os._exit(1)  # flushing at exit would only fail again


def _leave_at_once() -> None:
    """Exit after Ctrl-C; a second one must not make the interpreter hang while it cleans up."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    if workers := sys.modules.get("multiprocessing.util"):
        # The semaphores of a pool; without this Python warns that they have leaked.
        workers._run_finalizers(0)
    os._exit(130)


if __name__ == "__main__":
    run()
