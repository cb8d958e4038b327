"""The coach: hints in stages, reviews of finished matches, puzzles."""
