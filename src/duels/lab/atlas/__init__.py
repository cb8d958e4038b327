"""The atlas: verdicts of all sizes of a game, as tables and plots."""
