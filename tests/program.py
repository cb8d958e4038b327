"""How tests start the program."""

import sys

DUELS = [sys.executable, "-m", "duels"]
