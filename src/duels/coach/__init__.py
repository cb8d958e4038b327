"""The coach: hints in stages, reviews of finished matches, puzzles.

Each is a few lines on top of verdicts; the words of a reason are the theory's. `daily.py` is
frozen: the puzzle of a day is the same in every version.
"""
