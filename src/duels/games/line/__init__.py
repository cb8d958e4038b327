"""Number Line Duel."""
