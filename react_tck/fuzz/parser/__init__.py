"""Fuzzing a parser: texts nobody wrote."""
