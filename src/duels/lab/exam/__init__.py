"""Exams: many positions with exact labels, each asked once."""
