"""Games, positions, moves, options and outcomes. Standard library only."""
