"""Subjects that know their LM by its address only."""
