"""Processes that play rows or do tasks: workers, their supervision, deadlines, signals."""
