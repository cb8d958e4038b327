"""The way in: `duels`, and `python -m duels`."""

from __future__ import annotations

import os
import sys


def run() -> None:
    """Run the command; what nobody could foresee ends with a sentence and not a traceback."""
    try:
        from duels.cli import main

        main(prog_name="duels")
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:  # a full disk behind standard output, say
        print(f"Error: {error.strerror or error}.", file=sys.stderr)
        os._exit(1)  # flushing at exit would only fail again


if __name__ == "__main__":
    run()
