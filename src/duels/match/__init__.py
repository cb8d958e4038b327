"""A match between two players: referee, clock, record, saved games, dialogue and computers."""
