"""What a game, a position, a move and an outcome are. Standard library only."""
