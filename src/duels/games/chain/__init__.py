"""The chain games: Number Duel, Sequence Duel and Number Chain Duel."""
