"""The arena: many matches, with ratings and the exact grade of every move."""
