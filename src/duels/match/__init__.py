"""A match: players, clock and referee; its record; what is said during it."""
