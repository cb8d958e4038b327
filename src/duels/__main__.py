"""The way in: `duels`, and `python -m duels`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def run() -> None:
    """Run the command; an unexpected error ends with a sentence, not a traceback."""
    try:
        from duels.cli import main

        main(prog_name="duels")
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
    """After Ctrl-C: a second one must not catch the interpreter tidying up and make it hang."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(130)


if __name__ == "__main__":
    run()
