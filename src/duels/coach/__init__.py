"""The coach: hints in stages, reviews of matches, puzzles and lessons.

All of it is built on verdicts; the theory words the reasons. The puzzle of a date never changes.
"""
