"""Fuzzing the loop: episodes nobody wrote."""
