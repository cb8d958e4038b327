"""The arena: many matches, ratings, and every move graded against the truth."""
