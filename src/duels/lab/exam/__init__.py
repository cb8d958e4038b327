"""Exams: many positions with exact labels, one question each."""
