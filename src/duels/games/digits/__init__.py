"""Divisor Duel."""
