"""The coach: hints in stages, reviews of matches, puzzles and lessons.

All of it is built on verdicts and the reasons of the theory. The puzzle of a day never changes.
"""
